package workspace_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/operations"
	"github.com/reverie-memory/reverie/palace/drawers"
	"github.com/reverie-memory/reverie/reads"
	"github.com/reverie-memory/reverie/vault"
)

// glimmer is a workspace in which a conversation is in every kind of record: said, extracted, dreamt, searched and shown, with ids of
// its own, about a person of whom nothing else is known.
func glimmer(t *testing.T) (operations.Memory, api.TurnResult) {
	t.Helper()
	w := open(t, func(c *config.Config) { c.Closets.Enabled = true })
	at := time.Date(2026, 6, 9, 14, 32, 0, 0, time.UTC)
	r, err := w.Remember(t.Context(), api.Turn{
		ChatID: "chat-with-Voldemort", TurnID: "turn-of-Voldemort", Wait: "indexed",
		Messages: []api.Message{
			{Role: "user", Speaker: "Quirinus", Content: "I started Glimmerotherapy at the clinic in May 2026.", At: &at, Ref: "ref-of-Voldemort"},
		},
	})
	if err != nil || len(r.Facts) == 0 {
		t.Fatalf("%+v: %v", r, err)
	}
	say(t, w, "c1", "I play the cello on Sundays.")
	dreamNow(t, w)
	for range 2 {
		find(t, w, "Glimmerotherapy clinic")
		if _, err := w.Context(t.Context(), api.Context{Query: "Glimmerotherapy"}); err != nil {
			t.Fatal(err)
		}
	}
	return w, r
}

// left lists the files of the vault and the data folder that hold the text.
func left(t *testing.T, w operations.Memory, text string) []string {
	t.Helper()
	return append(filesWith(t, w.Options.Vault, text), filesWith(t, w.Options.DataDir, text)...)
}

func TestPurgeLeavesNoByte(t *testing.T) {
	for name, forget := range map[string]func(r api.TurnResult) api.Forget{
		"ids":     func(r api.TurnResult) api.Forget { return api.Forget{IDs: []string{r.Facts[0].ID}} },
		"drawers": func(r api.TurnResult) api.Forget { return api.Forget{IDs: r.Drawers} },
		"query":   func(api.TurnResult) api.Forget { return api.Forget{Query: "Glimmerotherapy"} },
		"chat":    func(api.TurnResult) api.Forget { return api.Forget{ChatID: "chat-with-Voldemort"} },
	} {
		for _, before := range []bool{false, true} {
			t.Run(name+map[bool]string{true: ", forgotten before"}[before], func(t *testing.T) {
				w, r := glimmer(t)
				for _, word := range []string{"Glimmerotherapy", "Voldemort", "Quirinus"} {
					if len(left(t, w, word)) == 0 {
						t.Fatalf("%s was never written", word)
					}
				}
				f := forget(r)
				f.Reason = "Quirinus started Glimmerotherapy at the clinic is wrong"
				if before {
					if got, err := w.Forget(t.Context(), f); err != nil || !got.Verified {
						t.Fatalf("%+v: %v", got, err)
					}
				}
				f.Purge = true
				got, err := w.Forget(t.Context(), f)
				if err != nil || !got.Verified || len(got.Forgotten) < 2 || len(got.Remaining) > 0 {
					t.Errorf("%+v: %v", got, err)
				}
				for _, word := range []string{
					"Glimmerotherapy", "glimmerotherapi", "glimmerotherapy", "Voldemort", "voldemort", "Quirinus",
					"quirinus",
				} {
					if files := left(t, w, word); len(files) > 0 {
						t.Errorf("%s is left in %v", word, files)
					}
				}
				if !tells(find(t, w, "cello"), "cello") {
					t.Error("more went than was asked for")
				}
				verified(t, w)
				if again, err := w.Forget(t.Context(), api.Forget{Query: "Glimmerotherapy", Purge: true}); err != nil || !again.Verified ||
					len(again.Forgotten) > 0 {
					t.Errorf("once more: %+v: %v", again, err)
				}
			})
		}
	}
}

// A purge that fails on its way is asked for again by the same words: the kinds in which they are found are the last that it gets to.
func TestPurgeMayBeAskedForAgain(t *testing.T) {
	whole, _ := glimmer(t)
	for i, k := range whole.Kinds() {
		if k.Purge == nil {
			continue
		}
		t.Run(k.Name, func(t *testing.T) {
			w, r := glimmer(t)
			failure := errors.New("the power went")
			w.StopPurgeBefore(i, failure)
			f := api.Forget{IDs: append(slices.Clone(r.Drawers), r.Facts[0].ID), Purge: true}
			if _, err := w.Forget(t.Context(), f); !errors.Is(err, failure) {
				t.Fatalf("got %v", err)
			}
			if got, err := w.Forget(t.Context(), f); err != nil || !got.Verified {
				t.Errorf("%+v: %v", got, err)
			}
			for _, word := range []string{"Glimmerotherapy", "Voldemort", "Quirinus"} {
				if files := left(t, w, word); len(files) > 0 {
					t.Errorf("%s is left in %v", word, files)
				}
			}
		})
	}
}

