package operations

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/dream"
	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/dreams"
	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/vault"
)

// Consolidate runs a dream now; see [dreams.Dreams.Consolidate].
func (m Memory) Consolidate(ctx context.Context, c api.Consolidate) (api.Consolidation, error) {
	if err := m.Follower.SettleFacts(ctx); err != nil {
		return api.Consolidation{}, err
	}
	if c.Estimate {
		return m.estimate(ctx)
	}
	rep, err := m.Consolidation.Consolidate(ctx, c.DryRun)
	if err != nil {
		return api.Consolidation{}, refusal(err)
	}
	return m.consolidation(ctx, rep)
}

func (m Memory) estimate(ctx context.Context) (api.Consolidation, error) {
	e, err := m.Consolidation.Estimate(ctx)
	if err != nil {
		return api.Consolidation{}, refusal(err)
	}
	d, err := m.Consolidation.Decide(ctx, true)
	if err != nil {
		return api.Consolidation{}, refusal(err)
	}
	mark, _, err := m.Vault.Watermark()
	if err != nil {
		return api.Consolidation{}, err
	}
	out := consolidation(dream.Report{Status: dream.Planned, Days: d.Days, Watermark: mark})
	cost := api.DreamEstimate(e)
	out.Estimate = &cost
	return out, nil
}

// UndoDream takes a run back.
func (m Memory) UndoDream(ctx context.Context, r api.DreamRun) (api.UndoResult, error) {
	if err := m.Follower.WaitReady(ctx); err != nil {
		return api.UndoResult{}, err
	}
	u, err := m.Consolidation.Undo(ctx, runOf(r.ID))
	if err != nil {
		return api.UndoResult{}, undoRefusal(u, err)
	}
	return api.UndoResult{
		RunID: u.Run, Restored: texts(u.Restored), Kept: texts(u.Kept), Gone: texts(u.Gone),
		Watermark: string(u.Watermark),
	}, nil
}

// CancelDream stops the run under way and waits until it has stopped.
func (m Memory) CancelDream(ctx context.Context) (api.DreamCancelled, error) {
	run, err := m.Consolidation.Cancel(ctx)
	return api.DreamCancelled{RunID: run}, refusal(err)
}

// Dreams lists the runs, the newest first.
func (m Memory) Dreams(ctx context.Context, p api.Page) (api.DreamRuns, error) {
	runs, err := m.Consolidation.Runs(ctx)
	if err != nil {
		return api.DreamRuns{}, err
	}
	out := api.DreamRuns{Runs: []api.Consolidation{}, Total: len(runs)}
	for _, r := range cut(runs, p.Offset, p.Limit) {
		run, err := m.consolidation(ctx, r)
		if err != nil {
			return api.DreamRuns{}, err
		}
		out.Runs = append(out.Runs, run)
	}
	return out, nil
}

// runOf is the run that a request names, as [dream.Runner] does: "" for the newest.
func runOf(id string) string {
	if id == api.Latest {
		return ""
	}
	return id
}

