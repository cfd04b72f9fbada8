package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

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
or to standard output. 'reverie import' makes the same drawers and facts of it. What was forgotten is left out.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if format != "jsonl" {
				return usageError("--format %q: want jsonl", format)
			}
			if len(args) == 0 || args[0] == "-" {
				return a.export(cmd.Context(), a.out)
			}
			f, err := os.OpenFile(args[0], os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
			if err != nil {
				return fmt.Errorf("export: %w", err)
			}
			return errors.Join(a.export(cmd.Context(), f), f.Sync(), f.Close())
		},
	}
	c.Flags().StringVar(&format, "format", "jsonl", "the form of the export")
	return c
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
