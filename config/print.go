package config

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// String is the effective settings as TOML, secrets masked.
func (c Config) String() string {
	var b strings.Builder
	writeSections(&b, func(b *strings.Builder, s Setting, leaf string) {
		fmt.Fprintf(b, "%s = %s\n", leaf, s.value(&c))
	})
	if len(c.Recall.Flags) > 0 {
		b.WriteString("\n[recall.flags]\n")
		keys := make([]string, 0, len(c.Recall.Flags))
		for k := range c.Recall.Flags {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range keys {
			fmt.Fprintf(&b, "%s = %v\n", tomlString(k), tomlValue(c.Recall.Flags[k]))
		}
	}
	for _, name := range c.WorkspaceNames()[1:] {
		w := c.Workspaces[name]
		fmt.Fprintf(&b, "\n[workspaces.%s]\nvault = %s\n", name, tomlString(w.Vault))
		if w.DataDir != "" {
			fmt.Fprintf(&b, "data_dir = %s\n", tomlString(w.DataDir))
		}
		if w.TokenFile != "" {
			fmt.Fprintf(&b, "token_file = %s\n", tomlString(w.TokenFile))
		}
	}
	return b.String()
}

// Map is the effective settings by section, for JSON; secrets are masked.
func (c Config) Map() map[string]any {
	out := map[string]any{"file": c.File}
	for _, s := range Settings() {
		into := out
		head, leaf, ok := strings.Cut(s.Key, ".")
		if !ok {
			leaf = s.Key
		} else if into, ok = out[head].(map[string]any); !ok {
			into = map[string]any{}
			out[head] = into
		}
		into[leaf] = s.field(&c)
	}
	out["recall"].(map[string]any)["flags"] = c.Recall.Flags
	workspaces := map[string]any{}
	for _, name := range c.WorkspaceNames() {
		w, _ := c.Workspace(name)
		workspaces[name] = map[string]string{"vault": w.Vault, "data_dir": w.DataDir, "token_file": w.TokenFile}
	}
	out["workspaces"] = workspaces
	return out
}

// WriteDefault writes a settings file in which every setting stands with its meaning, its limits and its
// default, commented out: what is not set follows the program as it improves.
func WriteDefault(w io.Writer) error {
	var b strings.Builder
	b.WriteString("# Settings of Reverie. Take the # away from a line to change it.\n" +
		"# Environment variables (REVERIE_SECTION_KEY) and flags win over this file.\n\n")
	c := portableDefault()
	writeSections(&b, func(b *strings.Builder, s Setting, leaf string) {
		fmt.Fprintf(b, "# %s\n", strings.ReplaceAll(s.Doc, "`", ""))
		if a := s.allowed(); a != "" {
			fmt.Fprintf(b, "# Allowed: %s.\n", a)
		}
		fmt.Fprintf(b, "#%s = %s\n", leaf, s.value(&c))
	})
	b.WriteString(workspacesExample)
	_, err := io.WriteString(w, b.String())
	return err
}

const workspacesExample = `
# Flags of the recall profile, for searches that do not set them.
#[recall.flags]

# More vaults in the same daemon, each with its own index and token. Names: 1 to 40 of a-z, 0-9 and -.
# data_dir defaults to the name under the top data_dir, token_file to "token" in there.
#[workspaces.work]
#vault = "~/Work"
#data_dir = ""
#token_file = ""
`

// writeSections calls fn for each setting, with the table headings between them.
func writeSections(b *strings.Builder, fn func(*strings.Builder, Setting, string)) {
	section := ""
	for _, s := range Settings() {
		head, leaf, ok := strings.Cut(s.Key, ".")
		if !ok {
			head, leaf = "", s.Key
		}
		if head != section {
			section = head
			fmt.Fprintf(b, "\n[%s]\n", section)
		}
		fn(b, s, leaf)
	}
}

// portableDefault is Default with paths as a person writes them.
func portableDefault() Config {
	c := Default()
	c.Vault = "~/Reverie"
	c.DataDir = "~/.local/share/reverie"
	return c
}

// Markdown is docs/settings.md.
func Markdown() string {
	var b strings.Builder
	b.WriteString(markdownHead)
	c := portableDefault()
	section := "-"
	for _, s := range Settings() {
		head, _, ok := strings.Cut(s.Key, ".")
		if !ok {
			head = ""
		}
		if head != section {
			section = head
			title := head
			if head == "" {
				title = "Top of the file"
			}
			fmt.Fprintf(&b, "\n## %s\n\n| setting | default | allowed | meaning |\n|---|---|---|---|\n", title)
		}
		doc := s.Doc
		if s.Flag != "" {
			doc += fmt.Sprintf(" Flag: `%s`.", s.Flag)
		}
		def := s.value(&c)
		if s.Secret() {
			def = `""`
		}
		fmt.Fprintf(&b, "| `%s` | `%s` | %s | %s |\n", s.Key, def, s.allowed(), doc)
	}
	b.WriteString(markdownTail)
	return b.String()
}

const markdownHead = `# Settings

<!-- Written by the tests of package config from its table of settings: go test ./config -update -->

Settings are read from four places; each wins over the ones before it:

1. the defaults below,
2. the file: ` + "`--config`, or `REVERIE_CONFIG`, or `~/.config/reverie/config.toml`" + ` (XDG; the usual places on macOS and Windows),
3. the environment: ` + "`REVERIE_` + section + `_` + key, such as `REVERIE_WATCHER_QUIET_MS=500`" + `; an empty variable counts as not set,
   and lists are separated by commas,
4. flags.

The file is TOML. A key that does not exist is an error that names the key and its line; an environment variable that
does not exist is a warning. ` + "`REVERIE_ADDR` is short for `REVERIE_SERVER_ADDR`" + ` and wins over it. Paths may begin with ` + "`~/`" + `; a
relative path in the file is relative to the file.

A key of a model server is better kept out of the file: ` + "`api_key = \"env:OPENAI_API_KEY\"`" + ` reads it from that
environment variable when the program starts. Keys are never printed.

## Vaults

` + "`reverie init` remembers the vault that it makes, in `vaults.json` beside the settings file" + `. The first one is the default: verbs use it where
neither flag nor environment nor file names a vault. ` + "`reverie vaults` lists them with their data folders and daemons, `reverie vaults default PATH`" + `
makes another one the default, ` + "`reverie vaults forget PATH`" + ` drops one from the list and leaves its files.

Where nothing names a data folder, each vault has its own: the vault that the settings name keeps ` + "`~/.local/share/reverie`" + `, which all shared in
earlier versions, and others get a folder in ` + "`vaults.d`" + ` there. It stays the same as long as the vault stays where it is. A vault that was moved is a new
one to the list: its index is built anew and its daemon makes a new token; ` + "`--data-dir`" + ` with the old folder keeps both.

Where the pages of Reverie lie in a vault is no setting: the vault itself knows ([Dreams](dream.md#a-vault-that-you-had-before)).
`

const markdownTail = `
## recall.flags

Flags of the recall profile, for searches that do not set them; the names are those of the profile, and an unknown one is an
error at start.

## workspaces

More vaults in the same daemon. Each has its own vault, data folder, index, lock and token, and none may overlap another's.
The default workspace is the one at the top of the file. Workspaces cannot be set by the environment.

    [workspaces.work]
    vault = "~/Work"
    data_dir = ""      # default: the workspace's name under the top data_dir
    token_file = ""    # default: token in its data folder

Names have 1 to 40 characters of a-z, 0-9 and -.
`

// tomlString quotes s as a TOML basic string.
func tomlString(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < 0x20 || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func tomlValue(v any) string {
	if s, ok := v.(string); ok {
		return tomlString(s)
	}
	return fmt.Sprint(v)
}
