package lexis

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// Every term of a text is found in it alone and with others, and no term that Terms does not give.
func checkFinder(t *testing.T, text string, others []string) {
	t.Helper()
	have := Terms(text)
	for _, term := range have {
		if !NewFinder([]string{term}).In(text) {
			t.Errorf("%q is not found in %q", term, text)
		}
	}
	if !NewFinder(have).In(text) {
		t.Errorf("%q does not have its terms %q", text, have)
	}
	for _, term := range others {
		if NewFinder([]string{term}).In(text) != slices.Contains(have, term) {
			t.Errorf("%q in %q: not as its terms %q say", term, text, have)
		}
	}
}

func TestFinder(t *testing.T) {
	for _, text := range []string{
		"", "She went home and bought an e-mail address", "The children were better, worst, thought", "dying skies, ties and idly Alice's isn't",
		"Die Häuser an der Straße", "المَدِينَة والكتاب", "Я переехала в Берлин ещё весной", "我搬到了柏林。", "v1.26.8 GPT-4 C++ 20th 09:15",
		"Ｆｕｌｌ ﬁne",
	} {
		checkFinder(t, text, Terms("go went home moscow u 9 full better good"))
	}
	if !NewFinder(nil).In("") {
		t.Error("no terms are in every text")
	}
}

// No word begins with another letter than its stem but those that finders know of.
func TestFinderKnowsEveryWord(t *testing.T) {
	for _, name := range []string{"words.txt", "irregular.txt", "languages.txt", "concepts.txt"} {
		words, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for word := range strings.FieldsSeq(string(words)) {
			checkFinder(t, strings.Trim(word, ":,"), nil)
		}
	}
}

func FuzzFinder(f *testing.F) {
	f.Add("She went home", "going")
	f.Add("e-mail GPT-4", "mail gpt4")
	f.Fuzz(func(t *testing.T, text, query string) { checkFinder(t, text, Terms(query)) })
}
