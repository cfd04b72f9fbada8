package main

import (
	"context"
	"errors"
	"os"

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
			scope, err := currentProject()
			if err == nil {
				err = a.isolate(cmd.Context(), scope)
			}
			if err != nil {
				return err
			}
			*wing = scope.Name
		}
		return run(cmd, args)
	}
}

func currentProject() (project.Scope, error) {
	dir, err := os.Getwd()
	if err != nil {
		return project.Scope{}, err
	}
	scope, err := project.Resolve(dir)
	switch {
	case err != nil:
		return scope, &codeError{exitUsage, err}
	case scope.Name == "":
		return scope, usageError("%s belongs to no project; name one with --wing", dir)
	}
	return scope, nil
}

// isolate has the vault know that a project wants to keep to itself, before anything of it is asked or written.
func (a *app) isolate(ctx context.Context, scope project.Scope) error {
	if !scope.Isolated {
		return nil
	}
	_, done, err := a.memoryOf(ctx, scope)
	if err != nil {
		return err
	}
	return done()
}

// memoryOf is memory for who asks from a project, which is isolated by then where it wants to be.
func (a *app) memoryOf(ctx context.Context, scope project.Scope) (m memory, done func() error, err error) {
	m, done, err = a.memory(ctx)
	if err != nil || !scope.Isolated {
		return m, done, err
	}
	if _, err := operations.Isolate.Ask(ctx, m, api.Isolate{Wing: scope.Name}); err != nil {
		return nil, nil, errors.Join(err, done())
	}
	return m, done, nil
}

func (a *app) projectCmd() *cobra.Command {
	var isolate, release bool
	c := &cobra.Command{
		Use:   "project [NAME]",
		Short: "Tell which project the current folder belongs to; isolate one, or end that",
		Long: `Project tells under which name memory of the current folder is filed. The memory of an isolated project is seen from inside it alone,
and nothing else is seen from there.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if isolate && release {
				return usageError("--isolate and --release: want one of them")
			}
			var scope project.Scope
			var r api.Isolated
			var err error
			if len(args) > 0 {
				scope.Name = args[0]
			} else if scope, err = currentProject(); err == nil {
				err = a.isolate(cmd.Context(), scope)
			}
			if err != nil {
				return err
			}
			if isolate || release {
				r, err = ask(cmd.Context(), a, operations.Isolate, api.Isolate{Wing: scope.Name, Release: release})
			} else {
				r, err = ask(cmd.Context(), a, operations.Isolated, api.Nothing{})
			}
			if err != nil {
				return err
			}
			return a.printProject(scope, r)
		},
	}
	c.Flags().BoolVar(&isolate, "isolate", false, "have its memory seen from inside it alone")
	c.Flags().BoolVar(&release, "release", false, "make its memory general again")
	return c
}

// printProject tells of a project, and which are isolated.
func (a *app) printProject(scope project.Scope, r api.Isolated) error {
	scope.Isolated = project.Isolation(r.Wings).Around(scope.Name) != ""
	printed, err := a.emit(struct {
		Project  string   `json:"project"`
		From     string   `json:"from,omitempty"`
		Isolated bool     `json:"isolated"`
		Wings    []string `json:"isolated_projects"`
	}{scope.Name, scope.From, scope.Isolated, r.Wings})
	if err != nil || printed {
		return err
	}
	a.print("%s", oneLine(scope.Name, 200))
	if scope.From != "" {
		a.print(" (by its %s)", scope.From)
	}
	if scope.Isolated {
		a.print(", isolated")
	}
	a.print("\n")
	for _, wing := range r.Wings {
		a.print("isolated: %s\n", oneLine(wing, 200))
	}
	return nil
}
