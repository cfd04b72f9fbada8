package redact

import (
	"math"
	"net/netip"
	"slices"
	"strings"
	"time"
)

// strict tells what hardly any word of prose looks like: letters with digits among them, or with signs within.
func strict(v string) bool {
	letters, digits, _, blanks := count(v)
	if len(v) < 6 || blanks > 0 || letters < 2 || technical(v) || email(v) {
		return false
	}
	s := signs(v)
	if digits == 0 {
		return drawn(v) || s > 1 || s == 1 && signs(v[:len(v)-1]) == 1 && fold(v) != v && len(v) >= 8
	}
	return s > 0 || !wordy(v) && !versioned(v)
}

// signs counts what words and numbers are not joined by.
func signs(v string) (n int) {
	for i := range len(v) {
		if signing[v[i]] {
			n++
		}
	}
	return n
}

var (
	signing = bytes("!#$%^&*+=?~@")
	filling = bytes("<${%[*") // what begins a placeholder
)

// versioned tells names, ordinals and measures with a digit in them: 2nd-floor, 1Password, v2-beta, 5GHz.
func versioned(v string) bool {
	if strings.Contains(fold(v), "passw") || strings.HasPrefix(fold(v), "http") {
		return true
	}
	if strings.ContainsAny(v, "-_") && humps(v) > 0 {
		return false
	}
	changes := 0 // between letters and digits
	for i := 1; i < len(v); i++ {
		if is(v[i], digit) != is(v[i-1], digit) && is(v[i], alnum) && is(v[i-1], alnum) {
			changes++
		}
	}
	return changes < 2
}

// humps counts the small letters that a capital follows.
func humps(v string) (n int) {
	for i := 1; i < len(v); i++ {
		if is(v[i-1], lower) && is(v[i], upper) {
			n++
		}
	}
	return n
}

func email(v string) bool {
	_, host, ok := strings.Cut(v, "@")
	return ok && strings.Contains(host, ".") && signs(host) == 0
}

var moments = strings.Fields("2006-1-2 2006/1/2 2.1.2006 2.1.06 2/1/2006 1/2/2006 2/1/06 1/2/06 15:04 15:04:05 2006-1-2T15:04")

// datum tells a date, a time of day and an address of the internet, which stand where a password could but are none.
func datum(v string) bool {
	if len(v) < 4 || len(v) > 43 || !strings.ContainsAny(v, ".:/-") || !is(v[0], hexes) && v[0] != ':' && v[0] != '[' {
		return false
	}
	_, ip := netip.ParseAddr(v)
	_, port := netip.ParseAddrPort(v)
	_, prefix := netip.ParsePrefix(v)
	return ip == nil || port == nil || prefix == nil || slices.ContainsFunc(moments, func(layout string) bool {
		_, err := time.Parse(layout, v)
		return err == nil
	})
}

func count(v string) (letters, digits, others, blanks int) {
	for i := range len(v) {
		switch c := v[i]; {
		case is(c, alpha) || c >= 0x80:
			letters++
		case is(c, digit):
			digits++
		case is(c, space):
			blanks++
		default:
			others++
		}
	}
	return letters, digits, others, blanks
}

// identifier tells ids that are no secrets: UUIDs, ULIDs, and hashes of 40 hex digits.
func identifier(v string) bool {
	if algorithm, _, ok := strings.Cut(v, ":"); ok && technical(algorithm) { // SHA256:…
		return true
	}
	uuid := len(v) == 36 && v[8] == '-' && v[13] == '-' && v[18] == '-' && v[23] == '-'
	if uuid || len(v) == 26 && v[0] == '0' && v == strings.ToUpper(v) {
		return true
	}
	return len(v) == 40 && run(v, 0, hexes, 40) == 40
}

// entropy is Shannon's, in bits a byte.
func entropy(s string) float64 {
	var count [256]int
	for i := range len(s) {
		count[s[i]]++
	}
	h := 0.0
	for _, n := range count {
		if n > 0 {
			p := float64(n) / float64(len(s))
			h -= p * math.Log2(p)
		}
	}
	return h
}

// mixed tells whether s has at least two digits and two letters.
func mixed(s string) bool {
	letters, digits := 0, 0
	for i := range len(s) {
		if is(s[i], digit) {
			digits++
		} else if is(s[i], alpha) {
			letters++
		}
	}
	return letters >= 2 && digits >= 2
}

