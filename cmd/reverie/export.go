package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/operations"
)

func (a *app) exportCmd() *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:   "export [PATH | -]",
		Short: "Write everything that is remembered as JSONL, one record a line",
		Long: `Export writes drawers, facts, diaries, statements of pages with their sources, and events, one JSON object a line, to a file
or to standard output. 'reverie import' makes the same of it, but for the statements. What was forgotten is left out.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if format != "jsonl" {
				return usageError("--format %q: want jsonl", format)
			}
			if len(args) == 0 || args[0] == "-" {
				return a.export(cmd.Context(), a.out)
			}
			return a.exportFile(cmd.Context(), args[0])
		},
	}
	c.Flags().StringVar(&format, "format", "jsonl", "the form of the export")
	return c
}

// exportFile writes a file that was not there. The file has its name when it is whole and safe on disk.
func (a *app) exportFile(ctx context.Context, name string) (err error) {
	free := func() error {
		if _, err := os.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("export: %s: %w", name, cmp.Or(err, fs.ErrExist))
		}
		return nil
	}
	if err := free(); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*.part")
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name())
		}
	}()
	err = a.export(ctx, f)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = free()
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

// export writes all records.
func (a *app) export(ctx context.Context, to io.Writer) error {
	mem, done, err := a.memory(ctx)
	if err != nil {
		return err
	}
	defer done()
	out := bufio.NewWriter(to)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	for q := (api.Export{}); ; {
		page, err := operations.Export.Ask(ctx, mem, q)
		if err != nil {
			return err
		}
		for _, r := range page.Records {
			if err := enc.Encode(r); err != nil {
				return fmt.Errorf("write the export: %w", err)
			}
		}
		if q.After = page.Next; q.After == "" {
			return out.Flush()
		}
	}
}
