package watcher

import (
	"io/fs"
	"syscall"
)

// A fileID tells one folder from another whatever its name is.
type fileID struct{ dev, ino uint64 }

// identity gives the id of a folder; false where the system does not tell.
func identity(info fs.FileInfo) (fileID, bool) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return fileID{}, false
	}
	return fileID{uint64(st.Dev), st.Ino}, true
}
