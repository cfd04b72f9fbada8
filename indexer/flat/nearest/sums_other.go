//go:build !amd64

package nearest

// sums are the products of the values at places that are alike modulo 8, added up in their order. The vectors are of one length, a
// multiple of 8.
func sums(a, b []float32) [8]float32 { return plain(a, b) }
