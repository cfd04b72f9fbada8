package matrix

import "unsafe"

func mul2x4(k int, a *float32, lda int, b, bias, c *float32, ldc int) {
	a0 := unsafe.Slice(a, k)
	a1 := unsafe.Slice((*float32)(unsafe.Add(unsafe.Pointer(a), lda)), k)[:len(a0)]
	w := unsafe.Slice(b, 4*k)
	t := (*[4]float32)(unsafe.Pointer(bias))
	c00, c01, c02, c03 := t[0], t[1], t[2], t[3]
	c10, c11, c12, c13 := t[0], t[1], t[2], t[3]
	for l, x := range a0 {
		y, v := a1[l], (*[4]float32)(w)
		w = w[4:]
		c00, c01, c02, c03 = c00+x*v[0], c01+x*v[1], c02+x*v[2], c03+x*v[3]
		c10, c11, c12, c13 = c10+y*v[0], c11+y*v[1], c12+y*v[2], c13+y*v[3]
	}
	*(*[4]float32)(unsafe.Pointer(c)) = [4]float32{c00, c01, c02, c03}
	*(*[4]float32)(unsafe.Add(unsafe.Pointer(c), ldc)) = [4]float32{c10, c11, c12, c13}
}
