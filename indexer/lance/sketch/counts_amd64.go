package sketch

import "golang.org/x/sys/cpu"

// counts is the fastest way of this processor to count rows of so many words.
func counts(words int) func(out, signs, planes []uint64) {
	if words%8 == 0 && cpu.X86.HasAVX512F && cpu.X86.HasAVX512VPOPCNTDQ {
		return func(out, signs, planes []uint64) { counts512(len(out), words, &signs[0], &planes[0], &out[0]) }
	}
	return plain
}

//go:noescape
func counts512(rows, words int, signs, planes, out *uint64)
