package redact

import (
	"strings"
	"sync"
)

// Rules that know a secret by the name beside it.
const (
	rulePassword = "password"
	ruleSecret   = "secret"
	rulePIN      = "pin"
	ruleCode     = "recovery code"
	ruleSSN      = "social security number"
)

// A name is what a value is told to be, however its words are joined: DB_PASS, dbPass, "db pass", --db-pass. It stands at text[from:to].
type name struct {
	from, to int
	rule     string
	loose    bool // the name alone says little: "pass", "key"; the value must look the more like a secret
}

// secretNames are the ends of names of secrets, in lower case and without what joins their words.
var secretNames = strings.Fields("secret token credential credentials auth sessionid sessid connectsid salt keydata csrf xsrf " +
	each("key", "setup totp authenticator mfa api app application secret access private auth encryption encrypt signing account master "+
		"shared preshared license "+
		"licence "+
		"service session deploy webhook client consumer storage ssh tls ssl wallet product crypto hmac jwt cipher aes rsa deployment "+
		"subscription "+
		"gateway server broker vapid restic backup admin user root bot github gitlab openai anthropic stripe aws gcp azure secretaccess "+
		"apisecret"))

// each puts the same ending behind each of the words.
func each(end, words string) string { return strings.ReplaceAll(words, " ", end+" ") + end }

var (
	passwordNames = strings.Fields("password mdp passwort passwd psk securestring passphrase passcode kennwort contrasena pwd pswd wifikey " +
		"wlankey wpakey " +
		"wpa2key " +
		"motdepasse wachtwoord senha clave losenord parola heslo passord adgangskode salasana")
	foreignNames = strings.Fields("contraseña Contraseña lösenord Lösenord hasło Hasło пароль Пароль 密码 密碼 口令 パスワード 비밀번호 " +
		"jelszó şifre")
	codeNames = strings.Fields("onetimecodes " + each("code", "backup recovery 2fa rescue scratch unlock emergency emergencyaccess notfall "+
		"wiederherstellungs") + " " + each("codes", "backup recovery 2fa "+
		"rescue scratch unlock emergency notfall wiederherstellungs") +
		" recoverykey recoverykeys puk")
	pinNames = strings.Fields("pin pincode cvv cvc cvv2 cvc2")
	// otherKeys open nothing.
	otherKeys = strings.Fields(each("key", "public primary foreign sort partition cache row index object translation group hash "+
		"lookup unique natural "+
		"idempotency routing config registry dict sorting search answer publishable minor major piano house car data dedup storage bucket "+
		"file") + " " +
		each("keys", "hot short arrow"))
	// asides are last words of a name that do not change what it names: SECRET_KEY_BASE, TLS_KEY_B64, db_password_2.
	asides = strings.Fields("base b64 base64 value string text plain plaintext raw hex prod dev staging old new main default 1 2 3")
	// notPass end in "pass" and name no password.
	notPass = strings.Fields("compass bypass trespass overpass underpass surpass encompass getpass")
)

