package matrix

import "golang.org/x/sys/cpu"

// kernels are those that this processor can run, fastest first.
func kernels() (k []kernel) {
	if cpu.X86.HasAVX512F {
		k = append(k, kernel{"avx512", 12, 32, mul12x32})
	}
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		k = append(k, kernel{"avx2", 6, 16, mul6x16})
	}
	return append(k, plain)
}

//go:noescape
func mul6x16(k int, a *float32, lda int, b, bias, c *float32, ldc int)

//go:noescape
func mul12x32(k int, a *float32, lda int, b, bias, c *float32, ldc int)
