package redact

import (
	"regexp"
	"strings"
	"testing"
)

// A tongue are the sentences of told.txt in one language, by what they do: < begins a message, + tells a secret, - tells none, > ends it.
type tongue struct {
	lists map[string][]string
	lines map[byte][]string
}

// tongues reads told.txt.
func tongues(tb testing.TB) (all []*tongue) {
	var t *tongue
	for line := range strings.Lines(read(tb, "testdata/told.txt")) {
		line = strings.ReplaceAll(strings.TrimRight(line, "\n"), `\n`, "\n")
		switch {
		case strings.HasPrefix(line, "## "):
			t = &tongue{map[string][]string{}, map[byte][]string{}}
			all = append(all, t)
		case strings.HasPrefix(line, "@"):
			name, of, _ := strings.Cut(line[1:], ": ")
			t.lists[name] = strings.Split(of, " | ")
		case len(line) > 2 && strings.IndexByte("<+->", line[0]) >= 0:
			t.lines[line[0]] = append(t.lines[line[0]], line[2:])
		}
	}
	return all
}

// choice is a part of a sentence that is drawn from several; innermost first.
var choice = regexp.MustCompile(`\{([^{}]*)\}`)

// say draws one of the sentences that a line of told.txt stands for; its slots stay.
func (t *tongue) say(d *drawer, line string) string {
	for range 6 {
		drawn := choice.ReplaceAllStringFunc(line, func(m string) string { return d.one(strings.Split(m[1:len(m)-1], "|")...) })
		drawn = slot.ReplaceAllStringFunc(drawn, func(m string) string {
			if of := t.lists[slot.FindStringSubmatch(m)[1]]; of != nil {
				return d.one(of...)
			}
			return m
		})
		if drawn == line {
			break
		}
		line = drawn
	}
	return strings.Join(strings.FieldsFunc(line, func(r rune) bool { return r == ' ' }), " ")
}

// message puts a sentence among others.
func (t *tongue) message(d *drawer, line string) string {
	var parts []string
	add := func(share int, kind byte) {
		if of := t.lines[kind]; d.rng.IntN(100) < share && len(of) > 0 {
			parts = append(parts, t.say(d, d.one(of...)))
		}
	}
	add(30, '<')
	add(20, '-')
	parts = append(parts, t.say(d, line))
	add(20, '-')
	add(60, '>')
	text := parts[0]
	join := d.one(". ", ", ", ". ", "\n", " ", "... ", " - ")
	for i, p := range parts[1:] {
		by := join
		if strings.IndexByte(":,.", parts[i][len(parts[i])-1]) >= 0 {
			by = " "
		} else if d.rng.IntN(3) == 0 {
			by = d.one(". ", ", ", ". ", "\n")
		}
		text += by + p
	}
	if d.rng.IntN(3) == 0 {
		text = title(text)
	}
	return text + d.one("", "", ".", "?", "!")
}

// told are messages that tell a secret in passing, and others like them that tell none, drawn from told.txt.
func told(tb testing.TB) (all []sample) {
	d := newDrawer(7, 8)
	for _, t := range tongues(tb) {
		for _, kind := range []byte{'+', '-'} {
			for _, line := range t.lines[kind] {
				group := len(all)
				for range toldTimes {
					text := t.message(d, line)
					s := unmark(slot.ReplaceAllStringFunc(text, func(m string) string { return d.draw(slot.FindStringSubmatch(m)[1]) }))
					s.weight, s.near, s.group = toldWeight, len(s.marks) == 0, group
					all = append(all, s)
				}
			}
		}
	}
	return all
}

// Each line of told.txt gives so many messages, each of this weight.
const (
	toldTimes  = 16
	toldWeight = 0.4
)
