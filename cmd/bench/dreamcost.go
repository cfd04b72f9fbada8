package main

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/dream"
	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/vault"
)

// dreamCost is what dreams did to vaults.
type dreamCost struct {
	Facts          int              `json:"facts"`
	Accounted      int              `json:"facts_with_outcome"`
	AccountedShare float64          `json:"facts_with_outcome_share"`
	Ledger         map[string]int   `json:"ledger"`
	PagesMade      int              `json:"pages"`
	MemoryLines    int              `json:"memory_lines"` // the most of any vault
	MemoryBytes    int              `json:"memory_bytes"`
	DreamSeconds   float64          `json:"dream_s"`
	Gate           dream.RecallGate `json:"recall_gate"`
	statements     []int            // of each page
}

func (c *dreamCost) add(o dreamCost) {
	c.Facts, c.Accounted, c.PagesMade = c.Facts+o.Facts, c.Accounted+o.Accounted, c.PagesMade+o.PagesMade
	c.MemoryLines, c.MemoryBytes = max(c.MemoryLines, o.MemoryLines), max(c.MemoryBytes, o.MemoryBytes)
	c.DreamSeconds += o.DreamSeconds
	c.Gate.Probes, c.Gate.Before, c.Gate.After = c.Gate.Probes+o.Gate.Probes, c.Gate.Before+o.Gate.Before, c.Gate.After+o.Gate.After
	c.statements = append(c.statements, o.statements...)
	for k, n := range o.Ledger {
		c.Ledger[k] += n
	}
}

func (s *dreamSet) finish() {
	s.AccountedShare = float64(s.Accounted) / float64(max(1, s.Facts))
	s.FactsPerSecond = float64(s.Facts) / max(s.DreamSeconds, 1e-9)
	if n := len(s.statements); n > 0 {
		slices.Sort(s.statements)
		s.StatementsMid, s.StatementsMost = s.statements[n/2], s.statements[n-1]
	}
}

func (c *dreamCost) outcomes() string {
	parts := slice.Map(slices.Sorted(maps.Keys(c.Ledger)), func(k string) string { return fmt.Sprintf("%d %s", c.Ledger[k], k) })
	return strings.Join(parts, ", ")
}

// statementLine is a list item with a link to a line of a daily log.
var statementLine = regexp.MustCompile(`(?m)^[> \t]*[-*+] .*\[\[[^\]|]*[0-9]{4}-[0-9]{2}-[0-9]{2}(?:\.md)?#\^`)

// inspect reads what became of a vault.
func inspect(dir string) (c dreamCost, err error) {
	v, err := vault.Open(dir)
	if err != nil {
		return c, err
	}
	defer v.Close()
	accounts, err := v.Accounted()
	if err != nil {
		return c, err
	}
	c.Ledger = map[string]int{}
	days, err := v.Days(vault.ArchiveDir)
	if err != nil {
		return c, err
	}
	for _, day := range days {
		data, err := v.ReadFile(vault.LogPath(day))
		if err != nil {
			return c, err
		}
		for _, f := range vault.ParseLog(vault.LogPath(day), data).Facts {
			c.Facts++
			if a, ok := accounts.Find(f.ID); ok {
				c.Accounted++
				c.Ledger[a.Outcome]++
			}
		}
	}
	_, err = v.Walk(context.Background(), func(p vault.Path, _ vault.FileInfo) error {
		if p != vault.MemoryPath && strings.HasPrefix(string(p), "memory/") || path.Dir(string(p)) == "." {
			return nil
		}
		data, err := v.ReadFile(p)
		if err != nil {
			return err
		}
		if p == vault.MemoryPath {
			c.MemoryLines, c.MemoryBytes = strings.Count(string(data), "\n"), len(data)
		} else if n := len(statementLine.FindAllIndex(data, -1)); n > 0 {
			c.PagesMade++
			c.statements = append(c.statements, n)
		}
		return nil
	})
	return c, err
}

// An interval is a mean of paired differences in points, with the bounds between which 95 % of the bootstrap's means lie.
type interval struct {
	Mean float64 `json:"mean"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

func (i interval) String() string {
	return fmt.Sprintf("%+.1f (%+.1f … %+.1f)", i.Mean, i.Low, i.High)
}

const resamples = 2000

// paired compares a figure of the same questions, b minus a.
func paired(a, b []scoredQuery, figure int) interval {
	if len(a) != len(b) {
		return interval{}
	}
	diffs := make([]float64, len(a))
	for i := range a {
		diffs[i] = 100 * (b[i].figures[figure] - a[i].figures[figure])
	}
	return bootstrapped(diffs)
}

// bootstrapped is the mean of values with its interval (Efron 1979, percentiles). The same values give the same interval.
func bootstrapped(values []float64) (out interval) {
	if len(values) == 0 {
		return out
	}
	for _, v := range values {
		out.Mean += v / float64(len(values))
	}
	rng := rand.New(rand.NewPCG(1, 1))
	means := make([]float64, resamples)
	for i := range means {
		for range values {
			means[i] += values[rng.IntN(len(values))] / float64(len(values))
		}
	}
	slices.Sort(means)
	out.Low, out.High = means[resamples*25/1000], means[resamples*975/1000]
	return out
}
