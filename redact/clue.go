package redact

import "strings"

// A clue is a word that tells that a secret may stand near it, and how strongly: 3 says it alone, 1 only beside other clues.
type clue struct {
	from, to int
	rule     string
	secret   int  // that a password, a key or the like is near
	code     int  // that a code of digits is near
	program  bool // it is a part of a program, and speaks of its own line and of nothing but what looks drawn
	thing    int  // what a code of digits opens or confirms: it counts only beside a word for a code
}

// Weights that a value needs: of the word that tells it, of its own look, and of what joins the two.
const (
	enough   = 4
	reach    = 120 // bytes between a clue and a value behind it
	backward = 90  // bytes between a value and a clue behind it
)

// clueWords are words that say something about a value near them without being its name. "-code" may end with a code's word: Tresorcode.
var clueWords = []struct {
	words string
	clue
}{
	{"login logon log_in signin sign_in sign-in logging_in log_into connect credential credentials connection identifiant", clue{secret: 1}},
	{"wifi wi-fi wlan wpa wpa2 wpa3", clue{rule: rulePassword, secret: 2}},
	{"ssid", clue{rule: rulePassword, secret: 2}},
	{"security_question security_answer security_word code_word codeword memorable_word sicherheitsfrage", clue{
		rule:   rulePassword,
		secret: 3,
	}},
	{"authenticator totp otp 2fa mfa", clue{secret: 1, thing: 2}},
	{"tokens keys secrets passwords bearer session cookie service_account", clue{secret: 1}},
	{"admin root sudo minioadmin", clue{secret: 1}},
	{"identified_by", clue{rule: rulePassword, secret: 3}},
	{"lock unlock", clue{code: 1, thing: 2}},
	{"schloss serrure cerradura", clue{code: 1, thing: 1}},
	{"opens_with öffnet " +
		"unlock_with tapez tippe druk entsperrst to_confirm to_verify to_log press enter dial disarm arm armed entschärfen eingeben " +
		"désarmer taper", clue{code: 1}},
	{"code codes kode kodes kod código codigo codice koodi combo combination kombination combinaison combinación combinazione " +
		"cijfercode", clue{code: 1}},
	{"passcode", clue{rule: rulePassword, secret: 3, code: 3}},
	{"otp tan", clue{code: 3}},
	{"pass_is pass_was", clue{rule: rulePassword, secret: 2}},
	{
		"padlock keypad lockbox key_safe key_box schlüsselkasten vorhängeschloss zahlenschloss cadenas candado lucchetto digicode",
		clue{code: 2},
	},
	{"your dein votre", clue{thing: 1}},
	{"door gate garage alarm safe vault locker voicemail mailbox sim entry access tresor tür haustür garagen tor alarmanlage " +
		"portail coffre coffre-fort porte alarme immeuble alarma caja_fuerte puerta portal allarme cassaforte cancello portone kluis " +
		"sleutelkastje slot cofre portão luggage " +
		"suitcase bike phone shed one-time keybox building verification verify sms texted text confirmation confirm security " +
		"sicherheits zugangs bestätigungs", clue{thing: 2}},
}

// otherCodes stand before "code" where it opens nothing.
var otherCodes = set("status error exit return response postal post zip area country currency source promo discount coupon booking " +
	"product " +
	"article dress qr bar color colour morse http oauth icd atc code error-code ascii unicode model part region language sort room fault " +
	"event " +
	"rabatt fiscale source produto producto produit área zona prodotto barras sort tax course")

// compounded are words that others are put before: Fahrradschloss.
var compounded = set("schloss alarm tür tresor kombination")

// owners stand before a word that needs no other one to say what is meant.
var owners = set("the a my our your his her their new de der die den das mein meine unser dein neuer o el la le il mi mon notre su " +
	"votre het mijn onze")

