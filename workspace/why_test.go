package workspace_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/operations"
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
	say(t, w, "c1", "The code of my bicycle lock is Xylophone.")
	asked, err := w.Search(t.Context(), api.Search{Query: "Is the code of my bicycle lock Xylophone?"})
	if err != nil || len(asked.Hits) == 0 {
		t.Fatal(err)
	}
	why(t, w, asked.Receipt)
	res, err := w.Forget(t.Context(), api.Forget{Query: "code bicycle lock Xylophone", Purge: true})
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
