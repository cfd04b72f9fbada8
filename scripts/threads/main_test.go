package main

import (
	"bytes"
	"io/fs"
	"os"
	"strings"
	"testing"
)

// The weights that the program has are those that the conversations give.
func TestWeightsComeFromTheData(t *testing.T) {
	if testing.Short() {
		t.Skip("trains the models")
	}
	names, err := fs.Glob(data, "data/*.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	all, err := learnt(names)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("../../extract/thread/weights.bin")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(train(all), want) {
		t.Error("the weights are out of date: run go generate ./extract/thread")
	}
}

// TestLabels looks whether what is marked stands where the labels say.
func TestLabels(t *testing.T) {
	names, err := fs.Glob(data, "data/*.jsonl")
	if err != nil || len(names) == 0 {
		t.Fatal("no conversations", err)
	}
	for _, name := range names {
		turns, err := read(name)
		if err != nil {
			t.Fatal(err)
		}
		seen, marked := map[string]bool{}, 0
		for _, u := range turns {
			if u.ID == "" || seen[u.ID] || u.Speaker == "" || u.Text == "" || u.Time.IsZero() {
				t.Errorf("%s: turn %q lacks something or comes twice", name, u.ID)
			}
			for _, k := range u.Keep {
				marked++
				if !strings.Contains(u.Text, k.Quote) || k.Quote == "" || k.Fact == "" {
					t.Errorf("%s: %q is not in turn %s", name, k.Quote, u.ID)
				}
				for _, n := range k.Needs {
					if !seen[n] {
						t.Errorf("%s: turn %s needs %s, which is not before it", name, u.ID, n)
					}
				}
			}
			seen[u.ID] = true
		}
		if marked == 0 {
			t.Errorf("%s: nothing is marked", name)
		}
	}
}
