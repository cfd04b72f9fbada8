package redact

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func lines(tb testing.TB, name string) []string {
	tb.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		tb.Fatal(err)
	}
	var out []string
	for l := range strings.Lines(string(data)) {
		l = strings.TrimRight(l, "\n")
		if l != "" && !strings.HasPrefix(l, "#") {
			out = append(out, strings.NewReplacer("·", "", `\n`, "\n").Replace(l))
		}
	}
	return out
}

func secrets(tb testing.TB) (rules, texts []string) {
	for _, l := range lines(tb, "secrets.txt") {
		rule, text, ok := strings.Cut(l, " | ")
		if !ok {
			tb.Fatalf("no rule in %q", l)
		}
		rules, texts = append(rules, rule), append(texts, text) // what the model finds is marked: see unmark
	}
	return rules, texts
}

// frames are what may stand around a secret.
var frames = []string{"%", "Alice wrote: %", "here (%)", "a\n%\nb", "«%»", "c %"}

func TestEverySecretIsReplaced(t *testing.T) {
	rules, texts := secrets(t)
	if len(texts) < 40 {
		t.Fatalf("%d secrets in the list, want 40 or more", len(texts))
	}
	for i, text := range texts {
		for _, frame := range frames {
			s := unmark(strings.Replace(frame, "%", text, 1))
			whole := s.text
			clean, found := Redact(whole)
			if modelled(rules[i]) {
				if left := s.leaks(clean); left != "" || len(found) == 0 {
					t.Errorf("%s: %q is left in %q", rules[i], left, clean)
				}
				continue
			}
			if len(found) != 1 || found[0].Rule != rules[i] {
				t.Errorf("%s: found %v in %q\n→ %q", rules[i], found, whole, clean)
				continue
			}
			secret := whole[found[0].Start:found[0].End]
			if strings.Contains(clean, secret) || !strings.Contains(clean, "[redacted: "+rules[i]+"]") {
				t.Errorf("%s: %q is left in %q", rules[i], secret, clean)
			}
		}
	}
}

// TestNamesOfFoldersAreKept: whatever the digits are.
func TestNamesOfFoldersAreKept(t *testing.T) {
	for _, name := range []string{"shop", "api-server", "pass", "door code"} {
		for n := range uint32(300) {
			text := fmt.Sprintf("%s~%08x", name, n*0x9e3779b1)
			if clean, _ := Redact(text); clean != text {
				t.Fatalf("%s became %s", text, clean)
			}
		}
	}
}

func TestNearMissesAreKept(t *testing.T) {
	texts := lines(t, "near.txt")
	if len(texts) < 40 {
		t.Fatalf("%d near misses in the list, want 40 or more", len(texts))
	}
	for _, text := range texts {
		if clean, found := Redact(text); len(found) != 0 {
			t.Errorf("%q became %q", text, clean)
		}
	}
}

// A name with figures in it is no password because one uses it or moved there; it is one where the sentence says so.
func TestNamesInPlainSentencesAreKept(t *testing.T) {
	for _, name := range strings.Fields("Log4j2 Py3status OAuth2Proxy PostgreSQL17 iPhone15Pro RTX3060Ti Block17c Room4b x264enc Neo4j") {
		for _, frame := range []string{
			"I use % at home.", "I always use %.", "I bought a % yesterday.", "I moved to % last year.", "We use % for all deployments.",
			"The user lives in %.", "Ich wohne jetzt in %.", "J'utilise toujours %.", "Siempre uso %.",
			"I log in to % from work every day.", "The printer in % is broken.", "We use % for the login page.",
		} {
			text := strings.Replace(frame, "%", name, 1)
			if clean := withoutSecrets(text); clean != text {
				t.Errorf("%q became %q", text, clean)
			}
		}
		for _, frame := range []string{
			"I always use % as my password.", "Mein Passwort ist %.", "Mon mot de passe est %.", "Mi contraseña es %.",
		} {
			if clean := withoutSecrets(strings.Replace(frame, "%", name, 1)); strings.Contains(clean, name) {
				t.Errorf("%q stayed in %q", name, clean)
			}
		}
	}
	const counted = "The index gave 7261 of 13253 vectors."
	if clean := withoutSecrets(counted); clean != counted {
		t.Errorf("%q became %q", counted, clean)
	}
	for text, want := range map[string]string{
		"card 4539 1488 0343 6467 exp 09/28 cvv 321b": "321b",
		"the safe opens with 12 left 34 right 7":      "34",
	} {
		if clean := withoutSecrets(text); strings.Contains(clean, want) {
			t.Errorf("%q became %q", text, clean)
		}
	}
}

