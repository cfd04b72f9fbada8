package workspace_test

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/operations"
	"github.com/reverie-memory/reverie/recall"
)

// compactionPhases are the phases of a compaction in the order in which they run, each with what tells that it was at work.
var compactionPhases = []struct {
	name   string
	flags  map[string]any // name: the default
	detail []string       // of phase_detail
	shows  func(with, without api.Compacted) bool
	hook   string
	kept   []string // of a replay packet
}{
	{
		"paginated_scoring",
		map[string]any{"paginated_scoring": true, "batch_size": 5000.0, "max_scan_depth": 50_000.0},
		[]string{"total_ms", "batches", "batch_timings_ms", "avg_batch_ms", "slowest_batch"},
		func(with, without api.Compacted) bool {
			return len(with.Batches) == 3 && with.Pagination.ScanDepthReached && with.Batches[1].Offset == 1 &&
				len(without.Batches) == 1 && without.Batches[0].DrawersInBatch == 4 && !without.Pagination.ScanDepthReached
		},
		"PostBatch",
		[]string{`"pagination_state":{"total":4,"batches_processed":3,"last_offset":2,"scan_depth_reached":true}`},
	},
	{
		"adaptive_compaction",
		map[string]any{
			"adaptive_compaction": true, "compaction_threshold": 0.3, "compaction_age_days": 30.0, "decay_enabled": false, "decay_lambda": 0.01,
		},
		[]string{"ltp_scan_ms", "supersede_check_ms", "consolidation_plan_ms"},
		func(with, without api.Compacted) bool {
			return with.WouldArchive >= 2 && strings.HasPrefix(with.Candidates[0].Reason, "ltp=") &&
				without.WouldArchive == 0 && without.Pagination.BatchesProcessed == 3
		},
		"PostCompactionPlan",
		[]string{`"compaction_candidates":[{"id":`, `"compaction_plan":{"groups":[[`},
	},
}

// onAsRare are flags by which each phase shows: of four drawers three are scored, of which two at least are superseded.
var onAsRare = map[string]any{"batch_size": 1, "max_scan_depth": 3, "compaction_age_days": 0}

// Of each phase of a compaction: it stands in the table with its flags, and its timing, trace, dry run, replay and hook are as those of the
// phases of a search.
func TestPhasesOfCompactions(t *testing.T) {
	called := map[string]int{}
	w := prepare(t, t.TempDir(), func(c *config.Config) { quiet(c); replaying(c) })
	w.Options.Hooks = recall.Hooks{
		PostBatch:          func(recall.Batch) { called["PostBatch"]++ },
		PostCompactionPlan: func(recall.CompactionPlan) { called["PostCompactionPlan"]++ },
	}
	start(t, w)
	compactable(t, w, func(i int, text string) string { return say(t, w, fmt.Sprint("c", i), text).Drawers[0] })
	compact := func(mode string, dry bool, flag string, value any) api.Compacted {
		t.Helper()
		flags := maps.Clone(onAsRare)
		flags[flag] = value
		got, err := w.Compact(t.Context(), api.Compact{Mode: mode, DryRun: dry, CandidateTrace: true, Flags: flags})
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	listed, err := w.Profiles(t.Context())
	if err != nil || len(listed.Compaction.Phases) != len(compactionPhases) {
		t.Fatalf("%+v: %v", listed.Compaction, err)
	}
	defaults := map[string]any{}
	for _, f := range listed.Compaction.Flags {
		defaults[f.Name] = f.Default
	}
	for i, ph := range compactionPhases {
		if got := listed.Compaction.Phases[i]; got.Name != ph.name || got.Switch != ph.name {
			t.Errorf("phase %d is %+v", i, got)
		}
		for name, want := range ph.flags {
			if defaults[name] != want {
				t.Errorf("%s is %v", name, defaults[name])
			}
		}
		with, without := compact(api.CompactEvaluate, false, ph.name, true), compact(api.CompactEvaluate, false, ph.name, false)
		t.Run(ph.name+"/timing", func(t *testing.T) {
			_, timed := with.PhaseTimingMS[ph.name]
			if !timed || len(with.PhasesSkipped) > 0 || !slices.Equal(without.PhasesSkipped, []string{ph.name}) {
				t.Errorf("%+v, %v, without %v", with.PhaseTimingMS, with.PhasesSkipped, without.PhasesSkipped)
			}
			detail, _ := with.PhaseDetail[ph.name].(map[string]any)
			for _, key := range ph.detail {
				if detail[key] == nil {
					t.Errorf("no %s in %v", key, detail)
				}
			}
		})
		t.Run(ph.name+"/trace", func(t *testing.T) {
			if !ph.shows(with, without) {
				t.Errorf("%+v, without %+v", with, without)
			}
		})
		t.Run(ph.name+"/dry run", func(t *testing.T) {
			before := tree(t, w)
			dry := compact(api.CompactExecute, true, ph.name, true)
			if now := tree(t, w); !reflect.DeepEqual(now, before) || dry.Archived != 0 || dry.Receipt != "" || !ph.shows(dry, without) {
				t.Errorf("%+v", dry)
			}
		})
		t.Run(ph.name+"/hook", func(t *testing.T) {
			clear(called)
			if compact(api.CompactEvaluate, false, ph.name, true); called[ph.hook] == 0 {
				t.Errorf("%s was not called", ph.hook)
			}
		})
	}
	done := compact(api.CompactExecute, false, "paginated_scoring", true)
	r := why(t, w, done.Receipt)
	for _, ph := range compactionPhases {
		t.Run(ph.name+"/replay", func(t *testing.T) {
			if !r.Same || len(r.Hits) != done.Archived || r.Pagination.BatchesProcessed != 3 || len(r.Plan.Groups) == 0 {
				t.Errorf("%+v", r)
			}
			for _, kept := range ph.kept {
				if len(inVault(t, w, kept)) != 1 {
					t.Errorf("no packet has %s", kept)
				}
			}
		})
	}
	before := tree(t, w)
	back, err := w.Compact(t.Context(), api.Compact{Mode: api.CompactRestore, IDs: done.Groups[0].Drawers[:1], DryRun: true})
	if err != nil || !slices.Equal(back.Restored, done.Groups[0].Drawers[:1]) || !reflect.DeepEqual(tree(t, w), before) {
		t.Errorf("%+v: %v", back, err)
	}
}

// A flag that no phase has, and one that a search does not have, are told so.
func TestFlagsOfCompactions(t *testing.T) {
	w := open(t, quiet)
	if _, err := w.Compact(t.Context(), api.Compact{Flags: map[string]any{"compaction_treshold": 1}}); err == nil ||
		!strings.Contains(err.Error(), `did you mean "compaction_threshold"?`) {
		t.Error(err)
	}
	_, err := operations.Search.Run(t.Context(), w, []byte(`{"query":"tea","flags":{"adaptive_compaction":true}}`))
	if e, ok := err.(*api.Error); !ok || !strings.Contains(e.Hint, "/memory/palace/compact") {
		t.Errorf("%#v", err)
	}
}

// tree is the files of vault and data folder by their names, without those that are written behind answers.
func tree(t *testing.T, w operations.Memory) map[string]string {
	t.Helper()
	w.Follower.Settle(t.Context())
	out := map[string]string{}
	for _, dir := range []string{w.Options.Vault, w.Options.DataDir} {
		err := filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || strings.Contains(p, "watch") {
				return err
			}
			data, err := os.ReadFile(p)
			out[p] = string(data)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}
