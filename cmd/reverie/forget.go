package main

import (
	"bufio"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/operations"
)

func (a *app) forgetCmd() *cobra.Command {
	var req api.Forget
	var yes, list bool
	c := &cobra.Command{
		Use:   "forget [ID...]",
		Short: "Forget facts and drawers by id, query or conversation",
		Long: `Forget leaves a tombstone, so that what is forgotten stays out of every answer, also after a rebuild or
a second import; pages lose it at once. ` + "`reverie unforget`" + ` takes it back. With --purge the bytes go out of every file as
well, for good. A query and a purge show what they found and ask first.`,
		Example: `  reverie forget --query "spare key"
  reverie forget --list`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if list {
				return do(cmd.Context(), a, operations.Forgettings, api.Nothing{}, a.printForgettings)
			}
			req.IDs = args
			given := slice.Count([]bool{len(args) > 0, req.Query != "", req.ChatID != ""}, func(set bool) bool { return set })
			if given != 1 {
				return usageError("name ids, --query or --chat: exactly one of them")
			}
			if (req.Purge || req.Query != "") && !req.DryRun && !yes {
				if err := a.confirm(cmd, req); err != nil {
					return err
				}
			}
			show := func(r api.ForgetResult) { a.printForgotten(r, req.DryRun) }
			return do(cmd.Context(), a, operations.Forget, req, show, func(r api.ForgetResult) error {
				switch {
				case len(r.Forgotten) == 0 && len(r.Remaining) == 0:
					return &codeError{exitNotFound, errors.New("nothing matches, so nothing is forgotten")}
				case !req.DryRun && !r.Verified:
					return &codeError{exitIncomplete, fmt.Errorf("%d places still tell it", len(r.Remaining))}
				}
				return nil
			})
		},
	}
	c.Flags().StringVar(&req.Query, "query", "", "forget what answers this question word for word")
	c.Flags().StringVar(&req.ChatID, "chat", "", "forget a whole conversation")
	c.Flags().BoolVar(&req.DryRun, "dry-run", false, "only list what would be forgotten")
	c.Flags().BoolVar(&req.Purge, "purge", false, "also take the bytes out of the files")
	c.Flags().StringVar(&req.Reason, "reason", "", "why; kept with the tombstone")
	c.Flags().BoolVar(&yes, "yes", false, "do not ask")
	c.Flags().BoolVar(&list, "list", false, "list what was forgotten: what may be taken back, and what was purged")
	return c
}

func (a *app) printForgotten(r api.ForgetResult, dry bool) {
	verb := "forgot"
	if dry {
		verb = "would forget"
	}
	for _, f := range r.Forgotten {
		stands := ""
		if f.Named != "" {
			stands = ", on which " + oneLine(f.Named, 100) + " rests"
		}
		a.print("%s %s in %s%s: %s\n", verb, f.ID, oneLine(f.SourceFile, 500), stands, oneLine(f.Text, 100))
	}
	for _, id := range r.Unknown {
		fmt.Fprintf(a.err, "warning: nothing has the id %s\n", oneLine(id, 100))
	}
	a.print("%s %d\n", verb, len(r.Forgotten))
	for _, f := range r.Remaining {
		a.print("still there: %s in %s: %s\n", f.ID, oneLine(f.SourceFile, 500), oneLine(f.Text, 100))
	}
}

// confirm shows what a request would forget and asks. Where nobody can be asked it refuses.
func (a *app) confirm(cmd *cobra.Command, req api.Forget) error {
	if !a.canAsk(cmd) {
		what := "--query may name more than you think"
		if req.Purge {
			what = "--purge takes bytes out of your files"
		}
		return usageError("%s; say --yes to do it, or --dry-run to see what would go", what)
	}
	req.DryRun = true
	r, err := ask(cmd.Context(), a, operations.Forget, req)
	if err != nil {
		return err
	}
	a.printForgotten(r, true)
	if len(r.Forgotten) == 0 && !req.Purge {
		return &codeError{exitNotFound, errors.New("nothing matches, so nothing is forgotten")}
	}
	fmt.Fprint(a.err, "Forget this? [y/N] ")
	answer, _ := bufio.NewReader(cmd.InOrStdin()).ReadString('\n')
	if answer = strings.ToLower(strings.TrimSpace(answer)); answer != "y" && answer != "yes" {
		return errors.New("nothing is forgotten")
	}
	return nil
}

func (a *app) printForgettings(r api.Forgettings) {
	for _, f := range r.Forgettings {
		purged := ""
		if f.Purged {
			purged = "purged  "
		}
		a.print("%s  %s  %-5s %4d  %s%s\n", f.ID, f.At.UTC().Format(time.DateTime), oneLine(f.Scope, 20), f.Count, purged, oneLine(f.Reason, 100))
	}
	if r.Lost > 0 {
		a.warn([]string{fmt.Sprintf("%d tombstones are lost; `reverie doctor` says how to get them back", r.Lost)})
	}
}

func (a *app) unforgetCmd() *cobra.Command {
	var req api.Unforget
	c := &cobra.Command{
		Use:   "unforget [ID...]",
		Short: "Take back what was forgotten and not purged",
		Long: `Unforget takes tombstones back, by the ids of facts, drawers or forgettings (` + "`reverie forget --list`" + `), or of a whole
conversation. Facts that had been filed on pages come back with the next dream. What was purged is gone; its tombstones, which keep it
from coming back by an import, are given up with --purged and the ids of such forgettings.`,
		Args: cobra.ArbitraryArgs, PreRunE: rest(&req.IDs),
	}
	verb(a, c, operations.Unforget, &req, func(r api.UnforgetResult) {
		for _, f := range r.Restored {
			a.print("restored %s in %s: %s\n", f.ID, oneLine(f.SourceFile, 500), oneLine(f.Text, 100))
		}
		a.print("took back %d, restored %d\n", r.Lifted, len(r.Restored))
	})
	c.Flags().StringVar(&req.ChatID, "chat", "", "take a whole conversation back")
	c.Flags().BoolVar(&req.Purged, "purged", false, "give up tombstones of what was purged, so that it may be remembered anew")
	c.Flags().BoolVar(&req.Lost, "lost", false, "give up the tombstones that are lost: what they hid is shown again")
	return c
}
