package workspace_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

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

// People's own words hang drawers before rules by type do. Nothing else comes of it, also not to searches, and a move corrects it.
func TestOwnPlacesHangWhatNobodyDid(t *testing.T) {
	const decided, garden, other = "We decided to use Postgres for the invoices.", "The fern by the pond wants water.", "The kettle is new."
	fill := func(change func(*config.Config)) operations.Memory {
		w := open(t, func(c *config.Config) { quiet(c); change(c) })
		for i, text := range []string{decided, garden, other} {
			at := time.Date(2026, 6, 1, i, 0, 0, 0, time.UTC)
			if _, err := w.Remember(t.Context(), api.Turn{
				ChatID: "c1", TurnID: fmt.Sprint("t", i), Wait: "indexed", Messages: []api.Message{{Role: "user", Content: text, At: &at}},
			}); err != nil {
				t.Fatal(err)
			}
		}
		return w
	}
	own := func(c *config.Config) {
		c.Palace.Places = map[string][]string{"home/garden": {"fern*"}, "work": {"invoice*"}}
	}
	w, plain := fill(own), fill(func(*config.Config) {})
	if got := guessed(t, w); got[garden] != "home/garden/rule" || got[decided] != "work//rule" || got[other] != "//" {
		t.Errorf("%q", got)
	}
	both := fill(func(c *config.Config) { own(c); c.Palace.Topics = true })
	if got := guessed(t, both); got[garden] != "home/garden/rule" || !strings.HasPrefix(got[other], "conversations/") {
		t.Errorf("with rules by type: %q", got)
	}
	for _, q := range []string{"fern water", "Postgres invoices", "kettle"} {
		var ids [2][]string
		for i, one := range []operations.Memory{w, plain} {
			for _, h := range find(t, one, q) {
				ids[i] = append(ids[i], fmt.Sprintf("%s %.6f", h.ID, h.Score))
			}
		}
		if !slices.Equal(ids[0], ids[1]) {
			t.Errorf("%s: %q with places, %q without", q, ids[0], ids[1])
		}
	}
	facts, err := w.FactList(t.Context(), api.FactQuery{Limit: 10})
	for _, f := range facts.Facts {
		if f.Wing != "" {
			t.Errorf("a fact hangs by rule: %+v", f)
		}
	}
	tunnels, terr := w.Tunnels(t.Context(), api.TunnelQuery{})
	page, lerr := w.ListDrawers(t.Context(), api.DrawerQuery{Limit: 10})
	if err := errors.Join(err, terr, lerr); err != nil || len(tunnels.Tunnels) > 0 {
		t.Errorf("%+v: %v", tunnels, err)
	}
	wing := "pond"
	for _, d := range page.Drawers {
		if d.Text == garden {
			if _, err := w.MoveDrawers(t.Context(), api.MoveDrawers{IDs: []string{d.ID}, Wing: &wing}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got := guessed(t, w); got[garden] != "pond/garden/" {
		t.Errorf("moved: %q", got)
	}
	verified(t, w)
}
