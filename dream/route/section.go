package route

import (
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/vault"
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
	headPeople      = "People"
	headFamily      = "Family"
	headPets        = "Pets"
	headHistory     = vault.History
)

// section is the heading that an item stands under on its page.
func (b *batch) section(n *pageRef, i int) string {
	it := b.items[i]
	c := strings.ToLower(strings.TrimSpace(it.Category))
	personal := n.zone == zonePersonal && n.entry.Type != typeTopic || n.entry.Type == typePerson
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
	case c == "preference" && b.topic(i).work:
		return headPreferences
	case is(listEmotions, c):
		return headFeelings
	case is(listWishes, c):
		return headPlans
	}
	if personal {
		if h := b.someoneElse(n, i); h != "" {
			return h
		}
		if h := heading(b.topic(i)); h != "" && !b.forAssistants(i) && (h != headPets || n.entry.Type != typePet) {
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

// someoneElse is where a person's page tells of others, who have no page of their own: their work is not the person's work.
func (b *batch) someoneElse(n *pageRef, i int) string {
	k := b.reads[i].sub.name.key
	s := b.stats[k]
	if s == nil || b.speakers[k] || slices.Contains(n.names(), k) || !b.human(k) && s.pet == 0 {
		return ""
	}
	switch {
	case s.kin > 0:
		return headFamily
	case s.pet > 0:
		return headPets
	case len(s.titled)+s.friend > 0, isGiven(k), s.human > 0 && s.lower == 0 && (s.inside > 0 || lexis.Frequency(k) <= lexis.FrequencyFloor):
		return headPeople
	}
	return ""
}

// identity tells what stands at the top of a person's page: whose sister she is and when she was born.
func (b *batch) identity(n *pageRef, i int) bool {
	rd := &b.reads[i]
	k := rd.sub.name.key
	if k == "" || !slices.Contains(n.names(), k) {
		return false
	}
	if hi := rd.sub.name.hi; hi < len(rd.ws) && rd.ws[hi-1].owns &&
		(is(listKin, rd.ws[hi].fold) || is(listFriend, rd.ws[hi].fold) || is(listPet, rd.ws[hi].fold)) {
		return false // Alice's mother's birthday
	}
	birth, digit, party := false, false, false
	for _, w := range rd.ws {
		birth = birth || is(listBirth, w.fold)
		digit = digit || w.num
		party = party || is(listParty, w.fold)
	}
	if birth && !party && digit {
		return true
	}
	next := rd.sub.name.hi
	if !rd.sub.kin || next >= len(rd.ws) {
		return false
	}
	return is(listCopula, rd.ws[next].fold) && len(rd.ws)-next <= 6
}

// duty tells a task from a wish.
func (b *batch) duty(i int) bool {
	rd := &b.reads[i]
	if k := rd.sub.name.key; k == "" || rd.sub.weak && !b.human(k) {
		return true // an imperative
	}
	for k, w := range rd.ws {
		if is(listDuty, w.fold) || k+1 < len(rd.ws) && is(listDuty, w.fold+" "+rd.ws[k+1].fold) {
			return true
		}
		if w.fold == "by" && k+1 < len(rd.ws) && (rd.ws[k+1].num || rd.ws[k+1].capital) {
			return true
		}
	}
	return false
}

// forAssistants tells a wish about how assistants answer.
func (b *batch) forAssistants(i int) bool {
	return slices.ContainsFunc(b.reads[i].ws, func(w word) bool { return is(listAnswers, w.fold) })
}

// Weights of what speaks for a topic. A person who files a fact under a topic means it; tags were guessed from single words.
const (
	byCategory = 12
	byFirstTag = 4
	byTag      = 3
	byWord     = 2
	byCommon   = 1
	maxTopics  = 32
)

// evidence is what speaks for work and for life in an item, and the topic that most speaks for.
type evidence struct {
	topic      int16 // 1 + its index, 0 for none
	work, life int16 // the most that speaks for a topic of work, and for one of life alone
	lifeTag    int16 // the same of life, by category and tags only
	done       bool
}

// topic is the topic that most speaks for, the zero topic for none.
func (b *batch) topic(i int) topic {
	if t := b.evidenceOf(i).topic; t > 0 {
		return lex().topics[t-1]
	}
	return topic{}
}

// evidenceOf weighs an item; the second call for it returns what the first one found.
func (b *batch) evidenceOf(i int) evidence {
	if b.evidence[i].done {
		return b.evidence[i]
	}
	l := lex()
	var scores [maxTopics]int16
	b.weighTags(b.items[i], &scores)
	out := evidence{done: true}
	for t, s := range scores[:len(l.topics)] {
		if !l.topics[t].work {
			out.lifeTag = max(out.lifeTag, s)
		}
	}
	b.weighWords(b.reads[i].ws, &scores)
	for t, s := range scores[:len(l.topics)] {
		if s > 0 && (out.topic == 0 || s > scores[out.topic-1]) {
			out.topic = int16(t + 1)
		}
		if l.topics[t].work {
			out.work = max(out.work, s)
		} else {
			out.life = max(out.life, s)
		}
	}
	b.evidence[i] = out
	return out
}

func (b *batch) weighTags(it Item, scores *[maxTopics]int16) {
	l := lex()
	if t := l.headingOf(it.Category); t > 0 {
		scores[t-1] += byCategory
	}
	for j, tag := range it.Tags[:min(len(it.Tags), 12)] {
		if t := l.headingOf(tag); t > 0 && j == 0 {
			scores[t-1] += byFirstTag
		} else if t > 0 {
			scores[t-1] += byTag
		}
	}
}

func (b *batch) weighWords(ws []word, scores *[maxTopics]int16) {
	l := lex()
	for j, w := range ws[:min(len(ws), 40)] {
		if is(listDwell, w.fold) && j+1 < len(ws) && is(listDwellWhere, ws[j+1].fold) {
			scores[l.headingOf("home")-1] += byWord
		}
		if t := b.wordTopic(w); t > 0 && l.topics[t-1].common {
			scores[t-1] += byCommon
		} else if t > 0 {
			scores[t-1] += byWord
		}
	}
}

// wordTopic is the topic of a word, remembered for the batch.
func (b *batch) wordTopic(w word) int {
	t, ok := b.topics[w.fold]
	if !ok {
		t = lex().topicOf(w.fold)
		b.topics[w.fold] = t
	}
	return t
}
