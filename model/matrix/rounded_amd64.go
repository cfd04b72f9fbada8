package matrix

import "golang.org/x/sys/cpu"

func canRound() bool { return cpu.X86.HasAVX512F && cpu.X86.HasAVX512VNNI }

// mulTile multiplies 12 rows of a by a panel: c[i][j] = bias[j] + scale[i]·scales[j]·(Σ a[i][l]·b[l][j] - raised[j]), over l < 4·k.
// Rows of a and c lie lda and ldc bytes apart.
//
//go:noescape
func mulTile(k int, a *uint8, lda int, b *int8, raised *int32, scales, bias, scale, c *float32, ldc int)

// largest is the largest magnitude of 16·n values; NaN where one is.
//
//go:noescape
func largest(n int, x *float32) float32

// round writes 128 + factor·x, rounded, of 16·n values from -127/factor to 127/factor.
//
//go:noescape
func round(n int, x *float32, q *uint8, factor float32)