// clueAt makes a clue of the word at text[start:end], if it is a word of its own or the first part of one for a code.
func clueAt(text string, start, end int, c clue) (clue, bool) {
	c.from, c.to = start, run(text, end, lower|upper, 20)
	if compounded[fold(text[start:end])] {
		if c.from = back(text, start, alpha|dash, 20); c.from < start {
			c.thing = 2
		}
	}
	if c.program {
		c.to = end
		return c, true
	}
	switch rest := fold(text[end:c.to]); {
	case rest == "" || rest == "s" || c.secret > 0 && (rest == "ing" || rest == "ed"):
	case c.thing > 0 && (strings.HasSuffix(rest, "code") || strings.HasSuffix(rest, "kombination") || strings.HasSuffix(rest, "pin")):
		c.code = 1
	default:
		return c, false
	}
	if !spoken(text, c.from, c.to) {
		c.secret, c.program = min(c.secret, 1), true
		return c, c.secret > 0
	}
	if c.code == 1 && c.thing == 0 {
		stop := back(text, start, space|dash|under, 2)
		kind := fold(text[back(text, stop, word, 20):stop])
		next, i := nextWord(text, run(text, c.to, space, 1))
		after, _ := nextWord(text, i)
		if otherCodes[kind] || otherCodes[fold(next)] || otherCodes[fold(after)] {
			return c, false
		}
		if owners[kind] { // a code that needs no other word
			c.thing = 1
		}
	}
	return c, true
}

// spoken tells a word of a sentence from a part of a program by what stands around it.
func spoken(text string, from, to int) bool {
	before, after := at(text, from-1), at(text, to)
	opened := strings.HasSuffix(text[:from], "«") || strings.HasSuffix(text[:from], "„")
	return (opened || strings.IndexByte(" \t\r\n\"'`*([\x00", before) >= 0) &&
		(strings.IndexByte(" \t\r\n.,;:!?)\"'`*\x00", after) >= 0 || closes(text[to:])) && !(after == '.' && is(at(text, to+1), alnum))
}

// clue is what a name says about values that no sign joins to it. The name of a program's variable speaks of nothing but its own value.
func (n name) clue(text string) (clue, bool) {
	c := clue{from: n.from, to: n.to, rule: n.rule}
	if strings.ContainsAny(text[n.from:n.to], "0123456789_.") || !spoken(text, n.from, n.to) {
		c.secret, c.program = 1, true
		if n.rule == rulePassword && !n.loose {
			c.secret = 2
		}
		return c, n.rule == ruleSecret || n.rule == rulePassword
	}
	if next, _ := nextWord(text, run(text, n.to, space, 1)); n.to < len(text) && is(text[n.to], space) &&
		compounds[fold(strings.TrimRight(next, ".,;:!?"))] {
		return c, false
	}
	switch own := text[n.from:n.to]; n.rule {
	case rulePIN:
		c.code = 2
		if foldPrefix(own, "cv") {
			c.code = 5
		} else if own != "pin" {
			c.code = 3
		}
	case rulePassword:
		c.secret, c.code = 3, 2
		if n.loose {
			c.secret, c.code = 1, 0
		}
	case ruleSecret:
		c.secret = 2
		if n.loose {
			c.secret = 1
		}
	default:
		return c, false
	}
	return c, true
}

// compounds are words behind "password" and the like that make it the name of another thing.
var compounds = set("manager managers policy policies reset resets field fields rules rule hash hashes hashing generator prompt " +
	"prompts strength length " +
	"requirements cracking protection database vault app dialog form screen page typing box expiry rotation")

// weigh returns the values that the clues around them, the way they are joined and their own look prove to be secret. Every byte is
// read once, and every value that looks like one is held against the clues within reach.
// What is known, in order, is not weighed again.
func weigh(text string, clues []clue, known []Finding) (found []Finding) {
	first, seen := 0, 0
	for _, c := range clues {
		if c.secret+c.code == 0 {
			continue
		}
		end, i := min(len(text), c.to+reach), max(seen, c.from-backward)
		for i > seen && i < end && !is(text[i-1], space) && text[i-1] != '\n' { // not in the middle of a word
			i++
		}
		for i < end {
			for len(known) > 0 && known[0].End <= i {
				known = known[1:]
			}
			start, stop, looks := candidate(text, i, known)
			if start >= end {
				break
			}
			if stop > start && looks >= 0 {
				for first < len(clues) && clues[first].to+reach < start {
					first++
				}
				f, ok := prove(text, start, stop, looks, clues[first:])
				if n := len(found); !ok && n > 0 && found[n-1].Rule == rulePIN {
					f, ok = Finding{rulePIN, start, stop}, sibling(text, found[n-1].Start, found[n-1].End, start, stop)
				}
				if ok {
					found = append(found, f)
				}
			}
			i = max(stop, start+1)
			seen = i
		}
	}
	return found
}

