package thread

import "slices"

// A Line is what would be written of sentences: their words, alone or behind those of messages before.
type Line struct {
	Place
	To     int   // the sentences are those from At up to this one
	Beside []int // the places in Earlier of the messages whose words it has as well
	Quoted bool  // it is a quotation, not a clause in the third person
	Words  int   // of the whole line
}

// What a feature of a line is about, behind those of a place.
const (
	lineForm = 64 + iota
	lineKeep
	lineWorth
	lineLasting
	lineNeed
	lineMissing
	lineSize
	linePoints
	lineFirst
	lineWord
	lineNames
	lineAnswers
	lineBeside
	lineNear
	lineHeard
	lineWho
	lineNamed
)

// Features returns the buckets of a line, in rising order. keep and needs are what the other heads say: how probable it is that a
// sentence is worth a line, and that each of the messages before is needed.
func (l Line) Features(keep float64, needs []float64) []uint32 {
	f := make(features, 0, 200)
	same, others, asked := uint32(0), uint32(0), uint32(0)
	names, kin := 0, 0
	known := uint32(0) // words of messages beside it that may be what a pronoun stands for
	for _, i := range l.Beside {
		m := &l.Earlier[i]
		if m.Same {
			same++
		} else {
			others++
		}
		if m.asks() {
			asked = 1
		}
		f.add(lineNear, uint32(min(i, 4)), who(m.Same))
		f.scale(lineBeside, 0, m.odds())
		for _, s := range m.Sentences {
			names += s.names
			for _, w := range s.words {
				f.add(lineHeard, w.stem)
				if w.kind == kinPart {
					kin++
				}
				if !w.common || w.kind == kinPart {
					known++
				}
			}
		}
	}
	form := uint32(0)
	if l.Quoted {
		form = 1
	}
	f.add(lineForm, form)
	f.add(lineForm, form, 1+min(same, 2), min(others, 2))
	f.add(lineAnswers, asked, form)
	f.scale(lineKeep, 0, odds(keep))
	f.scale(lineKeep, 1+form, odds(keep))
	left, least := 0.0, 1.0
	for i, p := range needs {
		if slices.Contains(l.Beside, i) {
			least = min(least, p)
		} else {
			left = max(left, p)
		}
	}
	f.scale(lineMissing, 0, odds(left))
	if len(l.Beside) > 0 {
		f.scale(lineNeed, 0, odds(least))
	}
	f.own(l, known, names, kin)
	return f.done()
}

// own adds what the words of the speaker are like.
func (f *features) own(l Line, known uint32, named, kin int) {
	n, content, points := 0, 0, uint32(0)
	lasting, worth := float64(-surest), float64(-surest)
	seen := min(known, 3)
	own, person := 0, false
	for _, s := range l.Message.Sentences[l.At:l.To] {
		own += s.names
		lasting, worth = max(lasting, s.lasting), max(worth, s.worth)
		for _, w := range s.words {
			if n < 2 {
				f.add(lineFirst, w.part, uint32(min(len(l.Beside), 1)))
			}
			f.add(lineWord, w.stem)
			switch {
			case w.kind == thirdPart || w.kind == thisPart:
				points++
				if w.kind == thirdPart && !person { // the first one: whom it stands for was said, or was not
					f.add(lineWho, w.part, uint32(min(named, 2)), uint32(min(kin, 2)), uint32(min(own, 1)))
					f.add(lineWho, uint32(min(named+kin+own, 2)))
					person = true
				}
				f.add(linePoints, w.part, seen)
				f.add(linePoints, w.kind, seen)
			case !w.common || w.kind == kinPart:
				if w.kind == kinPart {
					own++
				}
				content++
				seen = min(seen+1, 3)
			}
			n++
		}
	}
	f.scale(lineLasting, 0, lasting)
	f.scale(lineWorth, 0, worth)
	f.scale(lineWorth, 1+uint32(min(len(l.Beside), 1)), worth)
	f.add(linePoints, 1, min(points, 3))
	f.add(lineNames, uint32(min(content, 6)), min(points, 2))
	f.add(lineNamed, uint32(min(own, 3)), uint32(min(named+kin, 3)))
	f.add(lineNamed, 8+uint32(min(own, 3)), min(points, 2))
	f.add(lineSize, 0, uint32(min(n/3, 8)))
	f.add(lineSize, 1, uint32(min(l.Words/5, 12)))
}

// Good is how probable it is that a line is true, stands alone and lasts.
func (l Line) Good(keep float64, needs []float64) float64 {
	return Probability(weights, Good, l.Features(keep, needs))
}
