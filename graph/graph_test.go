package graph

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/reverie-memory/reverie/vault"
)

func at(day string) time.Time {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		panic(err)
	}
	return t.Add(14 * time.Hour)
}

func says(day, s, p, o, from, to string) Event {
	return Event{Kind: Assert, At: at(day), Subject: s, Predicate: p, Object: o, ValidFrom: vault.Day(from), ValidTo: vault.Day(to)}
}

func ends(day, s, p, o, to string) Event {
	return Event{Kind: Invalidate, At: at(day), Subject: s, Predicate: p, Object: o, ValidTo: vault.Day(to)}
}

func project(events []Event) []Triple { return Build(events, nil).Triples() }

func lines(triples []Triple) []string {
	out := []string{}
	for _, t := range triples {
		out = append(out, strings.Join([]string{t.Subject, t.Predicate, t.Object, string(t.ValidFrom), string(t.ValidTo)}, "|"))
	}
	return out
}

func TestProject(t *testing.T) {
	for name, tt := range map[string]struct {
		events []Event
		want   []string
	}{
		"nothing": {nil, []string{}},
		"one": {
			[]Event{says("2026-06-09", "Alice", "lives in", "Berlin", "2026-06-09", "")},
			[]string{"Alice|lives_in|Berlin|2026-06-09|"},
		},
		"closed from birth": {
			[]Event{says("2026-06-09", "Alice", "lives in", "Paris", "2019-01-01", "2026-06-09")},
			[]string{"Alice|lives_in|Paris|2019-01-01|2026-06-09"},
		},
		"said again": {[]Event{
			says("2026-06-09", "Alice", "lives in", "Berlin", "2026-06-09", ""),
			says("2026-06-10", "ALICE", "lives_in", "berlin", "", ""),
		}, []string{"Alice|lives_in|Berlin|2026-06-09|"}},
		"beginning learnt": {
			[]Event{says("2026-06-09", "A", "p", "B", "", ""), says("2026-06-10", "A", "p", "B", "2020-01-01", "")},
			[]string{"A|p|B|2020-01-01|"},
		},
		"earlier beginning": {[]Event{
			says("2026-06-09", "A", "p", "B", "2021-01-01", ""), says("2026-06-10", "A", "p", "B", "2020-01-01", ""),
			says("2026-06-11", "A", "p", "B", "2022-01-01", ""),
		}, []string{"A|p|B|2020-01-01|"}},
		"end learnt": {[]Event{
			says("2026-06-09", "A", "p", "B", "2020-01-01", ""),
			says("2026-06-10", "A", "p", "B", "", "2024-01-01"),
		}, []string{"A|p|B|2020-01-01|2024-01-01"}},
		"an older stretch": {[]Event{
			says("2026-06-09", "A", "p", "B", "2020-01-01", ""),
			says("2026-06-10", "A", "p", "B", "2010-01-01", "2012-01-01"),
		}, []string{"A|p|B|2020-01-01|", "A|p|B|2010-01-01|2012-01-01"}},
		"ended": {
			[]Event{says("2026-06-09", "A", "p", "B", "2020-01-01", ""), ends("2026-06-10", "A", "p", "B", "2026-01-01")},
			[]string{"A|p|B|2020-01-01|2026-01-01"},
		},
		"ended today": {
			[]Event{says("2026-06-09", "A", "p", "B", "2020-01-01", ""), ends("2026-06-10", "a", "P", "b", "")},
			[]string{"A|p|B|2020-01-01|2026-06-10"},
		},
		"never held": {
			[]Event{says("2026-06-09", "A", "p", "B", "2026-01-01", ""), ends("2026-06-10", "A", "p", "B", "2025-01-01")},
			[]string{"A|p|B|2026-01-01|2026-01-01"},
		},
		"ended twice": {[]Event{
			says("2026-06-09", "A", "p", "B", "", ""), ends("2026-06-10", "A", "p", "B", ""),
			ends("2026-06-12", "A", "p", "B", ""),
		}, []string{"A|p|B||2026-06-10"}},
		"ended, never said": {[]Event{ends("2026-06-10", "A", "p", "B", "")}, []string{}},
		"all objects ended": {
			[]Event{
				says("2026-06-09", "A", "p", "B", "", ""), says("2026-06-09", "A", "p", "C", "", ""),
				says("2026-06-09", "A", "q", "C", "", ""), says("2026-06-09", "X", "p", "C", "", ""), ends("2026-06-10", "A", "p", "", ""),
			},
			[]string{"A|p|B||2026-06-10", "A|p|C||2026-06-10", "A|q|C||", "X|p|C||"},
		},
		"holds again": {[]Event{
			says("2026-06-01", "A", "p", "B", "", ""), ends("2026-06-02", "A", "p", "B", ""),
			says("2026-06-09", "A", "p", "B", "", ""),
		}, []string{"A|p|B||2026-06-02", "A|p|B||"}},
		"holds again, since": {[]Event{
			says("2026-06-01", "A", "p", "B", "", ""), ends("2026-06-02", "A", "p", "B", ""),
			says("2026-06-09", "A", "p", "B", "2026-06-05", ""),
		}, []string{"A|p|B||2026-06-02", "A|p|B|2026-06-05|"}},
		"invalid left out": {[]Event{
			{Kind: "delete", Subject: "A", Predicate: "p", Object: "B"},
			says("2026-06-01", "A", "p", " ", "", ""), says("2026-06-01", "A", "p", "B", "soon", ""),
		}, []string{}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, lines(project(tt.events))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestConfidenceAndSource(t *testing.T) {
	a, b, c := says("2026-06-01", "A", "p", "B", "", ""), says("2026-06-02", "A", "p", "B", "", ""), says("2026-06-03", "A", "p", "B", "", "")
	a.Confidence, b.Confidence, b.Source, c.Confidence, c.Source = 0.4, 0.7, "f1", 0.5, "f2"
	got := project([]Event{a, b, c})
	if len(got) != 1 || got[0].Confidence != 0.7 || got[0].Source != "f1" {
		t.Errorf("got %+v", got)
	}
	a.Confidence = 0
	if got := project([]Event{a}); got[0].Confidence != 1 {
		t.Errorf("confidence not said: %v", got[0].Confidence)
	}
}

func TestQueries(t *testing.T) {
	g := Build([]Event{
		says("2026-06-08", "Alice", "lives in", "Paris", "2019-05-01", ""),
		says("2026-06-09", "Alice", "lives in", "Berlin", "2026-06-09", ""),
		says("2026-06-09", "Noor", "sister of", "Alice", "2001-01-01", ""),
		says("2026-06-09", "Noor", "friend of", "Tom", "2026-01-01", ""),
	}, nil)
	triples := g.Triples()
	paris, berlin, noor, tom := triples[0], triples[1], triples[2], triples[3]
	if paris.By != berlin.ID || paris.ValidTo != "2026-06-09" {
		t.Errorf("the newer home did not close the older one: %+v", paris)
	}
	alice := g.Lookup(" ALICE ")
	same := cmpopts.IgnoreUnexported(Triple{})
	for day, want := range map[vault.Day][]Triple{
		"2019-04-30": {noor}, "2019-05-01": {noor, paris}, "2026-06-08": {noor, paris},
		"2026-06-09": {noor, berlin}, "2030-01-01": {noor, berlin}, "1999-01-01": {},
	} {
		if diff := cmp.Diff(want, g.Of(alice, Query{AsOf: day}), same); diff != "" {
			t.Errorf("as of %s: %s", day, diff)
		}
	}
	for dir, want := range map[Direction][]Triple{Both: {noor, paris, berlin}, Outgoing: {paris, berlin}, Incoming: {noor}} {
		if diff := cmp.Diff(want, g.Of(alice, Query{Direction: dir}), same); diff != "" {
			t.Errorf("direction %d: %s", dir, diff)
		}
	}
	if diff := cmp.Diff([]Triple{berlin}, g.Of(alice, Query{Predicate: "where she has her home", AsOf: "2026-07-01"}), same); diff == "" {
		t.Error("words that no predicate has were taken for one")
	}
	if diff := cmp.Diff([]Triple{paris, berlin}, g.Of(alice, Query{Predicate: "residence"}), same); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Triple{tom}, g.Of(g.Lookup("Tom"), Query{Direction: Outgoing}), same); diff != "" {
		t.Errorf("a friendship holds in both directions: %s", diff)
	}
	if diff := cmp.Diff([]Triple{noor, paris, tom, berlin}, g.Timeline(Found{}, 0), same); diff != "" {
		t.Error(diff)
	}
	if f := g.Lookup("Bob"); f.Entity != nil || len(f.Candidates) > 0 || len(g.Of(f, Query{})) > 0 {
		t.Errorf("Bob: %+v", f)
	}
	if diff := cmp.Diff([]Triple{berlin, noor, tom}, reversed(g.Path(g.Lookup("Tom"), g.Lookup("Berlin"), "2026-07-01")),
		same); diff != "" {
		t.Error(diff)
	}
	if way := g.Path(g.Lookup("Tom"), g.Lookup("Paris"), "2026-07-01"); way != nil {
		t.Errorf("a way over what ended: %v", way)
	}
	want := Stats{
		Entities: 5, Triples: 4, Current: 3, Ended: 1, Predicates: map[string]int{"lives_in": 2, "sister_of": 1, "friend_of": 1},
		Types: map[string]int{"person": 3, "place": 2},
	}
	if diff := cmp.Diff(want, g.Stats("2026-07-01")); diff != "" {
		t.Error(diff)
	}
}

func reversed(triples []Triple) []Triple {
	slices.Reverse(triples)
	return triples
}

func TestIDs(t *testing.T) {
	for _, same := range [][2]string{{"Alice", "alice"}, {"Zoë", "ZOE"}, {"Ann  Lee", "ann lee"}, {"ＡＢＣ", "abc"}} {
		if entityID(same[0]) != entityID(same[1]) {
			t.Errorf("%q and %q differ", same[0], same[1])
		}
	}
	for _, differ := range [][2]string{
		{"Alice", "Alicia"},
		{"Ann Lee", "AnnLee"},
		{"Room 1", "Room 2"},
		{"Anna (Marek's sister)", "Anna (Marek's colleague)"},
		{"Anna", "Anna (Marek's sister)"},
		{"C", "C++"},
	} {
		if entityID(differ[0]) == entityID(differ[1]) {
			t.Errorf("%q and %q are one", differ[0], differ[1])
		}
	}
	if id := entityID("Alice"); len(id) != 17 || id[0] != 'e' {
		t.Errorf("id %q", id)
	}
	open := project([]Event{says("2026-01-01", "A", "p", "B", "2025-01-01", "")})
	ended := project([]Event{says("2026-01-01", "a", "P", "b", "2025-01-01", ""), ends("2026-02-01", "A", "p", "B", "")})
	if open[0].ID != ended[0].ID {
		t.Error("the id changed when the triple ended")
	}
	if other := project([]Event{says("2026-01-01", "A", "p", "C", "2025-01-01", "")}); other[0].ID == open[0].ID {
		t.Error("two triples have one id")
	}
}

func TestParseEvent(t *testing.T) {
	want := says("2026-06-09", "Zoë", "works at", "Brot & Käse", "2026-06-01", "")
	want.Confidence, want.Source = 0.5, "f7q2c81xk0"
	line, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := ParseEvent(line)
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
	for bad, why := range map[string]string{
		`{`: "graph event", `{"kind":"x","subject":"a","predicate":"p","object":"o"}`: "kind",
		`{"kind":"assert","predicate":"p","object":"o"}`:                                                                 "no subject",
		`{"kind":"assert","subject":"a","predicate":" - ","object":"o"}`:                                                 "no predicate",
		`{"kind":"assert","subject":"a","predicate":"p"}`:                                                                "no object",
		`{"kind":"assert","subject":"a","predicate":"p","object":"o","confidence":1.5}`:                                  "confidence",
		`{"kind":"assert","subject":"a","predicate":"p","object":"o","valid_from":"2026-02-30"}`:                         "valid_from",
		`{"kind":"assert","subject":"a","predicate":"p","object":"o","valid_from":"2026-02-02","valid_to":"2026-02-01"}`: "before",
		`{"kind":"invalidate","subject":"a","predicate":"p"}`:                                                            "no day",
	} {
		if _, err := ParseEvent([]byte(bad)); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v, want %q", bad, err, why)
		}
	}
	if err := (Event{Kind: Assert, Subject: "a", Predicate: "p", Object: "o", Confidence: math.NaN()}).Validate(); err == nil {
		t.Error("NaN passed")
	}
}

// Whatever was said: no triple is deleted, none ends before it began, one thing holds at most once, an invalidate closes it,
// and saying everything again up to a point gives the beginning of the whole.
func TestProjectProperty(t *testing.T) {
	for seed := range uint64(500) {
		rnd := rand.New(rand.NewPCG(seed, 3))
		pick := func(from ...string) string { return from[rnd.IntN(len(from))] }
		var events []Event
		before := 0
		for i := range 30 {
			day := func() string { return pick("", "", "2026-01-01", "2026-01-02", "2026-01-03", "2026-01-04") }
			e := Event{
				Kind: pick(Assert, Assert, Invalidate), At: at("2026-01-01").Add(time.Duration(i) * 7 * time.Hour),
				Subject: pick("A", "a", "B"), Predicate: pick("p", "q"),
				Object: pick("X", "x", "Y"), ValidFrom: vault.Day(day()), ValidTo: vault.Day(day()),
			}
			if e.Kind == Invalidate && rnd.IntN(3) == 0 {
				e.Object = ""
			}
			events = append(events, e)
			triples := project(events)
			if len(triples) < before {
				t.Fatalf("seed %d: a triple was deleted by %+v", seed, e)
			}
			before = len(triples)
			open := map[[3]string]int{}
			for _, tr := range triples {
				if tr.ValidTo != "" && tr.ValidTo < tr.ValidFrom {
					t.Fatalf("seed %d: %+v ends before it begins", seed, tr)
				}
				if tr.ValidTo == "" {
					open[[3]string{entityID(tr.Subject), tr.Predicate, entityID(tr.Object)}]++
				}
			}
			for k, n := range open {
				if n > 1 {
					t.Fatalf("seed %d: %v is open %d times", seed, k, n)
				}
				if e.Kind == Invalidate && e.Validate() == nil && k[0] == entityID(e.Subject) &&
					k[1] == PredicateKey(e.Predicate) && (e.Object == "" || k[2] == entityID(e.Object)) {
					t.Fatalf("seed %d: %+v left %v open", seed, e, k)
				}
			}
		}
		if diff := cmp.Diff(project(events), project(events), cmpopts.IgnoreUnexported(Triple{})); diff != "" {
			t.Fatalf("seed %d: %s", seed, diff)
		}
	}
}

// What nobody dates ends nothing and moves no day, whatever it says and wherever it stands; what it says is there.
func TestWhatIsUndatedChangesNoDay(t *testing.T) {
	days := func(events []Event) (out []string) {
		for _, tr := range project(events) {
			if tr.Said+tr.ValidFrom+tr.ValidTo != "" {
				out = append(out, fmt.Sprint(tr.Subject, tr.Predicate, tr.Object, tr.ValidFrom, tr.ValidTo, tr.Said, tr.By))
			}
		}
		return out
	}
	for seed := range uint64(300) {
		rnd := rand.New(rand.NewPCG(seed, 9))
		pick := func(from ...string) string { return from[rnd.IntN(len(from))] }
		var dated, all []Event
		for i := range 20 {
			e := Event{
				Kind: pick(Assert, Assert, Invalidate, Replace), Subject: pick("A", "B"), Predicate: pick("lives in", "uses", "married to", "chair of"),
				Object: pick("X", "Y", "Z"), Was: pick("X", "Y", "Z"), Also: rnd.IntN(4) == 0, Origin: vault.Origin(pick("", "agent")),
			}
			if rnd.IntN(3) > 0 {
				e.At = at("2026-01-01").Add(time.Duration(i) * 17 * time.Hour)
				e.ValidFrom = vault.Day(pick("", "2025-12-01", "2026-01-03"))
				dated = append(dated, e)
			}
			all = append(all, e)
		}
		if d := cmp.Diff(days(dated), days(all)); d != "" {
			t.Fatalf("seed %d: %s", seed, d)
		}
		g := Build(all, nil)
		for _, e := range all {
			of := g.Of(g.Lookup(e.Subject), Query{Predicate: e.Predicate})
			tells := func(tr Triple) bool { return tr.ValidTo == "" && tr.Object == e.Object || tr.Subject == e.Object }
			if e.Kind == Assert && e.At.IsZero() && !slices.ContainsFunc(of, tells) {
				t.Fatalf("seed %d: %+v is not among %+v", seed, e, of)
			}
		}
	}
}

// Two values of which one has no date stand beside each other, and each names the other. What a date ended stands against who says that
// it holds.
func TestWhatIsUndatedIsSeenToContradict(t *testing.T) {
	undated := func(s, p, o string) Event {
		return Event{Kind: Assert, Subject: s, Predicate: p, Object: o, Source: "n1"}
	}
	for name, c := range map[string]struct {
		events []Event
		want   []string
	}{
		"another value": {
			[]Event{undated("Anna", "lives in", "Porto"), says("2026-01-01", "Anna", "lives in", "Ghent", "", "")},
			[]string{"Anna lives in Ghent (said 2026-01-01), contradicted", "Anna lives in Porto (undated), contradicted"},
		},
		"the same value": {
			[]Event{undated("Anna", "lives in", "Ghent"), says("2026-01-01", "Anna", "lives in", "Ghent", "", "")},
			[]string{"Anna lives in Ghent (said 2026-01-01)"},
		},
		"a value that ended": {
			[]Event{
				undated("Anna", "lives in", "Ghent"), says("2026-01-01", "Anna", "lives in", "Ghent", "", ""),
				says("2026-01-03", "Anna", "lives in", "Porto", "", ""),
			},
			[]string{
				"Anna lives in Ghent (until before 2026-01-03), contradicted", "Anna lives in Porto (said 2026-01-03), contradicted",
				"Anna lives in Ghent (undated), contradicted",
			},
		},
		"two lines": {
			[]Event{undated("Anna", "lives in", "Ghent"), undated("Anna", "lives in", "Porto"), undated("Anna", "uses", "Vim")},
			[]string{"Anna lives in Ghent (undated), contradicted", "Anna lives in Porto (undated), contradicted", "Anna uses Vim (undated)"},
		},
		"a day in the line": {
			[]Event{
				{Kind: Assert, Subject: "Anna", Predicate: "lives in", Object: "Porto", ValidFrom: "2026-01-02"},
				says("2026-01-01", "Anna", "lives in", "Ghent", "", ""),
			},
			[]string{"Anna lives in Ghent (until before 2026-01-02)", "Anna lives in Porto (since 2026-01-02)"},
		},
		"from one day to another": {
			[]Event{
				says("2026-01-01", "Anna", "lives in", "Ghent", "2010-01-01", ""),
				{Kind: Assert, Subject: "Anna", Predicate: "lives in", Object: "Porto", ValidFrom: "2015-01-01", ValidTo: "2020-01-01"},
			},
			[]string{"Anna lives in Ghent (since 2010-01-01)", "Anna lives in Porto (2015-01-01 until before 2020-01-01)"},
		},
		"several values of one predicate": {
			[]Event{undated("Anna", "uses", "Vim"), says("2026-01-01", "Anna", "uses", "Nano", "", "")},
			[]string{"Anna uses Nano (said 2026-01-01)", "Anna uses Vim (undated)"},
		},
		"no day on which it ended": {
			[]Event{
				says("2026-01-01", "Anna", "uses", "Nano", "", ""),
				{Kind: Replace, Subject: "Anna", Was: "Nano", Object: "Vim"},
				{Kind: Invalidate, Subject: "Anna", Predicate: "uses", Object: "Nano"},
			},
			[]string{"Anna uses Nano (said 2026-01-01)"},
		},
	} {
		var got []string
		for _, tr := range project(c.events) {
			got = append(got, tr.Sentence())
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// Of very many that say otherwise the same are named, in whatever order they were told and however often they are folded.
func TestThoseWhoContradictAreTheSameInAnyOrder(t *testing.T) {
	var events []Event
	for i := range 30 {
		events = append(events, Event{Kind: Assert, Subject: "Anna", Predicate: "married to", Object: fmt.Sprintf("Kim %c", 'A'+i), Source: "n1"})
		lee := fmt.Sprintf("Lee %c", 'A'+i)
		events = append(events, Event{Kind: Assert, Subject: lee, Predicate: "married to", Object: "Kim B", Source: "n1"})
	}
	events = append(events, says("2026-01-01", "Anna", "married to", "Zoe", "", ""))
	named := func(events []Event) map[string][]string {
		out := map[string][]string{}
		for _, tr := range project(events) {
			out[tr.ID] = tr.Against
		}
		return out
	}
	want := named(events)
	for id, against := range want {
		if len(against) != opposedMost || slices.Contains(against, id) {
			t.Errorf("%s is contradicted by %v", id, against)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		r.Shuffle(len(events), func(i, j int) { events[i], events[j] = events[j], events[i] })
		if d := cmp.Diff(want, named(events)); d != "" {
			t.Fatal(d)
		}
	}
}

// What an assistant told is not the person's word for certain because it stands on a page: anybody's words may have been pasted there.
func TestWhatAPageRepeatsIsLoose(t *testing.T) {
	agents, own := says("2026-01-01", "Anna", "lives in", "Ghent", "", ""), says("2026-01-02", "Anna", "lives in", "Ghent", "", "")
	agents.Origin = vault.OriginAgent
	page := Event{Kind: Assert, Subject: "Anna", Predicate: "lives in", Object: "Ghent"}
	for _, c := range []struct {
		events []Event
		loose  bool
	}{
		{[]Event{page}, true},
		{[]Event{agents, page}, true},
		{[]Event{own, page}, false},
		{[]Event{agents, own, page}, false},
	} {
		if tr := project(c.events); len(tr) != 1 || tr[0].Loose != c.loose || tr[0].Origin != "" {
			t.Errorf("%+v", tr)
		}
	}
}

func FuzzParseEvent(f *testing.F) {
	f.Add([]byte(`{"kind":"assert","at":"2026-06-09T14:00:00Z","subject":"Alice","predicate":"lives ` +
		`in","object":"Berlin","valid_from":"2026-06-09"}`))
	f.Add([]byte(`{"kind":"invalidate","at":"2026-06-09T14:00:00Z","subject":"Alice","predicate":"lives in"}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		e, err := ParseEvent(line)
		if err != nil {
			return
		}
		data, err := json.Marshal(e)
		if err != nil {
			t.Skip("a time that JSON cannot hold:", err)
		}
		if again, err := ParseEvent(data); err != nil || !cmp.Equal(e, again) {
			t.Fatalf("%+v became %+v: %v", e, again, err)
		}
	})
}

// An answer says how a name was found: a first name is a part of one, no other name.
func TestHowANameIsFound(t *testing.T) {
	g := Build([]Event{
		{Kind: Assert, At: at("2026-01-01"), Subject: "Anna Berg", Predicate: "married to", Object: "Robert"},
		{Kind: Assert, At: at("2026-01-02"), Subject: "Anna", Predicate: "married to", Object: "Robert"},
		{Kind: Alias, At: at("2026-01-01"), Subject: "Robert", Object: "Bob"},
	}, nil)
	for name, want := range map[string]string{"anna berg": "name", "Anna": "part", "Berg": "part", "Bob": "alias", "Robert": "name"} {
		if f := g.Lookup(name); f.Entity == nil || f.Via != want {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

// entityID names an entity by one of its names.
func entityID(name string) string { return keyOfName(name).id() }
