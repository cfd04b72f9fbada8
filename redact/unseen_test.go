package redact

import (
	"math/rand/v2"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The two files of the unseen set were written before the rules that they measure, from what people and programs print. A secret stands
// in ⟦ ⟧; {a20} in it stands for 20 random characters of an alphabet, so that no scanner takes the file itself for a leak.
// A rule is never written for a line of them: what they tell is how the next unseen text would fare.
const (
	unseenFound = 0.95 // at least this share of the secrets is gone
	unseenSpoil = 0.01 // at most this share of the near misses is touched
)

var alphabets = map[string]string{
	"a": "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
	"b": "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/",
	"h": "0123456789abcdef",
	"U": "0123456789ABCDEF",
	"u": "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
	"t": "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
	"l": "abcdefghijklmnopqrstuvwxyz",
	"d": "0123456789",
}

var (
	fill   = regexp.MustCompile(`\{([abhUutld])(\d+)\}`)
	marked = regexp.MustCompile(`(?s)⟦(.*?)⟧`)
)

// left tells what of the secrets of a case is still readable in clean.
func left(secrets []string, clean string) string {
	for _, s := range secrets {
		for line := range strings.SplitSeq(s, "\n") {
			if tail := line[max(0, len(line)-8):]; strings.Contains(clean, line) || len(line) > 12 && strings.Contains(clean, tail) {
				return line
			}
		}
	}
	return ""
}

func TestUnseenSecretsAreFound(t *testing.T) {
	data, err := os.ReadFile("testdata/unseen_secrets.txt")
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	cases, kept := 0, 0
	for c := range strings.SplitSeq(string(data), "\n%%\n") {
		c = fill.ReplaceAllStringFunc(c, func(m string) string {
			part := fill.FindStringSubmatch(m)
			n, _ := strconv.Atoi(part[2])
			out := make([]byte, n)
			for i := range out {
				out[i] = alphabets[part[1]][rng.IntN(len(alphabets[part[1]]))]
			}
			return string(out)
		})
		var secrets []string
		for _, m := range marked.FindAllStringSubmatch(c, -1) {
			secrets = append(secrets, m[1])
		}
		clean, _ := Redact(strings.NewReplacer("⟦", "", "⟧", "").Replace(c))
		if again, found := Redact(clean); len(found) > 0 {
			t.Errorf("twice is not once: %q → %q", clean, again)
		}
		cases++
		if l := left(secrets, clean); l != "" {
			kept++
			t.Logf("kept %.40q in %.160q", l, clean)
		}
	}
	t.Logf("%d of %d secrets are gone", cases-kept, cases)
	if float64(cases-kept) < unseenFound*float64(cases) {
		t.Errorf("only %d of %d are gone, wanted %.0f %%", cases-kept, cases, 100*unseenFound)
	}
}

func TestUnseenNearMissesStay(t *testing.T) {
	data, err := os.ReadFile("testdata/unseen_near.txt")
	if err != nil {
		t.Fatal(err)
	}
	cases, spoilt := 0, 0
	for c := range strings.Lines(string(data)) {
		cases++
		if clean, found := Redact(c); len(found) > 0 {
			spoilt++
			t.Logf("spoilt %q", clean)
		}
	}
	t.Logf("%d of %d near misses are touched", spoilt, cases)
	if float64(spoilt) > unseenSpoil*float64(cases) {
		t.Errorf("%d of %d are touched, wanted at most %.0f %%", spoilt, cases, 100*unseenSpoil)
	}
}
