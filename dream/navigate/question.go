package navigate

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

var asks = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:When|What|Where|Who|Which) (?:is|are|was|were) (.+?)\?$`)
})

// questionText puts a question and its options into one line: "Noor's birthday, 4 or 14 March?".
func questionText(q Question) string {
	text := claim(q.Text)
	var options []string
	for _, o := range q.Options {
		if o = strings.TrimRight(cut(claim(o), 80), "."); o != "" && !slices.Contains(options, o) {
			options = append(options, o)
		}
	}
	if len(options) < 2 {
		return text
	}
	either := eitherOr(options)
	if m := asks().FindStringSubmatch(text); m != nil {
		return m[1] + ", " + either + "?"
	}
	if text == "" {
		return strings.TrimPrefix(q.Page+": ", ": ") + either + "?"
	}
	return text + " " + upperFirst(either)
}

// eitherOr joins options; what they end with alike is said once.
func eitherOr(options []string) string {
	words := make([][]string, len(options))
	shortest := 1 << 30
	for i, o := range options {
		words[i] = strings.Fields(o)
		shortest = min(shortest, len(words[i]))
	}
	same := 0
	for same < shortest-1 {
		at := func(w []string) string { return w[len(w)-1-same] }
		if slices.ContainsFunc(words, func(w []string) bool { return at(w) != at(words[0]) }) {
			break
		}
		same++
	}
	short := slices.Clone(options)
	if !slices.ContainsFunc(words, func(w []string) bool { return len(w)-same > 2 }) {
		for i, w := range words[:len(words)-1] {
			short[i] = strings.Join(w[:len(w)-same], " ")
		}
	}
	last := len(short) - 1
	return strings.Join(short[:last], ", ") + " or " + short[last]
}
