package vault

import (
	"io/fs"
	"syscall"
)

// changed is when the system last noted a change of the file or of what it knows of it, which nobody can set; 0 where it does not tell.
func changed(fi fs.FileInfo) int64 {
	if s, ok := fi.Sys().(*syscall.Stat_t); ok {
		return s.Ctimespec.Nano()
	}
	return 0
}
