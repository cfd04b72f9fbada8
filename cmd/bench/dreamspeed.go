package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/dream"
	"github.com/reverie-memory/reverie/operations"
	"github.com/reverie-memory/reverie/vault"
	"github.com/reverie-memory/reverie/workspace"
)

// dreamChild is the hidden verb that dreams in a process of its own, so that its memory is measured clean.
const dreamChild = "dream-child"

// dreamSpeed is what dreams over synthetic facts cost.
type dreamSpeed struct {
	Facts     int     `json:"facts"`
	Existing  int     `json:"pages_before"`
	Planned   float64 `json:"planned_facts_per_s"` // a dry run over the first batch
	Applied   float64 `json:"applied_facts_per_s"` // planned and on disk as pages, all batches
	Whole     float64 `json:"whole_facts_per_s"`   // that, indexed, asked for by the recall gate, and the navigation files
	Runs      int     `json:"runs"`
	Slowest   float64 `json:"slowest_run_s"`
	Changed   int     `json:"pages_changed"`
	RSSBefore float64 `json:"rss_before_mb"` // indexed, nothing dreamt
	RSSPeak   float64 `json:"rss_peak_mb"`
}

func (r *dreamRun) speed(ctx context.Context, facts, pages int) error {
	all := []dreamSpeed{}
	for _, existing := range []int{0, pages} {
		fmt.Fprintf(os.Stderr, "dreaming of %d facts beside %d pages …\n", facts, existing)
		var f dreamSpeed
		// The vault is made and indexed by another process than the one that is measured.
		err := inChildren(ctx, &f, dreamChild, []string{"build", "dream"}, "-facts", strconv.Itoa(facts), "-pages", strconv.Itoa(existing))
		if err != nil {
			return err
		}
		all = append(all, f)
	}
	return r.emit(all, "dream-speed.json", func(w io.Writer) { printDreamSpeed(w, all) })
}

func printDreamSpeed(w io.Writer, all []dreamSpeed) {
	fmt.Fprintf(w, "%8s %12s %14s %14s %10s %6s %12s %13s %13s %12s\n", "facts", "pages before", "planned /s", "applied /s",
		"whole /s", "runs", "slowest s", "changed pages", "RSS before", "RSS peak")
	for _, f := range all {
		fmt.Fprintf(w, "%8d %12d %14.0f %14.0f %10.0f %6d %12.1f %13d %10.0f MB %9.0f MB\n", f.Facts, f.Existing, f.Planned, f.Applied,
			f.Whole, f.Runs, f.Slowest, f.Changed, f.RSSBefore, f.RSSPeak)
	}
}

func runDreamChild(ctx context.Context, args []string) error {
	fs := flag.NewFlagSet(dreamChild, flag.ContinueOnError)
	phase := fs.String("phase", "", "build or dream")
	dir := fs.String("dir", "", "")
	facts := fs.Int("facts", 0, "")
	pages := fs.Int("pages", 0, "")
	if err := fs.Parse(args); err != nil {
		return err
	}
	out := dreamSpeed{Facts: *facts, Existing: *pages}
	if *phase == "build" {
		if _, err := vault.Init(filepath.Join(*dir, "vault"), workspace.Template()); err != nil {
			return err
		}
		c := newDreamCorpus(*pages)
		if err := errors.Join(c.pages(filepath.Join(*dir, "vault"), *pages), c.logs(filepath.Join(*dir, "vault"), *facts)); err != nil {
			return err
		}
	}
	w, err := openForDream(ctx, *dir)
	if err != nil {
		return err
	}
	if *phase == "dream" {
		err = out.dream(ctx, w)
	}
	if err = errors.Join(err, w.Close(context.WithoutCancel(ctx))); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(out)
}

func openForDream(ctx context.Context, dir string) (*operations.Memory, error) {
	cfg := config.Default()
	cfg.Index.Engine = "flat"
	w, err := openReady(ctx, dir, cfg)
	if err != nil {
		return nil, err
	}
	return w, settle(ctx, w)
}

func (f *dreamSpeed) dream(ctx context.Context, w *operations.Memory) error {
	debug.FreeOSMemory()
	f.RSSBefore = rss()
	dry, err := w.Consolidate(ctx, api.Consolidate{DryRun: true})
	if err != nil {
		return err
	}
	f.Planned = float64(dry.Facts) / max(dry.Seconds, 1e-9)
	facts, seconds, written := 0, 0.0, 0.0
	for {
		rep, err := w.Consolidate(ctx, api.Consolidate{})
		if err != nil {
			return err
		}
		if dream.Status(rep.Status) == dream.NothingPending {
			break
		}
		if dream.Status(rep.Status) != dream.Consolidated {
			return fmt.Errorf("a run ended as %s: %v", rep.Status, rep.Notes)
		}
		facts, seconds = facts+rep.Facts, seconds+rep.Seconds
		for _, phase := range []string{"collect", "plan", "apply"} {
			written += rep.Phases[phase]
		}
		f.Runs, f.Slowest, f.Changed = f.Runs+1, max(f.Slowest, rep.Seconds), f.Changed+len(rep.Pages)
	}
	f.Applied, f.Whole = float64(facts)/max(written, 1e-9), float64(facts)/max(seconds, 1e-9)
	f.RSSPeak = memory("VmHWM:")
	if facts != f.Facts {
		return fmt.Errorf("%d of %d facts were accounted for", facts, f.Facts)
	}
	return nil
}
