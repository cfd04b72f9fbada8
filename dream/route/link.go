package route

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/vault"
)

// commonWord is how often, in a million words, a word occurs whose capital at the start of a sentence says nothing.
const commonWord = 30.0

// maxLinkWords is the length of the longest name that is linked.
const maxLinkWords = 8

// linkNames are the names of a page that can stand in a link as they are.
func linkNames(e *Entry) []string {
	if e.Type == typeTopic && strings.Contains(e.Title, partMark) {
		return nil
	}
	var out []string
	for _, n := range append([]string{e.Title, base(e.Path)}, e.Aliases...) {
		first, _ := utf8.DecodeRuneInString(n)
		last, _ := utf8.DecodeLastRuneInString(n)
		if !wordRune(first) || !wordRune(last) || strings.ContainsAny(n, "[]|#^`\n") || utf8.RuneCountInString(n) < 2 {
			continue
		}
		if ws := cut(n); len(ws) <= maxLinkWords && !slices.Contains(out, n) && !(len(ws) == 1 && ws[0].num) {
			out = append(out, n)
		}
	}
	return out
}

// Link turns the first mention of each other page's title in text into a wikilink that reads the same.
func (r *Router) Link(text string, self vault.Path) string {
	closed, linked := spansOf(text)
	own := base(self)
	if e, ok := r.Dir.entries[self]; ok {
		own = e.Title
	}
	owner, _, _ := strings.Cut(own, partMark)
	done := map[*Entry]bool{}
	for _, target := range linked {
		for _, e := range r.Dir.names[key(target)] {
			done[e] = true
		}
	}
	ws := cut(text)
	var b strings.Builder
	at := 0
	for i := 0; i < len(ws); i++ {
		mask := r.Dir.starts[ws[i].fold]
		if mask == 0 || inside(closed, ws[i].start) || ws[i].start > 0 && (text[ws[i].start-1] == '\\' || text[ws[i].start-1] == '[') {
			continue
		}
		e, n := r.linkAt(text, ws, i, mask)
		if e == nil {
			continue
		}
		end := ws[i+n-1].end
		if e.Path != self && !done[e] && key(e.Title) != key(owner) && !inside(closed, end-1) {
			b.WriteString(text[at:ws[i].start])
			b.WriteString(r.wikilink(e, text[ws[i].start:end]))
			at = end
		}
		done[e] = true
		i += n - 1
	}
	if at == 0 {
		return text
	}
	b.WriteString(text[at:])
	return b.String()
}

// linkAt is the page whose name is written at word i, and of how many words that name is; the longest name wins.
func (r *Router) linkAt(text string, ws []word, i int, mask uint16) (*Entry, int) {
	for n := maxLinkWords; n > 0; n-- {
		whole := mask&(1<<(n-1)) != 0 && i+n <= len(ws)
		for k := i + 1; whole && k < i+n; k++ { // no stop is inside a name, no possessive but at its end
			whole = !ws[k-1].owns && (ws[k].gap == 0 || strings.IndexByte(";:(!?\"", ws[k].gap) < 0)
		}
		if !whole {
			continue
		}
		span := text[ws[i].start:ws[i+n-1].end]
		var hit *Entry
		hits := 0
		for _, e := range r.Dir.names[key(span)] {
			if e.Foreign && !e.Filed {
				continue // its name may be a common word
			}
			hit = e
			hits++
		}
		if hits == 1 && linkable(hit, ws, i, n, span) {
			return hit, n
		}
	}
	return nil, 0
}

// linkable tells whether a mention means the page: one word must be written as in the page's name, and a common one
// must not owe its capital to the start of a sentence.
func linkable(e *Entry, ws []word, i, n int, span string) bool {
	names := linkNames(e)
	k := key(span)
	for _, name := range names {
		if key(name) != k {
			continue
		}
		if n > 1 || !strings.ContainsFunc(name, unicode.IsUpper) {
			return n > 1 || span == name
		}
		if !ws[i].capital || lexis.Fold(span) != lexis.Fold(name) {
			return false
		}
		if lexis.Frequency(ws[i].fold) < commonWord && !lexis.IsStop(ws[i].fold) && !ws[i].is(month) {
			return true
		}
		start := i == 0 || sentenceEnd(ws[i].gap)
		date := ws[i].is(month) && (i > 0 && ws[i-1].num || i+1 < len(ws) && ws[i+1].num)
		return span == name && !date && (!start || ws[i].owns)
	}
	return false
}

// wikilink links to a page by its file name, or by its path where that is not enough.
func (r *Router) wikilink(e *Entry, shown string) string {
	target := base(e.Path)
	if r.Dir.files[fileKey(target)] > 1 || strings.ContainsAny(target, "[]|#^") {
		target = strings.TrimSuffix(string(e.Path), ".md")
	}
	if strings.ContainsAny(target, "[]|#^") {
		return shown
	}
	if target == shown {
		return "[[" + shown + "]]"
	}
	return "[[" + target + "|" + shown + "]]"
}

// closedSpans are what no link may be put into: code, links of all kinds, addresses, tags. The first group is a wikilink's target.
var closedSpans = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("``.*?``|`[^`]*`" + `|\[\[([^\]|#]*)[^\]]*\]\]|\[[^\[\]]*\](?:\([^)]*\)|\[[^\[\]]*\])|<[A-Za-z!/?][^>]*>|` +
		`(?:https?://|www\.)[^\s)]+|[^\s("]+@[^\s)]+|(?:^|[\s("])#\S+`)
})

// spansOf finds what no link may be put into, and what the wikilinks lead to.
func spansOf(text string) (closed [][]int, targets []string) {
	if !strings.ContainsAny(text, "`[<@#:") {
		return nil, nil
	}
	closed = closedSpans().FindAllStringSubmatchIndex(text, -1)
	for _, s := range closed {
		if s[2] >= 0 {
			t := text[s[2]:s[3]]
			targets = append(targets, strings.TrimSuffix(t[strings.LastIndexByte(t, '/')+1:], ".md"))
		}
	}
	return closed, targets
}

func inside(spans [][]int, at int) bool {
	return slices.ContainsFunc(spans, func(s []int) bool { return s[0] <= at && at < s[1] })
}
