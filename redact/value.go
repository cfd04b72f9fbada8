package redact

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/internal/linear"
)

// weights tell a secret from what only stands where one could. The tests train them anew: see train_test.go.
//
//go:generate go test . -run TestWeights -write
//go:embed weights.bin
var weights linear.Weights

// Rules for what the model finds.
const (
	rulePassword = "password"
	ruleSecret   = "secret"
	rulePIN      = "pin"
	ruleCode     = "recovery code"
)

// surely is the score from which on a value is taken for secret: about one of a hundred near misses of an unseen author is taken then.
const surely = 0

// nameless is the score from which on a value with words in it is taken for secret where nothing near it names one: it is as well the name
// of a product or a place ("the server is now Debian12"). At 2, one more of fifty secrets of an unseen author stayed.
const nameless = 1

// What the words around a term must add up to (see reader.topic, 32 steps make 1) for what stands there to be weighed with no cue near it.
const (
	topicWord = 0   // a rare word, or a word with figures in it, which is as well a name
	topicTold = -80 // any other value
)

// doubtful is the score from which on a value is secret where another in the same place of a list is.
const doubtful = -4

// likely is the score from which on a value is secret where another stands in the same column.
const likely = -2

// A value is a part of the text that may be secret.
type value struct {
	start, stop int
	look        byte // see lookOf; p phrase, u name of some words, q quoted one, l line, s recovery phrase, g letters in groups, n number
	first       int  // the term that it starts with
}

func (v value) span() span { return span{v.start, v.stop} }

// A reader weighs the values of one text.
type reader struct {
	text     string
	terms    []term
	end      term      // what stands behind the last one
	known    []Finding // what the formats tell, in order
	past     int       // how many of known end before the value
	taken    value     // the last value that was taken
	model    *[buckets]byte
	sum      int32 // what the weights of the value's features add up to
	learning bool  // features are kept in found as well, until those of the next value
	found    []uint32
	starts   []value     // the values that may start at the term
	line     int         // the first term of the line that was last read
	next     int         // that of the line below
	lines    above       // what the lines up to the value tell
	cued     uint32      // terms with a cue that names a secret
	given    []Finding   // what is made to be given away and does not end before the value
	shown    span        // the published value that ends last
	tests    func() bool // whether the text speaks of tests
	about    []int32     // what topics make of the terms up to each
}

func newReader(text string, known, given []Finding) *reader {
	r := &reader{text: text, known: known, model: (*[buckets]byte)(weights[1:])}
	r.given, r.tests = settle(append(given, givenAway(text)...)), ofTests(text)
	r.terms, r.end = terms(text)
	r.about = about(r.terms, topics)
	for _, t := range r.terms {
		if naming[t.cue] {
			r.cued++
		}
	}
	return r
}

// weigh returns the values that the model takes for secret, besides those that are known and those that are given away.
func weigh(text string, known, given []Finding) (found []Finding) {
	r := newReader(text, known, given)
	taken, open := map[place]bool{}, []doubt(nil)
	r.each(func(v value) bool {
		if r.counted(v) {
			return false
		}
		r.features(v)
		score := weights.Of(r.sum)
		if s := text[v.start:v.stop]; exported(s) || licence(s) {
			score = max(score, surely)
		}
		switch {
		case score >= doubtful && (r.public(v) || r.published(v)):
		case score >= nameless || score >= surely && (!worded[v.look] || r.toldOf(v)):
			found = append(found, r.finding(v))
			taken[r.place(v)], taken[r.column(v)] = true, true
			return true
		case score >= doubtful:
			open = append(open, doubt{v, score})
		}
		return false
	})
	return r.join(found, open, taken)
}

func (r *reader) finding(v value) Finding {
	stop := v.stop
	if v.look == 'p' || v.look == 'l' { // the last word's own signs
		stop = max(stop, r.endOf(v.first, r.lastWord(v), 0))
	}
	if v.stop-v.start == judged {
		mark := at(r.text, v.start-1)
		if strings.IndexByte("\"'`", mark) < 0 {
			mark = 0
		}
		stop = extent(r.text, v.start, mark, false, len(r.text))
	}
	return Finding{r.rule(v), v.start, stop}
}

