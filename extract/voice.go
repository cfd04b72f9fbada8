package extract

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/trust"
	"github.com/reverie-memory/reverie/vault"
)

// A voice is whose words a stretch of a message is. A person hands an assistant what others wrote: a mail to be answered, a text to be
// translated. A voice stands in the person's message, but its "I" is somebody else, and what it asks for is nobody's wish.
type voice int

const (
	firm   voice = iota // the speaker's, as the rest of what they say
	loose               // the speaker's own words to somebody else, or behind what others wrote: they tell facts, and are no wishes
	others              // somebody else's, or a text that is worked on
)

// A voiced text is a stretch of a message in one voice.
type voiced struct {
	from, to int
	voice
}

// voices cuts a message into stretches in one voice. speaker is the name of who said it, "" when unknown.
//
// What others wrote begins behind the words that hand it over ("Can you answer this mail?", "Anna wrote:"), with a salutation behind other
// words, or with the head of a mail; and a letter is that of who signed it. A voice goes on to the end of the message, unless what opened
// it closes it as well (a fence, a quotation mark, a rule, the sign of quoted lines), or a question comes behind a signature.
func voices(text, speaker string) []voiced {
	v := &voicer{text: text, lines: linesOf(text), letter: -1}
	if speaker != unknownSpeaker {
		v.speaker = voiceWords(speaker)
	}
	v.signed = signatures(v.lines)
	v.log = chatLog(v.lines)
	v.whole()
	for v.i = range v.lines {
		for at := v.lines[v.i].from; at < v.lines[v.i].to; {
			at = v.step(at)
		}
	}
	return v.out
}

// ownWords is what of a message its speaker says, without what others wrote, and how many bytes of it come before the first loose ones.
func ownWords(text, speaker string) (words string, sure int) {
	sure = -1
	var b strings.Builder
	for _, s := range voices(text, speaker) {
		if b.Len() > 0 {
			b.WriteString("\n\n")
		}
		if s.voice == loose && sure < 0 {
			sure = b.Len()
		}
		if s.voice != others {
			b.WriteString(text[s.from:s.to])
		}
	}
	if sure < 0 {
		sure = b.Len()
	}
	return b.String(), sure
}

// Handed tells which stretches of a person's message, as offsets, are not their own word for sure: what others wrote, and all that is
// loose beside it. A draft of their own is theirs.
func Handed(text, speaker string) (spans [][2]int) {
	of := false
	for _, s := range voices(text, nameOf(speaker)) {
		if s.voice != firm {
			spans, of = append(spans, [2]int{s.from, s.to}), of || s.voice == others
		}
	}
	if !of {
		return nil
	}
	return spans
}

// ordering tells a loose fact that would tell an assistant what to do.
func ordering(fact string) bool {
	return trust.Bar(trust.Said{Text: fact, Origin: vault.OriginAgent}, trust.Page) != ""
}

// A voicer goes through a message line by line.
type voicer struct {
	text    string
	speaker []string // the words of the name, folded
	lines   []voiceLine
	signed  []signature
	log     stretch // the lines of a chat
	out     []voiced

	i      int          // the line that is read,
	spans  []lexis.Span // what is left of its sentences,
	of     int          // where these are of it
	voice  voice        // of what is read
	opened bool         // what is read was handed over, and has to be closed
	until  string       // what closes it: a fence, a rule, a quotation mark, or ">" for lines that do not begin so; "" for none of these
	since  int          // the line that opened it
	letter int          // the last line of its signature, or -1
	blank  bool         // the line before was blank
	said   bool         // the speaker said something before
	handed voice        // the voice of what was handed over and follows; firm: nothing was
	next   bool         // it follows in the next line, else behind a blank one
	points voice        // the voice of a text that the paragraph named without asking for anything
	asks   bool         // the paragraph asks for something
}

// A voiceLine is a line of a message.
type voiceLine struct {
	from, to int
	bare     string
	fenced   bool
	colon    bool // there is one at its beginning
}

// shortLine is how many bytes a line has at most that is a head, a greeting or a signature.
const shortLine = 120

func linesOf(text string) (lines []voiceLine) {
	lines = make([]voiceLine, 0, strings.Count(text, "\n")+1)
	fence, at := "", 0
	for line := range strings.Lines(text) {
		l := voiceLine{from: at, to: at + len(line), bare: strings.TrimSpace(line), fenced: fence != ""}
		l.colon = strings.IndexByte(l.bare[:min(len(l.bare), 2*shortLine)], ':') >= 0
		at = l.to
		switch mark := fenceMarkOf(l.bare); {
		case fence != "" && mark == l.bare && strings.HasPrefix(mark, fence):
			fence = ""
		case fence == "" && mark != "":
			fence, l.fenced = mark, true
		}
		lines = append(lines, l)
	}
	return lines
}

// words are the folded words of the beginning of the line.
func (l voiceLine) words() []string { return voiceWords(beginning(l.bare, shortLine)) }

