package main

import (
	"errors"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/operations"
)

func (a *app) mineCmd() *cobra.Command {
	var q api.Mine
	var watch, copied, noWait bool
	c := &cobra.Command{
		Use:   "mine PATH",
		Short: "Make the text of a folder or file findable where it lies",
		Long: `Mine reads text, Markdown, source code, HTML and PDF below PATH, and searches find it. Nothing is copied, unless ` +
			`--copy asks for it: the files stay what they are,
an edit is followed, and what is deleted is not found any more. What .gitignore and .reverieignore leave out is not read, and neither
are hidden files, files that hold secrets, and links out of the folder. No facts are taken from it, and assistants are told of it
only when they search.

Mining a folder again reads what changed. The daemon looks every few minutes; with --watch, at once.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if q.Path, err = filepath.Abs(expandHome(args[0])); err != nil {
				return err
			}
			if cmd.Flags().Changed("watch") {
				q.Watch = &watch
			}
			if cmd.Flags().Changed("copy") {
				q.Copy = &copied
			}
			return a.mine(cmd, q, noWait)
		},
	}
	c.Flags().StringVar(&q.Wing, "wing", "", "wing to file under (default: the folder's name)")
	c.Flags().StringVar(&q.Room, "room", "", "room to file under (default: the folder at the top that a file lies in)")
	c.Flags().BoolVar(&watch, "watch", false, "follow edits at once, while the daemon runs; --watch=false ends it")
	c.Flags().BoolVar(&copied, "copy", false, "copy the text into the vault, so that it is found without the folder; --copy=false ends it")
	c.Flags().BoolVar(&noWait, "no-wait", false, "start the job and return")
	c.AddCommand(
		verb(a, &cobra.Command{Use: "list", Short: "List the mined folders"}, operations.MinedFolders, &api.Nothing{}, func(l api.MinedFolders) {
			if len(l.Folders) == 0 {
				a.print("No folder is mined; `reverie mine PATH` does it.\n")
			}
			for _, f := range l.Folders {
				a.printMined(f)
			}
		}),
		a.unmineCmd(),
	)
	return c
}

func (a *app) unmineCmd() *cobra.Command {
	var q api.Unmine
	c := &cobra.Command{
		Use: "remove PATH", Short: "Take what is known of a mined folder away; its files stay", Args: cobra.ExactArgs(1),
		PreRunE: func(_ *cobra.Command, args []string) error {
			q.Path = args[0]
			if abs, err := filepath.Abs(expandHome(q.Path)); err == nil {
				q.Path = abs
			}
			return nil
		},
	}
	return verb(a, c, operations.Unmine, &q, func(u api.Unmined) {
		a.print("%s is mined no longer: %s gone, its files stay\n", oneLine(u.Folder.Path, 500), count(u.Drawers, "drawer"))
	})
}

// mine has a folder read, and follows the job.
func (a *app) mine(cmd *cobra.Command, q api.Mine, noWait bool) error {
	mem, done, err := a.memory(cmd.Context())
	if err != nil {
		return err
	}
	defer done()
	m, err := operations.Mine.Ask(cmd.Context(), mem, q)
	if err != nil {
		return err
	}
	job, err := operations.Job.Ask(cmd.Context(), mem, api.ByID{ID: m.JobID})
	if err == nil && (!noWait || a.flag.noDaemon) {
		job, err = a.follow(cmd.Context(), mem, job)
	}
	if err != nil {
		return err
	}
	m.Job = &job
	list, err := operations.MinedFolders.Ask(cmd.Context(), mem, api.Nothing{})
	if err != nil {
		return err
	}
	for _, f := range list.Folders {
		if f.ID == m.Folder.ID {
			m.Folder = f
		}
	}
	if ok, err := a.emit(m); ok {
		return err
	}
	a.printMined(m.Folder)
	if job.State == "running" {
		a.print("  still being read; `reverie mine list` tells how far it is\n")
	}
	if m.Folder.Unreachable != "" {
		return errors.New(m.Folder.Unreachable)
	}
	return nil
}

func (a *app) printMined(f api.MinedFolder) {
	watched := ""
	if f.Watch {
		watched = ", watched"
	}
	a.print("%s: wing %s, %s, %s%s\n", oneLine(f.Path, 500), oneLine(f.Wing, 200), count(f.Files, "file"), count(f.Drawers, "drawer"),
		watched)
	if f.Silent > 0 {
		a.print("  without text: %s\n", count(f.Silent, "file"))
	}
	for _, p := range f.LeftOut {
		a.print("  left out: %s: %s\n", oneLine(p.File, 500), oneLine(p.Reason, 500))
	}
	if f.Unreachable != "" {
		a.print("  cannot be looked at: %s; what is known of it stays\n", oneLine(f.Unreachable, 500))
	}
}
