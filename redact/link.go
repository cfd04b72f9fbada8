package redact

import "strings"

// How a value is joined to its name, from the surest to the loosest.
const (
	assigned = iota + 1 // password=…, --token …, <password>…</password>: a program's or a shell's
	quoted              // "password": …
	colon               // password: …
	below               // a line of its own under the name
	prose               // my password is …
	beside              // password …
	far                 // some words on
)

// named takes the value that a name stands for: password=…, "api_key": "…", secret := …, <password>…</password>, --token …,
// "the password for the NAS is …", or the line below.
func named(text string, n name) (Finding, bool) {
	for _, l := range links(text, n) {
		if f, ok := valueAt(text, l.at, n, l.how); ok {
			return f, true
		}
	}
	for i := n.to; n.rule == ruleCode && i < min(len(text), n.to+reach); i++ { // "the recovery codes, where do I keep them? …"
		if i = run(text, i, space, 8); is(at(text, i), alnum) && !is(at(text, i-1), word) {
			if f, ok := codes(text, i, far); ok {
				return f, true
			}
		}
	}
	return Finding{}, false
}

type link struct{ at, how int }

// links lists where the value of a name may start: at most one place behind a sign; in prose behind the verb, behind "to", or
// beside the name.
func links(text string, n name) []link {
	i, how := n.to, 0
	if strings.HasPrefix(text[i:], "'s ") { // "the password's …"
		return []link{{i + len("'s "), prose}}
	}
	switch c := at(text, i); {
	case c == '>' && at(text, n.from-1) == '<':
		return []link{{i + 1, assigned}}
	case c == '\\' && at(text, i+1) == '"': // JSON within JSON
		i, how = i+2, quoted
	case c == '"' || c == '\'' || c == '`':
		i, how = i+1, quoted
		if at(text, i) == '>' { // <property name="password">
			return []link{{i + 1, assigned}}
		}
		if at(text, i) == ']' {
			i++
		}
	}
	if strings.HasPrefix(text[i:], "%22%3A%22") { // JSON in a URL
		return []link{{i + len("%22%3A%22"), quoted}}
	}
	i = emphasis(text, i)
	if next, ok := attribute(text, i); ok {
		return []link{{next, assigned}}
	}
	if how == 0 && at(text, i) == '(' && quotes(text, i+1) > i+1 { // setPassword('…')
		if own := fold(text[n.from:n.to]); strings.Contains(own, "set") || strings.Contains(own, "with") {
			return []link{{i + 1, assigned}}
		}
		return []link{{i + 1, beside}}
	}
	if next, ok := operator(text, i); ok {
		sign := strings.TrimLeft(text[i:next], " \t")
		switch {
		case how == 0 && strings.IndexByte(sign, '=') < 0 && i == n.to:
			how = colon
		case how == 0 || how == quoted && at(text, n.from-1) == '`':
			how = assigned
			if strings.IndexByte(sign, '=') < 0 {
				how = colon
			}
		}
		next = typed(text, emphasis(text, next))
		if line, ok := newline(text, next); ok {
			return []link{{line, below}}
		}
		return []link{{run(text, next, space, 40), how}}
	}
	if line, ok := newline(text, i); ok {
		return []link{{line, below}}
	}
	if at(text, i) == '?' { // "my password? It's …"
		if next, how := verb(text, run(text, i+1, space, 1)); how != 0 && n.rule == rulePassword {
			return []link{{next, how}}
		}
		return nil
	}
	if at(text, i) == ',' { // "the password, …" and define('DB_PASS', '…')
		next := run(text, i+1, space, 40)
		if how == quoted && quotes(text, next) == next {
			return nil
		}
		if verbal, how := verb(text, next); how != 0 {
			return []link{{verbal, how}}
		}
		return []link{{next, beside}}
	}
	if !is(at(text, i), space) {
		return nil
	}
	i = run(text, i, space, 4)
	if at(text, i) == '(' { // "token (expires on Friday): …"
		if shut := strings.IndexByte(text[i:min(len(text), i+40)], ')'); shut > 0 {
			if next, ok := operator(text, i+shut+1); ok {
				return []link{{next, colon}}
			}
		}
	}
	if is(at(text, i), digit) && is(at(text, i+1), space) { // a router's kind of hash: secret 0 …
		i = run(text, i+1, space, 4)
	}
	if n.rule != rulePassword && foldPrefix(text[i:], "number") {
		return nil
	}
	if own := text[n.from:n.to]; own[0] == '-' || own == strings.ToUpper(own) && len(own) > 7 && quotes(text, i) > i { // PASSWORD '…'

		return []link{{i, assigned}}
	}
	var out []link
	if next, how := verb(text, i); how != 0 {
		out = append(out, link{next, how})
	}
	return append(out, link{i, beside})
}

// typed skips what stands between a sign and its value in programs and settings: the type in "key: &str = …", and the mark of a
// block in YAML.
func typed(text string, i int) int {
	start := run(text, i, space, 4)
	next := start
	if at(text, next) == '&' {
		next++
	}
	if end := run(text, next, alnum|under|dot, 30); end > next {
		if value, ok := operator(text, end); ok && strings.IndexByte(text[end:value], '=') >= 0 && is(at(text, end), space) {
			return value
		}
	}
	if c := at(text, start); c == '|' || c == '>' {
		if next = run(text, start+1, dash, 1); at(text, next) == '+' {
			next++
		}
		if at(text, next) == '\n' {
			return next
		}
	}
	return i
}

