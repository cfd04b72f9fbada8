package recall

import (
	"strings"
	"unicode/utf8"
)

const ellipsis = "…"

// clip shortens text to at most n characters, at a space where there is one near.
func clip(text string, n int) string {
	if utf8.RuneCountInString(text) <= n {
		return text
	}
	if n <= 1 {
		return ""
	}
	cut := 0
	for i := range n - 1 {
		_, size := utf8.DecodeRuneInString(text[cut:])
		cut += size
		_ = i
	}
	head := text[:cut]
	if sp := strings.LastIndexAny(head, " \n\t"); sp > len(head)*3/4 {
		head = head[:sp]
	}
	return strings.TrimRight(head, " \n\t,;:") + ellipsis
}

// oneLine puts text on one line.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func runeCount(s string) int { return utf8.RuneCountInString(s) }

// clipLines shortens text to at most n characters, at the end of a line where there is one.
func clipLines(text string, n int) string {
	if runeCount(text) <= n {
		return text
	}
	var b strings.Builder
	left := n - 2 // line end and ellipsis
	for line := range strings.Lines(text) {
		if left -= runeCount(line); left < 0 {
			break
		}
		b.WriteString(line)
	}
	if b.Len() == 0 {
		return clip(text, n)
	}
	return b.String() + ellipsis
}
