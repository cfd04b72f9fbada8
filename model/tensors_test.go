package model

import (
	"bytes"
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/model/modeltest"
)

func file(header string, data int) []byte {
	return append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header...), make([]byte, data)...)
}

func read(b []byte) (*tensors, error) { return readTensors(bytes.NewReader(b), int64(len(b))) }

func TestHostileTensorsAreRefused(t *testing.T) {
	for name, f := range map[string][]byte{
		"empty":             nil,
		"no header":         {8, 0, 0, 0, 0, 0, 0, 0},
		"a huge header":     binary.LittleEndian.AppendUint64(nil, 1<<62),
		"not JSON":          file("[1]", 0),
		"an unknown type":   file(`{"a":{"dtype":"F8","shape":[4],"data_offsets":[0,4]}}`, 4),
		"beyond the end":    file(`{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}`, 4),
		"a negative place":  file(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[-4,0]}}`, 4),
		"an empty place":    file(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}}`, 4),
		"a negative shape":  file(`{"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}}`, 4),
		"a shape too large": file(`{"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]}}`, 0),
		"another size":      file(`{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}}`, 4),
		"an overlap":        file(`{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"b":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}`, 1),
		"a gap":             file(`{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"b":{"dtype":"U8","shape":[1],"data_offsets":[2,3]}}`, 3),
		"bytes at the end":  file(`{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}`, 2),
	} {
		if _, err := read(f); err == nil {
			t.Errorf("%s is read", name)
		}
	}
}

func TestTensorsOfEachWidth(t *testing.T) {
	data := file(`{"f":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"h":{"dtype":"F16","shape":[5],"data_offsets":[8,18]},`+
		`"b":{"dtype":"BF16","shape":[1],"data_offsets":[18,20]},"i":{"dtype":"I64","shape":[1],"data_offsets":[20,28]}}`, 28)
	values := data[len(data)-28:]
	binary.LittleEndian.PutUint32(values, math.Float32bits(1.5))
	binary.LittleEndian.PutUint32(values[4:], math.Float32bits(-2))
	for i, h := range []uint16{0x3c00, 0xc000, 0x0001, 0x7bff, 0x8000} {
		binary.LittleEndian.PutUint16(values[8+2*i:], h)
	}
	binary.LittleEndian.PutUint16(values[18:], 0x4049)
	f, err := read(data)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]float32{"f": {1.5, -2}, "h": {1, -2, 1.0 / (1 << 24), 65504, 0}, "b": {3.140625}} {
		got, err := f.floats(name, len(want))
		if err != nil {
			t.Fatal(err)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%s[%d] is %v, want %v", name, i, got[i], want[i])
			}
		}
	}
	for name, want := range map[string]string{"i": "I64", "f": "shape", "none": "missing"} {
		if _, err := f.floats(name, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want an error about %q", name, err, want)
		}
	}
	binary.LittleEndian.PutUint32(values, math.Float32bits(float32(math.NaN())))
	if _, err := f.floats("f", 2); err == nil {
		t.Error("NaN is read")
	}
}

func FuzzTensors(f *testing.F) {
	f.Add(modeltest.Safetensors(map[string]modeltest.Tensor{"a": {Shape: []int{2}, Values: []float32{1, 2}}}))
	f.Add(file(`{"__metadata__":{"a":"b"},"a":{"dtype":"F16","shape":[],"data_offsets":[0,2]}}`, 2))
	f.Fuzz(func(t *testing.T, b []byte) {
		x, err := read(b)
		if err != nil {
			return
		}
		for name, e := range x.at {
			shape := make([]int, len(e.Shape))
			for i, d := range e.Shape {
				shape[i] = int(d)
			}
			if v, err := x.floats(name, shape...); err == nil && int64(len(v)) != e.count() {
				t.Errorf("%d values of %v", len(v), e)
			}
		}
	})
}
