package main

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/dream/sense"
)

// The weights that the program has are those that its statements give.
func TestWeightsComeFromTheData(t *testing.T) {
	examples, err := load(data, "data")
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("../../dream/sense/weights.bin")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(train(examples), want) {
		t.Error("the weights are out of date: run go generate ./dream/sense")
	}
}

// Of statements of conversations that it has not seen, the model finds the side, out of 30, for most, and knows of which it is sure.
func TestModelReadsWhatItHasNotSeen(t *testing.T) {
	examples, err := load(data, "data")
	if err != nil {
		t.Fatal(err)
	}
	all := judge(examples, false).groups["all"]
	if right, sure := percent(all.right, all.all), percent(all.sureRight, all.sure); right < 64 || sure < 78 {
		t.Errorf("right %d %%, where it is sure %d %%", right, sure)
	}
}

// Statements of an author of whom a fifth was never learnt from.
func TestModelReadsWhatWasLeftOut(t *testing.T) {
	held, err := load(os.DirFS("."), "held")
	if err != nil {
		t.Fatal(err)
	}
	right, sure, sureRight := 0, 0, 0
	for _, e := range held {
		best, p := sense.Of(e.Text).Best()
		ok := slices.Contains(e.sides, best)
		if ok {
			right++
		}
		if p >= 0.5 {
			if sure++; ok {
				sureRight++
			}
		}
	}
	t.Logf("%d statements: right %d %%, sure of %d %%, then right %d %%", len(held), percent(right, len(held)), percent(sure, len(held)),
		percent(sureRight, sure))
	if len(held) < 150 || percent(right, len(held)) < 57 || percent(sureRight, sure) < 74 {
		t.Errorf("%d statements: right %d %%, where it is sure %d %%", len(held), percent(right, len(held)), percent(sureRight, sure))
	}
}

func TestDataIsWellFormed(t *testing.T) {
	examples, err := load(data, "data")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, e := range examples {
		if strings.TrimSpace(e.Text) == "" || strings.Contains(e.Text, "\n") || seen[e.Text] ||
			len(e.sides) == 0 || !strings.Contains(e.Conv, "/") {
			t.Errorf("%+v", e)
		}
		seen[e.Text] = true
	}
	if len(examples) < 2500 {
		t.Errorf("%d statements", len(examples))
	}
}
