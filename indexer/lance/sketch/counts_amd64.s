#include "textflag.h"

// func counts512(rows, words int, signs, planes, out *uint64)
//
// A round of the inner loop takes eight words of a row and of each plane; a sum has the bits of the signs above, and those of the
// planes by their weights below.
TEXT ·counts512(SB), NOSPLIT, $0-40
	MOVQ rows+0(FP), CX
	MOVQ words+8(FP), R8
	MOVQ signs+16(FP), SI
	MOVQ planes+24(FP), R9
	MOVQ out+32(FP), DI
	SHLQ $3, R8               // bytes of a row and of a plane
	LEAQ (R8)(R8*2), R12

row:
	VPXORQ Z0, Z0, Z0
	MOVQ   R9, DX
	LEAQ   (SI)(R8*1), BX     // where the row ends

block:
	VMOVDQU64 (SI), Z1
	VPANDQ    (DX)(R12*1), Z1, Z5
	VPANDQ    (DX)(R8*2), Z1, Z4
	VPANDQ    (DX)(R8*1), Z1, Z3
	VPANDQ    (DX), Z1, Z2
	VPOPCNTQ  Z5, Z5
	VPOPCNTQ  Z4, Z4
	VPOPCNTQ  Z3, Z3
	VPOPCNTQ  Z2, Z2
	VPOPCNTQ  Z1, Z1
	VPADDQ    Z5, Z5, Z5
	VPADDQ    Z4, Z5, Z5
	VPADDQ    Z5, Z5, Z5
	VPADDQ    Z3, Z5, Z5
	VPADDQ    Z5, Z5, Z5
	VPADDQ    Z2, Z5, Z5
	VPSLLQ    $32, Z1, Z1
	VPADDQ    Z1, Z0, Z0
	VPADDQ    Z5, Z0, Z0
	ADDQ      $64, SI
	ADDQ      $64, DX
	CMPQ      SI, BX
	JNE       block

	VEXTRACTI64X4 $1, Z0, Y1
	VPADDQ        Y1, Y0, Y0
	VEXTRACTI128  $1, Y0, X1
	VPADDQ        X1, X0, X0
	VPSRLDQ       $8, X0, X1
	VPADDQ        X1, X0, X0
	VMOVQ         X0, (DI)
	ADDQ          $8, DI
	DECQ          CX
	JNZ           row
	VZEROUPPER
	RET
