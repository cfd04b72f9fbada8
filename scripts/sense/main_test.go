package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// The weights that the program has are those that its statements give.
func TestWeightsComeFromTheData(t *testing.T) {
	examples, err := load()
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
	examples, err := load()
	if err != nil {
		t.Fatal(err)
	}
	all := judge(examples, false).groups["all"]
	if right, sure := percent(all.right, all.all), percent(all.sureRight, all.sure); right < 64 || sure < 85 {
		t.Errorf("right %d %%, where it is sure %d %%", right, sure)
	}
}

func TestDataIsWellFormed(t *testing.T) {
	examples, err := load()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, e := range examples {
		if strings.TrimSpace(e.Text) == "" || strings.Contains(e.Text, "\n") || seen[e.Text] || len(e.sides) == 0 || !strings.Contains(e.Conv, "/") {
			t.Errorf("%+v", e)
		}
		seen[e.Text] = true
	}
	if len(examples) < 2500 {
		t.Errorf("%d statements", len(examples))
	}
}