func TestFindingsCoverTheOriginal(t *testing.T) {
	text := "url postgres://bob:" + "s3cr3tpw@db and " + "gh" + "p_" + strings.Repeat("a1B2c3", 6) + " then <private>x</private>."
	clean, found := Redact(text)
	want := "url postgres://bob:[redacted: password in url]@db and [redacted: github token] then [redacted: private]."
	if clean != want {
		t.Errorf("clean = %q", clean)
	}
	var cut []string
	for _, f := range found {
		cut = append(cut, text[f.Start:f.End])
	}
	if diff := cmp.Diff([]string{"s3cr3tpw", "gh" + "p_" + strings.Repeat("a1B2c3", 6), "<private>x</private>"}, cut); diff != "" {
		t.Error(diff)
	}
}

func TestTokensNeedABorder(t *testing.T) {
	for _, text := range []string{
		"Zz9" + "AKIA" + "QK7HZ2MX4TB6WD3N", "AKIA" + "QK7HZ2MX4TB6WD3N" + "x",
		"x-gh" + "p_" + strings.Repeat("a1B2c3", 6),
	} {
		if clean, found := Redact(text); len(found) != 0 {
			t.Errorf("%q became %q", text, clean)
		}
	}
}

// What is found only after a replacement may touch the placeholder.
func TestLaterFindingsSwallowPlaceholders(t *testing.T) {
	found := []Finding{{"password", 3, 10}, {"pin", 20, 24}}
	for _, later := range []Finding{{"secret", 0, 6}, {"secret", 8, 12}, {"secret", 20, 26}, {"secret", 0, 40}} {
		end := 0
		for _, f := range join(found, []Finding{later}) {
			if f.Start < end || f.End <= f.Start {
				t.Errorf("%v: %v overlaps", later, f)
			}
			end = f.End
		}
	}
	if clean, _ := Redact("username=anna&password=TpHn5Av8IwN&submit=1"); clean != "username=anna&password=[redacted: password]&submit=1" {
		t.Error(clean)
	}
}

// A key that ends in hyphens hides the border of the token behind it, until it is replaced.
func TestSecretsSideBySide(t *testing.T) {
	text := "a -----BEGIN " + "PRIVATE KEY-----\n" + strings.Repeat("Ab3d", 16) + "\n-----END PRIVATE " +
		"KEY-----gh" + "p_" + strings.Repeat("a1B2c3", 6) + " b"
	clean, found := Redact(text)
	if want := "a [redacted: private key][redacted: github token] b"; clean != want {
		t.Errorf("%q, want %q", clean, want)
	}
	if len(found) != 2 || !strings.HasPrefix(text[found[1].Start:found[1].End], "gh"+"p_a1") || found[1].End != len(text)-2 {
		t.Errorf("found %v", found)
	}
}

func TestPrivateMarks(t *testing.T) {
	for text, want := range map[string]string{
		"a <private>b</private> c <private>d</private> e": "a [redacted: private] c [redacted: private] e",
		"a <private>b <private>c</private> d</private> e": "a [redacted: private] e",
		"a <private>b\n\nc":         "a [redacted: private]",
		"a <Private >b</PRIVATE> e": "a [redacted: private] e",
		"</private> alone":          "</private> alone",
		"a <private>gh" + "p_" + strings.Repeat("a1B2c3", 6) + " é": "a [redacted: private]",
		"<private></private>": "[redacted: private]",
	} {
		if got, _ := Redact(text); got != want {
			t.Errorf("%q → %q, want %q", text, got, want)
		}
	}
}

// Brackets and bars belong to the value that a line of settings holds, so that no part of it is left.
func TestALineOfSettingsIsTakenWhole(t *testing.T) {
	if clean, _ := Redact("PORT=80\nDB_PASSWORD=x7(Kq)9!m|Zz4w\nDEBUG=1"); clean != "PORT=80\nDB_PASSWORD=[redacted: password]\nDEBUG=1" {
		t.Error(clean)
	}
}

// A value that is known to be secret goes wherever it stands; a plain word does not.
func TestAValueSaidAgainGoesAsWell(t *testing.T) {
	for text, want := range map[string]string{
		"I tried Xk29!vbQ7 twice.\nIt failed.\npassword: Xk29!vbQ7\nXk29!vbQ7,": "I tried [redacted: password] twice.\nIt " +
			"failed.\n" +
			"password: [redacted: password]\n[redacted: password],",
		`{"password": "swordfish"} and then we ate swordfish`: `{"password": "[redacted: password]"} and then we ate swordfish`,
	} {
		if got, _ := Redact(text); got != want {
			t.Errorf("%q → %q, want %q", text, got, want)
		}
	}
}

