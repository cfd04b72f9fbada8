package main

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/mattn/go-isatty"

	"github.com/reverie-memory/reverie/api"
)

// outcomes are what can become of a fact, in words.
var outcomes = []struct {
	name, means string
	of          func(api.Ledger) int
}{
	{"kept", "a statement of its own", func(l api.Ledger) int { return l.Kept }},
	{"merged", "part of a fuller statement, which names it as a source", func(l api.Ledger) int { return l.Merged }},
	{"superseded", "no longer true: under History, with its dates", func(l api.Ledger) int { return l.Superseded }},
	{"duplicate", "said already", func(l api.Ledger) int { return l.Duplicate }},
	{"conflict", "contradicts another fact: yours to decide", func(l api.Ledger) int { return l.Conflict }},
	{"dropped", "on no page; `reverie dream show` gives the reason", func(l api.Ledger) int { return l.Dropped }},
	{
		"unfiled", "found no page, or waits for your word: 0_Inbox/Unfiled.md, 0_Inbox/Unconfirmed.md",
		func(l api.Ledger) int { return l.Unfiled },
	},
}

// printReport tells a stranger what a dream read, what it made of it, and what they can do now.
func (a *app) printReport(r api.Consolidation) { a.printRun(r, "") }

// printRun is printReport for somebody who asked for what became of each fact of a run, and need not be told how to ask for it.
func (a *app) printRun(r api.Consolidation, asked string) {
	a.print("%s\n", headline(r))
	for _, o := range outcomes {
		if n := o.of(r.Ledger); n > 0 {
			a.print("  %5d  %-10s  %s\n", n, o.name, o.means)
		}
	}
	if len(r.Pages) > 0 {
		if r.Status == "planned" {
			a.print("\nPages that would change:\n")
		} else {
			a.print("\nPages:\n")
		}
		for _, p := range r.Pages {
			a.print("  %-7s  %s\n", p.Change, oneLine(p.Path, 500))
		}
	}
	a.printRemarks(r)
	if r.Diff != "" {
		a.print("\n")
		a.printDiff(r.Diff)
	}
	switch {
	case r.Undone:
		a.print("\nThis dream was taken back.\n")
	case r.Status == "planned":
		a.print("\nNothing was changed. Do it with:  reverie dream run\n")
	case len(r.Pages) > 0 && r.Status != "rolled_back":
		if asked != r.RunID {
			a.print("\nWhat became of each fact:  reverie dream show %s", r.RunID)
		}
		a.print("\nTake it back:              reverie dream undo %s\n", r.RunID)
	}
}

// headline says in a sentence what happened.
func headline(r api.Consolidation) string {
	what := count(r.Facts, "fact")
	if days := spanOf(r.Days); days != "" {
		what += " of " + days
	}
	again := ""
	if r.Resumed {
		again = " (gone on with after an interruption)"
	}
	switch r.Status {
	case "planned":
		return "A dream would read " + what + "."
	case "nothing_pending":
		return "There was nothing to consolidate."
	case "no_change":
		return "Dream " + r.RunID + " read " + what + ", but no page would have changed. Nothing was written, and the facts still wait."
	case "skipped_batch":
		return "Dream " + r.RunID + " skipped " + what +
			", which had failed too often. They are listed in 0_Inbox/Skipped.md, and search still finds them."
	case "rolled_back":
		return "Dream " + r.RunID + " read " + what +
			" and was rolled back: with its pages, facts were found less well. The pages are as they were."
	}
	if r.Facts == 0 {
		return fmt.Sprintf("Dream %s did what you had asked of the pages, in %.1f s%s.", r.RunID, r.Seconds, again)
	}
	return fmt.Sprintf("Dream %s read %s in %.1f s%s.", r.RunID, what, r.Seconds, again)
}

