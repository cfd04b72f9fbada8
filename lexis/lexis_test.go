package lexis

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/unicode/norm"
)

func TestTerms(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"English stems, stop words dropped", "The children were running to the stores", "child run store"},
		{"irregular forms", "She bought it and went home", "buy go home"},
		{"possessive and contractions", "Alice's sister isn't here, they'll come; don't", "alic sister come"},
		{"curly apostrophe", "O’Brien’s house", "obrien hous"},
		{"hyphen gives parts and whole", "e-mail email", "mail email email"},
		{"names of models however spelt", "GPT-4 gpt4", "gpt 4 gpt4 gpt 4 gpt4"},
		{"camelCase and snake_case", "getUserName get_user_name", "get user name getusernam get user name getusernam"},
		{"capitals before a word", "HTTPServer", "http server httpserver"},
		{"a capital before what is not seen", "B\u200berlin", "berlin"},
		{"dotted names", "config.toml os.Root", "config toml configtoml os root osroot"},
		{"address", "alice@example.com", "alic exampl com aliceexamplecom"},
		{"link", "https://example.com/a/todo?x=1", "https exampl com examplecom todo x 1"},
		{"version and its prefixes", "v1.26.8", "1p26 1p26p8"},
		{"decimal", "3.14 kg", "3p14 kg"},
		{"grouped number", "1,024 euros", "1024 euro"},
		{"a list of numbers is no group", "1, 2,3", "1 2 3"},
		{"date", "2026-06-09", "2026 6 9 20260609"},
		{"time", "14:32", "14 32"},
		{"ordinals", "the 20th of June", "20 20th june"},
		{"languages", "C++, C# and F#", "cpp csharp fsharp"},
		{"hash stays whole", "f7q2c81xk0", "f7q2c81xk0"},
		{"initials", "U.S. e.g. this", "us"},
		{"hashtag and handle", "#Berlin @noor", "berlin noor"},
		{"emoji", "great 🎉🎉 party", "great parti"},
		{"accents folded", "Café Zürich naïve", "cafe zurich naiv"},
		{"full width and ligatures", "Ｆｕｌｌ ﬁne", "full fine"},
		{"German", "Die Häuser an der Straße, viele Wohnungen", "die hauser strass viel wohnung"},
		{"French", "Qu'est-ce que l'eau d'été", "estc eau ete"},
		{"Spanish", "Las canciones de mi corazón", "cancion corazon"},
		{"Russian", "Я переехала в Берлин ещё весной", "я перееха в берлин ещ весн"},
		{"Ukrainian letters survive", "Київ", "київ"},
		{"Chinese", "我搬到了柏林。", "我搬 搬到 到了 了柏 柏林"},
		{"one character alone", "我 a 中b", "我 中 b"},
		{"Japanese", "東京タワーが好き", "東京 京タ タワ ワー ーが が好 好き"},
		{"Korean", "서울에서 커피", "서울 울에 에서 커피"},
		{"Arabic", "المَدِينَة والكتاب", "مدين كتاب"},
		{"Thai", "ฉันรักเธอ", "ฉัน นรั รัก กเ เธ ธอ"},
		{"Greek", "ΆΝΘΡΩΠΟΣ άνθρωπος", "ανθρωποσ ανθρωποσ"},
		{"Hebrew points", "שָׁלוֹם", "שלום"},
		{"nothing", "  … — !!", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if d := cmp.Diff(c.want, strings.Join(Terms(c.text), " ")); d != "" {
				t.Errorf("Terms(%q) (-want +got):\n%s", c.text, d)
			}
		})
	}
}

// The same word must give the same terms in a stored line and in a question, however it is written.
func TestTermsAgree(t *testing.T) {
	for _, pair := range [][2]string{
		{"children", "child"},
		{"Zürich", "zurich"},
		{"moved", "moving"},
		{"allergies", "allergy"},
		{"straße", "STRASSE"},
		{"don't", "do not"},
		{"ёлка", "елка"},
		{"canción", "cancion"},
		{"café", "cafe\u0301"},
		{"Wohnungen", "Wohnung"},
		{"schöne", "schone"},
		{"Ｂｅｒｌｉｎ", "Berlin"},
		{"it’s", "it's"},
		{"أحمد", "احمد"},
	} {
		if d := cmp.Diff(Terms(pair[0]), Terms(pair[1])); d != "" {
			t.Errorf("%q and %q differ:\n%s", pair[0], pair[1], d)
		}
	}
}

