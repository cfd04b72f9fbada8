package extract

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/internal/slice"
)

// A signature is the name below a letter, with the words before it.
type signature struct {
	line, last int // where the words begin that end the letter, and where the name stands
	name       []string
	ends       bool // these words end letters, and nothing else
	bare       bool // there are none, but a name alone at the end of the message
}

// signatures are those of a message, in order.
func signatures(lines []voiceLine) (out []signature) {
	last := len(lines) - 1
	for last >= 0 && lines[last].bare == "" {
		last--
	}
	for i, l := range lines {
		if s, ok := l.closing(); ok {
			s.line, s.last = i, i
			for j := i + 1; len(s.name) == 0 && j < min(i+3, len(lines)); j++ {
				if isName(lines[j], 6, true) {
					s.name, s.last = lines[j].words(), j
				}
			}
			if len(s.name) > 0 {
				out = append(out, s)
				continue
			}
		}
		if i == last && i > 1 && lines[i-1].bare == "" && isName(l, 3, false) {
			out = append(out, signature{line: i, last: i, name: l.words(), bare: true})
		}
	}
	return out
}

// closing tells a line that ends a letter: "Best regards", "LG Sofie", "Thanks, Tom".
func (l voiceLine) closing() (s signature, ok bool) {
	if len(l.bare) > shortLine || l.fenced || listsOf(l.bare)&inClose == 0 || !l.begins(inClose|inJoint) ||
		strings.ContainsAny(l.bare, "?:;") {
		return s, false
	}
	words, n := l.words(), 0
	if len(words) > 9 {
		return s, false
	}
	for n < len(words) && (is(words[n], inClose) || is(words[n], inJoint)) {
		ok = ok || is(words[n], inClose) && !is(words[n], inGreet)
		s.ends = s.ends || is(words[n], inEnd)
		n++
	}
	if !ok {
		return s, false
	}
	shown := strings.FieldsFunc(l.bare, func(r rune) bool { return unicode.IsSpace(r) || r == ',' || r == '!' })
	switch {
	case n == len(words):
		return s, !strings.HasSuffix(l.bare, ".")
	case len(words)-n > 4 || len(shown) < n:
		return s, false
	}
	s.name = words[n:]
	capital := !slices.ContainsFunc(shown[n:], func(w string) bool { r := firstRune(w); return unicode.IsLetter(r) && !unicode.IsUpper(r) })
	apart := strings.ContainsAny(l.bare, ",!") && len(words) <= 3
	return s, (capital || apart) && !strings.ContainsAny(l.bare[len(l.bare)-1:], ".!")
}

// isName tells a line of a few words that may be a name.
func isName(l voiceLine, most int, small bool) bool {
	if len(l.bare) > shortLine/2 || l.fenced || strings.ContainsAny(l.bare, "?!:;@0123456789,\"") {
		return false
	}
	for i, w := range strings.Fields(l.bare) {
		r, _ := utf8.DecodeRuneInString(w)
		if !unicode.IsLetter(r) || !unicode.IsUpper(r) && (i == 0 && !small || !small) {
			return false
		}
	}
	n := len(l.words())
	return n == 1 || 1 < n && n <= most && !strings.HasSuffix(l.bare, ".")
}

// greeting tells a line that begins with a salutation, and returns whom it names; nobody where it is one alone.
func greeting(l voiceLine) (to []string, ok bool) {
	if l.fenced || !l.begins(inGreet|inJoint) && !strings.HasPrefix(l.bare, "To ") {
		return nil, false
	}
	head := beginning(l.bare, shortLine)
	for n := 0; n < len(head); n++ {
		if strings.IndexByte(",!:.", head[n]) >= 0 && !(head[n] == '.' && title(head[:n])) {
			head = head[:n]
		}
	}
	if len(head) > shortLine/2 {
		return nil, false
	}
	to = voiceWords(head)
	if len(to) > 7 {
		return nil, false
	}
	if strings.Join(to, " ") == "to whom it may concern" {
		return to, true
	}
	for len(to) > 0 && (is(to[0], inGreet) || is(to[0], inJoint)) {
		ok = ok || is(to[0], inGreet)
		to = to[1:]
	}
	return to, ok && len(to) <= 4
}

// title tells a text that ends in a short word before its full stop: Dear Mr
func title(s string) bool {
	w := s[strings.LastIndexByte(s, ' ')+1:]
	return len(w) < 4 && unicode.IsUpper(firstRune(w))
}

// salutes tells a line behind others that begins a letter: it names somebody who is none of those spoken to here, or stands alone.
func (v *voicer) salutes() bool {
	l := v.lines[v.i]
	words := l.words()
	to, ok := greeting(l)
	if !ok || hasAny(to, inBot) {
		return false
	}
	if len(to) == 0 {
		return len(strings.TrimRight(l.bare, ",!. ")) <= shortLine/4 && len(words) <= 3
	}
	first := len(words) - len(to)
	shown := strings.Fields(l.bare)
	return is(words[0], inDear) || v.calls(to) || first >= 0 && len(shown) > 1 && unicode.IsUpper(firstRune(shown[1])) ||
		strings.HasPrefix(strings.Join(words, " "), "to whom")
}

