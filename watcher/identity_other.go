//go:build !linux

package watcher

import "io/fs"

type fileID struct{}

// identity is needed only where a watch belongs to the folder itself and not to its name, which is so with inotify.
func identity(fs.FileInfo) (fileID, bool) { return fileID{}, false }
