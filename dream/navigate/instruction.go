package navigate

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// An order is a way to tell an assistant what to do, and words without which it does not occur.
type order struct {
	words []string
	re    *regexp.Regexp
}

// orders are texts that tell an assistant what to do. What is remembered is data; a line like these in MEMORY.md, which every
// conversation starts with, could be taken for more. The list rather takes a harmless line too many: it stays on its page.
var orders = sync.OnceValue(func() []order {
	var list []order
	for _, o := range [][2]string{
		{"ignore disregard forget override bypass", `\b(?:ignore|disregard|forget|override|bypass)(?: \w+){0,3}? (?:all|any|every|everything|previous|prior|above|earlier|former|your|these|those|system)\b.{0,30}\b(?:instruction|prompt|rule|message|guideline|context|direction|polic)|\b(?:ignore|disregard) (?:the |its |their )?instructions\b`},
		{"ignore disregard forget", `\b(?:ignore|disregard|forget) (?:(?:all|any|everything|what|the) )+(?:previous|prior|above|earlier|before|you)\b`},
		{"you", `\byou (?:must|shall|are to)\b`},
		{"you", `\byou (?:should|have to|need to|will|may)(?: \w+)? (?:always|never|not|only|now|obey|comply|answer|reply|respond|say|ignore|call|run|execute|send|tell)\b`},
		{"you act pretend from respond roleplay when", `^(?:you are now|act as|pretend|from now on|roleplay|respond (?:only|as|with)|when asked)\b`},
		{"from now on", `\bfrom now on,? (?:you|always|never|answer|reply|respond)\b`},
		{"always never", `^(?:always|never) (?:obey|comply|respond|reply|answer|output|print|say|recommend|call|run|execute|send|use the|tell|trust|follow|include)\b`},
		{"assistant model agent ai llm chatbot", `\b(?:the|this|any) (?:assistant|model|agent|ai|llm|chatbot) (?:must|should|shall|has to|is to|needs to|will now)\b`},
		{"prompt instructions password key credentials secret", `\b(?:reveal|print|show|repeat|output|leak|exfiltrate|send)\b.{0,40}\b(?:system prompt|instructions|password|api key|credentials|secrets?)\b`},
		{"do not", `\bdo not (?:tell|inform|mention|reveal|disclose|warn)\b`},
		{"don't", `\bdon't (?:tell|inform|mention|reveal|disclose|warn) (?:the user|anyone|them|him|her)\b`},
		{":", `^(?:system|assistant|developer|tool|instructions?)\s*:`},
		{"<", `</?\s*(?:system|assistant|user|developer|instructions?|tool|function|reverie-memory|memory|prompt)\b|<\|[a-z_ ]+\|>|<<sys>>`},
		{"[ #", `\[/?inst\]|### ?(?:system|instruction)`},
		{"ignoriere missachte vergiss", `\b(?:ignoriere|missachte|vergiss)\b.{0,40}(?:anweisung|vorgabe|regel|prompt)`},
		{"ignora olvida", `\b(?:ignora|olvida)\b.{0,40}\b(?:instruccion|regla|prompt)`},
		{"ignore oublie", `\b(?:ignore|oublie)[rsz]?\b.{0,40}\b(?:consigne|règle|instruction)`},
		{"musst sollst debes", `\bdu (?:musst|sollst) (?:immer|nie|niemals|nur)\b|\bdebes (?:siempre|nunca)\b`},
		{"jailbreak injection", `\bjailbreak|\bprompt injection`},
	} {
		list = append(list, order{strings.Fields(o[0]), regexp.MustCompile(o[1])})
	}
	return list
})

// instruction tells whether a text reads like an instruction to an assistant.
func instruction(text string) bool {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Cf, r): // shows as nothing, and would hide a word
			return -1
		case unicode.IsSpace(r), strings.ContainsRune("*_`\\", r):
			return ' '
		}
		return unicode.ToLower(r)
	}, norm.NFKC.String(text))
	text = strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "’", "'")
	for _, o := range orders() {
		if slices.ContainsFunc(o.words, func(w string) bool { return strings.Contains(text, w) }) && o.re.MatchString(text) {
			return true
		}
	}
	return false
}
