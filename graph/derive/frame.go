package derive

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/reverie-memory/reverie/lexis"
)

//go:embed frames.txt
var framesText string

// A frame is what a verb phrase says: the triples of a line of frames.txt.
type frame struct {
	key []string // stems of its words; one that begins with @ is a class
	ops []op
}

// An op is a triple that a frame gives, or where was is set, what takes the place of something.
type op struct {
	kind            string // hold, begin, end or swap
	also            bool
	subject, object []place
	was             []place
	predicates      []string // none is any
}

// A place is where a side of a triple stands around the verb: S, O, C, _ or a preposition, and the class that one of its words has.
type place struct{ name, class string }

type grammar struct {
	frames  map[string][]*frame // by the first word
	classes map[string]map[string]bool
}

var grammarOf = sync.OnceValue(func() grammar {
	g := grammar{map[string][]*frame{}, map[string]map[string]bool{}}
	for line := range strings.Lines(framesText) {
		head, body, ok := strings.Cut(strings.TrimSpace(line), " : ")
		if !ok || head[0] == '#' {
			continue
		}
		if name, ok := strings.CutPrefix(head, "class "); ok {
			g.classes[name] = map[string]bool{}
			for w := range strings.FieldsSeq(body) {
				g.classes[name][stem(w)] = true
			}
			continue
		}
		var ops []op
		for o := range strings.SplitSeq(body, ", ") {
			ops = append(ops, opOf(strings.Fields(o)))
		}
		for verb := range strings.FieldsSeq(head) {
			f := &frame{ops: ops}
			for w := range strings.SplitSeq(verb, "_") {
				if !strings.HasPrefix(w, "@") {
					w = stem(w)
				}
				f.key = append(f.key, w)
			}
			g.frames[f.key[0]] = append(g.frames[f.key[0]], f)
		}
	}
	return g
})

func opOf(fields []string) op {
	o := op{kind: "hold"}
	if fields[0] == "also" {
		o.also, fields = true, fields[1:]
	}
	switch fields[0][0] {
	case '+':
		o.kind = "begin"
	case '-':
		o.kind = "end"
	}
	o.subject = placesOf(strings.TrimLeft(fields[0], "+-"))
	last := fields[len(fields)-1]
	if was, now, ok := strings.Cut(last, "=>"); ok {
		o.kind, o.was, last = "swap", placesOf(was), now
	}
	o.object = placesOf(last)
	if len(fields) == 3 && fields[1] != "*" {
		o.predicates = strings.Split(fields[1], "|")
	}
	return o
}

func placesOf(list string) []place {
	var out []place
	for p := range strings.SplitSeq(list, "/") {
		name, class, _ := strings.Cut(strings.TrimSuffix(p, "}"), "{")
		if name != "" {
			out = append(out, place{name, class})
		}
	}
	return out
}

// isA says whether one of the words is of a class.
func isA(class string, words []string) bool {
	if class == "" || len(words) == 0 {
		return class == ""
	}
	switch first := lexis.Fold(words[0]); class {
	case "name": // not only a common noun
		return slices.ContainsFunc(words[:min(len(words), 3)], capital)
	case "common":
		return !slices.ContainsFunc(words, capital)
	case "kin":
		return ownings[first] || others[first] || capital(words[0])
	}
	of := grammarOf().classes[class]
	return slices.ContainsFunc(words, func(w string) bool {
		if f := stem(w); of[f] || of[strings.TrimSuffix(f, "s")] {
			return true
		}
		for o := range of { // rowing club, Tellgymnasium
			if len(o) > 4 && strings.HasSuffix(lexis.Fold(w), o) {
				return true
			}
		}
		return false
	})
}

// A phrase is a verb with what stands around it.
type phrase struct {
	frames  []*frame // of the longest verb phrase that is there, in the order of the list
	verb    string   // its first word as it stands
	aspect  string   // begin, end or ""
	passive bool
	last    string              // the last word of the verb phrase
	rest    []string            // behind the verb phrase
	args    map[string][]string // the words behind O and behind each preposition
	order   []string            // of args
}

