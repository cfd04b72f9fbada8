package claim

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"slices"
	"testing"

	"github.com/reverie-memory/reverie/vault"
)

//go:embed testdata/scenarios.jsonl
var scenarioLines []byte

type side struct {
	Text    string    `json:"text"`
	Speaker string    `json:"speaker"`
	Day     vault.Day `json:"day"`
}

func (s side) claim() *Claim { return Parse(s.Text, s.Speaker, s.Day) }

type scenario struct {
	Name string   `json:"name"`
	Lang string   `json:"lang"`
	Kind string   `json:"kind"`
	Held bool     `json:"held"`
	Old  side     `json:"old"`
	New  side     `json:"new"`
	Want string   `json:"want"`
	Also []string `json:"also"`
}

func scenarios(t testing.TB) []scenario {
	t.Helper()
	var out []scenario
	for line := range bytes.Lines(scenarioLines) {
		var s scenario
		if err := json.Unmarshal(line, &s); err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	return out
}

func falseMerge(got, want string) bool {
	same := []string{"duplicate", "narrower", "wider"}
	gone := []string{"change", "correction"}
	return slices.Contains(same, got) && !slices.Contains(same, want) || slices.Contains(gone, got) && !slices.Contains(gone, want)
}

// A third of the scenarios was not looked at while the rules were written, see the field held.
func TestScenarios(t *testing.T) {
	for _, held := range []bool{false, true} {
		right, n, merges := 0, 0, 0
		for _, s := range scenarios(t) {
			if s.Held != held {
				continue
			}
			n++
			got := Compare(s.Old.claim(), s.New.claim()).String()
			if got == s.Want || slices.Contains(s.Also, got) {
				right++
				continue
			}
			merge := falseMerge(got, s.Want)
			if merge {
				merges++
			}
			t.Logf("%s: %q → %q: %s, want %s (merge %v)", s.Name, s.Old.Text, s.New.Text, got, s.Want, merge)
		}
		t.Logf("held=%v: %d of %d right, %d false merges", held, right, n, merges)
		if merges > 0 || right*100 < n*70 {
			t.Errorf("held=%v: %d of %d right, %d false merges", held, right, n, merges)
		}
	}
}