// wordy tells whether s is made of words, years and versions joined by signs: "my-app-token-2024", "kube.v1".
func wordy(s string) bool {
	words := 0
	for i, from := 0, 0; i <= len(s); i++ {
		if i < len(s) && !is(s[i], joiners) {
			continue
		}
		p := s[from:i]
		if from = i + 1; p == "" {
			continue
		}
		words++
		letters := p[:back(p, len(p), digit, len(p))]
		k := kinds(letters)
		if len(p)-len(letters) > 4 || k&digit != 0 || len(letters) > 14 || k&alpha == alpha && kinds(letters[1:])&upper != 0 {
			return false
		}
	}
	return words > 0
}

// codeLike tells an expression from a value: a call, an index, a variable, a path, a type.
func codeLike(v string, after byte) bool {
	if v == "" || after == '(' {
		return true
	}
	if strings.IndexByte("$%{<*[(/~&@", v[0]) >= 0 || strings.HasPrefix(v, "./") || strings.HasPrefix(v, "../") || strings.HasPrefix(v,
		"http") {
		return true
	}
	if len(v) > 2 && v[1] == ':' && v[2] == '\\' { // C:\…
		return true
	}
	end := run(v, 0, word|dot, len(v))
	for end > 0 && strings.HasPrefix(v[end:], "::") { // rpassword::prompt(…)
		end = run(v, end+2, word|dot, len(v))
	}
	if end < len(v) && (v[end] == '(' || v[end] == '[') {
		return true
	}
	// name=value
	if i := strings.IndexByte(v, '='); i > 0 && run(v, 0, alpha|under, i) == i && i+1 < len(v) && run(v, i+1, alnum|dot, len(v)) == len(v) {
		return true
	}
	// obj.field, os.environ: names joined by dots
	if dots := strings.Count(v, "."); dots > 0 && end == len(v) && !drawn(v) {
		for _, p := range strings.Split(v, ".") {
			if p == "" || !is(p[0], alpha|under) || len(p) > 24 && drawn(p) {
				return false
			}
		}
		last := v[strings.LastIndexByte(v, '.')+1:]
		return !is(last[0], upper) || !is(v[len(v)-1], digit) || strings.ToUpper(last) == last // not Ofen.Kachel1; but Encoding.UTF8
	}
	return false
}

// placeholder tells what stands where a secret would be: YOUR_API_KEY, xxxx, <token>, ${TOKEN}, [redacted: …].
func placeholder(s string) bool {
	if len(s) >= 20 && signs(s) > 2 && drawn(s) {
		return false
	}
	if s == "" || filling[s[0]] && (len(s) < 2 || strings.IndexByte("<{%[*(", s[1]) >= 0 || s[0] != '$' &&
		s[0] != '%') {
		return true
	}
	if s[0] == '$' && is(at(s, 1), upper|under) || s[0] == '%' && s[len(s)-1] == '%' && run(s, 1, upper|under, len(s)) == len(s)-1 { // %NAME%
		return true
	}
	if foldPrefix(s, "0x") && len(s) < 20 && run(s, 2, hexes, len(s)) == len(s) { // a number
		return true
	}
	f := fold(s)
	for i := range len(f) {
		first := &fillers[f[i]]
		if next := at(f, i+1); next != first.next && next != first.other || next == 0 {
			continue
		}
		for _, w := range first.words {
			if strings.HasPrefix(f[i:], w) {
				// A long value that looks drawn is kept off the disk even where a word in it says "example".
				return w != "example" || len(s) < 20 || entropy(s) < 4
			}
		}
	}
	if open := strings.IndexByte(s, '<'); open >= 0 && strings.IndexByte(s[open:], '>') > 0 {
		return true
	}
	if !is(f[0], lower) || !is(f[len(f)-1], lower) {
		f = strings.Trim(f, "!.?\"'")
	}
	switch f {
	case "changeme",
		"password", "passwd", "pass", "passwort", "pwd", "secret", "token", "key", "none", "null", "nil", "true", "false", "string",
		"undefined",
		"contraseña", "kennwort", "clave", "required", "optional", "empty", "hidden", "encrypted", "incorrect", "invalid", "wrong",
		"expired", "test", "user", "pw", "unset":
		return true
	}
	for i := 1; i < len(s); i++ { // one byte again and again
		if s[i] != s[0] {
			return false
		}
	}
	return true
}

// fillers are what a text that only fills a secret's place holds, by their first byte; none has more than two others behind it.
var fillers = func() (first [256]struct {
	next, other byte
	words       []string
},
) {
	for w := range strings.FieldsSeq("your example " +
		"placeholder change_me change-me redacted dummy sample insert replace xxxx **** .... … todo " +
		"fixme mykey my_key my-key fake testtest notreal") {
		f := &first[w[0]]
		if f.words = append(f.words, w); f.next == 0 {
			f.next, f.other = w[1], w[1]
		} else if w[1] != f.next {
			f.other = w[1]
		}
	}
	return first
}()

