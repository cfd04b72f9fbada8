package lexis

import (
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/russian"
)

// Stem returns what a word has in common with its other forms.
//
// Stem looks at the word alone, never at the text around it: guessing the language of a short question goes wrong, and then the question
// and the line that answers it would be cut differently.
func Stem(word string) string {
	w := foldWord(normalise(word))
	return lookup([]byte(w)).stem
}

// A Word is what is known about a word, in one look.
type Word struct {
	Stem      string
	Stop      bool
	Frequency float64
}

// WordOf is what [Stem], [IsStop] and [Frequency] say of a folded word.
func WordOf(word string) Word {
	e := lookup([]byte(foldWord(normalise(word))))
	return Word{e.stem, e.stop, e.frequency}
}

// stem works on a folded word.
func stem(w string) string {
	if len(w) > maxStem || w == "" {
		return w
	}
	switch r, _ := utf8.DecodeRuneInString(w); {
	case 'a' <= r && r <= 'z':
		return stemLatin(w)
	case 0x0400 <= r && r < 0x0530:
		env := snowballstem.NewEnv(w)
		russian.Stem(env)
		return env.Current()
	case 0x0600 <= r && r < 0x0700:
		return stemArabic(w)
	}
	return w
}

const maxStem = 48 // bytes; longer ones are not words

// stemLatin serves all languages in Latin letters: irregular English forms, endings that English
// does not have, then the English stemmer.
func stemLatin(w string) string {
	if !isASCII(w) {
		return w
	}
	if l, ok := irregular()[w]; ok {
		w = l
	} else {
		w = foreignEnding(w)
	}
	env := snowballstem.NewEnv(w)
	english.Stem(env)
	return env.Current()
}

// foreign lists endings of German, French, Spanish, Italian and Portuguese words that are rare in
// English, with what is left of them; the longest comes first.
var foreign = [...]struct{ end, keep string }{
	{"schaften", "schaft"},
	{"lichkeiten", "lichkeit"},
	{"heiten", "heit"},
	{"keiten", "keit"},
	{"ungen", "ung"},
	{"lichen", "lich"},
	{"licher", "lich"},
	{"liches", "lich"},
	{"lichem", "lich"},
	{"liche", "lich"},
	{"ischen", "isch"},
	{"ischer", "isch"},
	{"isches", "isch"},
	{"ische", "isch"},
	{"ierten", "ier"},
	{"ierte", "ier"},
	{"ieren", "ier"},
	{"iert", "ier"},
	{"euses", "eux"},
	{"euse", "eux"},
	{"issements", "iss"},
	{"issement", "iss"},
	{"ciones", "cion"},
	{"siones", "sion"},
	{"dades", "dad"},
	{"amientos", "amiento"},
	{"azioni", "azione"},
	{"coes", "cao"},
	{"idades", "idade"},
}

func foreignEnding(w string) string {
	if len(w) < 7 {
		return w
	}
	for _, f := range foreign {
		if strings.HasSuffix(w, f.end) && len(w)-len(f.end) >= 3 {
			return w[:len(w)-len(f.end)] + f.keep
		}
	}
	return w
}

// stemArabic takes off the article with its particles and the commonest endings (the "light" stem).
func stemArabic(w string) string {
	for _, p := range [...]string{"وال", "بال", "كال", "فال", "لل", "ال"} {
		if rest, ok := strings.CutPrefix(w, p); ok && utf8.RuneCountInString(rest) >= 3 {
			w = rest
			break
		}
	}
	for _, s := range [...]string{"ها", "ان", "ات", "ون", "ين", "يه", "ه", "ي"} {
		if rest, ok := strings.CutSuffix(w, s); ok && utf8.RuneCountInString(rest) >= 3 {
			return rest
		}
	}
	return w
}

// An entry is what is known about a folded word. An entry fills one line of the processor's cache: a look-up is two reads of memory.
type entry struct {
	size      uint8 // of short; 0 for a longer word
	stop      bool
	common    uint8 // a bit for each of the languages in which it is common
	short     [21]byte
	frequency float64
	word      string
	stem      string
}

func (e *entry) is(w []byte) bool {
	if e.size > 0 {
		return string(e.short[:e.size]) == string(w)
	}
	return e.word == string(w)
}

// cache remembers the entries of recent words: two places side by side for each hash, the newest wins. cache is bounded, needs no lock, and
// holds only what can be computed again.
var cache [1 << 16]atomic.Pointer[entry]

// lookup returns the entry of a folded word without keeping the bytes.
func lookup(w []byte) *entry {
	h := uint32(2166136261)
	for _, c := range w {
		h = (h ^ uint32(c)) * 16777619
	}
	at := (h ^ h>>15) & (1<<16 - 2)
	first := cache[at].Load()
	if first != nil && first.is(w) {
		return first
	}
	if e := cache[at+1].Load(); e != nil && e.is(w) {
		return e
	}
	e := &entry{word: string(w)}
	if len(w) <= len(e.short) {
		e.size = uint8(copy(e.short[:], w))
	}
	e.stop = IsStop(e.word)
	if e.stem = stem(e.word); e.stem == "" {
		e.stem = e.word
	}
	e.frequency, e.common = frequencyOf(e), languages().words[e.word]
	if len(w) <= maxStem {
		cache[at+1].Store(first)
		cache[at].Store(e)
	}
	return e
}
