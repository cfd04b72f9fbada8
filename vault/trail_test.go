package vault

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestAnEqualVersionAlongShowsTheSame: whatever is forgotten and taken back, texts whose version along their trail is as it was are shown
// as they were.
func TestAnEqualVersionAlongShowsTheSame(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	v := open(t, t.TempDir())
	say := func() string {
		return fmt.Sprintf("%s %s %s in %s", pick(r, "Alice", "Bob"), pick(r, "lives", "works"), pick(r, "alone", "now"),
			pick(r, "Paris", "Rome", "Bonn"))
	}
	texts := make([]string, 60)
	for i := range texts {
		n := 1 + r.IntN(4)
		for range n {
			texts[i] += pick(r, "", "**") + say() + pick(r, ". ", " (since 9 Jun 2026). ")
		}
	}
	type seen struct{ trail, version, shown string }
	before, same := make([]seen, len(texts)), 0
	var gone []Tombstone
	for step := range 60 {
		if len(gone) > 0 && r.IntN(3) == 0 {
			at := r.IntN(len(gone))
			if _, err := v.Unforget(context.Background(), gone[at].ID, []string{gone[at].Text}); err != nil {
				t.Fatal(err)
			}
			gone = append(gone[:at], gone[at+1:]...)
		} else {
			text := say()
			if r.IntN(4) == 0 {
				text += ". " + say()
			}
			gone = append(gone, Tombstone{Text: text, ID: fmt.Sprint("g", step)})
			if err := v.Forget(context.Background(), gone[len(gone)-1:]); err != nil {
				t.Fatal(err)
			}
		}
		stones, err := v.Tombstones()
		if err != nil {
			t.Fatal(err)
		}
		for i, text := range texts {
			var trail Trail
			now := seen{shown: stones.Along(&trail).Visible(text)}
			if now.trail = trail.String(); now.shown != stones.Visible(text) {
				t.Fatalf("%q is %q along a trail", text, now.shown)
			}
			bare, anew := *stones, Trail{} // as one that remembers nothing
			bare.memo = nil
			if shown := bare.Along(&anew).Visible(text); shown != now.shown || anew.String() != now.trail {
				t.Fatalf("%q: shown as %q from memory, else as %q; trails %q and %q", text, now.shown, shown, now.trail, anew.String())
			}
			now.version = stones.VersionAlong(now.trail)
			if was := before[i]; was.trail != "" && stones.VersionAlong(was.trail) == was.version {
				if same++; was.shown != now.shown {
					t.Fatalf("%q: shown as %q and now as %q, under one version", text, was.shown, now.shown)
				}
			}
			before[i] = now
		}
	}
	if same < len(texts)*20 {
		t.Errorf("%d times as before: nearly everything concerns every text", same)
	}
}

func pick(r *rand.Rand, of ...string) string { return of[r.IntN(len(of))] }

// TestATrailThatIsTooLong hangs on everything, also joined to others; what is no trail does as well.
func TestATrailThatIsTooLong(t *testing.T) {
	var long, joined Trail
	for i := range uint32(maxTrail) {
		long.note(i * 7)
	}
	back, ok := ParseTrail(long.String())
	if !ok || back.String() != long.String() || !strings.HasPrefix(back.String(), "~") {
		t.Errorf("%t %q", ok, back.String())
	}
	long.note(5)
	long.note(6)
	if joined.Join(long); long.String() != "" || joined.String() != "" {
		t.Errorf("%q, %q", long.String(), joined.String())
	}
	v := open(t, t.TempDir())
	stones, err := v.Tombstones()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{"", "~a", "~????", "AAAA"} {
		if stones.VersionAlong(s) != stones.Version() {
			t.Errorf("%q is taken for a trail", s)
		}
	}
}
