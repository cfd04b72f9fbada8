package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/dream/claim"
	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/dream/sense"
	"github.com/reverie-memory/reverie/extract"
	"github.com/reverie-memory/reverie/graph/journal"
	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/internal/nasty"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/palace/closet"
	"github.com/reverie-memory/reverie/palace/tier"
	"github.com/reverie-memory/reverie/redact"
	"github.com/reverie-memory/reverie/vault"
)

// leastRate is what a function must do on every shape unless a smaller bound is given for it.
const leastRate = 5

// textReaders are the functions that see text as it was sent, or as it stands on a page.
var textReaders = []struct {
	name  string
	least float64 // MB a second of processor time on its slowest shape; a bound below leastRate has its reason
	read  func(context.Context, string)
}{
	{"extract.StripInjected", leastRate, func(_ context.Context, s string) { extract.StripInjected(s) }},
	{"lexis.Chunk", leastRate, func(_ context.Context, s string) { lexis.Chunk(s, 800, 100) }},
	{"extract.Rules", leastRate, func(ctx context.Context, s string) {
		_, _ = extract.Rules{}.Extract(ctx, []extract.Message{{Role: "user", Speaker: "Alice", Text: s, At: time.Unix(1780000000, 0)}})
	}},
	{"extract.Rules, in a talk", leastRate, func(ctx context.Context, s string) {
		at := time.Unix(1780000000, 0)
		_, _ = extract.Rules{}.Extract(ctx, []extract.Message{
			{Role: "user", Speaker: "Bob", Text: s, At: at, Before: true},
			{Role: "user", Speaker: "Alice", Text: s, At: at},
		})
	}},
	{"extract.Fence, and back", leastRate, func(_ context.Context, s string) { extract.Unescape(extract.Fence(s)) }},
	{"tier.Classify", leastRate, func(_ context.Context, s string) { tier.Classify(s) }},
	{"sense.Of", leastRate, func(_ context.Context, s string) { sense.Of(s) }},
	// Each word may be a value, and the model weighs 140 features of each.
	{"redact.Redact", 1, func(_ context.Context, s string) { redact.Redact(s) }},
	{"closet.Build, of chunks", leastRate, func(_ context.Context, s string) {
		var src closet.Source
		for _, c := range lexis.Chunk(s, 800, 100) {
			src.Chunks = append(src.Chunks, closet.Chunk{ID: "d1", Text: c.Text})
		}
		closet.Build(src, closet.Defaults())
	}},
	{"lexis.Fold", leastRate, func(_ context.Context, s string) { lexis.Fold(s) }},
	{"lexis.Sentences", leastRate, func(_ context.Context, s string) { lexis.Sentences(s) }},
	{"lexis.Terms", leastRate, func(_ context.Context, s string) { lexis.Terms(s) }},
	{"lexis.Words", leastRate, func(_ context.Context, s string) { lexis.Words(s) }},
	// An id, which is a hash, for each line of four bytes.
	{"vault.ParseLog", 1.5, func(_ context.Context, s string) { vault.ParseLog("memory/archive/2026-06-09.md", []byte(s)) }},
	{"vault.ParseDrawers", leastRate, func(_ context.Context, s string) { vault.ParseDrawers("memory/drawers/2026-06-09.md", []byte(s)) }},
	{"vault.ParsePage", leastRate, func(_ context.Context, s string) { vault.ParsePage("a.md", []byte(s)) }},
	// The parser of Markdown makes a node for each mark, and each item of four bytes is a row with its hash.
	{"indexer page rows", 1, func(_ context.Context, s string) {
		indexer.PageSource(vault.Layout{}).Rows("a.md", []byte(s), indexer.Env{})
	}},
	// As page rows, and each sentence that may tell something is read as a statement.
	{"lines by hand", 0.3, func(_ context.Context, s string) {
		journal.Files{Pages: indexer.PageSource(vault.Layout{}).Match}.Fold(journal.FileState{}, "3_Personal/A.md", []byte(s), 0, nil)
	}},
	// A statement is read of each line of four bytes.
	{"facts of a log", 0.4, func(_ context.Context, s string) {
		journal.Files{}.Fold(journal.FileState{}, "memory/archive/2026-06-09.md", []byte(s), 0, func(s string) string { return s })
	}},
	// An item for each line of four bytes.
	{"page.Parse", 0.8, func(_ context.Context, s string) { page.Parse("a.md", []byte(s)) }},
	// As page.Parse, and each item is read.
	{"page.Tellings", 0.5, func(_ context.Context, s string) { page.Parse("a.md", []byte(s)).Tellings() }},
	// As page rows.
	{"page.Shown", 1.6, func(_ context.Context, s string) { page.Shown(s) }},
	{"claim.Parse, of 4,000", leastRate, func(_ context.Context, s string) {
		for ; len(s) > 4000; s = s[4000:] {
			claim.Parse(s[:4000], "Alice", "2026-06-09")
		}
	}},
	{"claim.Parse, of all", leastRate, func(_ context.Context, s string) { claim.Parse(s, "Alice", "2026-06-09") }},
}

