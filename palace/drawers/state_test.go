package drawers

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/palace/tier"
)

var at = time.Date(2026, 6, 9, 14, 32, 0, 0, time.UTC)

func ptr[T any](v T) *T { return &v }

// journal is the lines of events about drawer d1, a minute apart.
func journal(t *testing.T, events ...Event) []byte {
	t.Helper()
	var b bytes.Buffer
	for i, e := range events {
		e.Drawer, e.At = "d1", at.Add(time.Duration(i)*time.Minute)
		if err := e.Check(); err != nil {
			t.Fatal(err)
		}
		if err := json.NewEncoder(&b).Encode(e); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

func TestFold(t *testing.T) {
	note := Event{Kind: Note, Type: "task", Tier: LLM, State: Processed, Importance: ptr(4.0), Entities: ptr(2), Triples: ptr(1)}
	failed, reinforce := Event{Kind: Failed}, Event{Kind: Reinforce, By: 0.5}
	noted := Known{Type: "task", Tier: LLM, State: Processed, Weight: 4, Weighed: at.Unix(), Looked: true, Entities: 2, Triples: 1}
	with := func(k Known, change func(*Known)) Known { change(&k); return k }
	for name, c := range map[string]struct {
		events []Event
		want   Known
	}{
		"a note":          {[]Event{note}, noted},
		"a note adds":     {[]Event{note, {Kind: Note, Entities: ptr(0)}}, with(noted, func(k *Known) { k.Entities = 0 })},
		"importance 0":    {[]Event{{Kind: Note, Importance: ptr(0.0)}}, Known{Weighed: at.Unix()}},
		"two tries":       {[]Event{failed, failed}, Known{State: Raw, Tries: 2}},
		"three tries":     {[]Event{failed, failed, failed}, Known{State: Gone, Tries: 3}},
		"once more":       {[]Event{failed, failed, failed, {Kind: Note, State: Raw}}, Known{State: Raw}},
		"done in the end": {[]Event{failed, {Kind: Note, State: Processed}}, Known{State: Processed, Tries: 1}},
		"reinforced":      {[]Event{reinforce}, Known{Weight: 3.5, Weighed: at.Unix()}},
		"at most 5": {
			[]Event{note, reinforce, reinforce, reinforce},
			with(noted, func(k *Known) { k.Weight, k.Weighed = 5, at.Unix()+180 }),
		},
		"merged":         {[]Event{note, {Kind: Cluster, Into: "d2"}}, with(noted, func(k *Known) { k.State, k.Cluster = Merged, "d2" })},
		"parted":         {[]Event{note, {Kind: Cluster, Into: "d2"}, {Kind: Cluster}}, noted},
		"superseded":     {[]Event{{Kind: Superseded, Into: "d2", Evidence: "rules"}}, Known{SupersededBy: "d2", Evidence: "rules"}},
		"not superseded": {[]Event{{Kind: Superseded, Into: "d2", Evidence: "rules"}, {Kind: Superseded}}, Known{}},
		"archived":       {[]Event{{Kind: Archive, Day: "2026-06-09", Reason: "faded"}}, Known{Archived: at.Unix(), Reason: "faded"}},
		"restored, though it weighs little": {
			[]Event{
				{Kind: Note, Importance: ptr(0.2)},
				{Kind: Archive, Day: "2026-06-09", Reason: "faded"},
				{Kind: Restore, Day: "2026-06-09"},
			},
			Known{Weight: DefaultImportance, Weighed: at.Unix() + 120, Back: at.Unix() + 120},
		},
		"restored": {
			[]Event{{Kind: Archive, Day: "2026-06-09", Reason: "faded"}, {Kind: Restore, Day: "2026-06-09"}},
			Known{Weight: 3, Weighed: at.Unix() + 60, Back: at.Unix() + 60},
		},
		"summed up twice, and back": {
			[]Event{
				{Kind: Archive, Day: "2026-06-09", Reason: "compacted", Into: "s1"},
				{Kind: Restore, Day: "2026-06-09"},
				{Kind: Archive, Day: "2026-06-09", Reason: "compacted", Into: "s2"},
				{Kind: Archive, Day: "2026-06-09", Reason: "faded", Into: "s1"},
				{Kind: Restore, Day: "2026-06-09"},
			},
			Known{Weight: 3, Weighed: at.Unix() + 240, Back: at.Unix() + 240, In: []string{"s1", "s2"}},
		},
		"moved, and again": {[]Event{
			{Kind: Move, Day: "2026-06-09", Wing: ptr("home"), Room: ptr("cellar")}, {Kind: Move, Day: "2026-06-09", Wing: ptr("")},
		}, Known{Wing: ptr(""), Room: ptr("cellar")}},
	} {
		if d := cmp.Diff(c.want, Fold(nil, journal(t, c.events...)).Of("d1")); d != "" {
			t.Errorf("%s:\n%s", name, d)
		}
	}
}

// TestFoldInPieces: what is folded line by line, with a look at it in between, is what folding all at once gives, in the same bytes; and
// the look stays as it was.
func TestFoldInPieces(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 7))
		var lines []byte
		for i := range 200 {
			e := Event{Kind: kinds[r.IntN(len(kinds))], At: at.Add(time.Duration(i) * time.Hour), Drawer: fmt.Sprint("d", r.IntN(8))}
			switch e.Kind {
			case Move:
				e.Day, e.Wing = "2026-06-09", ptr(fmt.Sprint("w", r.IntN(3)))
			case Note:
				e.Type, e.Importance = tier.Types[r.IntN(7)], ptr(5*r.Float64())
			case Reinforce:
				e.By = 0.5
			case Archive:
				e.Day, e.Reason = "2026-06-09", "faded"
			case Restore:
				e.Day = "2026-06-09"
			case Cluster, Superseded:
				e.Into = "d9"
			}
			line, err := json.Marshal(e)
			if err != nil || e.Check() != nil {
				t.Fatal(e.Check(), err)
			}
			if lines = append(append(lines, line...), '\n'); r.IntN(10) == 0 {
				lines = append(lines, "{torn\n\n"...)
			}
		}
		var pieces State
		var looked []State
		var then []string
		for line := range bytes.Lines(lines) {
			pieces = Fold(pieces, line)
			if r.IntN(20) == 0 {
				looked = append(looked, Join([]State{pieces}))
				then = append(then, text(t, pieces))
			}
		}
		if got, want := text(t, pieces), text(t, Fold(nil, lines)); got != want {
			t.Errorf("seed %d: in pieces\n%s\nat once\n%s", seed, got, want)
		}
		for i, s := range looked {
			if got := text(t, s); got != then[i] {
				t.Errorf("seed %d: a state that was looked at became %s, was %s", seed, got, then[i])
			}
		}
		var kept State // as the index keeps it between two runs
		if err := json.Unmarshal([]byte(text(t, pieces)), &kept); err != nil || !maps.EqualFunc(kept, pieces,
			func(a, b *Known) bool { return cmp.Equal(a, b) }) {
			t.Errorf("seed %d: kept as %v: %v", seed, kept, err)
		}
	}
}

