package trust

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/reverie-memory/reverie/lexis"
)

// A sight is a text as it is judged: what does not show and what only looks different is gone. words keeps accents and capitals; lines are
// folded, the text as a whole and each line without the sign of a list.
type sight struct {
	words string
	lines []string
}

func view(text string) *sight {
	words := strings.Map(func(r rune) rune {
		switch {
		case lexis.Hidden(r), r == 0x200c, r == 0x200d, r == 0xfe0e, r == 0xfe0f, strings.ContainsRune("\"“”„«»", r): // hides or parts a word
			return -1
		case 0x1f150 <= r && r < 0x1f16a: // letters in circles and boxes, which have no plain form
			return 'a' + r - 0x1f150
		case 0x1f170 <= r && r < 0x1f18a:
			return 'a' + r - 0x1f170
		case strings.ContainsRune("*_`\\", r):
			return ' '
		case r == '’':
			return '\''
		case unicode.IsControl(r) && r != '\n':
			return ' '
		}
		return r
	}, norm.NFKC.String(text))
	v := &sight{words: words, lines: []string{lexis.Fold(words)}}
	if lines := strings.Split(words, "\n"); len(lines) > 1 || len(words) > 0 && !unicode.IsLetter(rune(words[0])) {
		for _, l := range lines {
			v.lines = append(v.lines, lexis.Fold(strings.TrimLeft(l, " \t-*+>#0123456789.)[]")))
		}
	}
	return v
}

// tells says whether a question is true of the text or of one of its lines.
func (v *sight) tells(is func(line string) bool) bool { return slices.ContainsFunc(v.lines, is) }

// takeover tells whether the text reads like an instruction that is meant to take an assistant over.
func (v *sight) takeover() bool { return v.tells(orderly) }

// instructs tells whether the text tells an assistant what to do: to run, fetch, send, install or trust something above all. It rather
// finds one too many: that one waits for the person.
func (v *sight) instructs() bool {
	code, _ := lexis.Language(v.words)
	return v.tells(func(text string) bool {
		there := elsewhere(text)
		return orderly(text) || oughts().of(text) || commands().of(text) || starts().of(text) || yous().in(code, text) || verbs().in(code, text) ||
			acts().of(text) && (there || things().of(text) || frees().of(text)) || there && uses().of(text) || licences().of(text)
	})
}

// commands tells whether the text is more than a name. What others name may be no imperative with an object either.
func (v *sight) commands(own bool) bool {
	return strings.ContainsAny(v.words, "<>") || v.tells(func(text string) bool {
		return orderly(text) || oughts().of(text) || licences().of(text) || elsewhere(text) && (acts().of(text) || things().of(text)) ||
			!own && objects().of(text)
	})
}

// orderly asks a folded text for a takeover. What is remembered is data; a line like that in MEMORY.md, which every conversation starts
// with, could be taken for more. It rather takes a harmless line too many: that one stays on its page.
func orderly(text string) bool {
	for code, words := range sections() {
		if takeovers()[code] != nil && slices.ContainsFunc(strings.Split(words["hint"], "|"), func(hint string) bool {
			return strings.Contains(text, hint)
		}) && takeovers().in(code, text) {
			return true
		}
	}
	return ignores().of(text)
}
