package redact

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/lexis"
)

// A Finding is one secret that was replaced. Start and End are byte offsets in the original text.
type Finding struct {
	Rule  string // what it was, as in the placeholder: "github token"
	Start int
	End   int
}

// The placeholder of a secret is open + rule + shut. No rule matches inside of it.
const (
	open = "[redacted: "
	shut = "]"
)

// maxPasses bounds the repetition in Redact: a replaced neighbour can give a secret the border that it
// lacked. Two passes are the rule (the second one finds nothing).
const maxPasses = 16

// Redact returns text with every secret replaced by a placeholder such as "[redacted: github token]",
// and what was replaced, in order. Redact of its own result finds nothing.
func Redact(text string) (clean string, found []Finding) {
	spans := spansOf(text)
	if len(spans) == 0 {
		return text, nil
	}
	found = repeated(text, spans)
	for range maxPasses {
		clean = replace(text, found)
		again := repeated(clean, spansOf(clean))
		if len(again) == 0 {
			break
		}
		found = join(found, again)
	}
	return clean, found
}

// Message is Redact for what this program says itself, such as an error that may repeat a value of a request. The names of files that it
// tells of stay: "Anna Adler.md is left out" tells no password.
func Message(text string) string {
	_, found := Redact(text)
	return replace(text, slices.DeleteFunc(found, func(f Finding) bool {
		switch ext := path.Ext(strings.Trim(text[f.Start:f.End], `"',;:`)); ext {
		case ".md", ".jsonl", ".json", ".toml", ".db", ".log":
			return f.Rule == "password" // which is told by the words around it, and not by its form
		}
		return false
	}))
}

// spansOf are the secrets of a text as it is written, and as a person or a program reads it.
func spansOf(text string) []Finding {
	spans := scan(text)
	if plain, at := asRead(text); at != nil {
		for _, s := range scan(plain) {
			spans = append(spans, Finding{s.Rule, at[s.Start], at[s.End]})
		}
		spans = settle(spans)
	}
	return notOurs(text, spans)
}

// coded are signs of an address in an address.
var coded = strings.NewReplacer("%3a", ":", "%3A", ":", "%2f", "/", "%2F", "/", "%40", "@")

// asRead gives a text without what nobody sees, wide letters as plain ones and addresses within addresses as they are, with where each of
// its bytes and its end stand in text; nil where it is as it is written.
func asRead(text string) (plain string, at []int) {
	address := strings.Contains(text, "%40") && strings.Contains(strings.ToLower(text), "%3a%2f%2f")
	if !address && strings.IndexFunc(text, func(r rune) bool { return r > unicode.MaxASCII && (fullWidth(r) || lexis.Hidden(r)) }) < 0 {
		return text, nil
	}
	var b strings.Builder
	for i, n := 0, 0; i < len(text); i += n {
		var r rune
		if r, n = utf8.DecodeRuneInString(text[i:]); r == '%' && address && i+3 <= len(text) {
			if sign := coded.Replace(text[i : i+3]); len(sign) == 1 {
				r, n = rune(sign[0]), 3
			}
		}
		out := text[i : i+n]
		switch {
		case lexis.Hidden(r):
			continue
		case fullWidth(r):
			out = string(r - 0xfee0)
		case n == 3 && r < utf8.RuneSelf:
			out = string(r)
		}
		b.WriteString(out)
		for range len(out) {
			at = append(at, i)
		}
	}
	return b.String(), append(at, len(text))
}

// fullWidth tells the letters, figures and signs of ASCII that are as wide as Chinese ones.
func fullWidth(r rune) bool { return r >= 0xff01 && r <= 0xff5e }

// own is how facts and statements are named by id in what a model is sent and proposes.
var own = sync.OnceValue(func() *regexp.Regexp {
	const bare = `[a-z][0-9a-hjkmnp-tv-z]{9}`
	const id = `"` + bare + `"`
	return regexp.MustCompile(`"(?:fact|target)": ?` + id + `(?:,"day":"\d{4}-\d\d-\d\d")?|"(?:facts|with)": ?\[(?:` + id + `,? ?)+\]` +
		`|(?m:^|\\n)(?:[ \t>]*- |Open conflict )\{` + bare + `\}`) // the latter on a page, as it is or within JSON
})

// ownStarts are what own begins with: a text without them needs no second look.
var ownStarts = [...]string{`"fact`, `"target"`, `"with"`, "- {", "conflict {"}