// A run does not show what was forgotten since, purged or not.
func TestARunDoesNotShowWhatWasForgotten(t *testing.T) {
	w, r := glimmer(t)
	tellsIt := func() bool {
		t.Helper()
		d, err := w.Dream(t.Context(), api.DreamQuery{})
		if err != nil {
			t.Fatal(err)
		}
		return slices.ContainsFunc(d.Changes, func(c api.DreamChange) bool {
			return strings.Contains(c.Text+c.Was+strings.Join(c.Options, " "), "Glimmerotherapy")
		}) || slices.ContainsFunc(d.Facts, func(f api.FactOutcome) bool { return strings.Contains(f.Text, "Glimmerotherapy") })
	}
	if !tellsIt() {
		t.Fatal("it was never shown")
	}
	if _, err := w.Forget(t.Context(), api.Forget{IDs: []string{r.Facts[0].ID}}); err != nil {
		t.Fatal(err)
	}
	if tellsIt() {
		t.Error("it is shown")
	}
}

// Every file that a life leaves behind belongs to a kind of record, so that none is left out of a purge.
func TestEveryFileIsOfAKindOfRecord(t *testing.T) {
	w, r := glimmer(t)
	say(t, w, "c2", "I live in Ghent since 2020.")
	dreamNow(t, w)
	say(t, w, "c2", "I live in Bruges since 2020.")
	dreamNow(t, w)
	if _, err := w.UndoDream(t.Context(), api.DreamRun{}); err != nil {
		t.Fatal(err)
	}
	dreamNow(t, w)
	for _, f := range []api.Forget{{Query: "cello"}, {IDs: r.Drawers, Purge: true}} {
		if _, err := w.Forget(t.Context(), f); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Isolate(t.Context(), api.Isolate{Wing: "secret"}); err != nil {
		t.Fatal(err)
	}
	if err := w.Drawers.Append(t.Context(), drawers.Event{Kind: drawers.Reinforce, Drawer: "d1", By: 0.5}); err != nil {
		t.Fatal(err)
	}
	if err := w.Vault.AppendState(t.Context(), reads.CountsFile, reads.Count{Row: "r1", Count: 1}); err != nil {
		t.Fatal(err)
	}
	if err := w.Vault.PutSource(t.Context(), vault.Source{ID: vault.NewSourceID(), Kind: vault.SourceMine}); err != nil {
		t.Fatal(err)
	}
	owned(t, w, "")
}

// What a person wrote over several lines stays, and is said to be left.
func TestPurgeSaysWhatIsLeft(t *testing.T) {
	w := open(t, quiet)
	text := "# N\n\nI met Rumpelstilz at the lake.\nHe was there with a dog.\n\n- Rumpelstilz owes me 5\n"
	for name, text := range map[string]string{
		"2_Wiki/N.md": text, "4_Assets/list.txt": "RUMPELSTILZ",
		".obsidian/x.json": `{"a":"Rumpelstilz"}`,
	} {
		p := filepath.Join(w.Options.Vault, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o755), os.WriteFile(p, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Index.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	got, err := w.Forget(t.Context(), api.Forget{Query: "Rumpelstilz", Purge: true})
	var files []string
	for _, f := range got.Remaining {
		files = append(files, f.SourceFile)
	}
	slices.Sort(files)
	if err != nil || got.Verified || !slices.Equal(files, []string{".obsidian/x.json", "2_Wiki/N.md", "4_Assets/list.txt"}) {
		t.Errorf("%+v: %v", got, err)
	}
	if tells(find(t, w, "Rumpelstilz"), "Rumpelstilz") {
		t.Error("it is found")
	}
}

func TestForgetByTheChatIDThatWasSent(t *testing.T) {
	for _, id := range []string{"a  b c", "x — y", `back\slash ^d1`} {
		w := open(t, nil)
		say(t, w, id, "I own a Quokkapot from Perth.")
		if got, err := w.Forget(t.Context(), api.Forget{ChatID: id}); err != nil || len(got.Forgotten) < 2 || tells(find(t, w, "Quokkapot"),
			"Quokkapot") {
			t.Errorf("%q: %+v: %v", id, got, err)
		}
	}
}

// What was stored a moment ago is no row yet, and is forgotten with its conversation all the same.
func TestForgetWhatIsNotIndexedYet(t *testing.T) {
	w := open(t, quiet)
	at := time.Date(2026, 6, 9, 14, 32, 0, 0, time.UTC)
	if _, err := w.Vault.AppendDrawers(t.Context(), []vault.Drawer{{
		ID: "d000000001", At: at, ChatID: "race", Origin: vault.OriginUser,
		Text: "I moved to Racetown.",
	}}); err != nil {
		t.Fatal(err)
	}
	if got, err := w.Forget(t.Context(), api.Forget{ChatID: "race"}); err != nil || len(got.Forgotten) != 1 {
		t.Errorf("%+v: %v", got, err)
	}
	if _, err := w.Index.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	if tells(find(t, w, "Racetown"), "Racetown") {
		t.Error("it is found")
	}
}
