package journal_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/extract"
	"github.com/reverie-memory/reverie/graph/journal"
	"github.com/reverie-memory/reverie/palace/findings"
	"github.com/reverie-memory/reverie/vault"
)

// A log that grows, whatever lines come and however they come, gives the state that folding all of it at once does.
func TestAGrowingLogIsFoldedAsAWhole(t *testing.T) {
	const file = vault.Path("memory/archive/2026-03-04.md")
	at := time.Date(2026, 3, 4, 9, 0, 0, 0, time.UTC)
	visible := func(text string) string { return text }
	stated := func(s journal.FileState) string {
		out, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 7))
		data, state, folded := []byte("# Daily Log - 2026-03-04\n"), journal.FileState{}, 0
		for step := range 12 {
			text := fmt.Sprintf("Noor lives in %s.", []string{"Ghent", "Lima", "Oslo", "Turin"}[r.IntN(4)])
			id := fmt.Sprintf("fx%d", r.IntN(30))
			switch r.IntN(12) {
			case 0: // by hand
				data = append(data, "- "+text+"\n"...)
			case 1: // in a block that something else may close
				data = append(data, []string{"```\n", "<!-- \n", "-->\n", "%%\n"}[r.IntN(4)]...)
			case 2:
				data = append(data, []string{"\n## Notes\n", "\n# More\n", "\n## 99:99 — c\n"}[r.IntN(3)]...)
			case 3, 4: // one more in the section that is open
				data = append(data, fmt.Sprintf("- [general] %s ^%s\n", text, id)...)
			default:
				section := vault.Section{At: at.Add(time.Duration(step) * time.Minute), ChatID: "c", Speaker: "Alice"}
				data = append(append(data, '\n'), vault.FormatSection(section, []vault.Fact{{ID: id, Category: "general", Text: text}})...)
			}
			if r.IntN(2) == 0 {
				state, folded = journal.Fold(state, file, data, folded, visible), len(data)
			}
		}
		state = journal.Fold(state, file, data, folded, visible)
		whole := journal.Fold(journal.FileState{}, file, data, 0, visible)
		if d := cmp.Diff(stated(whole), stated(state)); d != "" {
			t.Fatalf("seed %d: %s\n%s", seed, d, data)
		}
	}
}

// Findings that are folded in pieces give what folding all of them gives: of one text the last ones.
func TestGrowingFindingsAreFoldedAsAWhole(t *testing.T) {
	said := &findings.Said{At: time.Date(2026, 3, 4, 9, 0, 0, 0, time.UTC), Speaker: "Noor", Drawer: "d1"}
	visible := func(text string) string { return strings.ReplaceAll(text, "I lives in Turin", "") }
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 3))
		var data []byte
		state, folded := journal.FileState{}, 0
		for range 20 {
			f := findings.Finding{ID: fmt.Sprint("f", r.IntN(3)), Text: fmt.Sprint("h", r.IntN(2)), By: "model/2", Said: said}
			for range r.IntN(3) {
				town := []string{"Ghent", "Lima", "Turin"}[r.IntN(3)]
				f.Triples = append(f.Triples, extract.Triple{Subject: "I", Predicate: "lives_in", Object: town})
			}
			line, err := json.Marshal(f)
			if err != nil {
				t.Fatal(err)
			}
			data = append(append(data, line...), '\n')
			if r.IntN(2) == 0 {
				state, folded = journal.Fold(state, findings.File, data, folded, visible), len(data)
			}
		}
		state = journal.Fold(state, findings.File, data, folded, visible)
		whole := journal.Fold(journal.FileState{}, findings.File, data, 0, visible)
		a, aerr := json.Marshal(whole)
		b, berr := json.Marshal(state)
		if err := errors.Join(aerr, berr); err != nil || !bytes.Equal(a, b) || bytes.Contains(a, []byte("Turin")) ||
			!bytes.Contains(a, []byte(`"Noor"`)) {
			t.Fatalf("seed %d: %v\n%s\n%s", seed, err, a, b)
		}
	}
}

// Of a log that grew by one fact, what the facts before it say is neither looked at nor read again.
func TestOneMoreFactIsReadAlone(t *testing.T) {
	const file = vault.Path("memory/archive/2026-03-04.md")
	var data bytes.Buffer
	add := func(i int) {
		section := vault.Section{At: time.Date(2026, 3, 4, i/60, i%60, 0, 0, time.UTC), ChatID: "c"}
		data.WriteByte('\n')
		data.Write(vault.FormatSection(section, []vault.Fact{{ID: fmt.Sprintf("fact%03d", i), Text: "Noor lives in Ghent."}}))
	}
	seen := 0
	visible := func(text string) string { seen++; return text }
	for i := range 100 {
		add(i)
	}
	state := journal.Fold(journal.FileState{}, file, data.Bytes(), 0, visible)
	folded := data.Len()
	seen = 0
	add(100)
	if state = journal.Fold(state, file, data.Bytes(), folded, visible); len(state.Facts) != 101 || seen > 2 {
		t.Errorf("%d facts are known, %d were looked at", len(state.Facts), seen)
	}
}