func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		"I don't like e-mail":     "i do not like e mail",
		"Alice's getUserName":     "alice get user name",
		"We won't, she can't":     "we will not she can not",
		"Version 1.26 on 3 March": "version 1.26 on 3 march",
		"日本語":                     "日本 本語",
	} {
		if d := cmp.Diff(want, strings.Join(Words(text), " ")); d != "" {
			t.Errorf("Words(%q):\n%s", text, d)
		}
	}
}

func TestFold(t *testing.T) {
	for text, want := range map[string]string{
		"  Ünï\u00a0 CÖDE \n\t x ": "uni code x",
		"e\u0301 \u0301 b":         "e b",
		"Straße Łódź Ærø İstanbul": "strasse lodz aero istanbul",
		"Йод Ёж":                   "йод еж",
		"がぎ ｶﾞ":                    "がぎ ガ",
		"한국어":                      "한국어",
		"":                         "",
	} {
		if got := Fold(text); got != want {
			t.Errorf("Fold(%q) = %q, want %q", text, got, want)
		}
		if again := Fold(Fold(text)); again != Fold(text) {
			t.Errorf("Fold(%q) is not stable: %q", text, again)
		}
	}
}

func TestIsStop(t *testing.T) {
	for _, w := range []string{"the", "The", "und", "für", "porque", "où", "ist"} {
		if !IsStop(w) {
			t.Errorf("IsStop(%q) is false", w)
		}
	}
	for _, w := range []string{"die", "war", "son", "berlin", "may", "us.", ""} { // words that mean something in one of the languages
		if IsStop(w) {
			t.Errorf("IsStop(%q)", w)
		}
	}
}

func TestFrequency(t *testing.T) {
	order := []string{"the", "time", "kitchen", "invoice", "zyzzyva"}
	for i := 1; i < len(order); i++ {
		if Frequency(order[i-1]) <= Frequency(order[i]) {
			t.Errorf("%s should be more frequent than %s: %.1f, %.1f", order[i-1], order[i], Frequency(order[i-1]), Frequency(order[i]))
		}
	}
	if Frequency("zyzzyva") != FrequencyFloor || Frequency("") != FrequencyFloor {
		t.Error("unknown words have the floor")
	}
	if Frequency("Kitchens") != Frequency("kitchen") {
		t.Error("other forms of a word count as the word")
	}
	sum, least := 0.0, 1e9
	for _, f := range frequencies() {
		sum, least = sum+f, min(least, f)
	}
	if len(frequencies()) < 3500 || least <= FrequencyFloor || sum > 1.5e6 {
		t.Errorf("%d words, least %.2f, sum %.0f", len(frequencies()), least, sum)
	}
}

