#include "textflag.h"

// func sumsAVX(a, b *float32, n int, s *[8]float32)
//
// A product is rounded before it is added, as without vector instructions.
TEXT ·sumsAVX(SB), NOSPLIT, $0-32
	MOVQ   a+0(FP), SI
	MOVQ   b+8(FP), DX
	MOVQ   n+16(FP), CX
	MOVQ   s+24(FP), DI
	LEAQ   (SI)(CX*4), BX // where a ends
	VXORPS Y0, Y0, Y0

eight:
	VMOVUPS (SI), Y1
	VMULPS  (DX), Y1, Y1
	VADDPS  Y1, Y0, Y0
	ADDQ    $32, SI
	ADDQ    $32, DX
	CMPQ    SI, BX
	JNE     eight

	VMOVUPS Y0, (DI)
	VZEROUPPER
	RET
