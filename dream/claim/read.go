package claim

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/lexis"
)

// A tok is a word, phrase, value or mark of a statement.
type tok struct {
	raw, fold string
	id        string // what it means: equal where two words are the same or forms of one
	roles     role
	kind      byte   // N number, D date, W weekday, T time, I identifier, P name; ',' '.' ':' marks; 0 any other word
	pair      string // of opposites, with the side
	one       byte   // of the one value that the word has at a time
	first     bool   // begins a sentence, so that its capital tells nothing
	aside     bool   // of a circumstance, see clause.circumstances
}

// typed tells values that are no words.
func typed(kind byte) bool { return strings.IndexByte("NDWTI", kind) >= 0 && kind != 0 }

func mark(kind byte) bool { return strings.IndexByte(",.:?", kind) >= 0 && kind != 0 }

// read makes tokens of what scan found: phrases become one, numbers, days and times get one form.
func read(raw []token, t *table) []tok {
	out := make([]tok, 0, len(raw))
	first := true
	for i := 0; i < len(raw); {
		x, n := one(raw, i, t)
		x.first = first
		if x.kind == 'N' && year(x.raw) && i > 0 && len(out) > 0 && out[len(out)-1].roles&(rPrep|rTail) != 0 {
			x.kind, x.id = 'D', "d"+x.id
		}
		if x.kind == 0 && x.roles&rMonth != 0 && len(out) > 0 && out[len(out)-1].roles&rAt != 0 {
			x.kind, x.id = 'D', "d"+t.words[x.fold].value
		}
		if x.kind == 0 && raw[i].upper && (!first || x.roles == 0) && x.roles&(rUser|rSelf|rWeekday|rMonth) == 0 {
			x.kind = 'P'
			if x.roles&^(rCountry|rCue|rOne) != 0 && len(x.fold) < 4 {
				x.kind = 0
			}
		}
		if x.kind == 'P' {
			x.id = "^" + x.id
		}
		first = x.kind == '.' || x.kind == ':' || x.kind == '?'
		if k := len(out) - 1; k >= 0 && dialled(&out[k], &x) {
			out[k].raw, out[k].id, out[k].kind = out[k].raw+" "+x.raw, undashed.Replace(out[k].raw+x.raw), 'I'
			i += n
			continue
		}
		out = append(out, x)
		i += n
	}
	return out
}

// dialled tells a number that goes on with another one, as those of telephones do: 0151 1001.
func dialled(x, next *tok) bool {
	return len(x.raw) > 2 && (x.raw[0] == '0' || x.raw[0] == '+') && (x.kind == 'N' || x.kind == 'I') && next.kind == 'N' &&
		len(next.raw) > 1 && strings.Trim(x.raw, "+0123456789 ") == "" && strings.Trim(next.raw, "0123456789") == ""
}

// undashed takes out what stands between the parts of a number of a telephone.
var undashed = strings.NewReplacer("-", "", "/", "", " ", "")

// one reads the token that begins at raw[i], and tells how many tokens of the text it is.
func one(raw []token, i int, t *table) (tok, int) {
	r := raw[i]
	x := tok{raw: r.raw, fold: r.fold}
	if r.mark {
		switch r.raw[0] {
		case '.', ';', '!':
			x.kind = '.'
		case '?', ':':
			x.kind = r.raw[0]
		case ',', '-':
			x.kind = ','
		default:
			if x.kind = ','; strings.ContainsAny(r.raw, "€$£¥%°") {
				x.kind, x.id = 0, r.raw
			}
		}
		return x, 1
	}
	if y, n := dateAt(raw, i, t); n > 0 {
		return y, n
	}
	n := t.phrase(raw, i)
	if n > 1 {
		words := slice.Map(raw[i:i+n], func(w token) string { return w.fold })
		x.fold, x.raw = strings.Join(words, " "), strings.Join(words, " ")
	}
	if w := t.words[r.fold]; n > 1 && w != nil { // gave up
		x.roles = w.roles & rPast
	}
	if w := t.words[x.fold]; w != nil {
		x.roles, x.id, x.one, x.pair = x.roles|w.roles, w.id, w.kind, w.pair
		switch {
		case w.roles&rNum != 0 && w.roles&rFree == 0:
			x.kind, x.id = 'N', w.value
		case w.roles&rWeekday != 0:
			x.kind, x.id = 'W', "w"+w.value
		}
	}
	if r.number {
		x = number(x)
		if i+1 < len(raw) && x.kind == 'N' {
			if y, ok := clock(x.id, raw[i+1].fold); ok {
				x.kind, x.id, n = 'T', y, 2
			}
		}
	}
	if x.id == "" {
		if x.id = canonical(token{fold: x.fold, raw: x.raw, upper: r.upper}); x.roles&(rPart|rPast) != 0 && n == 1 {
			x.id = lexis.Stem(x.fold)
		}
		if w := t.words[x.id]; w != nil && n == 1 {
			x.roles |= w.roles & (rHolds | rEager)
			if w.id != "" {
				x.id, x.one = w.id, w.kind
			}
		}
	}
	if x.kind == 0 && !r.upper && x.roles&(rFree|rTail) == 0 && t.past(r.raw) {
		x.roles |= rEnded
	}
	if x.one == 0 && x.id != x.fold {
		if w := t.words[x.id]; w != nil {
			x.one = w.kind
		}
	}
	if letters(x.fold) {
		return x, n
	}
	if strings.Contains(x.fold, "@") || strings.Contains(x.fold, "/") && len(x.fold) > 3 {
		x.kind = 'I'
	}
	if x.kind == 0 && strings.ContainsAny(x.fold, "0123456789") { // a code: capitals count
		x.id = x.raw
	}
	return x, n
}

