package main

import (
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/extract"
	"github.com/reverie-memory/reverie/extract/thread"
	"github.com/reverie-memory/reverie/internal/linear"
	"github.com/reverie-memory/reverie/internal/slice"
)

//go:embed lines/*.jsonl
var lines embed.FS

// A line is one that the rules wrote of a conversation, with the marks of a reader: that it is true, stands alone, and lasts.
type line struct {
	Conv   string   `json:"conv"`
	Turn   string   `json:"turn"`
	Text   string   `json:"text"`
	Quote  string   `json:"quote"`  // of the turn
	Beside []string `json:"beside"` // turns before whose words it has as well
	Marks  [3]int   `json:"marks"`
}

// An example is a sentence, a sentence and a message before it, or a line, as the models see it.
type example struct {
	author, style string
	turn          int // of its conversation
	linear.Example
}

// examples are those of each head.
type examples [thread.Heads][]example

// without are the examples of all authors but some.
func (all examples) without(authors ...string) (out examples) {
	for h := range all {
		for _, e := range all[h] {
			if !slices.Contains(authors, e.author) {
				out[h] = append(out[h], e)
			}
		}
	}
	return out
}

// authors are all who wrote conversations.
func (all examples) authors() []string {
	return slices.Sorted(maps.Keys(slice.SetOf(all[thread.Keep], func(e example) string { return e.author })))
}

// learnt are the examples of all conversations, and of all lines.
func learnt(names []string) (all examples, err error) {
	talks := map[string][]turn{}
	for n, name := range names {
		turns, err := read(name)
		if err != nil {
			return all, err
		}
		conv := strings.TrimSuffix(strings.TrimPrefix(name, "data/"), ".jsonl")
		talks[conv] = turns
		author, style := origin(conv)
		add := func(head, turn int, features []uint32, yes bool) {
			all[head] = append(all[head], example{author, style, n<<16 | turn, linear.Example{Features: features, Yes: yes, Weight: 1}})
		}
		for i, t := range turns {
			if t.Speaker != "assistant" {
				sentences(turns[:i+1], func(head int, features []uint32, yes bool) { add(head, i, features, yes) })
			}
		}
	}
	return all, judged(talks, &all)
}

// origin tells who wrote a conversation, and in which style.
func origin(conv string) (author, style string) {
	author, rest, _ := strings.Cut(conv, "-")
	style, _, _ = strings.Cut(rest, "-")
	return author, style
}

// folds are the parts into which authors are divided, so that each line is judged by models that have not seen its author.
const folds = 4

// judged adds the examples of lines. What the other heads say of a line is what they say when they have not seen its author.
func judged(talks map[string][]turn, all *examples) error {
	by := map[string][]line{}
	names, err := fs.Glob(lines, "lines/*.jsonl")
	if err != nil {
		return err
	}
	for _, name := range names {
		err := linear.Lines(lines, name, func(l line) error {
			author, _ := origin(l.Conv)
			by[author] = append(by[author], l)
			return nil
		})
		if err != nil {
			return err
		}
	}
	authors := slices.Sorted(maps.Keys(by))
	for fold := range min(folds, len(authors)) {
		var left []string
		var test []line
		for i := fold; i < len(authors); i += folds {
			left, test = append(left, authors[i]), append(test, by[authors[i]]...)
		}
		weights := train(all.without(left...))
		for _, l := range test {
			turns := talks[l.Conv]
			at := slices.IndexFunc(turns, func(t turn) bool { return t.ID == l.Turn })
			if at < 0 {
				return fmt.Errorf("lines: %s has no turn %s", l.Conv, l.Turn)
			}
			written, may := extract.Lines(talkOf(turns[:at+1]), l.Quote, l.Text, l.Beside)
			if written.To == 0 {
				return fmt.Errorf("lines: %q is not in turn %s of %s", l.Quote, l.Turn, l.Conv)
			}
			keep := 0.0
			for p := written.Place; p.At < written.To; p.At++ {
				keep = max(keep, thread.Probability(weights, thread.Keep, p.Features()))
			}
			needs := make([]float64, len(may))
			for i := range may {
				if may[i] {
					needs[i] = thread.Probability(weights, thread.Need, written.Pair(written.To, i))
				}
			}
			author, style := origin(l.Conv)
			all[thread.Good] = append(all[thread.Good], example{author, style, len(all[thread.Good]), linear.Example{
				Features: written.Features(keep, needs), Yes: l.Marks == [3]int{1, 1, 1}, Weight: 1,
			}})
		}
	}
	return nil
}

// talkOf are the last turn and the ten before it as messages.
func talkOf(turns []turn) (out []extract.Message) {
	last := turns[len(turns)-1]
	turns = turns[max(0, len(turns)-11):]
	for turns[0].Time.Format(time.DateOnly) != last.Time.Format(time.DateOnly) {
		turns = turns[1:]
	}
	for i, t := range turns {
		m := t.message()
		m.Before = i < len(turns)-1
		out = append(out, m)
	}
	return out
}

// sentences gives what the last turn teaches.
func sentences(turns []turn, add func(head int, features []uint32, yes bool)) {
	t := turns[len(turns)-1]
	places, quotes := extract.Places(talkOf(turns))
	in := make([][]bool, len(t.Keep)) // which sentences each of them has
	for k := range in {
		in[k] = make([]bool, len(places))
	}
	for i, p := range places {
		kept := false
		for k, keep := range t.Keep {
			in[k][i] = overlap(t.Text, quotes[i], keep.Quote)
			kept = kept || in[k][i]
		}
		add(thread.Keep, p.Features(), kept)
	}
	for k, keep := range t.Keep {
		from := slices.Index(in[k], true)
		if from < 0 {
			continue
		}
		to := from + 1
		for to < len(places) && in[k][to] {
			to++
		}
		for e := range places[from].Earlier {
			add(thread.Need, places[from].Pair(to, e), slices.Contains(keep.Needs, turns[len(turns)-2-e].ID))
		}
	}
}

// overlap tells whether a sentence shares half of the shorter with a quote.
func overlap(text, sentence, quote string) bool {
	a, b := strings.Index(text, sentence), strings.Index(text, quote)
	if a < 0 || b < 0 {
		return false
	}
	common := min(a+len(sentence), b+len(quote)) - max(a, b)
	return 2*common > min(len(sentence), len(quote))
}

// prior keeps weights small: the more the fewer examples there are for each feature.
const prior = 20

// train returns the weights of all heads.
func train(all examples) (out []byte) {
	for _, head := range all {
		list := slice.Map(head, func(e example) linear.Example { return e.Example })
		out = append(out, linear.Fit(list, thread.Buckets, prior, thread.Share)...)
	}
	return out
}