// chosen tells a password by its signs alone: letters, digits and others, put together as no word, name, address or version is. Without
// the others it may be a name: Room4b.
func chosen(v string) bool {
	if len(v) < 6 || !strict(v) || identifier(v) || strings.ContainsAny(v, "/\\|:;,<>(){}[]'\"`") ||
		strings.IndexByte("#@$%&~*+=?.-_", v[0]) >= 0 {
		return false
	}
	if _, host, ok := strings.Cut(v, "@"); ok && signs(v) == 1 && is(at(host, 0), alpha) {
		return false
	}
	k := kinds(v)
	return len(v) > 6 && k&digit != 0 && k&alpha != 0 && strings.ContainsAny(v, "!#$%^&*?~@")
}

// exported tells the private key of a coin as wallets export it (WIF): 51 or 52 signs to the base of 58, by their first one.
func exported(v string) bool {
	return (len(v) == 51 && v[0] == '5' || len(v) == 52 && (v[0] == 'K' || v[0] == 'L')) && kinds(v) == kinds("aA1") &&
		!strings.ContainsAny(v, "0OIl")
}

// licence tells the key of a program as Windows and others print it: five groups of five capitals and figures.
func licence(v string) bool {
	if len(v) != 5*6-1 {
		return false
	}
	figures := 0
	for i := range len(v) {
		if (i%6 == 5) != (v[i] == '-') || i%6 != 5 && !is(v[i], upper|digit) {
			return false
		}
		figures += int(boolean(is(v[i], digit)))
	}
	return figures > 2 && figures < 20
}

// follows holds, for each letter, which others come behind it in more than four of 100,000 pairs of the letters of words: a is the
// lowest bit. English was counted, what German and the Romance languages have besides was added.
var follows = [26]uint32{
	0x3fefffe, 0x11e5b13, 0x31e4d95, 0x13e6b7b, 0x3fffdff, 0x11e4931,
	0x11e69f1, 0x15e7911, 0x2bffe7f, 0x0144011, 0x3166971, 0x37eff7f, 0x114d933,
	0x33effff, 0x3feffff, 0x11ed9b9, 0x0120100, 0x37efd7f, 0x35dfffd,
	0x35ef9b7, 0x20efb7f, 0x0004111, 0x10e6b91, 0x0088115, 0x00cf917, 0x0584111,
}

// drawn tells what a generator makes: the kinds of signs change again and again, and little of it could be words.
func drawn(v string) bool {
	if len(v) < 10 || strings.IndexByte(v, ' ') >= 0 {
		return false
	}
	sorts := kinds(v) & alnum
	switch sorts {
	case 0, lower, upper, digit:
		return false
	}
	turns, words, marks := 0, 0, 0
	from, vowel := 0, false // the run of letters that may be a word
	last, before := uint16(0), uint16(0)
	least := 3 // letters of a word; by chance as many stand in a longer text
	if len(v) >= 16 && strings.ContainsAny(v, "0123456789") {
		least = 4
	}
	for i := range len(v) {
		c := v[i]
		k := kind[c] & alnum
		joins := is(c, joiners)
		if k == 0 && !joins {
			marks++
		}
		if i > 0 && !joins && k != last && !is(v[i-1], joiners) && !(k == lower && last == upper && before != upper) {
			turns++
		}
		if k != lower || i > 0 && is(v[i-1], alpha) && follows[(v[i-1]|0x20)-'a']>>(c-'a')&1 == 0 {
			from, vowel = i, false
			if k&alpha == 0 {
				from++
			}
		}
		vowel = vowel || strings.IndexByte("aeiouyAEIOUY", c) >= 0
		if size := i + 1 - from; vowel && size == least {
			words += least
		} else if vowel && size > least {
			words++
		}
		last, before = k, last
	}
	if marks > len(v)/2 || 5*words >= 2*len(v) && (3*turns < len(v) || 2*words >= len(v)) {
		return false
	}
	switch sorts {
	case alnum:
		return turns*5 >= len(v)
	case lower | upper:
		return turns*4 >= len(v)
	case lower | digit, upper | digit:
		return len(v) >= 20 && strings.IndexByte(v, '-') < 0 && turns*5 >= len(v) && run(v, 0, hexes, len(v)) < len(v)
	}
	return false
}