// Dream tells everything about a run; the newest is the newest that read the fact, where one is asked for.
func (m Memory) Dream(ctx context.Context, q api.DreamQuery) (api.DreamDetail, error) {
	run := runOf(q.ID)
	if run == "" && q.Fact != "" {
		var err error
		if run, err = m.Consolidation.RunOf(ctx, q.Fact); err != nil {
			return api.DreamDetail{}, refusal(err)
		}
	}
	det, err := m.Consolidation.Show(ctx, run)
	if err != nil {
		return api.DreamDetail{}, refusal(err)
	}
	q.Limit = cmp.Or(q.Limit, api.DreamLimit)
	ops, lines := det.Ops, det.LedgerOf
	if q.Fact != "" {
		ops, lines = nil, nil
		for _, op := range det.Ops {
			if tellsOf(op, q.Fact) {
				ops = append(ops, op)
			}
		}
		for _, l := range det.LedgerOf {
			if l.Fact == q.Fact {
				lines = append(lines, l)
			}
		}
		if len(lines) == 0 {
			return api.DreamDetail{}, &api.Error{Code: api.NotFound, Detail: fmt.Sprintf("the dream %s did not read a fact %q", det.Report.Run,
				q.Fact)}
		}
	}
	report, err := m.consolidation(ctx, det.Report)
	if err != nil {
		return api.DreamDetail{}, err
	}
	out := api.DreamDetail{
		Report: report, Changes: []api.DreamChange{}, ChangesAll: len(ops), Facts: []api.FactOutcome{}, FactsAll: len(lines),
	}
	ops = cut(ops, q.Offset, q.Limit)
	hides, err := m.forgottenOps(ops)
	if err != nil {
		return api.DreamDetail{}, err
	}
	unnamed, err := m.unnamed(ctx)
	if err != nil {
		return api.DreamDetail{}, err
	}
	for _, op := range ops {
		out.Changes = append(out.Changes, change(hides(op), unnamed))
	}
	lines = cut(lines, q.Offset, q.Limit)
	told, err := m.factTexts(lines)
	if err != nil {
		return api.DreamDetail{}, err
	}
	for _, l := range lines {
		if unnamed(l.Page) {
			l.Page = ""
		}
		out.Facts = append(out.Facts, api.FactOutcome{
			Fact: l.Fact, Day: string(l.Day), Text: told[l.Fact], Outcome: string(l.Outcome), Page: string(l.Page),
			Reason: l.Reason, By: l.By, Drawer: l.Drawer, Ref: l.Ref, Speaker: l.Speaker,
		})
	}
	return out, nil
}

func tellsOf(op dream.Op, fact string) bool {
	return slices.ContainsFunc(op.Facts, func(a dream.Account) bool { return a.Fact == fact })
}

// forgottenOps gives a function that takes out of an op what was forgotten since: by its words, or because a fact was that it rests on.
func (m Memory) forgottenOps(ops []dream.Op) (func(dream.Op) dream.Op, error) {
	stones, err := m.Vault.Tombstones()
	if err != nil || stones.Empty() {
		return func(op dream.Op) dream.Op { return op }, err
	}
	dead := map[page.Source]bool{}
	read := map[vault.Day]bool{}
	note := func(src []page.Source) error {
		for _, s := range src {
			if read[s.Day] {
				continue
			}
			read[s.Day] = true
			facts, err := m.factsOn(s.Day)
			if err != nil {
				return err
			}
			for _, f := range facts {
				dead[page.Source{Day: s.Day, ID: f.ID}] = stones.Visible(f.Text) != f.Text
			}
		}
		return nil
	}
	gone := func(text string, src []page.Source) bool {
		return stones.Visible(text) != text || slices.ContainsFunc(src, func(s page.Source) bool { return dead[s] })
	}
	for i := range ops {
		err = errors.Join(err, note(ops[i].Sources))
		for _, o := range slices.Concat(ops[i].Options, ops[i].Rejected) {
			err = errors.Join(err, note(o.Sources))
		}
	}
	return func(op dream.Op) dream.Op {
		if gone(op.Text, op.Sources) || gone(op.Was, nil) {
			op.Text, op.Was, op.Note, op.Question, op.Reason = "", "", "", "", "forgotten"
		}
		op.Options = slices.Clone(op.Options)
		for i := range op.Options {
			if o := &op.Options[i]; gone(o.Text, o.Sources) {
				o.Text, op.Question = "", ""
			}
		}
		return op
	}, err
}

// factTexts reads the facts of the lines from the logs. What was forgotten since is left out.
func (m Memory) factTexts(lines []dream.LedgerLine) (map[string]string, error) {
	stones, err := m.Vault.Tombstones()
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	read := map[vault.Day]bool{}
	for _, l := range lines {
		if read[l.Day] || l.Day == "" {
			continue
		}
		read[l.Day] = true
		facts, err := m.factsOn(l.Day)
		if err != nil {
			return nil, err
		}
		for _, f := range facts {
			if _, gone := stones.Match(f.Text); !gone {
				out[f.ID] = f.Text
			}
		}
	}
	return out, nil
}