// notOurs leaves out spans within our own ids: a model could not name what it was told of.
func notOurs(text string, spans []Finding) []Finding {
	if len(spans) == 0 || !slices.ContainsFunc(ownStarts[:], func(s string) bool { return strings.Contains(text, s) }) {
		return spans
	}
	names := own().FindAllStringIndex(text, -1)
	return slices.DeleteFunc(spans, func(f Finding) bool {
		i, _ := slices.BinarySearchFunc(names, f.Start, func(n []int, at int) int { return n[1] - at - 1 })
		return i < len(names) && names[i][0] <= f.Start && f.End <= names[i][1]
	})
}

// maxValues bounds the values whose further places are looked for, each in one pass over the text.
const maxValues = 32

// repeated adds the other places of the values that spans found: what is secret beside its name is as secret without it. Values that
// a sentence may hold for another reason, words and numbers, are left.
func repeated(text string, spans []Finding) []Finding {
	seen := map[string]bool{}
	out := spans
	for _, s := range spans {
		v := text[s.Start:s.End]
		if seen[v] || len(seen) == maxValues || len(v) > judged || !strict(v) || strings.Contains(v, open) {
			continue
		}
		seen[v] = true
		for i := 0; ; {
			at := strings.Index(text[i:], v)
			if at < 0 {
				break
			}
			at += i
			i = at + len(v)
			if at != s.Start && bordered(text, at, i) {
				out = append(out, Finding{s.Rule, at, i})
			}
		}
	}
	if len(out) == len(spans) {
		return spans
	}
	return settle(out)
}

// bordered tells whether no letter or digit touches text[start:end].
func bordered(text string, start, end int) bool {
	return !is(at(text, start-1), alnum) && !is(at(text, end), alnum)
}

func replace(text string, spans []Finding) string {
	var b strings.Builder
	b.Grow(len(text) + 24*len(spans))
	at := 0
	for _, s := range spans {
		b.WriteString(text[at:s.Start])
		b.WriteString(open)
		b.WriteString(s.Rule)
		b.WriteString(shut)
		at = s.End
	}
	b.WriteString(text[at:])
	return b.String()
}

// join adds spans of the replaced text to those of the original text, in the original's offsets.
// A later span swallows the placeholders that it touches.
func join(found, later []Finding) []Finding {
	out := make([]Finding, 0, len(found)+len(later))
	shift, i := 0, 0                   // shift: original offset − replaced offset behind found[:i]
	place := func() (start, end int) { // of the placeholder of found[i]
		start = found[i].Start - shift
		return start, start + len(open) + len(found[i].Rule) + len(shut)
	}
	next := func() {
		start, end := place()
		shift += found[i].End - found[i].Start - (end - start)
		i++
	}
	for _, l := range later {
		for ; i < len(found); next() {
			if _, end := place(); end > l.Start {
				break
			}
			out = append(out, found[i])
		}
		s := Finding{Rule: l.Rule, Start: l.Start + shift}
		for ; i < len(found); next() {
			start, end := place()
			if start >= l.End {
				break
			}
			s.Start = min(s.Start, found[i].Start)
			l.End = max(l.End, end)
		}
		s.End = l.End + shift
		out = append(out, s)
	}
	return append(out, found[i:]...)
}

// settle sorts spans and merges those that overlap: the union is replaced under the name of the longer
// one, of the earlier rule where they are equal, so that no part of either secret is left.
func settle(spans []Finding) []Finding {
	if len(spans) < 2 {
		return spans
	}
	slices.SortStableFunc(spans, func(a, b Finding) int {
		if a.Start != b.Start {
			return a.Start - b.Start
		}
		return b.End - a.End
	})
	out := spans[:1]
	for _, s := range spans[1:] {
		last := &out[len(out)-1]
		if s.Start >= last.End {
			out = append(out, s)
			continue
		}
		if s.End-s.Start > last.End-last.Start || s.Start == last.Start && s.End == last.End && generic(last.Rule) && !generic(s.Rule) {
			last.Rule = s.Rule
		}
		last.End = max(last.End, s.End)
	}
	return out
}

// generic tells the rules that see a secret only by the word beside it; a rule that knows the format names it better.
func generic(rule string) bool {
	switch rule {
	case rulePassword, ruleSecret, ruleAuth, ruleURL, ruleKey:
		return true
	}
	return false
}
