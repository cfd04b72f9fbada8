package navigate

import (
	"regexp"
	"strings"
	"sync"

	"github.com/reverie-memory/reverie/lexis"
)

var (
	tagStart  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(\\*)(?:<[A-Za-z/!?]|!\[)`) }) // or of a picture
	itemStart = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile("^(?:[-+*>]|#{1,6}(?: |$)|`{3}|~{3}|={3}|_{3}|\\[[^\\[\\]]?\\](?: |$))")
	})
	orderedStart = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(\d{1,9})([.)])(?: |$)`) })
	blockIDEnd   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(^| )\^([A-Za-z0-9-]+)$`) })
)

// claim makes a text fit for a list item: one line, with nothing that is not seen, that opens no comment, fence, formula, picture or tag,
// and starts nothing else than a sentence. A text that went through it already comes back as it is.
func claim(s string) string {
	s = lexis.OneLine(lexis.Shown(strings.ToValidUTF8(s, "\uFFFD")), "")
	for strings.Contains(s, "%%") {
		s = strings.ReplaceAll(s, "%%", `%\%`)
	}
	for strings.Contains(s, "$$") {
		s = strings.ReplaceAll(s, "$$", `$\$`)
	}
	s = tagStart().ReplaceAllStringFunc(s, func(m string) string {
		if i := strings.IndexAny(m, "<!"); i%2 == 0 {
			return m[:i] + `\` + m[i:]
		}
		return m
	})
	if itemStart().MatchString(s) {
		s = `\` + s
	}
	s = orderedStart().ReplaceAllString(s, `$1\$2 `)
	s = blockIDEnd().ReplaceAllString(s, `$1\^$2`)
	return strings.TrimRight(s, " ")
}

// linkTo is a link to a page. shown is its text where that is not the target itself.
func linkTo(target, shown string) string {
	target, shown = linkPart(target), linkPart(shown)
	if shown == "" || shown == target {
		return "[[" + target + "]]"
	}
	return "[[" + target + "|" + shown + "]]"
}

func linkPart(s string) string {
	return lexis.OneLine(lexis.Shown(strings.ToValidUTF8(s, "\uFFFD")), "[]|#^")
}

// cut shortens s to at most max runes, at the end of a word.
func cut(s string, limit int) string {
	r := []rune(s)
	if len(r) <= limit {
		return s
	}
	if limit < 1 {
		return ""
	}
	head := string(r[:limit-1])
	if i := strings.LastIndexByte(head, ' '); i > len(head)/2 && r[limit-1] != ' ' {
		head = head[:i]
	}
	return strings.TrimRight(head, " ,;:.-–—([") + "…"
}
