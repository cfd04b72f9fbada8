package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/extract/worth"
)

// The weights that the program has are those that its sentences give.
func TestWeightsComeFromTheData(t *testing.T) {
	examples, err := load()
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("../../extract/worth/weights.bin")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(train(examples).bytes(), want) {
		t.Error("the weights are out of date: run go generate ./extract/worth")
	}
	if len(examples) < 4000 {
		t.Errorf("%d sentences", len(examples))
	}
}

// On conversations that it has not seen, the model finds most of what is worth a line, and little else.
func TestModelJudgesWhatItHasNotSeen(t *testing.T) {
	examples, err := load()
	if err != nil {
		t.Fatal(err)
	}
	s := judge(examples)["all"].at(0.35)
	if s.precision() < 80 || s.recall() < 60 {
		t.Errorf("precision %.0f %%, recall %.0f %%", s.precision(), s.recall())
	}
}

func TestDataIsWellFormed(t *testing.T) {
	examples, err := load()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string][worth.Heads]bool{}
	for _, e := range examples {
		if strings.TrimSpace(e.text) == "" || strings.Contains(e.text, "\n") {
			t.Errorf("%s: sentence %q", e.conv, e.text)
		}
		if labels, twice := seen[e.text]; twice && labels != e.labels && len(e.text) > 40 {
			t.Errorf("%s: %q has two labels", e.conv, e.text)
		}
		seen[e.text] = e.labels
	}
}