// candidate returns the next text at or behind i that could be a secret, at most a word, and how much it looks like one: see looks.
// A word within what is known looks like nothing.
func candidate(text string, i int, known []Finding) (start, stop, look int) {
	for i < len(text) && (is(text[i], space) || strings.IndexByte("\r\n\"'`*(,[{<>", text[i]) >= 0) {
		i++
	}
	if end, size := shortNumber(text, i); size > 0 {
		return i, end, 0
	}
	if end := groups(text, i); end > 0 {
		return i, end, 3
	}
	if sign := run(text, i, word, 40); sign > i && at(text, sign) == '=' && is(at(text, sign+1), alnum) { // name=value
		i = sign + 1
	}
	mark := byte(0)
	if i > 0 && strings.IndexByte("\"'`", text[i-1]) >= 0 {
		mark = text[i-1]
	}
	stop = extent(text, i, mark, false, judged)
	if mark != 0 && (at(text, stop) != mark || strings.IndexByte(text[i:stop], ' ') >= 0) {
		stop = extent(text, i, 0, false, judged)
	}
	end := stop
	for end < len(text) && end-i < judged && !is(text[end], space) && strings.IndexByte("\r\n\"'`>", text[end]) < 0 {
		end++
	}
	if len(known) > 0 && known[0].Start <= i && stop <= known[0].End {
		return i, stop, -1
	}
	if stop-i < 6 || stop-i >= judged || is(at(text, stop), alnum) || strings.Contains(text[i:end], "://") {
		return i, end, -1
	}
	if l := looks(text[i:stop], at(text, stop)); l >= 0 {
		return i, stop, l
	}
	return i, end, -1
}

// looks tells how much v looks like a secret by itself: 3 drawn by lot, 2 chosen as a password or a long number to the base of 16,
// 0 a word with digits in it, -1 something else.
func looks(v string, after byte) int {
	letters, digits, _, _ := count(v)
	switch {
	case digits == 0 && strings.Count(v, "-") > 2 && words(v, false): // correct-horse-battery-staple
		return 0
	case digits == len(v) && digits > 15: // the key of a wireless network
		return 0
	case base32(v):
		return 3
	case letters < 2 || v[0] == '-' || v[0] == '#' || file(v) || digits == 0 && !drawn(v) || len(v) < 60 && strings.HasPrefix(v, "0x"),
		technical(v) || email(v) || identifier(v) || placeholder(v) || codeLike(v, after):
		return -1
	case drawn(v) && !strings.ContainsAny(v, ":,;<>(){}[]\\"):
		return 3
	case chosen(v) || len(v) >= 32 && len(v)%16 == 0 && run(v, 0, hexes, len(v)) == len(v):
		return 2
	case len(v) < 7 || letters < 4 || v[0] < 'A' && run(v, run(v, 0, digit, len(v)), alpha, len(v)) == len(v), // 1Password
		strings.ContainsAny(v, "/:,;<>(){}[]\\|%") || strings.HasPrefix(fold(v), "http"):
		return -1
	}
	return 0
}

// base32 tells the key of a one-time password: capitals and the digits 2 to 7 that make no words.
func base32(v string) bool {
	if len(v) < 16 || len(v)%8 != 0 || run(v, 0, upper|digit, len(v)) < len(v) || strings.ContainsAny(v, "0189") ||
		strings.HasPrefix(v, "ABC") {
		return false
	}
	odd := 0
	for i := 1; i < len(v); i++ {
		if !is(v[i-1], upper) || !is(v[i], upper) || follows[v[i-1]-'A']>>(v[i]-'A')&1 == 0 {
			odd++
		}
	}
	return odd > 1
}

// file tells a name with an ending: main.4f3c2a1b.js.
func file(v string) bool {
	dot := strings.LastIndexByte(v, '.')
	return dot > 0 && len(v)-dot > 1 && len(v)-dot < 6 && run(v, dot+1, lower, 5) == len(v)
}

