package redact

import (
	"encoding/base64"
	"strings"
)

// Rules that know a secret by the words beside it.
const (
	rulePassword = "password"
	ruleSecret   = "secret"
	ruleAuth     = "authorization"
	ruleURL      = "password in url"
	ruleKey      = "api key" // a key whose provider the prefix leaves open
)

// webhook takes the path behind a webhook's host: whoever has it can post.
func webhook(rule string) matcher {
	return func(text string, _, end int) (Finding, bool) {
		stop := run(text, end, word|dot|base, 400)
		for stop > end && is(text[stop-1], dot|dash) {
			stop--
		}
		if stop-end < 20 || placeholder(text[end:stop]) || !mixed(text[end:stop]) {
			return Finding{}, false
		}
		return Finding{rule, end, stop}, true
	}
}

// urlPassword takes the password, or the lone key, before the @ of a URL or a connection string.
func urlPassword(text string, start, end int) (Finding, bool) {
	if !is(at(text, start-1), alnum) {
		return Finding{}, false
	}
	stop, sign := end, -1
	for stop < len(text) && stop-end < 400 && strings.IndexByte(" \t\r\n/\"'<>`|\\^{}", text[stop]) < 0 {
		if text[stop] == '@' {
			sign = stop
		}
		stop++
	}
	if sign < 0 {
		return Finding{}, false
	}
	user, pass, ok := strings.Cut(text[end:sign], ":")
	if !ok {
		if len(user) < 20 || !mixed(user) || placeholder(user) || strings.ContainsAny(user, "[]@") {
			return Finding{}, false
		}
		rule := "key in url"
		if strings.Contains(text[sign:stop], "sentry") {
			rule = "sentry dsn key"
		}
		return Finding{rule, end, sign}, true
	}
	if len(pass) < 3 || placeholder(pass) {
		return Finding{}, false
	}
	return Finding{ruleURL, end + len(user) + 1, sign}, true
}

// authorization takes what follows "Authorization: Bearer" and the like.
func authorization(text string, start, end int) (Finding, bool) {
	i := end
	scheme := "bearer"
	if text[end-1] != ' ' { // the header's name
		if is(at(text, start-1), alnum) {
			return Finding{}, false
		}
		var ok bool
		if i, ok = operator(text, quotes(text, i), false); !ok {
			return Finding{}, false
		}
		i = quotes(text, i)
		after := run(text, i, alpha|dash, 20)
		scheme = fold(text[i:after])
		switch scheme {
		case "bearer", "basic", "token", "apikey", "api-key", "key", "bot", "sso-key":
			i = run(text, after, space, 4)
			if i == after {
				return Finding{}, false
			}
		default:
			return Finding{}, false
		}
	} else if is(at(text, start-1), word) {
		return Finding{}, false
	}
	stop := run(text, i, word|dot|base, unbounded)
	for stop < len(text) && text[stop] == '~' {
		stop = run(text, stop+1, word|dot|base, unbounded)
	}
	for stop > i && is(text[stop-1], dot) {
		stop--
	}
	v := text[i:stop]
	if scheme == "basic" {
		raw, err := base64.StdEncoding.DecodeString(v)
		if err != nil || !strings.Contains(string(raw), ":") {
			return Finding{}, false
		}
		return Finding{ruleAuth, i, stop}, true
	}
	if len(v) < 16 || placeholder(v) || wordy(v) || !mixed(v) {
		return Finding{}, false
	}
	return Finding{ruleAuth, i, stop}, true
}

// curlUser takes the password of "curl -u name:password".
func curlUser(text string, start, end int) (Finding, bool) {
	if !strings.Contains(fold(text[max(0, start-200):start]), "curl") {
		return Finding{}, false
	}
	i := quotes(text, end)
	stop := i
	for stop < len(text) && stop-i < 200 && strings.IndexByte(" \t\r\n\"'`", text[stop]) < 0 {
		stop++
	}
	user, pass, ok := strings.Cut(text[i:stop], ":")
	if !ok || len(pass) < 4 || placeholder(pass) {
		return Finding{}, false
	}
	return Finding{rulePassword, i + len(user) + 1, stop}, true
}