// runText measures how fast text of nasty shapes is read, and fails when a function is slower than the bound on any.
func runText(ctx context.Context, args []string) error {
	fs := flag.NewFlagSet("text", flag.ContinueOnError)
	size := fs.Int("bytes", 1<<20, "size of each text")
	least := fs.Float64("least", 0, "MB a second of processor time that each function must do on each shape, instead of its own bound")
	only := fs.String("function", "", "measure the functions whose name contains this")
	shape := fs.String("shape", "", "measure the shapes whose name contains this")
	profile := fs.String("profile", "", "file for a profile of the processor time, for go tool pprof")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if *profile != "" {
		to, err := os.Create(*profile)
		if err != nil {
			return err
		}
		defer func() { _ = to.Close() }()
		if err := pprof.StartCPUProfile(to); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	slow := 0
	for _, r := range textReaders {
		if !strings.Contains(r.name, *only) {
			continue
		}
		bound := r.least
		if *least > 0 {
			bound = *least
		}
		worst, name, sum, shapes := 0.0, "", 0.0, 0
		for _, s := range nasty.Shapes() {
			if !strings.Contains(s.Name, *shape) {
				continue
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
			rate, read := textRate(ctx, r.read, s, *size)
			for n := 0; n < 4 && rate < bound; n++ { // neighbours on the machine only ever slow it down
				again, _ := textRate(ctx, r.read, s, *size)
				rate = max(rate, again)
			}
			if rate < bound {
				slow++
				fmt.Printf("  slow: %-24s %-32s %8.2f MB/s at %d bytes\n", r.name, s.Name, rate, read)
			}
			if shapes == 0 || rate < worst {
				worst, name = rate, s.Name
			}
			sum += 1 / rate
			shapes++
		}
		if shapes > 0 {
			fmt.Printf("%-24s %8.1f MB/s over all %d shapes, least %8.2f (%s)\n", r.name, float64(shapes)/sum, shapes, worst, name)
		}
	}
	if slow > 0 {
		return errors.New("some are slower than they may be")
	}
	return nil
}

// textRate is the speed at size bytes, or at the size where reading began to take longer than a second: what is not linear would never end.
func textRate(ctx context.Context, read func(context.Context, string), s nasty.Shape, size int) (rate float64, at int) {
	read(ctx, s.Make(1000)) // tables are built at the first use
	for at = min(size, 16<<10); ; at = min(size, 2*at) {
		text := s.Make(at)
		best := time.Duration(0)
		for n := 0; n < 3 && (n == 0 || best < 200*time.Millisecond); n++ {
			runtime.GC() // so that nobody pays for another's rubbish
			start := cpuTime()
			read(ctx, text)
			if d := max(cpuTime()-start, time.Microsecond); best == 0 || d < best {
				best = d
			}
		}
		if at == size || best > time.Second {
			return float64(len(text)) / 1e6 / best.Seconds(), at
		}
	}
}
