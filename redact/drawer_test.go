package redact

import (
	"encoding/base64"
	"math/rand/v2"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/reverie-memory/reverie/lexis"
)

var alphabets = map[string]string{
	"a": "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
	"b": "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/",
	"h": "0123456789abcdef",
	"U": "0123456789ABCDEF",
	"u": "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
	"t": "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
	"l": "abcdefghijklmnopqrstuvwxyz",
	"d": "0123456789",
}

var fill = regexp.MustCompile(`\{([abhUutld])(\d+)\}`)

// A drawer fills the slots of the lines of train.txt.
type drawer struct {
	rng   *rand.Rand
	words []string
	cues  map[cue][]string
}

func newDrawer(a, b uint64) *drawer {
	words, _ := os.ReadFile("../lexis/words.txt")
	return &drawer{rng: rand.New(rand.NewPCG(a, b)), words: strings.Fields(string(words))}
}

// fill fills the slots of unseen_secrets.txt: {a20} are 20 random letters and figures.
func (d *drawer) fill(text string) string {
	return fill.ReplaceAllStringFunc(text, func(m string) string {
		part := fill.FindStringSubmatch(m)
		n, _ := strconv.Atoi(part[2])
		return d.of(alphabets[part[1]], n)
	})
}

// message fills the slots of a line, and may put other words around it.
func (d *drawer) message(line string) string {
	if d.rng.IntN(4) == 0 {
		line = d.one("can you help? ", "Here it is:\n\n", "note: ", "ok, ", "- ", "‹w› ‹w› ‹w›. ", "‹w› ‹w›?\n") + line
	}
	if d.rng.IntN(4) == 0 {
		line += d.one("\n\nwhy does it fail?", ". Thanks!", "\nplease check", ", ‹w› ‹w› ‹w›", " ", ".", "\n‹w›: ‹n›")
	}
	return slot.ReplaceAllStringFunc(line, func(m string) string { return d.draw(slot.FindStringSubmatch(m)[1]) })
}

var slot = regexp.MustCompile(`‹(\w+)›`)

func (d *drawer) one(from ...string) string { return from[d.rng.IntN(len(from))] }

func (d *drawer) of(alphabet string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[d.rng.IntN(len(alphabet))]
	}
	return string(b)
}

// word is a common word, or one that only looks like one.
func (d *drawer) word() string {
	if d.rng.IntN(3) > 0 {
		for {
			if w := d.words[d.rng.IntN(len(d.words))]; len(w) > 3 {
				return w
			}
		}
	}
	s := ""
	for range 2 + d.rng.IntN(3) {
		s += d.of("bcdfghklmnprstvwz", 1) + d.one("a", "e", "i", "o", "u", "a", "e", "ou", "ei") + d.one("", "", "n", "r", "l", "s", "t")
	}
	return s
}

// seed are short words as wallets draw them.
func (d *drawer) seed(n int) (words []string) {
	for len(words) < n {
		if w := d.words[d.rng.IntN(len(d.words))]; len(w) > 2 && len(w) < 9 && !lexis.IsStop(w) && run(w, 0, lower, 8) == len(w) {
			words = append(words, w)
		}
	}
	return words
}

