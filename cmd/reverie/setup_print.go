package main

import (
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/hosts"
)

// printProgram tells what became of one host.
func (s *setup) printProgram(p program) {
	if !p.touched() {
		switch {
		case s.undo && s.all:
		case s.undo:
			s.print("%s: nothing of Reverie is there.\n", p.Title)
		default:
			s.print("%s: set up already; nothing was changed.\n", p.Title)
		}
		s.printForeign(p)
		return
	}
	s.print("%s\n", p.Title)
	for _, f := range p.Files {
		s.printDiff(f.Diff)
		s.printChange(f)
	}
	s.printForeign(p)
	if p.Captured {
		s.print("  its sessions are kept from now on; capture.hosts in the settings ends that\n")
	}
	s.print("\n")
}

// touched says whether a file of the program was changed, or could not be.
func (p program) touched() bool {
	return slices.ContainsFunc(p.Files, func(f programFile) bool { return f.Change != "none" })
}

func (s *setup) printDiff(diff string) {
	for line := range strings.Lines(diff) {
		s.print("    %s\n", strings.TrimRight(line, "\r\n"))
	}
}

// printChange tells what became of a file.
func (s *setup) printChange(f programFile) {
	did := f.Change
	if did == "removed" {
		did = "removed from" // only what is Reverie's
	}
	switch {
	case f.Change == "failed":
		s.print("  not changed: %s\n", f.Error)
		for line := range strings.Lines(f.Hint) {
			s.print("    %s\n", strings.TrimRight(line, "\r\n"))
		}
	case f.Change != "none" && s.dryRun:
		s.print("  would be %s: %s\n", did, f.Path)
	case f.Change != "none":
		s.print("  %s: %s\n", did, f.Path)
		if f.Kept != "" {
			s.print("    as it was before: %s\n", f.Kept)
		}
	}
}

func (s *setup) printForeign(p program) {
	for _, f := range p.Files {
		if f.Foreign {
			s.print("  left as it is, somebody else has written it: %s\n", f.Path)
		}
	}
}

func (s *setup) printEnd(out setupDone) {
	if out.Model != nil {
		s.printModel(out.Model)
	}
	if s.all && s.undo {
		s.print("Nothing of Reverie is in the settings of any other program.\n")
	}
	if s.all && len(out.Programs) == 0 {
		s.print("No program was found that assistants run in. Name one: %s.\n", strings.Join(hostNames(), ", "))
		return
	}
	if len(out.Skipped) > 0 && !s.undo {
		why := "not found"
		if s.project {
			why += ", or without settings for projects"
		}
		s.print("Skipped, %s: %s.\n", why, strings.Join(out.Skipped, ", "))
	}
	if s.project && !s.undo {
		s.print("A project's settings start plain \"reverie\", which everybody who works on it needs on the PATH. Hooks and commands stay in " +
			"your own settings.\n")
	}
	if s.dryRun {
		s.print("Nothing was written.\n")
		return
	}
	// Last, where it is seen below all the changes.
	for _, p := range out.Programs {
		if p.touched() && p.Next != "" {
			s.print("Next, %s: %s.\n", p.Title, p.Next)
		}
	}
}

// show tells how programs stand.
func (s *setup) show(chosen []hosts.Host) error {
	list := []program{}
	for _, h := range chosen {
		files, l, err := s.files(h)
		if err != nil {
			return err
		}
		p := program{Name: h.Name, Title: h.Title, Files: []programFile{}}
		for _, f := range files {
			state := programFile{State: f.Look(l)}
			if state.Err != nil {
				state.Error, state.Hint = state.Err.Error(), hintOf(state.Err)
			}
			p.Files = append(p.Files, state)
		}
		p.Standing = hosts.Stand(h.Found(s.env), states(p.Files))
		list = append(list, p)
	}
	return s.tell(list, func() {
		open := false
		for _, p := range list {
			s.print("%-15s %-11s %s\n", p.Name, p.Standing, p.Title)
			open = open || p.Standing == hosts.NotSetUp || p.Standing == hosts.Outdated
			if p.Standing == hosts.NotFound || p.Standing == hosts.NotSetUp {
				continue
			}
			for _, f := range p.Files {
				s.print("    %s: %s\n", f.Path, f.Has)
				for _, problem := range f.Problems {
					s.print("      %s\n", problem)
				}
				if f.Error != "" {
					s.print("      %s\n", f.Error)
				}
			}
		}
		if open {
			s.print("\nreverie setup NAME sets one up, or mends it; reverie setup --all does so for all that are found.\n")
		}
	})
}
