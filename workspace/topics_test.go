package workspace_test

import (
	"testing"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/operations"
)

// guessed is where the drawers of a vault hang, by their texts.
func guessed(t *testing.T, w operations.Memory) map[string]string {
	t.Helper()
	page, err := w.ListDrawers(t.Context(), api.DrawerQuery{Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, d := range page.Drawers {
		out[d.Text] = d.Wing + "/" + d.Room + "/" + d.WingBy
	}
	return out
}

// Where nobody names wing and room, rules do if they are asked to, and nothing but the place of drawers comes of it: no page, no tunnel,
// nothing that keeps to itself.
func TestTopicsHangWhatNobodyDid(t *testing.T) {
	const decided, named = "We decided to use Postgres for the invoices instead of MongoDB.", "The garage is painted green."
	fill := func(change func(*config.Config)) operations.Memory {
		w := open(t, change)
		say(t, w, "c1", decided)
		if _, err := w.Remember(t.Context(), api.Turn{
			ChatID: "c2", Wing: "home", Room: "decisions", Wait: "indexed", Messages: []api.Message{{Role: "user", Content: named}},
		}); err != nil {
			t.Fatal(err)
		}
		return w
	}
	if got := guessed(t, fill(quiet)); got[decided] != "//" || got[named] != "home/decisions/" {
		t.Errorf("nobody asked for rules: %q", got)
	}
	w := fill(func(c *config.Config) { quiet(c); c.Palace.Topics = true })
	if got := guessed(t, w); got[decided] != "conversations/decisions/rule" || got[named] != "home/decisions/" {
		t.Errorf("%q", got)
	}
	facts, err := w.FactList(t.Context(), api.FactQuery{Limit: 10})
	if err != nil || len(facts.Facts) == 0 {
		t.Fatalf("%+v: %v", facts, err)
	}
	for _, f := range facts.Facts {
		if f.Wing == "conversations" {
			t.Errorf("a fact hangs by rule: %+v", f)
		}
	}
	if tunnels, err := w.Tunnels(t.Context(), api.TunnelQuery{}); err != nil || len(tunnels.Tunnels) > 0 {
		t.Errorf("%+v: %v", tunnels, err)
	}
	if _, err := w.Isolate(t.Context(), api.Isolate{Wing: "conversations"}); err != nil {
		t.Fatal(err)
	}
	if !tells(find(t, w, "Postgres invoices"), "Postgres") {
		t.Error("a wing that rules chose keeps something to itself")
	}
	verified(t, w)
}
