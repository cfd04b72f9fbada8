package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/operations"
)

// contextBudgets are the characters of a context in which both are measured: of one that has room for all, and of a small one.
var contextBudgets = []int{14_000, 2_000}

// Figures of a context, in the places of those of a search.
const (
	contextWords    = iota // words of the answer that the question has not, which L3 has
	contextEvidence        // turns of the evidence that rows of L3 quote
	contextLength          // thousands of characters of L3
)

// contextReport compares contexts with what the graph knows with those without.
type contextReport struct {
	Budget  int                 `json:"budget"`
	N       int                 `json:"n"`
	Told    int                 `json:"told"` // questions of which the graph knew something
	Without map[string]float64  `json:"without"`
	Diff    map[string]interval `json:"with_minus_without"`
}

// contexts asks for the context of each question without the graph and with it, over the same vaults.
func (r *qualityRun) contexts(ctx context.Context, convs []conversation) error {
	got := map[int]*[2][]scoredQuery{}
	told := map[int]int{}
	for i := range convs {
		fmt.Fprintf(os.Stderr, "%s: %d turns, %d questions\n", convs[i].Name, len(convs[i].Turns), len(convs[i].Queries))
		if err := r.bothContexts(ctx, &convs[i], got, told); err != nil {
			return fmt.Errorf("%s: %w", convs[i].Name, err)
		}
	}
	names := map[string]int{"answer words": contextWords, "evidence": contextEvidence, "thousand characters": contextLength}
	var reps []contextReport
	for _, budget := range contextBudgets {
		both := got[budget]
		rep := contextReport{budget, len(both[0]), told[budget], map[string]float64{}, map[string]interval{}}
		for name, figure := range names {
			for _, q := range both[0] {
				rep.Without[name] += 100 * q.figures[figure] / float64(len(both[0]))
			}
			rep.Diff[name] = paired(both[0], both[1], figure)
		}
		reps = append(reps, rep)
	}
	return r.emit(reps, "contexts.json", func(w io.Writer) {
		for _, rep := range reps {
			fmt.Fprintf(w, "contexts of %d characters, %d questions, the graph knew something of %d\n", rep.Budget, rep.N, rep.Told)
			for _, name := range []string{"answer words", "evidence", "thousand characters"} {
				fmt.Fprintf(w, "  %-20s without %6.1f, with minus without %v\n", name, rep.Without[name], rep.Diff[name])
			}
		}
	})
}

func (r *qualityRun) bothContexts(ctx context.Context, c *conversation, got map[int]*[2][]scoredQuery, told map[int]int) error {
	dir, err := os.MkdirTemp("", "reverie-quality-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for i, with := range []bool{false, true} {
		r.known = with
		w, err := r.open(ctx, dir)
		if err != nil {
			return err
		}
		if !with {
			err = tell(ctx, w, c)
		}
		if err == nil {
			err = settle(ctx, w)
		}
		for _, budget := range contextBudgets {
			if err != nil {
				break
			}
			if got[budget] == nil {
				got[budget] = &[2][]scoredQuery{}
			}
			for j := range c.Queries {
				if q := &c.Queries[j]; q.scored() && err == nil {
					var s scoredQuery
					s, err = r.contextOf(ctx, w, q, budget)
					got[budget][i] = append(got[budget][i], s)
					if n := len(got[budget][i]) - 1; with && s.layer != got[budget][0][n].layer {
						told[budget]++
					}
				}
			}
		}
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
		cerr := w.Close(closing)
		cancel()
		if err := errors.Join(err, cerr); err != nil {
			return err
		}
	}
	return nil
}

// contextOf asks for the context of a question, and measures it.
func (r *qualityRun) contextOf(ctx context.Context, w *operations.Memory, q *query, budget int) (scoredQuery, error) {
	res, err := w.Context(ctx, api.Context{Query: q.Question, K: r.k, Budget: budget, DryRun: true})
	if err != nil {
		return scoredQuery{}, err
	}
	rows, err := w.Index.Reader().RowsByID(ctx, res.Rows["L3"])
	if err != nil {
		return scoredQuery{}, err
	}
	var refs []string
	for i := range rows {
		refs = append(refs, rows[i].Refs...)
	}
	layer := res.Layers["L3"]
	have, asked := lexis.Terms(layer), lexis.Terms(q.Question)
	wanted := slices.DeleteFunc(lexis.Terms(strings.Trim(string(q.Answer), `"`)), func(t string) bool { return slices.Contains(asked, t) })
	out := scoredQuery{query: q, layer: layer}
	out.figures[contextWords] = within(positions(wanted, have), len(have), max(1, len(wanted)))
	out.figures[contextEvidence] = within(positions(q.Evidence, refs), len(refs), len(q.Evidence))
	out.figures[contextLength] = float64(len(layer)) / 100_000
	return out, nil
}
