package dream

import (
	"fmt"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/vault"
)

// verify proves the plan before anything is written: every fact has one outcome, every page lies in the zones.
func (p *planner) verify(plan *Plan) error {
	if plan.Skip {
		return nil
	}
	for i := range plan.Ledger {
		l := &plan.Ledger[i]
		if l.Outcome == "" {
			return fmt.Errorf("fact %s of %s has no outcome", l.Fact, l.Day)
		}
		if (l.Outcome == Dropped) != (l.Page == "") {
			return fmt.Errorf("fact %s of %s is %s, on page %q", l.Fact, l.Day, l.Outcome, l.Page)
		}
		if l.Outcome == Dropped && l.Reason == "" {
			return fmt.Errorf("fact %s of %s is dropped without a reason", l.Fact, l.Day)
		}
	}
	for i := range plan.Pages {
		if err := p.r.where.allowed(&plan.Pages[i]); err != nil {
			return err
		}
	}
	return nil
}

// allowed proves that the page is one of the zones, or one that was there before.
func (w places) allowed(p *PagePlan) error {
	if w.InZone(p.Path) || w.isPage(p.Path) && p.Before != (vault.Hash{}) {
		return nil
	}
	return fmt.Errorf("%q is not a page of the zones", p.Path)
}

// verifyPage proves that a page loses nothing that no op explains: every line that goes is the target of an op, or the day of
// the last update, or a heading or a blank line beside what went.
func (w places) verifyPage(pp *PagePlan, before, after []byte) error {
	if err := w.allowed(pp); err != nil || pp.taken() { // which is proved when it goes: see [Runner.retract]
		return err
	}
	retitled := slices.ContainsFunc(pp.Ops, func(op Op) bool { return op.Kind == Retitle })
	left := map[string]int{}
	for l := range strings.Lines(string(after)) {
		left[strings.TrimSpace(l)]++
	}
	explained := explain(pp, before)
	for l := range strings.Lines(string(before)) {
		key := strings.TrimSpace(l)
		if left[key] > 0 {
			left[key]--
			continue
		}
		switch {
		case key == "", strings.HasPrefix(key, "updated:"), strings.HasPrefix(key, "#"):
		case retitled && (strings.HasPrefix(key, "title:") || strings.HasPrefix(key, "aliases:")):
		case explained[key] > 0:
			explained[key]--
		default:
			return fmt.Errorf("the line %q would go, and nothing says why", clipped(key))
		}
	}
	return kept(pp, page.Parse(pp.Path, after))
}

// explain counts the lines that the ops name as going or changing.
func explain(pp *PagePlan, before []byte) map[string]int {
	out := map[string]int{}
	if !slices.ContainsFunc(pp.Ops, func(op Op) bool { return op.Target != "" }) {
		return out // nothing but lines that come
	}
	doc := page.Parse(pp.Path, before)
	byID, byText := map[string]page.Statement{}, map[string]page.Statement{}
	for _, st := range doc.Statements() {
		byID[st.ID], byText[st.Text] = st, st
	}
	for _, l := range doc.Loose() {
		byID[l.ID] = l
	}
	lines := strings.Split(string(before), "\n")
	callout := map[string][]string{}
	for _, c := range doc.Conflicts() {
		for i := c.Line - 1; i < len(lines) && strings.HasPrefix(strings.TrimSpace(lines[i]), ">"); i++ {
			callout[c.ID] = append(callout[c.ID], strings.TrimSpace(lines[i]))
		}
	}
	for i := range pp.Ops {
		op := &pp.Ops[i]
		target := op.Target
		st, ok := byID[target]
		if !ok && target != "" && op.Was != "" { // an earlier op changed its id
			st, ok = byText[op.Was]
		}
		if ok {
			for _, l := range op.goes(&st) {
				out[strings.TrimSpace(l)]++
			}
		}
		for _, l := range callout[target] {
			out[l]++
		}
	}
	return out
}

// goes are the lines of a statement that an op takes away or changes.
func (op *Op) goes(st *page.Statement) []string {
	lines := st.Lines()
	switch op.Kind {
	case RemoveLine, MoveLine, Contradict:
		return lines
	case Reword:
		return []string{lines[0], lines[len(lines)-1]}
	case Retire:
		if len(lines) > 1 && page.Ticks(op.Note) { // and the one with the box
			return []string{lines[0], lines[len(lines)-1]}
		}
	}
	return lines[len(lines)-1:] // the one with the sources
}

// kept proves that every fact which the ops account for on the page is named there as a source.
func kept(pp *PagePlan, doc *page.Doc) error {
	have := map[string]bool{}
	for _, st := range doc.Statements() {
		for _, s := range st.Sources {
			have[s.ID] = true
		}
	}
	for i := range pp.Ops {
		for _, a := range pp.Ops[i].Facts {
			if !have[a.Fact] {
				return fmt.Errorf("fact %s is accounted for as %s and not named on the page", a.Fact, a.Outcome)
			}
		}
	}
	return nil
}
