package nearest

import "golang.org/x/sys/cpu"

// sums are the products of the values at places that are alike modulo 8, added up in their order. The vectors are of one length, a
// multiple of 8.
func sums(a, b []float32) (s [8]float32) {
	if len(a) == 0 || !cpu.X86.HasAVX {
		return plain(a, b)
	}
	sumsAVX(&a[0], &b[0], len(a), &s)
	return s
}

//go:noescape
func sumsAVX(a, b *float32, n int, s *[8]float32)
