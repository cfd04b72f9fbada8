package redact

import (
	"math"
	"strings"
	"unicode/utf8"
)

// valueAt judges the value that starts at i, assigned by op: '=' a program's or a shell's, '"' under a quoted name, ':' prose.
func valueAt(text string, i int, rule string, op byte) (Finding, bool) {
	start := quotes(text, i)
	quoted := start > i
	mark := byte(0)
	if quoted {
		mark = text[start-1]
	}
	stop := start
	for stop < len(text) && stop-start <= 512 {
		c := text[stop]
		if quoted && (c == mark || c == '\\' && at(text, stop+1) == mark) || c == '\n' || c == '\r' ||
			!quoted && (strings.IndexByte(" \t\"'`<>,;|)}&", c) >= 0 || c >= 0x80 && (rule == ruleSecret || closes(text[stop:]))) {
			break
		}
		stop++
	}
	if quoted && at(text, stop) != mark && at(text, stop) != '\\' {
		return Finding{}, false // a quote that never closes
	}
	if !quoted {
		for stop > start && strings.IndexByte(".:?!", text[stop-1]) >= 0 {
			stop--
		}
	}
	v := text[start:stop]
	drawn := rule == ruleSecret && len(v) >= 40 && entropy(v) > 4.5 // may start with a slash and be no path
	if placeholder(v) || !quoted && !drawn && codeLike(v, at(text, stop)) {
		return Finding{}, false
	}
	ok := false
	if rule == rulePassword {
		ok = passwordLike(v, quoted, op)
	} else {
		ok = secretLike(v, quoted, op)
	}
	if !ok {
		return Finding{}, false
	}
	return Finding{rule, start, stop}, true
}

// closes tells whether s starts with a quote or a stop outside of ASCII.
func closes(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return strings.ContainsRune("”’»›“„«、。，；！？）」』", r)
}

// passwordLike accepts six bytes or more that mix letters with digits or signs; where a program assigns a
// quoted text, any one word.
func passwordLike(v string, quoted bool, op byte) bool {
	if len(v) < 6 || len(v) > 200 {
		return false
	}
	letters, digits, signs, blanks := 0, 0, 0, 0
	for i := range len(v) {
		switch c := v[i]; {
		case is(c, alpha):
			letters++
		case is(c, digit):
			digits++
		case is(c, space):
			blanks++
		case is(c, dash|under|dot) && op == ':':
			// hyphens in prose join words
		case c < 0x80:
			signs++
		default:
			letters++
		}
	}
	switch {
	case blanks > 0:
		return quoted && digits > 0 && blanks < 8 && op != ':'
	case letters > 0 && digits+signs > 0:
		return op != ':' || digits > 0 || signs > 1
	case quoted && op != ':':
		return true
	}
	return op != ':' && digits == len(v)
}

// secretLike accepts what looks drawn by lot: long enough, letters and digits, little repetition, not made of words.
func secretLike(v string, quoted bool, op byte) bool {
	least := 16
	if op == ':' && !quoted {
		least = 20
	}
	if len(v) < least || len(v) > 512 || !mixed(v) || wordy(v) {
		return false
	}
	for i := range len(v) {
		if !is(v[i], word|dot|base) && strings.IndexByte("~!@#$%^*", v[i]) < 0 && !(quoted && v[i] >= 0x21 && v[i] < 0x7f) {
			return false
		}
	}
	return entropy(v) >= 3
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
		"required", "optional", "empty", "hidden", "encrypted", "incorrect", "invalid", "wrong", "expired", "test", "user", "pw", "unset":
		return true
	}
	for i := 1; i < len(s); i++ { // one byte again and again
		if s[i] != s[0] {
			return false
		}
	}
	return true
}
