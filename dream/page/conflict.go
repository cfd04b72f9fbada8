package page

import (
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/markdown"
)

// A Conflict is a callout that asks a person to decide.
type Conflict struct {
	ID       string // derives from section, question and rank among equals
	Question string
	Options  []Statement
	Line     int // 1-based in the file
}

// asks is the question's source text.
func (c *conflict) asks() string {
	q := strings.Join(c.question, "\n")
	if c.title != "" {
		q = c.title + "\n" + q
	}
	return q
}

// Conflicts lists the callouts "> [!warning] Conflict", those that a person wrote too.
func (d *Doc) Conflicts() []Conflict {
	var out []Conflict
	for _, c := range d.calls {
		k := Conflict{ID: c.id, Question: strings.ReplaceAll(read(c.asks()).text, "\n", " "), Line: d.number(c.first)}
		for _, it := range c.options {
			if len(it.own) > 0 && it.first.item == it {
				k.Options = append(k.Options, statement(it, d.number(it.first)))
			}
		}
		out = append(out, k)
	}
	return out
}

func (d *Doc) call(id string) *conflict {
	for _, c := range d.calls {
		if c.id == id {
			return c
		}
	}
	return nil
}

// AddConflict asks a person to decide between the options, above the first section. Its id is "" where the page has no place
// for it, or nothing is asked.
func (d *Doc) AddConflict(question string, o []Option) string {
	question = neutral(question)
	lines := []*line{{text: "> [!warning] Conflict"}}
	if question != "" {
		lines = append(lines, &line{text: "> " + question})
	}
	n := 0
	for _, o := range o {
		if content := compose(o.Text, o.Sources); content != "" {
			lines = append(lines, &line{text: "> - " + content})
			n++
		}
	}
	if n == 0 {
		return ""
	}
	for _, s := range d.callSlots() {
		if d.try(func() { d.place(s, lines) }, func() bool {
			c := lines[0].call
			return c != nil && len(c.options) == n && c.end == lines[len(lines)-1] && len(c.question) == len(lines)-1-n
		}) {
			return lines[0].call.id
		}
	}
	return ""
}

// callSlots are the places for a callout, best first: the end of what stands above the first section.
func (d *Doc) callSlots() []slot {
	end := 0
	for i, ln := range d.lines {
		if ln.region == d.lead && !d.empty(i) {
			end = i + 1
		}
	}
	out := []slot{{end, true}}
	for _, s := range d.slots(d.lead) {
		out = append(out, slot{s.i, true})
	}
	return append(out, slot{len(d.lines), true})
}

// AddOption adds a side to a conflict. An option that says the same gets the sources.
func (d *Doc) AddOption(conflict string, o Option) bool {
	c := d.call(conflict)
	content := compose(o.Text, o.Sources)
	if c == nil || content == "" {
		return false
	}
	for _, it := range c.options {
		if len(it.own) > 0 && it.first.item == it && it.read().text == read(content).text {
			return d.AddSources(it.first.id, o.Sources...)
		}
	}
	after, prefix := c.end, "> - "
	if n := len(c.options); n > 0 {
		last := c.options[n-1]
		after, prefix = last.end, last.first.text[:last.mark]
		if m := last.first.text[last.mark]; m == '*' || m == '+' {
			prefix += string(m) + " "
		} else {
			prefix += "- "
		}
		if last.task {
			prefix += "[ ] "
		}
	}
	ln := &line{text: prefix + content}
	return d.try(func() { d.insert(d.index(after)+1, ln) }, func() bool {
		return ln.item != nil && ln.item.call != nil && ln.item.parent == nil && len(ln.item.own) == 1 && ln.item.call.first == c.first
	})
}

// RemoveConflict takes a callout off the page, with its options. What a person put below those stays, as a quote.
func (d *Doc) RemoveConflict(id string) bool {
	c := d.call(id)
	if c == nil {
		return false
	}
	from, to := d.span(c.first, c.end)
	for to < len(d.lines) && d.lines[to].mark.role == markdown.Blank && strings.HasPrefix(strings.TrimSpace(d.lines[to].text), ">") {
		to++
	}
	if rest := c.rest(d.lines[from:to]); len(rest) > 0 {
		return d.try(func() {
			d.cut(from, to-from)
			for i, ln := range rest {
				ln.gone, ln.fresh = false, true
				d.insert(from+i, ln)
			}
		}, nil)
	}
	return d.try(func() { d.cut(from, to-from); d.squeeze(from) }, nil) ||
		d.try(func() { d.cut(from, to-from); d.insert(from, &line{}) }, nil) ||
		d.try(func() { d.cut(from, to-from); d.insert(from, &line{text: "<!-- -->"}) }, nil) // it kept apart what stands around it
}

// rest are the lines of a callout that belong neither to its question nor to its options.
func (c *conflict) rest(lines []*line) []*line {
	own := map[*line]bool{}
	first := -1
	for _, it := range c.options {
		if it.first.item != it || it.parent != nil {
			continue
		}
		for _, g := range it.own {
			own[g.ln] = true
		}
		if i := slices.Index(lines, it.first); first < 0 || i < first {
			first = i
		}
	}
	var out []*line
	for i, ln := range lines {
		empty := strings.Trim(ln.text, "> \t") == ""
		if first >= 0 && i > first && !own[ln] && (!empty || len(out) > 0) {
			out = append(out, ln)
		}
	}
	for len(out) > 0 && strings.Trim(out[len(out)-1].text, "> \t") == "" {
		out = out[:len(out)-1]
	}
	return out
}
