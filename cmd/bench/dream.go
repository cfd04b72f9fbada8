package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/operations"
)

// A dreamRun measures what a dream does to recall: each conversation becomes a vault, is asked, dreams until no day is
// pending, and is asked again.
type dreamRun struct {
	qualityRun
}

func runDream(ctx context.Context, args []string) error {
	r := dreamRun{qualityRun: qualityRun{stdout: os.Stdout}}
	fs := flag.NewFlagSet("bench dream", flag.ContinueOnError)
	r.flags(fs)
	speed := fs.Bool("speed", false, "measure facts a second and memory instead, on synthetic facts")
	facts := fs.Int("facts", 20_000, "with --speed: how many facts")
	pages := fs.Int("pages", 10_000, "with --speed: how many pages are there before, in the second measurement; at most 10000")
	if err := fs.Parse(args); err != nil {
		return err
	}
	switch {
	case *speed && (*facts < 1 || *pages < 0 || *pages > 10_000):
		return fmt.Errorf("--facts %d --pages %d: out of range", *facts, *pages)
	case *speed:
		return r.speed(ctx, *facts, *pages)
	case r.data == "":
		return errors.New("name a folder with --data")
	case fs.NArg() > 0:
		return fmt.Errorf("unexpected argument %q", fs.Arg(0))
	}
	return r.run(ctx)
}

// The questions are put four times.
const (
	askBefore = iota // full search, before the dream
	askFacts         // facts alone, before
	askAfter         // full search, after
	askPages         // pages and core files alone, after
	numAsks
)

var askNames = [numAsks]string{"before", "facts only", "after", "pages only"}

var askOnly = [numAsks][]string{askFacts: {"archive_log"}, askPages: {"notebook", "core_file"}}

// dreamReport is what a run prints and writes.
type dreamReport struct {
	Data     string     `json:"data"`
	Embedder string     `json:"embedder"`
	K        int        `json:"k"`
	Sets     []dreamSet `json:"sets"`
	Seconds  float64    `json:"seconds"`
	Degraded []string   `json:"degraded,omitempty"`
}

// dreamSet is one set of conversations.
type dreamSet struct {
	Set       string                `json:"set"`
	Questions int                   `json:"questions"`
	Scores    map[string]dreamScore `json:"scores"` // by when and where was searched
	After     dreamDiff             `json:"after_minus_before"`
	Pages     dreamDiff             `json:"pages_minus_facts"`
	dreamCost
	FactsPerSecond float64 `json:"facts_per_s"`
	StatementsMid  int     `json:"statements_per_page_median"`
	StatementsMost int     `json:"statements_per_page_max"`
}

// dreamScore is in per cent.
type dreamScore struct {
	TurnR10 float64 `json:"turn_r10"`
	MRR10   float64 `json:"mrr10"`
}

// dreamDiff holds paired differences in points.
type dreamDiff struct {
	TurnR10 interval `json:"turn_r10"`
	MRR10   interval `json:"mrr10"`
}

func (r *dreamRun) run(ctx context.Context) error {
	sets, err := setsUnder(r.data)
	if err != nil {
		return err
	}
	start := time.Now()
	rep := dreamReport{Data: r.data, Embedder: r.embedder, K: r.k}
	degraded := map[string]bool{}
	for _, dir := range sets {
		set, err := r.set(ctx, dir, degraded)
		if err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(dir), err)
		}
		rep.Sets = append(rep.Sets, set)
	}
	rep.Seconds = time.Since(start).Seconds()
	rep.Degraded = slices.AppendSeq(rep.Degraded, maps.Keys(degraded))
	slices.Sort(rep.Degraded)
	return r.emit(rep, "dream.json", rep.print)
}

// setsUnder are the folders that hold conversations: dir itself, or those in it.
func setsUnder(dir string) ([]string, error) {
	here, err := filepath.Glob(filepath.Join(dir, "*.turns.jsonl"))
	if err != nil || len(here) > 0 {
		return []string{dir}, err
	}
	below, err := filepath.Glob(filepath.Join(dir, "*", "*.turns.jsonl"))
	if err != nil {
		return nil, err
	}
	var sets []string
	for _, p := range below {
		if d := filepath.Dir(p); !slices.Contains(sets, d) {
			sets = append(sets, d)
		}
	}
	if len(sets) == 0 {
		return nil, fmt.Errorf("no *.turns.jsonl under %s", dir)
	}
	return sets, nil
}

