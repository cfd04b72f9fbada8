package page

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/reverie-memory/reverie/markdown"
	"github.com/reverie-memory/reverie/vault"
)

// An Option is one side of a conflict.
type Option struct {
	Text    string   `json:"text"`
	Sources []Source `json:"sources,omitempty"`
}

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
	for id, c := range d.calls() {
		k := Conflict{ID: id, Question: strings.ReplaceAll(read(c.asks()).text, "\n", " "), Line: d.above() + c.first.at}
		for _, it := range c.options {
			if it.first.says() && it.first.item == it {
				k.Options = append(k.Options, it.statement(d.above()))
			}
		}
		out = append(out, k)
	}
	return out
}

// calls are the callouts with their ids, in the order of the file.
func (d *Doc) calls() iter.Seq2[string, *conflict] {
	return func(yield func(string, *conflict) bool) {
		ranks := map[same]int{}
		for _, ln := range d.lines {
			if c := ln.call; c != nil {
				key := same{ln.region.name, c.asks()}
				if !yield(vault.DeriveID('c', key.section, key.raw, strconv.Itoa(ranks[key])), c) {
					return
				}
				ranks[key]++
			}
		}
	}
}

func (d *Doc) call(id string) *conflict {
	for at, c := range d.calls() {
		if at == id {
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
	above := len(d.lines)
	if len(d.regions) > 1 {
		above = d.regions[1].head.at
	}
	slots := []int{d.filled(above)}
	for s := range d.slots(d.lead) {
		slots = append(slots, s.i)
	}
	for _, i := range append(slots, len(d.lines)) {
		if !d.place(slot{i, true}, lines, func() bool {
			c := lines[0].call
			return c != nil && len(c.options) == n && c.end == lines[len(lines)-1] && len(c.question) == len(lines)-1-n
		}) {
			continue
		}
		for id, c := range d.calls() {
			if c == lines[0].call {
				return id
			}
		}
	}
	return ""
}

// AddOption adds a side to a conflict. An option that says the same gets the sources.
func (d *Doc) AddOption(conflict string, o Option) bool {
	c := d.call(conflict)
	content := compose(o.Text, o.Sources)
	if c == nil || content == "" {
		return false
	}
	for _, it := range c.options {
		if it.first.says() && it.first.item == it && it.read().text == read(content).text {
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
		if last.box != 0 {
			prefix += "[ ] "
		}
	}
	ln := &line{text: prefix + content}
	return d.replace(after.at+1, after.at+1, func() bool {
		return ln.item != nil && ln.item.call != nil && ln.item.parent == nil && len(ln.item.own) == 1 && ln.item.call.first == c.first
	}, ln)
}

// RemoveConflict takes a callout off the page, with its options. What a person put below those stays, as a quote.
func (d *Doc) RemoveConflict(id string) bool {
	c := d.call(id)
	if c == nil {
		return false
	}
	from, to := c.first.at, c.end.at+1
	for to < len(d.lines) && d.lines[to].kind == markdown.Blank && strings.HasPrefix(strings.TrimSpace(d.lines[to].text), ">") {
		to++
	}
	if rest := c.rest(d.lines[from:to]); len(rest) > 0 {
		return d.edit(from, to, func([]*line) []*line {
			for _, ln := range rest {
				ln.fresh = true
			}
			return rest
		}, nil)
	}
	return d.cut(from, to, nil, "", "<!-- -->") // it may have kept apart what stands around it
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
