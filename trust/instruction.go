package trust

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

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

// Orders tells whether a text reads like an instruction that is meant to take an assistant over.
func Orders(text string) bool { return orderly(spelt(text)) }

// Instructs tells whether a text tells an assistant what to do: to run, fetch, send, install or trust something above all.
// Callers ask it of texts by others than the person whose memory it is, and rather finds one too many: that one waits for the
// person.
func Instructs(text string) bool {
	text = spelt(text)
	return orderly(text) || addressed().MatchString(text) || imperative().MatchString(text) ||
		acts().MatchString(text) && (thing().MatchString(text) || place().MatchString(text)) ||
		uses().MatchString(text) && place().MatchString(text) || licence().MatchString(text)
}

// Names tells whether a title or a file's name only names something. A name may speak of an act ("How to install npm packages"), not of one
// on what lies elsewhere; it addresses nobody, and neither opens nor ends a tag.
func Names(text string) bool {
	text = spelt(text)
	return !strings.ContainsAny(text, "<>") && !orderly(text) && !addressed().MatchString(text) && !licence().MatchString(text) &&
		!(place().MatchString(text) && (acts().MatchString(text) || thing().MatchString(text)))
}

// nameMost is how many characters a name beside a text has at most.
const nameMost = 80

// NamesPath tells whether a name or a path that a caller chose may stand beside a text: it is short, and [Names] holds for the whole and
// for each part.
func NamesPath(path string) bool {
	return utf8.RuneCountInString(path) <= nameMost && Names(path) &&
		!slices.ContainsFunc(strings.Split(path, "/"), func(part string) bool { return !Names(part) })
}

// What tells an assistant to act: somebody addressed who ought to, an imperative, an act on a thing that programs handle, the use of
// what lies elsewhere or what is brought there, or a licence: leave to act, or a duty of every session, that only the person can give.
// What a project uses, loads and imports of its own tells nobody anything.
var (
	addressed = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\b(?:you|assistants?|agents?|ais?|llms?|(?:language )?models?|(?:chat)?bots?|claude|chatgpt|gpt|` +
			`codex|copilot|cursor|gemini)\b(?: \w+){0,2}? (?:must|should|shall|ought|have to|has to|needs? to|are to|is to|may|can|(?:are|` +
			`is) (?:allowed|permitted|required|expected|supposed|authori[sz]ed|free))\b`)
	})
	imperative = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?:^|[.:;!?,–—] ?|\b(?:please|then) )(?:(?:run|execute|fetch|download|install|curl|wget|upload|` +
			`forward|post|email|trust|whitelist|allowlist|approve|grant|disable|paste|open|visit|click|send|führe|installiere|lade|sende|` +
			`schicke|vertraue|öffne|ejecuta|instala|descarga|envía|confía|exécute|installe|télécharge|envoie)\b [^ ]+|(?:always|never|` +
			`do not|don't|make sure|be sure|remember to|from now on|whenever you|if you|when you|niemals|immer|siempre|nunca|toujours|jamais)\b)`)
	})
	acts = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\b(?:run|runs|ran|running|execut\w*|invok\w*|launch\w*|fetch\w*|download\w*|pull\w*|install\w*|` +
			`upload\w*|send|sends|sent|sending|forward\w*|post|posts|posted|posting|e-?mail(?:ed|ing)|to e-?mail|submit\w*|shar(?:e|es|ed|` +
			`ing)|paste\w*|pasting|pip(?:e|es|ed|ing)|trust\w*|whitelist\w*|allowlist\w*|approv\w*|safe|verified|open\w*|visit\w*|click\w*|` +
			`grant\w*|disabl\w*|bypass\w*|ausführ\w*|installier\w*|herunterlad\w*|vertrau\w*|ejecut\w*|instal\w*|descarg\w*|conf[ií]a\w*)\b`)
	})
	uses = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\b(?:us(?:e|es|ed|ing)|load\w*|import\w*|follow\w*|curl|wget|mailed|mailing|to mail|transfer\w*|` +
			`cop(?:y|ied|ying)|exfiltrat\w*)\b`)
	})
	licence = sync.OnceValue(func() *regexp.Regexp {
		const (
			does = `(?:delet|eras|remov|wip|overwrit|run|execut|install|deploy|commit|push|merg|modif|send|shar|upload|download|spend|` +
				`transfer|proceed|skip|bypass|disabl|access)\w*`
			ai = `(?:(?:ai|coding) (?:assistant|agent|model|session)s?|assistants?|ais?|llms?|chatbots?|claude|chatgpt|codex|copilot)`
		)
		return regexp.MustCompile(strings.Join([]string{
			`\b(?:permission|authori[sz]ation|consent|approval|allowed|permitted|authori[sz]ed|entitled|cleared) (?:to|for) (?:\w+ ){0,2}?` +
				`(?:` + does + `|.*\b(?:files|folders|commands|tools|shell|disk|keys)\b)`,
			`\b` + does + `\b.*\bwithout (?:\w+ ){0,3}?(?:asking|prompting|confirm\w*|permissions?|approval|consent|review)\b`,
			`\b(?:skip|bypass|omit|suppress|waiv|disabl)\w*[ -](?:\w+ ){0,3}?(?:confirmations?|permissions?|approvals?|prompts?|guardrails?)\b`,
			`--(?:dangerously|yolo)\b`,
			`\b(?:policy|rules?|mandatory|required|requires?)\b.*\b(?:every|each|all|any) (?:\w+ )?(?:sessions?|` + ai + `)\b`,
			`\b(?:every|each|all|any) ` + ai + `(?: sessions?)? (?:begin|start|end|open)s?\b`,
			`\b(?:expects?|wants?|trusts?|authori[sz]e[sd]?|instruct(?:s|ed)?) (?:(?:the|an|any|every) )?(?:you|` + ai + `) to\b`,
			`\| ?(?:sudo )?(?:ba|z|da)?sh\b`,
		}, "|"))
	})
	place = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`[a-z][a-z0-9+.-]*://|\bwww\.|\b[a-z0-9._-]+@[a-z0-9-]+\.[a-z]|\b[a-z0-9-]+\.(?:com|net|org|io|dev|` +
			`example|xyz|ru|cn|info|biz)\b`)
	})
	thing = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\b(?:curl|wget|sudo|bash|zsh|powershell|eval|exec|chmod|rm -|npx|pipx?|npm|pnpm|yarn|uvx|brew|` +
			`apt(?:-get)?|ssh|scp|ncat|base64)\b|\| ?(?:sh|bash)\b|\b(?:scripts?|commands?|shells?|terminals?|binar(?:y|ies)|executables?|` +
			`installers?|plugins?|extensions?|attachments?|macros?|urls?|certificates?|credentials?|secrets?|passwords?|api keys?|` +
			`access tokens?|private keys?)\b|\b[a-z0-9-]+\.(?:sh|ps1|exe|bat|py|jar|dmg|pkg|deb|zip)\b`)
	})
)

// spelt is a text as it reads: one case, one kind of space, no marks, nothing that does not show.
func spelt(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Cf, r): // shows as nothing, and would hide a word
			return -1
		case unicode.IsSpace(r), strings.ContainsRune("*_`\\", r):
			return ' '
		}
		return unicode.ToLower(r)
	}, norm.NFKC.String(text))
	return strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "’", "'")
}

func orderly(text string) bool {
	return slices.ContainsFunc(orders(), func(o order) bool {
		return slices.ContainsFunc(o.words, func(w string) bool { return strings.Contains(text, w) }) && o.re.MatchString(text)
	})
}
