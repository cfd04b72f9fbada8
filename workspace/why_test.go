package workspace_test

import (
	"errors"
	"math"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/operations"
	"github.com/reverie-memory/reverie/workspace"
)

func why(t *testing.T, w operations.Memory, receipt string) api.Replay {
	t.Helper()
	r, err := w.Why(t.Context(), api.ReceiptID{ID: receipt})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func replaying(c *config.Config) { c.Replay.Enabled = true }

func TestWhyTellsWhatChanged(t *testing.T) {
	w := open(t, replaying)
	say(t, w, "c1", "The lighthouse on Amrum has a red lamp.")
	asked, err := w.Search(t.Context(), api.Search{Query: "lighthouse lamp"})
	if err != nil || len(asked.Hits) != 1 || asked.Hits[0].ScoreBreakdown != nil {
		t.Fatalf("%+v, %v", asked, err)
	}
	r := why(t, w, asked.Receipt)
	if !r.Replayed || !r.Same || r.Query != "lighthouse lamp" || len(r.Hits) != 1 || r.Hits[0].RankNow != 1 || r.ModelGuard != "MATCH" {
		t.Errorf("right after: %+v", r)
	}
	sum := 0.0
	for _, part := range r.Hits[0].Parts {
		sum += part
	}
	if math.Abs(sum-r.Hits[0].Score) > 1e-9 {
		t.Errorf("the parts sum to %v: %+v", sum, r.Hits[0])
	}
	say(t, w, "c2", "The lamp of the lighthouse lighthouse lamp is lit by a lighthouse keeper.")
	if r = why(t, w, asked.Receipt); r.Same || len(r.New) != 1 {
		t.Errorf("after another turn: %+v", r)
	}
	if _, err := w.Forget(t.Context(), api.Forget{IDs: []string{asked.Hits[0].ID}}); err != nil {
		t.Fatal(err)
	}
	r = why(t, w, asked.Receipt)
	if r.Same || len(r.Hits) != 1 || !strings.Contains(r.Hits[0].Change, "forgotten") || r.Hits[0].Text != "" {
		t.Errorf("after it was forgotten: %+v", r)
	}
	if again := why(t, w, asked.Receipt); again.Receipt != asked.Receipt {
		t.Errorf("%+v", again)
	}
}

// Without replay.enabled no question is kept, and what was found is known all the same.
func TestWhyWithoutTheQuestion(t *testing.T) {
	w := open(t, nil)
	say(t, w, "c1", "The lighthouse on Amrum has a red lamp.")
	asked, err := w.Search(t.Context(), api.Search{Query: "zeppelinesque lighthouse lamp"})
	if err != nil || len(asked.Hits) == 0 {
		t.Fatal(err)
	}
	r := why(t, w, asked.Receipt)
	if r.Replayed || r.Query != "" || len(r.Hits) == 0 || r.Hits[0].ID != asked.Hits[0].ID || r.Hits[0].Text == "" {
		t.Errorf("%+v", r)
	}
	if files := inVault(t, w, "zeppelinesque"); len(files) > 0 {
		t.Errorf("the question is in %q", files)
	}
	if _, err := w.Why(t.Context(), api.ReceiptID{ID: "r_none"}); !errors.Is(err, api.NotFound) {
		t.Errorf("%v", err)
	}
}

// A purge takes the questions along that tell what is purged, and those whose answers named it.
func TestAPurgeTakesQuestions(t *testing.T) {
	w := open(t, replaying)
	say(t, w, "c1", "The maker of my bicycle lock is Xylophone.")
	asked, err := w.Search(t.Context(), api.Search{Query: "Is the maker of my bicycle lock Xylophone?"})
	if err != nil || len(asked.Hits) == 0 {
		t.Fatal(err)
	}
	why(t, w, asked.Receipt)
	res, err := w.Forget(t.Context(), api.Forget{Query: "maker bicycle lock Xylophone", Purge: true})
	if err != nil || !res.Verified {
		t.Fatalf("%+v, %v", res, err)
	}
	if _, err := w.Why(t.Context(), api.ReceiptID{ID: asked.Receipt}); !errors.Is(err, api.NotFound) {
		t.Errorf("%v", err)
	}
	if files := inVault(t, w, "Xylophone"); len(files) > 0 {
		t.Errorf("left in %q", files)
	}
}

// What an isolated project asked is its own.
func TestWhyOfAnIsolatedProject(t *testing.T) {
	w := open(t, replaying)
	if _, err := w.Isolate(t.Context(), api.Isolate{Wing: "shop"}); err != nil {
		t.Fatal(err)
	}
	asked, err := w.Search(t.Context(), api.Search{Query: "lighthouse lamp", Wing: "shop"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Why(t.Context(), api.ReceiptID{ID: asked.Receipt, Wing: "shop"}); err != nil {
		t.Error(err)
	}
	if r, err := w.Why(t.Context(), api.ReceiptID{ID: asked.Receipt}); !errors.Is(err, api.NotFound) {
		t.Errorf("%+v, %v", r, err)
	}
}

// A question is asked again at the time at which it was asked, and what makes its scores other ones is told by part.
func TestWhyAsksAtTheTimeOfThen(t *testing.T) {
	var later atomic.Int64
	w := prepare(t, t.TempDir(), replaying)
	opt := w.Options
	opt.Now = func() time.Time { return time.Now().Add(time.Duration(later.Load())) }
	w = operations.Memory{Workspace: workspace.New(opt)}
	start(t, w)
	yesterday, before := time.Now().AddDate(0, 0, -1), time.Now().AddDate(0, 0, -9)
	for at, text := range map[*time.Time]string{
		&yesterday: "We repaired the green sail in the barn.", &before: "We repaired the blue sail in the barn.",
	} {
		_, err := w.Remember(t.Context(), api.Turn{ChatID: text, Wait: "indexed", Messages: []api.Message{
			{Role: "user", Speaker: "Alice", Content: text, At: at},
		}})
		if err != nil {
			t.Fatal(err)
		}
	}
	ask := func(profile string) api.SearchResult {
		t.Helper()
		asked, err := w.Search(t.Context(), api.Search{Query: "Which sail did we repair yesterday?", Profile: profile})
		if err != nil || len(asked.Hits) == 0 {
			t.Fatalf("%+v, %v", asked, err)
		}
		return asked
	}
	first := map[string]api.SearchResult{"default": ask("default"), "synapse": ask("synapse")}
	later.Store(int64(8 * 24 * time.Hour))
	for profile, asked := range first {
		r := why(t, w, asked.Receipt)
		if !r.Same || len(r.Hits) != len(asked.Hits) {
			t.Errorf("%s: %+v", profile, r)
		}
		for _, h := range r.Hits {
			for part, by := range h.Shifts {
				// what was found counts as read
				if profile != "synapse" || part != "ltp_boost" && part != "association_boost" && part != "tagging_boost" || by < 0 {
					t.Errorf("%s: %s is another by %v", profile, part, by)
				}
			}
			if profile == "synapse" && (h.Shifts["ltp_boost"] <= 0 || h.ScoreNow <= h.Score) {
				t.Errorf("nothing tells of reads since: %+v", h)
			}
		}
	}
}

// Where the profile is gone by which was asked, what became of the hits is told all the same.
func TestWhyWithoutItsProfile(t *testing.T) {
	dir := t.TempDir()
	w := prepare(t, dir, func(c *config.Config) {
		replaying(c)
		c.Recall.Profiles = map[string]map[string]any{"near": {"base": "cosine"}}
	})
	if err := w.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	say(t, w, "c1", "The lighthouse on Amrum has a red lamp.")
	asked, err := w.Search(t.Context(), api.Search{Query: "lighthouse lamp", Profile: "near"})
	if err != nil || len(asked.Hits) == 0 {
		t.Fatalf("%+v, %v", asked, err)
	}
	if err := w.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	w = reopen(t, dir, replaying)
	r := why(t, w, asked.Receipt)
	if r.Replayed || r.Same || r.Query != "lighthouse lamp" || len(r.Hits) != len(asked.Hits) || r.Hits[0].Text == "" ||
		len(r.Changes) != 1 || !strings.Contains(r.Changes[0], `profile "near"`) {
		t.Errorf("%+v", r)
	}
}
