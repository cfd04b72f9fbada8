package extract

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/reverie-memory/reverie/lexis"
)

// The memory types, which are the categories that [Rules] gives.
const (
	Decision   = "decision"
	Preference = "preference"
	Milestone  = "milestone"
	Problem    = "problem"
	Emotional  = "emotional"
	General    = "fact"
	Task       = "task"
)

// Categories lists the memory types.
func Categories() []string {
	return []string{Decision, Preference, Milestone, Problem, Emotional, General, Task}
}

//go:embed markers.txt
var markerList string

// A marker is a phrase that speaks for a memory type.
type marker struct {
	phrase   string // with a space at both ends
	category string
	weight   int
}

// markers.txt holds "category weight: phrase, phrase, …" lines. A phrase matches whole words; a star
// at its end matches any ending of its last word. Markers are found by the key of their first word.
var markers = sync.OnceValue(func() map[string][]*marker {
	ms := map[string][]*marker{}
	for line := range strings.SplitSeq(markerList, "\n") {
		head, list, ok := strings.Cut(line, ":")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		cat, weight, _ := strings.Cut(head, " ")
		for p := range strings.SplitSeq(list, ",") {
			p = strings.Join(strings.Fields(p), " ")
			if p == "" {
				continue
			}
			m := &marker{" " + p + " ", cat, int(weight[0] - '0')}
			if strings.HasSuffix(p, "*") {
				m.phrase = " " + strings.TrimSuffix(p, "*")
			}
			ms[markerKey(p)] = append(ms[markerKey(p)], m)
		}
	}
	return ms
})

// markerKey is the beginning of the first word of a text: no more than what a starred word has.
func markerKey(text string) string {
	word, _, _ := strings.Cut(text[:min(len(text), 4)], " ")
	return word
}

// classify gives the memory type of a sentence, in lower case as clause.low gives it. The type with
// the most weight wins; the order of the list below settles a tie.
func classify(low string) string {
	var found []*marker
	for i := strings.IndexByte(low, ' '); i >= 0 && i+1 < len(low); {
		for _, m := range markers()[markerKey(low[i+1:])] {
			if strings.HasPrefix(low[i:], m.phrase) && !slices.Contains(found, m) {
				found = append(found, m)
			}
		}
		next := strings.IndexByte(low[i+1:], ' ')
		if next < 0 {
			break
		}
		i += 1 + next
	}
	if len(found) == 0 {
		return General
	}
	score := func(category string) (sum int) {
		for _, m := range found {
			if m.category == category {
				sum += m.weight
			}
		}
		return sum
	}
	best, top := General, 2
	for _, c := range [...]string{General, Decision, Task, Milestone, Emotional, Problem, Preference} {
		if n := score(c); n > top {
			best, top = c, n
		}
	}
	return best
}

//go:embed topics.txt
var topicList string

// topics maps stems to the tag they give.
var topics = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for line := range strings.SplitSeq(topicList, "\n") {
		tag, list, _ := strings.Cut(line, ":")
		for w := range strings.FieldsSeq(list) {
			if s := lexis.Stem(w); m[s] == "" {
				m[s] = tag
			}
		}
	}
	return m
})

const maxTags = 3

// tagsOf gives the topics of a text, the first ones first.
func tagsOf(text string) []string { return tags(scan(text)) }

// tags gives the topics of a clause. What we wrote into it may be several words.
func tags(c clause) []string {
	var tags []string
	for _, word := range c.words {
		if word.fixed && strings.IndexByte(word.text, ' ') >= 0 {
			for _, t := range tagsOf(word.text) {
				if len(tags) < maxTags && !slices.Contains(tags, t) {
					tags = append(tags, t)
				}
			}
			continue
		}
		w := strings.TrimSuffix(word.low, "'s")
		switch w {
		case "booked", "booking", "reads", "training", "working", "works", "worked": // verbs with a noun's stem
			continue
		}
		if tag := topics()[lexis.Stem(w)]; tag != "" && !slices.Contains(tags, tag) {
			if tags = append(tags, tag); len(tags) == maxTags {
				break
			}
		}
	}
	return tags
}
