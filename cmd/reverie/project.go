package main

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/reverie-memory/reverie/project"
)

// projectFlag declares --project on a command: the wing is the project of the current folder, unless one is named.
func projectFlag(c *cobra.Command, wing *string) {
	var on bool
	c.Flags().BoolVar(&on, "project", false, "the project of the current folder as the wing")
	run := c.RunE
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if on && *wing == "" {
			scope, err := currentProject()
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
