// Package thread judges what of a conversation is worth a line by what was said around it, and which of the messages before a reader needs
// to understand it.
//
// The package holds two linear models over hashed features, trained by scripts/threads from whole conversations that we wrote and labelled.
package thread
