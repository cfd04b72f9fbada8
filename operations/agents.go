package operations

import (
	"cmp"
	"context"
	"time"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/palace/drawers"
	"github.com/reverie-memory/reverie/recall"
)

// These operations are others in the shapes that agents know from palaces elsewhere.

// PalaceSearch is Search over drawers.
func (m Memory) PalaceSearch(ctx context.Context, p api.PalaceSearch) (api.PalaceHits, error) {
	res, err := m.search(ctx, api.Search{
		Query: p.Query, Agent: p.Agent, Wing: p.Project, K: p.Limit, Explain: p.Explain,
		Filters: &api.Filters{SourceType: []string{string(catalog.DrawerText)}, Wing: p.Wing, Room: p.Room},
	})
	if err != nil {
		return api.PalaceHits{}, err
	}
	out := api.PalaceHits{Results: []api.PalaceHit{}, Degraded: uniq(res.Degraded), Warnings: uniq(res.Warnings)}
	known := m.Drawers().State()
	for _, h := range res.Hits {
		out.Results = append(out.Results, m.palaceHit(h, known.Of(h.Row.Drawer)))
	}
	return out, nil
}

func (m Memory) palaceHit(h recall.Hit, k drawers.Known) api.PalaceHit {
	filed := h.Row.At
	if !h.Row.Filed.IsZero() {
		filed = h.Row.Filed
	}
	return api.PalaceHit{
		ID: h.Row.Drawer, Wing: h.Row.Wing, Room: h.Row.Room, Content: h.Row.Text, MemoryType: cmp.Or(k.Type, h.Row.Type), Similarity: h.Cosine,
		Importance:     k.Importance(drawers.DefaultDecay, m.Vault().Now(), filed, time.Time{}),
		FiledAt:        rfc(filed),
		ScoreBreakdown: h.Breakdown,
	}
}

// SetIdentity is SetCore of persona.md.
func (m Memory) SetIdentity(ctx context.Context, i api.Identity) (api.CoreSet, error) {
	return m.SetCore(ctx, api.SetCore{Which: "persona", Content: i.Content})
}

// WriteAgentDiary is WriteDiary under the name that an agent of a client goes by.
func (m Memory) WriteAgentDiary(ctx context.Context, e api.AgentEntry) (api.DiaryWritten, error) {
	e, redactions, err := admit(m, e)
	if err != nil {
		return api.DiaryWritten{}, err
	}
	agent, err := diaryOf(e.Agent, e.AgentName)
	if err != nil {
		return api.DiaryWritten{}, err
	}
	out, err := m.WriteDiary(ctx, api.DiaryWrite{Agent: agent, Wing: e.Wing, Entry: e.Entry, Topic: e.Topic})
	out.Redactions += redactions
	return out, err
}

// ReadAgentDiary is ReadDiary under the name that an agent of a client goes by.
func (m Memory) ReadAgentDiary(ctx context.Context, e api.AgentEntries) (api.Diary, error) {
	e, _, err := admit(m, e)
	if err != nil {
		return api.Diary{}, err
	}
	agent, err := diaryOf(e.Agent, e.AgentName)
	if err != nil {
		return api.Diary{}, err
	}
	return m.ReadDiary(ctx, api.DiaryRead{Agent: agent, Wing: e.Wing, LastN: e.LastN})
}

// diaryOf is whose diary a client means by the name of an agent: its own, or that of one that it runs. Whatever name is given, no client
// reads the diary of another.
func diaryOf(client, agent string) (string, error) {
	if client == "" || agent == client {
		return agent, nil
	}
	return agentName(client+"."+agent, "agent_name")
}
