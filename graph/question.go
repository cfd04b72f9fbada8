package graph

import (
	"math/bits"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/lexis/calendar"
	"github.com/reverie-memory/reverie/vault"
)

// A question is what the words of one say about the triples that answer it.
type question struct {
	today    vault.Day
	words    []string          // folded
	taken    []bool            // which of them name somebody, or a time
	about    map[*Entity]bool  // entities that are named
	doubtful bool              // a name may mean several
	before   map[*Entity]bool  // entities behind before: what they took the place of is asked for
	unknown  bool              // something written like a name stands behind before
	self     bool              // asks about the asker
	from, to vault.Day         // the time that is named
	past     bool              // asks for what was
	gone     bool              // and is no more
	which    bool              // asks which one of a kind
	answer   string            // what has to answer: "who", "where", "" for anything
	purpose  uint64            // words that say what for, a bit for each: they need not be covered but where something is used for that
	asks     []string          // stems of what is asked for
	called   map[string]uint64 // which of them a predicate is called by, a bit for each
}

// question reads the words of one.
func (g *Graph) question(text string, today time.Time) question {
	q := question{today: vault.DayOf(today), about: map[*Entity]bool{}, before: map[*Entity]bool{}, called: map[string]uint64{}}
	q.words = lexis.Words(strings.NewReplacer(idioms...).Replace(text))
	q.taken = make([]bool, len(q.words))
	after := slices.IndexFunc(q.words, func(w string) bool { return befores[w] })
	timed := q.times(today)
	written, behind := map[string]bool{}, false
	for i, w := range strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '+' && r != '#'
	}) {
		if f := lexis.Fold(w); i > 0 && capital(w) && !lexis.IsStop(f) {
			written[f] = true
			q.unknown = q.unknown || behind && !timed
		}
		behind = behind || befores[lexis.Fold(w)]
	}
	what := len(q.words) > 0 && q.words[0] == "was" && (slices.ContainsFunc(q.words, func(w string) bool { return german[w] }) || verbal(text))
	for i, w := range q.words {
		q.self, q.past = q.self || selfWords[w], q.past || pasts[w] && !(what && i == 0)
		q.gone = q.gone || gones[w]
	}
	q.past = q.past || participle(text, q.words)
	g.mentions(&q, lexis.Fold(text), written, after)
	q.self = q.self || len(q.about) == 0 && ourVerb(text, q.words)
	q.wants()
	return q
}

// times reads the time that a question is about, the last where it names several, and takes its words. times says whether there is one.
func (q *question) times(today time.Time) (found bool) {
	for i := 0; i < len(q.words); {
		s, n := timeAt(q.words, i, today)
		if n == 0 {
			i++
			continue
		}
		from, to := i, i+n
		for from > 0 && besideTimes[q.words[from-1]] {
			from--
		}
		s = partOf(s, q.words[from:i])
		q.from, q.to = vault.DayOf(s.From), vault.DayOf(s.To)
		if from > 0 && befores[q.words[from-1]] {
			q.from, q.to = "0001-01-01", vault.DayOf(s.From.AddDate(0, 0, -1))
		}
		for k := from; k < to; k++ {
			q.taken[k] = true
		}
		found, i = true, to
	}
	return found
}

// timeAt reads the time at words[i:], and returns how many words it takes, 0 for none. One without a year is the last before today.
func timeAt(words []string, i int, today time.Time) (s calendar.Span, n int) {
	plain := []string{}
	for k := i; k < len(words) && len(plain) < 4; k++ { // 3 de mayo de 2021
		if words[k] != "de" && words[k] != "del" || k == i {
			plain = append(plain, words[k])
		}
	}
	if season, ok := seasons[words[i]]; ok && (len(plain) > 1 || i > 0 && besideTimes[words[i-1]]) {
		if s, n = seasonOf(season, plain[1:], today); n == 0 {
			return s, 0
		}
	} else if i > 0 && len(plain) > 0 {
		if s, n = calendar.At(append([]string{words[i-1]}, plain...), 1, today); n == 0 {
			return s, 0
		}
	}
	for k := i; k < i+n && k < len(words); k++ {
		if k > i && (words[k] == "de" || words[k] == "del") {
			n++
		}
	}
	return s.Last(today), min(n, len(words)-i)
}

