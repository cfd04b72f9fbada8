#include "textflag.h"

// Both functions keep all results in registers, which begin as the bias. Each round of the loop takes one column of a, whose values
// are spread over a register each, and one row of the panel. Three rows of a share a pointer: it, it + lda, it + 2·lda.

#define ARGS \
	MOVQ k+0(FP), CX; \
	MOVQ a+8(FP), SI; \
	MOVQ lda+16(FP), R8; \
	MOVQ b+24(FP), DX; \
	MOVQ bias+32(FP), AX; \
	MOVQ c+40(FP), DI; \
	MOVQ ldc+48(FP), R9; \
	LEAQ (R8)(R8*2), R13; \
	LEAQ (SI)(R13*1), R10

#define ROW2(at, x, lo, hi) \
	VBROADCASTSS at, x; \
	VFMADD231PS Y12, x, lo; \
	VFMADD231PS Y13, x, hi

#define STORE2(lo, hi) \
	VMOVUPS lo, (DI); \
	VMOVUPS hi, 32(DI); \
	ADDQ R9, DI

#define BIAS2(lo, hi) \
	VMOVUPS (AX), lo; \
	VMOVUPS 32(AX), hi

// func mul6x16(k int, a *float32, lda int, b, bias, c *float32, ldc int)
TEXT ·mul6x16(SB), NOSPLIT, $0-56
	ARGS
	BIAS2(Y0, Y1)
	BIAS2(Y2, Y3)
	BIAS2(Y4, Y5)
	BIAS2(Y6, Y7)
	BIAS2(Y8, Y9)
	BIAS2(Y10, Y11)

loop:
	VMOVUPS (DX), Y12
	VMOVUPS 32(DX), Y13
	ROW2((SI), Y14, Y0, Y1)
	ROW2((SI)(R8*1), Y15, Y2, Y3)
	ROW2((SI)(R8*2), Y14, Y4, Y5)
	ROW2((R10), Y15, Y6, Y7)
	ROW2((R10)(R8*1), Y14, Y8, Y9)
	ROW2((R10)(R8*2), Y15, Y10, Y11)
	ADDQ $64, DX
	ADDQ $4, SI
	ADDQ $4, R10
	DECQ CX
	JNZ  loop

	STORE2(Y0, Y1)
	STORE2(Y2, Y3)
	STORE2(Y4, Y5)
	STORE2(Y6, Y7)
	STORE2(Y8, Y9)
	STORE2(Y10, Y11)
	VZEROUPPER
	RET

#define ROW512(at, x, lo, hi) \
	VBROADCASTSS at, x; \
	VFMADD231PS Z24, x, lo; \
	VFMADD231PS Z25, x, hi

#define STORE512(lo, hi) \
	VMOVUPS lo, (DI); \
	VMOVUPS hi, 64(DI); \
	ADDQ R9, DI

#define BIAS512(lo, hi) \
	VMOVUPS (AX), lo; \
	VMOVUPS 64(AX), hi

// func mul12x32(k int, a *float32, lda int, b, bias, c *float32, ldc int)
TEXT ·mul12x32(SB), NOSPLIT, $0-56
	ARGS
	LEAQ (R10)(R13*1), R11
	LEAQ (R11)(R13*1), R12
	BIAS512(Z0, Z1)
	BIAS512(Z2, Z3)
	BIAS512(Z4, Z5)
	BIAS512(Z6, Z7)
	BIAS512(Z8, Z9)
	BIAS512(Z10, Z11)
	BIAS512(Z12, Z13)
	BIAS512(Z14, Z15)
	BIAS512(Z16, Z17)
	BIAS512(Z18, Z19)
	BIAS512(Z20, Z21)
	BIAS512(Z22, Z23)

loop:
	VMOVUPS (DX), Z24
	VMOVUPS 64(DX), Z25
	ROW512((SI), Z26, Z0, Z1)
	ROW512((SI)(R8*1), Z27, Z2, Z3)
	ROW512((SI)(R8*2), Z28, Z4, Z5)
	ROW512((R10), Z29, Z6, Z7)
	ROW512((R10)(R8*1), Z30, Z8, Z9)
	ROW512((R10)(R8*2), Z31, Z10, Z11)
	ROW512((R11), Z26, Z12, Z13)
	ROW512((R11)(R8*1), Z27, Z14, Z15)
	ROW512((R11)(R8*2), Z28, Z16, Z17)
	ROW512((R12), Z29, Z18, Z19)
	ROW512((R12)(R8*1), Z30, Z20, Z21)
	ROW512((R12)(R8*2), Z31, Z22, Z23)
	ADDQ $128, DX
	ADDQ $4, SI
	ADDQ $4, R10
	ADDQ $4, R11
	ADDQ $4, R12
	DECQ CX
	JNZ  loop

	STORE512(Z0, Z1)
	STORE512(Z2, Z3)
	STORE512(Z4, Z5)
	STORE512(Z6, Z7)
	STORE512(Z8, Z9)
	STORE512(Z10, Z11)
	STORE512(Z12, Z13)
	STORE512(Z14, Z15)
	STORE512(Z16, Z17)
	STORE512(Z18, Z19)
	STORE512(Z20, Z21)
	STORE512(Z22, Z23)
	VZEROUPPER
	RET
