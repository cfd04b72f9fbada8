package redact

import "strings"

// account takes the password of an account that is written as a pair: "login: admin / S3cr3t!pass", "creds: bob:S3cr3t!pass",
// admin:S3cr3tPass9@10.0.0.1. What stands there must look like a password and nothing else.
func account(text string, start, end int) (Finding, bool) {
	switch text[start] {
	case '@':
		if f, ok := beforeHost(text, start); ok {
			return f, true
		}
		return behindAddress(text, end)
	case ' ':
		return slashed(text, start, end)
	}
	call := end
	if i, ok := operator(text, end); ok {
		call = i
	}
	if call == end {
		call = run(text, end, alpha|under, 12)
	}
	if !strings.EqualFold(text[start:end], "user") && at(text, call) == '(' {
		return arguments(text, call+1, true)
	}
	if is(at(text, start-1), alnum) {
		return Finding{}, false
	}
	both := !foldPrefix(text[start:], "user") // the name and the password
	i := run(text, end, lower, 2)             // logins, users
	if is(at(text, i), alnum) {
		return Finding{}, false
	}
	i, ok := operator(text, emphasis(text, i))
	if !ok {
		if next, how := verb(text, run(text, i, space, 4)); how != 0 {
			i = next
		} else if !both {
			return Finding{}, false
		}
		i = run(text, i, space, 4)
	}
	i = quotes(text, i)
	to := i
	for to < len(text) && to-i < 64 && strings.IndexByte(" \t\r\n/:,;\"'`&=[", text[to]) < 0 {
		to++
	}
	gap := to
	for gap < len(text) && gap-to < 4 && strings.IndexByte(" /:,\"'`|", text[gap]) >= 0 {
		gap++
	}
	if to == i || gap == to || !strings.ContainsAny(text[to:gap], "/:,|") {
		return Finding{}, false
	}
	stop := extent(text, gap, 0, false, judged)
	v := text[gap:stop]
	letters, digits, _, _ := count(v)
	pair := both && strings.ContainsAny(text[to:gap], "/:") && letters > 2 && digits > 0 && len(v) > 5 && endsClause(text, stop)
	if !pair && (!strict(v) || len(v) < 8) || placeholder(v) || codeLike(v, at(text, stop)) || identifier(v) || strings.ContainsAny(v, "/{}") {
		return Finding{}, false
	}
	return Finding{rulePassword, gap, stop}, true
}

// slashed takes the password in "log in with root / t00rT00r!".
func slashed(text string, start, end int) (Finding, bool) {
	line := fold(text[max(0, start-80):start])
	line = line[strings.LastIndexByte(line, '\n')+1:]
	if !strings.Contains(line, "log") && !strings.Contains(line, "account") && !strings.Contains(line, "combo") &&
		!strings.Contains(line, "credential") {
		return Finding{}, false
	}
	stop := extent(text, end, 0, false, judged)
	v := text[end:stop]
	with := strings.Contains(line, "with") || strings.Contains(line, "cred")
	letters, digits, _, _ := count(v)
	if digits == 0 || fold(v) == v && !strict(v) && (!with || digits < 2 || letters < 4) || technical(v) || placeholder(v) ||
		strings.ContainsAny(v, "(){}[]<>=/$") || !endsClause(text, stop) {
		return Finding{}, false
	}
	return Finding{rulePassword, end, stop}, true
}

// arguments takes the quoted password among the arguments of a call: login("bob", "S3cr3t!pass"), connect(host, "root", "S3cr3t!pass").
// Behind a quoted name any text with digits or signs is one; elsewhere it must look chosen.
func arguments(text string, i int, account bool) (Finding, bool) {
	for n, named := 0, false; n < 5; n++ {
		i = run(text, i, space, 4)
		start := quotes(text, i)
		stop := run(text, start, word|dot, 64) // a variable
		if start > i {
			stop = extent(text, start, text[start-1], false, judged)
			v := text[start:stop]
			_, digits, others, blanks := count(v)
			if at(text, stop) != text[start-1] {
				return Finding{}, false
			}
			if blanks == 0 && len(v) > 5 && !placeholder(v) && strings.IndexByte("./", v[0]) < 0 && !strings.Contains(v, "://") &&
				(looks(v, 0) > 2 || n > 0 && looks(v, 0) > 1 || named && (n == 1 && digits+others > 0 || looks(v, 0) >= 0)) {
				return Finding{rulePassword, start, stop}, true
			}
			named = account && run(text, start, word|dot|base, stop-start) == stop || email(v)
			stop++
		}
		if at(text, stop) != ',' {
			break
		}
		i = stop + 1
	}
	return Finding{}, false
}

