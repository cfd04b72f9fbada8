package graph

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/reverie-memory/reverie/vault"
)

// When things hold does not depend on when they were told.
func TestValidity(t *testing.T) {
	assistant := func(e Event) Event { e.Origin = vault.OriginAgent; return e }
	for name, tt := range map[string]struct {
		events []Event
		want   []string
		now    string // what holds on 2026-07-01
	}{
		"an end to come": {
			[]Event{says("2026-06-09", "Kim", "works at", "Acme", "2020-01-01", ""), ends("2026-06-10", "Kim", "works at", "Acme", "2030-01-01")},
			[]string{"Kim|works_at|Acme|2020-01-01|2030-01-01"},
			"Acme",
		},
		"a beginning to come": {
			[]Event{says("2026-06-09", "Kim", "lives in", "Rome", "", ""), says("2026-06-10", "Kim", "lives in", "Bonn", "2027-03-01", "")},
			[]string{"Kim|lives_in|Rome||2027-03-01", "Kim|lives_in|Bonn|2027-03-01|"},
			"Rome",
		},
		"a beginning to come, told first": {
			[]Event{says("2026-06-08", "Kim", "lives in", "Bonn", "2027-03-01", ""), says("2026-06-09", "Kim", "lives in", "Rome", "", "")},
			[]string{"Kim|lives_in|Bonn|2027-03-01|", "Kim|lives_in|Rome||2027-03-01"},
			"Rome",
		},
		"ended before it was told of": {
			[]Event{says("2022-05-01", "Kim", "works at", "Acme", "", ""), ends("2022-06-01", "Kim", "works at", "Acme", "2020-03-01")},
			[]string{"Kim|works_at|Acme||2020-03-01"},
			"",
		},
		"a day of what goes on": {
			[]Event{says("2026-01-10", "Kim", "uses", "Figma", "", ""), says("2026-06-15", "Kim", "uses", "Figma", "2026-06-14", "2026-06-15")},
			[]string{"Kim|uses|Figma||", "Kim|uses|Figma|2026-06-14|2026-06-15"},
			"Figma",
		},
		"a told end is kept": {
			[]Event{
				says("2020-01-01", "Kim", "works at", "Acme", "2010-01-01", "2016-01-01"),
				says("2020-02-01", "Kim", "works at", "Globex", "2014-01-01", ""),
			},
			[]string{"Kim|works_at|Acme|2010-01-01|2016-01-01", "Kim|works_at|Globex|2014-01-01|"},
			"Globex",
		},
		"left, and begun before that": {
			[]Event{
				says("2020-01-01", "Kim", "works at", "Acme", "", ""), ends("2022-06-01", "Kim", "works at", "Acme", ""),
				says("2022-07-01", "Kim", "works at", "Globex", "2022-01-01", ""),
			},
			[]string{"Kim|works_at|Acme||2022-01-01", "Kim|works_at|Globex|2022-01-01|"},
			"Globex",
		},
		"began before what was told of before": {
			[]Event{says("2022-01-01", "Kim", "lives in", "Rome", "", ""), says("2023-01-01", "Kim", "lives in", "Bonn", "2020-01-01", "")},
			[]string{"Kim|lives_in|Rome||2023-01-01", "Kim|lives_in|Bonn|2020-01-01|"},
			"Bonn",
		},
		"a beginning after it was known to hold": {
			[]Event{
				says("2025-01-01", "Kim", "lives in", "Bonn", "2020-01-01", ""), says("2026-01-10", "Kim", "lives in", "Rome", "", ""),
				says("2026-06-01", "Kim", "lives in", "Rome", "2026-06-01", ""),
			},
			[]string{"Kim|lives_in|Bonn|2020-01-01|2026-01-10", "Kim|lives_in|Rome||"},
			"Rome",
		},
		"one between two": {
			[]Event{
				says("2026-01-01", "Kim", "lives in", "Rome", "2010-01-01", ""), says("2026-01-02", "Kim", "lives in", "Bonn", "2020-01-01", ""),
				says("2026-01-03", "Kim", "lives in", "Oslo", "2015-01-01", ""),
			},
			[]string{"Kim|lives_in|Rome|2010-01-01|2015-01-01", "Kim|lives_in|Bonn|2020-01-01|", "Kim|lives_in|Oslo|2015-01-01|2020-01-01"},
			"Bonn",
		},
		"the past told twice": {
			[]Event{
				says("2026-01-01", "Kim", "works at", "Acme", "2010-01-01", "2015-01-01"),
				says("2026-01-02", "Kim", "works at", "Acme", "", "2015-01-01"),
			},
			[]string{"Kim|works_at|Acme|2010-01-01|2015-01-01"},
			"",
		},
		"an assistant knows an older beginning": {
			[]Event{says("2026-01-01", "Kim", "works at", "Acme", "", ""), assistant(says("2026-01-02", "Kim", "works at", "Acme", "2015-01-01",
				""))},
			[]string{"Kim|works_at|Acme||"},
			"Acme",
		},
		"a person says what an assistant said": {
			[]Event{assistant(says("2026-01-01", "Kim", "works at", "Acme", "2015-01-01", "")), says("2026-01-02", "Kim", "works at", "Acme", "",
				"")},
			[]string{"Kim|works_at|Acme||"},
			"Acme",
		},
	} {
		t.Run(name, func(t *testing.T) {
			g := Build(tt.events, nil)
			if diff := cmp.Diff(tt.want, lines(g.Triples())); diff != "" {
				t.Error(diff)
			}
			now := ""
			for _, tr := range g.Of(g.Lookup("Kim"), Query{AsOf: "2026-07-01"}) {
				now += tr.Object
			}
			if now != tt.now || g.Stats("2026-07-01").Current != min(1, len(now)) {
				t.Errorf("%q holds, want %q", now, tt.now)
			}
			for _, tr := range g.Ask("What about Kim?", vault.Day("2026-07-01").Time(), "") {
				if tr.Object != tt.now {
					t.Errorf("%+v answers", tr)
				}
			}
		})
	}
}

