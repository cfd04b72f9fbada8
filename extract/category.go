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
	phrase   string // with a space at its front, and at its end unless any ending of its last word will do
	category string
	weight   int
}

// markers are found by the key of their first word. markers.txt holds "category weight: phrase, phrase, …" lines; a star at the end of a
// phrase stands for any ending.
var markers = sync.OnceValue(func() map[string][]*marker {
	ms := map[string][]*marker{}
	for line := range strings.SplitSeq(markerList, "\n") {
		head, list, ok := strings.Cut(line, ":")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		category, weight, _ := strings.Cut(head, " ")
		for p := range strings.SplitSeq(list, ",") {
			p = strings.TrimSpace(p)
			phrase, open := strings.CutSuffix(" "+p, "*")
			if !open {
				phrase += " "
			}
			ms[markerKey(p)] = append(ms[markerKey(p)], &marker{phrase, category, int(weight[0] - '0')})
		}
	}
	return ms
})

// markerKey is the beginning of the first word of a text: no more than what a starred word has.
func markerKey(text string) string {
	word, _, _ := strings.Cut(text[:min(len(text), 4)], " ")
	return word
}

// byWeight are the categories in the order that settles a tie.
var byWeight = [...]string{General, Decision, Task, Milestone, Emotional, Problem, Preference}

// classify gives the memory type with the most weight to a sentence in lower case, as clause.low gives it. Each marker counts once.
func classify(low string) string {
	var found []*marker
	sums := map[string]int{}
	for i := 0; i >= 0 && i+1 < len(low); {
		for _, m := range markers()[markerKey(low[i+1:])] {
			if strings.HasPrefix(low[i:], m.phrase) && !slices.Contains(found, m) && (m.category != Task || m.weight < 5 ||
				obliges(low[:i], m.phrase)) {
				found = append(found, m)
				sums[m.category] += m.weight
			}
		}
		next := strings.IndexByte(low[i+1:], ' ')
		if next < 0 {
			break
		}
		i += 1 + next
	}
	best, most := General, 2
	for _, c := range byWeight {
		if sums[c] > most {
			best, most = c, sums[c]
		}
	}
	return best
}

// obliges tells whether the words of a task are what a clause says, and not denied, nor told in passing ("assembles a group with a plan to
// print billions"): behind their subject, or not far from the front. before is what stands in front of them.
func obliges(before, phrase string) bool {
	words := strings.Fields(before)
	for len(words) > 0 && adverbs[words[len(words)-1]] {
		words = words[:len(words)-1]
	}
	if first, _, _ := strings.Cut(strings.TrimSpace(phrase), " "); self[first] { // the words bring their subject
		words = append(words, first)
	}
	n := len(words)
	switch {
	case n == 0:
		return true
	case denied[words[n-1]]:
		return false
	case self[words[n-1]]:
		return n < 2 || !minds[words[n-2]]
	}
	return n <= 5
}

var (
	self   = lexis.Set("i i'm i'll i've we we're we'll we've")
	denied = lexis.Set("not no don't didn't doesn't won't never dont cannot can't")
	minds  = lexis.Set("know think guess if when whether wonder") // what somebody thinks that they have to do is not yet to be done
)

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

// stemsOfNouns are verbs that a topic has for the sake of a noun.
var stemsOfNouns = lexis.Set("booked booking reads training working works worked")

// tags gives the topics of a clause, the first ones first.
func tags(c clause) []string {
	var tags []string
	for _, word := range c.words {
		w := strings.TrimSuffix(word.low, "'s")
		if tag := topics()[lexis.Stem(w)]; tag != "" && !stemsOfNouns[w] && len(tags) < maxTags && !slices.Contains(tags, tag) {
			tags = append(tags, tag)
		}
	}
	return tags
}
