package lexis

import (
	"slices"
	"strings"
	"testing"
)

func TestConceptsAreWellFormed(t *testing.T) {
	groups := 0
	for line := range strings.Lines(ConceptTable) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		groups++
		if strings.ToLower(line) != line || strings.ContainsAny(line, ",;|") {
			t.Errorf("odd group %q", line)
		}
	}
	if groups < 300 {
		t.Errorf("%d groups", groups)
	}
	for term, ids := range concepts() {
		if len(ids) > 12 {
			t.Errorf("%q stands in %d groups and says nothing", term, len(ids))
		}
	}
}

func TestConcepts(t *testing.T) {
	shared := func(a, b string) bool {
		return slices.ContainsFunc(Concepts(Stem(a)), func(id uint32) bool { return slices.Contains(Concepts(Stem(b)), id) })
	}
	if !shared("sisters", "sibling") || !shared("car", "vehicle") || shared("sister", "car") || len(Concepts("xyzzy")) > 0 {
		t.Error("words stand in the wrong groups")
	}
}
