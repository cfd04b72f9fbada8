package extract

import (
	"slices"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/trust"
	"github.com/reverie-memory/reverie/vault"
)

// heard is a message before.
type heard struct {
	Message
	read []sentence
}

// tells tells a message before that says or asks something, and may be told beside the words of a person: an assistant's is only good for
// what it asks, and nobody's may give orders.
func (t talk) tells(i int) bool {
	h := &t.earlier[i]
	asks := slices.ContainsFunc(h.read, func(s sentence) bool { return s.asking() && !(offers(s) && !ofSomebody(h.Message)) })
	if strings.Contains(h.Text, "[redacted") || (h.Noise || IsNoise(h.Text)) && !asks || !ofSomebody(h.Message) && !asks {
		return false
	}
	words := 0
	states := func(s sentence) bool { return !requests(s, nameOf(h.Speaker)) && !replies(s) }
	if t.Earlier[i].Same && !slices.ContainsFunc(h.read, states) {
		return false
	}
	for _, s := range h.read {
		for _, w := range s.words {
			if known := lexis.WordOf(w.low); !known.Stop {
				words++
			}
		}
	}
	return (words > 1 || asks) && (t.Earlier[i].Same || trust.Bar(trust.Said{Text: h.by(), Origin: vault.OriginAgent}, trust.Name) == "" &&
		trust.Bar(trust.Said{Text: h.telling(t.Earlier[i].Lasting(), false, noMonth), Origin: vault.OriginAgent}, trust.Quote) == "")
}

// heardAll is what was said before, the oldest first, as it stands before the words of a message.
func (t talk) heardAll(parts []int) string {
	var b strings.Builder
	for _, i := range parts {
		h := &t.earlier[i]
		said := h.telling(t.Earlier[i].Lasting(), t.Earlier[i].Same, func() time.Month { return t.month(nil, i+1) })
		if said == "" {
			continue
		}
		if said = strings.TrimRight(said, ".! "); t.Earlier[i].Same {
			b.WriteString(said + vault.Next)
		} else {
			b.WriteString(vault.Heard(h.by(), said) + " ")
		}
	}
	return b.String()
}

// month is the one that was named last in these sentences, or else in the messages of the sitting from one on; 0 where none was.
func (t talk) month(said []sentence, from int) time.Month {
	for {
		for _, s := range slices.Backward(said) {
			if m := lastMonth(s.clause, len(s.words)); m != 0 {
				return m
			}
		}
		if from >= len(t.earlier) || t.Earlier[from].Apart {
			return 0
		}
		said, from = t.earlier[from].read, from+1
	}
}

// by is what facts call who said it.
func (h *heard) by() string {
	if !ofSomebody(h.Message) {
		return lexis.Capital(h.Role)
	}
	return nameOf(h.Speaker)
}

// telling is what of a message before tells what the next ones are about: what it asks, all of it where it is short, or else the sentence
// that most probably lasts; of the speaker's own, what they neither ask nor answer to others. Dates in the speaker's own words are made
// absolute; named gives the month that was named last before.
func (h *heard) telling(lasting int, own bool, named func() time.Month) string {
	from, to, size := 0, len(h.read), 0
	idle := func(s sentence) bool { return own && (s.asking() || replies(s)) }
	for from+1 < to && (idle(h.read[from]) || IsNoise(h.read[from].String())) {
		from++
	}
	for to-1 > from && idle(h.read[to-1]) {
		to--
	}
	asked := -1
	for i, s := range h.read[from:to] {
		if size += s.size; s.asking() && !(offers(s) && !ofSomebody(h.Message)) {
			asked = from + i
		}
	}
	switch {
	case size <= maxHeard && (asked < 0 || ofSomebody(h.Message)):
	case asked >= 0 && !own:
		if to = asked + 1; asked == from || !ofSomebody(h.Message) || len(h.read[asked].words) >= 4 {
			from = asked
		} else {
			from = asked - 1
		}
	case from <= lasting && lasting < to && !idle(h.read[lasting]):
		from, to = lasting, lasting+1
	default:
		to = from + 1
	}
	for from+1 < to && IsNoise(h.read[from].String()) {
		from++
	}
	c := sequence(h.read[from:to])
	if own {
		c, _ = absolute(c, h.At, named, true)
	}
	return c.String()
}
