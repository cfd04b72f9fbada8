package lexis

import (
	"math"
	"strings"
	"testing"
)

// near is the cosine of what two words mean, and false where the table does not hold both.
func near(a, b string) (cosine float64, known bool) {
	v, w := Vector(Terms(a)[0]), Vector(Terms(b)[0])
	var vw, vv, ww float64
	for i := range min(len(v), len(w)) {
		x, y := float64(v[i]), float64(w[i])
		vw, vv, ww = vw+x*y, vv+x*x, ww+y*y
	}
	return vw / math.Sqrt(max(vv*ww, 1)), len(v) == VectorDim && len(w) == VectorDim
}

func TestVectorsTellWhatWordsMean(t *testing.T) {
	for _, c := range []struct{ word, like, unlike string }{
		{"marathon", "sprint", "soup"},
		{"violin", "orchestra", "tractor"},
		{"pregnant", "baby", "invoice"},
		{"hike", "trail", "keyboard"},
		{"diagnosis", "cancer", "guitar"},
		{"lawyer", "court", "puppy"},
		{"running", "ran", "painting"}, // forms of a word are one term, or near
		{"Schwester", "sister", "bridge"},
		{"perro", "dog", "office"},
		{"voiture", "car", "sister"},
	} {
		like, known := near(c.word, c.like)
		unlike, told := near(c.word, c.unlike)
		if !known || !told || like < unlike+0.2 {
			t.Errorf("%s: %.2f to %s (%v), %.2f to %s (%v)", c.word, like, c.like, known, unlike, c.unlike, told)
		}
	}
}

// The file is whole: rising terms, one vector each, none of them empty.
func TestVectorTableIsWhole(t *testing.T) {
	v := vectors()
	n := len(v.starts) - 1
	if n < 20_000 || len(v.numbers) != n*VectorDim {
		t.Fatalf("%d terms, %d numbers", n, len(v.numbers))
	}
	for i := range n {
		term := v.term(i)
		if i > 0 && term <= v.term(i-1) || term == "" {
			t.Errorf("%q stands behind %q", term, v.term(i-1))
		}
		if strings.Trim(v.numbers[i*VectorDim:(i+1)*VectorDim], "\x00") == "" {
			t.Errorf("%q means nothing", term)
		}
	}
	for _, unknown := range []string{"", "\n", "zzyzxqua", "a\nb", "\xff"} {
		if Vector(unknown) != nil {
			t.Errorf("%q is known", unknown)
		}
	}
}

// What people talk of is known: the words of general English that this package lists, but for a few.
func TestVectorsKnowTheWordsOfEnglish(t *testing.T) {
	known, all := 0, 0
	for word := range strings.FieldsSeq(wordList) {
		if terms := Terms(word); len(terms) == 1 {
			all++
			if Vector(terms[0]) != nil {
				known++
			}
		}
	}
	if known*100 < all*95 {
		t.Errorf("%d of %d", known, all)
	}
}
