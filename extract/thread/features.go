package thread

import (
	"slices"

	"github.com/reverie-memory/reverie/internal/linear"
)

// What a feature is about. The numbers keep features apart; the weights depend on their order.
const (
	own = iota
	ownLasting
	ownWorth
	ownAsks
	ownWords
	ownPlace
	behindLasting // of the sentence before in the message
	behindAsks
	behindWord
	aheadLasting // of the sentence after
	earlierWho
	earlierLasting
	earlierAsks
	earlierWord
	questionPair // two words of the question that the message before asks
	answerStart
	messageWords
	talkWords // of a message before, on average
	sitting   // the first message of a sitting

	pairPlace
	pairTurns
	pairAsks
	pairBetween
	pairSitting
	pairLasting
	pairSize
	pairFirst
	pairKind
	pairShared
	pairNamed
	pairWord
	pairFollowed
	pairKin
)

// Buckets is how many features the models tell apart.
const Buckets = 1 << bits

const bits = 16

// features collects buckets.
type features []uint32

func (f *features) add(parts ...uint32) { *f = append(*f, uint32(linear.Hash(parts...)>>(64-bits))) }

// scale adds a feature for each step up to the odds.
func (f *features) scale(of, tag uint32, odds float64) {
	for l := range level(odds) {
		f.add(of, tag, uint32(l))
	}
}

// done returns the features in rising order, each once.
func (f features) done() []uint32 {
	slices.Sort(f)
	return slices.Compact(f)
}

// A Place is a sentence of a message and what was said before the message.
type Place struct {
	Message *Message
	At      int       // which sentence of the message
	Earlier []Message // the newest first
}

const (
	LooksBack = 4  // messages before that tell whether a sentence is worth a line
	reads     = 2  // of these, whose words do
	lastWords = 25 // words of such a message
)

// who is 1 for the one who wrote the message, and 2 for another.
func who(same bool) uint32 {
	if same {
		return 1
	}
	return 2
}

// Features returns the buckets of a sentence in its place, in rising order.
func (p Place) Features() []uint32 {
	s := &p.Message.Sentences[p.At]
	f := make(features, 0, len(s.buckets)+300)
	for _, b := range s.buckets {
		f.add(own, b)
	}
	f.scale(ownLasting, 0, s.lasting)
	f.scale(ownWorth, 0, s.worth)
	if s.Asks {
		f.add(ownAsks)
	}
	f.add(ownWords, uint32(min(len(s.words)/3, 8)))
	f.add(ownPlace, uint32(min(p.At, 1)), uint32(min(len(p.Message.Sentences), 4)))
	f.add(messageWords, uint32(min(p.Message.words()/6, 12)))
	f.add(talkWords, uint32(min(wordsOf(p.Earlier[:min(LooksBack, len(p.Earlier))])/3, 12)))
	if p.At > 0 {
		before := &p.Message.Sentences[p.At-1]
		f.scale(behindLasting, 0, before.lasting)
		if before.Asks {
			f.add(behindAsks)
		}
		for _, w := range before.words {
			f.add(behindWord, w.part)
		}
	}
	if p.At+1 < len(p.Message.Sentences) {
		f.scale(aheadLasting, 0, p.Message.Sentences[p.At+1].lasting)
	}
	p.before(&f, s)
	return f.done()
}

// wordsOf is how many words messages have on average.
func wordsOf(messages []Message) int {
	n := 0
	for i := range messages {
		n += messages[i].words()
	}
	return n / max(1, len(messages))
}

// before adds what the messages before say of a sentence.
func (p Place) before(f *features, s *Sentence) {
	for i := range min(LooksBack, len(p.Earlier)) {
		m := &p.Earlier[i]
		tag := uint32(i)<<2 | who(m.Same)
		f.add(earlierWho, tag)
		f.scale(earlierLasting, tag, m.odds())
		if m.asks() {
			f.add(earlierAsks, tag)
		}
		if m.Apart {
			f.add(sitting, uint32(i))
			return
		}
		if i < reads {
			n := 0
			for k := len(m.Sentences) - 1; k >= 0 && n < lastWords; k-- {
				for _, w := range m.Sentences[k].words {
					f.add(earlierWord, who(m.Same), w.part)
					n++
				}
			}
		}
		if i == 0 && !m.Same {
			f.answer(m, s)
		}
	}
}