// set measures the conversations of one folder.
func (r *dreamRun) set(ctx context.Context, dir string, degraded map[string]bool) (dreamSet, error) {
	convs, err := loadConversations(dir, r.limit)
	if err != nil {
		return dreamSet{}, err
	}
	var asks [numAsks]qualityAnswers
	for i := range asks {
		asks[i] = qualityAnswers{ranked: map[string][]string{}, hits: map[string][]qualityHit{}, degraded: degraded}
	}
	out := dreamSet{Set: filepath.Base(dir), Scores: map[string]dreamScore{}}
	out.Ledger = map[string]int{}
	for i := range convs {
		fmt.Fprintf(os.Stderr, "%s: %d turns, %d questions\n", convs[i].Name, len(convs[i].Turns), len(convs[i].Queries))
		cost, err := r.converse(ctx, &convs[i], &asks)
		if err != nil {
			return out, fmt.Errorf("%s: %w", convs[i].Name, err)
		}
		out.add(cost)
	}
	out.finish()
	var rows [numAsks][]scoredQuery
	for i := range asks {
		rows[i] = scoreRuns(convs, asks[i].ranked)
		f, n := meanOf(rows[i], "")
		out.Questions = n
		out.Scores[askNames[i]] = dreamScore{100 * f[turnR10], 100 * f[turnMRR]}
		if r.out == "" {
			continue
		}
		if err := os.MkdirAll(r.out, 0o755); err != nil {
			return out, err
		}
		name := out.Set + "-" + strings.ReplaceAll(askNames[i], " ", "-") + ".jsonl"
		if err := writeRun(filepath.Join(r.out, name), convs, "ranked", asks[i].ranked); err != nil {
			return out, err
		}
	}
	out.After = dreamDiff{paired(rows[askBefore], rows[askAfter], turnR10), paired(rows[askBefore], rows[askAfter], turnMRR)}
	out.Pages = dreamDiff{paired(rows[askFacts], rows[askPages], turnR10), paired(rows[askFacts], rows[askPages], turnMRR)}
	return out, nil
}

// converse asks, dreams and asks again in a fresh vault.
func (r *dreamRun) converse(ctx context.Context, c *conversation, asks *[numAsks]qualityAnswers) (cost dreamCost, err error) {
	dir, err := os.MkdirTemp("", "reverie-dream-")
	if err != nil {
		return cost, err
	}
	defer os.RemoveAll(dir)
	w, err := r.open(ctx, dir)
	if err != nil {
		return cost, err
	}
	shut := func() error {
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
		defer cancel()
		return w.Close(closing)
	}
	err = tell(ctx, w, c)
	if err == nil {
		err = settle(ctx, w)
	}
	for _, i := range []int{askBefore, askFacts} {
		if err == nil {
			err = r.ask(ctx, w, c, askOnly[i], &asks[i])
		}
	}
	if err != nil {
		return cost, errors.Join(err, shut())
	}
	start := time.Now()
	gate, err := dreamAll(ctx, w)
	if err != nil {
		return cost, errors.Join(fmt.Errorf("dreaming: %w", err), shut())
	}
	seconds := time.Since(start).Seconds()
	err = settle(ctx, w)
	for _, i := range []int{askAfter, askPages} {
		if err == nil {
			err = r.ask(ctx, w, c, askOnly[i], &asks[i])
		}
	}
	if err == nil {
		err = verified(ctx, w)
	}
	if err = errors.Join(err, shut()); err != nil {
		return cost, err
	}
	cost, err = inspect(filepath.Join(dir, "vault"))
	cost.DreamSeconds, cost.Gate = seconds, gate
	return cost, err
}

// verified reports an index that differs from the files.
func verified(ctx context.Context, w *operations.Memory) error {
	v, err := w.Verify(ctx)
	if err == nil && !v.OK {
		err = fmt.Errorf("the index differs from the files: %+v", v)
	}
	return err
}

func (rep *dreamReport) print(w io.Writer) {
	for _, s := range rep.Sets {
		fmt.Fprintf(w, "%s, %d questions, %s, k=%d\n", s.Set, s.Questions, rep.Embedder, rep.K)
		fmt.Fprintf(w, "  %-24s %9s %9s\n", "", "R@10", "MRR@10")
		for _, name := range askNames {
			fmt.Fprintf(w, "  %-24s %9.1f %9.1f\n", name, s.Scores[name].TurnR10, s.Scores[name].MRR10)
		}
		for _, d := range []struct {
			name string
			diff dreamDiff
		}{{"after − before", s.After}, {"pages − facts", s.Pages}} {
			fmt.Fprintf(w, "  %-24s R@10 %v, MRR@10 %v\n", d.name, d.diff.TurnR10, d.diff.MRR10)
		}
		fmt.Fprintf(w, "  %d facts, %d with an outcome (%.3f): %s\n", s.Facts, s.Accounted, s.AccountedShare, s.outcomes())
		fmt.Fprintf(w, "  %d pages, statements a page: median %d, most %d; MEMORY.md: at most %d lines, %.1f KB\n",
			s.PagesMade, s.StatementsMid, s.StatementsMost, s.MemoryLines, float64(s.MemoryBytes)/1e3)
		fmt.Fprintf(w, "  the runs' own recall gate: %d of %d probes before, %d after\n", s.Gate.Before, s.Gate.Probes, s.Gate.After)
		fmt.Fprintf(w, "  %.1f s of dreaming, %.0f facts/s\n", s.DreamSeconds, s.FactsPerSecond)
	}
	fmt.Fprintf(w, "%.1f s in all\n", rep.Seconds)
	for _, d := range rep.Degraded {
		fmt.Fprintln(w, "degraded:", d)
	}
}