func TestSentences(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"plain", "One. Two! Three? Four", []string{"One.", "Two!", "Three?", "Four"}},
		{"lower case after a stop", "i went home. it was late.", []string{"i went home.", "it was late."}},
		{
			"abbreviations", "Dr. Weiss met Mr. B. J. Smith, e.g. on Jan. 3. Then he left.",
			[]string{"Dr. Weiss met Mr. B. J. Smith, e.g. on Jan. 3.", "Then he left."},
		},
		{"abbreviation at the end", "We sell tea etc. Come in.", []string{"We sell tea etc.", "Come in."}},
		{"country", "She lives in the U.S. now. He does not.", []string{"She lives in the U.S. now.", "He does not."}},
		{
			"decimals, versions, links", "Go 1.26.8 costs 3.50. See https://example.com/a.b?c=d. Done",
			[]string{"Go 1.26.8 costs 3.50.", "See https://example.com/a.b?c=d.", "Done"},
		},
		{"quotes and brackets belong", `He said "Stop!" (Really.) And left.`, []string{`He said "Stop!"`, "(Really.)", "And left."}},
		{"ellipsis goes on", "Well... maybe. And... Yes", []string{"Well... maybe.", "And...", "Yes"}},
		{"German ordinal", "Am 3. Mai ziehe ich um. Danach nicht.", []string{"Am 3. Mai ziehe ich um.", "Danach nicht."}},
		{"Chinese", "我搬到了柏林。天气很好！你呢？", []string{"我搬到了柏林。", "天气很好！", "你呢？"}},
		{"Japanese quotes", "「行こう。」と言った。", []string{"「行こう。」", "と言った。"}},
		{
			"Hindi and Arabic",
			"मैं यहाँ हूँ। कैसे؟ نعم.",
			[]string{"मैं यहाँ हूँ।", "कैसे؟", "نعم."},
		},
		{"list", "Things:\n- one thing\n- two. Things\n1. first", []string{"Things:", "- one thing", "- two.", "Things", "1. first"}},
		{
			"wrapped line", "This line is certainly long enough to have been wrapped by\nan editor. Next.",
			[]string{"This line is certainly long enough to have been wrapped by\nan editor.", "Next."},
		},
		{"blank line", "No stop\n\nnew paragraph", []string{"No stop", "new paragraph"}},
		{"code block is one", "Look:\n```go\nx. y. z\n```\nNice.", []string{"Look:", "```go\nx. y. z\n```", "Nice."}},
		{"unclosed block", "```\na. b.", []string{"```\na. b."}},
		{"CRLF", "One.\r\nTwo.\r\n", []string{"One.", "Two."}},
		{"nothing", " \n ", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, s := range Sentences(c.text) {
				got = append(got, c.text[s.Start:s.End])
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

// checkTerms tells what must hold for the terms of any text.
func checkTerms(t *testing.T, text string) {
	for _, w := range append(Terms(text), Words(text)...) {
		if w == "" || len(w) > 2*maxTerm {
			t.Fatalf("term %q of %q", w, text)
		}
	}
	for _, w := range Terms(text) {
		for _, r := range w {
			if !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) {
				t.Fatalf("term %q of %q has %q in it", w, text, r)
			}
		}
	}
}

func FuzzTerms(f *testing.F) {
	for _, s := range []string{
		"", "a'b'c", "v1.2..3", "\xff\xfeabc", "ａ１", "1,000,00", "éa中b_3-x@y.z", "C++ #", "e\u0301\u0301", "İ",
		"ﷺ", "𝒜𝒷", strings.Repeat("长", 100), strings.Repeat("Ab1-", 60),
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		checkTerms(t, text)
		if a, b := strings.Join(Terms(text), " "), strings.Join(Terms(text), " "); a != b {
			t.Fatalf("twice %q", text)
		}
		Frequency(text)
		IsStop(text)
		Stem(text)
		if utf8.ValidString(text) {
			if once := Fold(text); Fold(once) != once {
				t.Fatalf("Fold(%q) = %q is not stable: %q", text, once, Fold(once))
			}
		}
	})
}

func FuzzSentences(f *testing.F) {
	for _, s := range []string{"", "a. b", "```\n", "1. a", "…", "“x.” y", "\xff. \xfe", "。。", "a.\n\n\nb", "~~~\n```\n~~~"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		last := 0
		for _, s := range Sentences(text) {
			if s.Start < last || s.End <= s.Start || s.End > len(text) {
				t.Fatalf("span %v after %d in %q", s, last, text)
			}
			if strings.TrimSpace(text[last:s.Start]) != "" {
				t.Fatalf("%q is in no sentence of %q", text[last:s.Start], text)
			}
			last = s.End
		}
		if strings.TrimSpace(text[last:]) != "" {
			t.Fatalf("the end of %q is in no sentence", text)
		}
	})
}

const prose = `The billing service sends its invoices to the tax office once a day, and nobody thinks about it until something breaks. Last
week the export failed because two runs had started at the same time; we didn't notice before a customer called. Since then every
invoice takes its number inside one transaction, which is slower than before but has never gone wrong.
I'd rather wait a second than explain a missing
number again. `

func BenchmarkTerms(b *testing.B) {
	text := strings.Repeat(prose, 20)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		Terms(text)
	}
}

func BenchmarkSentences(b *testing.B) {
	text := strings.Repeat(prose, 20)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Sentences(text)
	}
}

// What is told by ranges alone is what the tables of Unicode say of each letter in them.
func TestLettersThatFoldingLeaves(t *testing.T) {
	for r := rune(utf8.RuneSelf); r <= unicode.MaxRune; r++ {
		if p := norm.NFKC.PropertiesString(string(r)); inertRune(r) && (!p.BoundaryBefore() || !norm.NFKC.IsNormalString(string(r))) {
			t.Errorf("%U is not in NFKC beside each other letter", r)
		}
		if caseless(r) && (unicode.ToLower(r) != r || dropped(r) || foldOther(r) != r || unicode.In(r, unicode.Latin, unicode.Greek)) {
			t.Errorf("%U does not stay", r)
		}
	}
}