// lastWord is where the last word of a value starts.
func (r *reader) lastWord(v value) int {
	return v.start + strings.LastIndexByte(r.text[v.start:v.stop], ' ') + 1
}

const (
	ahead  = 14 // terms between a cue and a value behind it
	behind = 8  // terms between a value and a cue behind it
	nested = 3  // values that may start within another that was not taken, and twice as many behind the name of a secret: ?token=…
)

// each calls take for every value until all are seen. What take accepts is not read again.
func (r *reader) each(take func(v value) bool) {
	next, seen, shared, inside, named := 0, 0, 0, 0, 0 // next: the first term with a cue that is near enough
	listed := 0                                        // no list of words begins at a term before it
	for i := range r.terms {
		t := &r.terms[i]
		start := int(t.from)
		for r.past < len(r.known) && r.known[r.past].End <= start {
			r.past++
		}
		if start < seen || t.hash == redacted || r.past < len(r.known) && r.known[r.past].Start < int(t.to) {
			continue
		}
		for next = max(next, i-ahead); next < min(len(r.terms), i+behind+1) && !opening[r.terms[next].cue]; {
			next++
		}
		near := next < min(len(r.terms), i+behind+1)
		if near = near || r.past > 0 && start-r.known[r.past-1].End < 60; !near { // as a card's code behind its number
			r.reach(i)
			near = r.lines.sign != 0 || r.lines.heading != 0
			if !near && i >= listed { // where a list is broken off, it is for those of its words as well that come later
				end, broken := r.seed(i)
				near, listed = end > 0, broken-1
			}
		}
		topic := r.topic(i, i)
		told := near || topic >= topicTold
		if !told && t.to-t.from < 8 && (t.to-t.from != 4 || groups(r.text, start) == 0) {
			continue
		}
		if start >= shared {
			inside, named = 0, 0
		} else if t.gap == '=' && i > 0 && naming[r.terms[i-1].cue] {
			if named++; named > 2*nested {
				continue
			}
		} else if inside++; inside > nested {
			continue
		}
		for _, v := range r.at(i, near, told, topic >= topicWord) {
			if r.past < len(r.known) && r.known[r.past].Start < v.stop || r.holdsPlaceholder(v) || folderName(r.text[:v.stop]) {
				continue
			}
			if v.look != 'p' && v.look != 'q' && v.look != 'l' && v.look != 'u' {
				shared = max(shared, v.stop)
			}
			if take(v) {
				seen, r.taken = v.stop, v
				break
			}
		}
	}
}

// counted tells a name with a version or a round number behind an @, as left-pad@1.2.3 and recall@10 are but hardly a password (Admin@123),
// with nothing near it that names a secret.
func (r *reader) counted(v value) bool {
	_, n, ok := strings.Cut(r.text[v.start:v.stop], "@")
	if !ok {
		return false
	}
	round := n == "1" || n == "3" || n == "5" || len(n) > 1 && len(n) < 4 && (strings.HasSuffix(n, "0") || strings.HasSuffix(n, "5"))
	if kinds(n)&^(digit|dot|hexes) != 0 || host(n, 0) || !round && strings.IndexByte(n, '.') < 0 {
		return false
	}
	return !r.toldOf(v)
}

// toldOf tells whether a word near a value names a secret.
func (r *reader) toldOf(v value) bool {
	last := v.first
	for last < len(r.terms) && int(r.terms[last].from) < v.stop {
		last++
	}
	return slices.ContainsFunc(r.terms[max(0, v.first-ahead):min(len(r.terms), last+behind)], func(t term) bool { return naming[t.cue] })
}

// folderName tells the name of a project that has it by its folder: ends in ~ and 8 hex digits.
func folderName(s string) bool {
	n := len(s) - 9
	return n >= 0 && s[n] == '~' && run(s, n+1, hexes, 8) == len(s)
}

func (r *reader) holdsPlaceholder(v value) bool {
	for i := v.first; i < len(r.terms) && int(r.terms[i].from) < v.stop; i++ {
		if r.terms[i].hash == redacted {
			return true
		}
	}
	return false
}

