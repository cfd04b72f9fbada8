package workspace_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/dream"
	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/dreams"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/operations"
	"github.com/reverie-memory/reverie/project"
	"github.com/reverie-memory/reverie/reads"
	"github.com/reverie-memory/reverie/recall"
	"github.com/reverie-memory/reverie/vault"
)

// dreamt opens a workspace, says the texts and dreams of them.
func dreamt(t *testing.T, texts ...string) (operations.Memory, api.Consolidation) {
	t.Helper()
	w := open(t, nil)
	for _, text := range texts {
		say(t, w, "c1", text)
	}
	return w, dreamNow(t, w)
}

func dreamNow(t *testing.T, w operations.Memory) api.Consolidation {
	t.Helper()
	r, err := w.Consolidate(t.Context(), api.Consolidate{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// pagesWith are the files of the wiki's zones that hold the text.
func pagesWith(t *testing.T, w operations.Memory, text string) (out []string) {
	t.Helper()
	for _, f := range inVault(t, w, text) {
		rel, err := filepath.Rel(w.Options.Vault, f)
		if err != nil {
			t.Fatal(err)
		}
		if rel = filepath.ToSlash(rel); !strings.HasPrefix(rel, "memory/archive/") && !strings.HasPrefix(rel, "memory/drawers/") &&
			!strings.HasPrefix(rel, ".state/") {
			out = append(out, rel)
		}
	}
	return out
}

// A row is found by its id, also when a dream took it out of the index, until it is forgotten.
func TestRow(t *testing.T) {
	w, _ := dreamt(t, "I moved to Lisbon in May.")
	det, err := w.Dream(t.Context(), api.DreamQuery{})
	ids := []string{det.Facts[0].Fact, det.Facts[0].Drawer, find(t, w, "where did Alice move to")[0].ID, "f000000000"}
	for _, forgotten := range []bool{false, true} {
		for i, id := range ids {
			r, gone := w.Row(t.Context(), api.RowID{ID: id})
			if there := !forgotten && i < 3; err != nil || there != (r.ID == id && strings.Contains(r.Text, "Lisbon")) ||
				there == errors.Is(gone, api.NotFound) {
				t.Errorf("%s, forgotten: %t: %+v, %v, %v", id, forgotten, r, gone, err)
			}
		}
		_, err = w.Forget(t.Context(), api.Forget{IDs: ids[:1]})
	}
}

func TestADreamAndItsUndo(t *testing.T) {
	w, r := dreamt(t, "I moved to Lisbon in May.", "I play the cello on Sundays.", "My sister Noor repairs clocks.")
	if r.Status != "consolidated" || r.Facts < 3 || r.Watermark != "2026-06-09" || len(r.Pages) == 0 || r.Gate == nil ||
		r.Gate.After < r.Gate.Before {
		t.Fatalf("%+v", r)
	}
	if len(pagesWith(t, w, "Lisbon")) == 0 {
		t.Error("no page tells it")
	}
	verified(t, w)
	st, err := w.Status(t.Context())
	if err != nil || st.FactsPending != 0 || st.Rows[string(catalog.ArchiveLog)] != 0 || st.Dream.LastReport == nil ||
		st.Dream.LastReport.RunID != r.RunID {
		t.Errorf("%+v: %v", st, err)
	}
	if hits := find(t, w, "where did Alice move to"); !tells(hits, "Lisbon") {
		t.Errorf("search lost it: %+v", hits)
	}
	det, err := w.Dream(t.Context(), api.DreamQuery{})
	if err != nil || det.FactsAll != r.Facts || len(det.Facts) != r.Facts || len(det.Changes) == 0 || det.Facts[0].Text == "" {
		t.Errorf("%+v: %v", det, err)
	}
	one, err := w.Dream(t.Context(), api.DreamQuery{ID: r.RunID, Fact: det.Facts[0].Fact})
	if err != nil || len(one.Facts) != 1 {
		t.Errorf("%+v: %v", one, err)
	}
	say(t, w, "c1", "I bought a kayak in May.")
	second := dreamNow(t, w)
	if any, err := w.Dream(t.Context(), api.DreamQuery{Fact: det.Facts[0].Fact}); err != nil || any.Report.RunID != r.RunID {
		t.Errorf("%+v: %v", any, err)
	}
	if _, err := w.Dream(t.Context(), api.DreamQuery{Fact: "f0000000no"}); !errors.Is(err, api.NotFound) {
		t.Errorf("%v", err)
	}
	if u, err := w.UndoDream(t.Context(), api.DreamRun{}); err != nil || u.RunID != second.RunID {
		t.Errorf("%+v: %v", u, err)
	}
	u, err := w.UndoDream(t.Context(), api.DreamRun{ID: r.RunID})
	if err != nil || u.RunID != r.RunID || u.Watermark != "" || len(u.Restored) == 0 {
		t.Fatalf("%+v: %v", u, err)
	}
	if left := pagesWith(t, w, "Lisbon"); len(left) > 0 {
		t.Errorf("still on %v", left)
	}
	verified(t, w)
	if st, err := w.Status(t.Context()); err != nil || st.FactsPending != r.Facts+second.Facts || st.Dream.LastReport != nil {
		t.Errorf("%+v: %v", st, err)
	}
	if runs, err := w.Dreams(t.Context(), api.Page{Limit: 10}); err != nil || runs.Total != 2 || !runs.Runs[0].Undone {
		t.Errorf("%+v: %v", runs, err)
	}
	if _, err := w.UndoDream(t.Context(), api.DreamRun{ID: r.RunID}); err == nil {
		t.Error("taken back twice")
	}
}

// What is forgotten leaves the answers and the pages at once, and no dream brings it back; a purge takes it from everywhere.
func TestForgettingWhatWasDreamt(t *testing.T) {
	w, _ := dreamt(t, "The maker of my bicycle lock is Xylophone.", "I play the cello on Sundays.")
	if _, err := w.Forget(t.Context(), api.Forget{Query: "bicycle lock"}); err != nil {
		t.Fatal(err)
	}
	if hits := find(t, w, "bicycle lock maker"); tells(hits, "Xylophone") {
		t.Errorf("hits %+v", hits)
	}
	if left := pagesWith(t, w, "Xylophone"); len(left) > 0 {
		t.Errorf("still on %v", left)
	}
	r := dreamNow(t, w)
	if left := pagesWith(t, w, "Xylophone"); len(left) > 0 {
		t.Errorf("on %v again after %+v", left, r)
	}
	verified(t, w)
}

func TestPurgingWhatWasDreamt(t *testing.T) {
	w, _ := dreamt(t, "The maker of my bicycle lock is Xylophone.", "I play the cello on Sundays.")
	r, err := w.Forget(t.Context(), api.Forget{Query: "bicycle lock", Purge: true})
	if err != nil || !r.Verified {
		t.Fatalf("%+v: %v", r, err)
	}
	if left := inVault(t, w, "Xylophone"); len(left) > 0 {
		t.Errorf("the bytes are still in %v", left)
	}
	if left := filesWith(t, w.Options.DataDir, "Xylophone"); len(left) > 0 {
		t.Errorf("the bytes are still in %v", left)
	}
	if hits := find(t, w, "cello"); !tells(hits, "cello") {
		t.Error("the purge took more than it should")
	}
	verified(t, w)
}

// A fact that a dream consumed is no row any more. The fact can be forgotten by its id and with its conversation all the same, and takes
// its drawer along.
func TestForgettingConsumedFacts(t *testing.T) {
	for _, purge := range []bool{false, true} {
		w := open(t, nil)
		r := say(t, w, "c1", "The maker of my bicycle lock is Xylophone.")
		say(t, w, "c2", "I work at the Zeppelin museum.")
		dreamNow(t, w)
		if len(r.Facts) == 0 {
			t.Fatal("no fact was found")
		}
		for _, f := range []api.Forget{{IDs: []string{r.Facts[0].ID}, Purge: purge}, {ChatID: "c2", Purge: purge}} {
			res, err := w.Forget(t.Context(), f)
			if err != nil || len(res.Forgotten) < 2 || len(res.Unknown) > 0 || !res.Verified {
				t.Errorf("%+v: %+v: %v", f, res, err)
			}
		}
		for _, text := range []string{"Xylophone", "Zeppelin"} {
			if hits := find(t, w, "bicycle lock maker museum "+text); tells(hits, text) {
				t.Errorf("%s is still found: %+v", text, hits)
			}
			if left := inVault(t, w, text); purge && len(left) > 0 {
				t.Errorf("%s is still in %v", text, left)
			}
		}
		if res, err := w.Forget(t.Context(), api.Forget{IDs: []string{r.Facts[0].ID}}); !errors.Is(err, api.NotFound) {
			t.Errorf("forgotten twice: %+v: %v", res, err)
		}
		verified(t, w)
	}
}

// lookup is what a dream sees of the index.
func lookup(w operations.Memory) dreams.Index {
	return dreams.Index{
		Vault: w.Vault, Indexer: w.Index, Counted: w.Reads,
		Isolated: func() (project.Isolation, error) { return nil, nil },
		Searcher: func() (*recall.Searcher, func(), error) {
			s, release := w.Searches.Searcher("", catalog.View{})
			return s, release, nil
		},
	}
}

func TestProbesFindTheirOwnRows(t *testing.T) {
	w := open(t, nil)
	f, err := w.WriteFacts(t.Context(), api.Facts{Wait: "indexed", Facts: []api.NewFact{
		{Content: "Noor repairs clocks"},
		{Content: "Ben bakes bread"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	page := filepath.Join(w.Options.Vault, "3_Personal", "Noor.md")
	if err := os.WriteFile(page, []byte("# Noor\n\n- Noor repairs [[Clocks|clocks]] ([[2026-06-09#^f1|9 Jun 2026]])\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	x := lookup(w)
	if err := x.Sync(t.Context(), "3_Personal/Noor.md"); err != nil {
		t.Fatal(err)
	}
	probe := dream.Probe{Fact: f.Facts[0].ID, Text: "Noor repairs clocks", Page: "3_Personal/Noor.md", Line: "Noor repairs clocks"}
	lost, elsewhere, none := probe, probe, probe
	lost.Fact, lost.Line = "f0000000no", "Noor sells clocks"
	elsewhere.Fact, elsewhere.Page = f.Facts[1].ID, "3_Personal/Ben.md"
	none.Text, none.Line = " ", ""
	for pages, want := range map[bool][]bool{false: {true, false, true, false}, true: {true, false, false, false}} {
		// elsewhere's own row is among the first ten of two facts: the question decides nothing in so small a vault.
		got, err := x.Finds(t.Context(), pages, []dream.Probe{probe, lost, elsewhere, none})
		if err != nil {
			t.Fatal(err)
		}
		for i := range want {
			if got[i] != want[i] && i != 2 {
				t.Errorf("pages %v, probe %d: %v, want %v", pages, i, got[i], want[i])
			}
		}
		if pages && got[2] {
			t.Error("a row of another page was taken")
		}
	}
	texts, err := x.Search(t.Context(), "clocks", 3)
	if err != nil || len(texts) == 0 {
		t.Errorf("%v: %v", texts, err)
	}
	found, err := os.ReadFile(filepath.Join(w.Options.Vault, ".state", reads.LogFile))
	if err == nil && len(found) > 0 {
		t.Errorf("probing was recorded: %s", found)
	}
}

func TestDaysAndReads(t *testing.T) {
	w := open(t, nil)
	at := func(day int) *time.Time {
		tm := time.Date(2026, 6, day, 23, 59, 0, 0, time.UTC)
		return &tm
	}
	f, err := w.WriteFacts(t.Context(), api.Facts{Wait: "indexed", Facts: []api.NewFact{
		{Content: "Noor repairs clocks", At: at(8)}, {Content: "Ben bakes bread", At: at(8)}, {Content: "Ida swims", At: at(9)},
	}})
	if err != nil {
		t.Fatal(err)
	}
	days, err := lookup(w).Days(t.Context(), dream.Skipped{
		page.Source{Day: "2026-06-08", ID: f.Facts[0].ID}: vault.VersionOf("Noor repairs clocks"), page.Source{
			Day: "2026-06-09",
			ID:  f.Facts[1].ID,
		}: "", page.Source{ID: "f0000000no"}: "",
	})
	got := map[vault.Day]int{}
	for _, d := range days {
		got[d.Day] = d.Facts
	}
	if err != nil || len(got) != 2 || got["2026-06-08"] != 1 || got["2026-06-09"] != 1 {
		t.Errorf("%v: %v", got, err)
	}
	for range 2 {
		find(t, w, "who swims")
	}
	recalled := func(file vault.Path) bool {
		reads, err := lookup(w).Reads(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range reads {
			if r.Text == "Ida swims" && (r.File == file || file == "" && strings.HasPrefix(string(r.File), "3_Personal/")) && r.N == 2 {
				return true
			}
		}
		return false
	}
	eventually(t, "the recall log", func() bool { return recalled("memory/archive/2026-06-09.md") })
	dreamNow(t, w)
	if !recalled("") {
		t.Error("the statement did not take over how often its fact was recalled")
	}
}

// A dream that is asked for right after a turn was acknowledged reads what the turn says.
func TestADreamSeesWhatWasStored(t *testing.T) {
	w := open(t, nil)
	for i := range 5 {
		at := time.Date(2026, 6, 1+i, 12, 0, 0, 0, time.UTC)
		if _, err := w.Remember(t.Context(), api.Turn{ChatID: "c", Messages: []api.Message{{
			Role: "user", Speaker: "Alice", Content: fmt.Sprintf("My sister number %d lives in Lisbon.", i), At: &at,
		}}}); err != nil {
			t.Fatal(err)
		}
		if r, err := w.Consolidate(t.Context(), api.Consolidate{}); err != nil || r.Facts != 1 {
			t.Errorf("day %d: %d facts, %s: %v", i, r.Facts, r.Status, err)
		}
	}
}

// A line copied with its id into another day's log tells something else there: forgetting by id takes both, and says so.
func TestForgettingAnIdOnSeveralDays(t *testing.T) {
	for _, purge := range []bool{false, true} {
		w := open(t, nil)
		r := say(t, w, "c1", "The maker of my bicycle lock is Xylophone.")
		if len(r.Facts) == 0 {
			t.Fatal("no fact was found")
		}
		id := r.Facts[0].ID
		copied := "# 2026-06-08\n\n- [personal] My umbrella is a Zeppelin ^" + id + "\n"
		if err := w.Vault.Replace(vault.LogPath("2026-06-08"), []byte(copied), vault.AnyHash); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Index.Sync(t.Context()); err != nil {
			t.Fatal(err)
		}
		res, err := w.Forget(t.Context(), api.Forget{IDs: []string{id}, Purge: purge})
		if err != nil || !res.Verified || len(res.Unknown) > 0 {
			t.Errorf("%+v: %v", res, err)
		}
		if hits := find(t, w, "umbrella Zeppelin bicycle lock maker"); tells(hits, "Zeppelin") || tells(hits, "Xylophone") {
			t.Errorf("purge %v: still found: %+v", purge, hits)
		}
		told := map[string]bool{}
		for _, f := range res.Forgotten {
			told[f.SourceFile] = true
		}
		if !told["memory/archive/2026-06-08.md"] || !told["memory/archive/2026-06-09.md"] {
			t.Errorf("purge %v: it tells of %v", purge, told)
		}
		verified(t, w)
	}
}
