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

// A question is asked of a line, with an expression for each language that can ask it.
type question map[string]*expression

// An expression is one of all, by its number.
type expression struct {
	*regexp.Regexp
	n      int
	always bool // nothing is known that each of its matches has
}

// A line is a folded text. may has, by number, which expressions may match it.
type line struct {
	text string
	may  []bool
}

func (q question) of(l line) bool {
	for _, re := range q {
		if l.may[re.n] && re.MatchString(l.text) {
			return true
		}
	}
	return false
}

// in asks in one language alone.
func (q question) in(code string, l line) bool {
	re := q[code]
	return re != nil && l.may[re.n] && re.MatchString(l.text)
}

// questions are all of them. What a project uses, loads and imports of its own tells nobody anything.
type questions struct {
	takeover, start, command, object, verb, act, thing, use, ought, you, free, licence, ignore, elsewhere, lasts, spared, asked question

	sieve
}

// opening is where a clause begins, or a request within one.
const opening = `(?:^|[.:;!?,–—¡¿] ?|\b(?:please|then|bitte|por favor|s'il (?:te|vous) plait) )`

var asked = sync.OnceValue(func() *questions {
	q := &questions{}
	for form, to := range map[string]*question{
		`{takeover}`:                           &q.takeover,
		opening + `{start}\b`:                  &q.start,
		`\b{act}\b`:                            &q.act,
		`{thing}`:                              &q.thing,
		`\b{use}\b`:                            &q.use,
		`\b{ought}\b`:                          &q.ought,
		`\b{you}\b`:                            &q.you,
		`\b{free}\b`:                           &q.free,
		`{licence}`:                            &q.licence,
		`{lasts}`:                              &q.lasts,
		`{spared}`:                             &q.spared,
		`{asked}`:                              &q.asked,
		`^(?:ne )?{verb} {all}\b`:              &q.verb,
		opening + `{command}\b [^ ]+`:          &q.command,
		`\b{command}(?: \w+){0,2}? {object}\b`: &q.object,
		`\b(?:{drop}\w*\b.{0,40}\b{rule}|{rule}\w*\b.{0,40}\b{drop})`: &q.ignore,
	} {
		*to = q.ask(form)
	}
	q.elsewhere = question{"": q.add(`[a-z][a-z0-9+.-]*://|\bwww\.|\b[a-z0-9._-]+@[a-z0-9-]+\.[a-z]|\b[a-z0-9-]+\.(?:com|net|org|io|dev|` +
		`example|xyz|ru|cn|info|biz)\b`)}
	return q
})

var reference = regexp.MustCompile(`\{[a-z]+\}`)

// ask makes a question of a form, in which "{name}" stands for what the section of a language has under that name.
func (q *questions) ask(form string) question {
	out := question{}
	for code, words := range sections() {
		whole, expr := true, form
		for whole && reference.MatchString(expr) {
			expr = reference.ReplaceAllStringFunc(expr, func(ref string) string {
				is := words[ref[1:len(ref)-1]]
				whole = whole && is != ""
				return "(?:" + is + ")"
			})
		}
		if whole {
			out[code] = q.add(expr)
		}
	}
	return out
}
