package linear

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func TestScoreAddsTheWeights(t *testing.T) {
	w := make(Weights, 1+Buckets)
	w[0], w[1+3], w[1+Buckets-1] = Step(-1), Step(2.5), Step(-0.25)
	for _, c := range []struct {
		features []uint32
		times    float64
		want     float64
	}{
		{nil, 1, -1},
		{[]uint32{3}, 1, 1.5},
		{[]uint32{3, 7, Buckets - 1}, 1, 1.25},
		{[]uint32{3, 7, Buckets - 1}, 2, 3.5}, // the bias counts once
	} {
		if got := w.Scaled(c.features, c.times); got != c.want {
			t.Errorf("%v taken %v times: %v, want %v", c.features, c.times, got, c.want)
		}
	}
	if w.Score([]uint32{3}) != 1.5 {
		t.Error("the score is not what the weights add up to")
	}
}

func TestStepKeepsWhatFitsAByte(t *testing.T) {
	for w, want := range map[float64]int8{0: 0, 1: scale, -1: -scale, 0.5 / scale * 0.9: 0, 100: 127, -100: -127} {
		if got := int8(Step(w)); got != want {
			t.Errorf("%v is kept as %d, want %d", w, got, want)
		}
	}
}

func TestSigmoid(t *testing.T) {
	for x := -19.0; x <= 19; x += 0.5 {
		if got, want := Sigmoid(x), 1/(1+math.Exp(-x)); math.Abs(got-want) > 1e-4*want+1e-9 && math.Abs(got-want) > 1e-5 {
			t.Errorf("%v: %v, want %v", x, got, want)
		}
	}
	if Sigmoid(1e9) > 1 || Sigmoid(-1e9) < 0 || Sigmoid(0) != 0.5 {
		t.Error("it leaves its bounds")
	}
}

func TestHashTellsPartsApart(t *testing.T) {
	seen := map[uint64][]uint32{}
	for kind := range uint32(20) {
		for part := range uint32(2000) {
			parts := []uint32{kind, part}
			if other, twice := seen[Hash(parts...)]; twice {
				t.Fatalf("%v and %v have one hash", parts, other)
			}
			seen[Hash(parts...)] = parts
		}
	}
	if Hash(1, 2) == Hash(2, 1) || Hash(1) == Hash(1, 0) {
		t.Error("order or number of the parts do not count")
	}
	full := map[uint32]bool{}
	for i := range uint32(8 * Buckets) {
		full[Feature(1, i)] = true
	}
	if len(full) < Buckets*99/100 {
		t.Errorf("only %d of %d buckets are used", len(full), Buckets)
	}
}

// What makes an example a yes is feature 1 or 2; 3 and 4 occur on both sides, 5 is on the wrong one now and then.
func examples() (out []Example) {
	for i := range 400 {
		e := Example{Features: []uint32{uint32(3 + i%2)}, Yes: i%4 < 2, Weight: 1}
		if e.Yes {
			e.Features = append(e.Features, uint32(1+i%3/2))
		}
		if i%10 == 0 {
			e.Features = append(e.Features, 5)
		}
		out = append(out, e)
	}
	return out
}

func TestTrainFindsWhatTellsThemApart(t *testing.T) {
	w := Train(examples(), Buckets)
	for _, f := range []uint32{1, 2} {
		if w.Score([]uint32{f, 3}) <= 0 || w.Score([]uint32{f, 4, 5}) <= 0 {
			t.Errorf("feature %d is not learnt", f)
		}
	}
	for _, fs := range [][]uint32{{3}, {4}, {4, 5}, nil} {
		if w.Score(fs) >= 0 {
			t.Errorf("%v is taken for a yes", fs)
		}
	}
	if w[1+6] != 0 {
		t.Error("a feature that no example has got a weight")
	}
	if !bytes.Equal(w, Train(examples(), Buckets)) {
		t.Error("the same examples gave other weights")
	}
}

func TestTrainMindsTheWeightOfAnExample(t *testing.T) {
	var even, heavy []Example
	for range 200 {
		yes, no := Example{Features: []uint32{1}, Yes: true, Weight: 1}, Example{Features: []uint32{1}, Weight: 1}
		even = append(even, yes, no)
		yes.Weight = 5
		heavy = append(heavy, yes, no)
	}
	if Train(heavy, Buckets).Score([]uint32{1}) <= Train(even, Buckets).Score([]uint32{1}) {
		t.Error("an example of more weight did not count for more")
	}
}

func TestLabelsNameTheLineThatIsWrong(t *testing.T) {
	files := fstest.MapFS{
		"data/b.jsonl": {Data: []byte("3\n4\n")}, "data/a.jsonl": {Data: []byte("1\n2\n")}, "data/README.md": {Data: []byte("no labels")},
	}
	var got []int
	read := func() error { return Labels(files, "data", func(n int) error { got = append(got, n); return nil }) }
	if err := read(); err != nil || !slices.Equal(got, []int{1, 2, 3, 4}) {
		t.Errorf("%v: %v", got, err)
	}
	files["data/b.jsonl"].Data = []byte("3\nfour\n")
	if err := read(); err == nil || !strings.HasPrefix(err.Error(), "b.jsonl, line 2: ") {
		t.Errorf("got %v", err)
	}
}