// at returns the values that may start at a term, the longest first. Where no cue is near, only what looks drawn is one, and if the words
// around allow it, all but words (told), or these as well (words). The slice is used again for the next term.
func (r *reader) at(i int, near, told, words bool) (out []value) {
	out = r.starts[:0]
	defer func() { r.starts = out }()
	text, t := r.text, &r.terms[i]
	start, from := r.before(i), int(t.from)
	if is(at(text, start-1), alnum) || t.gap != '=' && isName(text, from, int(t.to), naming[t.cue]) {
		return nil
	}
	add := func(start, stop int, look byte) { out = append(out, value{start, stop, look, i}) }
	if end, size := shortNumber(text, from); size > 0 {
		if told {
			add(from, end, 'n')
		}
		return out
	}
	mark := byte(0)
	if q := r.quoteBefore(i); q >= 0 {
		start, mark = q+1, text[q]
	}
	stop := r.endOf(i, start, mark)
	if end := groups(text, start); end > 0 && (told || end-start >= len("abcd efgh ijkl mnop qrst uvwx")) {
		add(start, end, 'g')
		return out
	}
	if told {
		if end, _ := r.seed(i); end > 0 {
			add(from, end, 's')
			return out
		}
		if end := start + len("abcd efgh ijkl mnop"); end <= len(text) && fourByFour(text[start:end]) && endsClause(text, end) {
			add(start, end, 'g')
		}
		if end := extent(text, start, mark, false, judged); mark != 0 && end > stop && end-start < 60 &&
			at(text, end) == mark && strings.IndexByte(text[start:end], '\n') < 0 {
			add(start, end, 'q')
		}
		clause, phrase, setting := r.clause(i), r.phrase(i), r.setting(i)
		if max(clause, phrase, setting) > stop && (stop <= start || !placeholder(text[start:stop])) {
			if clause > stop {
				add(start, clause, 'l')
			}
			if phrase > stop {
				add(start, phrase, 'p')
			}
			if setting > stop {
				add(start, setting, 'q')
			}
		}
		if title := r.title(i); title > max(clause, phrase, setting, stop) {
			add(from, title, 'u')
		}
	}
	if stop-start < 4 || stop-start < judged && is(at(text, stop), alnum) {
		return out
	}
	look := lookOf(text[start:stop], at(text, stop))
	if look == 'w' && !r.introduced(i) && !(words && r.sort(i) == rareWord) ||
		!(near || words || told && look != 'm') && !standsOut(text[start:stop], look) {
		return out
	}
	add(start, stop, look)
	if comma := strings.IndexByte(text[start:stop], ','); comma >= 4 && mark == 0 { // a cell of a table
		add(start, start+comma, lookOf(text[start:start+comma], ','))
	}
	return out
}

// standsOut tells whether a value is read where no cue is near: what looks drawn or chosen, and a long number to the base of 16. Words with
// figures in them are not, as names of models and licences are such.
func standsOut(v string, look byte) bool {
	return look == 'd' || look == 'c' || look == 'h' && len(v) >= 24 || licence(v)
}

// before goes from a term back over the signs that a password may begin with.
func (r *reader) before(i int) int {
	start, least := int(r.terms[i].from), 0
	if i > 0 {
		least = int(r.terms[i-1].to)
	}
	for start > least && beginning[r.text[start-1]] {
		start--
	}
	for start < int(r.terms[i].from) && dropped[r.text[start]] {
		start++
	}
	return start
}

// endOf returns where the word ends that starts at start, in a quote if mark is one.
func (r *reader) endOf(i, start int, mark byte) int {
	text, query := r.text, false
	if i > 0 {
		c := at(text, int(r.terms[i-1].from)-1)
		query = c == '?' || c == '&'
	}
	stop := extent(text, start, mark, query, judged)
	if mark != 0 && (at(text, stop) != mark || strings.IndexByte(text[start:stop], ' ') >= 0) {
		return extent(text, start, 0, query, judged)
	}
	if mark == 0 && at(text, start-1) == '=' { // brackets and the like are the value's own, where it looks drawn with them
		end := stop
		for end < len(text) && end-start < judged && strings.IndexByte(" \t\r\n\"'`<&;", text[end]) < 0 {
			end++
		}
		if end > stop && drawn(text[start:end]) {
			return end
		}
	}
	return stop
}

// isName tells whether the term at text[from:to] is a name with a value right behind it: DB_PASS=…. A name with figures in it has to be
// one of a secret: cvv2=…
func isName(text string, from, to int, secret bool) bool {
	c, next := at(text, to), at(text, to+1)
	letters := uint16(alpha | under | dash | dot)
	if secret {
		letters |= digit
	}
	return (c == '=' || c == ':') && next > ' ' && next != '=' && run(text, from, letters, to-from) == to
}

