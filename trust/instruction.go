package trust

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/reverie-memory/reverie/lexis"
)

// A sight is a text as it is judged: what does not show and what only looks different is gone. words keeps accents and capitals; lines are
// folded, the text as a whole, the same plainly, and each line without the sign of a list.
type sight struct {
	words string
	lines []line
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
	q := asked()
	v := &sight{words: words, lines: []line{q.line(lexis.Fold(words))}}
	if plain := plainly(words); plain != words {
		v.lines = append(v.lines, q.line(lexis.Fold(plain)))
	}
	if lines := strings.Split(words, "\n"); len(lines) > 1 || len(words) > 0 && !unicode.IsLetter(rune(words[0])) {
		for _, l := range lines {
			v.lines = append(v.lines, q.line(lexis.Fold(strings.TrimLeft(l, " \t-*+>#0123456789.)[]"))))
		}
	}
	return v
}

// plainly is a text with letters for the digits within words that stand for them ("w4rnings"), and with blanks where signs join three words
// or more ("prefers-no-warnings").
func plainly(text string) string {
	words := strings.Split(text, " ")
	for i, w := range words {
		if strings.ContainsAny(w, "013457") && strings.IndexFunc(w, unicode.IsLetter) >= 0 {
			words[i] = digits.Replace(w)
		}
		if parts := strings.FieldsFunc(words[i], func(r rune) bool { return strings.ContainsRune("-_.+/", r) }); len(parts) > 2 {
			words[i] = strings.Join(parts, " ")
		}
	}
	return strings.Join(words, " ")
}

var digits = strings.NewReplacer("0", "o", "1", "i", "3", "e", "4", "a", "5", "s", "7", "t")

// tells says whether something is true of the text or of one of its lines.
func (v *sight) tells(is func(l line) bool) bool { return slices.ContainsFunc(v.lines, is) }

// instructs tells whether the text tells an assistant what to do: by its form, or as it would have one run, fetch, send, install or trust
// something. instructs rather finds one too many: that one waits for the person.
func (v *sight) instructs() bool {
	says, code := v.answers()
	if code != "en" && byForm(says) { // of other languages the model has seen little
		return true
	}
	return says["guidance"] || says["takeover"] || says["ought"] || says["command"] || says["you"] || says["verb"] || says["licence"] ||
		Odds(weights, v.features(says)) > LeadingOdds
}

// byForm tells whether a text with these answers tells somebody what to do by its form, or by acts on what programs handle.
func byForm(answers map[string]bool) bool {
	for question, yes := range answers {
		if yes && question != "elsewhere" {
			return true
		}
	}
	return false
}

// answers are the questions to which the text, or one of its lines, says yes, and the language in which it is asked.
func (v *sight) answers() (yes map[string]bool, code string) {
	q := asked()
	yes = map[string]bool{}
	code, _ = lexis.Language(v.words)
	for _, l := range v.lines {
		there, act := q.elsewhere.of(l), q.act.of(l)
		for name, is := range map[string]bool{
			"takeover": q.orderly(l), "ought": q.ought.of(l), "guidance": q.guides(l), "command": q.command.of(l),
			"start": q.start.of(l), "licence": q.licence.of(l),
			"you": q.you.in(code, l), "verb": q.verb.in(code, l), "elsewhere": there, "act elsewhere": act && there,
			"act on a thing": act && q.thing.of(l), "act unasked": act && q.free.of(l), "use of what is elsewhere": there && q.use.of(l),
		} {
			yes[name] = yes[name] || is
		}
	}
	return yes, code
}

// commands tells whether the text is more than a name. What others name may be no imperative with an object either.
func (v *sight) commands(own bool) bool {
	q := asked()
	return strings.ContainsAny(v.words, "<>") || v.tells(func(l line) bool {
		return q.orderly(l) || q.ought.of(l) || q.licence.of(l) || q.elsewhere.of(l) && (q.act.of(l) || q.thing.of(l)) ||
			!own && q.object.of(l)
	})
}

// guides tells whether a line says that somebody likes, wants or does something at all times in which a safeguard is spared, or something
// is given away to whoever asks. What a person is like is a fact, and this is guidance to the assistants that act for the person.
func (q *questions) guides(l line) bool { return q.lasts.of(l) && (q.spared.of(l) || q.asked.of(l)) }

// orderly asks a line for a takeover. What is remembered is data; a line like that in MEMORY.md, which every conversation starts with,
// could be taken for more. orderly rather takes a harmless line too many: that one stays on its page.
func (q *questions) orderly(l line) bool { return q.takeover.of(l) || q.ignore.of(l) }
