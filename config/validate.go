package config

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

// Validate checks every value and how they fit together. Each error names its key and what is allowed.
func (c Config) Validate() error {
	var errs []error
	for _, s := range Settings() {
		if err := s.validate(&c); err != nil {
			errs = append(errs, err)
		}
	}
	if c.Watcher.MaxWaitMS < c.Watcher.QuietMS {
		errs = append(errs, fmt.Errorf("watcher.max_wait_ms: %d is below watcher.quiet_ms (%d)", c.Watcher.MaxWaitMS, c.Watcher.QuietMS))
	}
	if c.Tiers.HeuristicHigh < c.Tiers.HeuristicLow && c.Tiers.HeuristicLow != TierOff {
		errs = append(errs, fmt.Errorf("tiers.heuristic_high: %s is below tiers.heuristic_low (%s)",
			formatNumber(c.Tiers.HeuristicHigh), formatNumber(c.Tiers.HeuristicLow)))
	}
	if c.Embedding.Provider != "builtin" && c.Embedding.Model == "" {
		errs = append(errs, fmt.Errorf("embedding.model: must be set where embedding.provider is %q", c.Embedding.Provider))
	}
	if c.LLM.Provider != "" && c.LLM.Model == "" {
		errs = append(errs, fmt.Errorf("llm.model: must be set where llm.provider is %q", c.LLM.Provider))
	}
	return errors.Join(append(errs, c.validateWorkspaces()...)...)
}

// validateWorkspaces makes sure that no two workspaces can see each other's files.
func (c Config) validateWorkspaces() []error {
	var errs []error
	type folder struct{ key, path string }
	var vaults, data, tokens []folder
	for _, name := range c.WorkspaceNames() {
		prefix := ""
		if name != DefaultWorkspace {
			prefix = "workspaces." + name + "."
		}
		if _, listed := c.Workspaces[DefaultWorkspace]; listed && name == DefaultWorkspace {
			if prefix != "" || len(vaults) > 0 {
				continue
			}
			errs = append(errs, errors.New("workspaces.default: the default workspace is set by vault, data_dir and token_file at the top of the file"))
		}
		if err := CheckWorkspaceName(name); err != nil {
			errs = append(errs, fmt.Errorf("workspaces.%s: %w", name, err))
			continue
		}
		w, err := c.Workspace(name)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if w.Vault == "" {
			errs = append(errs, fmt.Errorf("%svault: must be set", prefix))
			continue
		}
		if w.DataDir == "" || (name == DefaultWorkspace && c.DataDir == "") {
			errs = append(errs, fmt.Errorf("%sdata_dir: must be set", prefix))
			continue
		}
		vaults = append(vaults, folder{prefix + "vault", w.Vault})
		data = append(data, folder{prefix + "data_dir", w.DataDir})
		tokens = append(tokens, folder{prefix + "token_file", w.TokenFile})
	}
	clash := func(a, b folder, why string) {
		errs = append(errs, fmt.Errorf("%s: %s %s %s (%s)", b.key, b.path, why, a.key, a.path))
	}
	for i := range vaults {
		for j := range vaults {
			if within(vaults[i].path, data[j].path) {
				clash(vaults[i], data[j], "must lie outside the vault of")
			}
			if j != i && within(data[j].path, vaults[i].path) {
				clash(data[j], vaults[i], "must not lie inside")
			}
			if i == j && within(data[j].path, vaults[i].path) {
				clash(data[j], vaults[i], "must not lie inside")
			}
			if j <= i {
				continue
			}
			if within(vaults[i].path, vaults[j].path) || within(vaults[j].path, vaults[i].path) {
				clash(vaults[i], vaults[j], "must not overlap")
			}
			if within(data[i].path, data[j].path) || within(data[j].path, data[i].path) {
				clash(data[i], data[j], "must not overlap")
			}
			if filepath.Clean(tokens[i].path) == filepath.Clean(tokens[j].path) {
				clash(tokens[i], tokens[j], "must differ from")
			}
		}
	}
	return errs
}

// CheckWorkspaceName says whether a workspace may be called so: it becomes a folder and a header.
func CheckWorkspaceName(name string) error {
	ok := len(name) >= 1 && len(name) <= 40
	for i := 0; ok && i < len(name); i++ {
		b := name[i]
		ok = b == '-' || (b >= 'a' && b <= 'z') || (b >= '0' && b <= '9')
	}
	if !ok {
		return fmt.Errorf("%q is not a workspace name; allowed are 1 to 40 of a-z, 0-9 and -", name)
	}
	return nil
}

// within says whether path is dir or lies below it, by name.
func within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
