package workspace_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/operations"
)

func keptClosets(c *config.Config) { quiet(c); c.Closets.Enabled = true }

func searchFor(t *testing.T, w operations.Memory, query string, flags map[string]any) api.SearchResult {
	t.Helper()
	res, err := w.Search(t.Context(), api.Search{Query: query, Flags: flags, Explain: true, DryRun: true})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// previews are the lines of the closets that found hits, with the ids of these.
func previews(res api.SearchResult) (lines []string) {
	for _, h := range res.Hits {
		if h.MatchedVia == "closet" {
			lines = append(lines, fmt.Sprint(h.ClosetPreview, " ", append(h.Also, h.ID)))
		}
	}
	return lines
}

// TestClosetsVoteFromTheTurnOn: a turn that was waited for is in its closet, and after a restart and a rebuild as well.
func TestClosetsVoteFromTheTurnOn(t *testing.T) {
	dir := t.TempDir()
	w := prepare(t, dir, keptClosets)
	if err := w.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	r := say(t, w, "c1", "We decided to move the archive to Ghent.")
	say(t, w, "c2", "The baker closed early.")
	const question = "Who decided to move the archive?"
	looks := func(w operations.Memory, when string) {
		t.Helper()
		got := previews(searchFor(t, w, question, nil))
		if len(got) != 1 || !strings.HasPrefix(got[0], "decided to move the archive to Ghent|") ||
			strings.Count(got[0], r.Drawers[0]) != 2 {
			t.Errorf("%s: %q", when, got)
		}
	}
	looks(w, "at once")
	if _, err := w.Reindex(t.Context(), api.Reindex{Wait: true, ClearExisting: true}); err != nil {
		t.Fatal(err)
	}
	looks(w, "after a rebuild")
	if err := w.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	w = reopen(t, dir, keptClosets)
	looks(w, "after a restart")
	verified(t, w)
}

// TestClosetsOffChangeNothing: neither an answer nor a file tells that there could be closets, and what was kept once is cleared away.
func TestClosetsOffChangeNothing(t *testing.T) {
	answers := map[bool]api.SearchResult{}
	for _, kept := range []bool{false, true} {
		dir := t.TempDir()
		w := prepare(t, dir, func(c *config.Config) { quiet(c); c.Closets.Enabled = kept })
		if err := w.Open(t.Context()); err != nil {
			t.Fatal(err)
		}
		say(t, w, "c1", "We decided to move the archive to Ghent. Igor met Milla, and Milla met Igor.")
		say(t, w, "c2", "The baker closed early. I met Igor.")
		answers[kept] = searchFor(t, w, "What did Igor decide about the archive?", map[string]any{"closets": false})
		if err := w.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(filepath.Join(dir, "data", "closets")); (err == nil) != kept {
			t.Errorf("closets kept: %v, their folder: %v", kept, err)
		}
		if kept {
			reopen(t, dir, quiet)
			if _, err := os.Stat(filepath.Join(dir, "data", "closets")); err == nil {
				t.Error("closets are still there after they were switched off")
			}
		}
	}
	random := cmpopts.IgnoreFields(api.Hit{}, "Row", "Also")
	if d := cmp.Diff(answers[false].Hits, answers[true].Hits, random, cmpopts.EquateApprox(0, 1e-6)); d != "" ||
		len(answers[false].Hits) == 0 {
		t.Errorf("without closets (-) and with closets that do not vote (+):\n%s", d)
	}
	for i, h := range answers[true].Hits {
		if h.Text != answers[false].Hits[i].Text {
			t.Errorf("%q", h.Text)
		}
	}
}

// TestForgottenSentenceLeavesItsClosets: what is forgotten of a longer drawer shows in no preview, and a purge leaves none of its bytes.
func TestForgottenSentenceLeavesItsClosets(t *testing.T) {
	w := open(t, keptClosets)
	const secret = `I bought a Fjordlamp from Ophelia and she said "you may never tell of it".`
	say(t, w, "c1", "We built a greenhouse. "+secret+" Igor saw Igor.")
	r := say(t, w, "c2", secret)
	if res := searchFor(t, w, "Who bought a Fjordlamp from Ophelia?", nil); len(previews(res)) != 2 {
		t.Fatalf("%+v", res.Hits)
	}
	if _, err := w.Forget(t.Context(), api.Forget{IDs: r.Drawers}); err != nil {
		t.Fatal(err)
	}
	got := previews(searchFor(t, w, "Who bought a Fjordlamp from Ophelia? We built a greenhouse, Igor", map[string]any{"min_score": 0}))
	if len(got) != 1 || !strings.HasPrefix(got[0], "built a greenhouse|") || strings.Contains(got[0], "Ophelia") {
		t.Errorf("%q", got)
	}
	if _, err := w.Forget(t.Context(), api.Forget{IDs: r.Drawers, Purge: true}); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"bought a Fjordlamp", "you may never tell", "Fjordlamp"} {
		if files := left(t, w, text); len(files) > 0 {
			t.Errorf("%q is left in %q", text, files)
		}
	}
}

// TestClosetsOfMinedFiles: a heading of a file is a topic, and the closets of a folder go with it.
func TestClosetsOfMinedFiles(t *testing.T) {
	w := open(t, keptClosets)
	say(t, w, "c1", "We decided to move the archive to Ghent.")
	dir := t.TempDir()
	text := "# Handbook\n\nIt rained.\n\n## Calibration of the glimmerometer\n\nTurn the left screw until Igor nods.\n"
	if err := os.WriteFile(filepath.Join(dir, "handbook.md"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Mine(t.Context(), api.Mine{Path: dir, Wing: "lab", Wait: true}); err != nil {
		t.Fatal(err)
	}
	const question = "calibration of the glimmerometer"
	got := previews(searchFor(t, w, question, nil))
	if len(got) != 1 || !strings.HasPrefix(got[0], "Calibration of the glimmerometer|") {
		t.Errorf("%q", got)
	}
	hits, err := w.PalaceSearch(t.Context(), api.PalaceSearch{Query: "archive Ghent glimmerometer screw", Wing: "lab"})
	if err != nil || len(hits.Results) == 0 || hits.Results[0].MatchedVia != "closet" || hits.Results[0].ClosetPreview == "" {
		t.Errorf("%+v: %v", hits, err)
	}
	if _, err := w.Unmine(t.Context(), api.Unmine{Path: dir}); err != nil {
		t.Fatal(err)
	}
	if got := previews(searchFor(t, w, question, nil)); len(got) > 0 {
		t.Errorf("its closets stayed: %q", got)
	}
}

// TestBrokenClosetsFailNoWrite: closets only vote. What is wrong with them is told, and only a forgetting fails that they do not follow.
func TestBrokenClosetsFailNoWrite(t *testing.T) {
	w := open(t, keptClosets)
	say(t, w, "c1", "We decided to move the archive to Ghent.")
	if err := w.CloseClosets(t.Context()); err != nil {
		t.Fatal(err)
	}
	d, err := w.AddDrawer(t.Context(), api.NewDrawer{Wing: "home", Room: "shed", Content: "The bicycle needs a new chain."})
	if err != nil || len(d.Degraded) > 0 {
		t.Errorf("%+v: %v", d, err)
	}
	if _, err := w.GraphAdd(t.Context(), api.GraphAdd{Subject: "Igor", Predicate: "works at", Object: "Acme"}); err != nil {
		t.Error(err)
	}
	if _, err := w.Forget(t.Context(), api.Forget{IDs: []string{d.DrawerID}}); err == nil {
		t.Error("the closets did not follow what was forgotten, and nobody says so")
	}
}
