package findings

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/extract"
	"github.com/reverie-memory/reverie/forget"
	"github.com/reverie-memory/reverie/vault"
)

var at = time.Date(2026, 6, 9, 14, 32, 0, 0, time.UTC)

func store(t *testing.T) Store {
	t.Helper()
	v, err := vault.Open(t.TempDir(), vault.WithClock(func() time.Time { return at }))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := v.Close(); err != nil {
			t.Error(err)
		}
	})
	return Store{Vault: v, Index: &Index{}}
}

var lives = extract.Triple{Subject: "Mara", Predicate: "lives_in", Object: "Graz", From: "2026-06-01"}

func TestTheLastFindingCounts(t *testing.T) {
	s := store(t)
	first := Finding{ID: "f1", Text: Hash("a"), By: "rules/1", Entities: []string{"Mara"}}
	second := Finding{ID: "f1", Text: Hash("b"), By: "model/2 m", Triples: []extract.Triple{lives}, About: "2026-06-01"}
	if err := errors.Join(s.Append(t.Context(), first, Finding{ID: "f2", Text: Hash("c")}), s.Append(t.Context(), second)); err != nil {
		t.Fatal(err)
	}
	got, err := s.Shown("f1", "b")
	second.At = at
	if d := cmp.Diff(second, got); err != nil || d != "" {
		t.Errorf("%v\n%s", err, d)
	}
	if got, err := s.Shown("f3", "b"); err != nil || got.ID != "" {
		t.Errorf("of nobody: %+v: %v", got, err)
	}
}

func TestWhatIsForgottenIsNotTold(t *testing.T) {
	s := store(t)
	told := Finding{
		ID: "d1", Text: Hash("x"), Entities: []string{"Mara"}, Triples: []extract.Triple{lives},
		Summary: "Mara keeps the narwhal letters in the attic",
		Quote:   "the kettle is blue",
	}
	stone := vault.Tombstone{Text: told.Summary}
	if err := errors.Join(s.Append(t.Context(), told), s.Vault.Forget(t.Context(), []vault.Tombstone{stone})); err != nil {
		t.Fatal(err)
	}
	f, err := s.Shown("d1", "x")
	if err != nil || f.Summary != "" || f.Quote == "" || len(f.Triples) != 1 {
		t.Errorf("%+v: %v", f, err)
	}
}

func TestPurge(t *testing.T) {
	s := store(t)
	err := s.Append(t.Context(), Finding{ID: "f1", Text: Hash("a"), Quote: "of a purged fact"},
		Finding{ID: "f2", Text: Hash("b"), Triples: []extract.Triple{lives}},
		Finding{ID: "d3", Text: Hash("c"), Summary: "the narwhal letters"}, Finding{ID: "f4", Text: Hash("d"), Quote: "it stays"})
	if err != nil {
		t.Fatal(err)
	}
	damaged := json.RawMessage(`{"id":"","sketch":"Alice has a secret narwhal"}`)
	if err := s.Vault.AppendState(t.Context(), FileName, damaged); err != nil {
		t.Fatal(err)
	}
	tells := func(text string) bool {
		return strings.Contains(text, "narwhal") || strings.Contains(text, "Mara lives in")
	}
	p := &forget.Purge{Rows: map[string]bool{"f1": true}, Tells: tells}
	if err := s.Kind().Purge(context.Background(), p); err != nil {
		t.Fatal(err)
	}
	for id, text := range map[string]string{"f1": "a", "f2": "b", "d3": "c", "f4": "d"} {
		if got, err := s.Shown(id, text); err != nil || (got.Quote == "it stays") != (id == "f4") || (got.ID == "") == (id == "f4") {
			t.Errorf("of %s: %+v: %v", id, got, err)
		}
	}
	left, err := os.ReadFile(filepath.Join(s.Vault.Dir(), filepath.FromSlash(string(File))))
	if err != nil || bytes.Contains(left, []byte("narwhal")) {
		t.Errorf("%s is left: %v", left, err)
	}
	if len(p.Changed) != 1 {
		t.Errorf("changed %v", p.Changed)
	}
}