// answer takes what answers a security question: one or two words with a capital at the end of its clause.
func answer(text string, _, end int) (Finding, bool) {
	for i := end; i < len(text) && i-end < reach && text[i] != '\n'; i++ {
		start := quotes(text, i)
		if !is(text[i-1], space) || !is(at(text, start), upper) || !joined(text, i) {
			continue
		}
		stop := run(text, start, alnum|dash, 30)
		if next := run(text, stop, space, 1); is(at(text, next), upper) {
			stop = run(text, next, alnum|dash, 30)
		}
		if stop-start > 2 && endsLine(text, stop) && at(text, stop) != '?' {
			return Finding{rulePassword, start, stop}, true
		}
	}
	return Finding{}, false
}

// callee takes the password in a call whose name says that it opens something: getConnection(…), mysqli_connect(…).
func callee(text string, _, end int) (Finding, bool) {
	if text[end-1] == '(' {
		end--
	}
	if i := run(text, end, alpha|under, 12); at(text, i) == '(' {
		return arguments(text, i+1, false)
	}
	return Finding{}, false
}

// beforeHost takes the password in user:password@host without a scheme: capitals, small letters and digits.
func beforeHost(text string, sign int) (Finding, bool) {
	if !is(at(text, sign+1), alnum) && !strings.HasPrefix(text[sign:], "@//") {
		return Finding{}, false
	}
	i := sign
	for i > 0 && sign-i < 64 && strings.IndexByte(" \t\r\n/\"'`<>(=@:,", text[i-1]) < 0 {
		i--
	}
	v := text[i:sign]
	slash := at(text, i-1) == '/' && looks(v, 0) > 1 && is(at(text, back(text, i-1, word|dot, 40)-1), space) // sqlplus bob/S3cr3t!pass@host
	if at(text, i-1) != ':' && !slash || len(v) < 8 || fold(v) == v || strings.ToUpper(v) == v || !strict(v) || placeholder(v) {
		return Finding{}, false
	}
	user := back(text, i-1, word|dot, 40)
	if user == i-1 || strings.HasSuffix(text[:user], "//") || addressed[fold(text[user:i-1])] {
		return Finding{}, false
	}
	return Finding{rulePassword, i, sign}, true
}

// linked takes the last part of the path of a link that opens something by itself: /reset/…, /invite/…
func linked(text string, _, end int) (Finding, bool) {
	stop := run(text, end, word|dot, unbounded)
	v := text[end:stop]
	hex := len(v) >= 32 && run(v, 0, hexes, len(v)) == len(v)
	return Finding{ruleSecret, end, stop}, len(v) >= 16 && (drawn(v) || hex) && !placeholder(v) && !file(v)
}

// behindAddress takes the password in "bob@example.com with Tulip-19", and what looks chosen right behind an address.
func behindAddress(text string, i int) (Finding, bool) {
	i = run(text, i, word|dot, 64)
	w, next := nextWord(text, run(text, i, space, 1))
	start, stop, look := candidate(text, next, nil)
	if !pairing[fold(w)] {
		next = min(i+1, len(text))
		if start, stop, look = candidate(text, next, nil); look < 2 || !is(at(text, i), space) {
			return Finding{}, false
		}
	}
	if start != next || look < 0 {
		return Finding{}, false
	}
	v := text[start:stop]
	return Finding{rulePassword, start, stop}, fold(v) != v && strings.ToUpper(v) != v
}

// pairing stands between the name of an account and its password.
var pairing = set("and with und mit et avec y con e / | + &")

// addressed are words before a colon that an address follows.
var addressed = set("mailto mail email e-mail from to cc bcc sip sips xmpp acct contact reply-to")

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
