package recall_test

import (
	"context"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/recall"
)

func TestProfilesAreWhole(t *testing.T) {
	for _, wrong := range recall.CheckProfiles() {
		t.Error(wrong)
	}
	const file, part = "../docs/recall.md", "# Profiles of recall\n"
	data, err := os.ReadFile(file)
	must(t, err)
	before, have, found := strings.Cut(strings.ReplaceAll(string(data), "\r\n", "\n"), part)
	if !found {
		t.Fatalf("%s has no part %q", file, part)
	}
	if *update {
		must(t, os.WriteFile(file, []byte(before+recall.Markdown()), 0o644))
	}
	if diff := cmp.Diff(recall.Markdown(), part+have); diff != "" {
		t.Errorf("%s is not what the table says, `go test -update` writes it:\n%s", file, diff)
	}
}

// A phase of each kind works in a profile with nothing but its own declaration.
func TestAPhaseIsOneFileAndOneLine(t *testing.T) {
	s := newSearcher(t, chatRows(160))
	q := recall.Query{Text: "What does Nadia bake?", K: 30, Explain: true}
	ask := func(defaults, flags map[string]any) (recall.Result, error) {
		q := q
		q.Flags = flags
		return recall.Fake(defaults).Search(context.Background(), s, q)
	}
	voted := func(res recall.Result) float64 {
		for _, h := range res.Hits {
			sum := 0.0
			for _, v := range h.Breakdown {
				sum += v
			}
			if math.Abs(sum-h.Score) > 1e-9 {
				t.Errorf("%s: parts add up to %v, score is %v", h.Row.ID, sum, h.Score)
			}
		}
		return res.Hits[0].Breakdown["votes"]
	}

	plain, err := s.Search(context.Background(), q)
	must(t, err)
	off, err := ask(nil, nil)
	must(t, err)
	if diff := cmp.Diff(plain.Hits, off.Hits); diff != "" {
		t.Errorf("phases that are switched off change the answer:\n%s", diff)
	}
	if off.Trace.Profile != "fake" || slices.Contains(off.Trace.Phases, "votes") {
		t.Errorf("trace of phases that are off: %+v", off.Trace)
	}

	on, err := ask(map[string]any{"votes": true}, map[string]any{"votes_weight": 50, "fit": true, "without_facts": true, "watch": "warn"})
	must(t, err)
	if on.Hits[0].Row.ID != "d000" || voted(on) != 50 || on.Hits[0].Breakdown["fit"] == 0 {
		t.Errorf("the row that the votes are for: %+v", on.Hits[0])
	}
	if i := slices.IndexFunc(on.Hits, func(h recall.Hit) bool { return h.Row.Source == catalog.ArchiveLog }); i >= 0 || len(on.Hits) == 0 {
		t.Errorf("hit %d of %d is a fact", i, len(on.Hits))
	}
	want := []string{"parse", "watch", "model_guard", "gather", "fuse", "votes", "context", "read", "rank", "without_facts", "finish"}
	if diff := cmp.Diff(want, on.Trace.Phases); diff != "" {
		t.Errorf("phases (-want +got):\n%s", diff)
	}
	for _, name := range append(want, "total") {
		if _, ok := on.Trace.TimingMS[name]; !ok {
			t.Errorf("%s was not timed", name)
		}
	}
	if diff := cmp.Diff([]string{"watched"}, on.Warnings); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
	if half, err := ask(map[string]any{"votes": true}, nil); err != nil || voted(half) == 50 {
		t.Errorf("votes of the default weight: %v", err)
	}

	for name, c := range map[string]struct {
		flag  string
		value any
		want  string
	}{
		"stopped":         {"watch", "stop", "searching: stopped"},
		"another choice":  {"watch", "of", `flag "watch": want one of off, warn, stop, got of`},
		"no choice":       {"watch", true, `flag "watch": want one of off, warn, stop, got true`},
		"too small":       {"votes_weight", 0.25, `flag "votes_weight": want a number from 0.5 to 50, got 0.25`},
		"too large":       {"votes_weight", int64(51), `flag "votes_weight": want a number from 0.5 to 50, got 51`},
		"0 is too small":  {"votes_weight", false, `flag "votes_weight": want a number from 0.5 to 50, got false`},
		"no number":       {"votes_weight", "7", `flag "votes_weight": want a number from 0.5 to 50, got 7`},
		"not a number":    {"votes_weight", math.NaN(), `flag "votes_weight": want a number from 0.5 to 50, got NaN`},
		"number for bool": {"fit", 1.0, `flag "fit": want true or false, got 1`},
		"unknown":         {"vote", 1.0, `flag "vote": unknown to profile "fake"; did you mean "votes"? (known flags: age_decay, `},
		"negative floor":  {"min_score", -1.0, `flag "min_score": want a number from 0, got -1`},
	} {
		if _, err := ask(nil, map[string]any{c.flag: c.value}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}
