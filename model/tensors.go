package model

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
)

// Limits of a safetensors file. MaxFile bounds what a model takes in memory.
const (
	MaxFile    = 2 << 30
	maxHeader  = 4 << 20
	maxTensors = 4096
)

// widths are the bytes of a value, of the types that a file may hold.
var widths = map[string]int64{"F32": 4, "F16": 2, "BF16": 2, "F64": 8, "I64": 8, "I32": 4, "I16": 2, "I8": 1, "U8": 1, "BOOL": 1}

// A tensor is where the values of one lie in the file.
type tensor struct {
	Type    string   `json:"dtype"`
	Shape   []int64  `json:"shape"`
	Offsets [2]int64 `json:"data_offsets"`
}

// count is the number of values. The header's check has made sure that it is no more than the file has bytes.
func (t tensor) count() int64 {
	n := int64(1)
	for _, d := range t.Shape {
		n *= d
	}
	return n
}

// tensors is a safetensors file.
type tensors struct {
	file io.ReaderAt
	data int64 // where the values begin
	at   map[string]tensor
	read map[string]bool // those that floats or ignore were asked for
}

// readTensors reads the header and checks that all of it lies within the file, without a gap or an overlap.
func readTensors(file io.ReaderAt, size int64) (*tensors, error) {
	if size > MaxFile {
		return nil, fmt.Errorf("%d MB are more than the %d MB that a model may have", size>>20, int64(MaxFile)>>20)
	}
	var head [8]byte
	if _, err := file.ReadAt(head[:], 0); err != nil {
		return nil, fmt.Errorf("reading the header's length: %w", err)
	}
	length := binary.LittleEndian.Uint64(head[:])
	if length > maxHeader || int64(length) > size-8 {
		return nil, fmt.Errorf("a header of %d bytes in a file of %d", length, size)
	}
	raw := make([]byte, length)
	if _, err := file.ReadAt(raw, 8); err != nil {
		return nil, fmt.Errorf("reading the header: %w", err)
	}
	var entries map[string]json.RawMessage
	if err := json.Unmarshal(raw, &entries); err != nil {
		return nil, fmt.Errorf("reading the header: %w", err)
	}
	delete(entries, "__metadata__")
	if len(entries) > maxTensors {
		return nil, fmt.Errorf("%d tensors are more than %d", len(entries), maxTensors)
	}
	t := &tensors{file: file, data: 8 + int64(length), at: make(map[string]tensor, len(entries)), read: map[string]bool{}}
	for name, raw := range entries {
		var e tensor
		if err := json.Unmarshal(raw, &e); err != nil {
			return nil, fmt.Errorf("tensor %.80q: %w", name, err)
		}
		if err := e.check(size - t.data); err != nil {
			return nil, fmt.Errorf("tensor %.80q: %w", name, err)
		}
		t.at[name] = e
	}
	return t, t.contiguous(size - t.data)
}

// check holds what a tensor says about itself against each other. size is that of all values.
func (t tensor) check(size int64) error {
	width, ok := widths[t.Type]
	if !ok {
		return fmt.Errorf("values of type %.20q are not known", t.Type)
	}
	n := width
	for _, d := range t.Shape {
		if d < 0 || d > size || n > size/max(d, 1) {
			return fmt.Errorf("a shape of %v does not fit into the file", t.Shape)
		}
		n *= d
	}
	if from, to := t.Offsets[0], t.Offsets[1]; from < 0 || to < from || to > size || to-from != n {
		return fmt.Errorf("%v of %s at bytes %d to %d of %d", t.Shape, t.Type, from, to, size)
	}
	return nil
}

func (t *tensors) contiguous(size int64) error {
	all := make([]tensor, 0, len(t.at))
	for _, e := range t.at {
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b tensor) int {
		return cmp.Or(cmp.Compare(a.Offsets[0], b.Offsets[0]), cmp.Compare(a.Offsets[1], b.Offsets[1]))
	})
	end := int64(0)
	for _, e := range all {
		if e.Offsets[0] != end {
			return errors.New("the tensors overlap or leave a gap")
		}
		end = e.Offsets[1]
	}
	if end != size {
		return fmt.Errorf("the tensors end at byte %d of %d", end, size)
	}
	return nil
}

func (t *tensors) has(name string) bool { _, ok := t.at[name]; return ok }

// ignore says that a tensor, if it is there, is of no use here.
func (t *tensors) ignore(names ...string) {
	for _, n := range names {
		t.read[n] = true
	}
}

// rest is an error if there are tensors that nobody has asked for: a model of them would be another one.
func (t *tensors) rest() error {
	for name := range t.at {
		if !t.read[name] {
			return fmt.Errorf("tensor %.80q is not known", name)
		}
	}
	return nil
}

// shape is an error if there is no tensor of that name, kind and shape.
func (t *tensors) shape(name string, shape ...int) (tensor, error) {
	e, ok := t.at[name]
	if !ok {
		return e, fmt.Errorf("tensor %q is missing", name)
	}
	t.read[name] = true
	if !slices.EqualFunc(e.Shape, shape, func(a int64, b int) bool { return a == int64(b) }) {
		return e, fmt.Errorf("tensor %q is of shape %v, not %v", name, e.Shape, shape)
	}
	if e.Type != "F32" && e.Type != "F16" && e.Type != "BF16" {
		return e, fmt.Errorf("tensor %q holds %s; only F32, F16 and BF16 are read", name, e.Type)
	}
	return e, nil
}

// floats reads a tensor, which has to be of that shape.
func (t *tensors) floats(name string, shape ...int) ([]float32, error) {
	e, err := t.shape(name, shape...)
	if err != nil {
		return nil, err
	}
	out := make([]float32, e.count())
	width := int(widths[e.Type])
	buf := make([]byte, 1<<18)
	for done := 0; done < len(out); {
		n := min(len(buf)/width, len(out)-done)
		if _, err := t.file.ReadAt(buf[:n*width], t.data+e.Offsets[0]+int64(done*width)); err != nil {
			return nil, fmt.Errorf("reading tensor %q: %w", name, err)
		}
		decode(out[done:done+n], buf, e.Type)
		done += n
	}
	for _, v := range out {
		if v-v != 0 {
			return nil, fmt.Errorf("tensor %q holds NaN or infinity", name)
		}
	}
	return out, nil
}

func decode(out []float32, b []byte, kind string) {
	for i := range out {
		switch kind {
		case "F32":
			out[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
		case "BF16":
			out[i] = math.Float32frombits(uint32(binary.LittleEndian.Uint16(b[2*i:])) << 16)
		default:
			out[i] = half(binary.LittleEndian.Uint16(b[2*i:]))
		}
	}
}

// half is the value of a float of 16 bits.
func half(h uint16) float32 {
	sign, exponent, fraction := uint32(h&0x8000)<<16, uint32(h>>10&31), uint32(h&1023)
	switch exponent {
	case 0:
		return math.Float32frombits(sign|0x3f800000) * float32(fraction) / (1 << 24)
	case 31:
		return math.Float32frombits(sign | 0x7f800000 | fraction<<13)
	}
	return math.Float32frombits(sign | (exponent+112)<<23 | fraction<<13)
}
