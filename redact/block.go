package redact

import (
	"encoding/base64"
	"strings"

	"github.com/reverie-memory/reverie/lexis"
)

const (
	rulePrivate = "private"
	rulePEM     = "private key"
)

// block tells the rules whose finding swallows everything inside of it.
func block(rule string) bool { return rule == rulePrivate || rule == rulePEM }

// private takes what a person marked as <private>…</private>, nested marks included. A mark that is never
// closed holds to the end. `<private>` in a code span is talk about the mark, not the mark.
func private(text string, start, end int) (Finding, bool) {
	end = run(text, end, space, 16)
	if at(text, end) != '>' || at(text, start-1) == '`' && at(text, end+1) == '`' {
		return Finding{}, false
	}
	stop := end + 1
	for depth := 1; depth > 0; {
		i := strings.IndexByte(text[stop:], '<')
		if i < 0 {
			return Finding{rulePrivate, start, len(text)}, true
		}
		stop += i
		switch {
		case foldPrefix(text[stop:], "</private>"):
			depth--
			stop += len("</private>")
		case foldPrefix(text[stop:], "<private>"):
			depth++
			stop += len("<private>")
		default:
			stop++
		}
	}
	return Finding{rulePrivate, start, stop}, true
}

func foldPrefix(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

// pem takes private keys in armour (RSA, EC, OpenSSH, PGP, …) up to their END line. Without one it takes the
// lines that look like armour. Line ends may be escaped, as in JSON.
func pem(text string, start, end int) (Finding, bool) {
	line := text[end:min(len(text), end+60)]
	name, _, ok := strings.Cut(line, "-----")
	if !ok || !strings.Contains(name, "PRIVATE KEY") {
		return Finding{}, false
	}
	stop := end + len(name) + len("-----")
	body := stop
	for stop < len(text) {
		c := text[stop]
		if c == '-' && strings.HasPrefix(text[stop:], "-----BEGIN ") {
			break
		}
		if c == '-' && strings.HasPrefix(text[stop:], "-----END ") {
			if i := strings.Index(text[stop+9:min(len(text), stop+80)], "-----"); i >= 0 {
				if in := text[body:stop]; len(in) < 64 && (strings.Contains(in, "..") || kinds(in)&digit == 0) { // an example without a key
					return Finding{}, false
				}
				return Finding{rulePEM, start, stop + 9 + i + 5}, true
			}
		}
		if !is(c, b64|space|dash|under) && !strings.ContainsRune("\r\n\\:,.;()\"'*>|", rune(c)) {
			break
		}
		stop++
	}
	// No end: keep to the lines of armour, so that prose behind a torn key survives.
	stop = armourEnd(text, body)
	if stop == body {
		return Finding{}, false
	}
	return Finding{rulePEM, start, stop}, true
}

// armourEnd goes over lines of base64 of 24 bytes or more.
func armourEnd(text string, at int) int {
	for at < len(text) {
		next := at
		for next < len(text) && strings.IndexByte("\r\n\\n \t>", text[next]) >= 0 {
			next++
		}
		long := run(text, next, b64, len(text))
		if long-next < 24 {
			break
		}
		at = long
	}
	return at
}

// putty takes the private lines of a .ppk file.
func putty(text string, start, end int) (Finding, bool) {
	stop := run(text, end, space|digit, 12)
	body := stop
	for stop < len(text) {
		next := stop
		for next < len(text) && (text[next] == '\n' || text[next] == '\r') {
			next++
		}
		long := run(text, next, b64, len(text))
		if long-next < 16 {
			break
		}
		stop = long
	}
	if stop == body {
		return Finding{}, false
	}
	return Finding{rulePEM, start, stop}, true
}

// reach is how far behind its name a phrase may begin.
const reach = 120

// seed takes a wallet's phrase: twelve to twenty-four short words in small letters, within reach behind its name.
func seed(text string, start, end int) (Finding, bool) {
	words, from, stop := 0, end, end
	for i := end; i < len(text) && words < 24 && (words > 0 || i-end < reach); {
		after := run(text, i, lower, 20)
		switch n := after - i; {
		case n >= 3 && n <= 8 && !noSeed[text[i:after]]:
			if words == 0 {
				from = i
			}
			words++
			stop = after
		case n > 0 || strings.IndexByte(", \n", text[i]) < 0:
			if words >= 12 {
				return Finding{"seed phrase", from, stop}, true
			}
			words = 0
		}
		i = max(after, i+1)
	}
	return Finding{"seed phrase", from, stop}, words >= 12
}

// noSeed are frequent words that no wallet's list holds.
var noSeed = lexis.Set("the and for are was has have had but not our his her their from which also into been")

// armour takes the body of a private key that stands without its header: base64 that begins as one does, or a whole PEM file
// in base64 again.
func armour(text string, start, end int) (Finding, bool) {
	if strings.EqualFold(text[start:end], "ibaakc") { // RSA: MII…IBAAKC
		start -= 6
	}
	if start < 0 || is(at(text, start-1), b64) && at(text, start-1) != '=' {
		return Finding{}, false
	}
	switch head := text[start:end]; {
	case head == "LS0tLS1CRUdJTi":
		raw, _ := base64.StdEncoding.DecodeString(text[start:min(len(text), start+64)])
		if !strings.Contains(string(raw), "PRIVATE KEY") {
			return Finding{}, false
		}
	case head == "MIGH" && strings.HasPrefix(text[end:], "AgEA"), strings.HasPrefix(head, "MII") && strings.HasSuffix(head, "IBAAKC"),
		head == "b3BlbnNzaC1rZXktdjE", head == "MC4CAQAwBQYDK2VwBCIEI", head == "MHcCAQEEI", head == "MIIEvQIBADAN":
	default:
		return Finding{}, false
	}
	return Finding{rulePEM, start, armourEnd(text, start)}, true
}

// torn takes the lines of armour above an END line whose BEGIN is missing.
func torn(text string, start, end int) (Finding, bool) {
	line := text[end:min(len(text), end+60)]
	name, _, ok := strings.Cut(line, "-----")
	if !ok || !strings.Contains(name, "PRIVATE KEY") {
		return Finding{}, false
	}
	from, longest := start, 0
	for {
		line := from
		for line > 0 && strings.IndexByte("\r\n >", text[line-1]) >= 0 {
			line--
		}
		first := line
		for first > 0 && is(text[first-1], b64) {
			first--
		}
		if line == from && from != start || line-first < 16 && from != start || line == first || line-first < 4 {
			break
		}
		from, longest = first, max(longest, line-first)
	}
	if longest < 16 { // words where a key will stand
		return Finding{}, false
	}
	return Finding{rulePEM, from, end + len(name) + len("-----")}, true
}
