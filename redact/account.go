package redact

import (
	"strings"

	"github.com/reverie-memory/reverie/lexis"
)

// beforeHost takes the password in user:password@host without a scheme: capitals, small letters and digits, or whatever stands before a
// host as drivers write it: root:secret@tcp(db:3306), scott/tiger@//db:1521.
func beforeHost(text string, sign, _ int) (Finding, bool) {
	driver := oracle(text[sign:]) || strings.HasPrefix(text[sign:], "@tcp(") || strings.HasPrefix(text[sign:], "@unix(")
	if !host(text, sign+1) && !driver {
		return Finding{}, false
	}
	i := sign
	for i > 0 && sign-i < 64 && strings.IndexByte(" \t\r\n/\"'`<>(=@:,", text[i-1]) < 0 {
		i--
	}
	v, parts := text[i:sign], at(text, i-1) == ':'
	if at(text, i-1) == '/' { // sqlplus bob/S3cr3t!pass@host
		parts = driver || strings.IndexByte("dc", lookOf(v, 0)) >= 0 && is(at(text, back(text, i-1, word|dot, 40)-1), space)
	}
	sure := driver && len(v) > 3 && strings.IndexByte(v, ']') < 0
	if !parts || placeholder(v) || !sure && (len(v) < 8 || fold(v) == v || strings.ToUpper(v) == v || !strict(v)) {
		return Finding{}, false
	}
	user := back(text, i-1, word|dot, 40)
	if user == i-1 || strings.HasSuffix(text[:user], "//") || addressed[fold(text[user:i-1])] {
		return Finding{}, false
	}
	return Finding{rulePassword, i, sign}, true
}

// oracle tells an address as Oracle's programs take it, which has a port or a service: @//db:1521, @//db/orders.
func oracle(s string) bool {
	s, ok := strings.CutPrefix(s, "@//")
	end := run(s, 0, word|dot, len(s))
	return ok && end > 0 && (at(s, end) == ':' || at(s, end) == '/') && is(at(s, end+1), alnum)
}

// host tells whether a host may begin at i, behind an @: its name has a letter, or is four numbers. recall@10 and left-pad@1.2.3 have none.
func host(text string, i int) bool {
	end := run(text, i, word|dot, 255)
	name := text[i:end]
	return name != "" && is(name[0], alnum) && (kinds(name)&alpha != 0 || strings.Count(strings.TrimRight(name, "."), ".") == 3)
}

// linked takes the last part of the path of a link that opens something by itself: /reset/…, /invite/…
func linked(text string, _, end int) (Finding, bool) {
	stop := run(text, end, word|dot, unbounded)
	v := text[end:stop]
	hex := len(v) >= 32 && run(v, 0, hexes, len(v)) == len(v)
	return Finding{ruleSecret, end, stop}, len(v) >= 16 && (drawn(v) || hex) && !placeholder(v) && !file(v)
}

// addressed are words before a colon that an address follows.
var addressed = lexis.Set("mailto mail email e-mail from to cc bcc sip sips xmpp acct contact reply-to")

// pgpass takes the last field of host:5432:database:user:password.
func pgpass(text string, start, end int) (Finding, bool) {
	base := run(text, end, word|dot, 64)
	if at(text, base) == '*' {
		base++
	}
	user := run(text, base+1, word|dot, 64)
	if base == end || at(text, base) != ':' || at(text, user) != ':' || !is(at(text, start-1), alnum|dot) && at(text, start-1) != '*' {
		return Finding{}, false
	}
	stop := extent(text, user+1, 0, false, judged)
	v := text[user+1 : stop]
	return Finding{rulePassword, user + 1, stop}, len(v) > 3 && !placeholder(v)
}

// wifi takes the password in the text of a QR code: WIFI:T:WPA;S:home;P:S3cr3t!pass;;
func wifi(text string, _, end int) (Finding, bool) {
	for i := end; i < len(text) && i-end < judged && text[i] != '\n'; i++ {
		if strings.HasPrefix(text[i:], "P:") && (i == end || text[i-1] == ';') {
			stop := i + 2
			for stop < len(text) && stop-i < judged && text[stop] != ';' && text[stop] != '\n' {
				stop++
			}
			return Finding{rulePassword, i + 2, stop}, stop-i > 6 && at(text, stop) == ';' && !placeholder(text[i+2:stop])
		}
	}
	return Finding{}, false
}

// wallet takes the private key in new Wallet("0x…"): 64 hex digits.
func wallet(text string, _, end int) (Finding, bool) {
	i := quotes(text, end)
	start := i
	if foldPrefix(text[i:], "0x") {
		i += 2
	}
	stop := run(text, i, hexes, 65)
	return Finding{ruleKey, start, stop}, stop-i == 64 && !placeholder(text[i:stop])
}
