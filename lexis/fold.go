package lexis

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold gives the normal form in which two texts are compared: NFKC, lower case, without accents,
// white space collapsed to single spaces and trimmed.
//
// Accents go where they decorate a letter (Latin, Greek, Arabic, Hebrew) and stay where they make
// another one (Cyrillic й, Japanese が, Hangul, the Indic vowel signs).
func Fold(text string) string {
	if IsFolded(text) {
		return text
	}
	if f, ok := foldPlain(text); ok {
		return f
	}
	if strings.IndexFunc(text, func(r rune) bool { return !dropped(r) }) < 0 {
		return ""
	}
	text = normalise(text)
	var b strings.Builder
	b.Grow(len(text))
	space := false
	for _, r := range text {
		if unicode.IsSpace(r) {
			space = b.Len() > 0
			continue
		}
		mark := b.Len()
		if space {
			b.WriteByte(' ')
		}
		before := b.Len()
		foldRune(&b, r)
		if b.Len() == before { // a bare accent: no text yet, so no space either
			if space && mark < before {
				s := b.String()[:mark]
				b.Reset()
				b.WriteString(s)
			}
			continue
		}
		space = false
	}
	return b.String()
}

// foldPlain folds a text of nothing but ASCII, Latin letters and the dashes and quotes of print, which most texts are; ok is false for any
// other. None of these is changed by what stands beside it.
func foldPlain(text string) (f string, ok bool) {
	var room [128]byte
	b, space := room[:0], false
	if len(text) > len(room) {
		b = make([]byte, 0, len(text))
	}
	for i := 0; i < len(text); {
		c := text[i]
		if c == ' ' || '\t' <= c && c <= '\r' {
			space = len(b) > 0
			i++
			continue
		}
		if space {
			b, space = append(b, ' '), false
		}
		if c < utf8.RuneSelf {
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			}
			b = append(b, c)
			i++
			continue
		}
		plain := ""
		switch {
		case 0xC2 <= c && c <= 0xC9 && i+1 < len(text) && text[i+1]&0xC0 == 0x80:
			plain = latinFolds()[rune(c&0x1F)<<6|rune(text[i+1]&0x3F)].plain
			i += 2
		case c == 0xE2 && i+2 < len(text) && text[i+1] == 0x80 && 0x93 <= text[i+2] && text[i+2] <= 0x9E && text[i+2] != 0x97:
			plain = text[i : i+3]
			i += 3
		}
		if plain == "" {
			return "", false
		}
		b = append(b, plain...)
	}
	return string(b), true
}

// A latinFold is what becomes of a letter.
type latinFold struct {
	fold  string // in text in NFKC
	plain string // the same for one that is in NFKC and is seen, "" for any other
}

// latinFolds are those of the letters before U+0250, which two bytes hold.
var latinFolds = sync.OnceValue(func() *[0x280]latinFold {
	var all [0x280]latinFold
	for r := rune(utf8.RuneSelf); r < 0x250; r++ {
		var b strings.Builder
		foldLatin(&b, r)
		f := latinFold{fold: b.String()}
		if norm.NFKC.IsNormalString(string(r)) && !unicode.IsSpace(r) {
			f.plain = f.fold
		}
		all[r] = f
	}
	return &all
})

// IsFolded tells a text of ASCII that is its own normal form, as most words are. Other texts may be theirs as well.
func IsFolded(text string) bool {
	gap := true // a space here would not stay
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c < ' ' || c >= utf8.RuneSelf || 'A' <= c && c <= 'Z' || c == ' ' && gap {
			return false
		}
		gap = c == ' '
	}
	return !gap || text == ""
}

// normalise brings text to NFKC; ASCII and text that is there already come back as they are.
func normalise(text string) string {
	if inert(text) || norm.NFKC.IsNormalString(text) {
		return text
	}
	return norm.NFKC.String(text)
}

