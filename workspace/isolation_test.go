package workspace_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/operations"
)

// secretWord stands in all that the isolated project remembers, openWord in all else.
const (
	secretWord = "Glimmerotherapy"
	openWord   = "Kettlewhistle"
)

// remember gives an isolated project and general memory drawers, facts and tasks of a past day.
func remember(t *testing.T, w operations.Memory, secret string) {
	t.Helper()
	if _, err := w.Isolate(t.Context(), api.Isolate{Wing: secret}); err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 6, 9, 14, 0, 0, 0, time.UTC)
	for wing, word := range map[string]string{
		secret: secretWord, secret + "/web": secretWord, "github.com/acme/open": openWord,
		"": openWord,
	} {
		_, err := w.Remember(t.Context(), api.Turn{
			ChatID: "c-" + word, Wing: wing, Room: "auth", Wait: "indexed", Messages: []api.Message{
				{Role: "user", Speaker: "Alice", Content: "I decided that " + word + " runs on port 8443. I moved to Lisbon because " +
					"of " + word + ".", At: &at},
				{Role: "assistant", Content: "Noted, " + word + " it is.", At: &at},
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.WriteFacts(t.Context(), api.Facts{Wing: wing, Agent: "codex", Wait: "indexed", Facts: []api.NewFact{
			{Content: "The port of " + word + " was chosen by Noor", Category: "decision", At: &at},
			{Content: "Alice prefers " + word + " over tea", Category: "preference", At: &at},
			{Content: "Update the certificate of " + word, Category: "task", At: &at},
		}}); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAnIsolatedProjectKeepsToItself(t *testing.T) {
	const secret = "github.com/acme/secret"
	w := open(t, nil)
	remember(t, w, secret)
	check := func(t *testing.T, w operations.Memory) {
		t.Helper()
		for _, c := range []struct {
			from    string
			visible string
			hidden  string
		}{
			{"", openWord, secretWord},
			{"github.com/acme/open", openWord, secretWord},
			{"github.com/acme/secretary", openWord, secretWord},
			{secret, secretWord, openWord},
			{secret + "/web", secretWord, openWord},
		} {
			for _, q := range []string{"which port was chosen", "what does Alice prefer over tea", secretWord, openWord} {
				r, err := w.Search(t.Context(), api.Search{Query: q, K: 50, Wing: c.from, CandidateTrace: true})
				if err != nil {
					t.Fatal(err)
				}
				if tells(r.Hits, c.hidden) {
					t.Errorf("a search for %q from %q tells of %s", q, c.from, c.hidden)
				}
				if q == "which port was chosen" && !tells(r.Hits, c.visible) {
					t.Errorf("a search from %q does not find its own memory", c.from)
				}
				for _, cand := range r.Trace.Candidates {
					if row, err := w.Row(t.Context(), api.RowID{ID: cand.ID, Wing: c.from}); err != nil || strings.Contains(row.Text, c.hidden) {
						t.Errorf("a candidate of a search from %q: %+v, %v", c.from, row, err)
					}
				}
				got, err := w.Context(t.Context(), api.Context{Query: q, Wing: c.from, Budget: 50000})
				if err != nil || strings.Contains(got.Text, c.hidden) {
					t.Errorf("a context for %q from %q tells of %s: %v\n%s", q, c.from, c.hidden, err, got.Text)
				}
			}
		}
	}
	check(t, w)
	inside, err := w.Search(t.Context(), api.Search{Query: secretWord, Filters: &api.Filters{Wing: secret}})
	if err != nil || len(inside.Hits) == 0 {
		t.Fatalf("a search that names the project: %+v, %v", inside, err)
	}
	if _, err := w.Row(t.Context(), api.RowID{ID: inside.Hits[0].ID}); !errors.Is(err, api.NotFound) {
		t.Errorf("a row of the project, from elsewhere: %v", err)
	}
	status, err := w.Status(t.Context())
	if err != nil || status.FactsAside < 6 {
		t.Errorf("the status counts %d facts of isolated projects: %v", status.FactsAside, err)
	}

	// Dreams take nothing of it, are not kept waiting by it, and leave it where it is found.
	r := dreamNow(t, w)
	if r.Status != "consolidated" || len(pagesWith(t, w, openWord)) == 0 {
		t.Errorf("a dream: %+v", r)
	}
	if pages := pagesWith(t, w, secretWord); len(pages) > 0 {
		t.Errorf("a dream took it to %v", pages)
	}
	check(t, w)
	if again := dreamNow(t, w); again.Status != "nothing_pending" {
		t.Errorf("the next dream: %+v", again)
	}
	if s, err := w.Status(t.Context()); err != nil || s.FactsPending != 0 || s.FactsAside != status.FactsAside {
		t.Errorf("after the dream %d facts wait, %d are left aside: %v", s.FactsPending, s.FactsAside, err)
	}
	verified(t, w)

	// Released, it is general memory, and the next dream has it.
	if left, err := w.Isolate(t.Context(), api.Isolate{Wing: secret, Release: true}); err != nil || len(left.Wings) != 0 {
		t.Errorf("released: %+v, %v", left, err)
	}
	if !tells(find(t, w, secretWord), secretWord) {
		t.Error("a released project is not found")
	}
	if r := dreamNow(t, w); r.Status != "consolidated" || len(pagesWith(t, w, secretWord)) == 0 {
		t.Errorf("a dream after the release: %+v", r)
	}
}

// The mark is in the vault, not in the project's folder or the index. A damaged line of it is one line less.
func TestIsolationOutlivesTheProgram(t *testing.T) {
	dir := t.TempDir()
	w := prepare(t, dir, nil)
	if err := w.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	remember(t, w, "secret")
	for range 2 {
		if got, err := w.Isolate(t.Context(), api.Isolate{Wing: "secret"}); err != nil || len(got.Wings) != 1 {
			t.Fatalf("%+v, %v", got, err)
		}
	}
	file := filepath.Join(dir, "vault", ".state", "isolated.jsonl")
	data, err := os.ReadFile(file)
	if err != nil || strings.Count(string(data), "\n") != 1 {
		t.Errorf("isolated twice: %q, %v", data, err)
	}
	if err := w.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.WriteFile(file, append(data, "{\"wing\":\"torn"...), 0o600), os.RemoveAll(filepath.Join(dir,
		"data"))); err != nil {
		t.Fatal(err)
	}
	again := reopen(t, dir, nil)
	if tells(find(t, again, secretWord), secretWord) {
		t.Error("after a new start and a rebuild it is seen")
	}
	if err := errors.Join(os.Remove(file), os.Mkdir(file, 0o755)); err != nil {
		t.Fatal(err)
	}
	if _, err := again.Search(t.Context(), api.Search{Query: secretWord}); err == nil {
		t.Error("where it is not known what is isolated, a search answers")
	}
}
