package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/op"
)

// app is what the verbs share: streams, flags and settings.
type app struct {
	out, err io.Writer

	flag struct {
		config, vault, dataDir, addr, tokenFile, workspace, logFormat string
		json, noDaemon                                                bool
	}
}

func (a *app) flags(root *cobra.Command) {
	f := root.PersistentFlags()
	f.StringVar(&a.flag.config, "config", "", "settings file (REVERIE_CONFIG)")
	f.StringVar(&a.flag.vault, "vault", "", "folder of the vault (REVERIE_VAULT, default the one that 'reverie vaults' marks, or ~/Reverie)")
	f.StringVar(&a.flag.dataDir, "data-dir", "", "folder of index, token and daemon.json (REVERIE_DATA_DIR, default one for each vault)")
	f.StringVar(&a.flag.addr, "addr", "", "address of the daemon (REVERIE_ADDR, default 127.0.0.1:7431)")
	f.StringVar(&a.flag.tokenFile, "token-file", "", "file of the token (REVERIE_TOKEN_FILE, default in the data dir)")
	f.StringVar(&a.flag.workspace, "workspace", "", "workspace of the settings file (default: the main one)")
	f.StringVar(&a.flag.logFormat, "log-format", "", "text or json (REVERIE_LOG_FORMAT)")
	f.BoolVar(&a.flag.json, "json", false, "print JSON")
	f.BoolVar(&a.flag.noDaemon, "no-daemon", false, "open the vault in this process instead of asking the daemon")
}

// memory is a workspace that operations are asked of, be it behind the daemon or in this process.
type memory interface {
	op.Caller
	// Events sends what happens until ctx ends.
	Events(ctx context.Context) <-chan api.Event
}

// settings are the settings file, the environment and the flags, in this order of growing weight.
func (a *app) settings() (config.Config, error) { return a.settingsIn(os.Environ()) }

// settingsIn are those that an environment gives.
func (a *app) settingsIn(env []string) (config.Config, error) {
	c, err := config.Load(a.flag.config, env)
	if err != nil {
		return c, &codeError{exitUsage, err}
	}
	usual, base := c.Vault, c.DataDir
	for _, o := range []struct {
		flag string
		into *string
	}{
		{a.flag.vault, &c.Vault},
		{a.flag.dataDir, &c.DataDir},
		{a.flag.addr, &c.Server.Addr},
		{a.flag.tokenFile, &c.TokenFile},
		{a.flag.logFormat, &c.Log.Format},
	} {
		if o.flag != "" {
			*o.into = o.flag
		}
	}
	for _, dir := range []*string{&c.Vault, &c.DataDir} {
		if *dir, err = filepath.Abs(expandHome(*dir)); err != nil {
			return c, err
		}
	}
	c.VaultSet = c.VaultSet || a.flag.vault != ""
	c.DataDirSet = c.DataDirSet || a.flag.dataDir != ""
	if !c.VaultSet || !c.DataDirSet {
		known, err := config.LoadVaults()
		if err != nil {
			return c, err
		}
		if !c.VaultSet {
			c.Vault = cmp.Or(known.Default, c.Vault)
		}
		if !c.DataDirSet {
			c.DataDir = known.DataDir(c.Vault, usual, base)
		}
	}
	if err := c.Validate(); err != nil {
		return c, &codeError{exitUsage, err}
	}
	return c, nil
}

// register remembers a vault whose data folder was chosen for it, so that no other is given the same.
func (a *app) register(c config.Config) {
	if c.DataDirSet {
		return
	}
	if err := config.UpdateVaults(func(v *config.Vaults) {
		v.Add(config.KnownVault{
			Path:    config.RealPath(c.Vault),
			DataDir: c.DataDir,
		})
	}); err != nil {
		fmt.Fprintf(a.err, "warning: %v\n", err)
	}
}

func expandHome(p string) string {
	if rest, ok := strings.CutPrefix(p, "~"); ok && (rest == "" || rest[0] == '/' || rest[0] == filepath.Separator) {
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, rest)
		}
	}
	return p
}

func (a *app) print(format string, args ...any) { fmt.Fprintf(a.out, format, args...) }

// emit prints v as JSON where --json was given; otherwise it leaves printing to the verb and returns false.
func (a *app) emit(v any) (bool, error) {
	if !a.flag.json {
		return false, nil
	}
	e := json.NewEncoder(a.out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return true, e.Encode(v)
}

// tell prints v as JSON where --json was given, and otherwise in words.
func (a *app) tell(v any, words func()) error {
	ok, err := a.emit(v)
	if !ok {
		words()
	}
	return err
}

// warn tells a person that an answer is worse than usual.
func (a *app) warn(degraded []string) {
	for _, d := range degraded {
		fmt.Fprintf(a.err, "degraded: %s\n", d)
	}
}
