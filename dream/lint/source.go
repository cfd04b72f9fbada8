package lint

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/vault"
)

const hintForgotten = "the next dream takes it away, or delete the line"

// A cite is a place that names a line of a daily log.
type cite struct {
	day        vault.Day
	id         string
	page, line int
	said       int // index of the statement that it is a source of, -1 for the link itself
}

// A said is a statement with sources.
type said struct{ page, line, sources, gone int }

// held bounds the cites and wants that are noted at once. More are looked up in several rounds.
const held = 1 << 17

func (c *checker) cite(page, line, said int, s page.Source) {
	day, ok := c.days[s.Day]
	if !ok {
		day = vault.Day(strings.Clone(string(s.Day))) // else each keeps its page in memory
		c.days[day] = day
	}
	c.cites = append(c.cites, cite{day: day, id: strings.Clone(s.ID), page: page, line: line, said: said})
}

// sources reads every daily log that is named, once, and tells of lines that are gone and of statements whose source was forgotten.
func (c *checker) sources(ctx context.Context) error {
	slices.SortFunc(c.cites, func(a, b cite) int {
		return cmp.Or(cmp.Compare(a.day, b.day), cmp.Compare(a.page, b.page), cmp.Compare(a.line, b.line), cmp.Compare(a.id, b.id))
	})
	var log map[string]lineState
	var why string
	for i, s := range c.cites {
		if err := ctx.Err(); err != nil {
			return err
		}
		if i == 0 || c.cites[i-1].day != s.day {
			log, why = c.log(s.day)
		}
		at, there := log[s.id]
		switch {
		case at.forgotten && s.said >= 0:
			c.said[s.said].gone++
		case at.changed && s.said >= 0:
			c.add(ChangedSource, c.files.paths[s.page], s.line, "the source "+s.link()+" was changed since", "the next dream files what it says now")
		case !there && s.said < 0:
			c.lost(s, why)
		}
	}
	for _, s := range c.said {
		p := c.files.paths[s.page]
		switch {
		case s.gone == s.sources:
			c.add(Forgotten, p, s.line, "what it comes from was forgotten", hintForgotten)
		case s.gone > 0:
			c.add(Forgotten, p, s.line, fmt.Sprintf("%d of its %d sources were forgotten", s.gone, s.sources), hintForgotten)
		}
	}
	c.cites, c.said = c.cites[:0], c.said[:0]
	return nil
}

// lost tells of a source that is gone, unless a person keeps daily notes of their own that the link can mean.
func (c *checker) lost(s cite, why string) {
	p := c.files.paths[s.page]
	text := s.link()
	at := c.files.resolve(p, string(s.day))
	if slices.ContainsFunc(at, func(i int) bool { return checked(c.files.paths[i]) }) {
		c.wanted = append(c.wanted, want{files: at, from: p, line: s.line, text: text, part: "^" + s.id})
		return
	}
	c.add(LostSource, p, s.line, "the source "+text+" is gone: "+why, "look for the line in a backup, or take the statement off the page")
}

func (s *cite) link() string { return "[[" + string(s.day) + "#^" + s.id + "]]" }

// lineState is what became of a line of a log.
type lineState struct {
	forgotten bool
	changed   bool // since a dream filed it
}

// log gives the facts of a day, and what to say of one that is not there.
func (c *checker) log(day vault.Day) (facts map[string]lineState, why string) {
	p := vault.LogPath(day)
	data, err := c.vault.ReadFile(p)
	if err != nil {
		return nil, "there is no log of " + string(day)
	}
	facts = map[string]lineState{}
	for _, f := range vault.ParseLog(p, data).Facts {
		_, forgotten := c.stones.Match(f.Text)
		_, filed := c.known.FindOn(day, f.ID)
		facts[f.ID] = lineState{forgotten, filed && !c.known.Covers(&f)}
	}
	return facts, "the log of " + string(day) + " has no such line"
}
