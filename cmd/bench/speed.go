package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/reverie-memory/reverie/workspace"
)

// speedFigures are what one engine does at one size. Times are in milliseconds unless the name says otherwise.
type speedFigures struct {
	Engine string `json:"engine"`
	Rows   int    `json:"rows"`

	IndexSeconds   float64 `json:"index_s"`   // first index, nothing cached
	VectorSeconds  float64 `json:"vectors_s"` // the same, with all vectors
	RebuildSeconds float64 `json:"rebuild_s"` // vectors cached
	SearchBeside   int     `json:"searches_during_rebuild"`
	Start          float64 `json:"start_ms"` // open to first answer
	SearchP50      float64 `json:"search_p50_ms"`
	SearchP95      float64 `json:"search_p95_ms"`
	SearchP99      float64 `json:"search_p99_ms"`
	BaselineP50    float64 `json:"baseline_p50_ms"` // plain loop over all vectors, nothing else
	AppendP50      float64 `json:"append_p50_ms"`
	AppendP95      float64 `json:"append_p95_ms"`
	TurnsPerSecond float64 `json:"turns_per_s"` // 16 clients over HTTP, wait=stored
	TurnsLost      int     `json:"turns_lost"`
	RSS            float64 `json:"rss_mb"`      // after the searches
	RSSIdle        float64 `json:"rss_idle_mb"` // opened and collected, before any search
	Disk           float64 `json:"disk_mb"`
	DiskRatio      float64 `json:"disk_ratio"` // of text + vectors
}

func runSpeed(ctx context.Context, args []string) error {
	fs := flag.NewFlagSet("speed", flag.ContinueOnError)
	sizes := fs.String("rows", "1000,10000,100000", "sizes to measure")
	engines := fs.String("engines", strings.Join(workspace.EnginesBuilt(), ","), "engines to measure")
	out := fs.String("out", "bench-out", "folder for speed.json and speed.png")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if err := os.MkdirAll(*out, 0o755); err != nil {
		return err
	}
	fmt.Printf("%s, %s\n\n", time.Now().UTC().Format(time.DateOnly), machine())
	var all []speedFigures
	for _, size := range strings.Split(*sizes, ",") {
		rows, err := strconv.Atoi(strings.TrimSpace(size))
		if err != nil || rows < 1 {
			return fmt.Errorf("--rows %q: want numbers separated by commas", *sizes)
		}
		for _, engine := range strings.Split(*engines, ",") {
			fmt.Fprintf(os.Stderr, "measuring %s at %d rows …\n", engine, rows)
			f, err := measure(ctx, engine, rows)
			if err != nil {
				return err
			}
			all = append(all, f)
		}
	}
	printSpeed(all)
	data, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(*out, "speed.json"), append(data, '\n'), 0o644); err != nil {
		return err
	}
	return plotSpeed(all, filepath.Join(*out, "speed.png"))
}

// measure runs one engine at one size in processes of their own, so that memory is measured clean:
// one builds the index, the next opens it as a daemon would.
func measure(ctx context.Context, engine string, rows int) (speedFigures, error) {
	f := speedFigures{Engine: engine, Rows: rows}
	err := inChildren(ctx, &f, speedChild, []string{"build", "serve", "rebuild"}, "-engine", engine, "-rows", strconv.Itoa(rows))
	return f, err
}

func printSpeed(all []speedFigures) {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	head := []string{"what"}
	for _, f := range all {
		head = append(head, fmt.Sprintf("%s %d", f.Engine, f.Rows))
	}
	fmt.Fprintln(w, strings.Join(head, "\t")+"\t")
	line := func(name string, value func(speedFigures) string) {
		cells := []string{name}
		for _, f := range all {
			cells = append(cells, value(f))
		}
		fmt.Fprintln(w, strings.Join(cells, "\t")+"\t")
	}
	ms := func(name string, value func(speedFigures) float64) {
		line(name, func(f speedFigures) string { return strconv.FormatFloat(value(f), 'f', 1, 64) })
	}
	ms("search p50 ms", func(f speedFigures) float64 { return f.SearchP50 })
	ms("search p95 ms", func(f speedFigures) float64 { return f.SearchP95 })
	ms("search p99 ms", func(f speedFigures) float64 { return f.SearchP99 })
	ms("brute force p50 ms", func(f speedFigures) float64 { return f.BaselineP50 })
	ms("append to searchable p50 ms", func(f speedFigures) float64 { return f.AppendP50 })
	ms("append to searchable p95 ms", func(f speedFigures) float64 { return f.AppendP95 })
	ms("turns/s, 16 clients, stored", func(f speedFigures) float64 { return f.TurnsPerSecond })
	line("turns lost", func(f speedFigures) string { return strconv.Itoa(f.TurnsLost) })
	ms("first index s", func(f speedFigures) float64 { return f.IndexSeconds })
	ms("first index with vectors s", func(f speedFigures) float64 { return f.VectorSeconds })
	ms("rebuild, vectors cached s", func(f speedFigures) float64 { return f.RebuildSeconds })
	line("searches answered meanwhile", func(f speedFigures) string { return strconv.Itoa(f.SearchBeside) })
	ms("start to first answer ms", func(f speedFigures) float64 { return f.Start })
	ms("RSS idle MB", func(f speedFigures) float64 { return f.RSSIdle })
	ms("RSS while searching MB", func(f speedFigures) float64 { return f.RSS })
	ms("disk MB", func(f speedFigures) float64 { return f.Disk })
	ms("disk / (text + vectors)", func(f speedFigures) float64 { return f.DiskRatio })
	_ = w.Flush()
}
