// Package workspace opens one vault with everything that serves it, and closes it in order.
//
// A workspace is a vault, its locks, index, watcher, intake, record of reads and dreams. The package shares nothing with other workspaces
// but [Models]. What is asked of it is in package operations.
package workspace