func title(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func (d *drawer) password() string {
	n := func(k int) string { return d.of("0123456789", k) }
	sign := func() string { return d.of("!#$%&*?+=@.", 1) }
	w, v := d.word(), d.word()
	leet := strings.NewReplacer("e", "3", "o", "0", "i", "1", "a", "4")
	switch d.rng.IntN(36) {
	case 27, 28:
		return d.one(w, title(w), w+v)
	case 29:
		return d.of("0123", 1) + n(1) + d.of("01", 1) + n(1) + d.one("19", "20") + n(2)
	case 30:
		return n(8 + d.rng.IntN(13))
	case 31:
		return strings.ToLower(w + d.one("-", "_", "&", ".") + v + d.one("", "-"+d.word()))
	case 32:
		return title(w) + d.one("&", "+", "_", "-", ".") + title(v)
	case 33:
		return w + v + d.word()
	case 34:
		return w
	case 35:
		return d.of("123456789", 1) + w + n(1)
	case 22:
		return title(w) + "." + title(v) + d.one("", "."+title(d.word()))
	case 23:
		return title(w) + title(v)
	case 24:
		return w + strings.ToUpper(v) + d.word()
	case 25:
		return w + n(2) + v
	case 26:
		return w + d.one("*", "+", "!", "_", "#") + v
	case 21:
		return w + "." + v + "." + d.word()
	case 20:
		return title(w) + sign() + n(2) + "-" + v
	case 0:
		return w + n(1+d.rng.IntN(4))
	case 1:
		return title(w) + n(2+d.rng.IntN(3)) + sign()
	case 2:
		return title(w) + sign() + n(2)
	case 3:
		return w + "-" + v + "-" + n(1+d.rng.IntN(4))
	case 4:
		return title(w) + title(v) + n(1+d.rng.IntN(3))
	case 5:
		return w + title(v) + "_" + n(1)
	case 6:
		return title(w) + "_" + v + n(2)
	case 7:
		return title(w) + "." + title(v) + "." + n(2)
	case 8:
		return title(leet.Replace(w)) + sign() + v
	case 9:
		return w + "-" + v + "-" + d.word() + "-" + d.word()
	case 10:
		return w + title(v)
	case 11:
		return w + v
	case 12:
		return title(w) + "-" + title(v) + "-" + n(2)
	case 13:
		return d.of(alphabets["a"], 8+d.rng.IntN(13))
	case 14:
		return d.of(alphabets["a"]+"!#$%^&*_+=-@", 8+d.rng.IntN(16))
	case 15:
		return leet.Replace(w) + sign() + n(2)
	case 16:
		return title(w) + "+" + title(v) + n(2)
	case 17:
		return d.of(alphabets["l"], 8+d.rng.IntN(9))
	case 18:
		return title(w) + d.one("_", "-") + n(1+d.rng.IntN(4))
	}
	return d.of(alphabets["a"], 3) + "-" + d.of(alphabets["a"], 4) + "-" + d.of(alphabets["l"], 4)
}

func (d *drawer) token() string {
	switch d.rng.IntN(8) {
	case 0, 1:
		return d.of(alphabets["h"], []int{32, 40, 64}[d.rng.IntN(3)])
	case 2:
		return d.draw("uuid")
	case 3:
		return d.draw("b64")
	case 4:
		return d.of(alphabets["a"]+"-_", 24+d.rng.IntN(30))
	case 5:
		return d.draw("group")
	}
	return d.of(alphabets["a"], 20+d.rng.IntN(30))
}

func (d *drawer) draw(kind string) string {
	digits := func(n int) string { return d.of("123456789", 1) + d.of("0123456789", n-1) }
	many := func(n int) string {
		var out []string
		for range n {
			out = append(out, d.word())
		}
		return strings.Join(out, " ")
	}
	switch kind {
	case "pw":
		return d.password()
	case "word":
		return d.one(d.word(), title(d.word()), d.word()+d.word(), d.word()+d.word(), d.word()+d.one("-", "_")+d.word())
	case "tok":
		return d.token()
	case "num":
		switch d.rng.IntN(10) {
		case 0:
			return strings.Join(strings.Split(d.of(alphabets["d"], 4), ""), d.one(" ", "-"))
		case 1:
			return d.draw("combo")
		case 2:
			return d.of(alphabets["d"], 2) + d.one("-", " ") + d.of(alphabets["d"], 2) +
				d.one("", "-"+d.of(alphabets["d"], 2), "-"+d.of(alphabets["d"], 1))
		case 3:
			return d.of(alphabets["d"], 3) + d.one("-", " ") + d.of(alphabets["d"], 3)
		case 4, 5:
			return d.of(alphabets["d"], 5+d.rng.IntN(2))
		case 6:
			return d.draw("year")
		}
		return d.draw("pin")
	case "spell":
		all := strings.Fields(d.one("zero one two three four five six seven eight nine", "null eins zwei drei vier fünf sechs sieben acht neun",
			"zéro un deux trois quatre cinq six sept huit neuf", "cero uno dos tres cuatro cinco seis siete ocho nueve"))
		words, by := []string(nil), d.one("-", "-", " ", ", ")
		for range 4 + d.rng.IntN(3) {
			words = append(words, all[d.rng.IntN(len(all))])
		}
		return strings.Join(words, by)
	case "Word":
		return title(d.word())
	case "Two":
		w, v := d.word(), d.word()
		return d.one(title(w)+" "+title(v), title(w)+" "+title(v), w+" "+v, title(w)+" "+v,
			title(w)+d.one(" of ", " von ", " de ", " the ")+title(v),
			d.one("Mr ", "Mrs ", "Frau ", "Miss ", "Captain ", "Sir ", "mr ", "mrs ", "St ")+d.one(title(w), w))
	case "hex":
		return d.of(alphabets["h"], []int{32, 40, 64}[d.rng.IntN(3)])
	case "sha":
		return d.of(alphabets["h"], 40)
	case "sha256":
		return d.of(alphabets["h"], 64)
	case "longhex":
		return d.of(alphabets["h"], 128)
	case "hash":
		return d.of(alphabets["h"], 7+d.rng.IntN(6))
	case "hex6":
		return d.of(alphabets["h"], 6)
	case "HEX16":
		return d.of(alphabets["U"], 16)
	case "b64":
		b := make([]byte, 24+d.rng.IntN(24))
		for i := range b {
			b[i] = byte(d.rng.IntN(256))
		}
		return base64.StdEncoding.EncodeToString(b)
	case "b32":
		return d.of(alphabets["t"], []int{16, 26, 32}[d.rng.IntN(3)])
	case "b32g":
		var g []string
		for range 8 {
			g = append(g, d.of(alphabets["t"], 4))
		}
		return strings.Join(g, " ")
	case "seed":
		w := d.seed(12 * (1 + d.rng.IntN(2)))
		return strings.Join(w, " ")
	case "seedlist":
		w, gap := d.seed(12), d.one(" ", "\n")
		for i := range w {
			w[i] = strconv.Itoa(i+1) + ". " + w[i]
		}
		return strings.TrimPrefix(strings.Join(w, gap), "1. ")
	case "expr":
		w, v, u := strings.ToLower(d.word()), title(d.word()), title(d.word())
		return d.one(w+"."+v+"("+u+")", w+"."+v+"("+w+"."+u+"("+digits(2)+", "+digits(1)+"))", u+"."+v+"("+w+"["+digits(1)+"]."+u+")",
			w+"["+digits(1)+"]."+u, w+"."+v+"."+u+"*"+digits(1), "!"+w+"."+v+"("+w+"."+u+"["+digits(1)+"], "+w+")",
			digits(2)+"+"+w+"."+v+"N("+digits(2)+")")
	case "model":
		w, v := strings.ToLower(d.word()), title(d.word())
		return d.one("all-"+v+"-L"+digits(1)+"-v"+digits(1), v+"-"+digits(1)+"."+digits(1), w+"@"+digits(2), digits(1)+"_"+v, w+"R"+digits(2),
			w+"_R@"+digits(2), v+"/"+strings.ToUpper(w)+".md", w+"-"+v+digits(1)+"b", w+"/"+v+"-v"+digits(1)+"."+digits(1))
	case "thing": // a product or a place
		w, v := d.word(), title(d.word())
		n, caps := digits(1+d.rng.IntN(2)), d.of(alphabets["u"], 2+d.rng.IntN(2))
		return d.one(title(w)+n, title(w)+n+d.of("abcdx", 1), title(w)+n+v, title(w)+v+n, w+n+v, w+n, v+n+d.one("Pro", "LTS", "Ti", "B", "e"),
			caps+digits(3)+d.one("", "X", "Ti", "GL"), caps+n+v, n+title(w), w[:1]+v+n+d.one("", "Pro", "Max"), title(w)+"-"+n+d.one("", "B", "b"),
			d.of("abcdefg", 1)+n+w, title(w)+n+"."+digits(1), d.of(alphabets["u"], 1)+n+v)
	case "gguf":
		w := title(d.word())
		name := d.one(w, w+"-"+title(d.word()), w+digits(1)+"."+digits(1), w+"-"+digits(1)+"."+digits(1), strings.ToLower(w)+"-"+digits(1))
		name += "-" + d.one("Coder-", "", "Vision-", "R"+digits(1)+"-", "v0."+digits(1)+"-") + digits(1+d.rng.IntN(2)) +
			d.one("B", "b", "x7B", ".5B")
		return name + d.one("-Instruct", "-Chat", "-it", "") + d.one("", "-GPTQ-Int4", "-AWQ", "-GGUF", "-Q4_K_M", "-FP8", "-20"+digits(2)+"0806")
	case "tok6":
		return d.of(alphabets["a"], 6+d.rng.IntN(4))
	case "otp6":
		return d.of(alphabets["d"], 6)
	case "d2":
		return d.of("01", 1) + d.of("123456789", 1)
	case "YO":
		s := d.one("-", "_", "")
		v := d.one("your", "tu", "ihr", "dein", "votre", "ton", "my", "mi", "mein", "mon", "il-tuo", "seu", "hier", "new", "the")
		v += s + d.cue(cue(d.one("P", "S", "L")[0]))
		return d.one(v, v+s+d.one("here", "ici", "hier", "aqui", "qui"), strings.ToUpper(v), d.cue(cuePassword))
	case "psk":
		return d.one(d.of(alphabets["d"], 20), d.of(alphabets["d"], 16), d.password())
	case "uuid":
		h := func(n int) string { return d.of(alphabets["h"], n) }
		return h(8) + "-" + h(4) + "-" + h(4) + "-" + h(4) + "-" + h(12)
	case "group":
		n := 4 + d.rng.IntN(2)
		var g []string
		for range 3 + d.rng.IntN(3) {
			g = append(g, d.of(alphabets["u"], n))
		}
		return strings.Join(g, "-")
	case "code":
		switch d.rng.IntN(4) {
		case 0:
			return d.of(alphabets["d"], 4) + "-" + d.of(alphabets["d"], 4)
		case 1:
			return d.of(alphabets["d"], 4) + " " + d.of(alphabets["d"], 4)
		case 2:
			return d.of(alphabets["h"], 5) + "-" + d.of(alphabets["h"], 5)
		}
		return d.of(alphabets["l"]+alphabets["d"], 4) + "-" + d.of(alphabets["l"]+alphabets["d"], 4)
	case "pin":
		switch d.rng.IntN(8) {
		case 0:
			return d.of(alphabets["d"], 6)
		case 1:
			return d.of(alphabets["d"], 5)
		case 2:
			return d.of(alphabets["d"], 4) + d.one("#", "*", "A", "B")
		}
		return d.of(alphabets["d"], 4)
	case "puk":
		return d.of(alphabets["d"], 8)
	case "otp":
		if d.rng.IntN(4) == 0 {
			return d.of(alphabets["d"], 3) + " " + d.of(alphabets["d"], 3)
		}
		return d.of(alphabets["d"], 5+d.rng.IntN(2))
	case "combo":
		s := d.one("-", " ", "-")
		return d.of("123456789", 1+d.rng.IntN(2)) + s + digits(2) + s + digits(2)
	case "cvv":
		return d.of(alphabets["d"], 3)
	case "phrase":
		return many(4+d.rng.IntN(3)) + d.one("", "", "", " "+digits(1), " "+digits(2))
	case "app":
		l := func() string { return d.of(alphabets["l"], 4) }
		return l() + " " + l() + " " + l() + " " + l()
	case "w":
		return d.one(d.word(), d.word(), title(d.word()))
	case "name", "Name":
		return d.one("Anna", "Tom", "Priya", "Jonas", "Maria", "Lena", "Paolo", "Chris", "Ida", "Sven", title(d.word()))
	case "user":
		return d.one("admin", "root", "app", "deploy", "anna", "tom", "svc_"+d.word(), d.word(), d.word()+digits(2), "j."+d.word())
	case "host":
		return d.word() + d.one(".example.com", ".internal", ".example.net", ".lan", "")
	case "path":
		return d.one("config/", "~/.", "/etc/", "src/", "") + d.word() + "/" + d.word() + d.one(".yml", ".env", ".txt", ".py", ".json")
	case "n":
		return digits(1 + d.rng.IntN(3))
	case "year":
		return d.one("19", "20") + digits(2)
	case "ver":
		return digits(1) + "." + digits(1+d.rng.IntN(2)) + "." + digits(1+d.rng.IntN(2)) + d.one("", "", "-rc1", "-beta.2")
	case "acct":
		return digits(12)
	case "phone":
		return d.one("+49 170 "+digits(7), "555-"+digits(4), "030 "+digits(7), digits(3)+" "+digits(4)+" "+digits(4),
			"("+digits(3)+") "+digits(3)+"-"+digits(4))
	case "yt":
		return d.of(alphabets["a"]+"-_", 11)
	case "TRACK":
		return d.one("1Z999AA1", "JD0", "RR", "SN-") + digits(9) + d.one("", "DE")
	case "MODEL":
		return d.one("WH-", "XPS ", "RTX ", "MX", "DS", "TL-WR", "EOS ") + digits(3+d.rng.IntN(2)) + d.one("", "X", "XM5", "N", "+", "Ti")
	case "PROJ":
		return strings.ToUpper(d.word()[:3])
	case "PROMO":
		return strings.ToUpper(d.word()) + digits(2)
	case "PNR":
		return d.of(alphabets["u"], 6)
	case "FL":
		return d.of("ABDFKLU", 2) + digits(3)
	case "P":
		head := d.one("DB", "POSTGRES", "MYSQL_ROOT", "SMTP", "ADMIN", "REDIS", "FTP", "LDAP", "MAIL", "APP", "VPN", strings.ToUpper(d.word()))
		tail := d.one("PASSWORD", "PASSWORD", "PASSWORD", "PASS", "PWD", "PASSWD", "PW", "PASSPHRASE")
		return d.style(head, tail)
	case "S":
		head := d.one("API", "APP", "STRIPE", "GITHUB", "SESSION", "JWT", "COOKIE", "CLIENT", "AUTH", "DEPLOY", "WEBHOOK", "ENCRYPTION",
			strings.ToUpper(d.word())+"_API", strings.ToUpper(d.word()))
		tail := d.one("KEY", "KEY", "SECRET", "TOKEN", "SECRET_KEY", "API_KEY", "ACCESS_TOKEN", "CLIENT_SECRET", "AUTH_TOKEN", "SIGNING_KEY")
		if !strings.Contains(tail, "_") && tail == "KEY" && d.rng.IntN(2) == 0 {
			head = "API"
		}
		return d.style(head, tail)
	}
	if c := slots[kind]; c != 0 {
		return d.cue(c)
	}
	panic("no slot " + kind)
}

// style writes a name as programs do.
func (d *drawer) style(head, tail string) string {
	switch d.rng.IntN(6) {
	case 0, 1:
		return head + "_" + tail
	case 2:
		return strings.ToLower(head + "_" + tail)
	case 3:
		s := strings.ToLower(head)
		for _, p := range strings.Split(tail, "_") {
			s += title(strings.ToLower(p))
		}
		return strings.ReplaceAll(s, "_", "")
	case 4:
		return strings.ToLower(d.one(tail, head+"-"+strings.ReplaceAll(tail, "_", "-")))
	}
	return strings.ToLower(strings.ReplaceAll(tail, "_", d.one("_", "")))
}

// varied is a sample in other words: half of the words that are cues give way to others that tell the same, and half of the secrets to
// others that look alike. So what is learnt of one word holds for all that tell the same.
func (s sample) varied(d *drawer) sample {
	out := sample{author: s.author, near: s.near, weight: s.weight / 2}
	all, _ := terms(s.text)
	at, mark := 0, 0
	put := func(start, stop int, instead string) {
		out.text += s.text[at:start] + instead
		at = stop
	}
	for _, t := range all {
		if int(t.from) < at {
			continue
		}
		if !s.near && mark < len(s.marks) && int(t.to) > s.marks[mark].start {
			m := s.marks[mark]
			mark++
			v := m.of(s.text)
			if d.rng.IntN(2) == 0 {
				v = d.alike(v)
			}
			put(m.start, m.stop, v)
			out.marks = append(out.marks, span{len(out.text) - len(v), len(out.text)})
			continue
		}
		w := s.text[t.from:t.to]
		if opening[t.cue] && t.cue != 'G' && run(w, 0, alpha, len(w)) == len(w) && d.rng.IntN(2) == 0 {
			v := d.cue(t.cue)
			switch {
			case strings.ToUpper(w) == w:
				v = strings.ToUpper(v)
			case is(w[0], upper) && is(v[0], lower):
				v = title(v)
			}
			put(int(t.from), int(t.to), v)
		}
	}
	put(len(s.text), len(s.text), "")
	if s.near {
		out.marks = []span{{0, len(out.text)}}
	}
	return out
}

// cue is a word that tells the same.
func (d *drawer) cue(c cue) string {
	if d.cues == nil {
		d.cues = map[cue][]string{}
		for line := range strings.Lines(cueList) {
			d.cues[cue(line[0])] = strings.Fields(line[1:])
		}
	}
	return d.one(d.cues[c]...)
}

// slots are those that cues fill.
var slots = map[string]cue{
	"PW": cuePassword, "SE": cueSecret, "RE": cueRecovery, "PI": cuePIN, "CO": 'D', "TH": 'T', "SV": 'G', "LG": cueLogin, "VB": cueVerb,
}

// alike is a value that looks like v.
func (d *drawer) alike(v string) string {
	look := lookOf(v, 0)
	if look == 'n' || look == 'd' || look == 'h' || len(v) > 24 {
		return strings.Map(func(r rune) rune {
			switch {
			case '0' <= r && r <= '9':
				return rune(d.of(alphabets["d"], 1)[0])
			case look == 'h' && 'a' <= r && r <= 'f':
				return rune(d.of("abcdef", 1)[0])
			case look == 'd' && 'a' <= r && r <= 'z':
				return rune(d.of(alphabets["l"], 1)[0])
			}
			return r
		}, v)
	}
	if strings.Contains(v, " ") {
		return v
	}
	for range 60 {
		if w := d.password(); lookOf(w, 0) == look {
			return w
		}
	}
	return v
}
