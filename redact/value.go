package redact

import (
	"strings"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/lexis"
)

// judged is how many bytes of a value are looked at: a longer one is judged by its beginning and taken whole.
const judged = 128

// valueAt judges the value that starts at i, behind a name.
func valueAt(text string, i int, n name, how int) (Finding, bool) {
	start := quotes(text, i)
	mark := byte(0)
	if start > i {
		mark = text[start-1]
	}
	query := at(text, n.from-1) == '?' || at(text, n.from-1) == '&'
	stop := extent(text, start, mark, query, judged)
	if mark == 0 && how == assigned && at(text, n.from-1) == '$' && at(text, n.to) == ' ' {
		return Finding{}, false // a variable of PowerShell or PHP that is set to an expression
	}
	if i, ok := wrapped(text, i); ok {
		return valueAt(text, i, n, how)
	}
	line := mark == 0 && how == assigned && setLine(text, n)
	if line { // brackets and the like are the value's own
		for stop < len(text) && stop-start < judged && strings.IndexByte(" \t\r\n", text[stop]) < 0 {
			stop++
		}
	}
	whole := stop-start < judged
	if how == beside && !whole && n.rule == rulePassword {
		return Finding{}, false // no password is that long
	}
	if mark != 0 && whole && at(text, stop) != mark && at(text, stop) != '\\' {
		return Finding{}, false // a quote that never closes
	}
	v := text[start:stop]
	if end := sentence(text, start, n, how); mark == 0 && end > stop {
		return Finding{n.rule, start, end}, true
	}
	if n.rule == rulePIN {
		return pin(text, start, n, how)
	}
	if n.rule == ruleCode {
		return codes(text, start, how)
	}
	if n.rule == ruleSSN {
		stop := start
		for stop < len(text) && stop-start < 11 && (is(text[stop], digit|dash) || text[stop] == ' ') {
			stop++
		}
		_, digits, _, _ := count(text[start:stop])
		return Finding{ruleSSN, start, stop}, digits == 9 && ends(text, stop)
	}
	fits := false
	if n.rule == rulePassword || line && drawn(v) {
		fits = passwordLike(text, stop, v, mark != 0, n, how)
	} else {
		fits = secretLike(v, mark != 0, n, how)
	}
	if end := groups(text, start); n.rule == ruleSecret && end > stop {
		return Finding{n.rule, start, end}, true
	}
	if !fits {
		return Finding{}, false
	}
	// such a value may start with a slash or a dollar
	own := at(text, n.from-1) == ';' && at(text, n.to) == '=' && at(text, stop) == ';' || line && drawn(v) && v[0] != '$' ||
		len(v) >= 40 && entropy(v) > 4.5 || n.rule == rulePassword && signs(v) > 1 && strict(v)
	if placeholder(v) || mark == 0 && !own && codeLike(v, at(text, stop)) || how == below && whole && !endsLine(text, stop) {
		return Finding{}, false
	}
	if !whole {
		stop = extent(text, start, mark, query, len(text))
	}
	return Finding{n.rule, start, rest(text, start, stop, mark)}, true
}

// wrapped goes to the quote of a text that stands as bytes: []byte("…"), b"…".
func wrapped(text string, i int) (int, bool) {
	for _, w := range []string{"[]byte(", "b", "r", "@", "L"} {
		if next := i + len(w); strings.HasPrefix(text[i:], w) && strings.IndexByte("\"'`", at(text, next)) >= 0 && next < len(text) {
			return next, true
		}
	}
	return i, false
}

// rest goes on over the parts of a value that stand behind its first one: quoted texts that a program joins, and lines of data in a block.
func rest(text string, start, stop int, mark byte) int {
	if mark != 0 {
		for {
			i := stop + 1
			for i < len(text) && i-stop < 80 && strings.IndexByte(" \t\r\n+.\\&", text[i]) >= 0 {
				i++
			}
			end := extent(text, i+1, mark, false, len(text))
			if i == stop+1 || at(text, i) != mark || at(text, end) != mark || end-i < 8 || strings.IndexByte(text[i:end], ' ') >= 0 ||
				at(text, end+1) == ':' || at(text, end+1) == '=' {
				return stop
			}
			stop = end
		}
	}
	indent := start - back(text, start, space, 40)
	if at(text, start-indent-1) != '\n' && stop-start < 40 {
		return stop
	}
	for {
		i := stop
		if at(text, i) == '\r' {
			i++
		}
		if at(text, i) != '\n' {
			return stop
		}
		from := run(text, i+1, space, 40)
		end := run(text, from, b64|under|dash, len(text))
		if v := text[from:end]; from-i-1 < indent || end < len(text) && text[end] != '\n' && text[end] != '\r' || !mixed(v) || wordy(v) ||
			len(v) < 16 && !strings.HasSuffix(v, "=") {
			return stop
		}
		stop = end
	}
}