// That one thing takes the place of another ends what can be exchanged, and nothing else that is said of it.
func TestReplace(t *testing.T) {
	in := func(speaker, predicate, was, now string) Event {
		return Event{
			Kind: Replace, At: at("2026-02-01"), Subject: speaker, Speaker: speaker, Predicate: predicate, Was: was, Object: now,
		}
	}
	for name, tt := range map[string]struct {
		had     Event
		replace Event
		want    []string
	}{
		"a medicine": {
			says("2026-01-01", "Kim", "allergic to", "penicillin", "", ""), in("Kim", "", "penicillin", "amoxicillin"),
			[]string{"Kim|allergic_to|penicillin||", "Kim|uses|penicillin||2026-02-01", "Kim|uses|amoxicillin||"},
		},
		"a tool that is another's employer": {
			says("2026-01-01", "Marek", "works at", "Slack", "", ""), in("Petra", "", "Slack", "Teams"),
			[]string{"Marek|works_at|Slack||", "Petra|uses|Slack||2026-02-01", "Petra|uses|Teams||"},
		},
		"a tool that is another's tool": {
			says("2026-01-01", "Marek", "uses", "Slack", "", ""), in("Petra", "", "Slack", "Teams"),
			[]string{"Marek|uses|Slack||2026-02-01", "Marek|uses|Teams||"},
		},
		"whoever's employer": {
			says("2026-01-01", "Marek", "works at", "Slack", "", ""), in("", "", "Slack", "Teams"), []string{"Marek|works_at|Slack||"},
		},
		"one of a kind": {
			says("2026-01-01", "Kim", "studies", "physics", "", ""), in("Kim", "", "physics", "maths"),
			[]string{"Kim|studies|physics||2026-02-01", "Kim|studies|maths||"},
		},
		"a car": {
			says("2026-01-01", "Kim", "drives", "Golf", "", ""), in("Kim", "", "Golf", "Tesla"),
			[]string{"Kim|drives|Golf||2026-02-01", "Kim|drives|Tesla||"},
		},
		"the predicate is named": {
			says("2026-01-01", "Kim", "teaches", "physics", "", ""), in("Kim", "teaches", "physics", "maths"),
			[]string{"Kim|teaches|physics||2026-02-01", "Kim|teaches|maths||"},
		},
		"a friend": {
			says("2026-01-01", "Slack", "friend of", "Kim", "", ""), in("Kim", "", "Slack", "Teams"),
			[]string{"Slack|friend_of|Kim||", "Kim|uses|Slack||2026-02-01", "Kim|uses|Teams||"},
		},
		"from the other side": {
			says("2026-01-01", "Ann", "dating", "Kim", "", ""), in("Kim", "dating", "Ann", "Bo"),
			[]string{"Ann|partner_of|Kim||2026-02-01", "Kim|partner_of|Bo||"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, lines(project([]Event{tt.had, tt.replace}))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// What an assistant says of what the person said has no effect but that it may end; then it tells whose word that was.
func TestWhoseWord(t *testing.T) {
	of := func(e Event, o vault.Origin, confidence float64, source string) Event {
		e.Origin, e.Confidence, e.Source = o, confidence, source
		return e
	}
	person := of(says("2026-01-01", "Kim", "works at", "Acme", "", ""), vault.OriginUser, 0.8, "f1")
	agent := of(says("2026-01-02", "Kim", "works at", "Acme", "2015-01-01", ""), vault.OriginAgent, 0, "d9")
	for name, events := range map[string][]Event{"after": {person, agent}, "before": {of(agent, vault.OriginAgent, 1, "d9"), person}} {
		if name == "before" {
			events[0].At = at("2025-12-31")
		}
		g := Build(events, nil)
		got := g.Triples()
		if len(got) != 1 || got[0].Confidence != 0.8 || got[0].ValidFrom != "" || got[0].Said != "2026-01-01" || got[0].Source != "f1" ||
			got[0].Origin != vault.OriginUser || len(g.Rests(got[0].ID)) != 2 {
			t.Errorf("%s: %+v", name, got)
		}
	}
	ended := of(ends("2026-02-01", "Kim", "works at", "Acme", ""), vault.OriginAgent, 0, "")
	moved := of(says("2026-02-01", "Kim", "works at", "Globex", "", ""), vault.OriginAgent, 0, "")
	until := of(says("2026-02-01", "Kim", "works at", "Acme", "", "2026-02-01"), vault.OriginAgent, 0, "")
	for _, e := range []Event{ended, moved, until} {
		got := project([]Event{person, e})[0]
		if got.ValidTo != "2026-02-01" || got.EndedBy != vault.OriginAgent || got.Origin != vault.OriginUser {
			t.Errorf("%s: %+v", e.Kind, got)
		}
	}
}

// The order in which events are given does not matter, and where every day was told, that in which they were told does not either.
func TestOrderProperty(t *testing.T) {
	origins := []vault.Origin{"", vault.OriginUser, vault.OriginAgent}
	for seed := range uint64(300) {
		rnd := rand.New(rand.NewPCG(seed, 7))
		pick := func(from ...string) string { return from[rnd.IntN(len(from))] }
		day := func() vault.Day { return vault.DayOf(at("2026-01-01").AddDate(0, 0, rnd.IntN(20)-10)) }
		var events, dated []Event
		for i := range 25 {
			e := Event{
				Kind: pick(Assert, Assert, Assert, Invalidate, Replace, Alias), At: at("2026-01-01").Add(time.Duration(i) * 7 * time.Hour),
				Subject: pick("Kim", "kim", "Bo"), Predicate: pick("lives in", "married to", "uses", "p"), Object: pick("X", "x y", "Y", "Bo"),
				Was: pick("", "X"), Also: rnd.IntN(9) == 0, Origin: origins[rnd.IntN(3)],
			}
			if rnd.IntN(2) == 0 {
				e.ValidFrom = day()
			}
			if rnd.IntN(4) == 0 {
				e.ValidTo = day()
			}
			events = append(events, e)
			from := vault.DayOf(at("2025-01-01").AddDate(0, 0, 3*i+rnd.IntN(3)))
			dated = append(dated, Event{
				Kind: Assert, At: e.At, Subject: "Kim", Predicate: "lives in", Object: fmt.Sprint("Town", i), ValidFrom: from,
			})
			if rnd.IntN(4) == 0 {
				dated[i].ValidTo = vault.DayOf(from.Time().AddDate(0, 0, rnd.IntN(9)))
			}
		}
		want := Build(events, nil)
		shuffled := slices.Clone(events)
		rnd.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		if diff := cmp.Diff(want.Triples(), Build(shuffled, nil).Triples(), cmpopts.IgnoreUnexported(Triple{})); diff != "" {
			t.Fatalf("seed %d: another order of the events: %s", seed, diff)
		}
		for _, tr := range want.Triples() {
			if tr.ValidTo != "" && tr.ValidTo < tr.ValidFrom {
				t.Fatalf("seed %d: %+v ends before it begins", seed, tr)
			}
		}
		whole := slices.Sorted(slices.Values(lines(project(dated))))
		for i, j := range rnd.Perm(len(dated)) {
			dated[i].At = events[j].At
		}
		if diff := cmp.Diff(whole, slices.Sorted(slices.Values(lines(project(dated))))); diff != "" {
			t.Fatalf("seed %d: another order of telling: %s", seed, diff)
		}
	}
}

// A relation is asked for in three languages, by what is used for it, and where nothing is called so, by what the object is called.
func TestRelationsByOtherWords(t *testing.T) {
	g := Build([]Event{
		says("2022-01-01", "Kuba", "lives_in", "Rostock", "", ""), says("2022-01-01", "Kuba", "uses_for_notes", "Obsidian", "", ""),
		says("2022-01-01", "Kuba", "pays", "fee of the chess federation", "", ""),
		says("2022-01-01", "Atlas plan", "costs", "9 euros", "", ""), says("2022-06-01", "Atlas plan", "price", "12 euros", "", ""),
	}, nil)
	for ask, want := range map[[2]string][]string{
		{"Kuba", "wohnt in"}: {"Kuba|lives_in|Rostock||"}, {"Kuba", "notes app"}: {"Kuba|uses_for_notes|Obsidian||"},
		{"Kuba", "chess federation"}: {"Kuba|pays|fee of the chess federation||"}, {"Kuba", "federation team"}: {},
		{"Atlas plan", "Preis"}: {"Atlas plan|costs|9 euros||2022-06-01", "Atlas plan|costs|12 euros||"},
	} {
		if d := cmp.Diff(want, lines(g.Of(g.Lookup(ask[0]), Query{Predicate: ask[1]}))); d != "" {
			t.Errorf("%q:\n%s", ask, d)
		}
	}
}

// What a model read ends what somebody asserted of whom it is surer only where one value holds at a time, and from a later day on.
func TestWhatAModelReads(t *testing.T) {
	read := func(e Event) Event {
		e.Reader, e.Confidence = "model/2 m", 0.8
		return e
	}
	ruled := says("2026-03-01", "Alice", "speaks", "Dutch", "", "")
	ruled.Confidence = 0.8
	for name, tt := range map[string]struct {
		events []Event
		want   []string
	}{
		"no end of what is surer": {
			[]Event{says("2026-03-01", "Alice", "speaks", "Dutch", "", ""), read(says("2026-04-01", "Alice", "speaks", "Dutch", "", "2026-04-01"))},
			[]string{"Alice|speaks|Dutch||"},
		},
		"an end of what is as sure": {
			[]Event{ruled, read(says("2026-04-01", "Alice", "speaks", "Dutch", "", "2026-04-01"))}, []string{"Alice|speaks|Dutch||2026-04-01"},
		},
		"no earlier beginning": {
			[]Event{says("2026-03-01", "Alice", "lives in", "Ghent", "", ""), read(says("2026-04-01", "Alice", "lives in", "Ghent", "2020-01-01",
				""))},
			[]string{"Alice|lives_in|Ghent||"},
		},
		"a later turn": {
			[]Event{says("2026-03-01", "Alice", "lives in", "Ghent", "", ""), read(says("2026-04-01", "Alice", "lives in", "Bruges", "", ""))},
			[]string{"Alice|lives_in|Ghent||2026-04-01", "Alice|lives_in|Bruges||"},
		},
		"no turn of the same day": {
			[]Event{says("2026-03-01", "Alice", "lives in", "Ghent", "", ""), read(says("2026-03-01", "Alice", "lives in", "Bruges", "", ""))},
			[]string{"Alice|lives_in|Ghent||", "Alice|lives_in|Bruges||2026-03-01"},
		},
	} {
		if d := cmp.Diff(tt.want, lines(project(tt.events))); d != "" {
			t.Errorf("%s:\n%s", name, d)
		}
	}
	if both := project([]Event{read(ruled), ruled}); len(both) != 1 || both[0].Reader != "" {
		t.Errorf("read by a model and by rules: %+v", both)
	}
}

// I and we are the person whose memory it is, and nobody else who speaks of themselves.
func TestWhoIs(t *testing.T) {
	var events []Event
	for name, town := range map[string]string{"Al": "Rome", "Alan": "Bonn", "user": "Oslo", "Bob": "Graz"} {
		e := says("2026-01-01", name, "lives in", town, "", "")
		e.Speaker = name
		events = append(events, e)
	}
	g := Build(events, nil)
	for owner, want := range map[string][]string{"Al": {"Oslo", "Rome"}, "Alan": {"Bonn", "Oslo"}, "": {"Oslo"}} {
		var got []string
		for _, tr := range g.Ask("Where do I live?", at("2026-02-01"), owner) {
			got = append(got, tr.Object)
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%q lives in %q, want %q", owner, got, want)
		}
	}
}

// In a long text the words after the first ones ask for nothing, whatever they call.
func TestALongQuestion(t *testing.T) {
	g := Build([]Event{says("2026-01-01", "Kim", "allergic to", "nuts", "", ""), says("2026-01-02", "Kim", "works at", "Acme", "", "")}, nil)
	text := "Which allergies has Kim?"
	for i := range asksMost + 20 {
		text += fmt.Sprint(" filler", i)
	}
	if got := g.Ask(text+" works", at("2026-02-01"), ""); len(got) != 1 || got[0].Object != "nuts" {
		t.Errorf("%+v", got)
	}
}
