package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/api"
)

// dream consolidates the conversation's days.
func (d *demo) dream(ctx context.Context) error {
	title("7. A dream makes wiki pages of the daily logs, and accounts for every fact")
	out, err := d.shell(ctx, "dream", "run")
	if err != nil {
		return err
	}
	if !strings.HasPrefix(out, "Dream r-") {
		return errors.New("the dream did not consolidate anything")
	}
	shown, err := d.output(ctx, "dream", "show", "--json")
	if err != nil {
		return err
	}
	if err := json.Unmarshal([]byte(shown), &d.dreamt); err != nil {
		return err
	}
	r := d.dreamt.Report
	l := r.Ledger
	if sum := l.Kept + l.Merged + l.Superseded + l.Duplicate + l.Conflict + l.Dropped + l.Unfiled; sum != r.Facts || r.Facts == 0 ||
		d.dreamt.FactsAll != r.Facts {
		return fmt.Errorf("the ledger accounts for %d of %d facts", sum, r.Facts)
	}
	return nil
}

// showPage prints the page that the dream made most of.
func (d *demo) showPage(context.Context) error {
	const shown = 24
	made := map[string]int{}
	for _, c := range d.dreamt.Changes {
		if c.Op == "add" {
			made[c.Page]++
		}
	}
	best := ""
	for _, p := range d.dreamt.Report.Pages {
		if p.Change == "created" && (best == "" || cmp.Or(cmp.Compare(made[p.Path], made[best]), cmp.Compare(best, p.Path)) > 0) {
			best = p.Path
		}
	}
	if best == "" {
		return errors.New("the dream made no page")
	}
	title("8. A page, as you read it in Obsidian: %s. Each statement links the lines that it rests on", best)
	data, err := os.ReadFile(filepath.Join(d.vault, filepath.FromSlash(best)))
	if err != nil {
		return err
	}
	if !strings.Contains(string(data), "([[2026-") {
		return fmt.Errorf("%s names no source", best)
	}
	_, body, _ := strings.Cut(strings.TrimPrefix(string(data), "---\n"), "\n---\n") // the properties, which Obsidian shows above
	printTop(body, shown)
	return nil
}

func (d *demo) showMemory(context.Context) error {
	title("9. MEMORY.md: what every assistant is given at the start")
	data, err := os.ReadFile(filepath.Join(d.vault, "memory", "MEMORY.md"))
	if err != nil {
		return err
	}
	if !strings.Contains(string(data), "\n- ") || strings.Count(string(data), "\n") > 200 {
		return errors.New("MEMORY.md is empty or longer than 200 lines")
	}
	printTop(string(data), 24)
	return nil
}

func printTop(text string, n int) {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if len(lines) > n {
		lines = append(lines[:n], fmt.Sprintf("… and %d lines more", len(lines)-n))
	}
	fmt.Println(strings.Join(lines, "\n"))
}

// undo takes the dream back and checks that the pages are gone, but not the person's own.
func (d *demo) undo(ctx context.Context) error {
	title("10. Every dream can be taken back; what you wrote yourself stays")
	out, err := d.shell(ctx, "dream", "undo")
	if err != nil {
		return err
	}
	if !strings.Contains(out, "is taken back") {
		return errors.New("the dream was not taken back")
	}
	i := slices.IndexFunc(d.dreamt.Report.Pages, func(p api.PageChange) bool { return p.Change == "created" })
	if _, err := os.Stat(filepath.Join(d.vault, filepath.FromSlash(d.dreamt.Report.Pages[i].Path))); !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%s is still there", d.dreamt.Report.Pages[i].Path)
	}
	own, err := os.ReadFile(filepath.Join(d.vault, filepath.FromSlash(editedPage)))
	if err != nil || string(own) != editedLines {
		return errors.Join(fmt.Errorf("%s is not as it was written", editedPage), err)
	}
	fmt.Println()
	_, err = d.shell(ctx, "verify")
	return err
}
