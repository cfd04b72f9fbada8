package derive

import (
	"cmp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/lexis/calendar"
	"github.com/reverie-memory/reverie/vault"
)

// A period is the time that a clause tells: from its first day to the first day behind it, "" where it does not say.
type period struct {
	from, to vault.Day
	at       bool // it names a time, and neither a beginning nor an end
	told     bool
	text     string // as it was told, without its preposition
}

// timeMark stands in a sentence for a time that was taken out; no language has such a word.
const timeMark = "tqzx"

// A timeWord is a word of a sentence, and the token that it stands in.
type timeWord struct {
	fold       string
	start, end int
}

// timeWords are the words of a sentence: its letters and digits with single signs between them, as in 3.5, 9/6 and o'clock.
func timeWords(sentence string) (out []timeWord) {
	start, sign := -1, false // start: of the token; sign: one stands at its end
	for i, r := range sentence + " " {
		switch word := unicode.IsLetter(r) || unicode.IsNumber(r); {
		case word && start < 0:
			start = i
		case word:
			sign = false
		case start < 0:
		case !sign && strings.ContainsRune(".'’/-", r):
			sign = true
		default:
			end := i
			if sign {
				_, n := utf8.DecodeLastRuneInString(sentence[:i])
				end -= n
			}
			for _, w := range lexis.Words(sentence[start:end]) {
				out = append(out, timeWord{w, start, end})
			}
			start, sign = -1, false
		}
	}
	return out
}

// loose words stand between a preposition and its time, or before one.
var loose = lexis.Set("the a about around early late mid beginning start end of summer spring autumn fall winter middle day month year " +
	"morning evening earlier later dem den der das anfang ende mitte el la los comienzos principios finales mediados fin final")

// parts are words that tell which part of a month or a year is meant.
var parts = map[string]string{
	"end": "end", "late": "end", "ende": "end", "finales": "end", "fin": "end", "final": "end",
	"mid": "middle", "middle": "middle", "mitte": "middle", "mediados": "middle",
}

// within is the part of a month or a year from which something counts.
func within(s calendar.Span, part string) calendar.Span {
	long := s.To.Sub(s.From) > 40*24*time.Hour
	switch {
	case part == "end" && long:
		s.From = time.Date(s.To.Year(), s.To.Month(), 1, 0, 0, 0, 0, time.UTC)
	case part == "end":
		s.From = s.To
	case part == "middle" && long:
		s.From = s.From.AddDate(0, 6, 0)
	case part == "middle" && s.To.Sub(s.From) > 20*24*time.Hour:
		s.From = s.From.AddDate(0, 0, 14)
	}
	return s
}

// cutTimes takes the times out of a sentence, and leaves a mark for each.
func cutTimes(sentence string, said vault.Day) (string, []period) {
	if !timed(sentence) {
		return sentence, nil
	}
	return cutTimesOf(sentence, timeWords(sentence), said)
}

func cutTimesOf(sentence string, words []timeWord, said vault.Day) (string, []period) {
	today := said.Time()
	folds := slice.Map(words, func(w timeWord) string { return w.fold })
	// read is the time at a word, which loose words may precede, and where it ends.
	read := func(i int) (calendar.Span, int) {
		part := ""
		for i < len(folds) && loose[folds[i]] {
			part, i = cmp.Or(parts[folds[i]], part), i+1
		}
		if i >= len(folds) {
			return calendar.Span{}, 0
		}
		s, n := moment(folds, i, today)
		if n == 0 || s.From.IsZero() {
			return s, 0
		}
		return within(s.Last(today), part), i + n
	}
	var out strings.Builder
	var told []period
	done := 0
	for i := 0; i < len(words); i++ {
		p, end := periodAt(folds, i, read)
		if end == 0 || ofThing(folds, i) || words[i].start < done {
			continue
		}
		out.WriteString(sentence[done:words[i].start] + timeMark)
		at := i
		for at+1 < end && (behind[folds[at]] || loose[folds[at]] || in[folds[at]]) {
			at++
		}
		p.text = sentence[words[at].start:words[end-1].end]
		done = words[end-1].end
		told = append(told, p)
		i = end - 1
	}
	return out.String() + sentence[done:], told
}

// ofThing tells that a time is that of a thing, and not of what is said of it: a Caddy, built 2019, a house built in 1920. What "was
// built in 2019" tells it of itself.
func ofThing(folds []string, i int) bool {
	for i > 0 && in[folds[i-1]] {
		i--
	}
	return i > 0 && makings[folds[i-1]] && (i < 2 || !lexis.IsStop(folds[i-2]))
}

