// Package follower has the index read the files that the watcher sees change, and lets questions wait for it.
package follower
