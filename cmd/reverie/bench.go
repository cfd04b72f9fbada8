package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/operations"
)

func (a *app) benchCmd() *cobra.Command {
	c := &cobra.Command{Use: "bench", Short: "Measure how well the memory answers"}
	c.AddCommand(a.benchMineCmd())
	return c
}

func (a *app) benchMineCmd() *cobra.Command {
	var req api.Measure
	var flags map[string]string
	c := &cobra.Command{
		Use:   "mine",
		Short: "Ask questions made of what you said, of which the answers are known, and show how many are found",
		Long: "Ask questions made of what you said, of which the answers are known, and show how many are found.\n" +
			"Nothing that is remembered changes, no question counts as asked, and nothing leaves the machine but the questions where the\n" +
			"embedder is elsewhere, as those of searches do. What --profile, --flag, --rerank and --embedder name is tried over the same\n" +
			"questions, and recommended only where it surely wins.",
		Example: "  reverie bench mine\n  reverie bench mine --profile synapse",
		PreRunE: func(*cobra.Command, []string) error {
			req.Flags = flagValues(flags)
			return nil
		},
	}
	verb(a, c, operations.Measure, &req, a.printMeasured)
	f := c.Flags()
	f.IntVar(&req.Probes, "probes", 0, "how many questions of each kind at most (default 200)")
	f.StringVar(&req.Profile, "profile", "", "try this profile of recall")
	f.StringToStringVar(&flags, "flag", nil, "try this flag of the profile, as NAME=VALUE")
	f.StringVar(&req.Rerank, "rerank", "", "try this reranker: a `name` that 'reverie model list' shows")
	f.StringVar(&req.Embedder, "embedder", "",
		"try this embedder: a `name` that 'reverie model list' shows, or builtin; all texts are embedded anew, in memory")
	f.BoolVar(&req.DryRun, "dry-run", false, "leave the figures out of the record of runs")
	a.projectFlag(c, &req.Wing)
	return c
}

// flagValues are flags of recall as they are typed.
func flagValues(typed map[string]string) map[string]any {
	out := map[string]any{}
	for name, v := range typed {
		out[name] = flagValue(v)
	}
	return out
}

// flagValue reads the value of a flag of recall: a number, true or false, or a word.
func flagValue(text string) any {
	if v, err := strconv.ParseFloat(text, 64); err == nil {
		return v
	}
	if v, err := strconv.ParseBool(text); err == nil {
		return v
	}
	return text
}

// measures are the figures in the order in which they are shown, each with what it is.
var measures = []struct{ name, says string }{
	{"recall@5", "answers among the first 5 hits"},
	{"recall@10", "answers among the first 10"},
	{"mrr@10", "mean of 1/place of the answer"},
	{"asked recall@10", "  of questions that somebody asked"},
	{"later recall@10", "  of what was come back to on a later day"},
	{"findable", "facts found by the commoner half of their words"},
	{"on_pages", "facts of dreams that a page tells"},
	{"capture", "turns that gave facts"},
	{"junk", "hits before the answer had been said (an upper bound)"},
	{"stale_leak", "old values told before the new ones"},
	{"superseded_said_again", "values said again after being replaced (an upper bound)"},
}

func (a *app) printMeasured(r api.Measured) {
	before := r.Before[:min(3, len(r.Before))]
	a.print("%-58s %6s %7s  %-15s", "", "n", "per cent", "95 % interval")
	for _, b := range before {
		day, _, _ := strings.Cut(b.At, "T")
		a.print(" %10s", day)
	}
	a.print("\n")
	for _, m := range measures {
		f := r.Run.Figures[m.name]
		if f.N == 0 {
			a.print("%-58s %6d %7s  %-15s\n", m.says, 0, "–", "nothing to ask")
			continue
		}
		a.print("%-58s %6d %8.1f  %-15s", m.says, f.N, 100*f.Mean, fmt.Sprintf("%.1f to %.1f", 100*f.Low, 100*f.High))
		for _, b := range before {
			if was := b.Figures[m.name]; was.N > 0 {
				a.print(" %10.1f", 100*was.Mean)
			} else {
				a.print(" %10s", "–")
			}
		}
		a.print("\n")
	}
	if t := r.Trial; t != nil {
		a.print("\ntried: %s, beside profile %s\n", t.What, r.Run.Profile)
		for _, m := range measures {
			if d := t.Differences[m.name]; d.N > 0 {
				a.print("%-58s %6d %+8.1f  %+.1f to %+.1f\n", m.says, d.N, 100*d.Mean, 100*d.Low, 100*d.High)
			}
		}
		a.print("%d questions better, %d worse, %d alike; by chance alone with a probability of %.2g\n", t.Better, t.Worse, t.Alike, t.Chance)
		a.print("%s\n", t.Why)
	}
	for _, n := range r.Notes {
		a.print("%s\n", n)
	}
	a.warn(r.Degraded)
}
