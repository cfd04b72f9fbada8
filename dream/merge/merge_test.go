package merge

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestMerge(t *testing.T) {
	for _, tc := range []struct {
		name               string
		base, theirs, ours string
		want               string
		clashes            int
	}{
		{"theirs adds, ours changes", "a\nb\nc\n", "a\nb\nmine\nc\n", "a\nb\nC\n", "a\nb\nmine\nC\n", 0},
		{"adjacent", "a\nb one\nc two\nd\n", "a\nb one!!x\nc two\nd\n", "a\nb one\nc two three\nd\n", "a\nb one!!x\nc two three\nd\n", 0},
		{"the same edit", "a\nb\nc\n", "a\nx\nc\n", "a\nx\nc\nd\n", "a\nx\nc\nd\n", 0},
		{"one line, two ways", "x\n", "y\n", "z\n", "y\n", 1},
		{"theirs deleted", "a\nb\nc\n", "a\nc\n", "a\nb\nc\nd\n", "a\nc\nd\n", 0},
		{"theirs deleted what ours changed", "- one two three\n", "", "- one two four\n", "", 1},
		{"ours deleted what theirs changed", "- one two three\n- b\n", "- one two four\n- b\n", "- b\n", "- one two four\n- b\n", 1},
		{
			"both add at one place", "# I\n- [[A]]: x\n", "# I\n- [[A]]: x\n- mine\n",
			"# I\n- [[A]]: x\n- [[B]]: y\n", "# I\n- [[A]]: x\n- mine\n- [[B]]: y\n", 0,
		},
		{
			"a section of theirs at the end", "# I\n- [[A]]: x\n", "# I\n- [[A]]: x\n\n## Mine\n- [[Z]]\n", "# I\n- [[A]]: x\n- [[B]]: y\n",
			"# I\n- [[A]]: x\n- [[B]]: y\n\n## Mine\n- [[Z]]\n", 0,
		},
		{
			"a gloss of theirs among changes", "- [[A]]: a\n- [[B]]: b\n- [[C]]: c\n", "- [[A]]: a\n- [[B]]: my words\n- [[C]]: c\n",
			"- [[A]]: a2\n- [[B]]: b2\n- [[BB]]: new\n- [[C]]: c2\n", "- [[A]]: a2\n- [[B]]: my words\n- [[BB]]: new\n- [[C]]: c2\n", 1,
		},
		{
			"new claims around one that a person took away", "- red one\n- blue two\n- green three\n", "- red one\n- green three\n",
			"- p q\n- r s\n- t u\n", "- p q\n- r s\n- t u\n", 0,
		},
		{
			"one link, many lines", "- [[A]] b\n- [[A]] c\n- [[A]] d\n", "- [[A]] b mine\n- [[A]] c\n- [[A]] d\n", "- [[A]] c\n- [[A]] d\n",
			"- [[A]] b mine\n- [[A]] c\n- [[A]] d\n", 1,
		},
		{"one link, each took away another line", "- [[A]] b\n- [[A]] c\n- d\n", "- [[A]] b\n- d\n", "- [[A]] c\n- d\n", "- d\n", 0},
		{"nested under what goes", "a\n- s\nb\n", "a\n- s\n  - note\nb\n", "a\nb\n", "a\n  - note\nb\n", 1},
		{"nested under what changes", "a\n- s one\nb\n", "a\n- s one\n  - note\nb\n", "a\n- s two\nb\n", "a\n- s two\n  - note\nb\n", 0},
		{"inside of what goes", "a\nb\nc\nd\n", "a\nb\nmine\nc\nd\n", "a\nd\n", "a\nmine\nd\n", 1},
		{"Windows", "a\nb\n", "a\r\nmine\r\nb\r\n", "a\nb\nc\n", "a\r\nmine\r\nb\r\nc\r\n", 0},
		{"byte order mark, no last line break", "a\nb\n", "\xef\xbb\xbfmine\na\nb", "a\nb\nc\n", "\xef\xbb\xbfmine\na\nb\nc", 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, clashes := Merge([]byte(tc.base), []byte(tc.theirs), []byte(tc.ours))
			if string(got) != tc.want || len(clashes) != tc.clashes {
				t.Errorf("got\n%s\nwant\n%s\nclashes %+v", got, tc.want, clashes)
			}
		})
	}
}