// answer adds what is asked by the message before, and how the sentence begins behind the question.
func (f *features) answer(m *Message, s *Sentence) {
	for _, q := range m.Sentences {
		if !q.Asks {
			continue
		}
		for i := 1; i < len(q.words); i++ {
			f.add(questionPair, q.words[i-1].part, q.words[i].part)
		}
		for _, w := range s.words[:min(2, len(s.words))] {
			f.add(answerStart, w.part)
		}
	}
}

// Pair returns the buckets of a sentence that is to be understood, or of several, and the message before it at that place of Earlier, in
// rising order.
func (p Place) Pair(to, at int) []uint32 {
	c := &p.Earlier[at]
	f := make(features, 0, 160)
	tag, near := who(c.Same), uint32(min(at, 2))
	f.add(pairPlace, uint32(min(at, 5)), tag)
	f.add(pairPlace, 9, tag)
	turns, between, apart, same := 0, false, c.Apart, c.Same
	for i := at - 1; i >= -1; i-- {
		next := i < 0 || p.Earlier[i].Same
		if next != same {
			turns++
		}
		if same = next; i >= 0 {
			between, apart = between || p.Earlier[i].asks(), apart || p.Earlier[i].Apart
		}
	}
	f.add(pairTurns, uint32(min(turns, 4)), tag)
	asks := uint32(0)
	if c.asks() {
		asks = 1
	}
	f.add(pairAsks, tag, asks)
	f.add(pairAsks, tag, asks, near)
	if between {
		f.add(pairBetween, tag)
	}
	if apart {
		f.add(pairSitting)
	}
	f.scale(pairLasting, 0, c.odds())
	f.scale(pairLasting, tag, c.odds())
	if at > 0 && p.Earlier[at-1].Same == c.Same {
		f.add(pairFollowed, tag)
	}
	p.words(&f, to, c, tag, near)
	return f.done()
}

// words adds what the words of both say.
func (p Place) words(f *features, to int, c *Message, tag, near uint32) {
	said, kin := map[uint32]bool{}, false
	size, names := 0, 0
	for _, s := range c.Sentences {
		for _, w := range s.words {
			f.add(pairWord, tag, w.part)
			if !w.common {
				said[w.stem] = true
				names++
			}
			kin = kin || w.kind == kinPart
			size++
		}
	}
	f.add(pairSize, 0, uint32(min(size/5, 5)), tag)
	f.add(pairNamed, uint32(min(names, 3)), tag)
	n, shared, third := 0, 0, false
	for _, s := range p.Message.Sentences[p.At:to] {
		for _, w := range s.words {
			if n < 3 {
				f.add(pairFirst, w.part, tag)
				f.add(pairFirst, w.part, 4+near)
			}
			if w.kind == thirdPart || w.kind == thisPart {
				third = third || w.kind == thirdPart
				f.add(pairKind, w.part, tag)
				f.add(pairKind, w.part, 4+near)
				f.add(pairKind, tag)
			}
			if !w.common && said[w.stem] {
				shared++
			}
			n++
		}
	}
	f.add(pairSize, 1, uint32(min(n/4, 4)))
	f.add(pairSize, 2, uint32(min(n/4, 4)), tag, near)
	f.add(pairShared, uint32(min(shared, 2)), tag)
	if kin {
		f.add(pairKin, tag)
		if third {
			f.add(pairKin, 4)
		}
	}
}

var kinPart, thirdPart, thisPart = linear.Part("kin"), linear.Part("third"), linear.Part("this")
