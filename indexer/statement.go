package indexer

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/trust"
	"github.com/reverie-memory/reverie/vault"
)

// A statement is a piece of a page that ends with links to the lines of daily logs that it rests on. A dream takes those
// lines' rows away, so the statement's row takes over what they told: who said it, when, where and in which message.

// provenance fills in what the ledgers know of the statement's sources: ids and refs of all, the rest from the first that is known, but the
// origin, which is that of the least trusted one.
func (b *pageBuilder) provenance(row *Row, p *piece) {
	first := true
	for _, s := range p.Sources {
		c, ok := b.env.consumed(s.Day, s.ID)
		if !ok {
			continue
		}
		row.Cites = append(row.Cites, s.ID)
		if c.Ref != "" && !slices.Contains(row.Refs, c.Ref) {
			row.Refs = append(row.Refs, c.Ref)
		}
		if !first {
			row.Origin = trust.Least(row.Origin, c.Origin)
			continue
		}
		first = false
		row.Drawer, row.Speaker, row.Chat, row.Turn = c.Drawer, c.Speaker, c.ChatID, c.Turn
		row.Origin, row.Agent, row.Wing, row.Room, row.Hall = c.Origin, c.Agent, c.Wing, c.Room, c.Hall
		b.env.hang(row)
		row.Category = cmp.Or(c.Category, row.Category)
		row.Session = session(c.ChatID, s.Day)
		if row.At = c.At; c.At.IsZero() {
			row.At = s.Day.Time()
		}
		row.Seq = row.At.Hour()*60 + row.At.Minute() + 1
		row.Context = b.about(p, &c)
		if c.Speaker != "" && b.ofPerson(c.Speaker) {
			row.Past = isPast(p) // as the context has it
		}
	}
}

// about is a statement's context: what a fact's was (who said it, unless the text tells, and what kind of fact it is) and the
// day, which a reader sees beside the text. The way to it comes before that, unless the page is a person's: what people say of
// themselves and each other stands for itself, and their names twice would tell less than once.
func (b *pageBuilder) about(p *piece, c *vault.Account) string {
	text := strings.ToLower(p.Text)
	var names, said []string
	about := append([]string{b.title}, b.page.Aliases...)
	if p.Page != "" { // a line of MEMORY.md tells of another page
		about = []string{p.Page}
	}
	for _, name := range about {
		name, _, _ = strings.Cut(name, " - ") // "Alice - Travel" is a part of what is known of Alice
		if !strings.Contains(text, strings.ToLower(name)) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	context := strings.Join(names, ", ") + b.way(p)
	if c.Speaker != "" && b.ofPerson(c.Speaker) {
		if context = ""; isPast(p) {
			context = pastMark
		}
	}
	if c.Speaker != "" && !strings.Contains(context, c.Speaker) && !strings.Contains(p.Text, c.Speaker) {
		said = append(said, c.Speaker)
	}
	if c.Category != "" && c.Category != vault.DefaultCategory {
		said = append(said, c.Category)
	}
	if at := c.Day.Time(); !at.IsZero() {
		said = append(said, at.Format("2 January"))
	}
	return strings.TrimSpace(context + " (" + strings.Join(said, " ") + ")")
}

// pastMark is how the context of what is no longer true ends, but for the brackets.
const pastMark = "> " + vault.History

func isPast(p *piece) bool {
	return len(p.headings) > 0 && p.headings[len(p.headings)-1] == vault.History
}

// ofPerson says whether the page is a person's, or the speaker's own.
func (b *pageBuilder) ofPerson(speaker string) bool {
	name, _, _ := strings.Cut(b.title, " - ")
	return strings.EqualFold(b.page.Type, "person") || strings.EqualFold(name, speaker)
}

// echoes says whether a line of the list of conflicts only repeats what stands on other pages.
func (b *pageBuilder) echoes(p *piece) bool {
	if b.env.layout.Name(b.p) != vault.ConflictsPath || !p.Ends {
		return false
	}
	for _, s := range p.Sources {
		if c, ok := b.env.consumed(s.Day, s.ID); !ok || c.Page == "" || c.Page == b.p {
			return false
		}
	}
	return true
}

// citedDays are the days of all links to lines of daily logs in a page, in order. Links that are not shown, such as those
// in code, may be among them.
func citedDays(_ vault.Path, data []byte) []string {
	days := map[string]bool{}
	for {
		i := bytes.Index(data, []byte("#^"))
		if i < 0 {
			break
		}
		name := bytes.TrimSuffix(data[:i], []byte(".md"))
		if len(name) >= len("2006-01-02") {
			day := string(name[len(name)-len("2006-01-02"):])
			if d, err := vault.ParseDay(day); err == nil {
				days[string(d)] = true
			}
		}
		data = data[i+2:]
	}
	return slices.Sorted(maps.Keys(days))
}
