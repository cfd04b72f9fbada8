// Package workspace opens one vault with everything that serves it, and closes it in order.
//
// A workspace is a vault, its lock, index, watcher, intake, recall and dreams. It shares nothing with other workspaces but [Models].
// The server, the command line and the bench all reach a vault through it.
package workspace
