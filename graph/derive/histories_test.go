package derive_test

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/extract"
	"github.com/reverie-memory/reverie/graph"
	"github.com/reverie-memory/reverie/graph/derive"
	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/vault"
)

// A history is what a person said on several days, and questions about it. An answer is right that has all of what is expected, where "a|b"
// is either, and nothing that it may never have; where nothing is expected it is right as well to say nothing.
type history struct {
	ID, Lang string
	Lines    []struct {
		Date vault.Day
		Text string
	}
	Questions []struct {
		Question      string
		AsOf          vault.Day `json:"as_of"`
		Expect, Never []string
	}
}

// TestHistories asks about the histories of the file that HISTORIES names, one a line in JSON, and prints how many of the questions are
// answered rightly, wrongly and not at all: with the lines as facts of a log, and as messages of which the rules take facts. With
// SHOW=facts or SHOW=messages it prints what went wrong with them.
func TestHistories(t *testing.T) {
	name := os.Getenv("HISTORIES")
	if name == "" {
		t.Skip("HISTORIES names no file")
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []history
	lines := bufio.NewScanner(f)
	for lines.Buffer(nil, 1<<20); lines.Scan(); {
		var h history
		if err := json.Unmarshal(lines.Bytes(), &h); err != nil {
			t.Fatal(err)
		}
		all = append(all, h)
	}
	for _, as := range []string{"facts", "messages"} {
		counts := map[string][4]int{} // by language, "" for all: right, wrong, nothing, all
		for i := range all {
			all[i].ask(t, as, os.Getenv("SHOW") == as, counts)
		}
		for _, lang := range slices.Sorted(maps.Keys(counts)) {
			c := counts[lang]
			fmt.Printf("%-8s %-3s right %d, wrong %d, nothing %d of %d\n", as, cmp.Or(lang, "all"), c[0], c[1], c[2], c[3])
		}
	}
}

// facts are the lines of a history as facts of a log, or what is taken of them as messages.
func (h *history) facts(t *testing.T, as string) (out []derive.Fact) {
	for _, l := range h.Lines {
		f := derive.Fact{Text: l.Text, At: l.Date.Time().Add(12 * time.Hour)}
		texts := []string{f.Text}
		if as == "messages" {
			said := []extract.Message{{Role: "user", Text: f.Text, At: f.At}}
			facts, err := extract.Rules{}.Extract(context.Background(), said)
			if err != nil {
				t.Fatal(err)
			}
			texts = slice.Map(facts, func(f extract.Fact) string { return f.Text })
		}
		for _, f.Text = range texts {
			f.ID = fmt.Sprint("f", len(out))
			out = append(out, f)
		}
	}
	return out
}

// ask asks the questions of a history, each of the graph as it stood at the end of its day.
func (h *history) ask(t *testing.T, as string, show bool, counts map[string][4]int) {
	facts := h.facts(t, as)
	for _, q := range h.Questions {
		var events []graph.Event
		day := cmp.Or(q.AsOf, h.Lines[len(h.Lines)-1].Date)
		for _, f := range facts {
			if vault.DayOf(f.At) <= day {
				events = append(events, derive.Events(f)...)
			}
		}
		g := graph.Build(events, nil)
		var told []string
		for _, tr := range g.Ask(q.Question, day.Time(), "") {
			told = append(told, tr.Sentence())
		}
		verdict := judge(strings.Join(told, "\n"), q.Expect, q.Never)
		for _, lang := range []string{"", h.Lang} {
			c := counts[lang]
			c[verdict]++
			c[3]++
			counts[lang] = c
		}
		if show && verdict > 0 {
			how := []string{"", "WRONG", "nothing"}[verdict]
			fmt.Printf("%s %s %s\n  %s (%s)\n  wants %v, never %v\n", h.ID, h.Lang, how, q.Question, day, q.Expect, q.Never)
			for _, a := range told {
				fmt.Println("    answer:", a)
			}
			for _, f := range facts {
				if vault.DayOf(f.At) <= day {
					fmt.Printf("  - %s %s\n", vault.DayOf(f.At), f.Text)
					for _, e := range derive.Events(f) {
						fmt.Printf("        %s [%s|%s|%s was %s] %s..%s\n", e.Kind, e.Subject, e.Predicate, e.Object, e.Was, e.ValidFrom, e.ValidTo)
					}
				}
			}
		}
	}
}

// judge is 0 for a right answer, 1 for a wrong one and 2 for none.
func judge(told string, expect, never []string) int {
	has := func(s string) bool {
		return slices.ContainsFunc(strings.Split(s, "|"), func(s string) bool { return strings.Contains(lexis.Fold(told), lexis.Fold(s)) })
	}
	missing := slices.ContainsFunc(expect, func(s string) bool { return !has(s) })
	switch {
	case slices.ContainsFunc(never, has), missing && told != "":
		return 1
	case missing:
		return 2
	}
	return 0
}
