package markdown

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// What is read without the parser reads as with it.
func TestSimpleIsAsParsed(t *testing.T) {
	parts := []string{
		"a", "Ann", " ", " ", " ", "[[", "]]", "[[Ann]]", "[[Ann Lee]]", "[[Ann|her]]", " [[Zed|the Z.]] ", "[[p/Ann]]", "[[Ann.md]]",
		"[[Ann#Home]]", "[[|x]]", "[[x|]]",
		"[[ x ]]", "[[a|b|c]]", "[[#x]]", "(", ")", "([[Ann]])", "!", ".", "'s", "-", "1.", "www.x.org", "http://x.org/a", "#tag", ":", "[",
		"]", "|", "x@y.org", "é", "—",
		"(https://x.org)", "[[http://x.org]]", "[[www.x.org|w]]",
	}
	r := rand.New(rand.NewPCG(7, 7))
	quick := 0
	for range 200_000 {
		var b strings.Builder
		for range 1 + r.IntN(7) {
			b.WriteString(parts[r.IntN(len(parts))])
		}
		if r.IntN(2) == 0 {
			b.WriteString(" ([[2026-06-09#^f7q2c81xk0|9 Jun 2026]])")
		}
		s := b.String()
		head, src, ok := simple(s)
		if !ok || head == "" {
			continue
		}
		if strings.Contains(strings.TrimSuffix(s, " ([[2026-06-09#^f7q2c81xk0|9 Jun 2026]])"), "[[") {
			quick++
		}
		if want := parsed(s, nil); head != want.Text || !slices.Equal(src, want.Sources) {
			t.Fatalf("%q reads %q %v, parsed %q %v", s, head, src, want.Text, want.Sources)
		}
	}
	if quick < 5000 {
		t.Errorf("only %d texts with links", quick)
	}
}

// What is read with fewer marks, and by the parser that knows no bare links, reads as it stands.
func TestCalmIsAsParsed(t *testing.T) {
	parts := []string{
		"a", "Ann", "9", " ", " ", "_", "_", "__", "*", "**", "~~", "~", "==", "é", ".", "(", ")", "\n", "-", "!", "'s", "—", "http:", "//",
		"ww", "https", "&amp;", "&", "\\", "`", "<", ">", "[", "]", "#a", "%",
	}
	r := rand.New(rand.NewPCG(7, 8))
	quick := 0
	for range 200_000 {
		var b strings.Builder
		for range 2 + r.IntN(12) {
			b.WriteString(parts[r.IntN(len(parts))])
		}
		src := []byte(b.String())
		want, got := NewReader(nil), NewReader(nil)
		want.read(src, src, paragraphs(), false)
		if got.part(src, false); want.Raw() != got.Raw() {
			t.Fatalf("%q: %q, with a parser %q", src, got.Raw(), want.Raw())
		}
		if !slices.Equal(src, calmWords(src)) {
			quick++
		}
	}
	if quick < 500 {
		t.Errorf("only %d of the texts had marks within words", quick)
	}
}
