package main

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/dream"
	"github.com/reverie-memory/reverie/extract"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/palace/drawers"
	"github.com/reverie-memory/reverie/recall"
)

// completions are the values of flags that the shell can offer; every verb that has such a flag offers them.
func (a *app) completions() map[string]cobra.CompletionFunc {
	fixed := func(values ...string) cobra.CompletionFunc {
		return cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)
	}
	sources := []catalog.SourceType{
		catalog.ArchiveLog, catalog.Notebook, catalog.CoreFile, catalog.DrawerText, catalog.Closet, catalog.Diary,
	}
	return map[string]cobra.CompletionFunc{
		"vault":      completeVaults,
		"workspace":  a.completeWorkspaces,
		"log-format": fixed("text", "json"),
		"wait":       fixed("stored", "indexed"),
		"role":       fixed("user", "assistant", "tool"),
		"source":     fixed(slice.Map(sources, func(s catalog.SourceType) string { return string(s) })...),
		"as-of-by":   fixed(string(recall.BySaid), string(recall.ByFiled)),
		"direction":  fixed("both", "outgoing", "incoming"),
		"host":       fixed(config.CaptureHosts...),
		"tools":      fixed("core", "all"),
		"format":     fixed("jsonl"),
		"state":      fixed(drawers.Raw, drawers.Processed, drawers.Merged, drawers.Gone),
		"tier":       fixed(drawers.Heuristic, drawers.Centroid, drawers.LLM),
		"type":       fixed(extract.Categories()...),
		"profile":    a.completeProfiles,
	}
}

func (a *app) offer(c *cobra.Command) {
	for name, fn := range a.completions() {
		if c.PersistentFlags().Lookup(name) != nil || c.LocalNonPersistentFlags().Lookup(name) != nil {
			_ = c.RegisterFlagCompletionFunc(name, fn) // fails only where it is registered already
		}
	}
	for _, sub := range c.Commands() {
		a.offer(sub)
	}
}

// completeVaults offers the vaults that are remembered, and any other folder.
func completeVaults(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	known, err := config.LoadVaults()
	if err != nil || len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	paths := slice.Map(known.Known, func(k config.KnownVault) string { return k.Path })
	if len(paths) == 0 {
		return nil, cobra.ShellCompDirectiveFilterDirs
	}
	return paths, cobra.ShellCompDirectiveNoFileComp
}

func (a *app) completeWorkspaces(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	c, err := a.settings()
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return c.WorkspaceNames(), cobra.ShellCompDirectiveNoFileComp
}

// completeProfiles offers the profiles of recall, the person's own among them.
func (a *app) completeProfiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	c, err := a.settings()
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	all, _ := recall.Own(c.Recall.Profiles) // what is wrong with one, the others do without
	return slice.Map(all, func(p *recall.Profile) string { return p.Name }), cobra.ShellCompDirectiveNoFileComp
}

// completeRuns offers the dreams of the vault, newest first, as its folders name them: no daemon is asked.
func (a *app) completeRuns(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	c, err := a.settings()
	if err != nil || len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	set, err := c.Workspace(a.flag.workspace)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	l, _ := dream.LookAt(os.DirFS(set.Vault))
	return l.Runs[:min(len(l.Runs), api.DreamLimit)], cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}
