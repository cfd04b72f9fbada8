package main

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/vault"
	"github.com/reverie-memory/reverie/workspace"
)

func (a *app) initCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "init",
		Short: "Make a vault, or complete one; never over an existing file",
		Long: `Init makes a vault, or completes one, and remembers it. The first vault is the default one, which verbs without --vault use;
"reverie vaults default" changes that.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			c, err := a.settings()
			if err != nil {
				return err
			}
			made, err := vault.Init(c.Vault, workspace.Template())
			if err != nil {
				return fmt.Errorf("make the vault: %w", err)
			}
			usual := c.Vault
			err = config.UpdateVaults(func(v *config.Vaults) {
				v.Add(config.KnownVault{Path: config.RealPath(c.Vault), DataDir: c.DataDir})
				usual = v.Default
			})
			if err != nil { // the vault is made all the same
				fmt.Fprintf(a.err, "warning: %v\n", err)
			}
			isDefault := config.SameFolder(usual, c.Vault)
			if ok, err := a.emit(map[string]any{"vault": c.Vault, "created": made, "default": isDefault}); ok {
				return err
			}
			if len(made) == 0 {
				a.print("%s is a complete vault already; nothing was changed.\n", c.Vault)
			} else {
				a.print("Made %s with %d files. Open it in Obsidian, or start the daemon:\n  reverie serve --vault %s\n", c.Vault, len(made), c.Vault)
			}
			if !isDefault {
				a.print("Verbs without --vault still use %s; to change that:\n  reverie vaults default %s\n", usual, c.Vault)
			}
			return nil
		},
	}
}

// listedVault is a line of `reverie vaults`.
type listedVault struct {
	config.KnownVault
	Default bool   `json:"default"`
	Missing bool   `json:"missing,omitempty"` // nothing is at its path
	PID     int    `json:"pid,omitempty"`     // of its daemon
	Addr    string `json:"addr,omitempty"`
}

func (a *app) vaultsCmd() *cobra.Command {
	c := &cobra.Command{
		Use:   "vaults",
		Short: "List the vaults that are remembered, and choose the default one",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return a.listVaults() },
	}
	c.AddCommand(
		&cobra.Command{
			Use: "default PATH", Short: "Make a vault the one that verbs without --vault use", Args: cobra.ExactArgs(1), ValidArgsFunction: completeVaults,
			RunE: func(_ *cobra.Command, args []string) error { return a.defaultVault(args[0]) },
		},
		&cobra.Command{
			Use: "forget PATH", Short: "Remember a vault no longer; its files and its data folder stay", Args: cobra.ExactArgs(1), ValidArgsFunction: completeVaults,
			RunE: func(_ *cobra.Command, args []string) error { return a.forgetVault(args[0]) },
		},
	)
	return c
}

func (a *app) listVaults() error {
	known, err := config.LoadVaults()
	if err != nil {
		return err
	}
	list := []listedVault{}
	for _, k := range known.Known {
		l := listedVault{KnownVault: k, Default: k.Path == known.Default, Missing: !exists(k.Path)}
		if h, held := holder(filepath.Join(k.DataDir, config.DefaultWorkspace)); held {
			l.PID, l.Addr = h.PID, h.Addr
		}
		list = append(list, l)
	}
	if ok, err := a.emit(list); ok {
		return err
	}
	if len(list) == 0 {
		a.print("No vault is remembered; `reverie init` makes one.\n")
	}
	for _, l := range list {
		mark, state := " ", "no daemon"
		if l.Default {
			mark = "*"
		}
		switch {
		case l.PID != 0:
			state = fmt.Sprintf("daemon %d on %s", l.PID, l.Addr)
		case l.Missing:
			state = "not there"
		}
		a.print("%s %s (%s)\n    data in %s\n", mark, l.Path, state, l.DataDir)
	}
	return nil
}

func (a *app) defaultVault(path string) error {
	path, err := filepath.Abs(expandHome(path))
	if err != nil {
		return err
	}
	if !exists(filepath.Join(path, vault.StateDir)) && !exists(filepath.Join(path, "schema.md")) {
		return &hintError{&codeError{exitNotFound, fmt.Errorf("there is no vault at %s", path)}, "make one with `reverie init --vault " + path + "`"}
	}
	a.flag.vault = path
	c, err := a.settings()
	if err != nil {
		return err
	}
	err = config.UpdateVaults(func(v *config.Vaults) {
		v.Add(config.KnownVault{Path: config.RealPath(path), DataDir: c.DataDir})
		v.Default = v.Known[v.Find(path)].Path
	})
	if err != nil {
		return err
	}
	if ok, err := a.emit(map[string]string{"default": path}); ok {
		return err
	}
	a.print("Verbs without --vault now use %s.\n", path)
	return nil
}

func (a *app) forgetVault(path string) error {
	path, err := filepath.Abs(expandHome(path))
	if err != nil {
		return err
	}
	var gone *config.KnownVault
	err = config.UpdateVaults(func(v *config.Vaults) {
		i := v.Find(path)
		if i < 0 {
			return
		}
		gone = &config.KnownVault{Path: v.Known[i].Path, DataDir: v.Known[i].DataDir}
		v.Known = slices.Delete(v.Known, i, i+1)
		if v.Default == gone.Path {
			v.Default = ""
		}
	})
	if err != nil {
		return err
	}
	if gone == nil {
		return &codeError{exitNotFound, fmt.Errorf("no vault at %s is remembered", path)}
	}
	if ok, err := a.emit(gone); ok {
		return err
	}
	a.print("%s is remembered no longer. Its files stay, and so does its data in %s.\n", gone.Path, gone.DataDir)
	return nil
}
