package probe

import (
	"cmp"
	"hash/fnv"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/lexis"
)

// A Kind says where the question of a probe comes from, and so how its answer is known.
type Kind string

// The kinds.
const (
	Asked Kind = "asked" // somebody asked it: the answer is the reply
	Later Kind = "later" // somebody came back to it on a later day: the answer is what they came back to
	Told  Kind = "told"  // a fact without the rarer half of its words: the answer is the fact
)

// A Text is something that was said, or a fact.
type Text struct {
	ID      string // of the drawer, or of the fact
	Session string
	Speaker string // "" where nobody is named
	Voice   string // what tells who speaks, also where nobody is named
	Text    string
	At      time.Time
}

// A Probe is a question with its answer.
type Probe struct {
	Kind    Kind
	Query   string
	Answer  string    // the id of the text that answers
	Hide    string    // the id of the text that the question is out of, which is not there when it is asked; "" for none
	Before  time.Time // what was said from then on is not there either, for Later
	First   time.Time // when the question was asked for the first time, before its answer was said, for Asked
	Session string    // of the question: probes of one are no independent witnesses
}

const (
	fewest = 3 // terms that a question must have to be one that can be answered
	rare   = 5 // texts that may hold a rare term; with many texts one in rareIn
	rareIn = 2000
)

// Make makes up to most probes of each kind. messages are in the order in which they were said, session by session. The same texts give the
// same probes, and a text more changes few of them: which are taken is decided by the ids of their answers.
func Make(messages, facts []Text, most int) []Probe {
	return slices.Concat(few(asked(messages), most), few(later(messages), most), few(told(facts), most))
}

// few are those that stand first by the hash of their answer.
func few(all []Probe, most int) []Probe {
	place := func(p Probe) uint64 {
		h := fnv.New64a()
		_, _ = h.Write([]byte(p.Answer)) // never fails
		return h.Sum64()
	}
	slices.SortFunc(all, func(a, b Probe) int { return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a.Answer, b.Answer)) })
	return all[:min(len(all), most)]
}

// asked are the questions to which the next message, of somebody else, replies in words of its own.
func asked(messages []Text) (out []Probe) {
	for i := 1; i < len(messages); i++ {
		q, a := &messages[i-1], &messages[i]
		if q.Session != a.Session || q.Voice == a.Voice {
			continue
		}
		_, reply := parted(a.Text)
		if len(terms(strings.Join(reply, " "))) <= fewest {
			continue
		}
		asked, _ := parted(q.Text)
		best := ""
		for _, s := range asked {
			if s = toldTo(s, a.Speaker); !leans(s) && len(terms(s)) >= max(fewest, len(terms(best))+1) {
				best = s
			}
		}
		if best != "" {
			out = append(out, Probe{Kind: Asked, Query: best, Answer: a.ID, Hide: q.ID, First: q.At, Session: q.Session})
		}
	}
	return out
}

// later are the sentences that come back, by two rare words, to one message of an earlier day. The rarer of the two is left out of the
// question: with it the answer would be no more than looked up.
func later(messages []Text) (out []Probe) {
	holders := map[string][]int{} // messages that hold a term, in order
	for i := range messages {
		for _, t := range terms(messages[i].Text) {
			holders[t] = append(holders[t], i)
		}
	}
	most := max(rare, len(messages)/rareIn)
	for i := range messages {
		m := &messages[i]
		_, said := parted(m.Text)
		for _, s := range said {
			of, shared := back(messages, holders, terms(s), i, most)
			if of < 0 {
				continue
			}
			rarest := slices.MinFunc(shared, func(a, b string) int {
				return cmp.Or(cmp.Compare(len(holders[a]), len(holders[b])), cmp.Compare(a, b))
			})
			if q := without(s, rarest); len(terms(q)) >= fewest {
				y, month, d := m.At.UTC().Date()
				out = append(out, Probe{
					Kind: Later, Query: q, Answer: messages[of].ID, Before: time.Date(y, month, d, 0, 0, 0, 0, time.UTC), Session: m.Session,
				})
				break
			}
		}
	}
	return out
}

// back is the one message of an earlier day, and another session, that shares most rare terms with a sentence of message i, two or more;
// -1 where there is none, or several.
func back(messages []Text, holders map[string][]int, of []string, i, most int) (best int, shared []string) {
	by := map[int][]string{}
	for _, t := range of {
		if len(holders[t]) > most {
			continue
		}
		for _, j := range holders[t] {
			e := &messages[j]
			if e.Session != messages[i].Session && e.At.UTC().Truncate(24*time.Hour).Before(messages[i].At.UTC().Truncate(24*time.Hour)) {
				by[j] = append(by[j], t)
			}
		}
	}
	best = -1
	several := false
	for j, ts := range by {
		switch n := len(shared); {
		case len(ts) > n:
			best, shared, several = j, ts, false
		case len(ts) == n:
			several = true
		}
	}
	if several || len(shared) < 2 {
		return -1, nil
	}
	return best, shared
}

// told are the facts, each by the commoner half of its words: with the rarer ones it would be no more than looked up.
func told(facts []Text) (out []Probe) {
	holders := map[string]int{}
	for i := range facts {
		for _, t := range terms(facts[i].Text) {
			holders[t]++
		}
	}
	for i := range facts {
		f := &facts[i]
		all := terms(f.Text)
		slices.SortFunc(all, func(a, b string) int { return cmp.Or(cmp.Compare(holders[a], holders[b]), cmp.Compare(a, b)) })
		if q := without(f.Text, all[:len(all)/2]...); len(terms(q)) >= fewest {
			out = append(out, Probe{Kind: Told, Query: q, Answer: f.ID, Session: f.Session})
		}
	}
	return out
}

// terms are the terms of a text, each once.
func terms(text string) []string {
	all := lexis.Terms(text)
	slices.Sort(all)
	return slices.Compact(all)
}

// without is a text without the words that give one of the terms.
func without(text string, gone ...string) string {
	return strings.Join(slices.DeleteFunc(strings.Fields(text), func(w string) bool {
		return slices.ContainsFunc(lexis.Terms(w), func(t string) bool { return slices.Contains(gone, t) })
	}), " ")
}

// parted parts the questions of a text from its other sentences.
func parted(text string) (asked, said []string) {
	for _, s := range lexis.Sentences(text) {
		t := strings.TrimSpace(text[s.Start:s.End])
		if r, _ := utf8.DecodeLastRuneInString(strings.TrimRight(t, " \"'”’»)]*_!")); r == '?' || r == '？' || r == '؟' {
			asked = append(asked, t)
		} else {
			said = append(said, t)
		}
	}
	return asked, said
}

// pointing are words that point out of the sentence: who asks later cannot ask so.
var pointing = strings.Fields("it that this they them those these he she him her his their there else anything dies diese dieser dieses " +
	"ça cela celui eso esto ese esta")

// leans says whether a question needs the sentences before it.
func leans(question string) bool {
	return slices.ContainsFunc(lexis.Words(question), func(w string) bool { return slices.Contains(pointing, w) })
}

// toldTo is an English question as a third person asks it: you is the one who replied, where they have a name.
func toldTo(question, name string) string {
	if name == "" {
		return question
	}
	words := strings.Fields(question)
	for i, w := range words {
		bare := strings.TrimRight(w, ".,;:!?")
		switch strings.ToLower(bare) {
		case "you":
			words[i] = name + w[len(bare):]
		case "your":
			words[i] = name + "'s"
		case "yours":
			words[i] = name + "'s" + w[len(bare):]
		}
	}
	return strings.Join(words, " ")
}
