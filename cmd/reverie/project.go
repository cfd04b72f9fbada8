package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/operations"
	"github.com/reverie-memory/reverie/project"
)

// projectFlag declares --project on a command: the wing is the project of the current folder, unless one is named.
func (a *app) projectFlag(c *cobra.Command, wing *string) {
	var on bool
	c.Flags().BoolVar(&on, "project", false, "the project of the current folder as the wing")
	run := c.RunE
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if on && *wing == "" {
			p, err := a.currentProject(cmd.Context())
			if err != nil {
				return err
			}
			*wing = p.Wing
		}
		return run(cmd, args)
	}
}

// currentProject is that of the current folder. What a person may want to do about it is told besides.
func (a *app) currentProject(ctx context.Context) (api.Project, error) {
	dir, err := os.Getwd()
	if err != nil {
		return api.Project{}, err
	}
	p, err := ask(ctx, a, operations.Project, api.Folder{Folder: dir})
	switch {
	case err != nil:
		return p, err
	case p.Problem != "":
		return p, &codeError{exitUsage, errors.New(p.Problem)}
	case p.Wing == "":
		return p, usageError("%s belongs to no project; name one with --wing", dir)
	}
	if p.Hint != "" {
		fmt.Fprintln(a.err, oneLine(p.Hint, 1000))
	}
	return p, nil
}

func (a *app) projectCmd() *cobra.Command {
	var isolate, release, allow bool
	c := &cobra.Command{
		Use:   "project [NAME] | NAME --allow [FOLDER]",
		Short: "Tell which project the current folder belongs to; isolate one, or let a folder into one",
		Long: `Project tells under which name memory of the current folder is filed. The memory of an isolated project is seen from inside it
alone, and nothing else is seen from there. A folder that asks for the name of a project which was there before it is of that project once
it is allowed to.`,
		Args: cobra.MaximumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if isolate && release || allow && (isolate || release) {
				return usageError("--isolate, --release and --allow: want one of them")
			}
			if len(args) == 2 && !allow || len(args) == 0 && allow {
				return usageError("want the name of a project, and with --allow a folder, if it is not the current one")
			}
			var p api.Project
			var err error
			switch {
			case allow:
				p, err = a.allow(cmd.Context(), args)
			case len(args) > 0:
				p.Wing = args[0]
			default:
				p, err = a.currentProject(cmd.Context())
			}
			if err != nil {
				return err
			}
			var r api.Isolated
			if isolate || release {
				r, err = ask(cmd.Context(), a, operations.Isolate, api.Isolate{Wing: p.Wing, Release: release})
			} else {
				r, err = ask(cmd.Context(), a, operations.Isolated, api.Nothing{})
			}
			if err != nil {
				return err
			}
			return a.printProject(p, r)
		},
	}
	c.Flags().BoolVar(&isolate, "isolate", false, "have its memory seen from inside it alone")
	c.Flags().BoolVar(&release, "release", false, "make its memory general again")
	c.Flags().BoolVar(&allow, "allow", false, "let a folder that asks to be of the project be of it; default: the current folder")
	return c
}

// allow lets the folder args[1] be of the project args[0].
func (a *app) allow(ctx context.Context, args []string) (api.Project, error) {
	dir, err := filepath.Abs(append(args, ".")[1])
	if err != nil {
		return api.Project{}, err
	}
	return ask(ctx, a, operations.Project, api.Folder{Folder: dir, Allow: args[0]})
}

// printProject tells of a project, and which are isolated.
func (a *app) printProject(p api.Project, r api.Isolated) error {
	p.Isolated = project.Isolation(r.Wings).Around(p.Wing) != ""
	printed, err := a.emit(struct {
		Project  string   `json:"project"`
		From     string   `json:"from,omitempty"`
		Isolated bool     `json:"isolated"`
		Asks     string   `json:"asks,omitempty"`
		Wings    []string `json:"isolated_projects"`
	}{p.Wing, p.From, p.Isolated, p.Asks, r.Wings})
	if err != nil || printed {
		return err
	}
	a.print("%s", oneLine(p.Wing, 200))
	if p.From != "" {
		a.print(" (by its %s)", p.From)
	}
	if p.Isolated {
		a.print(", isolated")
	}
	a.print("\n")
	for _, wing := range r.Wings {
		a.print("isolated: %s\n", oneLine(wing, 200))
	}
	return nil
}
