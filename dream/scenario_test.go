package dream_test

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/dream"
)

//go:embed testdata/scenarios.jsonl
var scenarioLines []byte

// A scenario is what was told to a vault, and what a person would have made of it. Set 1 was written before its author had read
// the rules; each later set after the rules had been made to fit the sets before. Right at first sight, before any rule was
// changed for the set: 139 of 185, 82 of 109, 74 of 87, 59 of 67, 45 of 56, 53 of 58 and
// 36 of 38, with one false merge each in sets 1 and 2, and none in 3 to 7. Sets 8 to 11 are by another author, who had not read the
// rules before set 8 and went wider: 85 of 125, 59 of 81, 54 of 77 and 41 of 60. Two were falsely superseded (1500 ms by 1.5 s in
// set 9, 8 GB by 8192 MB in set 11) and one merged (a colour #3366ff at the end of a line, which the log takes for a tag; set 9 has it
// without its sign). Set 12 has no speakers, as hand-written logs do: 24 of 47, none merged or superseded falsely.
type scenario struct {
	Set   int    `json:"set"`
	Name  string `json:"name"`
	Lang  string `json:"lang"`
	Kind  string `json:"kind"`
	Facts []told `json:"facts"`
}

type told struct {
	Day      string          `json:"day"`
	Speaker  string          `json:"speaker"`
	Category string          `json:"category"`
	Text     string          `json:"text"`
	Tags     []string        `json:"tags"`
	Want     []dream.Outcome `json:"want"`           // any of them is right
	Late     bool            `json:"late,omitempty"` // told when all else had been consolidated
}