// prove adds up what the clues say about text[start:stop]. The strongest clue of each kind counts, in the same sentence or the one before.
func prove(text string, start, stop, look int, clues []clue) (Finding, bool) {
	secret, code, thing, rule, behind := 0, 0, 0, "", false
	own, ownCode := false, false // the name stands right before it
	for _, c := range clues {
		if c.from >= start && c.from > stop+backward {
			break
		}
		if c.from < stop && c.to > start || c.program && (look < 3-c.secret/2 || look > 2 && stop-start < 16) ||
			!near(text, c, start, stop, look) {
			continue
		}
		if c.secret > secret {
			secret, rule, behind = c.secret, c.rule, c.from >= stop
		}
		code, thing = max(code, c.code), max(thing, c.thing)
		if c.to <= start && strings.Trim(text[c.to:start], " =:\"'") == "" {
			w, _ := wordBefore(text, c.from)
			own = own || c.secret > 0 && !notSecret[fold(text[c.from:c.to])]
			ownCode = ownCode || c.code > 1 && !numbered[w]
		}
	}
	joint := 0
	before, from := wordBefore(text, start)
	if flag := text[max(0, start-4):start]; strings.HasSuffix(flag, " ") && len(flag) == 4 && shortFlags[strings.TrimSpace(flag)] {
		secret, joint = max(secret, 1), 1
	} else if joined(text, start) {
		joint = 1
	}
	shape, size := shortNumber(text, start)
	short := size > 0 && shape == stop
	if !ownCode && (short || !own) && labelled(text, start) {
		return Finding{}, false
	}
	if next, _ := nextWord(text, run(text, stop, space, 1)); joint == 0 && verbs[fold(next)] && (short || behind && !places[before]) {
		joint = 1
	}
	if short {
		if ownCode && joint == 0 && !year(text[start:stop]) { // pin 0407
			joint = 1
		}
		if joint == 0 && size == 3 {
			return Finding{}, false
		}
		if size != 3 {
			joint++
		}
		if text[stop-1] == '#' { // as a keypad wants it
			code++
		}
		return Finding{rulePIN, start, stop}, code > 0 && code+thing+joint >= enough && !counted(text, start, stop)
	}
	if own && secret > 1 && joint == 0 {
		joint = 1
	}
	if joint == 0 && strings.HasSuffix(strings.TrimRight(text[:from], " "), ":") { // login: bob S3cr3tPass9
		joint = 1
	}
	if user, _ := wordBefore(text, from); joint > 0 && email(user) { // bob@example.com with …
		rule, secret = rulePassword, max(secret, 2)
	}
	if rule == rulePassword && look == 0 && !places[before] && !listed(text, start) &&
		(run(text, start, digit, stop-start) == stop || run(text, start, hexes, stop-start) < stop &&
			strings.ToUpper(text[start:stop]) != text[start:stop]) && !modifies(text, stop, behind) {
		look = 1
	}
	if secret == 0 || secret+look+joint < enough || stop-start < 7 && rule != rulePassword {
		return Finding{}, false
	}
	if rule == "" {
		rule = ruleSecret
	}
	return Finding{rule, start, stop}, true
}

// sibling tells whether the number at text[start:stop] is written as the code before it is, in the same sentence or list.
func sibling(text string, from, to, start, stop int) bool {
	between := text[to:start]
	if stop-start != to-from || len(between) > 60 || year(text[start:stop]) || counted(text, start, stop) {
		return false
	}
	for i := range stop - start {
		if kind[text[from+i]]&^hexes != kind[text[start+i]]&^hexes {
			return false
		}
	}
	return sentences(between) == 0 || strings.Trim(between, "\r\n\t 0123456789.,;)-*") == ""
}

func year(v string) bool { return len(v) == 4 && (v[:2] == "19" || v[:2] == "20") }

// wordBefore is the last word before i in lower case, and where it starts.
func wordBefore(text string, i int) (string, int) {
	i = back(text, i, space, 4)
	from := i
	for from > 0 && i-from < 64 && !is(text[from-1], space) && text[from-1] != '\n' {
		from--
	}
	return fold(strings.Trim(text[from:i], "\"'`*(,")), from
}

