package main

import (
	"bytes"
	"fmt"
	"go/format"
	"io/fs"
	"math"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/dream/start"
	"github.com/reverie-memory/reverie/internal/linear"
)

// A line is one that a dream might put into MEMORY.md, with what was known of it where it stood.
type line struct {
	Conv string `json:"conv"` // of scripts/threads/data
	Text string `json:"text"`
	Want int    `json:"want"` // 1: readers want it at every start
	start.Sight
	Alone bool `json:"alone"` // of which nothing else is known
	words linear.Example
}

// examples are all that there is to learn from.
type examples struct {
	lines   []line
	authors []string         // who wrote conversations
	words   []linear.Example // statements and lines of which only the words are known
	by      []string         // their authors
}

// How much an example counts.
const (
	ofLines      = 3   // a line marked where it stood
	ofStatements = 2   // a statement of such a conversation
	ofOthers     = 0.3 // another one
	ofBad        = 1   // a line that is not true, understood and lasting
)

// How the models learn.
const (
	folds = 4
	prior = 16 // of the words
	ridge = 3  // of the table
)

func load(scripts fs.FS) (all examples, err error) {
	names, err := fs.Glob(scripts, "threads/data/*.jsonl")
	if err != nil {
		return all, err
	}
	for _, name := range names {
		author, _, _ := strings.Cut(name[strings.LastIndexByte(name, '/')+1:], "-")
		if !slices.Contains(all.authors, author) {
			all.authors = append(all.authors, author)
		}
	}
	add := func(author, text string, yes bool, weight float64) {
		all.by = append(all.by, author)
		all.words = append(all.words, linear.Example{Features: start.Features(text), Yes: yes, Weight: weight})
	}
	err = linear.Labels(scripts, "start/data", func(l line) error {
		if l.Alone {
			add(authorOf(l.Conv), l.Text, l.Want == 1, ofLines)
			return nil
		}
		l.words = linear.Example{Features: start.Features(l.Text), Yes: l.Want == 1, Weight: ofLines}
		l.Signs = start.SignsOf(l.Text)
		all.lines = append(all.lines, l)
		return nil
	})
	if err != nil {
		return all, err
	}
	type statement struct {
		Conv, Text string
		Start      *int
	}
	err = linear.Labels(scripts, "sense/data", func(s statement) error {
		author, _, _ := strings.Cut(s.Conv, "/")
		weight := ofOthers
		if slices.Contains(all.authors, author) {
			weight = ofStatements
		}
		if s.Start != nil {
			add(author, s.Text, *s.Start == 1, weight)
		}
		return nil
	})
	if err != nil {
		return all, err
	}
	type written struct {
		Conv, Text string
		Marks      [3]int
	}
	err = linear.Labels(scripts, "threads/lines", func(w written) error {
		if w.Marks != [3]int{1, 1, 1} {
			add(authorOf(w.Conv), w.Text, false, ofBad)
		}
		return nil
	})
	return all, err
}

func authorOf(conv string) string { author, _, _ := strings.Cut(conv, "-"); return author }

// without fits the weights of words on all that certain authors have not written.
func (all examples) without(authors []string) linear.Weights {
	var learn []linear.Example
	for i, e := range all.words {
		if !slices.Contains(authors, all.by[i]) {
			learn = append(learn, e)
		}
	}
	for _, l := range all.lines {
		if !slices.Contains(authors, authorOf(l.Conv)) {
			learn = append(learn, l.words)
		}
	}
	return linear.Fit(learn, start.Buckets, prior, start.Share)
}

// fold are the authors of a fold.
func (all examples) fold(n int) (out []string) {
	for i, a := range all.authors {
		if i%folds == n {
			out = append(out, a)
		}
	}
	return out
}

// judged are the lines with what the words say of each to a model that has not seen its author, so that the table learns how far that can
// be believed.
func (all examples) judged() (out []line) {
	for n := range folds {
		authors := all.fold(n)
		words := all.without(authors)
		for _, l := range all.lines {
			if slices.Contains(authors, authorOf(l.Conv)) {
				l.Words = start.Read(words, l.words.Features)
				out = append(out, l)
			}
		}
	}
	return out
}

func (all examples) train() (words linear.Weights, table [start.Terms]float64) {
	return all.without(nil), fit(all.judged())
}

// fit is a logistic regression by Newton's method, of few terms. The weights are rounded, so that they are the same on every machine.
func fit(lines []line) (w [start.Terms]float64) {
	for range 25 {
		var slope [start.Terms]float64
		var bend [start.Terms][start.Terms]float64
		for i := range start.Terms {
			bend[i][i] = 1e-6
			if i > 0 {
				bend[i][i], slope[i] = ridge, -ridge*w[i]
			}
		}
		for _, l := range lines {
			x, sum := l.Terms(), 0.0
			for i := range x {
				sum += float64(w[i] * x[i])
			}
			p := linear.Sigmoid(sum)
			for i := range x {
				slope[i] += float64((float64(l.Want) - p) * x[i])
				for k := range x {
					bend[i][k] += float64(p * (1 - p) * x[i] * x[k])
				}
			}
		}
		for i, step := range solve(bend, slope) {
			w[i] += step
		}
	}
	for i := range w {
		w[i] = math.Round(100*w[i]) / 100
	}
	return w
}

// solve gives x of ax = b; a is symmetric and positive.
func solve(a [start.Terms][start.Terms]float64, b [start.Terms]float64) (x [start.Terms]float64) {
	for i := range a {
		for k := i + 1; k < len(a); k++ {
			f := a[k][i] / a[i][i]
			for j := range a {
				a[k][j] -= float64(f * a[i][j])
			}
			b[k] -= float64(f * b[i])
		}
	}
	for i := len(a) - 1; i >= 0; i-- {
		x[i] = b[i]
		for j := i + 1; j < len(a); j++ {
			x[i] -= float64(a[i][j] * x[j])
		}
		x[i] /= a[i][i]
	}
	return x
}

// source is the file of the table.
func source(table [start.Terms]float64) []byte {
	var b bytes.Buffer
	b.WriteString("// Code generated by scripts/start; DO NOT EDIT.\n\npackage start\n\nvar table = [Terms]float64{\n")
	for i, name := range strings.Split(",words,keep,age,again,yours,quoted,ahead,over,identifies,health,rule,version", ",") {
		fmt.Fprintf(&b, "\t%g,", table[i])
		if name != "" {
			b.WriteString(" // " + name)
		}
		b.WriteByte('\n')
	}
	b.WriteString("}\n")
	out, err := format.Source(b.Bytes())
	if err != nil {
		panic(err) // it is all written here
	}
	return out
}