// spanOf names days: "2026-06-09", or "3 days, 2026-06-07 to 2026-06-09".
func spanOf(days []string) string {
	switch len(days) {
	case 0:
		return ""
	case 1:
		return days[0]
	}
	return fmt.Sprintf("%d days, %s to %s", len(days), slices.Min(days), slices.Max(days))
}

// printRemarks tells what a person should know or do.
func (a *app) printRemarks(r api.Consolidation) {
	var lines []string
	say := func(yes bool, format string, args ...any) {
		if yes {
			lines = append(lines, fmt.Sprintf(format, args...))
		}
	}
	say(r.Conflicts > 0, "%s for you: open 0_Inbox/Conflicts.md and tick what is right, or correct it. The next dream settles "+
		"the page.", waits(r.Conflicts, "question"))
	say(r.Settled > 0, "%s settled as you decided.", are(r.Settled, "conflict"))
	say(r.Forgotten > 0, "%s taken off the pages, because you had it forgotten.", are(r.Forgotten, "statement"))
	say(r.Late > 0, "%s late, for days that had been consolidated before.", came(r.Late))
	say(r.Replanned > 0, "%s while the dream ran: the next one reads what you wrote, and files there what waits.", edited(r.Replanned))
	if g := r.Gate; g != nil && g.Probes > 0 {
		say(true, "Asked for %s: %d were found in the logs before, %d on the pages after.", count(g.Probes, "fact"), g.Before, g.After)
	}
	if m := r.Model; m != nil {
		say(true, "%s: %s, %d tokens in, %d out; %d of its proposals were taken, %d refused.", oneLine(m.Name, 100),
			count(m.Calls, "call"), m.Input, m.Output, m.Accepted, len(m.Refused))
		say(m.Stopped != "", "The model stopped early (%s); the rules did the rest.", oneLine(m.Stopped, 500))
	}
	for _, n := range r.Notes {
		say(true, "Note: %s", oneLine(n, 1000))
	}
	if len(lines) > 0 {
		a.print("\n%s\n", strings.Join(lines, "\n"))
	}
}

func (a *app) printEstimate(r api.Consolidation) {
	e := r.Estimate
	if e == nil {
		return
	}
	if e.Model == "" {
		a.print("A dream would read %s of %s. No model is set, so it costs no tokens.\n", count(e.Facts, "fact"),
			cmp.Or(spanOf(r.Days), "no day"))
		return
	}
	a.print("A dream would read %s of %s and ask %s at most %s: %d tokens in, %d out.\n%d tokens are left of today's budget.\n",
		count(e.Facts, "fact"), cmp.Or(spanOf(r.Days), "no day"), e.Model, times(e.Calls), e.Input, e.Output, e.Budget)
}

// printNothing tells why nothing was pending.
func (a *app) printNothing(s api.Status) {
	a.print("Nothing to consolidate: every fact of past days is accounted for")
	if s.Watermark != "" {
		a.print(" (consolidated up to %s)", s.Watermark)
	}
	a.print(".\n")
	if n := s.Dream.FactsToday; n > 0 {
		a.print("%s of today %s: a day is consolidated when it is over (midnight UTC).\n", count(n, "fact"), plural(n, "waits", "wait"))
	}
}