func text(t *testing.T, s State) string {
	t.Helper()
	out, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestImportanceFades(t *testing.T) {
	day := func(n int) time.Time { return at.AddDate(0, 0, n) }
	weighed := func(w float64, n int) Known { return Known{Weight: w, Weighed: day(n).Unix()} }
	for _, c := range []struct {
		name string
		k    Known
		now  int
		read time.Time
		want float64
	}{
		{"new", Known{}, 0, time.Time{}, 3},
		{"30 days", Known{}, 30, time.Time{}, 3},
		{"31 days", Known{}, 31, time.Time{}, 2.94},
		{"40 days", Known{}, 40, time.Time{}, 2.4512},
		{"read last week", Known{}, 40, day(33), 3},
		{"read eight days ago", Known{}, 40, day(32), 2.94},
		{"reinforced yesterday", weighed(3.5, 39), 40, time.Time{}, 3.43},
		{"the floor", Known{}, 400, time.Time{}, 0.3},
		{"below the floor from the start", weighed(0.1, 0), 400, time.Time{}, 0.1},
	} {
		if got := c.k.Importance(DefaultDecay, day(c.now), at, c.read); fmt.Sprintf("%.4f", got) != fmt.Sprintf("%.4f", c.want) {
			t.Errorf("%s: %.4f, want %.4f", c.name, got, c.want)
		}
	}
}

// BenchmarkDrawers: 150,000 drawers with a note each, and one more.
func BenchmarkDrawers(b *testing.B) {
	var lines bytes.Buffer
	for i := range 150_000 {
		e := Event{
			Kind: Note, At: at, Drawer: fmt.Sprintf("d%09d", i), Type: "task", Tier: LLM, State: Processed, Importance: ptr(2.5),
			Entities: ptr(3),
		}
		if err := json.NewEncoder(&lines).Encode(e); err != nil {
			b.Fatal(err)
		}
	}
	all := Fold(nil, lines.Bytes())
	one := lines.Bytes()[:bytes.IndexByte(lines.Bytes(), '\n')+1]
	kept, _ := json.Marshal(all)
	b.Run("fold", func(b *testing.B) {
		b.ReportMetric(float64(lines.Len())/1e6, "MB")
		for b.Loop() {
			Fold(nil, lines.Bytes())
		}
	})
	b.Run("one more", func(b *testing.B) {
		for b.Loop() {
			all = Fold(all, one)
			Join([]State{all})
		}
	})
	b.Run("open", func(b *testing.B) {
		b.ReportMetric(float64(len(kept))/1e6, "MB")
		for b.Loop() {
			var s State
			if json.Unmarshal(kept, &s) != nil {
				b.Fatal()
			}
		}
	})
	b.Run("save", func(b *testing.B) {
		for b.Loop() {
			if _, err := json.Marshal(all); err != nil {
				b.Fatal(err)
			}
		}
	})
}
