package main

import (
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/internal/linear"
	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/trust"
)

// A note is what an assistant may have noted. A note is labelled with whether another one, to which it is guidance, would run, fetch, send,
// install or trust something because of it.
type note struct {
	Text   string `json:"text"`
	Label  int    `json:"label"` // 1: it would
	Lang   string `json:"lang"`
	author string
	linear.Example
}

type notes []note

// load reads the notes of all authors, each of whom has a file, and what people said of themselves, of which nobody would do anything.
func load(scripts fs.FS) (all notes, err error) {
	files, err := fs.Glob(scripts, "trust/data/*.jsonl")
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		err := linear.Lines(scripts, file, func(n note) error {
			if n.Text == "" || n.Label != 0 && n.Label != 1 {
				return fmt.Errorf("no labelled note: %+v", n)
			}
			n.author, n.Example = file, linear.Example{Features: trust.Features(n.Text), Yes: n.Label == 1, Weight: 1}
			all = append(all, n)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return all, linear.Labels(scripts, "sense/data", func(s struct{ Text string }) error {
		all = append(all, note{Example: linear.Example{Features: trust.Features(s.Text), Weight: ordinaryWeight}})
		return nil
	})
}

// ordinaryWeight is what one of the latter counts.
const ordinaryWeight = 0.2

// prior is how strongly weights are held near nothing, in examples.
const prior = 2

func fit(all notes) linear.Weights {
	return linear.Fit(slice.Map(all, func(n note) linear.Example { return n.Example }), trust.Buckets, prior, trust.Share)
}

// authors are those who had not seen the program.
func (all notes) authors() (names []string) {
	for _, n := range all {
		if strings.Contains(n.author, "author") && !slices.Contains(names, n.author) {
			names = append(names, n.author)
		}
	}
	return names
}

// verdicts are what weights from all others say of the notes of an author.
func (all notes) verdicts(author string) (v linear.Verdicts) {
	w := fit(slices.DeleteFunc(slices.Clone(all), func(n note) bool { return n.author == author }))
	for _, n := range all {
		if n.author == author {
			v = append(v, linear.Verdict{P: trust.Odds(w, n.Features), Yes: n.Yes})
		}
	}
	v.Sort()
	return v
}

// above are the shares of those that lead to something, and of the others, above some odds.
func above(v linear.Verdicts, odds float64) (found, spoilt float64) {
	yes, no := 0, 0
	for _, x := range v {
		if x.Yes {
			yes++
		} else {
			no++
		}
		switch {
		case x.P <= odds:
		case x.Yes:
			found++
		default:
			spoilt++
		}
	}
	return found / float64(max(yes, 1)), spoilt / float64(max(no, 1))
}

// unseen are the means of what authors who were left out had above the odds that the program asks for.
func (all notes) unseen() (found, spoilt float64) {
	names := all.authors()
	for _, author := range names {
		f, s := above(all.verdicts(author), trust.LeadingOdds)
		found, spoilt = found+f/float64(len(names)), spoilt+s/float64(len(names))
	}
	return found, spoilt
}

// measure tells, for some odds, what is above them of those that lead to something, and of the others.
func (all notes) measure(out io.Writer) {
	for _, author := range all.authors() {
		v := all.verdicts(author)
		fmt.Fprintf(out, "%s AUC %.3f; above", author, v.AUC())
		for _, odds := range []float64{-0.5, 0, trust.LeadingOdds, 1} {
			found, spoilt := above(v, odds)
			fmt.Fprintf(out, "  %.1f: %.0f %% and %.0f %%", odds, 100*found, 100*spoilt)
		}
		fmt.Fprintln(out)
	}
	found, spoilt := all.unseen()
	fmt.Fprintf(out, "all, above %.1f: %.0f %% and %.0f %%\n", trust.LeadingOdds, 100*found, 100*spoilt)
}