// printWhy tells what the gate decides, and what is known of the last dream.
func (a *app) printWhy(s api.Status) {
	d := s.Dream
	if r := d.Running; r != nil {
		a.print("A dream is running: %s", r.Phase)
		if r.Total > 0 {
			a.print(", %d of %d %s", r.Done, r.Total, r.Unit)
		}
		a.print(". Stop it with `reverie dream cancel`.\n\n")
	} else {
		switch {
		case d.Steps != nil:
			a.print("%s is dreaming step by step, until %s or its next step. Drop that with `reverie dream cancel`.\n\n",
				oneLine(d.Steps.Agent, 100), when(d.Steps.Until))
		case d.Open && d.Enabled:
			a.print("A dream would begin at the next look at the gate.\n\n")
		case !d.Enabled:
			a.print("No dream begins by itself: consolidation.enabled is off.\n\n")
		default:
			a.print("No dream would begin now.\n\n")
		}
	}
	for _, g := range d.Gate {
		a.print("  %s\n", oneLine(g, 500))
	}
	row := func(name, format string, args ...any) { a.print("%-14s %s\n", name, fmt.Sprintf(format, args...)) }
	a.print("\n")
	row("pending", "%s of past days, %d of today", count(s.FactsPending, "fact"), d.FactsToday)
	row("consolidated", "up to %s", cmp.Or(s.Watermark, "no day yet"))
	if d.NextCheck != "" {
		row("next look", "%s", when(d.NextCheck))
	}
	if d.OpensAt != "" {
		row("may change at", "%s", when(d.OpensAt))
	}
	if r := d.LastReport; r != nil {
		row("last dream", "%s, %s: %s, %s", r.RunID, when(r.Started), r.Status, count(r.Facts, "fact"))
		if r.Conflicts > 0 {
			row("for you", "%s in 0_Inbox/Conflicts.md", waits(r.Conflicts, "question"))
		}
	}
	if d.LastError != "" {
		row("last failure", "%s (%s in a row)", oneLine(d.LastError, 500), times(max(1, d.Failures)))
	}
	if d.Running == nil && d.Steps == nil {
		a.print("\nDream now with `reverie dream run`; `reverie dream run --dry-run` shows what it would do.\n")
	}
}

func (a *app) printRuns(r api.DreamRuns, offset int) {
	if r.Total == 0 {
		a.print("There has been no dream yet. `reverie dream run` begins one.\n")
		return
	}
	for _, c := range r.Runs {
		state := c.Status
		if c.Undone {
			state = "taken back"
		}
		a.print("%s  %-14s  %s", c.RunID, state, count(c.Facts, "fact"))
		if days := spanOf(c.Days); days != "" {
			a.print(" of %s", days)
		}
		a.print(", %s\n", count(len(c.Pages), "page"))
	}
	if end := offset + len(r.Runs); end < r.Total {
		a.print("… %d more: --offset %d\n", r.Total-end, end)
	}
}

// printDream tells everything about a run, page by page and then fact by fact.
func (a *app) printDream(d api.DreamDetail, q api.DreamQuery) {
	if q.Fact == "" {
		a.printRun(d.Report, d.Report.RunID)
	} else {
		a.print("Dream %s, fact %s\n", d.Report.RunID, oneLine(q.Fact, 100))
	}
	page := "\x00"
	for _, c := range d.Changes {
		if c.Page != page {
			page = c.Page
			a.print("\n%s\n", cmp.Or(oneLine(c.Page, 500), "On no page"))
		}
		a.printChange(c)
	}
	if len(d.Facts) > 0 {
		a.print("\nFacts:\n")
	}
	for _, f := range d.Facts {
		a.print("  %s  %s  %-10s  %s\n", f.Fact, f.Day, f.Outcome, cmp.Or(oneLine(f.Text, 200), "(not in the log any more)"))
		if detail := oneLine(strings.Join(slices.DeleteFunc([]string{f.Page, f.Reason}, func(s string) bool { return s == "" }), ": "),
			300); detail != "" {
			a.print("  %s  → %s\n", strings.Repeat(" ", len(f.Fact)), detail)
		}
	}
	if n := max(d.ChangesAll-len(d.Changes), d.FactsAll-len(d.Facts)); n > 0 {
		a.print("… and up to %d more; the run's folder in .state/dreams has all of them\n", n)
	}
}

