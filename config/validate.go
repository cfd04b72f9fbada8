package config

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Validate checks every value and how they fit together. Each error names its key and what is allowed.
func (c Config) Validate() error {
	var errs []error
	for _, s := range settings {
		if err := s.validate(&c); err != nil {
			errs = append(errs, err)
		}
	}
	if c.Watcher.MaxWait < c.Watcher.Quiet {
		errs = append(errs, fmt.Errorf("watcher.max_wait_ms: %d is below watcher.quiet_ms (%d)", c.Watcher.MaxWait, c.Watcher.Quiet))
	}
	if c.Embedding.Provider != "builtin" && c.Embedding.Model == "" {
		errs = append(errs, fmt.Errorf("embedding.model: must be set where embedding.provider is %q", c.Embedding.Provider))
	}
	if c.LLM.Provider == ProviderCommand {
		errs = append(errs, c.validateCommand()...)
	} else if c.LLM.Provider != "" && c.LLM.Model == "" {
		errs = append(errs, fmt.Errorf("llm.model: must be set where llm.provider is %q", c.LLM.Provider))
	}
	return errors.Join(append(errs, c.validateWorkspaces()...)...)
}

// modelInCommand is what the name of the model takes the place of in llm.command.
const modelInCommand = "{model}"

// validateCommand checks the program that is the model. Whether it is there is looked at when it is called.
func (c Config) validateCommand() []error {
	if len(c.LLM.Command) == 0 || c.LLM.Command[0] == "" {
		return []error{fmt.Errorf("llm.command: must be set where llm.provider is %q, such as [\"claude\", \"-p\"]", ProviderCommand)}
	}
	var errs []error
	if name := c.LLM.Command[0]; filepath.Base(name) != name && !filepath.IsAbs(name) {
		errs = append(errs, fmt.Errorf("llm.command: %q is neither a plain name nor an absolute path", name))
	}
	named := slices.ContainsFunc(c.LLM.Command[1:], func(arg string) bool { return strings.Contains(arg, modelInCommand) })
	if named && c.LLM.Model == "" {
		errs = append(errs, fmt.Errorf("llm.model: must be set where llm.command says %s", modelInCommand))
	}
	for key, model := range map[string]string{"consolidation.model": c.Consolidation.Model, "palace.model": c.Palace.Model} {
		if !named && model != "" {
			errs = append(errs, fmt.Errorf("%s: llm.command must say %s for it to have an effect", key, modelInCommand))
		}
	}
	return errs
}

// A claim is a file or folder that one workspace calls its own.
type claim struct{ key, path string }

// validateWorkspaces makes sure that no two workspaces can see each other's files.
func (c Config) validateWorkspaces() []error {
	var errs []error
	var vaults, data, tokens []claim
	for _, name := range c.WorkspaceNames() {
		w, err := c.checkedWorkspace(name)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		prefix := ""
		if name != DefaultWorkspace {
			prefix = "workspaces." + name + "."
		}
		vaults = append(vaults, claim{prefix + "vault", w.Vault})
		data = append(data, claim{prefix + "data_dir", w.DataDir})
		tokens = append(tokens, claim{prefix + "token_file", w.TokenFile})
	}
	if _, ok := c.Workspaces[DefaultWorkspace]; ok {
		errs = append(errs, errors.New("workspaces.default: the default workspace is set by vault, data_dir and token_file at the top "+
			"of the file"))
	}
	for i := range vaults {
		for j := range vaults {
			if within(vaults[i].path, data[j].path) {
				errs = append(errs, data[j].clash("must lie outside of", vaults[i]))
			}
			if within(data[j].path, vaults[i].path) && vaults[i].path != data[j].path {
				errs = append(errs, vaults[i].clash("must lie outside of", data[j]))
			}
			if i >= j {
				continue
			}
			if overlap(vaults[i].path, vaults[j].path) {
				errs = append(errs, vaults[j].clash("must not overlap", vaults[i]))
			}
			if overlap(data[i].path, data[j].path) {
				errs = append(errs, data[j].clash("must not overlap", data[i]))
			}
			if filepath.Clean(tokens[i].path) == filepath.Clean(tokens[j].path) {
				errs = append(errs, tokens[j].clash("must differ from", tokens[i]))
			}
		}
	}
	return errs
}

func (c Config) checkedWorkspace(name string) (Workspace, error) {
	if err := CheckWorkspaceName(name); err != nil {
		return Workspace{}, fmt.Errorf("workspaces.%s: %w", name, err)
	}
	w, err := c.Workspace(name)
	switch {
	case err != nil:
		return Workspace{}, err
	case w.Vault == "" && name == DefaultWorkspace:
		return Workspace{}, errors.New("vault: must be set")
	case w.Vault == "":
		return Workspace{}, fmt.Errorf("workspaces.%s.vault: must be set", name)
	case c.DataDir == "":
		return Workspace{}, errors.New("data_dir: must be set")
	}
	return w, nil
}

func (a claim) clash(why string, b claim) error {
	return fmt.Errorf("%s: %s %s %s (%s)", a.key, a.path, why, b.key, b.path)
}

func overlap(a, b string) bool { return within(a, b) || within(b, a) }

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
