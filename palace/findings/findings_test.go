package findings

import (
	"context"
	"errors"
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
	return Store{v}
}

var lives = extract.Triple{Subject: "Mara", Predicate: "lives_in", Object: "Graz", From: "2026-06-01"}

func TestTheLastFindingCounts(t *testing.T) {
	s := store(t)
	first := Finding{ID: "f1", Text: Hash("a"), By: "rules/1", Entities: []string{"Mara"}}
	second := Finding{ID: "f1", Text: Hash("b"), By: "model/2 m", Triples: []extract.Triple{lives}, About: "2026-06-01"}
	if err := errors.Join(s.Append(t.Context(), first, Finding{ID: "f2", Text: Hash("c")}), s.Append(t.Context(), second)); err != nil {
		t.Fatal(err)
	}
	got, err := s.Of("f1", "f3")
	second.At = at
	if d := cmp.Diff(map[string]Finding{"f1": second}, got); err != nil || d != "" {
		t.Errorf("%v\n%s", err, d)
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
	got, err := s.Of("d1")
	if f := got["d1"]; err != nil || f.Summary != "" || f.Quote == "" || len(f.Triples) != 1 {
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
	tells := func(text string) bool {
		return strings.Contains(text, "narwhal") || strings.Contains(text, "Mara lives in")
	}
	p := &forget.Purge{Rows: map[string]bool{"f1": true}, Tells: tells}
	if err := s.Kind().Purge(context.Background(), p); err != nil {
		t.Fatal(err)
	}
	got, err := s.Of("f1", "f2", "d3", "f4")
	if err != nil || len(got) != 1 || got["f4"].Quote == "" || len(p.Changed) != 1 {
		t.Errorf("%+v, changed %v: %v", got, p.Changed, err)
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
