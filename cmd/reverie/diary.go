package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/operations"
)

func (a *app) diaryCmd() *cobra.Command {
	var w api.DiaryWrite
	r := api.DiaryRead{}
	c := &cobra.Command{
		Use:     "diary [ENTRY]",
		Short:   "Read an assistant's diary, or write an entry into it",
		Example: `  reverie diary --agent claude-code -n 3`,
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if w.Agent == "" {
				return usageError("--agent: whose diary?")
			}
			if len(args) > 0 {
				w.Entry = args[0]
				return do(cmd.Context(), a, operations.DiaryWrite, w, func(d api.DiaryWritten) {
					a.print("%s at %s:%d\n", d.ID, d.SourceFile, d.Line)
					a.warn(d.Degraded)
				})
			}
			r.Agent, r.Wing = w.Agent, w.Wing
			return do(cmd.Context(), a, operations.DiaryRead, r, func(d api.Diary) {
				for _, e := range d.Entries {
					day, clock, _ := strings.Cut(e.Date, "T")
					a.print("%s %s %s\n", day, clock[:5], oneLine(e.Entry, 10000))
				}
			})
		},
	}
	f := c.Flags()
	f.StringVar(&w.Agent, "agent", "", "whose diary it is")
	f.StringVar(&w.Topic, "topic", "", "topic of the entry")
	f.StringVar(&w.Wing, "wing", "", "project")
	f.IntVarP(&r.LastN, "last", "n", 10, "how many entries")
	a.projectFlag(c, &w.Wing)
	return c
}
