package operations

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/vault"
)

// WriteDiary appends an entry to an agent's diary, and returns after it is safe on disk and, if that takes no longer than usual, can be
// found. An entry whose id is known is not written again.
func (m Memory) WriteDiary(ctx context.Context, w api.DiaryWrite) (api.DiaryWritten, error) {
	w, redactions, err := admit(m, w)
	if err != nil {
		return api.DiaryWritten{}, err
	}
	agent := vault.AgentName(w.Agent)
	entry := vault.Fact{ID: vault.NewID('e'), Category: w.Topic, Text: w.Entry}
	out := api.DiaryWritten{Redactions: redactions, Degraded: []string{}}
	stones, err := m.Vault.Tombstones()
	switch {
	case err != nil:
		return out, err
	case agent == "":
		return out, api.Refuse("agent", "must hold a letter or a digit")
	case strings.TrimSpace(w.Entry) == "":
		return out, api.Refuse("entry", "must not be empty")
	}
	if why, gone := stones.Match(w.Entry); gone {
		return out, api.Refuse("entry", vault.Forgotten(why).Error())
	}
	if w.EntryID != "" {
		entry.ID = vault.DeriveID('e', agent, w.EntryID)
		if known, err := m.entry(ctx, agent, entry.ID); err != nil || known != nil {
			if known != nil {
				out.DiaryEntry = *known
			}
			return out, err
		}
	}
	written, err := m.Vault.AppendDiary(ctx, agent, []vault.SectionFacts{{
		Section: vault.Section{Origin: vault.OriginAgent, Agent: agent, Wing: w.Wing}, Facts: []vault.Fact{entry},
	}})
	if err != nil {
		return out, fmt.Errorf("write the diary: %w", err)
	}
	p := vault.DiaryPath(agent, written[0].Day)
	out.DiaryEntry = diaryEntry(p, &written[0])
	if _, err := m.Index.Sync(ctx, p); err != nil {
		out.Degraded = append(out.Degraded, "not searchable yet: "+err.Error())
	}
	return out, nil
}

// ReadDiary gives the newest entries of an agent's diary, as its files have them. What was forgotten is left out.
func (m Memory) ReadDiary(ctx context.Context, r api.DiaryRead) (api.Diary, error) {
	r, _, err := admit(m, r)
	if err != nil {
		return api.Diary{}, err
	}
	view, err := m.Searches.Of(r.Agent, r.Wing)
	if err != nil {
		return api.Diary{}, err
	}
	if view.Agent == "" {
		return api.Diary{}, api.Refuse("agent", "must hold a letter or a digit")
	}
	stones, err := m.Vault.Tombstones()
	if err != nil {
		return api.Diary{}, err
	}
	all := []api.DiaryEntry{}
	err = m.Vault.EachEntry(ctx, nil, func(p vault.Path, f *vault.Fact) {
		row := catalog.Row{Source: catalog.Diary, Agent: path.Base(path.Dir(string(p))), Wing: f.Section.Wing}
		if e := diaryEntry(p, f); view.Sees(&row) && stones.Lost() == 0 {
			if e.Entry = stones.Visible(e.Entry); e.Entry != "" {
				all = append(all, e)
			}
		}
	})
	slices.Reverse(all)
	slices.SortStableFunc(all, func(a, b api.DiaryEntry) int { return strings.Compare(b.Date, a.Date) })
	return api.Diary{Agent: view.Agent, Entries: all[:min(len(all), max(r.LastN, 1))]}, err
}

// entry is the entry of an agent's diary with that id, nil for none.
func (m Memory) entry(ctx context.Context, agent, id string) (found *api.DiaryEntry, err error) {
	holds := func(data []byte) bool { return strings.Contains(string(data), id) }
	err = m.Vault.EachEntry(ctx, holds, func(p vault.Path, f *vault.Fact) {
		if f.ID == id && path.Base(path.Dir(string(p))) == agent {
			e := diaryEntry(p, f)
			found = &e
		}
	})
	return found, err
}

func diaryEntry(p vault.Path, f *vault.Fact) api.DiaryEntry {
	e := api.DiaryEntry{
		ID: f.ID, Date: f.Section.At.UTC().Format(time.RFC3339), Entry: f.Text, Wing: f.Section.Wing,
		SourceFile: string(p), Line: f.Line,
	}
	if f.Category != vault.DefaultCategory {
		e.Topic = f.Category
	}
	return e
}
