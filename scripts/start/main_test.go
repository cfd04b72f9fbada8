package main

import (
	"bytes"
	"os"
	"slices"
	"testing"

	"github.com/reverie-memory/reverie/internal/linear"
)

// What the program knows is what the data gives, and of lines of authors whom it would not have seen most above the bar are wanted.
func TestWhatIsKnownComesFromTheData(t *testing.T) {
	if testing.Short() {
		t.Skip("fits the models")
	}
	all, err := load(os.DirFS(".."))
	if err != nil {
		t.Fatal(err)
	}
	words, table := all.train()
	for file, want := range map[string][]byte{"weights.bin": words, "table.go": source(table)} {
		got, err := os.ReadFile("../../dream/start/" + file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is out of date: run go generate ./dream/start", file)
		}
	}
	v := all.verdicts()["all"]
	above := slices.Clone(v)
	above = slices.DeleteFunc(above, func(x linear.Verdict) bool { return x.P < 0.65 })
	if len(above) < len(v)/6 || 100*above.Wanted() < 72*len(above) {
		t.Errorf("%d of %d above the bar are wanted, of %d", above.Wanted(), len(above), len(v))
	}
}
