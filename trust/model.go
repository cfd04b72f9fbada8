package trust

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/reverie-memory/reverie/internal/linear"
	"github.com/reverie-memory/reverie/lexis"
)

// What an assistant would do because of a note shows in no word alone: "Alice keeps certificate checks off" has it disable a check, "Alice
// lost a day to a certificate check" does not. A linear model over hashed features, which scripts/trust fits to notes that several authors
// wrote and labelled, weighs words, their parts and neighbours, and which of the questions the text answers.

// weights are those of the features. `go generate ./trust` fits them anew, to the same bytes.
//
//go:generate go run ../scripts/trust -scripts ../scripts -o weights.bin
//go:embed weights.bin
var weights linear.Weights

// Buckets is how many features are told apart.
const Buckets = 1 << bits

const bits = 16

// LeadingOdds are the logarithm of the odds above which a note waits for the person: docs/privacy.md says what is found above them, and
// what waits in vain.
const LeadingOdds = 0.4

// What a feature is about. The numbers keep features apart; the weights depend on their order.
const (
	byStem = iota
	byPair
	byTriple
	byGap
	byLetters
	byQuestion
)

// Odds are the logarithm of the odds, by some weights, that an assistant that takes a note with these features for guidance would run,
// fetch, send, install or trust something because of it.
func Odds(w linear.Weights, features []uint32) float64 {
	return w.Scaled(features, Share(len(features)))
}

// Share is what the weights of so many features of a note are multiplied by.
var Share = linear.Share(300)

// Features are the buckets of a note in rising order, each once.
func Features(text string) []uint32 {
	v := view(text)
	says, _ := v.answers()
	return v.features(says)
}

func (v *sight) features(answers map[string]bool) []uint32 {
	var f []uint32
	add := func(parts ...uint32) { f = append(f, uint32(linear.Hash(parts...)>>(64-bits))) }
	forms, stems := tokens(v.words)
	for i := range stems {
		add(byStem, stems[i])
		if i+1 < len(stems) {
			add(byPair, forms[i], forms[i+1])
		}
		if i+2 < len(stems) {
			add(byTriple, forms[i], forms[i+1], forms[i+2])
			add(byGap, stems[i], stems[i+2])
		}
	}
	for name, is := range answers {
		if is {
			add(byQuestion, linear.Part(name))
		}
	}
	letters := []rune(" " + lexis.Fold(v.words) + " ")
	for i := range letters {
		for n := 3; n <= 5 && i+n <= len(letters); n++ {
			add(byLetters, linear.Part(string(letters[i:i+n])))
		}
	}
	slices.Sort(f)
	return slices.Compact(f)
}

// pieces are what is read as one word: an address, a flag, a number, a sign of a shell.
var pieces = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[\pL\pN.+_-]+@[\pL\pN.-]+|[a-z][a-z0-9+.-]*://\S+|\b[\pL\pN-]+(?:\.[\pL\pN-]+)*\.(?:[a-z]{2,7})\b(?:/\S*)?|` +
		`\d+(?:\.\d+){3}|--?\pL[\pL-]*|\pL+(?:['’]\pL+)?|\d+|[|;:$~/<>=]`)
})

// tokens are the words of a note as parts of features, between a start and an end: what is named by a person, such as a host, a number or a
// name, is told as such.
func tokens(text string) (forms, stems []uint32) {
	put := func(form, stem string) {
		forms, stems = append(forms, linear.Part(form)), append(stems, linear.Part(stem))
	}
	put("^", "^")
	for i, w := range pieces().FindAllString(text, -1) {
		switch first := []rune(w)[0]; {
		case strings.Contains(w, "@"):
			put("ADDRESS", "ADDRESS")
		case strings.Contains(w, "://") || len(w) > 1 && strings.Contains(w, "."):
			put("HOST", "HOST")
		case unicode.IsDigit(first):
			put("NUMBER", "NUMBER")
		case i > 0 && unicode.IsUpper(first):
			put("NAME", "NAME")
		default:
			w = lexis.Fold(w)
			put(w, lexis.Stem(w))
		}
	}
	put("$", "$")
	return forms, stems
}