// setLine tells whether n is set on a line of its own as a shell or an .env file does: SECRET_KEY=…
func setLine(text string, n name) bool {
	own := text[n.from:n.to]
	if at(text, n.to) != '=' || own != strings.ToUpper(own) {
		return false
	}
	from := n.from - len("export ")
	if from < 0 || text[from:n.from] != "export " {
		from = n.from
	}
	return from == 0 || text[from-1] == '\n'
}

// groups returns the end of a key that is written in groups of four: four groups or more, some of which mix letters and digits. One such
// group is enough where all digits are those of a one-time password's key.
func groups(text string, start int) int {
	mixed, letters, least, i := 0, 0, 1, start
	for ; i-start < judged; i += 5 {
		digits := 0
		for j := i; j < i+4; j++ {
			c := at(text, j)
			if !is(c, alnum) {
				return 0
			}
			if is(c, digit) {
				digits++
				if c < '2' || c > '7' {
					least = 2
				}
			}
		}
		letters += 4 - digits
		if digits > 0 && digits < 4 {
			mixed++
		}
		if at(text, i+4) != ' ' || run(text, i+5, alnum, 5) != i+9 {
			i += 4
			break
		}
	}
	if i-start < 19 || mixed < least || 3*letters < i-start {
		return 0
	}
	return i
}

// extent returns where the value that starts at start ends, at most limit bytes on.
func extent(text string, start int, mark byte, query bool, limit int) int {
	stop, line := start, start
	for ; stop < len(text) && stop-start < limit; stop++ {
		c := text[stop]
		if !is(c, halt) {
			continue
		}
		if c == '\n' || c == '\r' {
			if mark == 0 || stop == line || text[stop-1] != '\\' && (stop-line < 16 || strings.IndexByte(text[line:stop], ' ') >= 0) {
				break
			}
			line = stop + 1 // the quote holds data over several lines
			continue
		}
		if mark != 0 {
			if c == mark || c == '\\' && at(text, stop+1) == mark {
				break
			}
			continue
		}
		if is(c, outer) || c == '&' && query || c == ',' && separates(text, stop+1) ||
			c >= 0x80 && closes(text[stop:]) || c == '\\' && strings.IndexByte("\"nr", at(text, stop+1)) >= 0 {
			break
		}
	}
	if mark == 0 {
		for stop > start && strings.IndexByte(".:?,*", text[stop-1]) >= 0 {
			stop--
		}
	}
	return stop
}

// separates tells whether a comma before i ends a value: a blank, a quote, the end or the next name follows.
func separates(text string, i int) bool {
	c := at(text, i)
	if strings.IndexByte(" \t\r\n\"'\x00", c) >= 0 {
		return true
	}
	to := run(text, i, word|dot, 40)
	return to > i && (at(text, to) == '=' || at(text, to) == ':')
}

// closes tells whether s starts with a quote or a stop outside of ASCII.
func closes(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return strings.ContainsRune("”’»›“„«、。，；！？）」』", r)
}

// endsLine tells whether nothing but closing marks stands between i and the end of the line.
func endsLine(text string, i int) bool {
	for n := 0; n < 4 && i < len(text) && strings.IndexByte("\"'`*_.!?,)\\ ", text[i]) >= 0; n++ {
		i++
	}
	return i >= len(text) || text[i] >= 0x80 && closes(text[i:]) || text[i] == '\n' || text[i] == '\r'
}

// endsClause tells whether a sentence or a part of one ends at i.
func endsClause(text string, i int) bool {
	if i >= len(text) || strings.IndexByte(" \t", text[i]) < 0 {
		return true
	}
	w, _ := nextWord(text, run(text, i, space, 4))
	return w == "" || following[fold(strings.TrimRight(w, ",."))]
}

var following = set("and but for on since until till so if in at just please now yesterday today tonight last because by btw thanks " +
	"as und aber seit bis bitte " +
	"für gestern heute et pour y para e per - – —")

