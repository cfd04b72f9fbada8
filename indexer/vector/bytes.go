package vector

import (
	"encoding/binary"
	"math"
)

// PutBytes writes a vector as float32s in little endian, as all of its files have it.
func PutBytes(b []byte, v []float32) {
	for i, x := range v {
		binary.LittleEndian.PutUint32(b[4*i:], math.Float32bits(x))
	}
}

// FromBytes reads what PutBytes wrote.
func FromBytes(b []byte, into []float32) {
	for len(into) >= 4 && len(b) >= 16 { // four at a time: opening is mostly this loop
		into[0] = math.Float32frombits(binary.LittleEndian.Uint32(b))
		into[1] = math.Float32frombits(binary.LittleEndian.Uint32(b[4:]))
		into[2] = math.Float32frombits(binary.LittleEndian.Uint32(b[8:]))
		into[3] = math.Float32frombits(binary.LittleEndian.Uint32(b[12:]))
		into, b = into[4:], b[16:]
	}
	for i := range into {
		into[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
}
