package workspace_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/operations"
	"github.com/reverie-memory/reverie/palace"
	"github.com/reverie-memory/reverie/vault"
)

// hang files one drawer.
func hang(t *testing.T, w operations.Memory, wing, room, text string) string {
	t.Helper()
	r, err := w.Remember(t.Context(), api.Turn{
		ChatID: "c-" + wing, Wing: wing, Room: room, Wait: "indexed", Messages: []api.Message{{Role: "user", Content: text}},
	})
	if err != nil || len(r.Drawers) != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	return r.Drawers[0]
}

// What a palace counts are drawers, however many rows each has, and whatever else is filed under their wings.
func TestMapOfThePalace(t *testing.T) {
	w := open(t, nil)
	long := strings.Repeat("The kettle of the office was bought in Lisbon by Alice and is blue. ", 40)
	hang(t, w, "work", "auth", long)
	hang(t, w, "work", "auth", "Sessions end after an hour.")
	hang(t, w, "work", "general", "I prefer tea to coffee in the morning.")
	hang(t, w, "home", "auth", "The door takes a key and a code.")
	hang(t, w, "home", "cake", "The cake needs four eggs.")
	hang(t, w, "", "", "It rains on most days in November.")
	ctx := t.Context()
	if _, err := w.Vault.AppendDrawers(ctx, []vault.Drawer{{
		ID: "d9", At: time.Date(2026, 6, 9, 14, 32, 0, 0, time.UTC), ChatID: "c9", Origin: vault.OriginUser,
		Wing: "technical", Room: "cake", WingBy: vault.ByRule, Text: "The oven is at 180 degrees.",
	}}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Index.Sync(ctx); err != nil {
		t.Fatal(err)
	}

	st, err := w.PalaceStatus(ctx, api.Asker{})
	if err != nil || st.TotalDrawers != 7 || fmt.Sprint(st.Wings) != "[{work 3} {home 2} { 1} {technical 1}]" ||
		fmt.Sprint(st.Rooms) != "[{auth 3} {cake 2} { 1} {general 1}]" {
		t.Errorf("status: %+v, %v", st, err)
	}
	if all, err := w.Status(ctx); err != nil || all.Drawers != st.TotalDrawers {
		t.Errorf("the status says %d drawers, %v", all.Drawers, err)
	}
	if r, err := w.Rooms(ctx, api.RoomQuery{Wing: "home"}); err != nil || fmt.Sprint(r.Rooms) != "[{auth 1} {cake 1}]" {
		t.Errorf("rooms: %+v, %v", r, err)
	}
	tax, err := w.Taxonomy(ctx, api.Asker{})
	if want := map[string]map[string]int{
		"work": {"auth": 2, "general": 1}, "home": {"auth": 1, "cake": 1}, "": {"": 1},
		"technical": {"cake": 1},
	}; err != nil ||
		!maps.EqualFunc(tax.Taxonomy, want, maps.Equal) {
		t.Errorf("taxonomy: %v, %v", tax, err)
	}
	walk, err := w.Traverse(ctx, api.Traverse{StartRoom: "cake", MaxHops: 3})
	if err != nil || len(walk.Rooms) != 2 || walk.Rooms[1].Room.Room != "auth" ||
		!slices.Equal(walk.Rooms[1].ConnectedVia, []string{"home"}) {
		t.Errorf("walk: %+v, %v", walk, err)
	}
	for room, hint := range map[string]string{"general": "says nothing", "aut": `"auth"`} {
		_, err := w.Traverse(ctx, api.Traverse{StartRoom: room, MaxHops: 3})
		var told *api.Error
		if !errors.As(err, &told) || told.Code != api.NotFound || !strings.Contains(told.Hint, hint) {
			t.Errorf("from %s: %v", room, err)
		}
	}
	if tun, err := w.Tunnels(ctx, api.TunnelQuery{WingA: "home"}); err != nil || len(tun.Tunnels) != 1 || tun.Tunnels[0].Count != 3 {
		t.Errorf("tunnels: %+v, %v", tun, err)
	}
	if g, err := w.RoomGraph(ctx, api.Asker{}); err != nil || g.TotalRooms != 2 || g.TunnelRooms != 1 || g.TotalEdges != 1 {
		t.Errorf("graph: %+v, %v", g, err)
	}
}

// An isolated project sees its own part of the map, and the others do not see that.
func TestMapsOfIsolatedProjects(t *testing.T) {
	w := open(t, nil)
	hang(t, w, "secret", "plans", "The plan is to move to Lisbon.")
	hang(t, w, "work", "plans", "The plan is to ship in May.")
	if err := palace.Isolate(t.Context(), w.Vault, "secret", true); err != nil {
		t.Fatal(err)
	}
	for project, want := range map[string]string{"": "[{work 1}]", "secret": "[{secret 1}]"} {
		asker := api.Asker{Project: project}
		if st, err := w.PalaceStatus(t.Context(), asker); err != nil || fmt.Sprint(st.Wings) != want || st.TotalDrawers != 1 {
			t.Errorf("for %q: %+v, %v", project, st, err)
		}
		if tun, err := w.Tunnels(t.Context(), api.TunnelQuery{Asker: asker}); err != nil || len(tun.Tunnels) > 0 {
			t.Errorf("tunnels for %q: %+v, %v", project, tun, err)
		}
		hits, err := w.PalaceSearch(t.Context(), api.PalaceSearch{Project: project, Query: "what is the plan", Limit: 5})
		if err != nil || len(hits.Results) != 1 || strings.Contains(hits.Results[0].Content, "Lisbon") != (project == "secret") {
			t.Errorf("search for %q: %+v, %v", project, hits, err)
		}
	}
}

// The search of the palace gives drawers alone, under their ids, even where a part of a long one answers.
func TestSearchOfThePalace(t *testing.T) {
	w := open(t, nil)
	long := strings.Repeat("We talked about the weather for a long while that day. ", 30) + "The glimmerometer stands in Porto."
	id := hang(t, w, "work", "lab", long)
	hang(t, w, "home", "lab", "The glimmerometer is blue.")
	q := api.PalaceSearch{Query: "Where does the glimmerometer stand?", Limit: 5, Wing: "work", Explain: true}
	r, err := w.PalaceSearch(t.Context(), q)
	if err != nil || len(r.Results) == 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	h := r.Results[0]
	if h.ID != id || h.Wing != "work" || h.Room != "lab" || !strings.Contains(h.Content, "Porto") || h.Importance != 3 || h.FiledAt == "" ||
		h.MemoryType == "" ||
		h.Similarity <= 0 || h.Similarity > 1 || len(h.ScoreBreakdown) == 0 {
		t.Errorf("%+v", h)
	}
	if slices.ContainsFunc(r.Results, func(h api.PalaceHit) bool { return h.Wing != "work" }) {
		t.Errorf("%+v", r)
	}
}

// By whatever name a client calls an agent, it reads what it wrote under that name, and nobody else does.
func TestDiariesOfAgentsOfAClient(t *testing.T) {
	w := open(t, nil)
	write := func(client, agent, entry string) (api.DiaryWritten, error) {
		return w.WriteAgentDiary(t.Context(), api.AgentEntry{Agent: client, AgentName: agent, Entry: entry, Topic: "craft"})
	}
	if _, err := write("claude-code", "Reviewer", "Tables help."); err != nil {
		t.Fatal(err)
	}
	if _, err := write("claude-code", "Claude Code", "Lists help."); err != nil {
		t.Fatal(err)
	}
	for who, want := range map[[2]string]string{
		{"claude-code", "reviewer"}:       "Tables help.",
		{"claude-code", "claude code"}:    "Lists help.",
		{"codex", "reviewer"}:             "",
		{"codex", "claude-code"}:          "",
		{"codex", "claude-code.reviewer"}: "",
		{"", "claude-code.reviewer"}:      "Tables help.", // the person
	} {
		d, err := w.ReadAgentDiary(t.Context(), api.AgentEntries{Agent: who[0], AgentName: who[1], LastN: 10})
		var got string
		for _, e := range d.Entries {
			got += e.Entry
		}
		if err != nil || got != want || got != "" && d.Entries[0].Topic != "craft" {
			t.Errorf("%q: %+v, %v", who, d, err)
		}
	}
	own, err := w.ReadDiary(t.Context(), api.DiaryRead{Agent: "claude-code", LastN: 10})
	if err != nil || len(own.Entries) != 1 || own.Entries[0].Entry != "Lists help." {
		t.Errorf("the client's own diary: %+v, %v", own, err)
	}
	_, err = write("claude-code", strings.Repeat("x", 60), "Nothing helps.")
	if api.CodeOf(err) != api.Invalid || !strings.Contains(err.Error(), "agent_name") {
		t.Errorf("a name that is too long for two: %v", err)
	}
}

func TestIdentityIsPersona(t *testing.T) {
	w := open(t, nil)
	r, err := w.SetIdentity(t.Context(), api.Identity{Content: "Atlas helps Alice with her notes."})
	if err != nil || r.SourceFile != "memory/persona.md" || !r.Changed {
		t.Fatalf("%+v, %v", r, err)
	}
	c, err := w.Context(t.Context(), api.Context{})
	if err != nil || !strings.Contains(c.Layers["L0"], "Atlas") {
		t.Errorf("%+v, %v", c.Layers, err)
	}
}

// The status counts where drawers lie and what became of them; a list has those of a tier and from an importance on.
func TestPalaceStatusCountsAll(t *testing.T) {
	w := open(t, nil)
	r, err := w.Remember(t.Context(), api.Turn{
		ChatID: "c1", Wing: "work", Room: "auth", Hall: "events", Wait: "indexed",
		Messages: []api.Message{{Role: "user", Content: "We decided to use PostgreSQL for the ledger instead of MySQL."}},
	})
	if err != nil {
		t.Fatal(err)
	}
	s, err := w.PalaceStatus(t.Context(), api.Asker{})
	if err != nil || s.TotalDrawers != 1 || !slices.Equal(s.Halls, []api.HallCount{{Hall: "events", Count: 1}}) ||
		s.States["processed"]+s.States["raw"] != 1 || len(s.Sizes) != 3 ||
		s.Sizes[0] != (api.PalaceSize{Of: "drawers", Count: 1, Usual: 10_000}) {
		t.Errorf("%+v, %v", s, err)
	}
	for _, c := range []struct {
		q    api.DrawerQuery
		want int
	}{
		{api.DrawerQuery{Importance: 3}, 1}, {api.DrawerQuery{Importance: 3.5}, 0}, {api.DrawerQuery{Tier: "llm"}, 0},
	} {
		c.q.Limit = 50
		if p, err := w.ListDrawers(t.Context(), c.q); err != nil || len(p.Drawers) != c.want {
			t.Errorf("%+v of %v: %+v, %v", c.q, r.Drawers, p, err)
		}
	}
}

// What asks for closets as hits is told that there are none, instead of finding nothing.
func TestClosetsAreNoHitsAndItIsSaid(t *testing.T) {
	w := open(t, nil)
	_, err := w.Search(t.Context(), api.Search{Query: "boat", Filters: &api.Filters{SourceType: []string{"drawer", "closet"}}})
	var e *api.Error
	if !errors.As(err, &e) || e.Code != api.Invalid || e.Hint == "" {
		t.Errorf("%v", err)
	}
}

// Names that look alike are one, by whatever way they come.
func TestNamesThatLookAlikeAreOne(t *testing.T) {
	w := open(t, nil)
	hang(t, w, "work", "auth", "One.")
	hang(t, w, "wo\u200brk", "\u202eau\u2060th", "Two.")
	if _, err := w.AddDrawer(t.Context(), api.NewDrawer{Wing: "work\u200d", Room: "\ufeffauth\x07", Content: "Three."}); err != nil {
		t.Fatal(err)
	}
	hang(t, w, "می\u200cخواهم", "👩\u200d🚀", "Four.")
	s, err := w.Taxonomy(t.Context(), api.Asker{})
	want := map[string]map[string]int{"work": {"auth": 3}, "می\u200cخواهم": {"👩\u200d🚀": 1}}
	if err != nil || !reflect.DeepEqual(s.Taxonomy, want) {
		t.Errorf("%+v, %v", s.Taxonomy, err)
	}
}

// Each new chunk of a mined folder is told of as well, once, and what a rebuild reads again is not.
func TestAnEventForEachMinedDrawer(t *testing.T) {
	w := open(t, nil)
	dir := t.TempDir()
	note := filepath.Join(dir, "auth", "note.md")
	write := func(text string) {
		t.Helper()
		if err := errors.Join(os.MkdirAll(filepath.Dir(note), 0o700), os.WriteFile(note, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	long := strings.Repeat("The tide table of Trieste hangs in the harbour office. ", 10)
	write("# One\n\n" + long + "\n\n# Two\n\nWe decided to use PostgreSQL for the ledger.\n")
	events := w.Events(t.Context())
	wait := func(act func() error) (told []api.MemoryEvent) {
		t.Helper()
		if err := act(); err != nil {
			t.Fatal(err)
		}
		end := api.Turn{ChatID: "c1", Agent: "end", Messages: []api.Message{{Role: "user", Content: "End."}}}
		if _, err := w.Remember(t.Context(), end); err != nil {
			t.Fatal(err)
		}
		for e := range events {
			switch {
			case e.Memory == nil:
			case e.Memory.Agent == "end":
				return told
			default:
				told = append(told, *e.Memory)
			}
		}
		return told
	}
	mine := func() error {
		_, err := w.Mine(t.Context(), api.Mine{Path: dir, Wing: "lab", Wait: true})
		return err
	}
	first := wait(mine)
	if len(first) != 2 || first[0].Wing != "lab" || first[0].Room != "auth" || first[1].MemoryType != "decision" || first[1].Length < 44 {
		t.Errorf("%+v", first)
	}
	for _, e := range first {
		if _, err := w.ShowDrawer(t.Context(), api.DrawerID{ID: e.DrawerID}); err != nil {
			t.Error(err)
		}
	}
	write("# One\n\n" + long + "\n\n# Two\n\nWe decided to use SQLite for the ledger.\n")
	if again := wait(mine); len(again) != 1 || again[0].DrawerID == first[0].DrawerID {
		t.Errorf("of an edit %+v", again)
	}
	if again := wait(mine); len(again) != 0 {
		t.Errorf("of nothing new %+v", again)
	}
	rebuild := func() error {
		_, err := w.Reindex(t.Context(), api.Reindex{ClearExisting: true, Wait: true})
		return err
	}
	if again := wait(rebuild); len(again) != 0 {
		t.Errorf("of a rebuild %+v", again)
	}
}

// Who listens is told of each drawer where it lies and what it is, and not a word of it.
func TestAnEventForEachDrawer(t *testing.T) {
	w := open(t, nil)
	events := w.Events(t.Context())
	r, err := w.Remember(t.Context(), api.Turn{ChatID: "c1", Wing: "work", Room: "auth", Agent: "codex", Messages: []api.Message{
		{Role: "user", Content: "We decided to use PostgreSQL for the ledger."}, {Role: "assistant", Content: "Größer."},
	}})
	if err != nil {
		t.Fatal(err)
	}
	var told []api.MemoryEvent
	for e := range events {
		if e.Memory != nil {
			told = append(told, *e.Memory)
		}
		if len(told) == 2 {
			break
		}
	}
	for i, e := range told {
		length, kind := []int{44, 7}[i], []string{"decision", "fact"}[i]
		if e.At == "" || !reflect.DeepEqual(e, api.MemoryEvent{
			At: e.At, Workspace: "test", DrawerID: r.Drawers[i], Wing: "work", Room: "auth", MemoryType: kind, Agent: "codex",
			Length: length,
		}) {
			t.Errorf("%+v", e)
		}
	}
}
