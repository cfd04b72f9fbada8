package vault

import (
	"regexp"
	"strings"
	"sync"

	"golang.org/x/text/unicode/norm"
)

// markup is what Markdown adds to a text without changing what it says.
type markup struct {
	block, link, emphasis, hidden, escape, note *regexp.Regexp
}

var markups = sync.OnceValue(func() markup {
	const month = `(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?`
	const date = `(?:\d{1,2}\.? ` + month + `(?: \d{4})?|` + month + ` \d{1,2}(?:, \d{4})?|\d{4}-\d\d-\d\d)`
	return markup{
		block: regexp.MustCompile(`^(?:[ \t]*(?:>|\||#{1,6}[ \t]|[-*+•][ \t]|\d{1,9}[.)][ \t]|\[[ xX]\][ \t]))+[ \t]*|[ \t]*\|[ \t]*$`),
		link:  regexp.MustCompile(`!?\[\[(?:[^\[\]|]*\|)?([^\[\]|]+)\]\]|!?\[([^\[\]]+)\]\([^()\s]*\)`),
		emphasis: regexp.MustCompile("(^|[^\\pL\\pN])(?:\\*{1,3}|_{1,3}|~~|==|`+)([\\pL\\pN(\"'“])|([\\pL\\pN.!?)\"'”%])(?:\\*{1,3}|" +
			"_{1,3}|~~|==|`+)($|[^\\pL\\pN])"),
		hidden: regexp.MustCompile(`[\x{200b}-\x{200f}\x{2060}\x{feff}\x{ad}]|%%.*?%%|<!--.*?-->|</?(?:b|i|em|strong|mark|u|s)>`),
		escape: regexp.MustCompile(`\\([\\*_\[\]<>#^|~=` + "`" + `-])`),
		note: regexp.MustCompile(`(?i)(\S)\s*\((?:(?:until|since|from|on|as of|before|after) )?` + date + `(?:, ` + date +
			`)*\)(\s*[.!?]?\s*)$`),
	}
})

// plain is a text as a reader sees it: without the marks of a quotation, heading, item or cell around it, emphasis, links, escapes and
// characters of no width.
func plain(text string) string {
	m := markups()
	text = norm.NFC.String(text)
	if text != "" && (strings.IndexByte(" \t>|#-*+[0123456789", text[0]) >= 0 || strings.HasPrefix(text, "•") ||
		strings.HasSuffix(text, "|")) {
		text = m.block.ReplaceAllString(text, "")
	}
	if strings.ContainsFunc(text, mayHide) {
		text = m.hidden.ReplaceAllString(text, "")
	}
	text = Unlinked(text)
	if strings.ContainsAny(text, "*_~=`") {
		for range 3 { // "**a** *b*": a match takes the space that the next one needs
			text = m.emphasis.ReplaceAllString(text, "$1$2$3$4")
		}
	}
	if strings.Contains(text, `\`) {
		text = m.escape.ReplaceAllString(text, "$1")
	}
	return text
}

// Unlinked is a text with what its links show in their place.
func Unlinked(text string) string {
	if !strings.Contains(text, "](") && !strings.Contains(text, "[[") {
		return text
	}
	return markups().link.ReplaceAllString(text, "$1$2")
}

// mayHide says whether something that no reader sees may begin with the character.
func mayHide(r rune) bool { return r == '<' || r == '%' || r == '\u00ad' || r >= '\u200b' }

// undated is a plain text without the date that a page puts behind a statement, such as "(since 9 Jun 2026)".
func undated(text string) string {
	if !strings.Contains(text, ")") {
		return text
	}
	return markups().note.ReplaceAllString(text, "$1$2")
}