func (a *app) printChange(c api.DreamChange) {
	text, was := oneLine(c.Text, 300), oneLine(c.Was, 300)
	switch c.Op {
	case "create_page":
		a.print("  new page %q\n", text)
	case "add":
		a.print("  + %s\n", text)
	case "add_source":
		a.print("  = %s (one source more)\n", was)
	case "reword":
		a.print("  ~ %s\n    was: %s\n", text, was)
	case "supersede":
		a.print("  + %s\n    to History: %s (%s)\n", text, was, oneLine(c.Note, 100))
	case "retire":
		a.print("    to History: %s (%s)\n", was, oneLine(c.Note, 100))
	case "date":
		a.print("    to Timeline: %s (a part of it is no longer so)\n", was)
	case "conflict":
		a.print("  ? %s %s\n", oneLine(c.Question, 200), oneLine(strings.Join(c.Options, " / "), 300))
	case "settle":
		a.print("  ! settled: %s\n", oneLine(cmp.Or(c.Question, c.Was, strings.Join(c.Options, " / ")), 300))
	case "move_line":
		a.print("  > %s (%s)\n", was, oneLine(c.Note, 200))
	case "remove":
		a.print("  - a statement that was forgotten\n")
	case "drop":
		a.print("    dropped: %s\n", oneLine(cmp.Or(c.Reason, "no reason given"), 300))
	case "add_item":
		a.print("  + item: %s\n", text)
	case "label":
		a.print("    marked: %s\n", oneLine(c.Note, 100))
	case "take_item":
		a.print("  - item: %s\n", text)
	default:
		a.print("  %s %s\n", c.Op, cmp.Or(text, was))
	}
}

func (a *app) printUndo(u api.UndoResult) {
	a.print("Dream %s is taken back.\n", u.RunID)
	for _, p := range u.Restored {
		a.print("  as before           %s\n", oneLine(p, 500))
	}
	for _, p := range u.Kept {
		a.print("  with your own edits %s\n", oneLine(p, 500))
	}
	for _, p := range u.Gone {
		a.print("  not there any more  %s (deleted, moved or renamed since: left as it is)\n", oneLine(p, 500))
	}
	if u.Watermark == "" {
		a.print("Its facts wait again; no day is consolidated.\n")
		return
	}
	a.print("Its facts wait again; consolidated up to %s.\n", u.Watermark)
}

func (a *app) printLint(r api.LintResult) {
	for _, f := range r.Findings {
		a.print("%s", oneLine(f.File, 500))
		if f.Line > 0 {
			a.print(":%d", f.Line)
		}
		a.print(": %s (%s)\n", oneLine(f.Text, 500), f.Kind)
		if f.Hint != "" {
			a.print("    %s\n", oneLine(f.Hint, 500))
		}
	}
	switch {
	case r.Total == 0:
		a.print("The wiki is in order.\n")
	case r.Total > len(r.Findings):
		a.print("%s, of which the first %d are shown.\n", count(r.Total, "finding"), len(r.Findings))
	default:
		a.print("%s.\n", count(r.Total, "finding"))
	}
}

// printDiff prints a unified diff, coloured on a terminal.
func (a *app) printDiff(diff string) {
	f, isFile := a.out.(*os.File)
	colour := isFile && isatty.IsTerminal(f.Fd()) && os.Getenv("NO_COLOR") == ""
	for line := range strings.Lines(diff) {
		line = calm(strings.TrimRight(line, "\r\n"))
		code := ""
		switch {
		case !colour || line == "":
		case strings.HasPrefix(line, "+++"), strings.HasPrefix(line, "---"):
			code = "1"
		case line[0] == '+':
			code = "32"
		case line[0] == '-':
			code = "31"
		case line[0] == '@':
			code = "36"
		}
		if code != "" {
			line = "\x1b[" + code + "m" + line + "\x1b[0m"
		}
		a.print("%s\n", line)
	}
}

// calm takes from a line what would steer a terminal.
func calm(s string) string {
	return strings.Map(func(c rune) rune {
		if c != '\t' && unicode.IsControl(c) || unicode.Is(unicode.Bidi_Control, c) {
			return unicode.ReplacementChar
		}
		return c
	}, s)
}

// when writes a time of an answer for a person.
func when(s string) string {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return cmp.Or(s, "never")
	}
	return t.UTC().Format("2006-01-02 15:04 UTC")
}