// factsOn reads the facts of a day's log.
func (m Memory) factsOn(day vault.Day) ([]vault.Fact, error) {
	data, err := m.Vault.ReadFile(vault.LogPath(day))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return vault.ParseLog(vault.LogPath(day), data).Facts, err
}

// cut is the page of a list that begins at offset.
func cut[T any](all []T, offset, limit int) []T {
	from := min(max(0, offset), len(all))
	return all[from:min(len(all), from+max(0, limit))]
}

// unnamed gives a function that says of a page whether its name would tell what was forgotten: the page is gone, and nothing that is shown
// has all words of its name any more.
func (m Memory) unnamed(ctx context.Context) (func(vault.Path) bool, error) {
	stones, err := m.Vault.Tombstones()
	if err != nil || stones.Empty() {
		return func(vault.Path) bool { return false }, err
	}
	known := map[vault.Path]bool{}
	return func(p vault.Path) bool {
		is, ok := known[p]
		if !ok && p != "" {
			_, err := m.Vault.Stat(p)
			is = gone(err) && !m.shows(ctx, strings.TrimSuffix(path.Base(string(p)), path.Ext(string(p))))
			known[p] = is
		}
		return is
	}, nil
}

// shows says whether each word of a name stands in something that is found.
func (m Memory) shows(ctx context.Context, name string) bool {
	terms := lexis.Terms(name)
	if len(terms) == 0 {
		return true
	}
	counts, err := m.Index.Reader().DocFreqs(ctx, terms)
	return err == nil && slices.Min(counts) > 0
}

// consolidation is a report without the names of pages that would tell what was forgotten.
func (m Memory) consolidation(ctx context.Context, r dream.Report) (api.Consolidation, error) {
	unnamed, err := m.unnamed(ctx)
	if err != nil {
		return api.Consolidation{}, err
	}
	all := r.Pages
	r.Pages = slices.DeleteFunc(slices.Clone(all), func(c dream.PageChange) bool { return unnamed(c.Path) })
	r.Notes = slices.DeleteFunc(slices.Clone(r.Notes), func(note string) bool {
		return slices.ContainsFunc(all, func(c dream.PageChange) bool { return unnamed(c.Path) && strings.Contains(note, string(c.Path)) })
	})
	return consolidation(r), nil
}

func consolidation(r dream.Report) api.Consolidation {
	out := api.Consolidation{
		RunID: r.Run, Status: string(r.Status), Mode: string(r.Mode), Days: texts(r.Days), Facts: r.Facts, Ledger: ledger(r.Ledger),
		Pages: []api.PageChange{}, Watermark: string(r.Watermark), Diff: r.Diff, Seconds: r.Seconds, Phases: r.Phases, Started: rfc(r.Started),
		Resumed: r.Resumed, Undone: r.Undone, Late: r.Late, Replanned: r.Replanned, Conflicts: r.Conflicts, Settled: r.Settled,
		Forgotten: r.Forgotten, Gate: (*api.RecallGate)(r.Gate), Model: (*api.ModelUse)(r.Model), Notes: r.Notes,
		Degraded: append([]string{}, r.Degraded...),
	}
	for _, p := range r.Pages {
		out.Pages = append(out.Pages, api.PageChange{Path: string(p.Path), Change: p.Change})
	}
	return out
}

func ledger(m map[dream.Outcome]int) api.Ledger {
	return api.Ledger{
		Kept: m[dream.Kept], Merged: m[dream.Merged], Superseded: m[dream.Superseded], Duplicate: m[dream.Duplicate],
		Conflict: m[dream.Conflicted], Dropped: m[dream.Dropped], Unfiled: m[dream.Unfiled],
	}
}

