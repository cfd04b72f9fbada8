#include "textflag.h"

// A round of the loop takes four values of each row, spread over a register, and four factors of each of 32 results, which stand side by
// side: VPDPBUSD adds the four products of bytes to each result. Rows are addressed as in kernels_amd64.s.

#define ROW8(at, x, lo, hi) \
	VPBROADCASTD at, x; \
	VPDPBUSD Z24, x, lo; \
	VPDPBUSD Z25, x, hi

#define CLR(lo, hi) \
	VPXORD lo, lo, lo; \
	VPXORD hi, hi, hi

// The results, less what the raised rows give too much, by both scales, and the bias.
#define OUT(lo, hi, sa) \
	VPSUBD Z26, lo, lo; \
	VPSUBD Z27, hi, hi; \
	VCVTDQ2PS lo, lo; \
	VCVTDQ2PS hi, hi; \
	VBROADCASTSS sa, Z24; \
	VMULPS Z24, lo, lo; \
	VMULPS Z24, hi, hi; \
	VFMADD213PS Z30, Z28, lo; \
	VFMADD213PS Z31, Z29, hi; \
	VMOVUPS lo, (DI); \
	VMOVUPS hi, 64(DI); \
	ADDQ R9, DI

// func mulTile(k int, a *uint8, lda int, b *int8, raised *int32, scales, bias, scale, c *float32, ldc int)
TEXT ·mulTile(SB), NOSPLIT, $0-80
	MOVQ k+0(FP), CX
	MOVQ a+8(FP), SI
	MOVQ lda+16(FP), R8
	MOVQ b+24(FP), DX
	LEAQ (R8)(R8*2), R13
	LEAQ (SI)(R13*1), R10
	LEAQ (R10)(R13*1), R11
	LEAQ (R11)(R13*1), R12
	CLR(Z0, Z1)
	CLR(Z2, Z3)
	CLR(Z4, Z5)
	CLR(Z6, Z7)
	CLR(Z8, Z9)
	CLR(Z10, Z11)
	CLR(Z12, Z13)
	CLR(Z14, Z15)
	CLR(Z16, Z17)
	CLR(Z18, Z19)
	CLR(Z20, Z21)
	CLR(Z22, Z23)

loop:
	VMOVDQU32 (DX), Z24
	VMOVDQU32 64(DX), Z25
	ROW8((SI), Z26, Z0, Z1)
	ROW8((SI)(R8*1), Z27, Z2, Z3)
	ROW8((SI)(R8*2), Z28, Z4, Z5)
	ROW8((R10), Z29, Z6, Z7)
	ROW8((R10)(R8*1), Z30, Z8, Z9)
	ROW8((R10)(R8*2), Z31, Z10, Z11)
	ROW8((R11), Z26, Z12, Z13)
	ROW8((R11)(R8*1), Z27, Z14, Z15)
	ROW8((R11)(R8*2), Z28, Z16, Z17)
	ROW8((R12), Z29, Z18, Z19)
	ROW8((R12)(R8*1), Z30, Z20, Z21)
	ROW8((R12)(R8*2), Z31, Z22, Z23)
	ADDQ $128, DX
	ADDQ $4, SI
	ADDQ $4, R10
	ADDQ $4, R11
	ADDQ $4, R12
	DECQ CX
	JNZ  loop

	MOVQ raised+32(FP), AX
	VMOVDQU32 (AX), Z26
	VMOVDQU32 64(AX), Z27
	MOVQ scales+40(FP), AX
	VMOVUPS (AX), Z28
	VMOVUPS 64(AX), Z29
	MOVQ bias+48(FP), AX
	VMOVUPS (AX), Z30
	VMOVUPS 64(AX), Z31
	MOVQ scale+56(FP), AX
	MOVQ c+64(FP), DI
	MOVQ ldc+72(FP), R9
	OUT(Z0, Z1, (AX))
	OUT(Z2, Z3, 4(AX))
	OUT(Z4, Z5, 8(AX))
	OUT(Z6, Z7, 12(AX))
	OUT(Z8, Z9, 16(AX))
	OUT(Z10, Z11, 20(AX))
	OUT(Z12, Z13, 24(AX))
	OUT(Z14, Z15, 28(AX))
	OUT(Z16, Z17, 32(AX))
	OUT(Z18, Z19, 36(AX))
	OUT(Z20, Z21, 40(AX))
	OUT(Z22, Z23, 44(AX))
	VZEROUPPER
	RET

// func largest(n int, x *float32) float32
// Magnitudes are ordered as their bits are, and NaN is above all.
TEXT ·largest(SB), NOSPLIT, $0-20
	MOVQ n+0(FP), CX
	MOVQ x+8(FP), SI
	MOVL $0x7fffffff, AX
	VPBROADCASTD AX, Z2
	VPXORD Z0, Z0, Z0
next:
	VPANDD (SI), Z2, Z1
	VPMAXUD Z1, Z0, Z0
	ADDQ $64, SI
	DECQ CX
	JNZ next
	VEXTRACTI64X4 $1, Z0, Y1
	VPMAXUD Y1, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPMAXUD X1, X0, X0
	VPSHUFD $0x4e, X0, X1
	VPMAXUD X1, X0, X0
	VPSHUFD $0xb1, X0, X1
	VPMAXUD X1, X0, X0
	MOVSS X0, ret+16(FP)
	VZEROUPPER
	RET

// func round(n int, x *float32, q *uint8, factor float32)
TEXT ·round(SB), NOSPLIT, $0-28
	MOVQ n+0(FP), CX
	MOVQ x+8(FP), SI
	MOVQ q+16(FP), DI
	VBROADCASTSS factor+24(FP), Z2
	MOVL $128, AX
	VPBROADCASTD AX, Z3
next:
	VMULPS (SI), Z2, Z0
	VCVTPS2DQ Z0, Z0
	VPADDD Z3, Z0, Z0
	VPMOVDB Z0, X0
	VMOVDQU X0, (DI)
	ADDQ $64, SI
	ADDQ $16, DI
	DECQ CX
	JNZ next
	VZEROUPPER
	RET
