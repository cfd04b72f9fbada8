package redact

import (
	"math"
	"strings"
)

// strict tells what hardly any word of prose looks like: letters with digits among them, or with signs within.
func strict(v string) bool {
	letters, digits, _, blanks := count(v)
	if len(v) < 6 || blanks > 0 || letters < 2 || technical(v) || email(v) {
		return false
	}
	s := signs(v)
	if digits == 0 {
		return drawnLetters(v) || s > 1 || s == 1 && signs(v[:len(v)-1]) == 1 && fold(v) != v && len(v) >= 8
	}
	return s > 0 || !wordy(v) && !versioned(v)
}

// signs counts what words and numbers are not joined by.
func signs(v string) (n int) {
	for i := range len(v) {
		if strings.IndexByte("!#$%^&*+=?~@", v[i]) >= 0 {
			n++
		}
	}
	return n
}

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

// drawnLetters tells letters whose case was drawn by lot, bXLIKPelwKQP, from words in camel case.
func drawnLetters(v string) bool {
	return len(v) >= 10 && humps(v) > 1 && len(v) < 6*humps(v)+2 && run(v, 0, alnum, len(v)) == len(v) && !camel(v)
}

// camel tells whether every hump of v has three letters or more.
func camel(v string) bool {
	size := 0
	for i := range len(v) {
		if is(v[i], upper) {
			if i > 0 && size < 3 {
				return false
			}
			size = 0
		}
		size++
	}
	return size >= 3
}

func email(v string) bool {
	_, host, ok := strings.Cut(v, "@")
	return ok && strings.Contains(host, ".") && signs(host) == 0
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
	short := true
	for _, p := range strings.FieldsFunc(s, func(r rune) bool { return r == '-' || r == '_' || r == '.' || r == '/' || r == '+' || r == '=' }) {
		letters := strings.TrimRight(p, "0123456789")
		tail := len(p) - len(letters)
		if tail > 4 || strings.ContainsAny(letters, "0123456789") || len(letters) > 14 {
			return false
		}
		if letters != fold(letters) && letters[1:] != fold(letters[1:]) && letters != strings.ToUpper(letters) {
			return false
		}
		short = false
	}
	return !short
}

// codeLike tells an expression from a value: a call, an index, a variable, a path, a type.
func codeLike(v string, after byte) bool {
	if v == "" || after == '(' {
		return true
	}
	if strings.IndexByte("$%{<*[(/~&@", v[0]) >= 0 || strings.HasPrefix(v, "./") || strings.HasPrefix(v, "../") || strings.HasPrefix(v, "http") {
		return true
	}
	if len(v) > 2 && v[1] == ':' && v[2] == '\\' { // C:\…
		return true
	}
	end := run(v, 0, word|dot, len(v))
	if end < len(v) && (v[end] == '(' || v[end] == '[') {
		return true
	}
	// name=value
	if i := strings.IndexByte(v, '='); i > 0 && run(v, 0, alpha|under, i) == i && i+1 < len(v) && run(v, i+1, alnum|dot, len(v)) == len(v) {
		return true
	}
	// obj.field, os.environ: names joined by dots
	if dots := strings.Count(v, "."); dots > 0 && end == len(v) {
		for _, p := range strings.Split(v, ".") {
			if p == "" || !is(p[0], alpha|under) || len(p) > 24 {
				return false
			}
		}
		return true
	}
	return false
}

// placeholder tells what stands where a secret would be: YOUR_API_KEY, xxxx, <token>, ${TOKEN}, [redacted: …].
func placeholder(s string) bool {
	if s == "" || strings.IndexByte("<${%[*", s[0]) >= 0 && (len(s) < 2 || strings.IndexByte("<{%[*(", s[1]) >= 0 || s[0] != '$' && s[0] != '%') {
		return true
	}
	if s[0] == '$' && is(at(s, 1), upper|under) {
		return true
	}
	f := fold(s)
	for _, w := range []string{
		"your", "example", "placeholder", "changeme", "change_me", "change-me", "redacted", "dummy", "sample", "insert", "replace",
		"xxxx", "****", "....", "…", "<", "todo", "fixme", "mykey", "my_key", "my-key", "fake", "testtest", "notreal",
	} {
		if strings.Contains(f, w) {
			// A long value that looks drawn is kept off the disk even where a word in it says "example".
			return w != "example" || len(s) < 20 || entropy(s) < 4
		}
	}
	switch strings.Trim(f, "!.?\"'") {
	case "password", "passwd", "pass", "passwort", "pwd", "secret", "token", "key", "none", "null", "nil", "true", "false", "string", "undefined",
		"contraseña", "kennwort", "clave", "required", "optional", "empty", "hidden", "encrypted", "incorrect", "invalid", "wrong", "expired", "test", "user", "pw", "unset":
		return true
	}
	for i := 1; i < len(s); i++ { // one byte again and again
		if s[i] != s[0] {
			return false
		}
	}
	return true
}
