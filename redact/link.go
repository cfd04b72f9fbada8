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
)

// named takes the value that a name stands for: password=…, "api_key": "…", secret := …, <password>…</password>, --token …,
// "the password for the NAS is …", or the line below. The keyword at text[start:end] is a part of the name.
func named(text string, start, end int) (Finding, bool) {
	if text[end-1] == '=' {
		end--
	}
	n, ok := nameAt(text, start, end)
	if !ok {
		return Finding{}, false
	}
	if f, ok := before(text, n); ok {
		return f, true
	}
	for _, l := range links(text, n) {
		if f, ok := valueAt(text, l.at, n, l.how); ok {
			return f, true
		}
	}
	return Finding{}, false
}

type link struct{ at, how int }

// links lists where the value of a name may start: at most one place behind a sign; in prose behind the verb, behind "to", or
// beside the name.
func links(text string, n name) []link {
	i, how := n.to, 0
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
	i = emphasis(text, i)
	if next, ok := attribute(text, i); ok {
		return []link{{next, assigned}}
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
		next = emphasis(text, next)
		if line, ok := newline(text, next); ok {
			return []link{{line, below}}
		}
		return []link{{run(text, next, space, 8), how}}
	}
	if line, ok := newline(text, i); ok {
		return []link{{line, below}}
	}
	if !is(at(text, i), space) {
		return nil
	}
	i = run(text, i, space, 4)
	if n.rule != rulePassword && foldPrefix(text[i:], "number") {
		return nil
	}
	if strings.HasPrefix(text[n.from:n.to], "-") || login(text, n.from) {
		return []link{{i, assigned}}
	}
	var out []link
	if next, how := verb(text, i); how != 0 {
		out = append(out, link{next, how})
	}
	if (foldPrefix(text[i:], "to ") || foldPrefix(text[i:], "auf ")) && changed(text, n.from) {
		out = append(out, link{run(text, i+strings.IndexByte(text[i:], ' '), space, 4), prose})
	}
	return append(out, link{i, beside})
}

// changed tells whether a verb of change stands before i in its line: "I changed the password to …".
func changed(text string, i int) bool {
	for words := 0; words < 7 && is(at(text, i-1), space); words++ {
		stop := back(text, i, space, 4)
		i = back(text, stop, alpha|dash, 20)
		for _, w := range []string{"chang", "set", "reset", "updat", "rotat", "switch", "ändert", "gesetzt", "setze", "made"} {
			if foldPrefix(text[i:stop], w) {
				return true
			}
		}
	}
	return false
}

// attribute goes to the value where the name is one attribute and the value the next: name: DB_PASS, value: …, and
// <add key="DB_PASS" value="…"/>.
func attribute(text string, i int) (int, bool) {
	next := i
	for next < len(text) && next-i < 40 && strings.IndexByte(" \t\r\n,\"'-", text[next]) >= 0 {
		next++
	}
	if next == i || !foldPrefix(text[next:], "value") {
		return i, false
	}
	return operator(text, quotes(text, next+len("value")))
}

// login tells whether "login NAME" or the like stands right before i, as in "login bob password …".
func login(text string, i int) bool {
	name := back(text, i, space, 4)
	start := name
	for start > 0 && name-start < 80 && strings.IndexByte(" \t\r\n", text[start-1]) < 0 {
		start--
	}
	word := back(text, start, space, 4)
	return name < i && start < name && word < start && word >= 5 && strings.EqualFold(text[word-5:word], "login")
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
	verbs   = set("is was are were will be becomes ist war lautet lautete es era est était è fu é is: ist: = – — -> →")
	changes = set("changed set updated reset switched rotated")
	adverbs = set("now still just currently actually set changed to be probably called jetzt nun noch also ahora maintenant adesso the " +
		"following: literally simply")
	about = set("for of on to at in from with für von vom zum zur des der am im auf del de du pour para per al di here there i we " +
		"you that this")
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
		if verbs[f] {
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
	i = run(text, i, space, 4)
	switch c := at(text, i); {
	case strings.HasPrefix(text[i:], "==") || strings.HasPrefix(text[i:], "::") || strings.HasPrefix(text[i:], "://"):
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

// before takes the value that stands before its name: "use Xk29!vbQ7 as the password".
func before(text string, n name) (Finding, bool) {
	if n.rule != rulePassword {
		return Finding{}, false
	}
	head := text[max(0, n.from-12):n.from]
	i := strings.LastIndex(head, " as ")
	if i < 0 || !oneOf(strings.TrimSpace(head[i+4:]), []string{"", "the", "my", "a", "his", "her", "our", "your", "new"}) {
		return Finding{}, false
	}
	stop := n.from - len(head) + i
	start := stop
	for start > 0 && stop-start < judged && strings.IndexByte(" \t\r\n\"'`", text[start-1]) < 0 {
		start--
	}
	if v := text[start:stop]; !strict(v) || placeholder(v) || codeLike(v, 0) {
		return Finding{}, false
	}
	return Finding{rulePassword, start, stop}, true
}
