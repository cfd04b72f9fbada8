package start

import (
	"regexp"
	"strings"
	"sync"

	"github.com/reverie-memory/reverie/lexis"
)

// How people say in what way things are always to be done: rule finds words that hint at it, wished those that say it for certain, and what
// is to be done.
var (
	rule = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\bwithout asking\b|\bfrom now on\b|\bab jetzt\b|\bplease (?:no|don'?t|never|always|keep)\b|` +
			`\bdon'?t (?:ever|add|push|touch|use|give me|write)\b|(?:^|: ?"?|[.…] )(?:never|always) \p{L}+ \p{L}`)
	})
	wished = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)(?:\bassistants? (?:to|should|must|may|can|needs? to)|` +
			`: "(?:(?:and|but|also|so|oh|please),? )*(?:always|never|from now on)|` +
			`: "[^.!?…]*\bplease (?:always|never|no|don't|keep|use)|: "please\b.*\b(?:every|each|from now on|any ?more)|[.!?:…\]] never) (.*)|` +
			`: "(?:don't|do not|no)\b(.*)\bwithout asking\b`)
	})
	auxiliary = lexis.Set("have had has do did does been was am")
)

// Wish tells a statement that says how things are to be done always, in two words at least that mean something: not "never again" nor
// "never have, since the army".
func Wish(text string) bool {
	m := wished().FindStringSubmatch(strings.ReplaceAll(text, "’", "'"))
	if m == nil {
		return false
	}
	what := strings.Fields(strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(m[1]+m[2]), "never "), "always "))
	return len(what) > 1 && !auxiliary[strings.ToLower(strings.Trim(what[0], ",.;"))] && len(lexis.Terms(strings.Join(what, " "))) > 1
}
