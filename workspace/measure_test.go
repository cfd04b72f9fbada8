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
	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/model/modeltest"
	"github.com/reverie-memory/reverie/operations"
	"github.com/reverie-memory/reverie/reads"
	"github.com/reverie-memory/reverie/recall"
	"github.com/reverie-memory/reverie/workspace"
)

// converse has two people ask and reply, a session a day.
func converse(t *testing.T, w operations.Memory, wing string) {
	t.Helper()
	for i, c := range [][2]string{
		{"Which landing keeps the spare boats?", "The spare boats lie behind the ferry landing at Wittdün."},
		{"Who repairs the torn sails in winter?", "Old Hinrich repairs torn sails in his barn each winter."},
		{"Which bakery sells rye bread on Sunday?", "The bakery beside the windmill sells rye bread on Sunday."},
	} {
		at := time.Date(2026, 3, 1+i, 9, 0, 0, 0, time.UTC)
		_, err := w.Remember(t.Context(), api.Turn{
			ChatID: fmt.Sprint(wing, i), Wing: wing, Wait: "indexed", Messages: []api.Message{
				{Role: "user", Speaker: "Tom", Content: c[0], At: &at}, {Role: "user", Speaker: "Ida", Content: c[1], At: &at},
			},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestMeasureAsksWhatWasSaid(t *testing.T) {
	w := open(t, nil)
	converse(t, w, "")
	first, err := w.Measure(t.Context(), api.Measure{Flags: map[string]any{"vector": false}})
	if err != nil {
		t.Fatal(err)
	}
	if f := first.Run.Figures["asked recall@5"]; f.N != 3 || f.Mean != 1 {
		t.Errorf("asked: %+v of %+v", f, first.Run)
	}
	if f := first.Run.Figures["capture"]; f.N != 3 {
		t.Errorf("turns: %+v", f)
	}
	if first.Trial == nil || first.Trial.Verdict != "no difference" || first.Trial.Alike == 0 || len(first.Before) != 0 {
		t.Errorf("%+v", first)
	}
	again, err := w.Measure(t.Context(), api.Measure{DryRun: true})
	if err != nil || again.Trial != nil || len(again.Before) != 1 || again.Before[0].Figures["mrr@10"] != again.Run.Figures["mrr@10"] {
		t.Errorf("the second run: %+v, %v", again, err)
	}
	if last, err := w.Measure(t.Context(), api.Measure{}); err != nil || len(last.Before) != 1 {
		t.Errorf("a dry run was kept: %+v, %v", last.Before, err)
	}
	var unknown *recall.ProfileError
	if _, err := w.Measure(t.Context(), api.Measure{Profile: "nowhere"}); !errors.As(err, &unknown) {
		t.Errorf("a profile that there is not: %v", err)
	}
}

// A run leaves its figures behind and nothing else: no question counts as asked, and no word of what was said is kept.
func TestMeasureLeavesFiguresAlone(t *testing.T) {
	w := open(t, replaying)
	converse(t, w, "")
	if _, err := w.Measure(t.Context(), api.Measure{}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Why(t.Context(), api.ReceiptID{ID: "r_0000000000"}); !errors.Is(err, api.NotFound) { // writes what is buffered
		t.Fatal(err)
	}
	state := filepath.Join(w.Options.Vault, ".state")
	for _, name := range []string{"recall_log.jsonl", "replay.jsonl"} {
		if data, err := os.ReadFile(filepath.Join(state, name)); err == nil && len(data) > 0 {
			t.Errorf("%s: %s", name, data)
		}
	}
	data, err := os.ReadFile(filepath.Join(state, reads.MeasuresFile))
	if err != nil || strings.Count(string(data), "\n") != 1 || strings.Contains(string(data), "sails") {
		t.Errorf("%s, %v", data, err)
	}
}

// Figures that cannot be kept are told all the same.
func TestMeasureTellsWhatItCannotKeep(t *testing.T) {
	w := open(t, nil)
	converse(t, w, "")
	if err := os.Mkdir(filepath.Join(w.Options.Vault, ".state", reads.MeasuresFile), 0o700); err != nil {
		t.Fatal(err)
	}
	out, err := w.Measure(t.Context(), api.Measure{})
	if err != nil || out.Run.Figures["asked recall@5"].N != 3 || len(out.Degraded) == 0 {
		t.Errorf("%+v, %v", out, err)
	}
}

func TestMeasureKeepsProjectsApart(t *testing.T) {
	w := open(t, nil)
	converse(t, w, "secret")
	if _, err := w.Isolate(t.Context(), api.Isolate{Wing: "secret"}); err != nil {
		t.Fatal(err)
	}
	outside, err := w.Measure(t.Context(), api.Measure{})
	if err != nil || outside.Run.Figures["asked recall@10"].N != 0 || outside.Run.Figures["capture"].N != 0 {
		t.Errorf("from outside: %+v, %v", outside.Run, err)
	}
	inside, err := w.Measure(t.Context(), api.Measure{Wing: "secret"})
	if err != nil || inside.Run.Figures["asked recall@10"].N != 3 || len(inside.Before) != 0 {
		t.Errorf("from inside: %+v, %v", inside, err)
	}
	if after, err := w.Measure(t.Context(), api.Measure{}); err != nil || len(after.Before) != 1 {
		t.Errorf("the project's figures are told outside: %+v, %v", after.Before, err)
	}
}

// Another embedder is tried by vectors of its own, before the index is built with it: the one that is set does no better than itself.
func TestMeasureTriesAnEmbedder(t *testing.T) {
	w := open(t, func(c *config.Config) { c.Closets.Enabled = true })
	converse(t, w, "")
	same, err := w.Measure(t.Context(), api.Measure{Embedder: "builtin", Flags: map[string]any{"lexical": false}})
	if err != nil {
		t.Fatal(err)
	}
	without, err := w.Measure(t.Context(), api.Measure{Flags: map[string]any{"lexical": false}})
	if err != nil {
		t.Fatal(err)
	}
	if same.Trial == nil || !strings.Contains(same.Trial.What, "embedder builtin") || same.Trial.Figures["mrr@10"].N != 3 ||
		same.Trial.Figures["mrr@10"] != without.Trial.Figures["mrr@10"] {
		t.Errorf("the same embedder: %+v, want %+v", same.Trial, without.Trial)
	}
	if same.Run.Embedder != without.Run.Embedder {
		t.Errorf("the run is of %s", same.Run.Embedder)
	}
	dir := filepath.Join(workspace.ModelsFolder(w.Options.Config), "small")
	if _, err := (modeltest.Model{Kind: "encoder"}).Write(dir); err != nil {
		t.Fatal(err)
	}
	other, err := w.Measure(t.Context(), api.Measure{Embedder: "small", Profile: "cosine"})
	if err != nil {
		t.Fatal(err)
	}
	if other.Trial.What != "profile cosine, embedder local/small" || other.Trial.Verdict == "not tried" || len(other.Degraded) > 0 ||
		!strings.Contains(strings.Join(other.Notes, "; "), "local/small embedded") {
		t.Errorf("%+v, %q, %q", other.Trial, other.Degraded, other.Notes)
	}
	own, err := w.Measure(t.Context(), api.Measure{Profile: "cosine"})
	if err != nil || own.Trial.Figures["mrr@10"] == other.Trial.Figures["mrr@10"] {
		t.Errorf("weights by chance rank like the built-in embedder: %+v, %v", own.Trial, err)
	}
	if _, err := w.Measure(t.Context(), api.Measure{Embedder: "nowhere"}); err == nil || !strings.Contains(err.Error(), "model list") {
		t.Errorf("an embedder that there is not: %v", err)
	}
}
