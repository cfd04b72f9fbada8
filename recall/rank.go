package recall

import (
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/vault"
)

// The score of a row r of a group g (all rows of one drawer):
//
//	base(r)  = bm25(r) + vector·z(r)            z: cosine above the mean of the nearest, in standard deviations, ≥ 0
//	top(g)   = max base of its rows
//	ctx(g)   = prev·top(g-1) + next·top(g+1) + far·(top(g-2)+top(g+2)) + session·mean(best 3 tops of its session)
//	           lone·top(g) for a group without a session (pages, core files)
//	score(r) = (base + ctx) · length · statement · (1+speaker) · (1+date) · (1+time) · (1+recency) · (1-history)
//
// A session that has filled varietyFree places of the answer gives variety of the score for each further one, so
// that an answer that lies in several sessions finds room.
//
// The factors look at the text, so they are taken only of the best groups by a first estimate that
// knows everything but the text.
//
// Known bad cases: a question that shares no word with its answer and has no model's vectors is found by its
// neighbours or not at all; a question about what somebody was asked suffers from statement; two people of one name are one.
type weights struct {
	vector                   float64
	prev, next, far, session float64
	lone                     float64
	length                   float64 // terms at which a text counts 63 %
	question                 float64 // taken off a text that only asks back
	speaker                  float64
	date                     float64
	time                     float64
	recency                  float64
	history                  float64 // taken off what is no longer true
	variety                  float64
}

// What the weights were measured with is told in docs/decisions.
var defaultWeights = weights{
	prev: 0.4, next: 0.2, far: 0.1, session: 0.6,
	lone:     0.5,
	length:   4,
	question: 0.4,
	speaker:  0.8,
	date:     0.8,
	time:     0.2,
	recency:  0.05,
	history:  0.1,
	variety:  0.04,
}

// The weight of the standardised cosine. The built-in embedder sees much the same as the full text
// does; a model adds meaning.
const (
	vectorBuiltin = 0.5
	vectorModel   = 1.4
)

// lexicalRanking is the BM25 of the first part. Frequent terms stay in: they weigh little but tell
// long texts apart.
var lexicalRanking = catalog.DefaultRanking()

// Sizes of a search.
const (
	maxTerms     = 64   // of a query
	lexicalDepth = 1000 // full-text candidates
	vectorDepth  = 300  // nearest rows
	placeGroups  = 200  // groups whose neighbours speak for them
	expandGroups = 100  // groups whose neighbours join
	readGroups   = 60   // groups whose text is read, at least
	readRows     = 3    // rows read of one group
	sessionBest  = 3
	varietyFree  = 2 // places that a session fills before it pays
	varietyMost  = 0.4
)

// recencyHalfLife is the age at which the bonus for new rows has halved. The whole bonus is at most
// weights.recency of the score: it decides between equals and cannot lift a worse answer far.
const recencyHalfLife = 30 * day

func weightsFor(f flags, builtin bool) *weights {
	w := defaultWeights
	w.vector = vectorModel
	if builtin {
		w.vector = vectorBuiltin
	}
	if !f.on(FlagNeighbours) {
		w.prev, w.next, w.far = 0, 0, 0
	}
	if !f.on(FlagSession) {
		w.session = 0
	}
	if !f.on(FlagNeighbours) && !f.on(FlagSession) {
		w.lone = 0
	}
	if !f.on(FlagSpeaker) {
		w.speaker = 0
	}
	if !f.on(FlagDates) {
		w.date, w.time = 0, 0
	}
	if !f.on(FlagText) {
		w.length, w.question = 0, 0
	}
	if !f.on(FlagRecency) {
		w.recency, w.history = 0, 0
	}
	if !f.on(FlagVariety) {
		w.variety = 0
	}
	return &w
}

// The parts of a score, in the order in which they are summed up.
const (
	partLexical = iota
	partVector
	partNeighbours
	partSession
	partLength
	partStatement
	partSpeaker
	partDate
	partTime
	partRecency
	partHistory
	partVariety
	numParts
)

var partNames = [numParts]string{
	"lexical", "vector", "neighbours", "session", "length", "statement", "speaker", "date", "time", "recency", "history", "variety",
}

// parts are what each consideration adds to a score (or takes from it). The score is their sum.
type parts [numParts]float64

