package operations

import (
	"context"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/recall"
)

// The operations of this file are others in the shapes that agents know from palaces elsewhere.

// PalaceSearch is Search over drawers.
func (m Memory) PalaceSearch(ctx context.Context, p api.PalaceSearch) (api.PalaceHits, error) {
	res, err := m.search(ctx, api.Search{
		Query: p.Query, Agent: p.Agent, Wing: p.Project, K: p.Limit, Explain: p.Explain,
		Filters: &api.Filters{SourceType: []string{string(catalog.DrawerText)}, Wing: p.Wing, Room: p.Room, Hall: p.Hall},
	})
	if err != nil {
		return api.PalaceHits{}, err
	}
	out := api.PalaceHits{Results: []api.PalaceHit{}, Degraded: uniq(res.Degraded), Warnings: uniq(res.Warnings)}
	known := m.Drawers.State()
	for _, h := range res.Hits {
		out.Results = append(out.Results, palaceHit(h, m.drawerRef(&h.Row, 1, known.Of(h.Row.Drawer))))
	}
	return out, nil
}

func palaceHit(h recall.Hit, d api.DrawerRef) api.PalaceHit {
	via := "drawer"
	if h.Via == recall.ViaCloset {
		via = h.Via
	}
	return api.PalaceHit{
		ID: d.ID, Wing: d.Wing, Room: d.Room, Hall: d.Hall, Content: h.Row.Text, MemoryType: d.MemoryType, Similarity: h.Cosine,
		Importance: d.Importance, FiledAt: d.FiledAt, MatchedVia: via, ClosetPreview: h.Preview,
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
