package thread

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/extract/worth"
	"github.com/reverie-memory/reverie/internal/linear"
	"github.com/reverie-memory/reverie/lexis"
)

// A Message is one message of a conversation as the models see it.
type Message struct {
	Sentences []Sentence
	Same      bool // it is by whoever wrote the message that is judged
	Apart     bool // hours lie between it and the message behind it
}

// asks tells a message with a question.
func (m *Message) asks() bool {
	return slices.ContainsFunc(m.Sentences, func(s Sentence) bool { return s.Asks })
}

// words is how many words the message has.
func (m *Message) words() (n int) {
	for i := range m.Sentences {
		n += len(m.Sentences[i].words)
	}
	return n
}

// Lasting is the sentence of the message that most probably lasts, or -1 where it has none.
func (m *Message) Lasting() (at int) {
	at = -1
	for i, s := range m.Sentences {
		if at < 0 || s.lasting > m.Sentences[at].lasting {
			at = i
		}
	}
	return at
}

// odds are those of the sentence that most probably lasts.
func (m *Message) odds() float64 {
	if i := m.Lasting(); i >= 0 {
		return m.Sentences[i].lasting
	}
	return -surest
}

// A Sentence is one sentence of a message.
type Sentence struct {
	Asks bool // it ends in a question mark

	buckets        []uint32 // what package worth sees of the sentence
	lasting, worth float64  // the logarithms of the odds that package worth gives it
	words          []word
	names          int // words with a capital that do not begin it
}

// Worth is how probable it is by itself that the sentence is worth a line.
func (s *Sentence) Worth() float64 { return linear.Sigmoid(s.worth) }

// A word of a sentence.
type word struct {
	part   uint32 // of features
	stem   uint32
	kind   uint32 // of package worth, 0 for none
	common bool   // it says little that it stands in two messages
}

const (
	surest   = 6  // odds beyond e^6 and e^-6 are all one
	maxWords = 60 // words of a sentence that are looked at
)

// NewSentence prepares a sentence for the models.
func NewSentence(text string, asks bool) Sentence {
	s := Sentence{Asks: asks}
	s.buckets, s.lasting, s.worth = worth.Odds(text)
	for i, w := range strings.Fields(text) {
		if r, _ := utf8.DecodeRuneInString(w); i > 0 && len(w) > 2 && unicode.IsUpper(r) && w[1] != '\'' {
			s.names++
		}
	}
	for _, w := range lexis.Words(text) {
		if len(s.words) == maxWords {
			break
		}
		known := lexis.WordOf(w)
		x := word{part: linear.Part(w), stem: linear.Part(known.Stem), common: known.Stop || known.Frequency > 20}
		if strings.Trim(w, "0123456789") == "" {
			x.part = linear.Part("0")
		}
		if k := worth.Kind(w); k != "" {
			x.kind = linear.Part(k)
		}
		s.words = append(s.words, x)
	}
	return s
}

// odds are the logarithm of the odds of a probability.
func odds(p float64) float64 {
	p = max(1e-4, min(p, 1-1e-4))
	return math.Log(p / (1 - p))
}

// level is a place on a scale of odds: each step adds a feature to those below, so that the models learn how much a step is worth.
func level(odds float64) int {
	return int(math.Floor((max(-surest, min(odds, surest)) + surest) * 4 / 3))
}
