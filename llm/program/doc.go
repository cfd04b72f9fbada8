// Package program runs a program on a text, within limits of time and output, and leaves no process behind.
package program
