package route

import (
	"strings"

	"github.com/reverie-memory/reverie/lexis"
)

// What is said of a thing that has no name of its own ("the boiler", "the rate limit") stands on the page of its theme: Home,
// Software. So it meets what is said of it later.

// themed is the page of an item's theme, nil where it is about a person or about nothing that we know. The theme is that of what the
// sentence begins with, else that of all its words, else that of its conversation.
func (b *batch) themed(i int) *pageRef {
	if !b.impersonal(i) {
		return nil
	}
	it, rd := b.items[i], &b.reads[i]
	if t := b.themeTopic(i); t > 0 {
		return b.theme(lex().topics[t-1])
	}
	if t, ok := b.themes[it.Chat]; ok && it.Chat != "" {
		return b.theme(t)
	}
	if rd.identifier() {
		return b.theme(lex().topics[lex().headingOf("software")-1])
	}
	if title := kinds[strings.ToLower(it.Category)]; title != "" {
		return b.theme(topic{heading: title})
	}
	return nil
}

// kinds are the pages of what has no theme either, by category.
var kinds = map[string]string{
	"decision": headDecisions, "task": headTasks, "todo": headTasks, "event": "Events",
	"milestone": "Events", "plan": headPlans, "goal": headPlans,
	"idea": "Ideas", "insight": "Insights", "problem": headProblems, "bug": headProblems, "issue": headProblems,
}

// theme is the page of a topic: of the home, of health, and so on among the person's own, of work and knowledge in the wiki.
func (b *batch) theme(t topic) *pageRef {
	if n := b.page(key(t.heading)); n != nil {
		return n
	}
	if t.work {
		return b.fresh(zoneConcepts, t.heading, typeTopic, typeTopic)
	}
	return b.fresh(zonePersonal, t.heading, typeTopic, typeTopic)
}

// themeTopic is the topic of what a sentence begins with, else the one that most of all its words speaks for: 1 + its index, 0 for none.
func (b *batch) themeTopic(i int) int {
	if t := b.headTopic(&b.reads[i]); t > 0 {
		return t
	}
	return int(b.evidenceOf(i).topic)
}

// headTopic is the topic of what a sentence begins with, up to its verb: 1 + its index, 0 for none. The first word that has one tells,
// unless it is of those that say little: a library card is of the library.
func (b *batch) headTopic(rd *reading) int {
	found := 0
	for k, w := range rd.ws[:min(len(rd.ws), 6)] {
		if k > 0 && (w.gap != 0 || is(listCopula, w.fold) || is(listDuty, w.fold) || is(listAux, w.fold)) {
			break
		}
		if is(listArticle, w.fold) || lexis.IsStop(w.fold) {
			continue
		}
		t := b.wordTopic(w)
		if t == 0 && rd.german {
			t = b.compound(w.fold)
		}
		if t > 0 && (found == 0 || lex().topics[found-1].common) {
			found = t
		}
	}
	return found
}

// compound is the topic of what a German noun begins with: Zahnarzttermin.
func (b *batch) compound(w string) int {
	for n := len(w) - 3; n >= 5; n-- {
		if t := lex().topicOf(w[:n]); t > 0 {
			return t
		}
	}
	return 0
}

// impersonal tells a statement about no person: nobody is named as its subject, and nobody speaks of themselves.
func (b *batch) impersonal(i int) bool {
	it, rd := b.items[i], &b.reads[i]
	sub := rd.sub
	if c := strings.ToLower(it.Category); c == "preference" || is(listEmotions, c) || is(listWishes, c) && c != "plan" && c != "goal" {
		return false
	}
	if sub.we || sub.user || sub.kin || sub.friend || sub.owner.key != "" || len(rd.ws) < 2 {
		return false
	}
	if k := sub.name.key; k != "" && !b.common(sub) && (b.human(k) || isGiven(k)) {
		return false
	}
	for _, w := range rd.ws[:min(len(rd.ws), 40)] {
		if is(listSelf, w.fold) {
			return false
		}
	}
	return !is(listPronoun, rd.ws[0].fold) || is(listArticle, rd.ws[0].fold)
}

// ofThing tells a statement that begins with a thing: "The boiler …", "pkg/parser …", "CI …".
func (b *batch) ofThing(i int) bool {
	rd := &b.reads[i]
	if len(rd.ws) == 0 || !b.impersonal(i) {
		return false
	}
	return is(listArticle, rd.ws[0].fold) || rd.ws[0].coined || rd.identifier() || b.headTopic(rd) > 0
}

// themesOfChats finds what theme each conversation has, as most of what is said of nameless things in it tells.
func (b *batch) themesOfChats() {
	counts, all := map[string]map[int]int{}, map[string]int{}
	for i := range b.items {
		c := b.items[i].Chat
		if c == "" || !b.impersonal(i) {
			continue
		}
		all[c]++
		if t := b.themeTopic(i); t > 0 {
			if counts[c] == nil {
				counts[c] = map[int]int{}
			}
			counts[c][t]++
		}
	}
	for c, topics := range counts {
		best := 0
		for t, n := range topics {
			if best == 0 || n > topics[best] || n == topics[best] && t < best {
				best = t
			}
		}
		if topics[best] >= 2 && topics[best]*2 > all[c] {
			b.themes[c] = lex().topics[best-1]
		}
	}
}

// common tells a word that begins a sentence and is no name: the capital is that of the sentence.
func (b *batch) common(sub subject) bool {
	k := sub.name.key
	if k == "" || !sub.weak || strings.Contains(k, " ") || isGiven(k) || b.page(k) != nil {
		return false
	}
	s := b.stats[k]
	return lexis.Frequency(k) > lexis.FrequencyFloor || lex().topicOf(k) > 0 || s != nil && s.lower > 0 && s.inside == 0 || grown(k)
}

// grown tells a word that is made of another one as names hardly are: smaller, caching, deployment.
func grown(k string) bool {
	for _, end := range []string{
		"er", "ing", "ings", "tion", "tions", "ment", "ments", "ness", "ity",
		"ies", "ed", "ly", "ung", "ungen", "heit", "keit", "ción", "ciones", "dad",
	} {
		if strings.HasSuffix(k, end) && len(k) >= len(end)+4 {
			return true
		}
	}
	return false
}

// identifier tells whether the sentence begins with one.
func (rd *reading) identifier() bool { return isIdentifier(rd.text[rd.ws[0].start:rd.ws[0].end]) }

// isIdentifier tells what programs are called and people are not: new_checkout, rv-core, but not well-known.
func isIdentifier(s string) bool {
	if strings.Contains(s, "_") {
		return true
	}
	one, _, ok := strings.Cut(s, "-")
	return ok && len(one) < 5 && one == strings.ToLower(one) && lexis.Frequency(one) <= lexis.FrequencyFloor && !isPrefix[one]
}

// isPrefix are short beginnings of ordinary words.
var isPrefix = map[string]bool{
	"anti": true, "bi": true, "co": true, "de": true, "ex": true, "inter": true,
	"mid": true, "mini": true, "multi": true, "non": true, "post": true,
	"pre": true, "pro": true, "re": true, "semi": true, "sub": true, "t": true, "tri": true, "un": true, "x": true,
}
