package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/operations"
)

func (a *app) coreCmd() *cobra.Command {
	var req api.SetCore
	var clear bool
	c := &cobra.Command{
		Use:   "core persona|user [TEXT]",
		Short: "Set the block that assistants may write in persona.md or user.md",
		Long: `Core sets the managed block of memory/persona.md or memory/user.md. What you write into these files yourself stays byte for byte,
and is the place for instructions: the block takes none.`,
		Example: `  reverie core user "Alice lives in Lisbon and speaks German"`,
		Args:    cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if req.Which = args[0]; (len(args) == 2) == clear {
				return usageError("give the text of the block, or --clear")
			}
			if !clear {
				req.Content = args[1]
			}
			return do(cmd.Context(), a, operations.SetCore, req, func(r api.CoreSet) {
				a.print("%s\n", r.SourceFile)
				if r.Changed && r.Was != "" {
					a.print("before: %s\n", oneLine(r.Was, 2000))
				}
				for _, w := range r.Warnings {
					fmt.Fprintf(a.err, "warning: %s\n", w)
				}
			})
		},
	}
	c.Flags().BoolVar(&clear, "clear", false, "take the block away")
	c.Flags().BoolVar(&req.Edited, "edited", false, "replace the block even though it was edited by hand")
	return c
}