// passwordLike tells whether v is a password, the more strictly the looser it is joined to its name.
func passwordLike(text string, stop int, v string, inQuotes bool, n name, how int) bool {
	said := n.loose && how == colon
	if said {
		how = prose
	}
	letters, digits, others, blanks := count(v)
	switch {
	case len(v) < 6 || v[0] == '/' && strings.Count(v, "/") > 1 && digits == 0: // or a path
		return false
	case n.loose && how >= prose: // tests pass, to pass through
		return strict(v) && digits > 0 && (said || signs(v) > 0)
	case how == beside && inQuotes && blanks == 0 && quotes(text, n.to) > n.to && looks(v, 0) >= 0: // set("password", "…")
		return true
	case blanks > 0:
		return inQuotes && !n.loose && phrase(v, blanks, digits, how)
	case how == assigned || how == quoted || how == colon && inQuotes:
		if run(v, 0, alpha|under, len(v)) == len(v) { // a name, where no quotes stand
			return (inQuotes || at(text, stop) == '<') && literal(v) || setting(text, stop, v, n) || drawn(v)
		}
		return letters > 0 && digits+others > 0 || inQuotes || digits == len(v) && !n.loose
	case how == colon && at(text, n.to) == ':' && run(v, 0, lower, len(v)) == len(v) && endsLine(text, stop) &&
		startsLine(text, whose(text, n.from)):
		return len(v) > 7 && literal(v)
	case how == colon && digits == len(v):
		return digits > 7
	case how == colon && strings.IndexByte(v, '-') > 2 && endsLine(text, stop):
		return literal(v)
	case how == colon && endsLine(text, stop) && paired(text, n.from) && run(v, 0, alpha, len(v)) == len(v):
		return !talk[fold(v)] && (!endsIn(v, remarks) || fold(v) != v)
	case how == colon || how == below:
		return strict(v) || letters > 0 && (digits > 0 || signs(v) > 1)
	case how == prose:
		return strict(v) || closed(text, stop, v)
	}
	return strict(v) && (signs(v) > 0 || len(v) >= 8)
}

// startsLine tells whether nothing but blanks and the mark of a list stands before i on its line.
func startsLine(text string, i int) bool {
	i = back(text, i, space|dash, 40)
	return i == 0 || text[i-1] == '\n'
}

// whose goes before the word that says what a password is for: wifi password.
func whose(text string, i int) int {
	w, from := wordBefore(text, i)
	if at(text, i-1) != ' ' || w == "" || asked[w] || run(w, 0, alpha|dash, len(w)) < len(w) {
		return i
	}
	return from
}

// asked are words before "password" on a page that asks for one.
var asked = set("forgot reset change enter new update lost show hide invalid wrong your type current confirm repeat missing")

// literal tells a text that a program or a setting holds as a password from one that is said about passwords.
func literal(v string) bool {
	f := fold(v)
	return !strings.Contains(f, "pass") && !talk[f] && (f != v || !endsIn(f, remarks))
}

// paired tells whether the account that a password opens is named before i, on the line above or its own.
func paired(text string, i int) bool {
	line := strings.TrimRight(text[max(0, i-judged):i], " \t\n,;/|")
	line = line[strings.LastIndexAny(line, "\n,;/|")+1:]
	sign := max(0, strings.LastIndexByte(line, ':'))
	account := strings.Trim(line[sign:], ": \t")
	return endsIn(fold(line[:sign]), accounts) && account != "" && account != "str" && !placeholder(account) &&
		!strings.ContainsAny(account, " {}[]()<>;,")
}

var accounts = strings.Fields("user username login account email e-mail mail name benutzer benutzername usuario")

// closed accepts, at the end of a clause, words with digits behind them (bluewhale77), four words or more (correct-horse-battery-staple),
// and one small word that says nothing about passwords.
func closed(text string, stop int, v string) bool {
	if !endsClause(text, stop) || technical(v) {
		return false
	}
	if letters, digits, _, _ := count(v); letters >= 4 && digits > 0 && (is(v[len(v)-1], digit) || fold(v) != v && strings.ContainsAny(v,
		"_-") || strings.Count(v, "-") > 1) {
		return true
	}
	if len(v) < 8 {
		return false
	}
	if run(v, 0, lower, len(v)) == len(v) {
		return !endsIn(v, remarks) && (stop >= len(text) || strings.IndexByte(".!\n\"", text[stop]) >= 0)
	}
	parts := strings.Split(v, "-")
	for _, p := range parts {
		if len(p) < 4 {
			return false
		}
	}
	return len(parts) >= 4
}

