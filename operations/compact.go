package operations

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/palace/worker"
	"github.com/reverie-memory/reverie/recall"
)

// How many summaries, drawers and groups an answer lists. A group comes with its summary, of some kilobytes.
const (
	mostArchives   = 200
	mostCandidates = 200
	mostGroups     = 50
)

// Compact plans what drawers to put away because newer ones tell them, does so, or brings them back.
func (m Memory) Compact(ctx context.Context, q api.Compact) (api.Compacted, error) {
	q, _, err := admit(m, q)
	if err == nil && (q.Mode == api.CompactRestore) != (len(q.IDs) > 0) {
		err = api.Refuse("ids", "restore, and only that, names what to bring back")
	}
	if err != nil {
		return api.Compacted{}, err
	}
	view, err := m.Searches.Of("", q.Project)
	if err != nil {
		return api.Compacted{}, err
	}
	start := time.Now()
	m.Follower.Settle(ctx)
	out := api.Compacted{
		Mode: q.Mode, DryRun: q.DryRun, Candidates: []api.CompactionCandidate{}, Groups: []api.CompactionGroup{}, Restored: []string{},
	}
	how, err := m.Workers.Compaction().With(compactionFlags(q))
	if err != nil {
		return api.Compacted{}, err
	}
	switch {
	case q.Mode == api.CompactRestore:
		if _, err := m.drawerRows(ctx, q.Project, q.IDs...); err != nil {
			return api.Compacted{}, err
		}
		back, err := m.Workers.Restore(ctx, view, q.IDs, q.DryRun)
		if err != nil {
			return api.Compacted{}, err
		}
		slices.Sort(back)
		out.Restored = list(back)
	case q.Mode == api.CompactExecute && !q.DryRun:
		p, err := m.Workers.Compact(ctx, view, how)
		if err != nil {
			return api.Compacted{}, err
		}
		planned(&out, &p, how, q.CandidateTrace)
		for _, g := range p.Groups {
			out.Archived += len(g.Drawers)
		}
		out.Receipt = recall.NewReceipt()
		if err := m.keepPlan(out.Receipt, q.Project, &p); err != nil {
			return api.Compacted{}, err
		}
	default:
		p, err := m.Workers.Evaluate(ctx, view, how)
		if err != nil {
			return api.Compacted{}, err
		}
		planned(&out, &p, how, q.CandidateTrace)
	}
	out.Archives, err = m.archives(ctx, &view)
	out.ElapsedMS = float64(time.Since(start).Microseconds()) / 1000
	return out, err
}

// compactionFlags are the flags of a request, with those that it names by their short names.
func compactionFlags(q api.Compact) map[string]any {
	flags := maps.Clone(q.Flags)
	if flags == nil {
		flags = map[string]any{}
	}
	if q.Threshold != nil {
		flags["compaction_threshold"] = *q.Threshold
	}
	if q.AgeDays != nil {
		flags["compaction_age_days"] = *q.AgeDays
	}
	if q.DecayEnabled != nil {
		flags["decay_enabled"] = *q.DecayEnabled
	}
	return flags
}