// seasons are the quarters of a year by their names, counted from winter.
var seasons = map[string]int{
	"winter": 0, "spring": 1, "summer": 2, "autumn": 3, "fall": 3, "fruhling": 1, "fruhjahr": 1, "sommer": 2, "herbst": 3,
	"invierno": 0, "primavera": 1, "verano": 2, "otono": 3,
}

// seasonOf is a season of the year that the words behind it name, else the last one that has begun.
func seasonOf(season int, next []string, today time.Time) (calendar.Span, int) {
	year, n := today.Year(), 1
	if len(next) > 0 {
		if y, ok := calendar.Number(next[0]); ok && y >= 1900 && y < 2200 {
			year, n = y, 2
		}
	}
	from := time.Date(year, time.Month(3*season), 1, 0, 0, 0, 0, time.UTC) // the winter of a year begins in the one before
	if n == 1 && from.After(today) {
		from = from.AddDate(-1, 0, 0)
	}
	return calendar.Span{From: from, To: from.AddDate(0, 3, -1), Year: true}, n
}

// partOf is the part of a time that the words before it tell: at the beginning of 2025.
func partOf(s calendar.Span, words []string) calendar.Span {
	third := s.To.Sub(s.From) / 3
	for _, w := range words {
		switch {
		case firstParts[w]:
			s.To = s.From.Add(third)
		case lastParts[w]:
			s.From = s.To.Add(-third)
		}
	}
	return s
}

// besideTimes are words before a time that belong to it, and firstParts and lastParts those of them that tell which part of it is meant.
var (
	besideTimes = lexis.Set(`in on during at by the of im am in den dem en el la de del a around back last letzten letztem
		beginning start early late end anfang ende principios comienzos finales`)
	firstParts = lexis.Set("beginning start early anfang principios comienzos")
	lastParts  = lexis.Set("late end ende finales")
)

// mentions takes in whom and what a question names, in words that are written like names or are those of something that is known. after is
// where before stands, -1 for nowhere.
func (g *Graph) mentions(q *question, text string, written map[string]bool, after int) {
	for i := 0; i < len(q.words); i++ {
		for n := min(namesMost, len(q.words)-i); n > 0; n-- {
			w := q.words[i]
			if q.taken[i] || n == 1 && (len(w) < nameLeast && !written[w] || lexis.IsStop(w) || asking[w]) {
				break
			}
			list := slices.DeleteFunc(slices.Clone(g.named(strings.Join(q.words[i:i+n], " "), n)), g.onlyKind)
			if len(list) == 0 {
				continue
			}
			list = g.besides(list, text, q.words, i, i+n)
			q.doubtful = q.doubtful || len(list) > 1
			for _, e := range list {
				if after >= 0 && i > after {
					q.before[e] = true
				} else {
					q.about[e] = true
				}
			}
			end := i + n
			if end+1 < len(q.words) && (q.words[end] == "from" || q.words[end] == "aus") { // from accounting tells who is meant
				end += 2
			}
			for k := i; k < end; k++ {
				q.taken[k] = true
			}
			i += n - 1
			break
		}
	}
}

// wants takes in what the rest of a question asks for: words that say what kind of answer is wanted, and verbs that go with anything, only
// where there are no others.
func (q *question) wants() {
	var vague []string
	forWhat := -1 // the last word of what something is for
	for i, w := range q.words {
		switch {
		case len(q.asks) >= asksMost || q.taken[i] || len(w) < 3 || lexis.IsStop(w) || asking[w]:
		case kindsOfAnswer[w] || lightVerbs[w]:
			vague = append(vague, lexis.Stem(w))
		default:
			if i > 1 && (purposes[q.words[i-1]] || lexis.IsStop(q.words[i-1]) && purposes[q.words[i-2]]) || i > 0 && forWhat == i-1 {
				q.purpose |= 1 << len(q.asks)
				forWhat = i
			}
			q.asks = append(q.asks, lexis.Stem(w))
		}
	}
	if len(q.asks) == bits.OnesCount64(q.purpose) { // what do I take for the cough
		q.asks = append(q.asks, vague[:min(len(vague), 1)]...)
	}
	for _, w := range q.words[:min(len(q.words), 3)] {
		switch {
		case q.answer != "":
		case whos[w]:
			q.answer = "who"
		case wheres[w]:
			q.answer = "where"
		}
		q.which = q.which || whichs[w]
	}
}

