package worker

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/palace/drawers"
	"github.com/reverie-memory/reverie/palace/findings"
	"github.com/reverie-memory/reverie/reads"
	"github.com/reverie-memory/reverie/vault"
)

// talk are things that were said in two conversations a day apart.
var talk = []string{
	"The boat of Mara lies in the old harbour of Trieste",
	"The standup meeting of the team is on Tuesday at nine",
	"The build of the server took 16 seconds on the old machine",
	"The boat of Mara lies in the old harbour of Trieste.",
	"The standup meeting of the team is on Thursday at nine",
	"The build of the server took 17 seconds on the old machine",
}

// talked files talk and returns the ids.
func (r *rig) talked() (ids []string) {
	r.t.Helper()
	for i, text := range talk {
		r.now = at.AddDate(0, 0, i/3).Add(time.Duration(i%3) * time.Minute) // whose ids are in no order: no two at one time
		ids = append(ids, r.say(text)...)
	}
	return ids
}

func moved(earlier, later string) bool {
	return strings.Contains(earlier, "Tuesday") && strings.Contains(later, "Thursday")
}

func TestWhatSaysTheSameIsMergedAndWhatEndedIsSuperseded(t *testing.T) {
	for name, chat := range map[string]*fake{"rules alone": nil, "a model": obliging()} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, nil)
			if chat != nil {
				chat.ends = moved
				r.chat, r.opt.Chat = chat, chat
			}
			ids := r.talked()
			if _, err := r.work(Process); err != nil {
				t.Fatal(err)
			}
			state := r.opt.Journal.State()
			if k := state.Of(ids[3]); k.State != drawers.Merged || k.Cluster != ids[0] {
				t.Errorf("the same is %+v, want merged into %s", k, ids[0])
			}
			if k := state.Of(ids[5]); k.Cluster != "" {
				t.Errorf("another number is merged: %+v", k)
			}
			weight := drawers.DefaultImportance + more
			if chat != nil {
				weight = 0.8*drawers.MaxImportance + more
			}
			if k := state.Of(ids[0]); k.Weight != weight || k.Weighed < at.AddDate(0, 0, 1).Unix() {
				t.Errorf("what was said again is %+v", k)
			}
			want := drawers.Known{}
			if chat != nil {
				want.SupersededBy, want.Evidence = ids[4], "fake/m"
			}
			if k := state.Of(ids[1]); k.SupersededBy != want.SupersededBy || k.Evidence != want.Evidence {
				t.Errorf("what ended is %+v, want %+v", k, want)
			}
			// Each is compared once, also when a person parted them.
			if err := r.opt.Journal.Append(t.Context(), drawers.Event{Kind: drawers.Cluster, Drawer: ids[3]}); err != nil {
				t.Fatal(err)
			}
			lines := r.events()
			r.restart()
			if _, err := r.work(Process); err != nil || r.events() != lines || r.opt.Journal.State().Of(ids[3]).State == drawers.Merged {
				t.Errorf("after a restart %d more events, %+v: %v", r.events()-lines, r.opt.Journal.State().Of(ids[3]), err)
			}
		})
	}
}

// What is nearly in the same words and says something else is never merged, and above all likenesses a model is asked whether it ended.
func TestOtherValuesAreNeverMerged(t *testing.T) {
	pairs := [][2]string{
		{"I prefer tea over coffee in the morning.", "I prefer coffee over tea in the morning."},
		{"Tom lent the ladder to Kim last summer.", "Kim lent the ladder to Tom last summer."},
		{"My mother works as a nurse in the hospital.", "My father works as a nurse in the hospital."},
		{"The walls of the hall are painted green in spring.", "The walls of the hall are painted white in spring."},
		{"The deploy to staging failed because of the firewall.", "The deploy to production failed because of the firewall."},
		{"The bakery on the corner sells good rye bread.", "The bakery on the corner sells bad rye bread."},
		{"In winter the shop opens late and closes early", "In winter the shop opens early and closes late"},
		{"The largest upload to the gateway is 10 MB for all users", "The largest upload to the gateway is 25 MB for all users"},
		{"The garden club meets in the town hall on Tuesday at seven", "The garden club meets in the town hall on Thursday at seven"},
		{"Ich mag Tee am Morgen lieber als Kaffee.", "Ich mag Kaffee am Morgen lieber als Tee."},
		{"The plumber comes tomorrow to look at the boiler.", "The plumber comes tomorrow to look at the boiler!"},
	}
	for name, chat := range map[string]*fake{"rules alone": nil, "a model": obliging()} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, nil)
			if chat != nil {
				chat.ends = func(string, string) bool { return true }
				r.chat, r.opt.Chat = chat, chat
			}
			ids := map[string]string{}
			for side := range 2 {
				r.now = at.AddDate(0, 0, side)
				for _, p := range pairs {
					r.now = r.now.Add(time.Minute)
					ids[p[side]] = r.say(p[side])[0]
				}
			}
			if _, err := r.work(Process); err != nil {
				t.Fatal(err)
			}
			for _, p := range pairs {
				a, b := r.opt.Journal.State().Of(ids[p[0]]), r.opt.Journal.State().Of(ids[p[1]])
				if a.Cluster != "" || b.Cluster != "" {
					t.Errorf("merged: %q and %q", p[0], p[1])
				}
				if is := a.SupersededBy == ids[p[1]]; is != (chat != nil) {
					t.Errorf("%q is ended by %q, not by %q", p[0], a.SupersededBy, p[1])
				}
			}
		})
	}
}