// near tells whether a clue is about text[start:stop]: in its sentence, or before it in the sentence before.
func near(text string, c clue, start, stop, look int) bool {
	if c.to <= start {
		between := text[c.to:start]
		if c.program {
			return len(between) <= reach && strings.Count(between, "\n") == strings.Count(between, "\n  - ")
		}
		return len(between) <= reach && sentences(between) <= 1 && !strings.Contains(between, "\n\n")
	}
	between := text[stop:c.from]
	return len(between) <= backward && !c.program && sentences(between) <= look/3
}

// sentences counts the ends of sentences and lines in s.
func sentences(s string) (n int) {
	for i := range len(s) {
		if s[i] == '\n' || i+1 < len(s) && s[i+1] == ' ' && (s[i] == '.' || s[i] == '!' || s[i] == '?') {
			n++
		}
	}
	return n
}

// shortFlags stand before a password, a token or a key on many command lines.
var shortFlags = set("-p -P -w -a -t -k -s -pw")

var joints = set("be to from with as use uses using enter type dial used wants takes press try into auf von mit zu à a con avec med " +
	"till met /")

// places stand before the name of what a password is for, or of what it is not.
var places = set("for on at of from in via by named called host server machine box user account version ssid network the a an my our " +
	"this that your " +
	"für auf bei von am im des der das die den dem mein meine unser pour sur de du le la mon dans para en del el mi su per di il per " +
	"voor op het " +
	"using run running install installed upgrade and or vs like than")

// listed tells a quoted text among others in a program.
func listed(text string, i int) bool {
	q := i - 1
	i = back(text, q, space, 40)
	return strings.IndexByte("\"'`", at(text, q)) >= 0 && q >= 0 && strings.IndexByte(",([{\n", at(text, i-1)) >= 0 && i > 0
}

// modifies tells whether the word before stop is what something is said of: the web01 password, Windows95 is old.
func modifies(text string, stop int, behind bool) bool {
	if at(text, stop) != ' ' {
		return false
	}
	w, _ := nextWord(text, stop+1)
	w = fold(strings.TrimRight(w, ".,;:!?"))
	return modified[w] || !behind && w != "" && is(w[0], lower) && verbs[w]
}

var modified = set("password passwort passwords login account accounts user server host machine box wifi router router's key " +
	"token network project app " +
	"branch field column table file version model release update")

// articles may stand between such a word and the value.
var articles = set("the le la el il das die der o het")

// joined tells whether a word or a sign that introduces a value stands before i: "is", "to", a colon.
func joined(text string, i int) bool {
	for range 3 {
		for i > 0 && (is(text[i-1], space) || strings.IndexByte("\"'`*(", text[i-1]) >= 0) {
			i--
		}
		if i == 0 || strings.IndexByte(":=>", text[i-1]) >= 0 {
			return i > 0
		}
		from := i
		for from > 0 && i-from < 20 && !is(text[from-1], space) && text[from-1] != '\n' {
			from--
		}
		w := fold(text[from:i])
		if verbs[w] || joints[w] {
			return true
		}
		if w == "called" || !adverbs[w] && !articles[w] {
			return false
		}
		i = from
	}
	return false
}

// labelled tells whether the value at i has a name of its own that is none of a secret: request_id=…, "commit": …
func labelled(text string, i int) bool {
	j := i
	for j > 0 && (is(text[j-1], space) || strings.IndexByte("\"'`*", text[j-1]) >= 0) {
		j--
	}
	switch at(text, j-1) {
	case '=', '#':
		return true
	case ':':
	default:
		w, from := wordBefore(text, j)
		if verbs[w] && !notSecret[w] {
			w, _ = wordBefore(text, from)
		}
		return notSecret[w]
	}
	if strings.IndexByte("\"'`", at(text, j-2)) >= 0 {
		return true
	}
	from := back(text, j-1, word|dot, 40)
	if notSecret[fold(text[from:j-1])] || strings.ContainsAny(text[from:j-1], "_.") {
		return true
	}
	line := text[max(0, from-judged):from]
	end := strings.LastIndexByte(line, '\n')
	if strings.Trim(line[end+1:], " -*{,") != "" {
		return false
	}
	above := line[:max(end, 0)]
	speaker, said, ok := strings.Cut(above[strings.LastIndexByte(above, '\n')+1:], ": ")
	return !ok || !is(text[from], upper) || strings.Contains(speaker, " ") || strings.Count(said, " ") < 3 // not a talk of two
}