// What words of a question tell, in the languages of the rules: whatever was before something, the asker, what is no more, and the past.
var (
	befores   = lexis.Set("before replace replaced previously prior preceded vor ersetzt vorher antes reemplazo sustituyo")
	selfWords = lexis.Set(`we our us i my me mine ich wir mich mir uns mein meine meinen meinem meiner unser unsere unseren unserem unserer
		yo nosotros mi mis nuestro nuestra nuestros nuestras`)
	gones = lexis.Set("before former formerly previous previously fruher vorher damals antes anterior")
	pasts = lexis.Set(`did was were had used former formerly ever previous previously before war waren hatte hatten damals fruher vorher
		wohnte arbeitete lebte lebten wohnten arbeiteten hiess leitete
		era eran fue fueron antes vivia viviamos trabajaba trabajabamos usaba usabamos tenia teniamos llevaba`)
)

// verbal says whether the second word of a question may be a verb: Was studiert Kim?
func verbal(text string) bool {
	words := strings.Fields(text)
	return len(words) > 1 && !capital(words[1]) && !lexis.IsStop(lexis.Fold(words[1]))
}

// idioms are what asks for something by words that mean something else, and plain words for it.
var idioms = []string{"for a living", "as work", "se gana la vida", "trabaja", "gano la vida", "trabajo"}

// participle says whether a question in German ends in one, as in "Wo habe ich gewohnt?".
func participle(text string, words []string) bool {
	if len(words) < 3 || !slices.ContainsFunc(words, func(w string) bool { return perfect[w] }) {
		return false
	}
	fields := strings.Fields(text)
	last := words[len(words)-1]
	return !capital(fields[len(fields)-1]) && (!states[last] && strings.HasSuffix(last, "t") || strings.HasSuffix(last, "en"))
}

// Words by which a question is known to be in German, where "was" asks for what, or in Spanish, and those that stand with participles.
var (
	german  = lexis.Set("ich wir er habe haben hat ist sind der die das den ein eine zu bei vor jetzt heute")
	spanish = lexis.Set("donde que cual quien cuando como")
	states  = lexis.Set("verheiratet verlobt angestellt beschaftigt befreundet gehostet versichert geschrieben heisst")
	perfect = lexis.Set("habe haben hat hast bin sind ist")
)

// ourVerb says whether a question in Spanish, which names nobody, asks about the one who asks: its verb says so.
func ourVerb(text string, words []string) bool {
	if !strings.Contains(text, "¿") && (len(words) == 0 || !spanish[words[0]]) {
		return false
	}
	return slices.ContainsFunc(words, func(w string) bool {
		return len(w) > 2 && !spanish[w] && (strings.HasSuffix(w, "mos") || strings.HasSuffix(w, "o") || strings.HasSuffix(w, "ia"))
	})
}

// asking are words of questions that ask for nothing by themselves.
var asking = lexis.Set(`before replace replaced previous previously prior used currently former now today tell know about many time does
	name 	days these current called still
	hat die sich welchem welchen viele wieviel wer wen wem wessen wie was wann wo womit mit jetzt nun derzeit momentan
	aktuell aktuelle aktueller gerade zurzeit heisst heissen hiess fruher
	haben hatte hatten vor vorher unser unsere unserem unseren
	cuantos cuantas cual cuales quien quienes que donde con actualmente ahora llama llaman llamaba tiene tengo tenemos tenia
	tiempo antes nuestros nuestras`)

// kindsOfAnswer are words that say what kind of answer is wanted, besides what is asked for: in which city does Kim live. lightVerbs are
// verbs that go with whatever is asked for. whichs ask for one of a kind, whos for somebody, wheres for a place.
var (
	kindsOfAnswer = lexis.Set(`city town village country street place person company firm brand kind type sort day date hour week number year
		month stadt ort land strasse firma marke art tag datum uhrzeit monat jahr nummer person
		ciudad pueblo calle pais lugar sitio nombre persona empresa marca tipo dia fecha hora mes ano`)
	lightVerbs = lexis.Set(`use used uses have has had got get go goes went going benutzen benutze nutzen nutze verwenden gehe geht habe
		uso usa usamos voy va vamos need needs take takes taking`)
	wheres   = lexis.Set("where wo wohin donde adonde")
	whos     = lexis.Set("who whom whose wer wen wem wessen quien quienes")
	purposes = lexis.Set("for fur gegen para")
	whichs   = lexis.Set("which what welche welcher welches welchen welchem que cual was")
)