// Of drawers of one second the one that was filed first stays, whatever their ids are.
func TestOfOneSecondTheFirstStays(t *testing.T) {
	r := newRig(t, nil)
	texts := []string{
		"The boat of Mara lies in the old harbour of Trieste", "The ladder to the attic hangs behind the blue door",
		"Anna's tandem is green and has three gears", "The choir rehearses in the chapel by the river",
		"The pump in the garden needs new washers", "Grandfather's watch stopped at a quarter past four",
	}
	first := make([]string, len(texts))
	for round := range 2 {
		for i, text := range texts {
			id := r.say(text + strings.Repeat(".", round))[0] // one second: the clock of the rig stands
			if round == 0 {
				first[i] = id
			} else if _, err := r.work(Process); err != nil {
				t.Fatal(err)
			} else if k := r.opt.Journal.State().Of(id); k.Cluster != first[i] {
				t.Errorf("%q, filed as %s, is merged into %q, want %s", text, id, k.Cluster, first[i])
			}
		}
	}
}

// In whatever order a model decides on drawers, and however often the program ends meanwhile, the same comes of comparing them: what is
// merged into what, what ends what, and how much each matters.
func TestTheOrderOfDecisionsChangesNothing(t *testing.T) {
	texts := []string{talk[0], talk[3], talk[2], talk[5]}
	for _, day := range []string{"Tuesday", "Wednesday", "Thursday", "Friday", "Monday", "Saturday"} {
		for _, hour := range []string{"nine", "ten"} {
			texts = append(texts, "The standup meeting of the team is on "+day+" at "+hour)
		}
	}
	texts = append(texts, talk[3]+"!", talk[1]+"!")
	type end struct {
		Cluster, SupersededBy int
		Weight                float64
		State                 string
	}
	run := func(seed uint64) (ends []end) {
		rng := rand.New(rand.NewPCG(seed, 1))
		late := map[string]int{} // how many more answers leave a text out
		for _, text := range texts {
			if seed > 0 && rng.IntN(2) == 0 {
				late[text] = 3
			}
		}
		chat := obliging()
		chat.ends = func(earlier, later string) bool { return strings.Contains(later, "meeting") }
		chat.answer = func(_ int, texts []string) (string, error) {
			return verdicts(texts, func(text string) bool { late[text]--; return late[text] < 0 }), nil
		}
		r := newRig(t, chat)
		at, number := r.now, map[string]int{"": -1}
		for i, text := range texts {
			r.now = at.AddDate(0, 0, i)
			number[r.say(text)[0]] = i
		}
		for range 4 {
			if _, err := r.work(Process); err != nil {
				t.Fatal(err)
			}
			if seed > 0 && rng.IntN(2) == 0 {
				r.restart()
			}
		}
		ends = make([]end, len(texts))
		for id, i := range number {
			if k := r.opt.Journal.State().Of(id); i >= 0 {
				ends[i] = end{number[k.Cluster], number[k.SupersededBy], k.Weight, k.State}
			}
		}
		return ends
	}
	want := run(0)
	merged, ended := 0, 0
	for _, e := range want {
		merged += map[bool]int{true: 1}[e.Cluster >= 0]
		ended += map[bool]int{true: 1}[e.SupersededBy >= 0]
	}
	if merged < 2 || ended < 4 {
		t.Errorf("%d are merged and %d ended: the test does not test\n%+v", merged, ended, want)
	}
	for seed := range uint64(12) {
		if d := cmp.Diff(want, run(seed+1)); d != "" {
			t.Errorf("order %d:\n%s", seed+1, d)
		}
	}
}

