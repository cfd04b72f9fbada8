package worth

import (
	"slices"
	"strings"
	"testing"
)

// Of two sentences in nearly the same words, the one that lasts and stands alone is worth more.
func TestOfTellsWhatIsWorthALine(t *testing.T) {
	for _, c := range [...]struct{ worthy, not string }{
		{"I'm training for the Vienna marathon in April", "I'm on my way to training right now"},
		{"I adopted a greyhound named Pepper", "I adopted her last week"},
		{"My favourite season is autumn", "It's my favourite of all of them"},
		{"I've never been to South America", "I've never been there"},
		{"I've been a beekeeper for twelve years", "I've been so busy lately"},
		{"I love Portuguese custard tarts", "I love that!"},
		{"My sister Clara is a vet in Ghent", "She is a vet"},
		{"We use PostgreSQL 16 in production", "The tests are red again"},
		{"My exam in organic chemistry is on 12 June", "The deadline is on 12 June"},
		{"I paint watercolours to relax after work", "Creativity is good for the soul"},
	} {
		if good, bad := Of(c.worthy), Of(c.not); good < 0.4 || bad >= 0.4 {
			t.Errorf("%.2f %q, %.2f %q", good, c.worthy, bad, c.not)
		}
	}
	if lasting, worth := Judge("Her name is Pepper"); lasting < 0.5 || worth >= lasting {
		t.Errorf("what needs the sentence before it: lasts %.2f, worth a line %.2f", lasting, worth)
	}
}

// Talk about a software project is told from other talk message by message, whatever the sentences are worth.
func TestIsSoftware(t *testing.T) {
	for _, c := range [...]struct {
		message string
		want    bool
	}{
		{"nightly export runs as a cron job on the worker box, output goes to a bucket", true},
		{"the parser panics when the config has no defaults section. add a test first please", true},
		{"sqlite instead of postgres, there is one writer. backups by litestream to the bucket", true},
		{"", false},
		{"my sister runs a bakery in Lyon and works nights. I help her on Sundays", false},
		{"we went to the lake with the kids, the water was freezing", false},
		{"could you suggest a present for a friend who likes pottery?", false},
	} {
		if got := IsSoftware(strings.SplitSeq(c.message, ". ")); got != c.want {
			t.Errorf("%q: %v", c.message, got)
		}
	}
}

func TestFeaturesComeOnceAndInOrder(t *testing.T) {
	for _, text := range []string{"", "!?", "the the the", "I’ve got 3 cats, don't I?", strings.Repeat("My cat sat on the mat. ", 100)} {
		f := Features(text)
		if !slices.IsSorted(f) || len(slices.Compact(slices.Clone(f))) != len(f) {
			t.Errorf("%.30q: %v", text, f)
		}
		if p := Of(text); p < 0 || p > 1 {
			t.Errorf("%.30q: %v", text, p)
		}
	}
}

func BenchmarkOf(b *testing.B) {
	sentences := [...]string{
		"I've been working as a sound engineer for a small theatre in Ghent since 2014.", "That sounds great!",
		"My sister Clara, who lives in Rome, is coming to visit us next weekend with her two kids.",
	}
	for i := 0; b.Loop(); i++ {
		Of(sentences[i%len(sentences)])
	}
}

func TestEndingsThatStandApartAreWords(t *testing.T) {
	for _, s := range []string{"I do n't drink coffee", "n't", "I moved to Berlin, \u0640 \u0301"} {
		if p := Of(s); p < 0 || p > 1 {
			t.Errorf("%q is worth %v", s, p)
		}
	}
}