// attribute goes to the value where the name is one attribute and the value the next: name: DB_PASS, value: …, and
// <add key="DB_PASS" value="…"/>.
func attribute(text string, i int) (int, bool) {
	next := i
	for next < len(text) && next-i < 40 && strings.IndexByte(" \t\r\n,\"'-", text[next]) >= 0 {
		next++
	}
	if next > i && foldPrefix(text[next:], "value") {
		if value, ok := operator(text, quotes(text, next+len("value"))); ok {
			return value, true
		}
	}
	tail := text[next:min(len(text), next+200)]
	if strings.HasPrefix(tail, "{") { // variable "db_password" { … default = "…" }
		body, _, _ := strings.Cut(tail, "}")
		if at := strings.Index(body, "default"); at > 0 {
			return operator(text, next+at+len("default"))
		}
	}
	line, _, _ := strings.Cut(text[i:min(len(text), i+120)], "\n")
	if !strings.Contains(line, " --") {
		return i, false
	}
	for _, flag := range []string{" --value ", " --body ", " --secret-string "} { // aws ssm put-parameter --name /db/password --value …
		if at := strings.Index(line, flag); at >= 0 {
			return i + at + len(flag), true
		}
	}
	return i, false
}

// emphasis skips the marks of bold and italic text.
func emphasis(text string, i int) int {
	for n := 0; n < 3 && (at(text, i) == '*' || at(text, i) == '_'); n++ {
		i++
	}
	return i
}

// newline goes from the end of a line to the first text below it, over one empty line, an underline, a fence, and the marks of
// lists and quotes.
func newline(text string, i int) (int, bool) {
	i = run(text, i, space, 8)
	if at(text, i) == '\\' && at(text, i+1) != 'n' {
		i++
	}
	lines := 0
	for ; lines < 4; lines++ {
		j := i
		if at(text, j) == '\r' {
			j++
		}
		if at(text, j) != '\n' {
			break
		}
		i = run(text, j+1, space|dash, 40)
		if at(text, i) == '>' || at(text, i) == '*' {
			i = run(text, i+1, space, 4)
		}
		if strings.HasPrefix(text[i:min(len(text), i+3)], "```") {
			i = run(text, i+3, alpha, 12)
		}
	}
	return i, lines > 0
}

// verbs stand between a name and its value, and adverbs between the verb and the value.
var (
	verbs = set("är er jest bleibt heißt is was are were will be becomes ist war lautet lautete es era est était è fu é is: ist: " +
		"c'est it's its that's = - – — -> → =>")
	changes = set("changed set updated reset switched rotated")
	adverbs = set("now still just currently actually set changed to be probably called jetzt nun noch also ahora maintenant adesso the " +
		"following: literally simply")
	about = set("for of on to at in from with für von vom zum zur des der am im auf del de du pour para per al di here there i we " +
		"you that this they he she it")
)

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// verb looks for the verb behind a name, past a phrase such as "for the NAS", within one sentence.
func verb(text string, i int) (next, how int) {
	for words := 0; words < 9; words++ {
		w, after := nextWord(text, i)
		if w == "" || len(w) == 40 {
			return 0, 0
		}
		f := fold(w)
		if verbs[f] || verbs[strings.TrimSuffix(f, ":")] {
			for range 3 {
				w, n := nextWord(text, after)
				if !adverbs[fold(w)] {
					break
				}
				after = n
			}
			if line, ok := newline(text, after); ok {
				return line, below
			}
			return after, prose
		}
		if next, n := nextWord(text, after); changes[f] && fold(next) == "to" {
			return n, prose
		}
		if words == 0 && !about[f] {
			return 0, 0
		}
		if strings.ContainsAny(w, "\"`[](){}<>\\") || len(w) > 1 && strings.IndexByte(w, '=') >= 0 {
			return 0, 0
		}
		if words > 0 && strings.HasSuffix(w, ":") {
			if line, ok := newline(text, after); ok {
				return line, below
			}
			return after, colon
		}
		if strings.ContainsAny(w[len(w)-1:], ".,;!?") {
			return 0, 0
		}
		i = after
	}
	return 0, 0
}

// nextWord is the word at i and where the next one starts.
func nextWord(text string, i int) (string, int) {
	stop := i
	for stop < len(text) && stop-i < 40 && !is(text[stop], space) && text[stop] != '\n' && text[stop] != '\r' {
		stop++
	}
	return text[i:stop], run(text, stop, space, 4)
}

// operator skips what stands between a name and its value: =, :, :=, =>.
func operator(text string, i int) (int, bool) {
	i = run(text, i, space, 40)
	switch c := at(text, i); {
	case strings.HasPrefix(text[i:], "==") || strings.HasPrefix(text[i:], "!="): // compared with a text
		next := run(text, run(text, i+1, base, 2), space, 4)
		return next, quotes(text, next) > next
	case strings.HasPrefix(text[i:], "::") || strings.HasPrefix(text[i:], "://"):
		return i, false
	case strings.HasPrefix(text[i:], ":=") || strings.HasPrefix(text[i:], "=>") || strings.HasPrefix(text[i:], "->") ||
		strings.HasPrefix(text[i:], "?="):
		i += 2
	case c == '=' || c == ':':
		i++
	case strings.HasPrefix(text[i:], "：") || strings.HasPrefix(text[i:], "是") || strings.HasPrefix(text[i:], "は"):
		i += len("：")
	default:
		return i, false
	}
	return run(text, i, space, 40), true
}

// quotes skips one opening quote, escaped or not.
func quotes(text string, i int) int {
	if at(text, i) == '\\' {
		i++
	}
	if c := at(text, i); c == '"' || c == '\'' || c == '`' {
		i++
		if at(text, i) == c && at(text, i+1) == c { // three of them
			i += 2
		}
	}
	return i
}
