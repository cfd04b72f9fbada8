package slice

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

func TestSlice(t *testing.T) {
	words, short := []string{"One", "two", "three", "two"}, func(w string) bool { return len(w) == 3 }
	if got := Map(words, strings.ToUpper); !slices.Equal(got, []string{"ONE", "TWO", "THREE", "TWO"}) {
		t.Errorf("%q", got)
	}
	if got := Keep(words, short); !slices.Equal(got, []string{"One", "two", "two"}) || words[2] != "three" {
		t.Errorf("%q of %q", got, words)
	}
	if n := Count(words, short); n != 3 {
		t.Errorf("%d", n)
	}
	if got := Set(words); !maps.Equal(got, map[string]bool{"One": true, "two": true, "three": true}) {
		t.Errorf("%v", got)
	}
	if got := SetOf(words, func(w string) int { return len(w) }); !maps.Equal(got, map[int]bool{3: true, 5: true}) {
		t.Errorf("%v", got)
	}
}

// Of nothing, what Map makes shows as [] in JSON, and what Keep gives is nil.
func TestNothing(t *testing.T) {
	if got := Map(nil, strings.ToUpper); got == nil || len(got) != 0 {
		t.Errorf("%#v", got)
	}
	if got := Keep([]int{}, func(int) bool { return true }); got != nil {
		t.Errorf("%#v", got)
	}
	if Count(nil, func(int) bool { return true }) != 0 || Set([]int(nil)) == nil {
		t.Error("something of nothing")
	}
}