// inert tells text that is in NFKC because each letter is, beside whatever other: ASCII, Chinese, and most of Russian, Arabic and Thai.
func inert(text string) bool {
	for i := 0; i < len(text); {
		if text[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		if !inertRune(r) {
			return false
		}
		i += n
	}
	return true
}

func inertRune(r rune) bool {
	switch {
	case r < 0x0400:
		return false
	case r < 0x0483, 0x0621 <= r && r < 0x063B, 0x0641 <= r && r < 0x064B:
		return true
	case 0x0E01 <= r && r < 0x0E48:
		return r != 0x0E33 && (r < 0x0E38 || r >= 0x0E3F)
	}
	return 0x4E00 <= r && r < 0xA000 || 0xAC00 <= r && r < 0xD7A4
}

// caseless tells the letters of scripts that foldRune leaves as they are: from Thai to Burmese, and those of East Asia.
func caseless(r rune) bool {
	return 0x0E00 <= r && r < 0x10A0 || 0x2E80 <= r && r < 0xA000 || 0xAC00 <= r && r < 0xD7A4
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// foldRune writes r, which comes from NFKC text, in lower case and without accents.
func foldRune(b *strings.Builder, r rune) {
	if r < utf8.RuneSelf {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		b.WriteByte(byte(r))
		return
	}
	if r < 0x0250 {
		b.WriteString(latinFolds()[r].fold)
		return
	}
	if caseless(r) {
		b.WriteRune(r)
		return
	}
	r = unicode.ToLower(r)
	switch {
	case dropped(r):
		return
	case r < 0x0250 || 0x1E00 <= r && r < 0x1F00: // Latin, of a capital that is beyond its small letter as well
		foldLatin(b, r)
	case 0x0370 <= r && r < 0x0400 || 0x1F00 <= r && r < 0x2000: // Greek
		if r = base(r); r == 'ς' {
			r = 'σ'
		}
		b.WriteRune(r)
	default:
		b.WriteRune(foldOther(r))
	}
}

// foldLatin is foldRune for the Latin letters.
func foldLatin(b *strings.Builder, r rune) {
	r = unicode.ToLower(r)
	switch s := latin(r); {
	case dropped(r):
	case s != "":
		b.WriteString(s)
	case r < 0x0250 || 0x1E00 <= r && r < 0x1F00:
		b.WriteRune(base(r))
	default: // Ⱥ, whose small letter is elsewhere
		b.WriteRune(foldOther(r))
	}
}

// latin spells out the Latin letters that do not decompose.
func latin(r rune) string {
	switch r {
	case 'ß':
		return "ss"
	case 'æ':
		return "ae"
	case 'œ':
		return "oe"
	case 'ø':
		return "o"
	case 'đ', 'ð':
		return "d"
	case 'þ':
		return "th"
	case 'ł':
		return "l"
	case 'ı':
		return "i"
	}
	return ""
}

// foldOther merges letters that writers use for one another.
func foldOther(r rune) rune {
	switch r {
	case 'ё':
		return 'е'
	case 'أ', 'إ', 'آ', 'ٱ':
		return 'ا'
	case 'ى', 'ی':
		return 'ي'
	case 'ک':
		return 'ك'
	case 'ة':
		return 'ه'
	}
	return r
}

// base returns the letter under the accents of r.
func base(r rune) rune {
	var buf [utf8.UTFMax]byte
	n := utf8.EncodeRune(buf[:], r)
	if d := norm.NFD.PropertiesString(string(buf[:n])).Decomposition(); len(d) > 0 {
		out, size := utf8.DecodeRune(d)
		if out != r && size < len(d) {
			return base(out)
		}
		return out
	}
	return r
}

// dropped tells accents that stand alone, vowel points, and characters that are not seen.
func dropped(r rune) bool {
	switch {
	case 0x0300 <= r && r <= 0x036F: // combining accents
		return true
	case 0x0591 <= r && r <= 0x05C7 && unicode.Is(unicode.Mn, r): // Hebrew points
		return true
	case 0x064B <= r && r <= 0x065F, r == 0x0670, r == 0x0640: // Arabic vowels, tatweel
		return true
	case r == 0x00AD, 0x200B <= r && r <= 0x200F, r == 0x2060, r == 0xFEFF, 0xFE00 <= r && r <= 0xFE0F:
		return true
	}
	return false
}

// foldWord folds one word without white space.
func foldWord(w string) string {
	ascii, upper := true, false
	for i := 0; i < len(w); i++ {
		c := w[i]
		ascii = ascii && c < utf8.RuneSelf
		upper = upper || 'A' <= c && c <= 'Z'
	}
	if ascii && !upper {
		return w
	}
	var b strings.Builder
	b.Grow(len(w))
	for _, r := range w {
		foldRune(&b, r)
	}
	return b.String()
}