// What was found out about a whole drawer tells in other words what was cut out of it: it is not shown, and a purge takes its bytes, though
// the drawer is no target of it and the summary shares no word with what was forgotten.
func TestFindingsTellOnlyWhatIsShown(t *testing.T) {
	s := store(t)
	const secret, rest = "My sister Ana has cancer.", "The boat lies in the harbour of Trieste."
	list, err := s.Vault.AppendDrawers(t.Context(), []vault.Drawer{
		{At: at, ChatID: "c", Text: rest + " " + secret}, {At: at, ChatID: "c", Text: "The kettle is blue."},
	})
	if err != nil {
		t.Fatal(err)
	}
	told, blue := list[0], list[1]
	summary := func(f Finding, err error) string {
		if err != nil {
			t.Error(err)
		}
		return f.Summary
	}
	err = errors.Join(s.Append(t.Context(), Finding{ID: told.ID, Text: Hash(told.Text), Summary: "A relative is very ill."},
		Finding{ID: blue.ID, Text: Hash(blue.Text), Summary: "A colour."}),
		s.Vault.Forget(t.Context(), []vault.Tombstone{{Text: secret}}))
	if err != nil {
		t.Fatal(err)
	}
	stones, err := s.Vault.Tombstones()
	if err != nil {
		t.Fatal(err)
	}
	if got := summary(s.Shown(told.ID, stones.Visible(told.Text))); got != "" {
		t.Errorf("%q is told of %q", got, stones.Visible(told.Text))
	}
	p := &forget.Purge{Rows: map[string]bool{}, Tells: func(string) bool { return false }}
	if err := s.Kind().Purge(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	if got := summary(s.Shown(told.ID, told.Text)); got != "" {
		t.Errorf("the purge left %q", got)
	}
	if summary(s.Shown(blue.ID, blue.Text)) == "" {
		t.Error("the purge took what was found out about another drawer")
	}
}

// The index reads only what is new, and all of the file where lines were taken out, also by somebody else.
func TestTheIndexFollowsTheFile(t *testing.T) {
	s := store(t)
	other := Store{Vault: s.Vault}
	say := func(id, text, by string) {
		if err := other.Append(t.Context(), Finding{ID: id, Text: Hash(text), By: by}); err != nil {
			t.Fatal(err)
		}
	}
	want := func(id, text, by string) {
		t.Helper()
		if f, ok, err := s.OfText(Hash(text), func(f Finding) bool { return f.ID == id }); f.By != by || ok != (by != "") || err != nil {
			t.Errorf("of %s on %q: %+v: %v", id, text, f, err)
		}
	}
	want("d1", "a", "")
	for i := range 20 {
		say(fmt.Sprint("d", i), "a", fmt.Sprint("m", i))
		want(fmt.Sprint("d", i), "a", fmt.Sprint("m", i))
	}
	read := s.Index.known
	if want("d3", "a", "m3"); s.Index.known != read {
		t.Error("the file is read anew though it only grew")
	}
	for i := range 20 {
		if i%2 == 0 {
			if err := other.Drop(func(f Finding) bool { return f.ID == fmt.Sprint("d", i) }); err != nil {
				t.Fatal(err)
			}
			say("d50", "b", fmt.Sprint("n", i))
		}
		by := ""
		if i%2 == 1 {
			by = fmt.Sprint("m", i)
		}
		want(fmt.Sprint("d", i), "a", by)
		want("d50", "b", fmt.Sprint("n", i/2*2))
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"id":"f1","text":"h","by":"rules/1","at":"2026-06-09T14:32:00Z","triples":[{"subject":"a","predicate":"b",` +
		`"object":"c"}]}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		if got, err := Parse(line); err == nil && (got.ID == "" || got.Text == "") {
			t.Errorf("%q was read as %+v", line, got)
		}
	})
}
