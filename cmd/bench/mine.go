package main

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/vault"
	"github.com/reverie-memory/reverie/workspace"
)

// runMine measures what mining a folder of Markdown takes, the first time and when nothing changed since.
func runMine(ctx context.Context, args []string) (err error) {
	f := flag.NewFlagSet("mine", flag.ContinueOnError)
	files := f.Int("files", 6500, "Markdown files")
	size := f.Int("mb", 15, "megabytes in all")
	text := f.String("text", "", "folder with Markdown, whose paragraphs are what the files consist of; none: words at random")
	if err := f.Parse(args); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "bench-mine")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	paragraphs, err := proseOf(*text)
	if err != nil {
		return err
	}
	notes := filepath.Join(dir, "notes")
	if err := writeNotes(notes, paragraphs, *files, *size<<20 / *files); err != nil {
		return err
	}
	if _, err := vault.Init(filepath.Join(dir, "vault"), workspace.Template()); err != nil {
		return err
	}
	m, err := openReady(ctx, dir, config.Default())
	if err != nil {
		return err
	}
	defer m.Close(context.WithoutCancel(ctx))
	for _, what := range []string{"first", "unchanged"} {
		began := time.Now()
		mined, err := m.Mine(ctx, api.Mine{Path: notes, Wait: true})
		if err != nil {
			return err
		}
		rows := time.Since(began)
		if err := m.Index.Settle(ctx); err != nil {
			return err
		}
		fmt.Printf("%-10s %6.2f s, with vectors %6.2f s: %d files, %d drawers; peak %.0f MB\n", what, rows.Seconds(),
			time.Since(began).Seconds(),
			mined.Folder.Files, mined.Folder.Drawers, memory("VmHWM:"))
	}
	return nil
}

// proseOf are the paragraphs of the Markdown in a folder.
func proseOf(dir string) (out []string, err error) {
	if dir == "" {
		r := rand.New(rand.NewPCG(1, 2))
		for range 20_000 {
			var b strings.Builder
			for range 20 + r.IntN(60) {
				fmt.Fprintf(&b, "w%d ", r.IntN(1+r.IntN(30_000)))
			}
			out = append(out, strings.TrimSpace(b.String())+".")
		}
		return out, nil
	}
	err = filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Ext(name) != ".md" {
			return err
		}
		data, err := os.ReadFile(name)
		for p := range strings.SplitSeq(string(data), "\n\n") {
			if p = strings.TrimSpace(p); p != "" {
				out = append(out, p)
			}
		}
		return err
	})
	if err == nil && len(out) == 0 {
		err = fmt.Errorf("%s holds no Markdown", dir)
	}
	return out, err
}

// writeNotes writes files of paragraphs in any order; a number in each keeps them apart.
func writeNotes(dir string, paragraphs []string, files, size int) error {
	r := rand.New(rand.NewPCG(3, 4))
	for i := range files {
		var b strings.Builder
		fmt.Fprintf(&b, "# Note %d\n\n", i)
		for b.Len() < size {
			fmt.Fprintf(&b, "%s %d\n\n", paragraphs[r.IntN(len(paragraphs))], r.IntN(1e6))
		}
		name := filepath.Join(dir, fmt.Sprintf("folder%02d", i%50), fmt.Sprintf("note%d.md", i))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(name, []byte(b.String()), 0o600); err != nil {
			return err
		}
	}
	return nil
}
