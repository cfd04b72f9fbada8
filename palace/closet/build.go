package closet

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/lexis"
)

// Version is that of what Build gives for the same chunks: raise it with every change of that, and the closets are made anew.
const Version = 1

// Limits are how much closets hold.
type Limits struct {
	Chars  int // of the lines of one closet
	Topics int // of each stretch of the source
	Quotes int // of a source
	Names  int // of a line
	Refs   int // of a line
}

// Defaults are the limits of who sets none.
func Defaults() Limits { return Limits{Chars: 1500, Topics: 12, Quotes: 3, Names: 5, Refs: 3} }

const (
	stretchChars = 5000 // how much of a source has its own topics
	sourceTopics = 240  // of one source, however long it is
	stemChars    = 40   // of a source's name, where it stands for a topic
)

// A Chunk is what lines point to.
type Chunk struct{ ID, Speaker, Text string }

// A Source is a conversation or a file, with the chunks of its drawers in their order.
type Source struct {
	Wing, Room, Stem string
	Chunks           []Chunk
	Shows            func(text string) bool // whether a line may say that; nil: everything
}

// A Closet is some lines of a source.
type Closet struct {
	First int // the chunk with which its stretch begins
	Lines []Line
}

// Text is the lines, one after the other.
func (c Closet) Text() string {
	lines := make([]string, len(c.Lines))
	for i, l := range c.Lines {
		lines[i] = l.String()
	}
	return strings.Join(lines, "\n")
}

// Build makes the closets of a source, in its order. Each stretch of the source has closets of its own, so that what is appended changes
// those of the last stretch alone. Every stretch has a line, if only one that names its source.
func Build(s Source, l Limits) (out []Closet) {
	b := builder{src: s, limits: l, topics: sourceTopics, quotes: l.Quotes}
	for first := 0; first < len(s.Chunks); {
		end, chars := first, 0
		for ; end < len(s.Chunks); end++ {
			if chars += utf8.RuneCountInString(s.Chunks[end].Text); chars > stretchChars && end > first {
				break
			}
		}
		for _, lines := range pack(b.stretch(s.Chunks[first:end]), l.Chars) {
			out = append(out, Closet{first, lines})
		}
		first = end
	}
	return out
}

// pack puts lines into closets. No line is split: one that is longer than a closet has one for itself.
func pack(lines []Line, most int) (out [][]Line) {
	left := 0
	for _, line := range lines {
		n := utf8.RuneCountInString(line.String())
		if len(out) == 0 || n+1 > left {
			out, left = append(out, nil), most+1
		}
		out[len(out)-1] = append(out[len(out)-1], line)
		left -= n + 1
	}
	return out
}

// A builder knows what is left of a source's share.
type builder struct {
	src            Source
	limits         Limits
	topics, quotes int
}

// stretch makes the lines of one stretch: headings and deeds in their order, then the names that occur most, then quotes.
func (b *builder) stretch(chunks []Chunk) (lines []Line) {
	t := b.names(chunks)
	topics := list{at: map[string]int{}}
	for i, c := range chunks {
		for _, topic := range slices.Concat(headers(c.Text), actions(c.Text)) {
			topics.add(topic, i)
		}
	}
	for _, n := range t.sorted() {
		if n.count > 1 && len(n.in) > 0 {
			topics.add(n.name, n.in...)
		}
	}
	for _, topic := range topics.all {
		if len(lines) < min(b.limits.Topics, b.topics) && b.shows(topic.name) {
			lines = b.point(lines, topic.name, topic.in, chunks, t)
		}
	}
	b.topics -= len(lines)
	for i, c := range chunks {
		for _, q := range quotes(c.Text) {
			if b.quotes > 0 && b.shows(q) {
				before := len(lines)
				lines = b.point(lines, `"`+q+`"`, []int{i}, chunks, t)
				b.quotes -= len(lines) - before
			}
		}
	}
	if len(lines) > 0 {
		return lines
	}
	all := make([]int, len(chunks))
	for i := range all {
		all[i] = i
	}
	stem, _ := upTo(strings.Fields(b.src.Stem), stemChars)
	if stem == "" {
		stem = string([]rune(b.src.Stem)[:min(stemChars, utf8.RuneCountInString(b.src.Stem))])
	}
	return b.point(nil, b.src.Wing+"/"+b.src.Room+"/"+stem, all, chunks, t)
}

// point adds the line from a topic to the first of some chunks, with the names in these.
func (b *builder) point(lines []Line, topic string, in []int, chunks []Chunk, t table) []Line {
	line := Line{Topic: plain(topic)}
	var there []named
	for _, i := range in {
		if len(line.IDs) == b.limits.Refs {
			break
		}
		if c := chunks[i]; pointable(c.ID) && !slices.Contains(line.IDs, c.ID) {
			line.IDs = append(line.IDs, c.ID)
			for _, low := range t.of[i] {
				there = append(there, *t.byName[low])
			}
		}
	}
	slices.SortStableFunc(there, moreOften)
	for _, n := range there {
		if len(line.Names) < b.limits.Names && n.name != topic && !slices.Contains(line.Names, n.name) && b.shows(n.name) {
			line.Names = append(line.Names, n.name)
		}
	}
	if len(line.IDs) == 0 || line.Topic == "" {
		return lines
	}
	return append(lines, line)
}

func (b *builder) shows(text string) bool { return b.src.Shows == nil || b.src.Shows(text) }

// A list is topics with the chunks that have them, in order; the same words are one topic.
type list struct {
	all []named
	at  map[string]int
}

func (l *list) add(topic string, in ...int) {
	low := lexis.Fold(topic)
	i, ok := l.at[low]
	if !ok {
		i, l.at[low] = len(l.all), len(l.all)
		l.all = append(l.all, named{name: topic})
	}
	for _, n := range in {
		if have := l.all[i].in; len(have) == 0 || have[len(have)-1] < n {
			l.all[i].in = append(have, n)
		}
	}
}

// A table is the names of a stretch, folded, and those of each chunk.
type table struct {
	byName map[string]*named
	of     [][]string
}

// names counts the names of a stretch. Speakers count as names of what they said, without being said there.
func (b *builder) names(chunks []Chunk) table {
	t := table{byName: map[string]*named{}, of: make([][]string, len(chunks))}
	within := map[string]bool{} // words that have a capital within sentences
	words := make([][]token, len(chunks))
	for i, c := range chunks {
		words[i] = tokens(c.Text)
		for _, w := range words[i] {
			if !w.starts && w.capital() {
				within[w.low] = true
			}
		}
	}
	count := func(i int, name string) *named {
		low := lexis.Fold(name)
		n := t.byName[low]
		if n == nil {
			n = &named{name: name}
			t.byName[low] = n
		}
		n.count++
		if !slices.Contains(t.of[i], low) {
			t.of[i] = append(t.of[i], low)
		}
		return n
	}
	for i, c := range chunks {
		for _, name := range names(words[i], within) {
			if n := count(i, name); len(n.in) == 0 || n.in[len(n.in)-1] < i {
				n.in = append(n.in, i)
			}
		}
		if c.Speaker != "" && !stopped(lexis.Fold(c.Speaker)) {
			count(i, c.Speaker)
		}
	}
	return t
}

// sorted are the names, the most frequent first.
func (t table) sorted() (out []named) {
	for _, low := range slices.Sorted(maps.Keys(t.byName)) {
		out = append(out, *t.byName[low])
	}
	slices.SortStableFunc(out, moreOften)
	return out
}

func moreOften(a, b named) int { return cmp.Compare(b.count, a.count) }