// quoteBefore returns the quote behind which nothing but signs stands up to the term, -1 without one.
func (r *reader) quoteBefore(i int) int {
	least := 0
	if i > 0 {
		least = int(r.terms[i-1].to)
	}
	for q := int(r.terms[i].from) - 1; q >= least && !unquoted[r.text[q]]; q-- {
		if quoting[r.text[q]] {
			return q
		}
	}
	return -1
}

var (
	introducing = bytes("=:>\n\"'`|/(,-")
	beginning   = bytes("!#$%^&*?~@+./=_") // what a password may begin with
	dropped     = bytes("=*&?./")          // unless it stands first
	quoting     = bytes("\"'`")
	unquoted    = bytes(" \t\r\n,:;<>|") // what stands between a quote and a term that it does not quote
)

// introduced tells whether a sign or a word introduces the term, as ordinary words are values only there.
func (r *reader) introduced(i int) bool {
	if t := r.terms[i]; i == 0 || introducing[t.gap] {
		return true
	}
	c := r.terms[i-1].cue
	return c == cueVerb || c == cueJoint || naming[c]
}

// seed returns the end of a wallet's recovery phrase, 0 where none starts at the term: 12 to 24 short words in small letters, of whatever
// language, and no stop word among them (BIP-39), numbered or not. seed also returns the term at which such words break off.
func (r *reader) seed(i int) (end, broken int) {
	if end, broken = r.shortWords(i, false); end > 0 { // hardly any prose: nothing is looked up for the rest
		end, broken = r.shortWords(i, true)
	}
	return end, broken
}

// shortWords is seed, which asks whether a word is a stop word or not.
func (r *reader) shortWords(i int, stops bool) (end, broken int) {
	n, gap := 0, byte(0) // gap: what stands between the first two words
	for ; i < len(r.terms) && n < 24; i++ {
		t := &r.terms[i]
		w := r.text[t.from:t.to]
		if number := run(w, 0, digit, 2) == len(w); number && n > 0 {
			continue
		}
		if n > 0 && t.gap != gap && n > 1 || len(w) < 3 || len(w) > 8 && (kinds(w) == lower || len(w) > 12) || !small(w) || stops && r.small(i) {
			break
		}
		if n == 1 {
			gap = t.gap
		}
		n, end = n+1, int(t.to)
	}
	if n < 12 {
		return 0, i
	}
	return end, i
}

// small tells a word without capitals and figures.
func small(w string) bool {
	for i := range len(w) {
		if w[i] < 0x80 && !is(w[i], lower) {
			return false
		}
	}
	return true
}

// lookOf tells what a value looks like: d drawn by lot, c chosen as a password, m a word with figures or signs in it, h a number to
// the base of 16, n a number, i an id, e an expression of a program, f what fills a place, w a word.
func lookOf(v string, after byte) byte {
	letters, digits, others, _ := count(v)
	switch {
	case placeholder(v):
		return 'f'
	case digits == len(v):
		return 'n'
	case letters > 0 && digits == 0 && others == 0:
		if drawn(v) || base32(v) {
			return 'd'
		}
		return 'w'
	case identifier(v) || email(v) || technical(v):
		return 'i'
	}
	lot := drawn(v)
	switch {
	case !lot && codeLike(v, after):
		return 'e'
	case len(v) > 6 && run(v, 0, hexes, len(v)) == len(v):
		return 'h'
	case lot || base32(v):
		return 'd'
	case chosen(v):
		return 'c'
	}
	return 'm'
}

// rule names what a value is, by the nearest cue before it or else by its look.
func (r *reader) rule(v value) string {
	for i := v.first - 1; i >= max(0, v.first-ahead); i-- {
		switch r.terms[i].cue {
		case cuePassword, cueNetwork:
			return rulePassword
		case cuePIN:
			return rulePIN
		case cueRecovery:
			return ruleCode
		case cueSecret, cueKey:
			return ruleSecret
		}
	}
	switch v.look {
	case 'n':
		return rulePIN
	case 'd':
		return ruleSecret
	}
	return rulePassword
}
