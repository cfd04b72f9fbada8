package recall_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/recall"
)

// What a person made of a profile ranks as the phases and flags say.
func TestProfilesOfOnesOwn(t *testing.T) {
	s := newSearcher(t, chatRows(160))
	ask := func(profile string, flags map[string]any) recall.Result {
		t.Helper()
		res, err := s.Search(context.Background(), recall.Query{
			Text: "What does Nadia bake?", K: 5, Profile: profile, Flags: flags,
			Explain: true,
		})
		must(t, err)
		return res
	}
	var err error
	s.Profiles, err = recall.Own(map[string]map[string]any{
		"plain": {},
		"quiet": {"recency": false, "variety": false},
		"near":  {"base": "cosine", "min_score": 0.25},
		"newer": {
			"base": "cosine", "lexical": true,
			"phases": []any{"model_guard", "gather", "similarity", "read", "recency", "order", "show"},
		},
	})
	must(t, err)
	if diff := cmp.Diff(ask("default", nil).Hits, ask("plain", nil).Hits); diff != "" {
		t.Errorf("a profile that changes nothing (-default +plain):\n%s", diff)
	}
	if diff := cmp.Diff(ask("default", map[string]any{"recency": false, "variety": false}).Hits, ask("quiet", nil).Hits); diff != "" {
		t.Errorf("flags of the query and of the profile (-query +profile):\n%s", diff)
	}
	if diff := cmp.Diff(ask("quiet", nil).Hits, ask("default", nil).Hits); diff == "" {
		t.Error("the flags of a profile changed nothing")
	}
	if res := ask("near", map[string]any{"min_score": 0}); len(res.Hits) != 5 {
		t.Errorf("%d hits", len(res.Hits))
	}
	for _, h := range ask("newer", nil).Hits {
		if h.Breakdown["recency"] == 0 || h.Breakdown["cosine_similarity"] == 0 || len(h.Breakdown) != 2 {
			t.Errorf("%s: %v", h.Row.ID, h.Breakdown)
		}
	}
	if slices.Contains(ask("newer", nil).Trace.Phases, "min_score") {
		t.Error("a phase that is not listed ran")
	}
}

func TestProfilesThatCannotRun(t *testing.T) {
	phases := func(names string) map[string]any {
		var list []any
		for _, n := range strings.Fields(names) {
			list = append(list, n)
		}
		return map[string]any{"phases": list}
	}
	for _, c := range []struct {
		given map[string]any
		want  string
	}{
		{map[string]any{"base": "defualt"}, `profile "x": base: profile "defualt": there is only default,`},
		{map[string]any{"base": "defualt"}, `did you mean "default"?`},
		{map[string]any{"base": 7}, "base is the name of a profile, got 7"},
		{map[string]any{"recensy": true}, `flag "recensy": unknown to profile "x"; did you mean "recency"?`},
		{map[string]any{"min_score": "much"}, `flag "min_score": want a number from 0, got much`},
		{map[string]any{"phases": "gather"}, "phases is a list of names, got gather"},
		{phases("gater"), `there is no phase "gater"; did you mean "gather"?`},
		{phases("gather gather"), `phase "gather" stands there twice`},
		{phases("fuse gather"), `phase "fuse" must stand behind "gather"`},
		{phases("gather fuse similarity"), `phase "similarity" makes again what another made: there is one of "fuse" or "similarity"`},
		{phases("gather fuse read order recency"), `phase "recency" must stand before "order"`},
		{phases("gather read"), `phase "read" must stand behind "fuse" or "similarity"`},
		{phases("gather fuse guess_date"), `phase "guess_date" has its switch "dates" with another, which is missing`},
		{phases("gather fuse read order"), `it ends without "show"`},
		{phases(""), `it ends without "gather"`},
	} {
		if _, err := recall.Own(map[string]map[string]any{"x": c.given}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.given, err, c.want)
		}
	}
	if _, err := recall.Own(map[string]map[string]any{"cosine": {}}); err == nil {
		t.Error("a profile took the name of another")
	}
	_, err := newSearcher(t, nil).Search(context.Background(), recall.Query{Text: "x", Profile: "cosin"})
	if want := (*recall.ProfileError)(nil); !errors.As(err, &want) || !strings.Contains(err.Error(), `did you mean "cosine"?`) {
		t.Errorf("an unknown profile: %v", err)
	}
}

// The cosine profile is the order of the vectors, and without them that of the full text, which it says.
func TestCosineIsTheOrderOfTheVectors(t *testing.T) {
	s := newSearcher(t, chatRows(80))
	res, err := s.Search(context.Background(), recall.Query{Text: "bread with walnuts", K: 6, Profile: "cosine", Explain: true})
	must(t, err)
	for i, h := range res.Hits {
		if h.Score != h.Cosine || i > 0 && h.Score > res.Hits[i-1].Score {
			t.Errorf("hit %d: score %v, cosine %v", i, h.Score, h.Cosine)
		}
	}
	if len(res.Hits) != 6 {
		t.Errorf("%d hits", len(res.Hits))
	}
	s.Embed = nil
	res, err = s.Search(context.Background(), recall.Query{
		Text: "bread walnuts", K: 3, Profile: "cosine",
		Flags: map[string]any{"lexical": true},
	})
	must(t, err)
	if len(res.Hits) != 3 || res.Hits[0].Score != 1 {
		t.Errorf("without vectors: %+v", res.Hits)
	}
}