// nameAt reads the name that the word at text[start:end] belongs to.
func nameAt(text string, start, end int) (n name, ok bool) {
	if text[end-1] == '=' {
		end--
	}
	n.from, n.to = back(text, start, word|dot, 80), run(text, end, word, 40)
	for _, f := range foreignNames {
		if text[start:end] == f {
			n.rule = rulePassword
			return n, true
		}
	}
	for _, w := range []string{" phrase", " code"} {
		if strings.EqualFold(text[n.from:n.to], "pass") && foldPrefix(text[n.to:], w) {
			n.to += len(w)
		}
	}
	if strings.EqualFold(text[n.from:n.to], "social security") && foldPrefix(text[n.to:], " number") {
		n.to += len(" number")
	}
	if c := at(text, n.to); c >= 0x80 && !closes(text[n.to:]) {
		return n, false // the word goes on in another alphabet
	}
	own := strings.ReplaceAll(text[n.from:n.to], " ", "")
	if strings.HasSuffix(own, "--") {
		return n, false // -----BEGIN PUBLIC KEY-----
	}
	if i := len(own) - 1; i > 1 && is(own[i], digit) && !is(own[i-1], digit) { // password2
		own = own[:i]
	}
	for {
		head, ok := aside(own)
		if !ok {
			break
		}
		own = head
	}
	whole := squash(own)
	switch last := last(own); {
	case last == "pass" || last == "pw" || strings.HasSuffix(last, "pass") && !oneOf(last, notPass):
		n.rule, n.loose = rulePassword, last == whole && last == "pass"
		return n, true
	case oneOf(last, pinNames):
		n.rule = rulePIN
		return n, true
	case last == "sid" && whole != "sid" || whole == "sid" && strings.IndexByte(";&? \"'", at(text, n.from-1)) >= 0:
		n.rule, n.loose = ruleSecret, true
		return n, true
	case whole == "sig" || strings.HasSuffix(whole, "signature") || whole == "appid" || whole == "code":
		c := at(text, n.from-1)
		n.rule = ruleSecret
		if query := (c == '?' || c == '&') && at(text, n.to) == '='; query || whole != "code" { // "backup code"
			return n, query
		}
	}
	if whole == "key" && (at(text, n.from-1) == '?' || at(text, n.from-1) == '&') {
		n.rule, n.loose = ruleSecret, true
		return n, true
	}
	// In prose the words of a name stand apart: "secret access key".
	all, bare := whole, !strings.ContainsAny(own, "_-.")
	for i, words := n.from, 0; bare && words < 2 && at(text, i-1) == ' '; words++ {
		from := back(text, i-1, alnum|dash, 20)
		all = squash(text[from:i-1]) + all
		i = from
	}
	switch known := nameKinds().of(all); {
	case known&passwordName != 0:
		n.rule = rulePassword
	case known&codeName != 0:
		n.rule = ruleCode
	case known&secretName != 0:
		n.rule = ruleSecret
		n.loose = whole == "auth" || strings.HasSuffix(whole, "salt") || strings.HasSuffix(whole, "id")
	case strings.HasSuffix(all, "ssn") || strings.Contains(all, "socialsecurity"):
		n.rule = ruleSSN
	case last(own) == "key" && known&otherKey == 0:
		n.rule, n.loose = ruleSecret, true
	default:
		return n, false
	}
	return n, true
}

// What the end of a name tells.
const (
	passwordName = 1 << iota
	codeName
	secretName
	otherKey
)

// endings are words read from their ends, so that all that a name may end in are looked for at once.
type endings struct {
	before byte
	is     uint8
	longer []*endings
}

func (e *endings) child(before byte) *endings {
	for _, l := range e.longer {
		if l.before == before {
			return l
		}
	}
	return nil
}

var nameKinds = sync.OnceValue(func() *endings {
	all := &endings{}
	for kind, words := range map[uint8][]string{
		passwordName: passwordNames, codeName: codeNames, secretName: secretNames, otherKey: otherKeys,
	} {
		for _, w := range words {
			e := all
			for i := len(w) - 1; i >= 0; i-- {
				next := e.child(w[i])
				if next == nil {
					next = &endings{before: w[i]}
					e.longer = append(e.longer, next)
				}
				e = next
			}
			e.is |= kind
		}
	}
	return all
})

// of tells what s ends in.
func (e *endings) of(s string) (known uint8) {
	for i := len(s) - 1; i >= 0; i-- {
		if e = e.child(s[i]); e == nil {
			break
		}
		known |= e.is
	}
	return known
}

// aside cuts the last word off a name if it is an aside.
func aside(s string) (string, bool) {
	i := strings.LastIndexAny(s, "_-.")
	if i < 1 || !oneOf(fold(s[i+1:]), asides) {
		return s, false
	}
	return s[:i], true
}

// last is the last word of a name in lower case: "sid" of connect.sid, "pass" of dbPass.
func last(s string) string {
	s = strings.TrimRight(s, "_-.")
	i := len(s)
	for i > 0 && !is(s[i-1], under|dash|dot) {
		i--
		if i > 0 && is(s[i], upper) && is(s[i-1], lower) {
			break
		}
	}
	return fold(s[i:])
}

func oneOf(s string, words []string) bool {
	for _, w := range words {
		if s == w {
			return true
		}
	}
	return false
}

func endsIn(s string, words []string) bool {
	for _, w := range words {
		if strings.HasSuffix(s, w) {
			return true
		}
	}
	return false
}

// squash is s in lower case without the signs that join the words of a name.
func squash(s string) string {
	if kinds(s)&(upper|under|dash|dot) == 0 {
		return s
	}
	var buf [160]byte
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