func (p *parts) sum() float64 {
	s := 0.0
	for _, v := range p {
		s += v
	}
	return s
}

// scale multiplies the score so far by 1+by and books the difference.
func (p *parts) scale(part int, by float64) { p[part] = p.sum() * by }

// A ranker scores the candidates of one search.
type ranker struct {
	w   *weights
	q   *question
	now time.Time
}

// start books what is known without the text.
func (r *ranker) start(c *candidate, s support) parts {
	var p parts
	p[partLexical] = c.lexical
	p[partVector] = r.w.vector * c.nearby
	p[partNeighbours] = s.neighbours
	p[partSession] = s.session
	return p
}

// score is the whole score of a row.
func (r *ranker) score(c *candidate, s support, row *catalog.Row) parts {
	p := r.start(c, s)
	if r.w.length > 0 && !fromLog(row) { // a fact stands for itself, however short
		p.scale(partLength, -math.Exp(-float64(len(lexis.Terms(row.Text)))/r.w.length))
	}
	if r.w.question > 0 {
		p.scale(partStatement, -r.w.question*asksBack(row.Text))
	}
	if r.w.speaker > 0 && r.spokenBy(row) {
		p.scale(partSpeaker, r.w.speaker)
	}
	p.scale(partDate, r.date(c.meta.Unix))
	if r.w.time > 0 && r.q.when && tellsTime(lexis.Words(row.Text)) {
		p.scale(partTime, r.w.time)
	}
	p.scale(partRecency, r.recency(c.meta.Unix))
	if r.w.history > 0 && isHistory(row) {
		p.scale(partHistory, -r.w.history)
	}
	return p
}

// fromLog says whether the row tells one fact: as a line of a daily log, or as a statement on a page that took its place.
func fromLog(row *catalog.Row) bool {
	switch row.Source {
	case catalog.ArchiveLog:
		return true
	case catalog.Notebook, catalog.CoreFile:
		return row.Chat != "" || row.Drawer != ""
	}
	return false
}

// isHistory says whether the row stands under a page's heading "History": it was true once.
func isHistory(row *catalog.Row) bool {
	_, after, ok := strings.Cut(row.Context, "> History")
	return ok && row.Source == catalog.Notebook && (after == "" || strings.HasPrefix(after, " (") || strings.HasPrefix(after, " >"))
}

// spokenBy says whether the row is by the person whom the question is about. A text without a
// speaker, such as a page, is when it names them.
func (r *ranker) spokenBy(row *catalog.Row) bool {
	switch row.Origin {
	case vault.OriginAssistant:
		if r.q.yours {
			return true
		}
	case vault.OriginUser, "":
		if r.q.mine && !r.q.yours {
			return true
		}
	}
	if row.Speaker == "" {
		return r.q.namedIn(row.Context) || r.q.namedIn(row.Text)
	}
	return r.q.namesSpeaker(row.Speaker)
}

func (r *ranker) date(unix int64) float64 { return r.w.date * r.q.closeness(unix) }

func (r *ranker) recency(unix int64) float64 {
	if unix == 0 {
		return 0
	}
	age := max(0, r.now.Sub(time.Unix(unix, 0)))
	return r.w.recency * math.Exp2(-age.Hours()/recencyHalfLife.Hours())
}

// asksBack is the share of the text that asks somebody else something. What somebody asks while telling of
// themselves ("I paint since May, shall I show you?") is no such question.
func asksBack(text string) float64 {
	if !strings.ContainsAny(text, "?？؟") {
		return 0
	}
	asked, all := 0, 0
	for _, s := range lexis.Sentences(text) {
		t := text[s.Start:s.End]
		n := utf8.RuneCountInString(t)
		all += n
		if isQuestion(t) && !ownWords(t) {
			asked += n
		}
	}
	if all == 0 {
		return 0
	}
	return float64(asked) / float64(all)
}

func isQuestion(sentence string) bool {
	sentence = strings.TrimRight(sentence, " \t\r\n\"'”’»)]*_!")
	r, _ := utf8.DecodeLastRuneInString(sentence)
	return r == '?' || r == '？' || r == '؟'
}

func ownWords(sentence string) bool {
	for _, w := range lexis.Words(sentence) {
		if firstPerson(w) || w == "us" || w == "uns" || w == "mine" {
			return true
		}
	}
	return false
}
