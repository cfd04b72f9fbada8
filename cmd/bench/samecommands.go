package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// commandLines are what is typed, in this order, a line each. Text after "<<<" is standard input.
//
//go:embed same/commands.txt
var commandLines string

// trip is what the verb import reads.
//
//go:embed same/trip.jsonl
var trip []byte

type commandPass struct {
	name   string
	daemon bool
	flags  []string
}

// Each pass has a vault of its own, so that each verb meets the same state in all of them.
var commandPasses = []commandPass{
	{"daemon", true, nil},
	{"daemon-json", true, []string{"--json"}},
	{"alone", false, []string{"--no-daemon"}},
	{"alone-json", false, []string{"--no-daemon", "--json"}},
}

func (r *sameRun) commands(ctx context.Context, from *subject, pass commandPass) (err error) {
	s, err := r.newSubject("commands-"+pass.name, from.vault)
	if err != nil {
		return err
	}
	if pass.daemon {
		if err := s.serve(ctx); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, s.stop(ctx)) }()
	} else if _, err := s.must(ctx, "reindex", "--no-daemon"); err != nil {
		return err
	}
	dir := filepath.Dir(s.vault)
	if err := os.WriteFile(filepath.Join(dir, "trip.jsonl"), trip, 0o644); err != nil {
		return err
	}
	typed := tableLines(commandLines)
	verbs, err := s.verbs(ctx, nil)
	if err != nil {
		return err
	}
	byVerb := map[string]*strings.Builder{"other": {}}
	for _, v := range verbs {
		name := strings.Join(v, " ")
		if !slices.ContainsFunc(typed, func(line string) bool { return line == name || strings.HasPrefix(line, name+" ") }) {
			return fmt.Errorf("same/commands.txt does not try %q", name)
		}
		byVerb[v[0]] = &strings.Builder{}
		typed = append(typed, name+" --help")
	}
	for _, line := range typed {
		command, stdin, _ := strings.Cut(line, " <<< ")
		args := append(splitWords(strings.ReplaceAll(command, "{work}", dir)), pass.flags...)
		text, code, err := s.exec(ctx, stdin, args...)
		if err != nil {
			return fmt.Errorf("%s: %w", line, err)
		}
		into := byVerb[args[0]]
		if into == nil {
			into = byVerb["other"]
		}
		fmt.Fprintf(into, "$ reverie %s\n%s--- exit code %d\n\n", line, text, code)
	}
	for verb, text := range byVerb {
		if err := r.note(text.String(), "commands", pass.name, verb+".txt"); err != nil {
			return err
		}
	}
	return nil
}

// verbs asks the program for all verbs below a verb, by what it offers a shell.
func (s *subject) verbs(ctx context.Context, above []string) (all [][]string, err error) {
	offered, _, err := s.exec(ctx, "", slices.Concat([]string{"__complete"}, above, []string{""})...)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(offered) {
		verb, about, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok || about == "" || verb == "help" || verb == "completion" {
			continue
		}
		v := append(slices.Clone(above), verb)
		below, err := s.verbs(ctx, v)
		if err != nil {
			return nil, err
		}
		all = append(append(all, v), below...)
	}
	return all, nil
}

// tableLines are the lines of a table but for empty ones and those that begin with #.
func tableLines(table string) (lines []string) {
	for line := range strings.Lines(table) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			lines = append(lines, line)
		}
	}
	return lines
}

// splitWords cuts at blanks that are not within single quotes.
func splitWords(line string) (words []string) {
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			words = append(words, part)
		} else {
			words = append(words, strings.Fields(part)...)
		}
	}
	return words
}
