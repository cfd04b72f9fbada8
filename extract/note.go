package extract

import (
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/lexis"
)

// note sees to it that no statement of a note is lost, whatever the models think of it. Where the facts of a sentence leave words of it
// out, the sentence takes their place in the writer's own words; one that leans on what is before it is quoted with that.
func (w *writer) note() {
	for i, s := range w.said {
		c, kind := lead(s.clause)
		if c = trim(c); s.loose || s.asking() || len(c.words) < 2 || s.size > maxSentence || kind != plain && w.over(i).to > 0 {
			continue
		}
		of := stretch{i, i + 1}
		if has := w.over(i); has.to > 0 {
			if of = has; !w.loses(of) {
				continue
			}
		} else if i > 0 && leans(c, kind) {
			of.from--
		} else if kind == plain && directs(s, w.me) {
			kind = errand // nobody is there to be told to do it
		}
		w.whole(of, kind)
	}
	w.inOrder()
}

// loses tells whether the facts of sentences leave out any word of them that says something.
func (w *writer) loses(of stretch) bool {
	var texts []string
	for i := range w.facts {
		if w.of[i].from < of.to && of.from < w.of[i].to {
			texts = append(texts, w.facts[i].Text)
		}
	}
	return w.lost(trim(strip(sequence(w.said[of.from:of.to]))), texts...)
}

// lost tells whether any word of a clause that says something is in none of the texts.
func (w *writer) lost(c clause, texts ...string) bool {
	has := slice.Set(lexis.Terms(strings.Join(texts, "\n")))
	c, _ = absolute(c, w.message.At, w.month, false)
	return slices.ContainsFunc(lexis.Terms(c.String()), func(t string) bool { return !has[t] })
}

// whole puts sentences in the place of their facts: in the third person where that loses no word, or else as a quotation, where it is not
// too long for one.
func (w *writer) whole(of stretch, kind int) {
	c := trim(strip(sequence(w.said[of.from:of.to])))
	f, ok := w.fact(c, kind)
	if !ok || w.lost(c, f.Text) {
		if f.Text, _ = w.quote(c); len(f.Text) > maxFact {
			return
		}
	}
	f.Drawer = w.message.Drawer
	for _, s := range w.said[of.from:of.to] {
		f.Quote = strings.TrimSpace(f.Quote + " " + s.quote)
	}
	w.part(func(i int) bool { return w.of[i].from < of.to && of.from < w.of[i].to })
	w.put(f, of)
}

// inOrder puts the facts in the order of their sentences.
func (w *writer) inOrder() {
	at := make([]int, len(w.facts))
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, func(a, b int) int { return w.of[a].from - w.of[b].from })
	facts, of := w.facts, w.of
	w.facts, w.of = nil, nil
	for _, i := range at {
		w.put(facts[i], of[i])
	}
}
