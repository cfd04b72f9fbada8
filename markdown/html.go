package markdown

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// The seven ways in which a block of HTML begins, and how those end that a blank line does not end (CommonMark 0.31, 4.6).
var htmlBlocks = sync.OnceValue(func() [][2]*regexp.Regexp {
	re := regexp.MustCompile
	return [][2]*regexp.Regexp{
		{re(`(?i)^<(?:script|pre|style|textarea)(?:\s|>|$)`), re(`(?i)</(?:script|pre|style|textarea)>`)},
		{re(`^<!--`), re(`-->`)},
		{re(`^<\?`), re(`\?>`)},
		{re(`^<![A-Za-z]`), re(`>`)},
		{re(`^<!\[CDATA\[`), re(`\]\]>`)},
		{re(`(?i)^</?(?:` + htmlNames + `)(?:\s|/?>|$)`), nil},
	}
})

const htmlNames = `address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|` +
	`fieldset|figcaption|figure|footer|form|frame|frameset|h1|h2|h3|h4|h5|h6|head|header|hr|html|iframe|legend|li|link|main|menu|` +
	`menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul`

// The last way is a tag alone on its line.
var htmlTag = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^<(?:[A-Za-z][A-Za-z0-9-]*(?:\s+[A-Za-z_:][A-Za-z0-9_.:-]*(?:\s*=\s*(?:[^\s"'=<>` + "`" +
		`]+|'[^']*'|"[^"]*"))?)*\s*/?|/([A-Za-z][A-Za-z0-9-]*)\s*)>\s*$`)
})

// htmlStarts tells whether a block of HTML begins at rest. A lone tag does not interrupt a paragraph.
func (s *scanner) htmlStarts(rest string, inPara bool) bool {
	for _, b := range htmlBlocks() {
		if b[0].MatchString(rest) {
			s.htmlEnd = b[1]
			return true
		}
	}
	s.htmlEnd = nil
	if inPara {
		return false
	}
	m := htmlTag().FindStringSubmatch(rest)
	return m != nil && !slices.Contains([]string{"script", "pre", "style", "textarea"}, strings.ToLower(m[1]))
}