// signature is the next one from a line on.
func (v *voicer) signature(line int) (signature, bool) {
	n, _ := slices.BinarySearchFunc(v.signed, line, func(s signature, line int) int { return s.line - line })
	if n == len(v.signed) {
		return signature{}, false
	}
	return v.signed[n], true
}

// letterVoice is the voice of a letter that nobody handed over, from the line on: that of who signed it.
func (v *voicer) letterVoice() voice {
	if s, ok := v.signature(v.i); ok && v.isSpeaker(s.name) {
		return loose
	}
	return others
}

// calls tells whether one of the words is a name of the speaker.
func (v *voicer) calls(name []string) bool {
	return slices.ContainsFunc(name, func(w string) bool { return slices.Contains(v.speaker, w) })
}

// isSpeaker tells whether one of the words is a name of the speaker, or short for one.
func (v *voicer) isSpeaker(name []string) bool {
	return slices.ContainsFunc(name, func(w string) bool {
		return len(w) > 1 && slices.ContainsFunc(v.speaker, func(s string) bool {
			return w == s || len(w) > 2 && len(s) > 2 && (strings.HasPrefix(w, s) || strings.HasPrefix(s, w))
		})
	})
}

// mailHead tells the line behind which a mail quotes another.
func mailHead(l voiceLine) bool {
	low := strings.ToLower(beginning(strings.TrimLeft(l.bare, "-_ "), shortLine))
	dashed := strings.HasPrefix(l.bare, "---")
	return slices.ContainsFunc(mailHeads, func(h string) bool { return strings.HasPrefix(low, h) }) &&
		(dashed || strings.HasSuffix(l.bare, ":") ||
			strings.IndexByte(low, ':') == strings.IndexAny(low, ": ")) ||
		len(l.bare) <= 2*shortLine && strings.HasSuffix(l.bare, ":") && slices.ContainsFunc(quoteHeads[:], func(h [2]string) bool {
			return strings.HasPrefix(l.bare, h[0]) && strings.Contains(l.bare, h[1]) && strings.ContainsAny(l.bare, "0123456789@")
		})
}

var (
	mailHeads = []string{
		"original message", "forwarded message", "begin forwarded message", "fwd:", "fw:", "wg:", "tr :", "rv:", "ursprungliche nachricht",
		"ursprüngliche nachricht", "weitergeleitete nachricht", "anfang der weitergeleiteten nachricht", "message transféré", "message d'origine",
		"mensaje reenviado", "mensaje original",
	}
	quoteHeads = [...][2]string{{"On ", " wrote"}, {"Am ", " schrieb"}, {"Le ", " écrit"}, {"El ", " escribió"}}
)

// heads tells whether the line is the first of two that head a mail: "From: …", "Subject: …".
func (v *voicer) heads() bool {
	n := 0
	for i := v.i; i < min(v.i+4, len(v.lines)) && v.lines[i].bare != ""; i++ {
		if key, _, ok := strings.Cut(v.lines[i].bare, ":"); ok && mailKeys[strings.ToLower(strings.TrimSpace(key))] {
			n++
		} else if i == v.i {
			return false
		}
	}
	return n > 1
}

var mailKeys = slice.Set(strings.Fields(
	"from to cc date sent subject von an gesendet datum betreff de à objet envoyé para enviado asunto fecha"))

// chatLog finds a chat that was copied: lines that begin with the names of who wrote them, of which one comes again.
func chatLog(lines []voiceLine) (log stretch) {
	said := map[string]int{}
	n, again, stamped := 0, false, 0
	for i, l := range lines {
		name, stamp, ok := chatName(l)
		if !ok {
			continue
		}
		if n == 0 {
			log.from = i
		}
		log.to = i + 1
		said[name]++
		n++
		again = again || said[name] > 1
		if stamp {
			stamped++
		}
	}
	if n > 2 && again && len(said) > 1 || stamped > 1 {
		return log
	}
	return stretch{}
}

// chatName is the name at the beginning of a line of a chat, and whether a time stands before it.
func chatName(l voiceLine) (name string, stamped, ok bool) {
	s := l.bare
	if l.fenced || !l.colon {
		return "", false, false
	}
	if strings.HasPrefix(s, "[") {
		n := strings.IndexByte(s, ']')
		if n < 0 || n > 40 || !strings.ContainsAny(s[:n], "0123456789") {
			return "", false, false
		}
		s, stamped = strings.TrimSpace(s[n+1:]), true
	} else if n := strings.Index(beginning(s, shortLine), " - "); n > 0 && n < 24 &&
		unicode.IsDigit(rune(s[0])) && strings.ContainsAny(s[:n], ":") {
		s, stamped = s[n+3:], true
	}
	name, rest, found := strings.Cut(beginning(s, shortLine), ": ")
	if !found || name == "" || len(name) > 30 || len(strings.Fields(name)) > 3 || rest == "" {
		return "", false, false
	}
	for w := range strings.FieldsSeq(name) {
		if !unicode.IsUpper(firstRune(w)) {
			return "", false, false
		}
	}
	return name, stamped, true
}