// assignment takes the value in password=…, "api_key": "…", secret := …, <password>…</password>,
// --token …, and "my password is …". Its keyword stands somewhere in the name that is assigned to.
func assignment(text string, start, end int) (Finding, bool) {
	from := back(text, start, word|dot, 80)
	if text[end-1] == '=' {
		end--
	}
	to := run(text, end, word, 40)
	kindOf, ok := nameKind(text, from, to, text[start:end])
	if !ok {
		return Finding{}, false
	}
	dashed := strings.HasPrefix(text[from:to], "--")
	i, op := to, byte(0)
	switch {
	case at(text, to) == '>' && at(text, from-1) == '<': // XML
		i, op = to+1, '='
	case at(text, to) == '"' || at(text, to) == '\'' || at(text, to) == '`':
		i = to + 1
		if at(text, i) == ']' {
			i++
		}
		op = '"' // a quoted name: JSON, YAML, a map
	case at(text, to) == '\\' && at(text, to+1) == '"': // JSON within JSON
		i, op = to+2, '"'
	}
	next, ok := operator(text, i, kindOf == rulePassword && op == 0)
	switch {
	case ok:
		if op == 0 {
			op = '='
			if i == to && next > i && strings.IndexByte(text[i:next], '=') < 0 {
				op = ':' // as in prose
			}
		}
		i = next
	case op == '=': // XML
	case op == 0 && (dashed || netrc(text, from)) && is(at(text, to), space):
		i, op = run(text, to, space, 4), '='
	default:
		return Finding{}, false
	}
	return valueAt(text, i, kindOf, op)
}

// netrc tells whether "login NAME" stands right before i, as in "login bob password …".
func netrc(text string, i int) bool {
	name := back(text, i, space, 4)
	start := name
	for start > 0 && name-start < 80 && strings.IndexByte(" \t\r\n", text[start-1]) < 0 {
		start--
	}
	word := back(text, start, space, 4)
	return name < i && start < name && word < start && word >= 5 && strings.EqualFold(text[word-5:word], "login")
}

// nameKind says what a name holds, judging by how it ends: a password, another secret, or nothing of interest.
func nameKind(text string, from, to int, key string) (string, bool) {
	name := squash(text[from:to])
	if name == "key" || name == "token" || name == "secret" { // "API key: …"
		if is(at(text, from-1), space) {
			before := back(text, from-1, alnum|dash, 20)
			name = squash(text[before:from-1]) + name
		}
	}
	switch fold(key) {
	case "contraseña", "mot de passe":
		return rulePassword, true
	case "sig", "signature":
		if c := at(text, from-1); (c == '?' || c == '&') && at(text, to) == '=' {
			return ruleSecret, true
		}
		return "", false
	}
	for _, end := range []string{"password", "passwd", "pwd", "passphrase", "passwort", "kennwort", "contrasena"} {
		if strings.HasSuffix(name, end) {
			return rulePassword, true
		}
	}
	for _, end := range []string{
		"secret", "token", "apikey", "appkey", "applicationkey", "secretkey", "accesskey", "privatekey", "authkey",
		"encryptionkey", "signingkey", "accountkey", "masterkey", "sharedkey", "apisecretkey", "licensekey", "servicekey", "sessionkey",
		"credential", "credentials", "accesskeysecret", "deploykey", "webhookkey",
	} {
		if strings.HasSuffix(name, end) {
			return ruleSecret, true
		}
	}
	return "", false
}

// squash is s in lower case without the signs that join the words of a name.
func squash(s string) string {
	var buf [128]byte
	b := buf[:0]
	for i := range len(s) {
		c := s[i]
		if is(c, under|dash|dot) {
			continue
		}
		if is(c, upper) {
			c += 'a' - 'A'
		}
		b = append(b, c)
	}
	return string(b)
}

// operator skips what stands between a name and its value: =, :, :=, =>, and in prose "is".
func operator(text string, i int, prose bool) (int, bool) {
	i = run(text, i, space, 4)
	switch {
	case strings.HasPrefix(text[i:], "==") || strings.HasPrefix(text[i:], "::"):
		return i, false
	case strings.HasPrefix(text[i:], ":=") || strings.HasPrefix(text[i:], "=>") || strings.HasPrefix(text[i:], "->"):
		i += 2
	case at(text, i) == '=' || at(text, i) == ':':
		i++
	case prose:
		for _, w := range []string{"is ", "ist ", "lautet ", "es ", "est "} {
			if foldPrefix(text[i:], w) {
				return run(text, i+len(w), space, 4), true
			}
		}
		return i, false
	default:
		return i, false
	}
	return run(text, i, space, 8), true
}

// quotes skips one opening quote, escaped or not.
func quotes(text string, i int) int {
	if at(text, i) == '\\' {
		i++
	}
	if c := at(text, i); c == '"' || c == '\'' || c == '`' {
		i++
	}
	return i
}
