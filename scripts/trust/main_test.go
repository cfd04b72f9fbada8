package main

import (
	"bytes"
	"os"
	"testing"
)

// The weights are those that the data gives.
func TestWeightsComeFromTheData(t *testing.T) {
	if testing.Short() {
		t.Skip("fits the model")
	}
	all, err := load(os.DirFS(".."))
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../trust/weights.bin")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, fit(all)) {
		t.Error("weights.bin is out of date: run go generate ./trust")
	}
}

// Of the notes of authors whom the model would not have seen it finds most that lead to something, and few others.
func TestAuthorsThatTheModelHasNotSeen(t *testing.T) {
	if testing.Short() {
		t.Skip("fits the model five times")
	}
	all, err := load(os.DirFS(".."))
	if err != nil {
		t.Fatal(err)
	}
	found, spoilt := all.unseen()
	if t.Logf("%.1f %% found, %.1f %% of others wait in vain", 100*found, 100*spoilt); found < 0.5 || spoilt > 0.15 {
		t.Error("that is worse than it was")
	}
}