// notSecret are the words before a value that looks drawn and is none.
var notSecret = set("id ids commit hash sha sha256 sha1 md5 checksum digest etag fingerprint version build revision rev model serial " +
	"tag user username " +
	"file path branch image pod ref integrity uuid guid trace request order object public account address addr name nanoid hostname host " +
	"bundle ssid network called heißt")

// shortNumber reads a number of three to twelve digits as codes are written: 0913, 77-14-52, 638 205, 58#2091, 2468#, 4417B.
func shortNumber(text string, i int) (stop, size int) {
	if is(at(text, i), upper) && at(text, i+1) == '-' && !is(at(text, i-1), word) && is(at(text, i+2), digit) { // G-583920
		i += 2
	} else if is(at(text, i), upper) && !is(at(text, i-1), word|dot|base) && run(text, i+1, digit, 4) == i+5 {
		i++
	} else if !is(at(text, i), digit) || is(at(text, i-1), word|dot|base) || i > 0 && strings.IndexByte(",:#$@%[\xa3\xac",
		text[i-1]) >= 0 { // £, €
		return 0, 0
	}
	stop = run(text, i, digit, 9)
	group := stop - i
	size = group
	if at(text, i-1) == ' ' && back(text, i-1, digit, 2) == i-3 {
		return 0, 0 // part of a longer number: 845 2210 9931
	}
	if sep := at(text, stop); group < 5 && (sep == ' ' || sep == '-') {
		for size < 12 && at(text, stop) == sep && run(text, stop+1, digit, 9) == stop+1+group {
			stop, size = stop+1+group, size+group
		}
	}
	if c := at(text, stop); (c == '#' || is(c, upper)) && is(at(text, stop+1), digit) {
		end := run(text, stop+1, digit, 9)
		stop, size = end, size+end-stop-1
	}
	if size < 3 || size > 12 || size == group && size > 8 {
		return 0, 0
	}
	if c := at(text, stop); c == '#' || c == '*' && at(text, stop+1) != '*' || is(c, upper) && size > 3 && !is(at(text, stop+1), alnum) {
		stop++
	}
	if c := at(text, stop); is(c, word|base) || c >= 0x80 && !closes(text[stop:]) ||
		strings.IndexByte(".,:%", c) >= 0 && is(at(text, stop+1), digit) || c == '%' || c == '(' {
		return 0, 0
	}
	return stop, size
}

// counted tells a number of things, a year or the number of something from a code.
func counted(text string, start, stop int) bool {
	from := back(text, start, space, 2)
	before := fold(text[back(text, from, alpha, 20):from])
	if articles[before] {
		from = back(text, from-len(before), space, 2)
		before = fold(text[back(text, from, alpha, 20):from])
	}
	next, _ := nextWord(text, run(text, stop, space, 2))
	if v := text[start:stop]; len(v) > 4 && strings.HasSuffix(v, "000") {
		return true
	}
	return numbered[before] || units[strings.TrimRight(fold(next), ".,;:!?)")]
}

var (
	numbered = set("january february march april may june july august september october november december januar märz mai juni juli " +
		"oktober dezember connect wire header board " +
		"rfc at on gate door puerta porte tor tür in since until before after by room page line chapter year version " +
		"port order invoice ticket error status gpio about over under than " +
		"line section exit house street apartment flat bus flight im seit raum zimmer seite nummer pr issue um around almost")
	units = set("characters chars digits digit letters lines times people users pieces items euros euro dollars usd eur minutes hours " +
		"days weeks months " +
		"years seconds km m kg g mb gb kb ms am pm h uhr zeichen stellen mal euro jahre tage stunden caracteres dígitos caractères chiffres " +
		"of bytes points " +
		"tests errors nm pages entries rounds € $")
)
