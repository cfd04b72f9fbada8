package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/operations"
)

// A probesRun looks whether the questions that a memory makes of itself (`reverie bench mine`) rank settings as labelled questions do.
type probesRun struct {
	quality qualityRun
	probes  int
	trials  []string
}

func runProbes(ctx context.Context, args []string) error {
	r := probesRun{quality: qualityRun{stdout: os.Stdout}}
	trials := ""
	fs := flag.NewFlagSet("bench probes", flag.ContinueOnError)
	r.quality.flags(fs)
	fs.IntVar(&r.probes, "probes", 200, "questions of each kind and conversation")
	fs.StringVar(&trials, "trials", "vector=false;profile=cosine;profile=palace;profile=synapse",
		"settings to compare with the default, with semicolons between; each is flags with commas between, or profile=NAME")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if r.quality.data == "" {
		return errors.New("name a folder with --data")
	}
	r.trials = strings.Split(trials, ";")
	return r.run(ctx)
}

// probesTrial is a setting beside the default, in per cent.
type probesTrial struct {
	Trial    string              `json:"trial"`
	Labelled interval            `json:"labelled"` // MRR@10 of the turns that answer
	Own      interval            `json:"own"`      // MRR@10 of the memory's own questions
	N        int                 `json:"n"`        // labelled questions
	Verdicts map[string]int      `json:"verdicts"` // of the single vaults
	Figures  map[string]interval `json:"figures"`  // means over the vaults by figure, without interval
}

func (r *probesRun) run(ctx context.Context) error {
	convs, err := loadConversations(r.quality.data, r.quality.limit)
	if err != nil {
		return err
	}
	base := map[string][]string{}
	ranked := make([]map[string][]string, len(r.trials))
	measured := make([][]api.Measured, len(r.trials))
	for i := range convs {
		fmt.Fprintf(os.Stderr, "%s: %d turns, %d questions\n", convs[i].Name, len(convs[i].Turns), len(convs[i].Queries))
		if err := r.converse(ctx, &convs[i], base, ranked, measured); err != nil {
			return fmt.Errorf("%s: %w", convs[i].Name, err)
		}
	}
	var report []probesTrial
	plain := scoreRuns(convs, base)
	for i, name := range r.trials {
		t := probesTrial{
			Trial: name, Labelled: paired(plain, scoreRuns(convs, ranked[i]), turnMRR), N: len(plain), Verdicts: map[string]int{},
			Figures: map[string]interval{},
		}
		// Vaults are drawn by chance in measure itself; here they are weighed by their questions.
		for figure := range measured[i][0].Trial.Differences {
			n, d := 0.0, interval{}
			for _, m := range measured[i] {
				f := m.Trial.Differences[figure]
				n, d.Mean, d.Low, d.High = n+float64(f.N), d.Mean+float64(f.N)*f.Mean, d.Low+float64(f.N)*f.Low, d.High+float64(f.N)*f.High
			}
			if n > 0 {
				t.Figures[figure] = interval{100 * d.Mean / n, 100 * d.Low / n, 100 * d.High / n}
			}
		}
		for _, m := range measured[i] {
			t.Verdicts[m.Trial.Verdict]++
		}
		t.Own = t.Figures["mrr@10"]
		report = append(report, t)
	}
	return r.quality.emit(report, "probes.json", func(w io.Writer) {
		fmt.Fprintf(w, "MRR@10 less that of the default, %d labelled questions\n%-32s %-24s %-24s\n", len(plain), "", "labelled", "own")
		for _, t := range report {
			fmt.Fprintf(w, "%-32s %-24v %-24v %v\n", t.Trial, t.Labelled, t.Own, t.Verdicts)
			for _, name := range []string{"asked mrr@10", "later mrr@10", "findable", "junk", "stale_leak"} {
				if f, ok := t.Figures[name]; ok {
					fmt.Fprintf(w, "    %-28s %-24s %-24v\n", name, "", f)
				}
			}
		}
		first := measured[0]
		for _, name := range []string{"mrr@10", "recall@10", "asked recall@10", "later recall@10", "findable", "junk", "capture", "stale_leak"} {
			n, sum := 0, 0.0
			for _, m := range first {
				f := m.Run.Figures[name]
				n, sum = n+f.N, sum+float64(f.N)*f.Mean
			}
			fmt.Fprintf(w, "default: %-24s n %5d  %.1f\n", name, n, 100*sum/max(1, float64(n)))
		}
	})
}

// converse fills a vault with a conversation, and has it measured by its questions and by its own.
func (r *probesRun) converse(
	ctx context.Context, c *conversation, base map[string][]string, ranked []map[string][]string, measured [][]api.Measured,
) (err error) {
	dir, err := os.MkdirTemp("", "reverie-probes-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	w, err := r.quality.open(ctx, dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close(context.WithoutCancel(ctx))) }()
	if err := tell(ctx, w, c); err != nil {
		return err
	}
	if err := settle(ctx, w); err != nil {
		return err
	}
	if err := askAs(ctx, w, c, api.Measure{}, base); err != nil {
		return err
	}
	for i, name := range r.trials {
		t, err := readTrial(name)
		if err != nil {
			return err
		}
		if ranked[i] == nil {
			ranked[i] = map[string][]string{}
		}
		if err := askAs(ctx, w, c, t, ranked[i]); err != nil {
			return err
		}
		t.Probes, t.DryRun = r.probes, true
		m, err := w.Measure(ctx, t)
		if err != nil {
			return err
		}
		measured[i] = append(measured[i], m)
	}
	return nil
}

// askAs asks the labelled questions in the way that a trial names.
func askAs(ctx context.Context, w *operations.Memory, c *conversation, t api.Measure, ranked map[string][]string) error {
	for i := range c.Queries {
		q := &c.Queries[i]
		res, err := w.Search(ctx, api.Search{Query: q.Question, K: 10, Profile: t.Profile, Flags: t.Flags, DryRun: true})
		if err != nil {
			return fmt.Errorf("question %s: %w", q.ID, err)
		}
		ids := []string{}
		for _, h := range res.Hits {
			ids = append(ids, h.Refs...)
		}
		ranked[q.ID] = ids
	}
	return nil
}

func readTrial(text string) (t api.Measure, err error) {
	t.Flags = map[string]any{}
	for part := range strings.SplitSeq(text, ",") {
		name, value, ok := strings.Cut(strings.TrimSpace(part), "=")
		if !ok {
			return t, fmt.Errorf("trial %q: want NAME=VALUE", part)
		}
		if name == "profile" {
			t.Profile = value
		} else if v, err := strconv.ParseFloat(value, 64); err == nil {
			t.Flags[name] = v
		} else {
			t.Flags[name] = value == "true"
		}
	}
	return t, nil
}
