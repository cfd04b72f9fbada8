package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/cmd/demo/sample"
)

const sameUsage = `Same records what the program answers and writes, so that two versions of it can be compared.

  bench same record [flags] DIR   records into the folder, which must be empty or absent
  bench same compare DIR DIR      prints how two recordings differ; exit code 1 when they do

Times, random ids, sizes and durations are left out. What depends on the day stays, so both recordings belong to one day (UTC).
`

// A sameRun records one program. Every part works in vaults of its own under work, which is removed.
type sameRun struct {
	program, example, turns string
	work, out               string
	ids                     map[string]bool // that files of the vaults hold, so that they stay the same
}

func runSame(ctx context.Context, args []string) error {
	r := sameRun{ids: map[string]bool{}}
	fs := flag.NewFlagSet("bench same record", flag.ContinueOnError)
	fs.StringVar(&r.program, "reverie", "bin/reverie", "the program")
	fs.StringVar(&r.example, "example", "", "a vault to read as well; it is copied")
	fs.StringVar(&r.turns, "data", "", "folder of *.turns.jsonl and *.queries.jsonl, for a vault and for the hits of each question")
	if len(args) == 0 {
		fmt.Print(sameUsage)
		return flag.ErrHelp
	}
	if err := fs.Parse(args[1:]); err != nil {
		return err
	}
	switch {
	case args[0] == "record" && fs.NArg() == 1:
		return r.record(ctx, fs.Arg(0))
	case args[0] == "compare" && fs.NArg() == 2:
		return compareRecordings(os.Stdout, fs.Arg(0), fs.Arg(1))
	}
	fmt.Fprint(os.Stderr, sameUsage)
	return fmt.Errorf("same %s: unknown verb or wrong number of folders", args[0])
}

func (r *sameRun) record(ctx context.Context, out string) (err error) {
	if there, _ := os.ReadDir(out); len(there) > 0 {
		return fmt.Errorf("%s is not empty", out)
	}
	r.out = out
	if r.program, err = filepath.Abs(r.program); err != nil {
		return err
	}
	if r.work, err = os.MkdirTemp("", "reverie-same-"); err != nil {
		return err
	}
	defer os.RemoveAll(r.work)
	day := time.Now().UTC().Format(time.DateOnly)
	demo, err := r.vaults(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, "routes")
	if err := r.routes(ctx, demo); err != nil {
		return err
	}
	for _, pass := range commandPasses {
		fmt.Fprintln(os.Stderr, "commands,", pass.name)
		if err := r.commands(ctx, demo, pass); err != nil {
			return fmt.Errorf("commands, %s: %w", pass.name, err)
		}
	}
	if r.turns != "" {
		q := qualityRun{data: r.turns, out: filepath.Join(out, "quality"), embedder: "builtin", k: 10, off: "recency", stdout: os.Stderr}
		if err := q.run(ctx); err != nil {
			return err
		}
		// Its scores come with the time that they took; the hits say more.
		if err := os.Remove(filepath.Join(q.out, "scores.json")); err != nil {
			return err
		}
	}
	if day != time.Now().UTC().Format(time.DateOnly) {
		return errors.New("the day ended meanwhile: record again")
	}
	return nil
}

// vaults makes the vaults and records their rows and dreams. The demo's is what the other parts begin with.
func (r *sameRun) vaults(ctx context.Context) (demo *subject, err error) {
	files, err := filepath.Glob(filepath.Join(r.turns, "*.turns.jsonl"))
	if err != nil {
		return nil, err
	}
	var talk []byte
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		talk = append(talk, data...)
	}
	for _, v := range []struct {
		name, from string
		talk       []byte
	}{{"demo", "", sample.Conversation}, {"example", r.example, nil}, {"data", "", talk}} {
		if v.from == "" && v.talk == nil {
			fmt.Fprintf(os.Stderr, "no --%s: left out\n", v.name)
			continue
		}
		fmt.Fprintf(os.Stderr, "rows and dreams of the %s vault\n", v.name)
		s, err := r.newSubject(v.name, v.from)
		if err != nil {
			return nil, err
		}
		demo = cmp.Or(demo, s)
		if v.talk != nil {
			err = s.fill(ctx, v.talk)
		}
		if err == nil {
			err = s.each(func(_, text string) error {
				for _, id := range anID.FindAllString(text, -1) {
					r.ids[id] = id[0] != 's' && id[0] != 'e' // imports and entries of diaries have random ones
				}
				return nil
			})
		}
		if err == nil {
			err = r.dreams(ctx, s)
		}
		if err != nil {
			return nil, fmt.Errorf("%s vault: %w", v.name, err)
		}
	}
	return demo, nil
}

// note writes one file of the recording, normalised.
func (r *sameRun) note(text string, path ...string) error {
	file := filepath.Join(append([]string{r.out}, path...)...)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(normal(strings.ReplaceAll(text, r.work, "<work>"), r.ids)), 0o644)
}