// planned tells a plan: how much of it there is in all, and the first of it.
func planned(out *api.Compacted, p *worker.Plan, how worker.Compaction, batches bool) {
	out.WouldArchive, out.WouldCreateSummaries = len(p.Candidates), p.Summaries()
	grouped := map[string]bool{}
	for _, g := range p.Groups {
		for _, id := range g.Drawers {
			grouped[id] = g.Text != ""
		}
	}
	for _, g := range p.Groups[:min(len(p.Groups), mostGroups)] {
		out.Groups = append(out.Groups, api.CompactionGroup{
			Drawers: g.Drawers, SupersededBy: g.SupersededBy, Wing: g.Wing, Room: g.Room, Summary: g.Text, SummaryID: g.Summary,
		})
	}
	for _, c := range p.Candidates[:min(len(p.Candidates), mostCandidates)] {
		action := "archive"
		if grouped[c.Drawer] {
			action = "consolidate"
		}
		out.Candidates = append(out.Candidates, api.CompactionCandidate{
			DrawerID: c.Drawer, Action: action, Reason: c.Reason(how.Threshold), LTPScore: c.LTP, DecayedLTP: c.Decayed,
			SupersededBy: c.SupersededBy, DaysSinceAccess: c.Days, ConsolidatedInto: c.Summary,
		})
	}
	out.Pagination = pagination(p)
	total, slowest, each := 0.0, 0, make([]float64, len(p.Batches))
	for i, b := range p.Batches {
		each[i] = b.MS
		if total += b.MS; b.MS > p.Batches[slowest].MS {
			slowest = i
		}
		if batches {
			out.Batches = append(out.Batches, api.ScoredBatch{
				BatchIndex: b.Index, Offset: b.Offset, DrawersInBatch: b.Drawers, LTPUpdated: b.Updated, LTPSkippedUnchanged: b.Drawers - b.Updated,
				SupersedeCandidatesFound: b.Superseded, MS: b.MS,
			})
		}
	}
	out.PhaseTimingMS = map[string]float64{"paginated_scoring": total}
	scoring := map[string]any{"total_ms": total, "batches": len(each), "batch_timings_ms": each}
	if len(each) > 0 {
		scoring["avg_batch_ms"] = total / float64(len(each))
		scoring["slowest_batch"] = map[string]any{"index": slowest, "ms": each[slowest], "offset": p.Batches[slowest].Offset}
	}
	out.PhaseDetail = map[string]any{"paginated_scoring": scoring}
	if how.AtOnce {
		out.PhasesSkipped = append(out.PhasesSkipped, "paginated_scoring")
	}
	if how.ScoresAlone {
		out.PhasesSkipped = append(out.PhasesSkipped, "adaptive_compaction")
		return
	}
	out.PhaseTimingMS["adaptive_compaction"] = p.ScanMS + p.SupersedeMS + p.PlanMS
	out.PhaseDetail["adaptive_compaction"] = map[string]any{
		"ltp_scan_ms": p.ScanMS, "supersede_check_ms": p.SupersedeMS, "consolidation_plan_ms": p.PlanMS,
	}
}

func pagination(p *worker.Plan) *api.PaginationState {
	out := api.PaginationState{Total: p.Total, BatchesProcessed: len(p.Batches), ScanDepthReached: p.More}
	if n := len(p.Batches); n > 0 {
		out.LastOffset = p.Batches[n-1].Offset
	}
	return &out
}

// archives lists the summaries that a caller sees, and of those that were forgotten what they leave put away.
func (m Memory) archives(ctx context.Context, view *catalog.View) ([]api.CompactionArchive, error) {
	state, of := m.Drawers.State(), map[string]*api.CompactionArchive{}
	var ids []string
	for id, k := range state {
		s := k.Summary()
		if s == "" {
			continue
		}
		if of[s] == nil {
			of[s] = &api.CompactionArchive{SummaryID: s}
			ids = append(ids, s)
		}
		of[s].Drawers, of[s].At = append(of[s].Drawers, id), max(of[s].At, rfc(time.Unix(k.Archived, 0)))
	}
	rows, err := m.Index.Reader().RowsByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	out := []api.CompactionArchive{}
	for _, row := range rows {
		if a := of[row.ID]; a != nil {
			if delete(of, row.ID); view.Sees(&row) {
				out = append(out, *a)
			}
		}
	}
	var orphans []string // what forgotten summaries told of
	for _, a := range of {
		orphans = append(orphans, a.Drawers...)
	}
	if rows, err = m.Index.Reader().RowsByID(ctx, orphans); err != nil {
		return nil, err
	}
	left := map[string]*api.CompactionArchive{}
	for _, row := range rows {
		if k := state.Of(row.ID); row.ID == row.Drawer && view.Sees(&row) {
			s := k.Summary()
			if left[s] == nil {
				left[s] = &api.CompactionArchive{At: of[s].At}
			}
			left[s].Drawers = append(left[s].Drawers, row.ID)
		}
	}
	for _, a := range left {
		out = append(out, *a)
	}
	for i := range out {
		slices.Sort(out[i].Drawers)
	}
	slices.SortFunc(out, func(a, b api.CompactionArchive) int {
		return cmp.Or(cmp.Compare(b.At, a.At), cmp.Compare(a.SummaryID, b.SummaryID), slices.Compare(a.Drawers, b.Drawers))
	})
	return out[:min(len(out), mostArchives)], nil
}
