package main

import (
	"bufio"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"

	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/vault"
	"github.com/reverie-memory/reverie/workspace"
)

func (a *app) initCmd() *cobra.Command {
	root := ""
	cmd := &cobra.Command{
		Use:   "init [FOLDER]",
		Short: "Make a vault, or complete one; never over an existing file",
		Long: `Init makes a vault of the folder, ~/Reverie where none is named, or completes it, and remembers it. The first vault is ` +
			`the default one, which verbs without --vault use;
"reverie vaults default" changes that.

In a folder that holds notes already, the pages of Reverie go into a folder of their own: init asks for its name, or takes that of
--notebook-root, or "Reverie" where nobody can be asked. "." is the vault's top. The folder is chosen once.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				if cmd.Flags().Changed("vault") {
					return usageError("the folder is named twice: %s and --vault", args[0])
				}
				if err := cmd.Flags().Set("vault", args[0]); err != nil {
					return err
				}
			}
			c, err := a.settings()
			if err != nil {
				return err
			}
			m, err := a.makeVault(cmd, c, root)
			if err != nil {
				return err
			}
			return a.tell(map[string]any{"vault": c.Vault, "notebook_root": m.layout.Root, "created": m.files, "default": m.isDefault}, func() {
				if len(m.files) == 0 {
					a.print("%s is a complete vault already; nothing was changed.\n", c.Vault)
				} else {
					if m.layout.Root != "" {
						a.print("The pages of Reverie are in its folder %s.\n", m.layout.Root)
					}
					a.print("Made %s with %d files. Open it in Obsidian, or start the daemon:\n  reverie serve --vault %s\n", c.Vault, len(m.files),
						c.Vault)
				}
				if !m.isDefault {
					a.print("Verbs without --vault still use %s; to change that:\n  reverie vaults default %s\n", m.usual, c.Vault)
				}
			})
		},
	}
	cmd.Flags().StringVar(&root, "notebook-root", "",
		`folder of the vault for the pages of Reverie, "." for its top (default "Reverie" among notes, else ".")`)
	return cmd
}

// madeVault is what makeVault has done.
type madeVault struct {
	layout    vault.Layout
	files     []vault.Path // that were missing
	usual     string       // the vault that verbs without --vault use
	isDefault bool         // this one is
}

// makeVault makes the vault of the settings, or completes it, and remembers it.
func (a *app) makeVault(cmd *cobra.Command, c config.Config, root string) (m madeVault, err error) {
	if m.layout, err = a.layout(cmd, c.Vault, root); err != nil {
		return m, err
	}
	if m.files, err = vault.InitIn(c.Vault, m.layout, workspace.Template()); err != nil {
		return m, fmt.Errorf("make the vault: %w", err)
	}
	m.usual = c.Vault
	err = config.UpdateVaults(func(v *config.Vaults) {
		v.Add(config.KnownVault{Path: config.RealPath(c.Vault), DataDir: c.DataDir})
		m.usual = v.Default
	})
	if err != nil { // the vault is made all the same
		fmt.Fprintf(a.err, "warning: %v\n", err)
	}
	m.isDefault = config.SameFolder(m.usual, c.Vault)
	return m, nil
}

// ownFolder is where the pages of Reverie go in a folder of somebody's notes, where nothing else is said.
const ownFolder = "Reverie"

// layout is that of the vault, or the one that the folder shall get.
func (a *app) layout(cmd *cobra.Command, dir, root string) (vault.Layout, error) {
	folder, err := vault.Look(dir)
	if err != nil || folder.Vault && root == "" {
		return folder.Layout, err
	}
	if root == "" && folder.Notes {
		if root = ownFolder; a.canAsk(cmd) {
			fmt.Fprintf(a.err, "%s holds notes already. Folder for the pages of Reverie [%s, or . for the top]: ", dir, ownFolder)
			answer, _ := bufio.NewReader(cmd.InOrStdin()).ReadString('\n')
			root = cmp.Or(strings.TrimSpace(answer), ownFolder)
		}
	}
	l, err := vault.ParseLayout(root)
	if err != nil {
		return l, usageError("--notebook-root: %v", err)
	}
	return l, nil
}

// canAsk says whether a person is there to answer.
func (a *app) canAsk(cmd *cobra.Command) bool {
	in, isFile := cmd.InOrStdin().(*os.File)
	return isFile && isatty.IsTerminal(in.Fd()) && !a.flag.json
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
			Use: "default PATH", Short: "Make a vault the one that verbs without --vault use", Args: cobra.ExactArgs(1),
			ValidArgsFunction: completeVaults,
			RunE:              func(_ *cobra.Command, args []string) error { return a.defaultVault(args[0]) },
		},
		&cobra.Command{
			Use: "forget PATH", Short: "Remember a vault no longer; its files and its data folder stay", Args: cobra.ExactArgs(1),
			ValidArgsFunction: completeVaults,
			RunE:              func(_ *cobra.Command, args []string) error { return a.forgetVault(args[0]) },
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
	return a.tell(list, func() {
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
	})
}

func (a *app) defaultVault(path string) error {
	path, err := filepath.Abs(expandHome(path))
	if err != nil {
		return err
	}
	if !exists(filepath.Join(path, vault.StateDir)) && !exists(filepath.Join(path, string(vault.SchemaPath))) {
		return &hintError{
			&codeError{exitNotFound, fmt.Errorf("there is no vault at %s", path)},
			"make one with `reverie init --vault " + path + "`",
		}
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
	return a.tell(map[string]string{"default": path}, func() { a.print("Verbs without --vault now use %s.\n", path) })
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
	return a.tell(gone, func() {
		a.print("%s is remembered no longer. Its files stay, and so does its data in %s.\n", gone.Path, gone.DataDir)
	})
}
