package palace

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/extract"
	"github.com/reverie-memory/reverie/vault"
)

// listener gives one fact a turn, which has the words of all that was said before.
type listener struct{ heard [][]string }

func (*listener) Name() string { return "listener/1" }

func (l *listener) Extract(_ context.Context, turn []extract.Message) ([]extract.Fact, error) {
	var before, beside []string
	for _, m := range turn {
		if m.Before {
			before, beside = append(before, m.Text), append(beside, m.Drawer)
		}
	}
	l.heard = append(l.heard, before)
	last := turn[len(turn)-1]
	return []extract.Fact{{Drawer: last.Drawer, Beside: beside, Category: "fact", Text: "Fact: " + last.Text}}, nil
}

func hear(t *testing.T) (*rig, *listener) {
	l := &listener{}
	return newRig(t, func(o *Options, _ *stubExtractor) { o.Extractor, o.Workers = l, 1 }), l
}

func TestTurnIsReadWithWhatWasSaidBefore(t *testing.T) {
	r, l := hear(t)
	first := r.remember(t, turn("t1", "My sister Noor got the job.", "Finally!"))
	r.remember(t, turn("t2", "She starts in May."))
	other := turn("t3", "Another talk.")
	other.ChatID = "c2"
	r.remember(t, other)
	equal(t, "heard", l.heard, [][]string{nil, {"My sister Noor got the job.", "Finally!"}, nil})
	log, err := r.vault.ReadFile(vault.LogPath("2026-06-09"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range vault.ParseLog(vault.LogPath("2026-06-09"), log).Facts {
		want := []string{f.Section.Drawer}
		if f.Text == "Fact: She starts in May." {
			want = append(want, first.Drawers...)
		}
		if diff := cmp.Diff(want, f.Section.From()); diff != "" {
			t.Errorf("%q is from (-want +got):\n%s", f.Text, diff)
		}
	}
}

// What a project named for itself was told is not told beside the words of another.
func TestTurnDoesNotHearOtherProjects(t *testing.T) {
	r, l := hear(t)
	work := turn("t1", "The launch of Atlas is on 4 July.")
	work.Wing = "atlas"
	r.remember(t, work)
	r.remember(t, turn("t2", "I told nobody about it."))
	work = turn("t3", "We moved it to August.")
	work.Wing = "atlas"
	r.remember(t, work)
	equal(t, "heard", l.heard, [][]string{nil, nil, {"The launch of Atlas is on 4 July."}})
}

// What was said before the daemon started stands in the file of the day.
func TestTurnHearsWhatWasSaidBeforeTheStart(t *testing.T) {
	r, l := hear(t)
	r.remember(t, turn("t1", "My sister Noor got the job."))
	if err := r.Intake.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	r.open(t)
	r.remember(t, turn("t2", "She starts in May."))
	r.remember(t, turn("t3", "At the hospital."))
	equal(t, "heard", l.heard, [][]string{nil, {"My sister Noor got the job."}, {"My sister Noor got the job.", "She starts in May."}})
}

func TestForgottenSentencesAreNotHeard(t *testing.T) {
	r, l := hear(t)
	r.remember(t, turn("t1", "My sister Noor got the job. I fed the narwhal in the cellar."))
	if err := r.vault.Forget(t.Context(), []vault.Tombstone{{Text: "I fed the narwhal in the cellar."}}); err != nil {
		t.Fatal(err)
	}
	if err := r.Reload(); err != nil {
		t.Fatal(err)
	}
	r.remember(t, turn("t2", "She starts in May."))
	if heard := strings.Join(l.heard[1], " "); !strings.Contains(heard, "Noor") || strings.Contains(heard, "narwhal") {
		t.Errorf("heard %q", heard)
	}
}

// The last drawers of a conversation are kept, of long texts their ends, and of many conversations the newest.
func TestTalksAreBounded(t *testing.T) {
	var s talks
	for i := range 3 * talkCount {
		for k := range 2 * talkLength {
			s.add(vault.Drawer{ID: fmt.Sprint(i, "-", k), ChatID: fmt.Sprint(i), Text: strings.Repeat("é word ", talkTail)})
		}
	}
	if n := len(s.young) + len(s.old); n < talkCount || n > 2*talkCount {
		t.Errorf("%d conversations are kept", n)
	}
	for chat, said := range s.young {
		if len(said) != talkLength || said[talkLength-1].ID != fmt.Sprint(chat, "-", 2*talkLength-1) {
			t.Fatalf("%d drawers of %s, the last is %s", len(said), chat, said[len(said)-1].ID)
		}
		if slices.ContainsFunc(said, func(d vault.Drawer) bool { return len(d.Text) > talkTail || strings.ToValidUTF8(d.Text, "") != d.Text }) {
			t.Fatal("a text is too long, or cut within a letter")
		}
	}
}