// remarks are the ends of words that are said about passwords: expired, invalid, insecure, long enough.
var remarks = strings.Fields("ed ing ings ion ions " +
	"ble ive al ic ous ent ant ful less ary ory ly ique ct id ure ough oken olen idden otten osen " +
	"itten own where thing " +
	"match ple plex ete ers ase ard safe oday ight rrow able same key code password keyword phrase ated ssen alsch annt ert icher ltig " +
	"etzt heim lich")

// technical tells the words with digits that are said about passwords: SHA-256, base64, PBKDF2.
func technical(v string) bool {
	if v == "" || strings.IndexByte("smubpair", v[0]|0x20) < 0 {
		return false
	}
	f := fold(v)
	for _, w := range []string{"sha", "base6", "md5", "utf", "argon2", "pbkdf2", "bcrypt", "ascii", "iso-", "aes", "rfc"} {
		if strings.HasPrefix(f, w) {
			return true
		}
	}
	return false
}

// sentence returns the end of a passphrase: four words or more in small letters, or three with a figure, none of which joins words to a
// sentence or talks about passwords.
func sentence(text string, start int, n name, how int) int {
	if n.rule != rulePassword {
		return 0
	}
	if end := start + len("abcd efgh ijkl mnop"); end <= len(text) && endsClause(text, end) && fourByFour(text[start:end]) {
		return end
	}
	named, least, kinds := strings.HasSuffix(fold(text[n.from:n.to]), "phrase"), 4, uint16(alnum)
	switch {
	case how == beside:
		return 0
	case how == prose:
		least, kinds = 3, lower|digit
	case !named:
		least = 5
	}
	words, i := 0, start
	for next := start; words < 12; words++ {
		stop := run(text, next, kinds, 20)
		w := fold(text[next:stop])
		if said := talk[w] || how == prose && (lexis.IsStop(w) || adverbial[w]); said && words > 3 && how == prose {
			break // the sentence goes on
		} else if said || stop-next < least && (words < 1 || run(text, next, digit, 20) != stop) || stop == next ||
			words == 0 && endsIn(w, participles) {
			return 0
		}
		i = stop
		if endsLine(text, i) || how >= prose && (strings.IndexByte(",.;!?)", text[i]) >= 0 || closes(text[i:])) {
			words++
			break
		}
		if next = run(text, i, space, 1); next == i {
			return 0
		}
	}
	if _, digits, _, _ := count(text[start:i]); words < 4 && (words < 3 || digits == 0 || !named) {
		return 0
	}
	return i
}

// participles are the ends of words that tell what was done with a password: stored, written.
var participles = strings.Fields("ed ing tten rely lly")

// fourByFour tells an app password: abcd efgh ijkl mnop.
func fourByFour(s string) bool {
	for i := range len(s) {
		if (i%5 == 4) != (s[i] == ' ') || i%5 != 4 && !is(s[i], lower) || i%5 == 0 && talk[s[i:i+4]] {
			return false
		}
	}
	return true
}

// talk are the words of which one shows that a phrase speaks about a password.
var talk = set("too not must least required invalid wrong incorrect characters character letters password passwort your be is " +
	"expired short the enter " +
	"forgot try again reset change new confirm should could would always never same that this which with have made sent from when what " +
	"been were will they like last long very year")

// adverbial are words that say where, when or how a password is.
var adverbial = set("still never really quite pretty after before until under behind inside near every all only once probably safe " +
	"kept hidden known gone enough everywhere somewhere nowhere usually case sensitive")

// phrase accepts quoted words: with digits, as an app password in groups of four, or as three words or more that do not talk about
// a password.
func phrase(v string, blanks, digits, how int) bool {
	words := strings.Fields(fold(v))
	groups := len(words) == 4
	for _, w := range words {
		groups = groups && len(w) == 4
		if talk[strings.Trim(w, ".,!?")] {
			return false
		}
	}
	return blanks < 12 && (digits > 0 || groups || how >= prose && len(words) > 2)
}