// letters tells a word of small letters of ASCII.
func letters(w string) bool {
	for i := range len(w) {
		if w[i] < 'a' || w[i] > 'z' {
			return false
		}
	}
	return true
}

// number gives a number one form, apart from the unit that is written onto it.
func number(x tok) tok {
	f := x.fold
	end := strings.IndexFunc(f, func(r rune) bool { return r >= 'a' && r <= 'z' })
	if end > 0 {
		if y, ok := clock(f[:end], f[end:]); ok {
			x.kind, x.id = 'T', y
			return x
		}
	}
	switch {
	case len(f) > 8 && (f[0] == '0' || f[0] == '+') && strings.Count(f, "-") == 1 && strings.Trim(f, "+-0123456789") == "": // 0151-100200
		x.kind, x.id = 'I', undashed.Replace(f)
		return x
	case strings.Count(f, ":") == 1 && len(f) <= 5:
		x.kind, x.id = 'T', strings.TrimLeft(f, "0")
		return x
	case strings.Count(f, "-") == 2 && len(f) == 10:
		x.kind, x.id = 'D', "d"+f
		return x
	case end > 0 && slices.Contains([]string{"st", "nd", "rd", "th"}, f[end:]):
		f = f[:end]
	case end > 0 && len(f)-end > 3 || end == 0:
		x.kind, x.id = 'I', x.raw
		return x
	}
	if at := strings.IndexByte(f, ','); at > 0 && len(f)-at == 4 {
		f = f[:at] + f[at+1:]
	}
	x.kind, x.id = 'N', f
	x.roles |= rNum
	return x
}

// clock reads "2 pm".
func clock(number, half string) (string, bool) {
	h, m, _ := strings.Cut(number, ":")
	n, err := strconv.Atoi(h)
	if err != nil || half != "am" && half != "pm" || n < 1 || n > 12 {
		return "", false
	}
	if n %= 12; half == "pm" {
		n += 12
	}
	return strconv.Itoa(n) + ":" + cmp.Or(m, "00"), true
}

// dateAt reads "3 March 2026", "March 3rd", "3. März", "3 de marzo"; a month alone is one as well.
func dateAt(raw []token, i int, t *table) (tok, int) {
	at := func(k int) token {
		if k < len(raw) {
			return raw[k]
		}
		return token{}
	}
	skip := func(k int, marks ...string) int {
		for slices.Contains(marks, at(k).fold) {
			k++
		}
		return k
	}
	day := func(k int) string {
		d := at(k).fold
		if !digitAt(d, 0) && !strings.HasPrefix(d, "+") {
			return ""
		}
		d = strings.TrimRight(d, "stndrh")
		if n, err := strconv.Atoi(d); err == nil && n > 0 && n < 32 {
			return "-" + two(d)
		}
		return ""
	}
	k, d := i, day(i)
	if d != "" {
		k = skip(i+1, ".", "de", "of")
	}
	w := t.words[at(k).fold]
	if w == nil || w.roles&rMonth == 0 || d == "" && !at(k).upper {
		return tok{}, 0
	}
	if k++; d == "" {
		if d = day(k); d != "" {
			k++
		}
	}
	id := w.value + d
	if y := skip(k, "de", ","); year(at(y).fold) {
		id, k = at(y).fold+"-"+id, y+1
	}
	words := slice.Map(raw[i:k], func(x token) string { return x.raw })
	return tok{raw: strings.Join(words, " "), fold: "date", id: "d" + id, kind: 'D'}, k - i
}

func year(y string) bool {
	return len(y) == 4 && (y[:2] >= "15" && y[:2] <= "20") && strings.Trim(y, "0123456789") == ""
}

func two(d string) string {
	if len(d) == 1 {
		return "0" + d
	}
	return d
}

// akin tells whether two words are forms of one: subscribe and subscription.
func akin(a, b string) bool {
	if a == b {
		return true
	}
	if a == "" || b == "" {
		return false
	}
	switch x, y := a[0] == '^', b[0] == '^'; {
	case x && y:
		return false
	case x && lexis.Stem(a[1:]) == b, y && lexis.Stem(b[1:]) == a: // its capital may be that of the sentence
		return true
	}
	a, _, _ = strings.Cut(strings.TrimPrefix(a, "^"), "~")
	b, _, _ = strings.Cut(strings.TrimPrefix(b, "^"), "~")
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n == len(a) && n == len(b) || n >= 5 && n*10 >= 6*max(len(a), len(b)) && !strings.ContainsAny(a+b, "0123456789.")
}

// carried tells whether each of a few words is among others.
func carried(few, in []string) bool {
	return !slices.ContainsFunc(few, func(w string) bool { return !held(w, in) })
}

func held(w string, in []string) bool {
	return slices.ContainsFunc(in, func(x string) bool { return akin(w, x) })
}