func TestPlaceholdersNeverMatch(t *testing.T) {
	rules, _ := secrets(t)
	for _, r := range rules {
		for _, frame := range []string{"%", "password=%", "token: %", "a://b:%@c", "Authorization: Bearer %", "%=hunter22", "\"%\": " +
			"\"hunter22\"", "%%"} {
			text := strings.ReplaceAll(frame, "%", open+r+shut)
			if clean, found := Redact(text); len(found) != 0 {
				t.Errorf("%q became %q", text, clean)
			}
		}
	}
}

// nasty are shapes that would cost the square of their length if a rule looked twice at what it has seen.
var nasty = []string{
	"-----BEGIN PRIVATE KEY-----", "<private", "<private>a", "eyJhbGciOiJIUzI1NiJ9.", "password=", "://a@", "a://b:", "4111 ", "sk-",
	"a.", "token token ",
	"mnemonic: aaa bbb ccc ", "key", " -u a:bcde ", "AKIA", "authorization: bearer ", "1", "-", "<", "password: \"", "password: '",
	"pass is for the ",
	"password: a1B2!", "token=aB3", "secret=\"aB3", "code: ab12cd ", "backup codes: 1a2b3c, ", "curl -u ", "mysql -p", "-----END " +
		"PRIVATE KEY-----\n",
	"QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo\n", "MIIEpAIBAAKC", "LS0tLS1CRUdJTi", "password,pw,", "|password|\n", "password,a\nb,c\n",
	"$6$", "a:b@", "login: a / ",
	"password:\n", "password\n---\n", "as password ", "key for the ", "pin is ", "_", "__password__", "Passwort für ", "user: a, ",
	"password, ", "password a1B2! ", "seed: aaa ", "token (",
	"chpasswd", "net user ", "password {", "wallet(", "wifi:", "ssh-keygen ", ":5432:a:", "door code ", "key: |\n",
	"passport", "passportü", "reisepassß", "iban ", "left ", "left right left 12 ", "R32 L17 R08 ", "12 R 10 L ", "left to 34, right to 71, ",
	"4111111111111111 ", "AKIAIOSFODNN7EXAMPLE ",
}

func TestLongInputsStayLinear(t *testing.T) {
	const n = 1 << 18
	for _, unit := range nasty {
		text := strings.Repeat(unit, n/len(unit))
		Redact(text) // were the work to grow with the square, this would run into the test's time limit
	}
}

// Of a list of a million values, every second of which is taken because the others are, none is moved for each of those behind it: that
// would run into the test's time limit.
func TestLongListsStayLinear(t *testing.T) {
	const n = 1 << 20
	r := newReader(strings.Repeat("a 4711\n", n), nil, nil)
	var found []Finding
	var open []doubt
	for i := range n {
		v := value{7*i + 2, 7*i + 6, 'd', 2*i + 1}
		if i%2 == 0 {
			found = append(found, r.finding(v))
		} else {
			open = append(open, doubt{v, doubtful})
		}
	}
	all := r.join(found, open, map[place]bool{r.place(open[0].value): true})
	if len(all) != n || !slices.IsSortedFunc(all, func(a, b Finding) int { return a.Start - b.Start }) {
		t.Errorf("%d of %d", len(all), n)
	}
}

func BenchmarkNasty(b *testing.B) {
	for _, unit := range nasty {
		text := strings.Repeat(unit, (1<<20)/len(unit))
		b.Run(strings.ReplaceAll(unit, "/", "_"), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Redact(text)
			}
		})
	}
}

func BenchmarkProse(b *testing.B) {
	prose := strings.Repeat("Alice said that the key to a good password policy is patience; her sister moved to Berlin in 2019, "+
		"took the 8:30 train, and kept a secret recipe for bread. Call 555-0100 or write to alice@example.com about it. ", 500)
	b.SetBytes(int64(len(prose)))
	for b.Loop() {
		if _, found := Redact(prose); len(found) != 0 {
			b.Fatal(found)
		}
	}
}

func BenchmarkFirstUse(b *testing.B) {
	for b.Loop() {
		newScanner(keywords())
	}
}

