// Command lancedb puts LanceDB's native library where the build looks for it: .lancedb/<os>_<arch>
// in the repository. Lancedb tries what costs least first and says what it does; docs/lancedb.md explains.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"
	"time"
)

const usage = `usage: go run ./scripts/lancedb [flags]

Puts LanceDB's native library into .lancedb/<os>_<arch>, from the first of these that has it:
REVERIE_LANCEDB_LIB, the user's cache, upstream's release, a build from source.
`

type options struct {
	quick bool
	tags  bool
	from  string
	sum   string
	jobs  int
}

func main() {
	if os.Getenv(wrapperEnv) != "" {
		os.Exit(wrapRustc(os.Args[1:]))
	}
	var o options
	flag.BoolVar(&o.quick, "quick", false, "only what is quick, and never fail: say which engine the build will have")
	flag.BoolVar(&o.tags, "tags", false, "print the build flags that fit what is there, and do nothing")
	flag.StringVar(&o.from, "from", "", "take the library from this `file` (may be .zst), checked against SHA256SUMS beside it")
	flag.StringVar(&o.sum, "sha256", "", "the `sum` that -from must have, in place of SHA256SUMS")
	flag.IntVar(&o.jobs, "jobs", 0, "parallel jobs of a build from source (0: as many as processors)")
	flag.Usage = func() { fmt.Fprint(flag.CommandLine.Output(), usage); flag.PrintDefaults() }
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "lancedb:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) error {
	p, err := findPlaces()
	if err != nil {
		return err
	}
	switch {
	case o.tags:
		if p.usable() == nil {
			fmt.Println("-tags lancedb")
		}
		return nil
	case o.from != "":
		return p.fromFile(o.from, o.sum)
	case o.quick:
		return p.quick(ctx)
	}
	return p.get(ctx, o.jobs)
}

// quick tries what takes no patience. Whatever happens, there is an engine: flat is part of every build.
// One line says which it is.
func (p places) quick(ctx context.Context) error {
	p.say = func(string, ...any) {}
	if !p.installed() && p.fromHere() != nil && !p.failedLately() {
		if err := p.download(ctx, 5*time.Second); err != nil {
			p.noteFailure(err)
		}
	}
	switch err := p.usable(); {
	case err == nil:
		fmt.Println("vector engine: lancedb, with the library in", p.relative())
	case p.installed():
		fmt.Printf("vector engine: flat, because %v\n", err)
	default:
		fmt.Println("vector engine: flat (exact, in memory); for lancedb: make lancedb")
	}
	return nil
}

// get tries everything, and fails with all that it tried.
func (p places) get(ctx context.Context, jobs int) error {
	if p.installed() {
		fmt.Println("LanceDB's library is in", p.relative())
		return p.usable()
	}
	tries := []struct {
		name string
		do   func() error
	}{
		{"what is on this machine", p.fromHere},
		{"upstream's release " + version, func() error { return p.download(ctx, 10*time.Second) }},
		{"a build from source", func() error { return p.build(ctx, jobs) }},
	}
	var all []error
	for _, try := range tries {
		fmt.Println("trying", try.name)
		err := try.do()
		if err == nil {
			p.forgetFailure()
			return p.usable()
		}
		fmt.Printf("  no: %v\n", err)
		all = append(all, fmt.Errorf("%s: %w", try.name, err))
		if ctx.Err() != nil {
			break
		}
	}
	return errors.Join(all...)
}

// relative is the library's path as a person in the repository would type it.
func (p places) relative() string {
	if rel, err := filepath.Rel(p.root, p.dir); err == nil {
		return rel
	}
	return p.dir
}

func platform() string { return runtime.GOOS + "_" + runtime.GOARCH }