// setting tells whether letters alone are a value, as no blanks stand around the sign: DB_PASS=qwertyuiop, --password=qwertyuiop,
// ?password=qwertyuiop.
func setting(text string, stop int, v string, n name) bool {
	f := fold(v)
	if len(v) < 8 || at(text, n.to) != '=' || is(at(text, n.to+1), space) || strings.Contains(f, "pass") || strings.Contains(f, "secret") {
		return false
	}
	own := text[n.from:n.to]
	c := at(text, n.from-1)
	if before, _ := wordBefore(text, n.from); c == ' ' && strings.IndexByte(before, '=') > 0 &&
		before[len(before)-1] != ',' { // user=bob password=…
		c = ';'
	}
	env := strings.ContainsAny(own, "_") && own == strings.ToUpper(own)
	return (env || strings.HasPrefix(own, "--") || c == '?' || c == '&' || c == ';') && at(text, stop) != '(' && at(text, stop) != '.'
}

// secretLike accepts what looks drawn by lot: long enough, letters and digits, little repetition, not made of words.
func secretLike(v string, inQuotes bool, n name, how int) bool {
	if inQuotes && how <= colon && !n.loose {
		if _, digits, _, blanks := count(v); digits > 0 && blanks > 1 {
			return phrase(v, blanks, digits, how)
		}
	}
	if !n.loose && (signs(v) > 0 && chosen(v) || how <= colon && words(v, inQuotes || how == assigned)) {
		return true
	}
	if k := kinds(v); k&digit == 0 && k&alpha != alpha {
		return false
	}
	least := 16
	if n.loose || how == beside && !inQuotes {
		least = 20
	}
	if drawn(v) && !identifier(v) && (len(v) >= 16 || !n.loose && how <= below) {
		return true
	}
	if how == assigned && !n.loose && len(v) > 9 && kinds(v)&alpha != alpha &&
		run(v, 0, alnum, len(v)) == len(v) && mixed(v) && !wordy(v) && !identifier(v) {
		return true
	}
	if len(v) < least || !mixed(v) || wordy(v) || strings.IndexByte(v, ',') >= 0 || strings.Contains(v, "://") {
		return false
	}
	for i := range len(v) {
		if !is(v[i], word|dot|base) && strings.IndexByte("~!@#$%^*:&", v[i]) < 0 && !(inQuotes && !n.loose && v[i] >= 0x21 && v[i] < 0x7f) {
			return false
		}
	}
	if identifier(v) && (n.loose || how >= prose && strings.Contains(v, "-")) {
		return false
	}
	return entropy(v) >= 3
}

// words tells a secret that somebody made of words: keyboard-cat-goes-miaow, ducksInARow99.
func words(v string, sure bool) bool {
	letters, digits, _, _ := count(v)
	if letters < 8 || run(v, 0, word, len(v)) < len(v) || identifier(v) || technical(v) || endsIn(fold(v), stores) {
		return false
	}
	return strings.Count(v, "-") > 2 || sure && digits > 0 && len(v) > 9 && !strings.ContainsAny(v, "-_") || digits > 0 &&
		strings.Count(v, "-") > 1
}

// stores are the last words of names of things that hold a secret.
var stores = strings.Fields("secret secrets creds credentials credential token tokens key keys cert tls db config prod dev staging " +
	"auth name")

// pin takes a short number behind a sign.
func pin(text string, start int, n name, how int) (Finding, bool) {
	stop, size := shortNumber(text, start)
	return Finding{rulePIN, start, stop}, how <= below && (size > 3 || size == 3 && foldPrefix(text[n.from:n.to], "cv"))
}

// codes takes a list of codes: letters or digits in groups, parted by blanks, commas or lines.
func codes(text string, start, how int) (Finding, bool) {
	stop, size, many := start, 0, false // many: of one size, as lists of codes are
	for next := start; ; {
		end := run(text, next, alnum|dash, judged)
		_, digits, _, _ := count(text[next:end])
		if end-next < 4 || end-next < 6 && digits < end-next || end-next == judged || digits < 2 || strings.IndexByte("/:@.", at(text,
			end)) >= 0 && is(at(text, end+1), alnum) {
			break
		}
		many = many || end-next == size && !year(text[next:end])
		size = end - next
		stop = end
		next = end
		for next < len(text) && next-end < 6 && strings.IndexByte(" ,;-\r\n\"'`*", text[next]) >= 0 {
			next++
		}
		if next == end {
			break
		}
	}
	v := text[start:stop]
	if len(v) < 6 || placeholder(v) {
		return Finding{}, false
	}
	first := run(text, start, alnum, judged) - start
	if how > beside && !many && (first < 3 || at(text, start+first) != '-' || run(text, start+first+1, alnum, judged) != start+2*first+1) {
		return Finding{}, false // groups of one size tell a code that stands some words on
	}
	return Finding{ruleCode, start, stop}, true
}
