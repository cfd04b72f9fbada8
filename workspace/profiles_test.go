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
		if f.Name == "lexical" && (f.Kind != "bool" || f.Default != true) || f.Name == "min_score" && (f.Kind != "number" || *f.Min != 0 || f.Max != nil) {
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
