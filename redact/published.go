package redact

import (
	_ "embed"
	"encoding/base64"
	"slices"
	"strings"
	"sync"
)

//go:embed public.txt
var publicList string

// longestPublic is how many bytes a published value has at most.
const longestPublic = 512

// published are the values of public.txt as [bare] makes them, each with whether it is a card for tests.
var published = sync.OnceValue(func() map[string]bool {
	values, card := map[string]bool{}, false
	var b [longestPublic]byte
	for line := range strings.Lines(publicList) {
		if source, ok := strings.CutPrefix(line, "# "); ok {
			card = card || strings.HasPrefix(source, "cards ")
			continue
		}
		values[string(bare(b[:0], strings.ReplaceAll(line, "·", "")))] = card
	}
	return values
})

// bare appends to b a value without blanks, signs and capitals.
func bare(b []byte, v string) []byte {
	for i := range len(v) {
		if c := v[i]; is(c, upper) {
			b = append(b, c+'a'-'A')
		} else if c >= 0x80 || is(c, alnum) {
			b = append(b, c)
		}
	}
	return b
}

// example tells a value that its source publishes; tests tells whether the text speaks of tests. example is asked of what a rule or the
// model takes for secret, or nearly.
func example(v string, tests func() bool) bool {
	if len(v) < 8 || len(v) > longestPublic {
		return false
	}
	var b [longestPublic]byte
	card, ok := published()[string(bare(b[:0], v))]
	return ok && (!card || tests()) || exampleAWS(v) || strings.HasPrefix(v, "eyJ") && exampleJWT(v)
}

// exampleAWS tells a key as the documentation of AWS writes it: no key that was drawn ends in so many given letters.
func exampleAWS(v string) bool {
	return len(v) == 20 && strings.HasSuffix(v, "EXAMPLE") || len(v) == 40 && strings.HasSuffix(v, "EXAMPLEKEY")
}

// exampleJWT tells a token of which jwt.io or a local Supabase is the author, whatever its signature.
func exampleJWT(v string) bool {
	_, rest, _ := strings.Cut(v, ".")
	payload, _, _ := strings.Cut(rest, ".")
	raw, err := base64.RawURLEncoding.DecodeString(payload)
	s := string(raw)
	return err == nil && (strings.Contains(s, `"1234567890"`) && strings.Contains(s, `"John Doe"`) || strings.Contains(s, `"supabase-demo"`))
}

// testWords are parts of words by which a text speaks of a test, a sample or a documentation, in one of several languages.
var testWords = [...]string{
	"test", "sandbox", "stripe", "luhn", "docs", "document", "sampl", "exampl", "exempl", "ejemplo", "esempio", "beispiel", "prueba",
	"essai", "voorbeeld", "dummy", "fake", "тест", "пример", "测试", "テスト",
}

// ofTests returns what tells whether a text has one of testWords. The text is read at the first call.
func ofTests(text string) func() bool {
	return sync.OnceValue(func() bool {
		folded := fold(text)
		return slices.ContainsFunc(testWords[:], func(w string) bool { return strings.Contains(folded, w) })
	})
}

// apart parts the findings that are secret from those that are published.
func apart(text string, all []Finding) (secret, given []Finding) {
	secret, tests := all[:0], ofTests(text)
	for _, f := range all {
		if example(text[f.Start:f.End], tests) {
			given = append(given, f)
		} else {
			secret = append(secret, f)
		}
	}
	return secret, given
}
