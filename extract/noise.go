package extract

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

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
		w = strings.Trim(strings.ReplaceAll(w, "’", "'"), "'")
		f := lexis.Fold(w)
		if f == "" {
			continue
		}
		r, _ := utf8.DecodeRuneInString(w)
		out = append(out, token{squeeze(f), unicode.IsUpper(r)})
	}
	return out
}

// squeeze shortens letters that are drawn out: soooo, hiiii, yesss.
func squeeze(w string) string {
	rs := []rune(w)
	out := rs[:0:0]
	for i := 0; i < len(rs); {
		n := i
		for n < len(rs) && rs[n] == rs[i] {
			n++
		}
		if n-i > 2 {
			out = append(out, rs[i])
		} else {
			out = append(out, rs[i:n]...)
		}
		i = n
	}
	return string(out)
}

func join(ts []token) string {
	if len(ts) == 1 {
		return ts[0].fold
	}
	var b strings.Builder
	for i, t := range ts {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(t.fold)
	}
	return b.String()
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
