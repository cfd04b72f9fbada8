package main

import (
	"bufio"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/hosts"
	"github.com/reverie-memory/reverie/internal/slice"
)

// anyModel is --with-model without a program.
const anyModel = "any"

// modelDone is what became of --with-model, as --json prints it.
type modelDone struct {
	programFile
	Title   string   `json:"title,omitempty"`
	Command []string `json:"command,omitempty"`
	Sends   string   `json:"sends,omitempty"`
	Next    string   `json:"next,omitempty"`
}

// findModel finds the program that is to be the model, with its command and the model's name.
func (s *setup) findModel() (m hosts.Model, command []string, name string, err error) {
	wanted, name, _ := strings.Cut(s.withModel, ":")
	var tried []string
	for _, m := range hosts.Models {
		if wanted != m.Program && (wanted != anyModel || m.Named) {
			continue
		}
		if m.Named && name == "" {
			return m, nil, "", usageError("name a model of %s, such as --with-model=%s:qwen3:8b", m.Title, m.Program)
		}
		tried = append(tried, m.Program)
		if path, err := s.env.Look(m.Program); err == nil { // the daemon may have another PATH
			return m, append([]string{path}, m.Args...), name, nil
		}
	}
	if len(tried) == 0 {
		return m, nil, "", usageError("--with-model: there is no program %q; known: %s", wanted, strings.Join(modelNames(), ", "))
	}
	return m, nil, "", &hintError{
		&codeError{exitNotFound, fmt.Errorf("no program was found that can be the model; looked for %s", strings.Join(tried, ", "))},
		"docs/models.md tells which others there are; without one, rules do the work",
	}
}

func modelNames() (names []string) {
	return slice.Map(hosts.Models, func(m hosts.Model) string { return m.Program })
}

// setModel proposes a program as the model and, where a person agrees, writes it into the settings of Reverie.
func (s *setup) setModel(c config.Config) (*modelDone, error) {
	usual, _ := config.Dirs()
	path := cmp.Or(c.File, usual)
	if s.undo {
		result, err := s.takeBack(hosts.ModelFile(path, nil, ""))
		if err != nil {
			return nil, err
		}
		result.Path = path
		return &modelDone{programFile: result}, nil
	}
	if c.LLM.Provider != "" && c.LLM.Provider != config.ProviderCommand {
		return nil, &hintError{
			fmt.Errorf("a model is set already: llm.provider is %s", c.LLM.Provider), "take it out of the settings first: " + path,
		}
	}
	m, command, name, err := s.findModel()
	if err != nil {
		return nil, err
	}
	f, l := hosts.ModelFile(path, command, name), hosts.Launch{Binary: command[0]}
	e, err := f.Add(l)
	if err != nil {
		return nil, err
	}
	out := &modelDone{
		programFile: programFile{State: hosts.State{Path: path}, Change: "none", Diff: diff(e, false)},
		Title:       m.Title, Command: command, Sends: m.Sends,
	}
	if !e.Changes() {
		return out, nil
	}
	s.explainModel(out, c)
	if s.dryRun {
		out.Change = "written"
		return out, nil
	}
	if err := s.consent(); err != nil {
		out.Change = "declined"
		return out, err
	}
	if out.programFile, err = s.add(f, l); err != nil {
		return nil, err
	}
	out.Path, out.Next = path, "`reverie stop`; the daemon that starts next asks the model"
	return out, nil
}

// explainModel says what will be run and what leaves the machine, before anybody is asked.
func (s *setup) explainModel(m *modelDone, c config.Config) {
	if s.flag.json {
		return
	}
	shown := slices.Clone(m.Command)
	for i, arg := range shown {
		if arg == "" {
			shown[i] = `""`
		}
	}
	s.print("%s as the model\n", m.Title)
	s.print("  what runs:   %s\n", strings.Join(shown, " "))
	s.print("  when:        a conversation rests or ends, and in dreams; at most %d tokens a day (llm.daily_token_budget)\n",
		c.LLM.DailyTokenBudget)
	s.print("  what it is given: what was said, without the secrets that Reverie knows, and pages that it belongs to\n")
	s.print("  where that goes:  these texts %s\n", m.Sends)
	s.printDiff(m.Diff)
}

// consent asks a person, and takes nobody's silence for a yes.
func (s *setup) consent() error {
	if s.yes {
		return nil
	}
	if s.canAsk(s.cmd) {
		fmt.Fprint(s.err, "Use it? [y/N] ")
		answer, _ := bufio.NewReader(s.cmd.InOrStdin()).ReadString('\n')
		if strings.HasPrefix(strings.ToLower(strings.TrimSpace(answer)), "y") {
			return nil
		}
		return &hintError{fmt.Errorf("no model was set"), "rules do the work, as before"}
	}
	return usageError("no model was set: that needs your consent; add --yes to give it")
}

func (s *setup) printModel(m *modelDone) {
	switch {
	case m.Change == "declined":
	case m.Change == "none" && s.undo:
		s.print("Model: setup has set none.\n")
	case m.Change == "none":
		s.print("%s is the model already; nothing was changed.\n", m.Title)
	default:
		if s.undo {
			s.printDiff(m.Diff)
		}
		s.printChange(m.programFile)
		if m.Next != "" {
			s.print("  next: %s\n", m.Next)
		}
	}
}
