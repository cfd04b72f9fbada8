package route

import (
	"slices"
	"strings"
)

// headWork is the only side of life that projects are of as well.
const headWork = "Work"

func category(it Item) string { return strings.ToLower(strings.TrimSpace(it.Category)) }

// section is the heading that an item stands under on its page. On a person's page it is the side of life that the item is about, where
// that is certain; else what kind of statement it is.
func (b *batch) section(n *pageRef, i int) string {
	c, rd, t := category(b.items[i]), &b.reads[i], b.topic(i)
	person, project := personal(&n.entry), projectlike(&n.entry)
	if c == "bug" || c == "issue" {
		c = "problem"
	}
	other := ""
	if person {
		other = b.someoneElse(n, rd)
	}
	switch {
	case (c == "task" || c == "todo") && (!person || rd.duty()):
		return "Tasks"
	case c == "task" || c == "todo" || isIn(wishes, c):
		return "Plans"
	case c == "decision":
		return "Decisions"
	case person && rd.identity(n):
		return ""
	case other != "" && (other != "People" || len(rd.subs) > 0 || t == nil):
		return other
	case c == "preference" && (t == nil || t.work() || !person || slices.ContainsFunc(rd.ws, func(w word) bool { return w.is(answers) })):
		return "Preferences"
	case c == "problem" && (t == nil || t.work() || !person):
		return "Problems"
	case person && t != nil && (t.heading != "Pets" || n.entry.Type != typePet):
		return t.heading
	case person && (c == "milestone" || c == "event"):
		return "Events"
	case person:
		return "About"
	case project && slices.ContainsFunc(rd.ws, func(w word) bool { return w.is(state) }):
		return "Status"
	case project && slices.ContainsFunc(rd.ws, func(w word) bool { return w.is(parts) || w.coined && w.start > 0 }):
		return "Stack"
	case project:
		return "Overview"
	}
	return ""
}

// someoneElse is where a person's page tells of others, who have no page of their own: their work is not the person's work.
func (b *batch) someoneElse(n *pageRef, rd *reading) string {
	l := list(0)
	if len(rd.subs) > 0 {
		s := rd.subs[0]
		if b.speakers[s.key] || slices.Contains(n.names(), s.key) {
			return ""
		}
		if l = s.role; s.human && !s.loose || isGiven(s.key) {
			l |= friend
		}
	} else if 0 < rd.head && rd.head < len(rd.ws) { // "Friends of mine" are nobody's
		l = rd.ws[rd.head].meaning.lists
	}
	switch {
	case l&kin != 0:
		return "Family"
	case l&pet != 0:
		return "Pets"
	case l&(friend|title) != 0:
		return "People"
	}
	return ""
}

// identity tells what stands at the top of a person's page: whose sister she is and when she was born.
func (rd *reading) identity(n *pageRef) bool {
	if len(rd.subs) == 0 || !slices.Contains(n.names(), rd.subs[0].key) {
		return false
	}
	s := rd.subs[0]
	rest := rd.ws[s.hi:]
	if len(rest) == 0 || rest[0].is(kin|friend|pet) { // Alice's mother's birthday
		return false
	}
	born := slices.ContainsFunc(rest[:min(len(rest), 3)], func(w word) bool { return w.is(birth) })
	return born && slices.ContainsFunc(rest, func(w word) bool { return w.num }) || s.role&kin != 0 && rest[0].is(copula) && len(rest) <= 6
}

// duty tells a task from a wish: what must be done, what has a day, and what is put as an order.
func (rd *reading) duty() bool {
	for k := range rd.ws {
		w, next := &rd.ws[k], &rd.ws[min(k+1, len(rd.ws)-1)]
		if w.is(duty) || w.is(dutyTo) && (next.fold == "to" || next.fold == "que") || w.fold == "by" && (next.num || next.capital) {
			return true
		}
	}
	return !rd.self && (len(rd.subs) == 0 || rd.subs[0].loose)
}

// topic is the side of life that an item tells of, nil where that is not certain: it takes one sure word, or two signs that each say little.
// Names are no signs: Dov Katz is no cat. Of equals, what comes first in the sentence wins.
func (b *batch) topic(i int) *topic {
	l, it, rd := lex(), b.items[i], &b.reads[i]
	type weight struct {
		t *topic
		n int
	}
	var all []weight
	see := func(t *topic, n int) {
		k := slices.IndexFunc(all, func(w weight) bool { return t != nil && w.t.heading == t.heading })
		if k >= 0 {
			all[k].n += n
		} else if t != nil {
			all = append(all, weight{t, n})
		}
	}
	see(l.named(category(it)), 9)
	taste := slices.ContainsFunc(rd.ws, func(w word) bool { return w.is(tastes) })
	for k, w := range rd.ws {
		t := w.meaning.topic
		if strings.Contains(w.fold, "_") || w.coined && !w.capital { // fetchWeather, max_age
			see(l.named(headWork), 1)
		}
		shown := rd.text[w.start:w.end]
		name := w.capital && k > 0 && !rd.german && !sentenceEnd(w.gap) && shown != strings.ToUpper(shown) || w.coined || rd.isName(k)
		if t == nil || name && !t.work() || slices.ContainsFunc(rd.ws[:k], func(x word) bool { return x.fold == w.fold }) {
			continue
		}
		if own := k > 0 && (rd.ws[k-1].owns || rd.ws[k-1].is(owners)); w.meaning.faint &&
			(t.place && rd.place(k+1) || t.taste && taste || t.own && own) {
			see(t, 2)
		} else if w.meaning.faint {
			see(t, 1)
		} else {
			see(t, 3)
		}
	}
	said := len(all) // a tag that rests on the same word is no second sign
	for _, tag := range append([]string{it.Room}, it.Tags[:min(len(it.Tags), 12)]...) {
		if t := l.named(tag); !slices.ContainsFunc(all[:said], func(w weight) bool { return t != nil && w.t.heading == t.heading }) {
			see(t, 1)
		}
	}
	best := weight{n: 1}
	for _, w := range all {
		if w.n > best.n {
			best = w
		}
	}
	return best.t
}

// isName tells whether a word is part of the name that the item is about.
func (rd *reading) isName(k int) bool {
	for _, s := range rd.subs {
		if k >= s.lo && k < s.hi && s.role&system == 0 {
			return true
		}
	}
	return false
}

// place tells whether what stands at k is a place: "moved to Berlin", "visited Japan".
func (rd *reading) place(k int) bool {
	for ; k < len(rd.ws) && (rd.ws[k].is(lead) || rd.ws[k].fold == "the" || rd.ws[k].fold == "back"); k++ {
	}
	return k < len(rd.ws) && rd.ws[k].gap == 0 && rd.ws[k].capital && !rd.ws[k].coined && !rd.ws[k].owns && !rd.ws[k].is(month|pronoun) &&
		!isGiven(rd.ws[k].fold)
}