// begins tells whether the first word of the line is in one of these lists.
func (l voiceLine) begins(list lists) bool {
	first := l.bare
	if n := strings.IndexAny(first[:min(len(first), shortLine)], " ,!:."); n >= 0 {
		first = first[:n]
	}
	return len(first) <= shortLine && listsOf(first)&list != 0
}

// voiceWords are the folded words of a text, with the apostrophes and hyphens in them.
func voiceWords(text string) []string {
	return strings.FieldsFunc(folded(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' && r != '-'
	})
}

// put adds a stretch of the text.
func (v *voicer) put(from, to int, as voice) {
	if n := len(v.out); n > 0 && v.out[n-1].voice == as {
		v.out[n-1].to = to
	} else if from < to {
		v.out = append(v.out, voiced{from, to, as})
	}
}

// step reads on from a place in the line, and returns up to where.
func (v *voicer) step(at int) int {
	l := v.lines[v.i]
	if v.opened {
		return v.inside(at)
	}
	if l.bare == "" {
		if v.handed == firm && v.asks {
			v.handed = v.points
		}
		v.blank, v.points, v.asks = true, firm, false
		v.put(at, l.to, v.voice)
		return l.to
	}
	begins := at == l.from
	switch {
	case v.handed != firm && begins && (v.blank || v.next):
		v.open(at, v.handed)
		return at
	case l.fenced:
		v.put(at, l.to, firm)
	case strings.HasPrefix(l.bare, ">") && !prompted(l.bare), v.log.from <= v.i && v.i < v.log.to:
		v.put(at, l.to, others)
	case begins && (l.colon || l.bare[0] == '-' || l.bare[0] == 'B') && (mailHead(l) || v.heads()):
		v.open(at, others)
		return at
	case begins && v.blank && v.said && v.salutes():
		v.open(at, v.letterVoice())
		return at
	default:
		v.said = true
		return v.listen(at)
	}
	v.blank = false
	return l.to
}

// listen reads the speaker's own words from a place in the line, up to where something is handed over.
func (v *voicer) listen(at int) int {
	l := v.lines[v.i]
	if v.blank = false; len(l.bare) < minSentence-1 {
		v.put(at, l.to, v.voice)
		return l.to
	}
	if v.of != v.i || v.spans == nil {
		v.of, v.spans = v.i, lexis.Sentences(v.text[l.from:l.to])
	}
	for len(v.spans) > 0 && l.from+v.spans[0].End <= at {
		v.spans = v.spans[1:]
	}
	for i, s := range v.spans {
		if from := l.from + s.Start; i > 0 && v.handed != firm && closingMarks[firstRune(v.text[from:])] != "" { // Shorten this. "…"
			v.put(at, from, v.voice)
			v.open(from, v.handed)
			return from
		}
		h, head := v.sentence(max(at, l.from+s.Start), l.from+s.End, i+1 == len(v.spans))
		v.asks = v.asks || h.question
		if head == 0 {
			continue
		}
		as, now := h.voice()
		v.asks = v.asks || h.demand() >= 0
		switch {
		case as == firm:
			v.points = max(v.points, h.names())
		case now && !h.ends:
			v.put(at, head, v.voice)
			v.open(head, as)
			return head
		default:
			v.handed, v.next = as, i+1 == len(v.spans)
		}
	}
	v.put(at, l.to, v.voice)
	return l.to
}

// sentence is one of the line as it may hand something over, and where its words end before which a colon stands; 0 for one that is too
// long to hand anything over. last says that it ends the line.
func (v *voicer) sentence(from, to int, last bool) (h handover, end int) {
	said := v.text[from:to]
	head, colon := said, false
	if n := strings.Index(said, ": "); n >= 0 {
		head, colon = said[:n], true
	} else if strings.HasSuffix(said, ":") {
		head, colon = said[:len(said)-1], true
	}
	if len(head) > maxSentence {
		return h, 0
	}
	h.question, h.all = strings.HasSuffix(said, "?"), listsOf(head)
	if h.all&(inText|inDo|inSay|inWork|inMean|inMake|inBack) == 0 && (!colon || h.all&(inOf|inGot) == 0) {
		return h, 0
	}
	tail := strings.TrimLeft(said[len(head):], ": ")
	h = newHandover(head)
	h.question, h.colon, h.ends = strings.HasSuffix(said, "?"), colon, tail == "" || !colon
	h.quote = colon && closingMarks[firstRune(tail)] != ""
	l := v.lines[v.i]
	h.only = h.ends && last && strings.TrimSpace(v.text[l.from:from]) == "" && (v.i == 0 || v.lines[v.i-1].bare == "") &&
		(v.i+1 == len(v.lines) || v.lines[v.i+1].bare == "")
	end = from + len(head)
	if colon {
		end++
	}
	return h, end
}