func scenarioList(t testing.TB) []scenario {
	t.Helper()
	var out []scenario
	for line := range bytes.Lines(scenarioLines) {
		var s scenario
		if err := json.Unmarshal(line, &s); err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	return out
}

func (w *world) tellOne(i int, f told) string {
	line := "[" + f.Category + "] " + f.Text
	for _, tag := range f.Tags {
		line += " #" + tag
	}
	return w.tell(f.Day, f.Speaker, fmt.Sprintf("chat-%d", i), line)[0]
}

// outcomes gives what the ledgers say of each fact: the first word on it.
func (w *world) outcomes() map[string]dream.LedgerLine {
	w.t.Helper()
	out := map[string]dream.LedgerLine{}
	runs, err := w.v.ListState("dreams")
	if err != nil {
		w.t.Fatal(err)
	}
	for _, run := range runs {
		if !w.exists(".state/dreams/" + run + "/ledger.jsonl") { // rolled back
			continue
		}
		for raw := range strings.Lines(w.read(".state/dreams/" + run + "/ledger.jsonl")) {
			var l dream.LedgerLine
			if err := json.Unmarshal([]byte(raw), &l); err != nil {
				w.t.Fatal(err)
			}
			out[l.Fact] = l
		}
	}
	return out
}

// scored is what came of a scenario.
type scored struct {
	wrong  []string // facts with another outcome than wanted
	merges int      // facts that were said to be another's, and are not
	gone   int      // facts that were taken for no longer true, and are
	pages  string   // how the pages differ when the days are run one by one
}

func (s scenario) play(t *testing.T) scored {
	t.Helper()
	var out scored
	w := newWorld(t, "2026-07-01 03:00")
	ids := make([]string, len(s.Facts))
	for i, f := range s.Facts {
		ids[i] = w.tellOne(i, f)
	}
	w.run()
	got := w.outcomes()
	for i, f := range s.Facts {
		o := got[ids[i]].Outcome
		if slices.Contains(f.Want, o) {
			continue
		}
		out.wrong = append(out.wrong, fmt.Sprintf("%s %q is %s, want %s", f.Day[8:], f.Text, o, f.Want))
		switch o {
		case dream.Duplicate, dream.Merged:
			if !slices.Contains(f.Want, dream.Duplicate) && !slices.Contains(f.Want, dream.Merged) {
				out.merges++
			}
		case dream.Superseded:
			out.gone++
		}
	}
	daily := s.daily(t)
	out.pages = differ(s.shown(w), s.shown(daily))
	w.drop() // hundreds of open vaults are more files than some systems allow
	daily.drop()
	return out
}

// daily plays the scenario with a run after each day.
func (s scenario) daily(t *testing.T) *world {
	t.Helper()
	w := newWorld(t, "2026-06-01 03:00")
	facts := slices.Clone(s.Facts)
	order := func(f told) string {
		if f.Late {
			return "2026-06-30"
		}
		return f.Day
	}
	slices.SortStableFunc(facts, func(a, b told) int { return strings.Compare(order(a), order(b)) })
	for i, f := range facts {
		w.tellOne(i, f)
		if i+1 < len(facts) && order(facts[i+1]) == order(f) {
			continue
		}
		w.set(order(f) + " 03:00")
		w.now = w.now.AddDate(0, 0, 1)
		w.run()
	}
	return w
}

// shown tells which statements stand and which are history. On which page they are is the router's affair: it knows more names
// when it sees all days at once.
func (s scenario) shown(w *world) map[string]string {
	out := map[string]string{}
	for key, section := range w.said() {
		name, text, _ := strings.Cut(key, ": ")
		if strings.HasPrefix(name, "0_Inbox/") {
			continue
		}
		if section != "History" {
			section = "stands"
		}
		out[text] = section
	}
	return out
}

func differ(one, daily map[string]string) string {
	if maps.Equal(one, daily) {
		return ""
	}
	var b strings.Builder
	for _, text := range slices.Sorted(maps.Keys(one)) {
		if sec, ok := daily[text]; !ok || sec != one[text] {
			fmt.Fprintf(&b, "  one run: [%s] %s\n", one[text], text)
		}
	}
	for _, text := range slices.Sorted(maps.Keys(daily)) {
		if sec, ok := one[text]; !ok || sec != daily[text] {
			fmt.Fprintf(&b, "  daily:   [%s] %s\n", daily[text], text)
		}
	}
	return b.String()
}

func TestScenarios(t *testing.T) {
	right, n := map[int]int{}, map[int]int{}
	merges, gone, differing := 0, 0, 0
	for _, s := range scenarioList(t) {
		got := s.play(t)
		n[s.Set]++
		if len(got.wrong) == 0 {
			right[s.Set]++
		} else {
			t.Logf("set %d %s (merges %d, gone %d):\n  %s", s.Set, s.Name, got.merges, got.gone, strings.Join(got.wrong, "\n  "))
		}
		if got.pages != "" {
			differing++
			t.Logf("set %d %s: pages differ:\n%s", s.Set, s.Name, got.pages)
		}
		merges, gone = merges+got.merges, gone+got.gone
	}
	all, sum := 0, 0
	for _, set := range slices.Sorted(maps.Keys(n)) {
		t.Logf("set %d: %d of %d right", set, right[set], n[set])
		all, sum = all+n[set], sum+right[set]
	}
	if sum*100 < all*55 {
		t.Errorf("only %d of %d right", sum, all)
	}
	t.Logf("%d false merges, %d falsely superseded, %d with pages that differ day by day", merges, gone, differing)
	if merges > 0 || gone > 0 {
		t.Errorf("%d false merges, %d falsely superseded", merges, gone)
	}
}

// TestWhoSomebodyIsStandsOnTheirPage: also on a day on which they talk of little but a project.
func TestWhoSomebodyIsStandsOnTheirPage(t *testing.T) {
	w := newWorld(t, "2026-06-09 03:00")
	w.tell("2026-06-08", "Alice", "c", "The billing service runs on port 8001", "The billing service uses Redis for queues",
		"The billing service is deployed on Fridays", "Alice works as a baker", "The migration of the invoices is done")
	w.run()
	w.has("3_Personal/Alice.md", "works as a baker")
	w.has("1_Projects/Billing.md", "Redis")
	w.has("1_Projects/Billing.md", "migration")
}
