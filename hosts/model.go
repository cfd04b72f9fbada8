package hosts

import (
	"fmt"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/internal/tomledit"
)

// Model is a program on this machine that can be asked as a model: it reads a prompt on standard input and prints its answer.
type Model struct {
	Program string // on the PATH
	Title   string
	// Args have it answer as a model and nothing else: no tools, no servers, nothing kept of the prompt where that can be said. Its cost is
	// printed beside the answer where it knows it.
	Args []string
	// Sends says who gets the prompts.
	Sends string
	// Named: the model has to be chosen, and stands in Args as {model}.
	Named bool
}

// Models are those that setup proposes, the first that is found first. Sources: https://code.claude.com/docs/en/cli-reference,
// https://developers.openai.com/codex/noninteractive, https://geminicli.com/docs/cli/headless, https://docs.ollama.com/cli.
var Models = []Model{
	{
		Program: "claude", Title: "Claude Code",
		Args:  []string{"-p", "--output-format", "json", "--tools", "", "--strict-mcp-config", "--no-session-persistence"},
		Sends: "go to Anthropic by your account of Claude Code and count there as its use, like what you type into it",
	},
	{
		Program: "codex", Title: "Codex",
		Args: []string{
			"exec", "--json", "--ephemeral", "--ignore-user-config", "--skip-git-repo-check", "--sandbox", "read-only", "-",
		},
		Sends: "go to OpenAI by your account of Codex and count there as its use, like what you type into it",
	},
	{
		Program: "gemini", Title: "Gemini CLI", Args: []string{"--output-format", "json", "-e", "none", "--skip-trust"},
		Sends: "go to Google by your account of Gemini CLI and count there as its use, like what you type into it",
	},
	{
		Program: "ollama", Title: "Ollama", Args: []string{"run", "--hidethinking", "--nowordwrap", "{model}"}, Named: true,
		Sends: "stay on this machine, unless the model's name ends with -cloud",
	},
}

// modelFile is Reverie's own settings file as far as it says which program is the model.
type modelFile struct {
	command []string
	model   string
}

// ModelFile is the settings file at a path with a command as the model. A model's name is for {model} in the command.
func ModelFile(path string, command []string, model string) File {
	return File{Path: path, mode: 0o600, parts: []part{modelFile{command, model}}}
}

func (m modelFile) wants() []string { return []string{"model"} }

func (m modelFile) add(data []byte, _ Launch) ([]byte, error) {
	return editTOML(data, func(f *tomledit.File) error {
		if p, _ := f.Value("llm", "provider").(string); p != "" && p != "command" {
			return fmt.Errorf("the model is one of %s already", p)
		}
		err := f.Set("command", "llm", "provider")
		if err == nil {
			err = f.Set(m.command, "llm", "command")
		}
		if err == nil && m.model != "" {
			err = f.Set(m.model, "llm", "model")
		}
		return err
	})
}

func (m modelFile) remove(data []byte) ([]byte, error) {
	return editTOML(data, func(f *tomledit.File) error {
		found, command := modelCommand(f)
		if !found {
			return nil
		}
		keys := []string{"provider", "command"}
		if slices.ContainsFunc(command, func(arg string) bool { return strings.Contains(arg, "{model}") }) {
			keys = append(keys, "model")
		}
		for _, key := range keys {
			if err := f.Cut("llm", key); err != nil {
				return err
			}
		}
		if table, ok := f.Value("llm").(map[string]any); ok && len(table) == 0 {
			return f.Cut("llm")
		}
		return nil
	})
}

func (m modelFile) find(data []byte) (found []Entry, err error) {
	_, err = editTOML(data, func(f *tomledit.File) error {
		if there, command := modelCommand(f); there {
			found = append(found, Entry{Name: "model", Command: command})
		}
		return nil
	})
	return found, err
}

func modelCommand(f *tomledit.File) (found bool, command []string) {
	list, _ := f.Value("llm", "command").([]any)
	for _, arg := range list {
		command = append(command, fmt.Sprint(arg))
	}
	return f.Value("llm", "provider") == "command", command
}
