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

// verbs are those of the program. The hidden ones measure one phase of another in a process of its own.
var verbs = map[string]func(ctx context.Context, args []string) error{
	"quality": runQuality,
	"probes":  runProbes,
	"dream":   runDream,
	"speed":   runSpeed,
	"mine":    runMine,
	"import":  runImport,
	"same":    runSame,
	"writers": runWriters,
	"text":    runText,
	"palace":  runPalace,

	dreamChild:  runDreamChild,
	speedChild:  runSpeedChild,
	palaceChild: runPalaceChild,
}

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
	if verb := verbs[args[0]]; verb != nil {
		return verb(ctx, args[1:])
	}
	fmt.Fprint(os.Stderr, usage)
	return fmt.Errorf("there is no %q", args[0])
}
