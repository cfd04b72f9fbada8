// Command bench measures quality, speed and cost, and prints tables and plots.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
)

const usage = `bench measures Reverie.

  bench quality --data DIR   evidence recall on conversations with labelled questions
  bench dream --data DIR     evidence recall before and after a dream; --speed: facts a second and memory
  bench probes --data DIR    whether a memory's own questions (reverie bench mine) rank settings as labelled ones do
  bench speed                ingest, append, search, rebuild, start-up, memory and disk
  bench palace               start-up, status, taxonomy and lists of a vault of 150,000 drawers
  bench mine                 a folder of Markdown, the first time and unchanged
  bench import               an export of 100,000 messages, through the verb and the daemon
  bench same                 records what the program answers and writes, and compares two recordings
  bench text                 speed of all that reads text, on shapes that tempt a parser
  bench writers              32 clients that write without a pause: how long everything else takes meanwhile

Each prints its flags with -h.
`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := run(ctx, os.Args[1:])
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
	default:
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		fmt.Print(usage)
		return flag.ErrHelp
	}
	switch args[0] {
	case "quality":
		return runQuality(ctx, args[1:])
	case "probes":
		return runProbes(ctx, args[1:])
	case "dream":
		return runDream(ctx, args[1:])
	case "speed":
		return runSpeed(ctx, args[1:])
	case "mine":
		return runMine(ctx, args[1:])
	case "import":
		return runImport(ctx, args[1:])
	case "same":
		return runSame(ctx, args[1:])
	case "writers":
		return runWriters(ctx, args[1:])
	case "text":
		return runText(ctx, args[1:])
	case dreamChild:
		return runDreamChild(ctx, args[1:])
	case speedChild:
		return runSpeedChild(ctx, args[1:])
	case "palace":
		return runPalace(ctx, args[1:])
	case palaceChild:
		return runPalaceChild(ctx, args[1:])
	}
	fmt.Fprint(os.Stderr, usage)
	return fmt.Errorf("there is no %q", args[0])
}
