package route

import (
	"slices"
	"strings"
)

// Headings that come from what kind of statement it is.
const (
	headFacts       = "Facts"
	headTasks       = "Tasks"
	headPlans       = "Plans"
	headDecisions   = "Decisions"
	headProblems    = "Problems"
	headMilestones  = "Milestones"
	headPreferences = "Preferences"
	headFeelings    = "Feelings"
	headPictures    = "Pictures"
	headHistory     = "History"
)

// section is the heading that an item stands under on its page.
func (b *batch) section(n *node, i int) string {
	it := b.items[i]
	c := strings.ToLower(strings.TrimSpace(it.Category))
	personal := n.zone == zonePersonal || n.entry.Type == typePerson
	if personal && b.identity(n, i) {
		return ""
	}
	if personal && strings.Contains(b.reads[i].text, " shared a picture: ") {
		return headPictures
	}
	switch {
	case c == "task" || c == "todo":
		if personal && !b.duty(i) {
			return headPlans
		}
		return headTasks
	case c == "decision":
		return headDecisions
	case is("emotions", c):
		return headFeelings
	case is("wishes", c):
		return headPlans
	}
	if personal {
		if h := heading(b.topic(i)); h != "" && !b.forAssistants(i) {
			return h
		}
	}
	switch c {
	case "problem", "bug", "issue":
		return headProblems
	case "milestone", "event":
		return headMilestones
	case "preference":
		return headPreferences
	}
	return headFacts
}

// heading is what a topic is called on a page.
func heading(t topic) string {
	if t.heading == "Software" {
		return "Work"
	}
	return t.heading
}

// identity tells what stands at the top of a person's page: whose sister she is and when she was born.
func (b *batch) identity(n *node, i int) bool {
	rd := &b.reads[i]
	k := rd.sub.name.key
	if k == "" || !slices.Contains(nameKeys(&n.entry), k) {
		return false
	}
	birth, digit, party := false, false, false
	for _, w := range rd.ws {
		birth = birth || is("birth", w.fold)
		digit = digit || w.num
		party = party || is("party", w.fold)
	}
	if birth && !party && digit {
		return true
	}
	next := rd.sub.name.hi
	if !rd.sub.kin || next >= len(rd.ws) {
		return false
	}
	return is("copula", rd.ws[next].fold) && len(rd.ws)-next <= 6
}

// duty tells a task from a wish.
func (b *batch) duty(i int) bool {
	rd := &b.reads[i]
	if rd.sub.name.key == "" || rd.sub.weak {
		return true // an imperative
	}
	for k, w := range rd.ws {
		if is("duty", w.fold) || k+1 < len(rd.ws) && is("duty", w.fold+" "+rd.ws[k+1].fold) {
			return true
		}
		if w.fold == "by" && k+1 < len(rd.ws) && (rd.ws[k+1].num || rd.ws[k+1].capital) {
			return true
		}
	}
	return false
}

func (b *batch) forAssistants(i int) bool {
	return slices.ContainsFunc(b.reads[i].ws, func(w word) bool { return w.fold == "assistants" })
}

// Weights of what speaks for a topic. A person who files a fact under a topic means it; tags were guessed from single words.
const (
	byCategory = 12
	byFirstTag = 4
	byTag      = 3
	byWord     = 2
	byCommon   = 1
)

// topic is the topic that most speaks for, the zero topic for none.
func (b *batch) topic(i int) topic {
	if b.topicOf[i] == 0 {
		b.topicOf[i] = int8(b.findTopic(i))
	}
	if t := b.topicOf[i]; t > 0 {
		return lex().topics[t-1]
	}
	return topic{}
}

// findTopic is 1 + the index of the topic of an item, -1 for none.
func (b *batch) findTopic(i int) int {
	l, it := lex(), b.items[i]
	var scores [32]int
	if t := l.headingOf(it.Category); t > 0 && it.Category != "" {
		scores[t-1] += byCategory
	}
	for j, tag := range it.Tags {
		if t := l.headingOf(tag); t > 0 && j == 0 {
			scores[t-1] += byFirstTag
		} else if t > 0 {
			scores[t-1] += byTag
		}
	}
	ws := b.reads[i].ws
	for j, w := range ws {
		if is("dwell", w.fold) && j+1 < len(ws) && is("dwell-where", ws[j+1].fold) {
			scores[l.headingOf("home")-1] += byWord
		}
		if t := b.wordTopic(w); t > 0 && l.topics[t-1].common {
			scores[t-1] += byCommon
		} else if t > 0 {
			scores[t-1] += byWord
		}
	}
	best := -1
	for t := range l.topics {
		if scores[t] > 0 && (best < 0 || scores[t] > scores[best]) {
			best = t
		}
	}
	if best < 0 {
		return -1
	}
	return best + 1
}

// wordTopic is the topic of a word, remembered for the batch.
func (b *batch) wordTopic(w word) int {
	t, ok := b.topics[w.fold]
	if !ok {
		t = lex().words[stem(w.fold)]
		b.topics[w.fold] = t
	}
	return t
}
