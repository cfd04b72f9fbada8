package extract

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/lexis"
)

//go:embed noise.txt
var noiseList string

const (
	noiseLimit = 80 // bytes; a longer text says something
	noiseWords = 6  // words of the longest pattern
)

// IsNoise tells greetings, thanks, acknowledgements and farewells: texts that are made of the
// patterns of noise.txt, and of names behind a greeting, and of nothing else. A text without any letter
// or number is noise as well.
func IsNoise(text string) bool {
	if len(text) > noiseLimit {
		return false
	}
	words := noiseTokens(text)
	if len(words) == 0 {
		return true
	}
	set := noisePatterns()
	last := false // the word before belonged to a pattern
	for i := 0; i < len(words); {
		n := 0
		for k := min(noiseWords, len(words)-i); k > 0; k-- {
			if set[join(words[i:i+k])] {
				n = k
				break
			}
		}
		switch {
		case n > 0:
			i, last = i+n, true
		case last && words[i].name: // Hi Mel!
			i, last = i+1, false
		case noiseRun(words[i].fold, set):
			i, last = i+1, true
		default:
			return false
		}
	}
	return true
}

// A token is a word as it compares, and whether it may be a name.
type token struct {
	fold string
	name bool
}

func noiseTokens(text string) []token {
	var out []token
	for _, w := range strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) && r != '\'' && r != '’'
	}) {
		if f := lexis.Fold(strings.Trim(strings.ReplaceAll(w, "’", "'"), "'")); f != "" {
			out = append(out, token{squeeze(f), upperFirst(w)})
		}
	}
	return out
}

// squeeze shortens letters that are drawn out: soooo, hiiii, yesss.
func squeeze(w string) string {
	var b strings.Builder
	rs := []rune(w)
	for i, r := range rs {
		again := i > 0 && rs[i-1] == r // of a run of three or more, only the first stays
		if long := again && i > 1 && rs[i-2] == r || again && i+1 < len(rs) && rs[i+1] == r; !long {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func join(ts []token) string {
	return strings.Join(slice.Map(ts, func(t token) string { return t.fold }), " ")
}

// noiseRun tells whether a run of a script without spaces is made of patterns.
func noiseRun(s string, set map[string]bool) bool {
	if r, _ := utf8.DecodeRuneInString(s); r < 0x0E00 {
		return false
	}
	for s != "" {
		n := len(s)
		for n > 0 && !set[s[:n]] {
			n--
		}
		if n == 0 {
			return false
		}
		s = s[n:]
	}
	return true
}

var noisePatterns = sync.OnceValue(func() map[string]bool {
	set := map[string]bool{}
	for line := range strings.SplitSeq(noiseList, "\n") {
		line, _, _ = strings.Cut(line, "#")
		for p := range strings.SplitSeq(line, ",") {
			if p = lexis.Fold(p); p != "" {
				set[p] = true
			}
		}
	}
	return set
})