// What an isolated project says is like nothing outside of it, and the same conversation says nothing again.
func TestLikenessStaysWithinWhoSees(t *testing.T) {
	chat := obliging()
	r := newRig(t, chat)
	first := r.say(talk[0])[0]
	wing := "secret"
	move := drawers.Event{Kind: drawers.Move, Drawer: first, Day: vault.DayOf(at), Wing: &wing}
	if err := r.opt.Journal.Append(t.Context(), move); err != nil {
		t.Fatal(err)
	}
	r.now = at.AddDate(0, 0, 1)
	second := r.say(talk[3])[0]
	r.now = r.now.Add(60e9)
	third := r.say(talk[0])[0]
	if _, err := r.work(Process); err != nil {
		t.Fatal(err)
	}
	state := r.opt.Journal.State()
	if a, b, c := state.Of(first), state.Of(second), state.Of(third); b.Cluster != "" || c.Cluster != second || len(chat.pairs) != 0 ||
		a.Weight != 4 || b.Weight != 4 {
		t.Errorf("%+v\n%+v\n%+v\n%q", a, b, c, chat.pairs)
	}
}

// TestKilledWorkersEndAlike: each worker, killed at any write and started again, leaves what it leaves without a kill, and nothing is paid
// for twice but a call whose answer was not written yet.
func TestKilledWorkersEndAlike(t *testing.T) {
	type end struct {
		State drawers.State
		Asked int // texts and pairs
	}
	run := func(t *testing.T, kill int) (end, bool, int) {
		chat := obliging()
		chat.ends = moved
		r := newRig(t, chat)
		ids := r.talked()
		r.now = r.now.Add(time.Hour)
		ids = append(ids, r.say(sure(2)...)...)
		r.reads = map[string]reads.Count{}
		r.opt.Fading.Keep = 2
		n, killed := 0, false
		r.fault = func(_ string, p vault.Path) error {
			if p == findings.File || p == drawers.File {
				if n++; n >= kill {
					killed = true
					return errors.New("killed")
				}
			}
			return nil
		}
		known := func() int { return chat.asked() + len(chat.pairs) }
		written := func() (n int) {
			// A line that was cut off before its end is none, though its words may be whole.
			err := r.vault.StateLines(findings.FileName, 0, func(int64, []byte) bool { n++; return true })
			if err != nil {
				t.Error(err)
			}
			return n
		}
		lost := 0
		for _, name := range []string{Process, Enrich, Maintain, Centroids, Process} {
			if name == Maintain {
				r.now = at.AddDate(0, 0, 300)
			}
			if _, err := r.work(name); err != nil && !killed {
				t.Fatal(err)
			} else if err != nil && r.fault != nil {
				r.fault = nil
				lost = known() - written()
				r.restart()
				if _, err := r.work(name); err != nil {
					t.Fatal(err)
				}
			}
		}
		r.fault = nil
		byText := drawers.State{}
		for i, id := range ids {
			k := r.opt.Journal.State().Of(id)
			k.Again = nil // of ids that each run has anew
			for j, other := range ids {
				if k.Cluster == other {
					k.Cluster = string(rune('a' + j))
				}
				if k.SupersededBy == other {
					k.SupersededBy = string(rune('a' + j))
				}
			}
			byText[string(rune('a'+i))] = &k
		}
		return end{byText, known()}, killed, lost
	}
	want, _, _ := run(t, 1<<30)
	kill := 1
	for ; ; kill++ {
		got, killed, lost := run(t, kill)
		if d := cmp.Diff(want.State, got.State); d != "" {
			t.Errorf("killed at write %d:\n%s", kill, d)
		}
		if got.Asked > want.Asked+lost || lost > 3 {
			t.Errorf("killed at write %d: %d were asked about in place of %d, %d answers were lost", kill, got.Asked, want.Asked, lost)
		}
		if !killed {
			break
		}
	}
	if kill < 8 {
		t.Errorf("only %d writes", kill)
	}
}