var aspects = map[string]string{
	"start": "begin", "begin": "begin", "stop": "end", "quit": "end", "ceas": "end", "give up": "end", "continu": "hold", "keep": "hold",
	"resum": "begin", "take up": "begin", "get into": "begin", "learn to": "begin", "go back to": "begin", "finish": "end", "empez": "begin",
}

// verbPhrase finds the verb phrase of a clause from its first verb on.
func verbPhrase(words []string) phrase {
	p := phrase{}
	stems := make([]string, len(words))
	for i, w := range words {
		stems[i] = stem(w)
	}
	for i := 0; i < len(words); i++ {
		next := i + 1
		for next < len(words) && filler[strings.ToLower(words[next])] && !articles[strings.ToLower(words[next])] &&
			!ownings[strings.ToLower(words[next])] {
			next++
		}
		frames, end := longest(words, stems, i)
		aux := stems[i] == "be" || stems[i] == "have" || stems[i] == "get"
		if stems[i] == "have" && i+1 < len(words) && words[i+1] == "to" {
			continue
		}
		if aux && next < len(words) && participle(words[next], stems[next]) && (len(frames) == 0 || len(frames[0].key) == 1) {
			p.passive = p.passive || stems[i] != "have" || slices.Contains(stems[i:next], "be")
			if stems[i] == "get" {
				p.aspect = "begin"
			}
			i = next - 1
			continue
		}
		if end := aspectAt(&p, words, stems, i); end > 0 {
			i = end - 1
			continue
		}
		if len(frames) > 0 && !(aux && len(frames[0].key) == 1 && next < len(words) && strings.HasSuffix(words[next], "ing")) {
			p.frames, p.verb, p.last, p.rest = frames, words[i], words[end-1], words[end:]
			break
		}
		if !filler[strings.ToLower(words[i])] && !strings.HasSuffix(words[i], "ly") && words[i] != "used" && words[i] != "to" || i > 6 {
			p.verb, p.rest = words[i], words[i+1:]
			break
		}
	}
	return p
}

// aspectAt reads a verb that says that another one begins or ends: started working, gave up playing. It returns where that one is.
func aspectAt(p *phrase, words, stems []string, i int) int {
	for verb, aspect := range aspects {
		key := strings.Fields(verb)
		n := i
		for _, k := range key {
			if n >= len(words) || stems[n] != k {
				n = -1
				break
			}
			n++
		}
		if n < 0 || n >= len(words) {
			continue
		}
		if strings.HasSuffix(words[n], "ing") && len(words[n]) > 5 && grammarOf().frames[stems[n]] != nil {
			p.aspect = aspect
			return n
		}
		if (words[n] == "to" || key[len(key)-1] == "to") && n+1 < len(words) && (len(key) > 1 || stems[i] != "go") {
			if words[n] == "to" {
				n++
			}
			if grammarOf().frames[stems[n]] != nil {
				p.aspect = aspect
				return n
			}
		}
	}
	return 0
}

func participle(w, stemmed string) bool {
	f := lexis.Fold(w)
	return strings.HasSuffix(f, "ed") || unchanged[f] ||
		f != stemmed && !strings.HasSuffix(f, "ing") && !strings.HasSuffix(f, "s") && f != "have"
}

// unchanged are participles that are as the verb.
var unchanged = set("put run let set cut hit come become")

// longest are the frames of the longest verb phrase that stands at words[i:], and where it ends.
func longest(words, stems []string, i int) (best []*frame, end int) {
	score := 0
	for _, f := range grammarOf().frames[stems[i]] {
		n := f.at(words, stems, i)
		if n == 0 || len(f.key) < score || len(f.key) == 1 && n < len(words) && particles[strings.ToLower(words[n])] {
			continue
		}
		if len(f.key) > score {
			best, score = nil, len(f.key)
		}
		best, end = append(best, f), n
	}
	return best, end
}

