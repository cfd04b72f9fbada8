package dream_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/dream"
	"github.com/reverie-memory/reverie/dream/lint"
	notebooktemplate "github.com/reverie-memory/reverie/notebook-template"
	"github.com/reverie-memory/reverie/vault"
)

// rooted is a folder of notes that became a vault with the pages of Reverie in a folder of their own.
func rooted(t *testing.T, notes map[string]string) *world {
	t.Helper()
	w := &world{t: t, dir: scratch(t)}
	w.set("2026-06-10 03:00")
	for name, text := range notes {
		w.write(name, text)
	}
	if _, err := vault.InitIn(w.dir, vault.Layout{Root: "Reverie"}, notebooktemplate.Files); err != nil {
		t.Fatal(err)
	}
	w.open()
	return w
}

// A dream in a vault with a root does what it does without one, and everything that it makes lies under the root, in memory or in
// .state. Files of a person's that have the names of ours are like any other page.
func TestRootHoldsWhatDreamsMake(t *testing.T) {
	notes := map[string]string{
		"index.md": "# Index\n\n- [[Garden]]\n", "log.md": "# Log\n\nwatermark=2030-01-01\n", "3_Personal/Diary.md": "# Diary\n\nRain.\n",
		"Garden.md": "# Garden\n\nSee [[Diary]], [[log]] and [[3_Personal/Diary]].\n",
	}
	w := rooted(t, notes)
	plain := newWorld(t, "2026-06-10 03:00")
	var reps []dream.Report
	for _, x := range []*world{plain, w} {
		x.tell("2026-06-08", "Noor", "c", "[personal] Noor has her birthday on 4 March",
			"[personal] Noor likes tea", "[personal] Noor works at Acme")
		x.tell("2026-06-09", "Noor", "c", "[personal] Noor's birthday is on 14 March")
		x.tell("2026-06-09", "Mara", "c", stephFacts...)
		reps = append(reps, x.run())
		x.account()
	}
	if reps[1].Status != dream.Consolidated || !maps.Equal(reps[0].Ledger, reps[1].Ledger) {
		t.Fatalf("without a root %+v\nwith one %+v\n%s", reps[0], reps[1], w.dump())
	}
	made := 0
	for name, text := range w.files() {
		switch {
		case notes[name] != "":
			if text != notes[name] {
				t.Errorf("%s changed:\n%s", name, text)
			}
		case strings.HasPrefix(name, "Reverie/"):
			made++
			if at := strings.TrimPrefix(name, "Reverie/"); plain.read(at) != text {
				t.Errorf("%s is not as without a root:\n%s\n%s", name, text, plain.read(at))
			}
		case !strings.HasPrefix(name, "memory/") && !strings.HasPrefix(name, ".state/"):
			t.Errorf("%s is outside the root", name)
		}
	}
	if made < 6 || w.mark() != "2026-06-09" {
		t.Errorf("%d files under the root, watermark %q", made, w.mark())
	}
	if plain.read("memory/MEMORY.md") != w.read("memory/MEMORY.md") {
		t.Errorf("MEMORY.md:\n%s", w.read("memory/MEMORY.md"))
	}
	found, err := lint.Check(t.Context(), w.v, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		if strings.HasPrefix(string(f.Path), "Reverie/") || f.Kind != lint.Orphan {
			t.Errorf("lint: %+v", f)
		}
	}
	if again := w.run(); again.Status != dream.NothingPending {
		t.Errorf("once more: %+v", again)
	}
	w.undo("")
	for _, name := range slices.Sorted(maps.Keys(w.files())) {
		if strings.HasPrefix(name, "Reverie/3_Personal/") || strings.HasPrefix(name, "Reverie/2_Wiki/") {
			t.Errorf("%s is there after an undo", name)
		}
	}
	if w.mark() != "" {
		t.Errorf("the watermark after an undo is %s", w.mark())
	}
}
