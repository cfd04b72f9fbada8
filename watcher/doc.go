// Package watcher tells when files under a folder may have changed. The package may say so twice, and it may say only "look everywhere"; it
// is never silent.
//
// The package knows paths and time, and nothing of what is in the files.
package watcher
