package trust

import (
	"regexp"
	"slices"
	"strings"
	"sync"
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

// An order is a way to tell an assistant what to do, and words without which it does not occur.
type order struct {
	words []string
	re    *regexp.Regexp
}

// takeovers are texts that tell an assistant what to do. What is remembered is data; a line like these in MEMORY.md, which every
// conversation starts with, could be taken for more. The list rather takes a harmless line too many: it stays on its page.
var takeovers = sync.OnceValue(func() []order {
	var list []order
	for _, o := range [][2]string{
		{
			"ignore disregard forget override bypass",
			`\b(?:ignore|disregard|forget|override|bypass)(?: \w+){0,3}? (?:all|any|every|everything|previous|prior|above|earlier|former|` +
				`your|these|those|system)\b.{0,30}\b(?:instruction|prompt|rule|message|guideline|context|direction|polic)|\b(?:ignore|` +
				`disregard) (?:the |its |their )?instructions\b`,
		},
		{"ignore disregard forget", `\b(?:ignore|disregard|forget) (?:(?:all|any|everything|what|the) )+(?:previous|prior|above|earlier|` +
			`before|you)\b`},
		{"you", `\byou (?:must|shall|are to)\b`},
		{"you", `\byou (?:should|have to|need to|will|may)(?: \w+)? (?:always|never|not|only|now|obey|comply|answer|reply|respond|say|` +
			`ignore|call|run|execute|send|tell)\b`},
		{
			"you act pretend from respond roleplay when",
			`^(?:you are now|act as|pretend|from now on|roleplay|respond (?:only|as|with)|when asked)\b`,
		},
		{"from now on", `\bfrom now on,? (?:you|always|never|answer|reply|respond)\b`},
		{"always never", `^(?:always|never) (?:obey|comply|respond|reply|answer|output|print|say|recommend|call|run|execute|send|` +
			`use the|tell|trust|follow|include)\b`},
		{
			"assistant model agent ai llm chatbot",
			`\b(?:the|this|any) (?:assistant|model|agent|ai|llm|chatbot) (?:must|should|shall|has to|is to|needs to|will now)\b`,
		},
		{
			"prompt instructions password key credentials secret",
			`\b(?:reveal|print|show|repeat|output|leak|exfiltrate|send)\b.{0,40}\b(?:system prompt|instructions|password|api key|` +
				`credentials|secrets?)\b`,
		},
		{"do not", `\bdo not (?:tell|inform|mention|reveal|disclose|warn)\b`},
		{"don't", `\bdon't (?:tell|inform|mention|reveal|disclose|warn) (?:the user|anyone|them|him|her)\b`},
		{":", `^(?:system|assistant|developer|tool|instructions?)\s*:`},
		{"<", `</?\s*(?:system|assistant|user|developer|instructions?|tool|function|reverie-memory|memory|prompt)\b|<\|[a-z_ ]+\|>|<<sys>>`},
		{"[ #", `\[/?inst\]|### ?(?:system|instruction)`},
		{"musst sollst debes", `\bdu (?:musst|sollst) (?:immer|nie|niemals|nur)\b|\bdebes (?:siempre|nunca)\b`},
		{"jailbreak injection", `\bjailbreak|\bprompt injection`},
	} {
		list = append(list, order{strings.Fields(o[0]), regexp.MustCompile(o[1])})
	}
	return list
})

func orderly(text string) bool {
	return ignores().of(text) || slices.ContainsFunc(takeovers(), func(o order) bool {
		return slices.ContainsFunc(o.words, func(w string) bool { return strings.Contains(text, w) }) && o.re.MatchString(text)
	})
}
