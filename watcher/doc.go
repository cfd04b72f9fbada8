// Package watcher tells when files under a folder may have changed. It may say so twice, and it may say
// only "look everywhere"; it is never silent.
//
// It knows paths and time, and nothing of what is in the files.
package watcher
