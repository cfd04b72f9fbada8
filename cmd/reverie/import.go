package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/importer"
	"github.com/reverie-memory/reverie/operations"
)

// importReport is what an import did.
type importReport struct {
	Files      int `json:"files"`
	Messages   int `json:"messages"`
	Accepted   int `json:"turns_accepted"`
	Duplicate  int `json:"turns_duplicate"`
	Skipped    int `json:"turns_skipped"`
	Redactions int `json:"redactions"`
}

func (a *app) importCmd() *cobra.Command {
	var wing, room string
	var transcripts, others bool
	var hosts []string
	c := &cobra.Command{
		Use:   "import FILE... | --transcripts",
		Short: "Import conversations: transcripts of assistants, or JSONL with one message a line",
		Long: `Import reads transcripts of Claude Code, Codex CLI and Gemini CLI, and JSONL files with one message a line:
  {"conversation":"c1","session":1,"session_datetime":"2026-06-08T09:12:00","speaker":"Alice","text":"…","dia_id":"D1:1"}
role, turn_datetime, platform, wing and room are optional. Importing a file twice adds nothing, and neither does a transcript
of which the hooks have told already.

With --transcripts and no file, the daemon reads all transcripts of the assistants on this machine from their beginning, behind
what is said now.`,
		Args: func(_ *cobra.Command, args []string) error {
			if transcripts == (len(args) > 0) || len(hosts) > 0 && !transcripts {
				return errors.New("name files, or say --transcripts, with --host or without")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if transcripts {
				return a.readHistory(cmd.Context(), hosts)
			}
			im := importer.Import{Wing: wing, Room: room, Others: others}
			for _, path := range args {
				if err := readExport(&im, path); err != nil {
					return err
				}
			}
			rep := importReport{Files: len(args), Messages: im.Messages}
			mem, done, err := a.memory(cmd.Context())
			if err != nil {
				return err
			}
			defer done()
			if err := fileByFolder(cmd.Context(), mem, &im); err != nil {
				return err
			}
			if err := a.send(cmd.Context(), mem, im.Turns, &rep); err != nil {
				return err
			}
			if ok, err := a.emit(rep); ok {
				return err
			}
			a.print("imported %d messages from %d files: %d turns new, %d known, %d skipped; secrets redacted: %d\n",
				rep.Messages, rep.Files, rep.Accepted, rep.Duplicate, rep.Skipped, rep.Redactions)
			return nil
		},
	}
	c.Flags().BoolVar(&transcripts, "transcripts", false, "all transcripts of the assistants on this machine, instead of files")
	c.Flags().StringSliceVar(&hosts, "host", nil, "with --transcripts: only those of this assistant")
	c.Flags().StringVar(&wing, "wing", "", "wing to file under where the file names none")
	c.Flags().StringVar(&room, "room", "", "room to file under where the file names none")
	c.Flags().BoolVar(&others, "others", false, "the conversations are other people's: searches find them, and nothing of them is taken "+
		"for yours")
	return c
}

// fileByFolder gives turns the projects of the folders that they were said in.
func fileByFolder(ctx context.Context, mem memory, im *importer.Import) error {
	wings := map[string]string{}
	for i, folder := range im.Folders {
		if folder == "" {
			continue
		}
		wing, known := wings[folder]
		if !known {
			p, err := operations.Project.Ask(ctx, mem, api.Folder{Folder: folder})
			if err != nil {
				return fmt.Errorf("find the project of %s: %w", folder, err)
			}
			wing = p.Wing
			wings[folder] = wing
		}
		im.Turns[i].Wing = cmp.Or(wing, im.Turns[i].Wing)
	}
	return nil
}

// readExport adds the turns of a file. What cannot be understood is an error that names the place, before anything is sent.
func readExport(im *importer.Import, path string) error {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return usageError("import: %w", err)
	}
	if err != nil {
		return fmt.Errorf("import: %w", err)
	}
	defer f.Close()
	err = im.Read(path, f, importer.All())
	var place *importer.PlaceError
	switch {
	case errors.As(err, &place):
		return usageError("%s:%d: %w", path, place.Line, place.Err)
	case errors.Is(err, importer.ErrForm):
		return usageError("import %s: %w", path, err)
	case err != nil:
		return fmt.Errorf("import %s: %w", path, err)
	}
	return nil
}

// send hands the turns over: conversations side by side, each in its order.
func (a *app) send(ctx context.Context, mem memory, turns []api.Turn, rep *importReport) error {
	byChat := map[string][]api.Turn{}
	var order []string
	for _, t := range turns {
		if byChat[t.ChatID] == nil {
			order = append(order, t.ChatID)
		}
		byChat[t.ChatID] = append(byChat[t.ChatID], t)
	}
	bar := a.progress("import")
	results := make(chan api.TurnResult)
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(8)
	go func() {
		for _, chat := range order {
			g.Go(func() error {
				for _, t := range byChat[chat] {
					r, err := operations.Remember.Ask(ctx, mem, t)
					if err != nil {
						return fmt.Errorf("import conversation %s: %w", chat, err)
					}
					results <- r
				}
				return nil
			})
		}
		_ = g.Wait()
		close(results)
	}()
	n := 0
	for r := range results {
		n++
		bar.set(n, len(turns))
		rep.Redactions += r.Redactions
		switch r.Status {
		case api.Accepted:
			rep.Accepted++
		case api.Duplicate:
			rep.Duplicate++
		default:
			rep.Skipped++
		}
	}
	bar.finish()
	return g.Wait()
}