func TestMergeUnknownBase(t *testing.T) {
	got, clashes := Merge(nil, []byte("# I\n- [[A]]: mine\nnote\n"), []byte("# I\n- [[A]]: ours\n- [[B]]: b\n"))
	if want := "# I\n- [[A]]: mine\nnote\n- [[B]]: b\n"; string(got) != want || len(clashes) > 0 {
		t.Errorf("got %q, %v", got, clashes)
	}
	if got, _ := Merge(nil, nil, []byte("x\n")); string(got) != "x\n" {
		t.Errorf("got %q", got)
	}
}

// TestMergeLong makes sure that many changes in a long map do not become one.
func TestMergeLong(t *testing.T) {
	var base, ours strings.Builder
	for i := range 10000 {
		name := "- [[" + strings.Repeat("n", 1+i%7) + string(rune('a'+i%26)) + "-" + strings.Repeat("x", i%3) + strconv.Itoa(i) + "]]: "
		base.WriteString(name + "old\n")
		ours.WriteString(name + "new words " + strconv.Itoa(i%50) + "\n")
		if i%5 == 0 {
			ours.WriteString("- [[Page " + strconv.Itoa(i) + "]]: is new\n")
		}
	}
	theirs := strings.Replace(base.String(), "5000]]: old", "5000]]: my own", 1)
	got, clashes := Merge([]byte(base.String()), []byte(theirs), []byte(ours.String()))
	if len(clashes) != 1 || !strings.Contains(string(got), "5000]]: my own\n") ||
		strings.Count(string(got), "\n") != strings.Count(ours.String(), "\n") {
		t.Errorf("%d clashes, %d lines", len(clashes), strings.Count(string(got), "\n"))
	}
}

// TestMergeApart applies changes of two sides to lines that do not touch, all of which must be in the result.
func TestMergeApart(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 2))
		n := 1 + r.IntN(60)
		var base, theirs, ours, want []string
		last := 0 // 1: theirs changed the line before, 2: ours did
		for i := range n {
			line := fmt.Sprintf("- statement %d about %x", i, r.Uint64())
			base = append(base, line)
			side := r.IntN(4)
			if side == 3 || side != 0 && last != 0 && side != last {
				side = 0
			}
			last = side
			var made []string
			switch r.IntN(3) {
			case 0: // deleted
			case 1:
				made = []string{line + fmt.Sprintf(" changed %d", r.IntN(1000))}
			default:
				made = []string{line, fmt.Sprintf("new %x", r.Uint64()), "another"}
			}
			kept := []string{line}
			switch side {
			case 0:
				theirs, ours, want = append(theirs, kept...), append(ours, kept...), append(want, kept...)
			case 1:
				theirs, ours, want = append(theirs, made...), append(ours, kept...), append(want, made...)
			default:
				theirs, ours, want = append(theirs, kept...), append(ours, made...), append(want, made...)
			}
		}
		text := func(lines []string) []byte {
			return []byte(strings.Join(append([]string{"# head"}, append(lines, "end")...), "\n") + "\n")
		}
		got, clashes := Merge(text(base), text(theirs), text(ours))
		if string(got) != string(text(want)) || len(clashes) > 0 {
			t.Fatalf("seed %d: got\n%s\nwant\n%s\nclashes %+v\ndiff %s", seed, got, text(want), clashes, Unified("x", text(want), got))
		}
	}
}

