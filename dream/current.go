package dream

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/reverie-memory/reverie/dream/navigate"
	"github.com/reverie-memory/reverie/dream/page"
)

// nowSection is where a page says what holds of it today.
const nowSection = "Now"

// changing are the attributes that have one value at a time and change it: what a page says of them stands under its first heading.
var changing = [...]string{
	"home", "address", "employer", "company", "job", "status", "stage", "deadline", "version", "budget", "price", "salary", "rent",
	"lead", "leader",
	"owner", "maintainer",
}

// sectionOn is where a fact stands on a page: under Now where it gives such an attribute of what the page is about; at the top where it is
// the first to say what that is; else where it was routed to.
func sectionOn(f *fact, d *draft, routed string) string {
	if isTask(f) || f.wish() {
		return routed
	}
	pg := d.doc.Page()
	names := append([]string{pg.Title}, pg.Aliases...)
	switch {
	case f.past:
		return page.Timeline
	case slices.ContainsFunc(changing[:], func(attr string) bool { return f.claim.Gives(attr, names) }):
		return nowSection
	case bytes.Contains(pg.Front, []byte("\nreverie:")) && navigate.Defines(f.text, names) &&
		!slices.ContainsFunc(d.doc.Statements(), func(st page.Statement) bool { return st.Section == "" }):
		return ""
	}
	return routed
}

// wish tells a task that was routed elsewhere than to the tasks: a wish or an intention, which nobody has to tick.
func (f *fact) wish() bool {
	return f.Category == "task" && f.place.Section != page.Tasks && !strings.HasSuffix(f.place.Entry.Title, " - "+page.Tasks)
}

// How long a task stays open: after that nobody speaks of it any more, or its day is long over. What was planned for a day is over with it.
const (
	lapseUndated = 8 * 7 * 24 * time.Hour
	lapseDue     = 4 * 7 * 24 * time.Hour
	lapsePlan    = 24 * time.Hour
)

// planned finds words of what is to come.
var planned = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:is|are|'s) (?:planned|scheduled|booked|due|expected|set) (?:for|on|to)\b|` +
		`\b(?:will|going to|plans? to|planning to)\b|` +
		`\b(?:geplant|fällig|soll|previst[oa]|prévue?)\b`)
})

// lapses is why a line is no longer so by the time that the run knows, "" where it may be.
func (p *planner) lapses(l *line) (why string) {
	until, dated := navigate.Due(l.text, l.day)
	switch {
	case !l.task && (!dated || !planned().MatchString(l.text)):
		return ""
	case !l.task:
		why, until = "its day is over", until.Add(lapsePlan)
	case dated:
		why, until = "open, not spoken of since "+shortDay(l.day), until.Add(lapseDue)
	default:
		why, until = "open, not spoken of since "+shortDay(l.day), l.day.Time().Add(lapseUndated)
	}
	if !until.Before(p.latest.Time()) {
		return ""
	}
	return why
}

// lapse moves tasks and plans to History whose time is over. A person's own line stays.
func (p *planner) lapse(group *pageGroup) error {
	old := map[*line]string{}
	for _, list := range group.lines {
		for _, l := range list {
			if l.gone || l.history || !l.ours || l.conflict != "" || l.day == "" {
				continue
			}
			if _, asked := old[l]; !asked { // it is in several lists
				old[l] = p.lapses(l)
			}
		}
	}
	maps.DeleteFunc(old, func(_ *line, why string) bool { return why == "" })
	byPlace := func(a, b *line) int { return cmp.Or(cmp.Compare(a.draft.path, b.draft.path), cmp.Compare(a.id, b.id)) }
	for _, l := range slices.SortedFunc(maps.Keys(old), byPlace) {
		if err := p.retire(l, old[l], l.draft.path); err != nil {
			return fmt.Errorf("moving what lapsed: %w", err)
		}
	}
	return nil
}
