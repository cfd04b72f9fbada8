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

// Of two sentences of an author of whom the model has seen nothing, it puts the one that is worth a line before the other.
func TestModelJudgesWhatItHasNotSeen(t *testing.T) {
	if testing.Short() {
		t.Skip("trains a model for each author")
	}
	examples, err := load()
	if err != nil {
		t.Fatal(err)
	}
	if all := judge(examples)["all"]; all.AUC() < 0.95 {
		t.Errorf("AUC %.3f", all.AUC())
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
			t.Errorf("%s: sentence %q", e.author, e.text)
		}
		e.labels[worth.Software] = false
		if labels, twice := seen[e.text]; twice && labels != e.labels && len(e.text) > 40 {
			t.Errorf("%s: %q has two labels", e.author, e.text)
		}
		seen[e.text] = e.labels
	}
}
