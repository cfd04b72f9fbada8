package dream

import (
	_ "embed"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/dream/claim"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/trust"
	"github.com/reverie-memory/reverie/vault"
)

// headingWords are what a heading or a title may say of anybody: topics, which claim nothing.
//
//go:embed headings.txt
var headingWords string

var headings = sync.OnceValue(func() map[string]bool { return termsOf(headingWords) })

// termsOf are the terms of texts.
func termsOf(texts ...string) map[string]bool {
	out := map[string]bool{}
	for _, t := range texts {
		for _, term := range lexis.Terms(t) {
			out[term] = true
		}
	}
	return out
}

// claims are words with which a heading says something of somebody, as a sentence does.
var claims = regexp.MustCompile(`(?i)\b(?:is|are|was|were|be|been|has|have|had|does|did|do|will|would|must|should|can|cannot|not|no|` +
	`never|without|ist|war|hat|nicht|kein|keine|es|está|no|est|pas|non)\b|n't\b`)

// maxName is the longest heading or title, in characters.
const maxName = 80

// badName says why a heading or a title may not stand over a page's lines: it must name them and claim nothing. Its words have to be
// topics, or words of what it stands over.
func badName(name string, over []string) string {
	if name = strings.TrimSpace(name); name == "" || utf8.RuneCountInString(name) > maxName || strings.ContainsAny(name, "#[]|\n\r`<>^") {
		return fmt.Sprintf("%q is no name: a few words of plain text", clipped(name))
	}
	if why := trust.Bar(trust.Said{Text: name, Origin: vault.OriginAgent}, trust.Name); why != "" {
		return fmt.Sprintf("%q is no name: %s", clipped(name), why)
	}
	if claims.MatchString(name) {
		if ok, why := claim.Supports(over, name); !ok {
			return fmt.Sprintf("the name %q claims something: %s", clipped(name), why)
		}
	}
	known := termsOf(over...)
	for _, term := range lexis.Terms(name) {
		if !known[term] && !headings()[term] {
			return fmt.Sprintf("nothing below the name %q speaks of %q", clipped(name), term)
		}
	}
	return ""
}

// heading says why the section may not be called so. Headings that the page has, and those that the rules give, are as good as any.
func (e *editing) heading(name string) string {
	if name == "" || strings.EqualFold(name, vault.History) {
		return ""
	}
	over := slices.Concat(e.names...)
	for _, f := range e.facts {
		if over = append(over, f.Text); strings.EqualFold(f.place.Section, name) {
			return ""
		}
	}
	if e.draft != nil {
		for _, st := range e.draft.doc.Statements() {
			if over = append(over, st.Text); strings.EqualFold(st.Section, name) {
				return ""
			}
		}
	}
	return badName(name, over)
}

// namesOf are the names of whom a page is about, and those of the one whose memory it is: each list begins with the one to use.
func (p *planner) namesOf(name vault.Path) [][]string {
	var out [][]string
	add := func(at vault.Path) {
		e, ok := p.router.Dir.Get(at)
		if !ok {
			return
		}
		if m := p.made[at]; m != nil {
			e.Title, e.Aliases = m.Title, m.Aliases
		}
		names := slices.Concat([]string{e.Title}, e.Aliases, []string{fileTitle(at)})
		if slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, "the user") }) {
			names = append(names, "the user", "user")
		}
		out = append(out, names)
	}
	add(name)
	for _, e := range p.router.Dir.Find("The user") {
		if e.Path != name {
			add(e.Path)
		}
	}
	return out
}

// oneName puts the first name of each list in place of the others.
func oneName(text string, names [][]string) string {
	for _, list := range names {
		others := map[string]bool{}
		for _, n := range list[1:] {
			if n = strings.TrimSpace(n); n != "" && !strings.EqualFold(n, list[0]) {
				others[regexp.QuoteMeta(n)] = true
			}
		}
		if len(others) == 0 {
			continue
		}
		longest := slices.SortedFunc(maps.Keys(others), func(a, b string) int { return len(b) - len(a) })
		if re, err := regexp.Compile(`(?i)\b(?:` + strings.Join(longest, "|") + `)\b`); err == nil {
			text = re.ReplaceAllLiteralString(text, list[0])
		}
	}
	return text
}