// open begins what was handed over at a place in the line.
func (v *voicer) open(at int, as voice) {
	v.voice, v.opened, v.handed, v.until, v.since = as, true, firm, "", v.i
	v.letter = -1
	if s, ok := v.signature(v.i); ok {
		v.letter = s.last
	}
	l := v.lines[v.i]
	rest := strings.TrimLeft(v.text[at:l.to], " \t")
	switch first := firstRune(rest); {
	case l.fenced:
		v.until = "```"
	case first == '>':
		v.until = ">"
	case isRule(l.bare):
		v.until = l.bare
	case closingMarks[first] != "":
		v.until = closingMarks[first]
	default:
		return
	}
	if v.until == `"` { // which opens and closes
		v.put(at, l.to-len(rest)+1, as)
	}
}

func firstRune(s string) rune { r, _ := utf8.DecodeRuneInString(s); return r }

// closingMarks are the quotation marks that end what others opened.
var closingMarks = map[rune]string{'"': `"`, '“': "”", '„': "“", '«': "»", '»': "«"}

// isRule tells a line of signs.
func isRule(s string) bool { return len(s) >= 3 && strings.Trim(s, "-=*_#~\"'.") == "" }

// inside reads on in what was handed over.
func (v *voicer) inside(at int) int {
	l := v.lines[v.i]
	to, as, closes := at, loose, false
	switch {
	case v.until == "```":
		closes = !l.fenced
	case v.until == ">":
		as, closes = firm, !strings.HasPrefix(l.bare, ">")
	case v.until != "" && isRule(v.until):
		to, closes = l.to, l.bare == v.until && v.i > v.since
	case v.until != "":
		to, closes = v.unquoted(at)
	default:
		closes = v.letter >= 0 && v.i > v.letter && v.blank && outside(l.bare)
	}
	v.blank = l.bare == ""
	if !closes {
		v.put(at, l.to, v.voice)
		return l.to
	}
	v.put(at, to, v.voice)
	if v.voice == loose {
		as = loose
	}
	v.voice, v.opened, v.said = as, false, true
	return to
}

// unquoted finds the end of a quotation behind a place in the line: its mark, behind which no word goes on.
func (v *voicer) unquoted(at int) (to int, found bool) {
	if n := len(v.out); n > 0 {
		at = max(at, v.out[n-1].to)
	}
	line := v.text[at:v.lines[v.i].to]
	for from := 0; ; {
		n := strings.Index(line[from:], v.until)
		if n < 0 {
			return at, false
		}
		from += n + len(v.until)
		if r := firstRune(line[from:]); from == len(line) || !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return at + from, true
		}
	}
}

// outside tells a line that begins with a question or a demand.
func outside(line string) bool {
	line = beginning(line, 4*shortLine)
	s := lexis.Sentences(line)
	if len(s) == 0 {
		return false
	}
	h := newHandover(line[s[0].Start:s[0].End])
	return strings.HasSuffix(line[s[0].Start:s[0].End], "?") || h.demand() >= 0
}

// whole decides on a message that begins with a letter, or says at its end what is to be done with all of it.
func (v *voicer) whole() {
	first := slices.IndexFunc(v.lines, func(l voiceLine) bool { return l.bare != "" })
	if first < 0 {
		return
	}
	v.i = first
	start := v.lines[first].from
	if to, ok := greeting(v.lines[first]); ok {
		s, signed := v.signature(first)
		switch {
		case hasAny(to, inBot):
		case v.calls(to), signed && !(s.bare && len(v.speaker) == 0):
			as := v.letterVoice()
			if v.calls(to) {
				as = others
			}
			if as == others || !s.bare {
				v.open(start, as)
			}
		}
		return
	}
	if v.treated(first) {
		return
	}
	for _, s := range v.signed {
		if s.ends && !v.isSpeaker(s.name) {
			if !v.introduced(first, s.line) {
				v.open(start, others)
				v.letter = s.last
			}
			return
		}
	}
}

// treated opens the whole message where its last paragraph says what is to be done with it ("Translate this, please").
func (v *voicer) treated(first int) bool {
	last := len(v.lines) - 1
	for last > first && v.lines[last].bare == "" {
		last--
	}
	l := v.lines[last]
	if last == first || v.lines[last-1].bare != "" || l.fenced || len(l.bare) > shortLine {
		return false
	}
	h := newHandover(l.bare)
	if d := h.demand(); d < 0 || !is(h.words[d], inAlone) || h.at(d+1) != "it" && !h.hasAny(inThis) && !h.hasAny(inHere) || h.mine() {
		return false
	}
	v.open(v.lines[first].from, others)
	v.letter = last - 1 // and behind it what is to be done
	return true
}

// introduced tells whether something between two lines shows by itself that a text of others follows.
func (v *voicer) introduced(from, to int) bool {
	w := voicer{text: v.text, lines: v.lines[:to+1], speaker: v.speaker, letter: -1}
	for w.i = from; w.i <= to; w.i++ {
		for at := w.lines[w.i].from; at < w.lines[w.i].to; {
			if at = w.step(at); w.opened {
				return true
			}
		}
	}
	return false
}

// folded is lexis.Fold with one sign for all apostrophes.
func folded(text string) string {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return strings.ReplaceAll(lexis.Fold(text), "’", "'")
		}
	}
	return strings.ToLower(text)
}