// at says whether the words of a frame's verb stand at words[i:], and returns where they end, 0 where not.
func (f *frame) at(words, stems []string, i int) int {
	for k, w := range f.key {
		noun := strings.HasPrefix(w, "@") || k > 0 && k == len(f.key)-1 && !prepositions[w] && !particles[w]
		for skipped := 0; ; i++ {
			if i >= len(words) {
				return 0
			}
			if stems[i] == w && !strings.HasSuffix(words[i], "'s") || strings.HasPrefix(w, "@") && isA(w[1:], words[i:i+1]) {
				i++
				break
			}
			low := strings.ToLower(words[i])
			if k == 0 || skipped > 3 || !filler[low] && !(noun && !places[low] && !cuts[low] && low != "," && low != "and" && words[i] != "to") {
				return 0
			}
			skipped++
		}
	}
	return i
}

// particles make another verb of one: ran away, looks after.
var particles = set("away out off up down over through along after")

var prepositions = set("in at on near from into onto over by for to with as of about than through across via")

// beside are words that make one preposition with "to".
var beside = set("next close according due similar")

// cut takes what stands behind a verb phrase apart.
func (p *phrase) cut() {
	p.args = map[string][]string{}
	at, from := "O", 0
	end := func(i int) {
		words := p.rest[from:i]
		if n := len(words); at == "O" && n > 1 && particles[strings.ToLower(words[n-1])] { // handed the shop over
			words = words[:n-1]
		}
		if _, twice := p.args[at]; len(words) > 0 && !twice {
			p.args[at] = words
			p.order = append(p.order, at)
		}
	}
	for i, w := range p.rest {
		f := lexis.Fold(w)
		switch {
		case i < from:
		case f == "in" && i+3 < len(p.rest) && (p.rest[i+1] == "favour" || p.rest[i+1] == "favor"):
			end(i)
			at, from = "for", i+3
		case cuts[f] && !prepositions[f] || f == "instead" || f == "after" || f == "besides":
			if end(i); f != "instead" && f != "rather" && f != "together" && f != "along" || i+2 >= len(p.rest) {
				return
			}
			if at, from = "instead", i+2; f == "together" || f == "along" {
				at, from = "_", i+1
			}
		case prepositions[f] && i+1 < len(p.rest) && !(f == "to" && i > 0 && beside[strings.ToLower(p.rest[i-1])]):
			end(i)
			at, from = f, i+1
		}
	}
	end(len(p.rest))
}

// words are those of a place, with what belongs to them: "the library" with "in Mainz" behind it, unless a frame has another use for it.
func (p *phrase) words(at string, used map[string]bool) []string {
	out := p.args[at]
	i := slices.Index(p.order, at)
	for i++; i > 0 && i < len(p.order) && len(out) > 0 && out[len(out)-1] != timeMark; i++ {
		next := p.order[i]
		article := articles[lexis.Fold(out[0])] || ownings[lexis.Fold(out[0])]
		if next != "of" && (used[next] || !article || next != "in" && next != "at" && next != "on" && next != "near") {
			break
		}
		out = append(append(slices.Clone(out), next), p.args[next]...)
	}
	return out
}

// stem is the base form of a word, and be for its forms.
func stem(w string) string {
	w = strings.Trim(lexis.Fold(w), ",.;:!?'’\"")
	switch w {
	case "am", "is", "are", "was", "were", "been", "be", "being", "'m", "'re":
		return "be"
	case "has", "had", "'ve", "having":
		return "have"
	case "founded", "founder", "found":
		return w
	case "head", "heads", "headed":
		return "head"
	}
	return lexis.Stem(w)
}

// filler words may stand between the words of a wording.
var filler = set(`a an the now also currently still already recently just finally officially then has have had is are was were am been be
	being do does did 've 's 'm 're 'd both again always usually mostly mainly proudly happily really very even actually soon eventually
	full part time last new old little small big first great happily meanwhile since long everything all his her their my our its as well
	too besides instead longer no not any more secretly briefly temporarily permanently regularly often sometimes together back only`)
