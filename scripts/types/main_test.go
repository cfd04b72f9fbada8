package main

import (
	"bytes"
	"os"
	"testing"

	"github.com/reverie-memory/reverie/palace/tier"
)

// The weights that the program has are those that its texts give.
func TestWeightsAreOfTheData(t *testing.T) {
	examples, err := load(data, "data")
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("../../palace/tier/weights.bin")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(train(examples), want) {
		t.Error("the weights are out of date: run go generate ./palace/tier")
	}
}

// Texts that did not teach the weights get their type as often as the figures in docs/palace.md say, and as often as the confidence says.
func TestTypesOfTextsThatTaughtNothing(t *testing.T) {
	examples, err := load(data, "data")
	if err != nil {
		t.Fatal(err)
	}
	vs := crossed(examples)
	least := func(what string, percent int, meant func(verdict) bool) {
		t.Helper()
		if right, all := share(vs, meant); all < 30 || 100*right < percent*all {
			t.Errorf("%s: %d of %d, want %d %%", what, right, all, percent)
		}
	}
	least("sure labels", 74, verdict.sure)
	for _, kind := range tier.Types {
		least(kind, 62, func(v verdict) bool { return v.Type == kind })
	}
	for _, lang := range []string{"en", "de", "es", "fr"} {
		least(lang, 70, func(v verdict) bool { return v.Lang == lang })
	}
	high := tier.DefaultGates.High
	least("from the high gate on", 85, func(v verdict) bool { return v.confidence >= high })
	if low, _ := share(vs, func(v verdict) bool { return v.confidence < tier.DefaultGates.Low }); low == 0 {
		t.Error("nothing below the low gate is right: the gates say nothing")
	}
}