func TestUndo(t *testing.T) {
	const before = "# Billing\n\n## Facts\n- It runs on port 8080\n\n## Tasks\n- [ ] Move\n"
	const after = "# Billing\n\n## Facts\n- It runs on port 8443\n- It is written in Go\n\n## Tasks\n- [ ] Move\n\n## " +
		"History\n- It runs on port 8080 (until today)\n"
	for name, tc := range map[string]struct {
		now, want string
		clash     bool
	}{
		"untouched": {after, before, false},
		"a line elsewhere": {
			strings.Replace(after, "- [ ] Move", "- [x] Move\n- my own", 1),
			strings.Replace(before, "- [ ] Move", "- [x] Move\n- my own", 1), false,
		},
		"a line of the run":     {strings.Replace(after, "written in Go", "written in Rust", 1), "", true},
		"a note under it":       {strings.Replace(after, "in Go\n", "in Go\n  - since 2020\n", 1), "", true},
		"a line that it worded": {strings.Replace(after, "port 8443", "port 9000", 1), "", true},
		"a new line beside it": {
			strings.Replace(after, "in Go\n", "in Go\n- It is fast\n", 1),
			strings.Replace(before, "8080\n", "8080\n- It is fast\n", 1), false,
		},
	} {
		got, clashes := Merge([]byte(after), []byte(tc.now), []byte(before))
		if len(clashes) > 0 != tc.clash || !tc.clash && string(got) != tc.want {
			t.Errorf("%s: got\n%s\nclashes %+v", name, got, clashes)
		}
	}
}

func FuzzMerge(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nx\nc\n", "a\nb\nd\n")
	f.Add("- [[A]]: x\r\n- [[B]]", "\xef\xbb\xbf- [[A]]: y\n", "")
	f.Add("a\na\nb\n\n", "b\na\n", "a\n\n\nb\n")
	f.Add("one two\nthree four\n", "one\n", "three four five\none two\n")
	f.Fuzz(func(t *testing.T, b, x, o string) {
		base, theirs, ours := []byte(b), []byte(x), []byte(o)
		for _, s := range []string{b, x, o} {
			if strings.Contains(strings.ReplaceAll(s, "\r\n", ""), "\r") {
				return // half a line break: another line break after it makes it a whole one
			}
		}
		eq := func(what string, got []byte, clashes []Clash, want []byte) {
			if string(got) != string(want) || len(clashes) > 0 {
				t.Errorf("%s: got %q, want %q, clashes %+v", what, got, want, clashes)
			}
		}
		got, c := Merge(base, base, ours)
		eq("theirs changed nothing", got, c, ours)
		got, c = Merge(base, theirs, base)
		eq("ours changed nothing", got, c, theirs)
		got, c = Merge(base, theirs, theirs)
		eq("the same change", got, c, theirs)
		// The long way has to come to the same, but for line breaks where the sides differ in them.
		got, c = merge(base, theirs, base)
		eq("the long way, ours changed nothing", got, c, theirs)
		got, c = merge(base, theirs, theirs)
		eq("the long way, the same change", got, c, theirs)
		got, c = merge(base, base, ours)
		if !slices.Equal(Split(got).Lines, Split(ours).Lines) || len(c) > 0 {
			t.Errorf("the long way, theirs changed nothing: got %q, want %q, %v", got, ours, c)
		}
		for _, known := range [][]byte{base, nil} {
			got, _ = Merge(known, theirs, ours)
			has, had, count := tally(got), tally(theirs), tally(known)
			for line, n := range had {
				if has[line] < n-count[line] && line != "" {
					t.Errorf("%q is lost: merge(%q, %q, %q) = %q", line, known, theirs, ours, got)
				}
			}
			again, _ := Merge(known, theirs, ours)
			if string(again) != string(got) {
				t.Error("two answers")
			}
		}
	})
}

func tally(data []byte) map[string]int {
	n := map[string]int{}
	for _, line := range Split(data).Lines {
		n[line]++
	}
	return n
}

func TestUnified(t *testing.T) {
	if got := Unified("x.md", []byte("a\n"), []byte("a\n")); got != "" {
		t.Errorf("got %q", got)
	}
	got := Unified("1_Projects/B.md", nil, []byte("a\nb"))
	if want := "--- /dev/null\n+++ b/1_Projects/B.md\n@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n"; got != want {
		t.Errorf("got %q", got)
	}
	if got := Unified("x.md", []byte("a\n"), nil); !strings.HasPrefix(got, "--- a/x.md\n+++ /dev/null\n") {
		t.Errorf("got %q", got)
	}
}
