package workspace_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/recall"
)

// What the settings say of profiles counts for searches that name none, and flags of recall.profile for no other profile.
func TestProfilesOfTheSettings(t *testing.T) {
	w := open(t, func(c *config.Config) {
		quiet(c)
		c.Recall.Profile, c.Recall.Flags = "near", map[string]any{"min_score": 0.5}
		c.Recall.Profiles = map[string]map[string]any{"near": {"base": "cosine", "lexical": true}}
	})
	say(t, w, "c1", "We decided to move the archive to Ghent.")
	for profile, want := range map[string]string{"": "near", "default": "default", "cosine": "cosine"} {
		res, err := w.Search(t.Context(), api.Search{Query: "archive in Ghent", Profile: profile})
		if err != nil || res.Trace.Profile != want || len(res.Hits) == 0 {
			t.Errorf("profile %q: %v %+v, want %s", profile, err, res.Trace, want)
		}
	}
	var unknown *recall.ProfileError
	if _, err := w.Search(t.Context(), api.Search{Query: "x", Profile: "nera"}); !errors.As(err, &unknown) ||
		!strings.Contains(err.Error(), `did you mean "near"?`) {
		t.Errorf("an unknown profile: %v", err)
	}
	all, err := w.Profiles(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(all.Profiles, func(p api.Profile) bool { return p.Name == "near" })
	if i < 0 {
		t.Fatalf("profiles %+v", all)
	}
	for _, f := range all.Profiles[i].Flags {
		if f.Name == "lexical" && (f.Kind != "bool" || f.Default != true) || f.Name == "min_score" && (f.Kind != "number" || *f.Min != 0 ||
			f.Max != nil) {
			t.Errorf("flag %+v", f)
		}
	}
}

func TestProfilesThatCannotRunEndTheStart(t *testing.T) {
	w := prepare(t, t.TempDir(), func(c *config.Config) {
		quiet(c)
		c.Recall.Profiles = map[string]map[string]any{"mine": {"recensy": true}}
	})
	if err := w.Open(t.Context()); err == nil || !strings.Contains(err.Error(), `did you mean "recency"?`) {
		t.Errorf("opened: %v", err)
	}
}

// What searches read counts in later ones, for whoever asks for it; a dry run reads nothing.
func TestReadsAndGraphRankWhereAskedFor(t *testing.T) {
	w := open(t, quiet)
	say(t, w, "c1", "We decided to move the archive to Ghent.")
	say(t, w, "c2", "The archive in Bruges burnt down.")
	ask := func(profile string, dry bool, flags map[string]any) api.SearchResult {
		t.Helper()
		res, err := w.Search(t.Context(), api.Search{
			Query: "Where is the archive?", Profile: profile, Flags: flags, Explain: true, DryRun: dry,
		})
		if err != nil || len(res.Hits) == 0 {
			t.Fatalf("%v: %+v", err, res)
		}
		return res
	}
	boost := func() float64 { return ask("", true, map[string]any{"ltp": true}).Hits[0].ScoreBreakdown["ltp_boost"] }
	if boost() != 0 {
		t.Error("a row that nobody read is lifted")
	}
	ask("", true, nil)
	if boost() != 0 {
		t.Error("a dry run counted")
	}
	ask("", false, nil)
	if err := w.Reads.Erase(t.Context(), nil, func(string) bool { return false }); err != nil { // writes what is buffered
		t.Fatal(err)
	}
	if boost() <= 0 {
		t.Error("a read did not count")
	}
	for _, profile := range []string{"palace", "synapse"} {
		res := ask(profile, true, nil)
		if tr := res.Trace; tr.CandidatesIn != len(tr.Candidates) || tr.CandidatesOut != len(res.Hits) || tr.ModelGuard != "MATCH" ||
			tr.ElapsedMS <= 0 {
			t.Errorf("%s: trace %+v", profile, tr)
		}
		for _, c := range res.Trace.Candidates {
			if c.Score != 0 && len(c.ScoreBreakdown) == 0 {
				t.Errorf("%s: candidate %+v without its parts", profile, c)
			}
		}
		if e := res.Hits[0].ScoreEvents; len(e) < 2 || e[len(e)-1].Score != res.Hits[0].Score {
			t.Errorf("%s: events %+v of score %v", profile, e, res.Hits[0].Score)
		}
	}
}