// makings are words behind which the time stands when something was made.
var makings = lexis.Set("built made manufactured constructed model vintage baujahr gebaut")

// timed is false for most sentences in which no word tells a time.
func timed(sentence string) bool {
	var word [16]byte
	n := 0
	for i := 0; i <= len(sentence); i++ {
		c := byte(' ')
		if i < len(sentence) {
			c = sentence[i]
		}
		switch upper := c >= 'A' && c <= 'Z'; {
		case c >= utf8.RuneSelf, c >= '0' && c <= '9', upper && n > 0:
			return true
		case upper || c >= 'a' && c <= 'z':
			if n < len(word) {
				word[n] = c | 0x20
			}
			n++
		default:
			if n > 0 && n <= len(word) && (calendar.Tells(string(word[:n])) || spoken[string(word[:n])]) {
				return true
			}
			n = 0
		}
	}
	return false
}

// periodAt reads a time with its prepositions, and returns where it ends, 0 for none.
func periodAt(words []string, i int, read func(int) (calendar.Span, int)) (period, int) {
	after := func(t time.Time) vault.Day { return vault.DayOf(t.AddDate(0, 0, 1)) }
	first, second := words[i], ""
	if i+1 < len(words) {
		second = words[i+1]
	}
	skip := 1
	if second == "" {
	} else if list := twoWords[first]; list != nil && list[second] {
		skip = 2
	}
	a, end := read(i + skip)
	if first == "up" && skip == 1 { // broke up last night
		end = 0
	}
	switch first {
	case "since", "ever", "starting", "as", "seit", "ab", "desde":
		if first == "desde" || first == "ab" { // desde 2012 hasta 2016
			if to, last := until(words, end, read); last > 0 {
				return period{from: vault.DayOf(a.From), to: after(to.To), told: true}, last
			}
		}
		if end > 0 {
			return period{from: vault.DayOf(a.From), told: true}, end
		}
	case "from", "between", "von", "zwischen", "entre", "de":
		if end == 0 {
			return period{}, 0
		}
		if to, last := until(words, end, read); last > 0 {
			return period{from: vault.DayOf(a.From), to: after(to.To), told: true}, last
		}
		if first != "from" && first != "between" {
			return period{}, 0
		}
		return period{from: vault.DayOf(a.From), told: true}, end
	case "until", "till", "up", "through", "bis", "hasta":
		if end > 0 {
			return period{to: after(a.To), told: true}, end
		}
	case "before", "antes":
		if end > 0 {
			return period{to: vault.DayOf(a.From), told: true}, end
		}
	case "after", "nach", "tras":
		if end > 0 {
			return period{from: after(a.To), told: true}, end
		}
	case "in", "on", "during", "by", "at", "around", "im", "am", "en", "um":
		if end > 0 {
			return period{from: vault.DayOf(a.From), to: after(a.To), at: true, told: true}, end
		}
	default:
		if a, end := read(i); end > 0 && !loose[first] && !(end == i+1 && called[first] && (i == 0 || words[i-1] != "last")) {
			return period{from: vault.DayOf(a.From), to: after(a.To), at: true, told: true}, end
		}
	}
	return period{}, 0
}

// until reads the other end of a stretch of time whose beginning ended at end.
func until(words []string, end int, read func(int) (calendar.Span, int)) (calendar.Span, int) {
	if end == 0 || end >= len(words) || !untils[words[end]] {
		return calendar.Span{}, 0
	}
	return read(end + 1)
}

// in are prepositions of times.
var in = lexis.Set("in on during by at around im am until till bis hasta en as of up through before from to")

var untils = lexis.Set("to until till and through bis und hasta a y")

// twoWords are the prepositions of two words, by the first.
var twoWords = map[string]map[string]bool{
	"up": lexis.Set("to until"), "as": lexis.Set("of"), "ever": lexis.Set("since"), "starting": lexis.Set("in on"), "back": lexis.Set("in on"),
	"bis": lexis.Set("zum"), "seit": lexis.Set("dem der"), "desde": lexis.Set("el la"), "hasta": lexis.Set("el la"),
}

// called are months that people are called.
var called = lexis.Set("jan may june april august avril mai")

// day is the day on which something ended.
func (p period) day() vault.Day {
	if p.at || p.to == "" {
		return p.from
	}
	return p.to
}

// join adds what another time of the clause tells.
func (p period) join(o period) period {
	switch {
	case !p.told:
		return o
	case !o.told:
		return p
	}
	if o.from != "" && (p.from == "" || p.at) {
		p.from = o.from
	}
	if o.to != "" && (p.to == "" || p.at) {
		p.to = o.to
	}
	p.at = p.at && o.at
	return p
}