func change(op dream.Op, unnamed func(vault.Path) bool) api.DreamChange {
	if unnamed(op.Page) || unnamed(op.About) {
		op = dream.Op{Kind: op.Kind, By: op.By, Facts: op.Facts, Reason: "forgotten"}
	}
	out := api.DreamChange{
		Op: string(op.Kind), Page: string(op.Page), Section: op.Section, Text: op.Text, Was: op.Was, Note: op.Note,
		Question: op.Question, Reason: op.Reason, By: op.By,
	}
	if op.Meta != nil {
		out.Text = op.Meta.Title
	}
	if op.Kind == dream.TakePage || op.Kind == dream.MoveLine {
		out.Note = "to " + string(op.About)
	}
	for _, o := range op.Options {
		out.Options = append(out.Options, o.Text)
	}
	for _, a := range op.Facts {
		out.Facts = append(out.Facts, a.Fact)
	}
	return out
}

// texts are names of any kind as plain strings; JSON shows [] for none.
func texts[T ~string](names []T) []string {
	return slice.Map(names, func(n T) string { return string(n) })
}

// undoRefusal says why a run is not taken back, and where it clashes.
func undoRefusal(u dream.UndoReport, err error) error {
	switch {
	case errors.Is(err, dream.ErrUndone):
		return &api.Error{
			Code: api.Conflict, Detail: fmt.Sprintf("the dream %s was taken back already", u.Run), Err: err,
			Hint: "`reverie dream log` lists the others",
		}
	case errors.Is(err, dream.ErrSealed):
		return &api.Error{
			Code: api.Conflict, Detail: fmt.Sprintf("the dream %s cannot be taken back: something that it knew was purged since", u.Run), Err: err,
			Hint: "correct the pages by hand; `reverie dream show` tells what it changed",
		}
	case errors.Is(err, dream.ErrPruned):
		return &api.Error{
			Code: api.Conflict, Detail: fmt.Sprintf("the dream %s cannot be taken back: its copies of the pages were dropped after "+
				"consolidation.keep_runs later ones", u.Run), Err: err,
			Hint: "correct the pages by hand; `reverie dream show` tells what it changed",
		}
	case errors.Is(err, dream.ErrClash):
		return &api.Error{
			Code: api.Conflict, Detail: fmt.Sprintf("the dream %s cannot be taken back: the same lines were edited since (%s)", u.Run,
				strings.Join(u.Clashes, "; ")), Err: err,
			Hint: "nothing was changed; take your edits of these lines back first, or correct the pages by hand",
		}
	}
	return refusal(err)
}

// refusal gives what stands in the way the words and the hint for a person.
func refusal(err error) error {
	var held *dreams.HeldError
	switch {
	case errors.As(err, &held):
		return &api.Error{
			Code: api.Conflict, Detail: held.Error(), Err: err,
			Hint: "wait until then; if that dream is yours, carry its run in every step; step abandon or `reverie dream cancel` drops it, and " +
				"nothing is lost",
		}
	case errors.Is(err, dreams.ErrNoSteps):
		return &api.Error{
			Code: api.NotFound, Detail: err.Error(), Err: err,
			Hint: "it was finished (`reverie dream log` lists what finished), dropped, or nobody went on with it in time; nothing is lost: " +
				"begin again with step next and without a run",
		}
	case errors.Is(err, dream.ErrGivenUp):
		return &api.Error{Code: api.Conflict, Detail: err.Error(), Err: err, Hint: "ask for step run"}
	case errors.Is(err, dream.ErrRunning):
		return &api.Error{
			Code: api.Conflict, Detail: "a dream is running already", Err: err,
			Hint: "`reverie dream` shows how far it is; wait for it, or stop it with `reverie dream cancel`",
		}
	case errors.Is(err, dream.ErrCanceled):
		return &api.Error{Code: api.Conflict, Detail: "the dream was cancelled", Err: err, Hint: "nothing is lost; the next run goes on with it"}
	case errors.Is(err, dream.ErrNoRun), errors.Is(err, dreams.ErrNone):
		return &api.Error{Code: api.NotFound, Detail: err.Error(), Err: err}
	}
	return err
}
