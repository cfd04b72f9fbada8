package operations

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/dream"
	"github.com/reverie-memory/reverie/dream/navigate"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/palace/drawers"
	"github.com/reverie-memory/reverie/recall"
	"github.com/reverie-memory/reverie/trust"
	"github.com/reverie-memory/reverie/vault"
)

// Brief tells an agent what is new since its last visit. What cannot be told is in degraded.
func (m Memory) Brief(ctx context.Context, b api.Brief) (api.BriefResult, error) {
	b, _, err := admit(m, b)
	if err != nil {
		return api.BriefResult{}, err
	}
	view, err := m.Searches.Of(b.Agent, b.Wing)
	if err != nil {
		return api.BriefResult{}, err
	}
	now := m.Vault.Now()
	visitor := view.Agent + "\x00" + b.Wing // who comes to one project knows nothing of another
	since, err := m.Visits.Last(visitor)
	var wrong []string
	if err != nil {
		wrong = []string{fmt.Sprintf("brief: the last visit is not known: %v", err)}
	}
	out, err := m.brief(ctx, view, b, since, m.Options.Now, wrong)
	if err != nil || b.Peek {
		return out, err
	}
	err = m.Visits.Note(ctx, visitor, now)
	if ctx.Err() != nil {
		return api.BriefResult{}, err
	}
	if err != nil {
		out.Degraded = uniq(append(out.Degraded, "brief: the visit is not noted: "+err.Error()))
	}
	m.keepTold(ctx, b, "", telling{out.Receipt, out.Text, out.Rows, out.Degraded, since})
	return out, nil
}

// brief is Brief of a request that was admitted, for who sees this and was there last at since, by this clock. brief notes no visit. wrong
// are reasons why it may miss something.
func (m Memory) brief(
	ctx context.Context, view catalog.View, b api.Brief, since time.Time, now func() time.Time, wrong []string,
) (api.BriefResult, error) {
	late := m.Follower.Settle(ctx)
	note := func(what string, err error) {
		if err != nil {
			wrong = append(wrong, fmt.Sprintf("brief: %s: %v", what, err))
		}
	}
	questions, err := m.questions()
	note("the open questions cannot be read", err)
	questions = slices.DeleteFunc(questions, func(r catalog.Row) bool { return !view.Sees(&r) })
	runs, err := m.Consolidation.Runs(ctx)
	note("the dreams cannot be read", err)
	outside := view.Isolated.Around(b.Wing) == "" // dreams leave isolated projects alone
	runs = slices.DeleteFunc(runs, func(r dream.Report) bool {
		return !outside || r.Undone || since.IsZero() || !r.Started.After(since)
	})
	unnamed, err := m.unnamed(ctx)
	note("what was forgotten cannot be read", err)
	if err != nil {
		runs = nil
	}
	dreams := slice.Map(runs, func(r dream.Report) string { return dreamt(r, unnamed) })
	r, release := m.Searches.Searcher(late, view)
	defer release()
	r.Now = now
	res, err := r.Brief(ctx, recall.BriefRequest{
		Since: since, Wing: b.Wing, Questions: questions, Dreams: dreams, Wrong: wrong, DryRun: b.Peek,
	})
	if err != nil {
		return api.BriefResult{}, err
	}
	return api.BriefResult{
		Text: res.Text, Since: rfc(since), New: res.New, Questions: res.Questions, Tasks: res.Tasks, Dreams: len(runs),
		Tokens: recall.Tokens(res.Text), Rows: list(res.Rows), Receipt: res.Receipt, Degraded: uniq(res.Degraded),
	}, nil
}

// dreamt tells of a dream in a line, without pages that are not to be named.
func dreamt(r dream.Report, unnamed func(vault.Path) bool) string {
	out := fmt.Sprintf("A dream on %s read %d facts", r.Started.UTC().Format("2006-01-02 15:04 UTC"), r.Facts)
	if r.Status != dream.Consolidated {
		out += " (" + strings.ReplaceAll(string(r.Status), "_", " ") + ")"
	}
	names := map[string][]string{}
	for _, p := range r.Pages {
		if unnamed(p.Path) {
			continue
		}
		if name := strings.TrimSuffix(path.Base(string(p.Path)), path.Ext(string(p.Path))); trust.Bar(trust.Said{Text: name}, trust.Name) == "" {
			names[p.Change] = append(names[p.Change], name)
		}
	}
	for _, change := range []string{"created", "updated"} {
		if n := names[change]; len(n) > 0 {
			out += fmt.Sprintf("; %s %s", change, strings.Join(n[:min(5, len(n))], ", "))
			if len(n) > 5 {
				out += fmt.Sprintf(" and %d more pages", len(n)-5)
			}
		}
	}
	return out
}

// questions are the open ones, as rows that say whose words they are. A question from sources that no ledger knows is nobody's.
func (m Memory) questions() ([]catalog.Row, error) {
	p := m.Vault.Layout().At(vault.ConflictsPath)
	data, err := m.Vault.ReadFile(p)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	known, err := m.Vault.Accounted()
	if err != nil {
		return nil, err
	}
	var out []catalog.Row
	for i, it := range navigate.ParseItems(data) {
		if it.Ticked || it.Plain {
			continue
		}
		row := catalog.Row{ID: fmt.Sprintf("question %d", i+1), Source: catalog.Notebook, File: p, Text: it.Text}
		if it.Page != "" {
			row.Text = it.Page + ": " + it.Text
		}
		for _, s := range it.Sources {
			a, ok := known.FindOn(s.Day, s.ID)
			if !ok {
				a.Origin = vault.OriginImport
			}
			if row.Origin = trust.Least(row.Origin, a.Origin); row.Cites == nil {
				at := m.Drawers.State().Place(a.Drawer, drawers.Place{Wing: a.Wing, Room: a.Room, Hall: a.Hall})
				row.Speaker, row.Wing, row.Room, row.Hall = a.Speaker, at.Wing, at.Room, at.Hall
			} else if row.Speaker != a.Speaker {
				row.Speaker = "several"
			}
			row.Cites = append(row.Cites, s.ID)
			if at := s.Day.Time(); at.After(row.At) {
				row.At = at
			}
		}
		out = append(out, row)
	}
	slices.SortStableFunc(out, func(a, b catalog.Row) int { return b.At.Compare(a.At) })
	return out, nil
}
