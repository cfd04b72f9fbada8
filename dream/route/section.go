package route

import (
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/vault"
)

// Sections that come from what kind of statement it is, and those of projects. The others are the topics of lexicon.txt.
const (
	headAbout       = "About"
	headDecisions   = "Decisions"
	headEvents      = "Events"
	headFamily      = "Family"
	headOverview    = "Overview"
	headPeople      = "People"
	headPets        = "Pets"
	headPlans       = "Plans"
	headPreferences = "Preferences"
	headProblems    = "Problems"
	headStack       = "Stack"
	headStatus      = "Status"
	headTasks       = "Tasks"
	headWork        = "Work"
	headHistory     = vault.History
)

func category(it Item) string { return strings.ToLower(strings.TrimSpace(it.Category)) }

// section is the heading that an item stands under on its page: of a person by what side of life it is about, where that is certain; else
// by what kind of statement it is.
func (b *batch) section(n *pageRef, i int) string {
	c, rd := category(b.items[i]), &b.reads[i]
	person := personal(&n.entry)
	switch {
	case c == "task" || c == "todo":
		if person && !rd.duty() {
			return headPlans
		}
		return headTasks
	case c == "decision":
		return headDecisions
	case isIn(wishes, c):
		return headPlans
	case person && rd.identity(n):
		return ""
	}
	if h := b.side(n, i); h != "" {
		return h
	}
	switch c {
	case "preference":
		return headPreferences
	case "problem", "bug", "issue":
		return headProblems
	}
	if !person {
		return ""
	}
	if c == "milestone" || c == "event" {
		return headEvents
	}
	return headAbout
}

// side is the side of life, or of a project, that an item tells of; "" where that is not certain.
func (b *batch) side(n *pageRef, i int) string {
	c, rd := category(b.items[i]), &b.reads[i]
	switch {
	case projectlike(&n.entry):
		if c == "preference" || c == "problem" || c == "bug" || c == "issue" {
			return ""
		}
		return rd.ofProject()
	case !personal(&n.entry) || c == "preference" && slices.ContainsFunc(rd.ws, func(w word) bool { return w.is(answers) }):
		return ""
	}
	t, other := b.topic(i), b.someoneElse(n, rd)
	switch {
	case other != "" && (other != headPeople || len(rd.subs) > 0 || t == nil):
		return other
	case t == nil, t.heading == headPets && n.entry.Type == typePet, t.work && (c == "preference" || c == "problem"):
		return ""
	}
	return t.heading
}

// ofProject tells the sides of a project apart: what it is made of, and how far it is.
func (rd *reading) ofProject() string {
	made := 0
	for k, w := range rd.ws {
		if w.is(state) {
			return headStatus
		}
		if w.is(parts) || k > 0 && w.coined {
			made++
		}
	}
	if made > 0 {
		return headStack
	}
	return headOverview
}

// someoneElse is where a person's page tells of others, who have no page of their own: their work is not the person's work.
func (b *batch) someoneElse(n *pageRef, rd *reading) string {
	var l list
	if len(rd.subs) > 0 {
		s := rd.subs[0]
		if b.speakers[s.key] || slices.Contains(n.names(), s.key) {
			return ""
		}
		l = s.role
		if l == 0 && (s.human && !s.loose || isGiven(s.key)) {
			return headPeople
		}
	} else if len(rd.ws) > 0 {
		l = rd.ws[rd.head].meaning.lists
		if rd.head == 0 { // "Friends of mine", "Family first": nobody's
			l = 0
		}
	}
	switch {
	case l&kin != 0:
		return headFamily
	case l&pet != 0:
		return headPets
	case l&(friend|title) != 0:
		return headPeople
	}
	return ""
}

// identity tells what stands at the top of a person's page: whose sister she is and when she was born.
func (rd *reading) identity(n *pageRef) bool {
	if len(rd.subs) == 0 || !slices.Contains(n.names(), rd.subs[0].key) {
		return false
	}
	s := rd.subs[0]
	if s.hi < len(rd.ws) && rd.ws[s.hi].is(kin|friend|pet) { // Alice's mother's birthday
		return false
	}
	for k := s.hi; k < min(len(rd.ws), s.hi+3); k++ {
		if w := &rd.ws[k]; w.is(birth) && slices.ContainsFunc(rd.ws, func(w word) bool { return w.num }) {
			return true
		}
	}
	return s.role&kin != 0 && s.hi < len(rd.ws) && rd.ws[s.hi].is(copula) && len(rd.ws)-s.hi <= 6
}

// duty tells a task from a wish: what must be done, what has a day, and what is put as an order.
func (rd *reading) duty() bool {
	if !rd.self && (len(rd.subs) == 0 || rd.subs[0].loose) {
		return true
	}
	for k, w := range rd.ws {
		var next word
		if k+1 < len(rd.ws) {
			next = rd.ws[k+1]
		}
		if w.is(duty) || w.is(dutyTo) && (next.fold == "to" || next.fold == "que") || w.fold == "by" && (next.num || next.capital) {
			return true
		}
	}
	return false
}

// What speaks for a topic. One faint word does not suffice: a library may be one of code, and who draws a card does no art.
const (
	byCategory = 12
	byRoom     = 1
	byWord     = 2
	byFaint    = 1
	byTag      = 1
	enough     = 2
)

// topic is the side of life that most speaks for, nil where too little does: one sure word, or two signs that each say little. Names are no
// signs: Dov Katz is no cat. Of equals, what comes first in the sentence wins.
func (b *batch) topic(i int) *topic {
	l, it, rd := lex(), b.items[i], &b.reads[i]
	var score [32]int
	var first [32]int
	see := func(t uint8, n, at int) {
		if t == 0 {
			return
		}
		if score[t] == 0 {
			first[t] = at
		}
		score[t] += n
	}
	seen, taste := map[string]bool{}, slices.ContainsFunc(rd.ws, func(w word) bool { return w.is(tastes) })
	for k, w := range rd.ws {
		name := w.capital && k > 0 && !rd.german && !sentenceEnd(w.gap) || w.coined || rd.isName(k)
		if strings.Contains(w.fold, "_") || w.coined && !w.capital { // fetchWeather, max_age
			see(l.named(headWork), byFaint, k)
		}
		if w.meaning.topic == 0 || name && !l.topics[w.meaning.topic-1].work || seen[w.fold] {
			continue
		}
		seen[w.fold] = true
		n := byWord
		if t := l.topics[w.meaning.topic-1]; w.meaning.faint && !(t.place && rd.place(k+1)) && !(t.taste && taste) {
			n = byFaint
		}
		see(w.meaning.topic, n, k)
	}
	see(l.named(category(it)), byCategory, 0)
	words := score // a tag that rests on the same word is no second sign
	see(l.named(it.Room), byRoom, len(rd.ws))
	for _, tag := range it.Tags[:min(len(it.Tags), 12)] {
		if t := l.named(tag); t > 0 && words[t] == 0 {
			see(t, byTag, len(rd.ws))
		}
	}
	best := 0
	for t := 1; t <= len(l.topics); t++ {
		if score[t] > score[best] || score[t] == score[best] && best > 0 && first[t] < first[best] {
			best = t
		}
	}
	if score[best] < enough {
		return nil
	}
	return &l.topics[best-1]
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
