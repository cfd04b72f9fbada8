// Package matrix multiplies matrices of float32, with the vector instructions of the processor where it has them.
package matrix
