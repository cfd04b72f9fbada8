package trust

import (
	_ "embed"
	"regexp"
	"strings"
	"sync"
)

// What is said in a language that the file does not have waits for the person. One language more is one section more.
//
//go:embed languages.txt
var languageFile string

// sections are the lines of the file by language and name.
var sections = sync.OnceValue(func() map[string]map[string]string {
	all, code := map[string]map[string]string{}, ""
	for line := range strings.Lines(languageFile) {
		name, expr, more := strings.Cut(strings.TrimSpace(line), " ")
		switch {
		case name == "#" || name == "":
		case !more:
			code, all[name] = name, map[string]string{}
		case all[code][name] != "":
			all[code][name] += "|" + expr
		default:
			all[code][name] = expr
		}
	}
	return all
})

// A question is asked of a folded text, with an expression for each language that can ask it.
type question map[string]*regexp.Regexp

// ask makes a question of a form, in which "{name}" stands for what the section of a language has under that name.
func ask(form string) question {
	q := question{}
	for code, words := range sections() {
		whole, expr := true, form
		for whole && reference().MatchString(expr) {
			expr = reference().ReplaceAllStringFunc(expr, func(ref string) string {
				is := words[ref[1:len(ref)-1]]
				whole = whole && is != ""
				return "(?:" + is + ")"
			})
		}
		if whole {
			q[code] = regexp.MustCompile(expr)
		}
	}
	return q
}

var reference = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{[a-z]+\}`) })

func (q question) of(text string) bool {
	for _, re := range q {
		if re.MatchString(text) {
			return true
		}
	}
	return false
}

// in asks in one language alone.
func (q question) in(code, text string) bool { return q[code] != nil && q[code].MatchString(text) }

// opening is where a clause begins, or a request within one.
const opening = `(?:^|[.:;!?,–—¡¿] ?|\b(?:please|then|bitte|por favor|s'il (?:te|vous) plait) )`

// The questions. What a project uses, loads and imports of its own tells nobody anything.
var (
	takeovers = sync.OnceValue(func() question { return ask(`{takeover}`) })
	starts    = sync.OnceValue(func() question { return ask(opening + `{start}\b`) })
	commands  = sync.OnceValue(func() question { return ask(opening + `{command}\b [^ ]+`) })
	objects   = sync.OnceValue(func() question { return ask(`\b{command}(?: \w+){0,2}? {object}\b`) })
	verbs     = sync.OnceValue(func() question { return ask(`^(?:ne )?{verb} {all}\b`) })
	acts      = sync.OnceValue(func() question { return ask(`\b{act}\b`) })
	things    = sync.OnceValue(func() question { return ask(`{thing}`) })
	uses      = sync.OnceValue(func() question { return ask(`\b{use}\b`) })
	oughts    = sync.OnceValue(func() question { return ask(`\b{ought}\b`) })
	yous      = sync.OnceValue(func() question { return ask(`\b{you}\b`) })
	frees     = sync.OnceValue(func() question { return ask(`\b{free}\b`) })
	licences  = sync.OnceValue(func() question { return ask(`{licence}`) })
	ignores   = sync.OnceValue(func() question {
		return ask(`\b(?:{drop}\w*\b.{0,40}\b{rule}|{rule}\w*\b.{0,40}\b{drop})`)
	})
	place = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`[a-z][a-z0-9+.-]*://|\bwww\.|\b[a-z0-9._-]+@[a-z0-9-]+\.[a-z]|\b[a-z0-9-]+\.(?:com|net|org|io|dev|` +
			`example|xyz|ru|cn|info|biz)\b`)
	})
)

// elsewhere tells whether a folded text names a place on the net.
func elsewhere(text string) bool {
	return strings.ContainsAny(text, ".@:") && place().MatchString(text)
}