func FuzzRedact(f *testing.F) {
	_, texts := secrets(f)
	for i := range texts {
		texts[i] = unmark(texts[i]).text
	}
	for _, t := range append(texts, lines(f, "near.txt")...) {
		f.Add(t)
	}
	f.Fuzz(func(t *testing.T, text string) {
		clean, found := Redact(text)
		if utf8.ValidString(text) && !utf8.ValidString(clean) {
			t.Fatalf("invalid UTF-8 from %q: %q", text, clean)
		}
		if limit := len(text) + len(found)*(len(open)+len(shut)+32); len(clean) > limit {
			t.Fatalf("%d bytes became %d", len(text), len(clean))
		}
		end := 0
		for _, f := range found {
			if f.Start < end || f.End <= f.Start || f.End > len(text) {
				t.Fatalf("findings out of order or range: %v in %q", found, text)
			}
			end = f.End
		}
		again, more := Redact(clean)
		if again != clean || len(more) != 0 {
			t.Fatalf("twice is not once: %q → %q → %q (%v)", text, clean, again, more)
		}
	})
}

// Whatever only fills a secret's place is known by its first two bytes, of which a table holds two pairs at most for each first byte.
func TestEveryFillerIsFound(t *testing.T) {
	for _, first := range fillers {
		for _, w := range first.words {
			if v := "zq" + w + "zq"; !placeholder(v) {
				t.Errorf("%q is taken for a secret", v)
			}
		}
	}
}

// What a word's four last letters exclude is excluded as well where every word is read from its end.
func TestTailsExcludeNoCue(t *testing.T) {
	all := *cues()
	for i := range all.tails {
		all.tails[i] = ^uint64(0)
	}
	lines, err := os.ReadFile("testdata/train.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range strings.Fields(cueList + string(lines)) {
		got, want := cues().of(w, 0, len(w)), all.of(w, 0, len(w))
		if got != want {
			t.Errorf("%q is a cue of %q, read to its beginning of %q", w, got, want)
		}
	}
}

// A number behind an @ is no host, and Oracle's address has a port or a service.
func TestWhatStandsBehindAnAt(t *testing.T) {
	for _, kept := range []string{
		"R@5 72.9, recall@10 and ndcg@10 80.8", "metric: Recall@10", "metrics: ndcg:Recall@10 0.7",
		"a/path@//host", "see docs/path@//host for it",
		"npm:Foobar12x@1.2.3", "npm i lodash@4.17.21 left-pad@1.2.3", "dep: user@1.2.3",
	} {
		if clean, _ := Redact(kept); clean != kept {
			t.Errorf("%q became %q", kept, clean)
		}
	}
	for text, secret := range map[string]string{
		"sqlplus scott/tiger@//db:1521": "tiger", "scott/tiger@//db/orders": "tiger", "bob:S3cr3tPass@10.0.0.7": "S3cr3tPass",
		"my password is Sommer@2024": "Sommer@2024", "bob:S3cr3tPass@db1": "S3cr3tPass",
	} {
		if clean, _ := Redact(text); strings.Contains(clean, secret) {
			t.Errorf("%q became %q", text, clean)
		}
	}
}

// What a person or a program reads as a secret is one, however it is written.
func TestSecretsInDisguise(t *testing.T) {
	token := "ghp_" + strings.Repeat("aB3dE5", 6)
	for _, tt := range []struct{ text, want string }{
		{"use " + token[:12] + "\u200b" + token[12:] + " today", "use [redacted: github token] today"},
		{"use ｇｈｐ＿" + token[4:] + " today", "use [redacted: github token] today"},
		{"next=https%3A%2F%2Fbob%3APa55w0rdX4%40h.example%2Fa", "next=https%3A%2F%2Fbob%3A[redacted: password in url]%40h.example%2Fa"},
		{"mail bob%40h.example about 20%25 of it", "mail bob%40h.example about 20%25 of it"},
		{"ＡＢＣ street, no\u200b break", "ＡＢＣ street, no\u200b break"},
	} {
		got, _ := Redact(tt.text)
		if again, found := Redact(got); got != tt.want || again != got || len(found) > 0 {
			t.Errorf("%q is %q, then %q, want %q", tt.text, got, again, tt.want)
		}
	}
}

// An error repeats what was sent, and names files.
func TestMessage(t *testing.T) {
	for text, want := range map[string]string{
		"Anna 3_Personal/Anna Adler.md is left out":           "Anna 3_Personal/Anna Adler.md is left out",
		`page "my password is hunter2": not found`:            `page "my password is [redacted: password]": not found`,
		"ids ghp_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5.md: no": "ids [redacted: github token]: no",
	} {
		if got := Message(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
