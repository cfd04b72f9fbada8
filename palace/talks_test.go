package palace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/extract"
	"github.com/reverie-memory/reverie/vault"
)

// listener gives one fact a turn, which has the words of all that was said before.
type listener struct {
	mu    sync.Mutex
	heard [][]string
}

func (*listener) Name() string { return "listener/1" }

func (l *listener) Extract(_ context.Context, turn []extract.Message) ([]extract.Fact, error) {
	var before, beside []string
	for _, m := range turn {
		if m.Before {
			before, beside = append(before, m.Text), append(beside, m.Drawer)
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
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

// The last drawers of a conversation are kept, but not long texts, and of many conversations the newest.
func TestTalksAreBounded(t *testing.T) {
	var s talks
	for i := range 3 * talkCount {
		for k := range 2 * talkLength {
			s.add(vault.Drawer{ID: fmt.Sprint(i, "-", k), ChatID: fmt.Sprint(i), Text: "word"})
			s.add(vault.Drawer{ID: fmt.Sprint(i, "-", k), ChatID: fmt.Sprint(i), Text: strings.Repeat("é", talkText)})
		}
	}
	if n := len(s.young) + len(s.old); n < talkCount || n > 2*talkCount {
		t.Errorf("%d conversations are kept", n)
	}
	for chat, said := range s.young {
		if len(said) != talkLength || said[talkLength-1].ID != fmt.Sprint(chat, "-", 2*talkLength-1) {
			t.Fatalf("%d drawers of %s, the last is %s", len(said), chat, said[len(said)-1].ID)
		}
		if slices.ContainsFunc(said, func(d vault.Drawer) bool { return len(d.Text) > talkText }) {
			t.Fatal("a text is too long")
		}
	}
}

// Of a long message that was forgotten as a whole no part is heard, neither from memory nor from the file.
func TestEndOfForgottenMessageIsNotHeard(t *testing.T) {
	r, l := hear(t)
	var long strings.Builder
	for i := range 60 {
		fmt.Fprintf(&long, "Narwhal number %d eats %d herrings of the cellar. ", i, i*7)
	}
	r.remember(t, turn("t1", long.String()))
	if err := r.vault.Forget(t.Context(), []vault.Tombstone{{Text: strings.TrimSpace(long.String())}}); err != nil {
		t.Fatal(err)
	}
	if err := r.Reload(); err != nil {
		t.Fatal(err)
	}
	r.remember(t, turn("t2", "She starts in May."))
	if err := r.Intake.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	r.open(t)
	r.remember(t, turn("t3", "At the hospital."))
	for _, heard := range l.heard[1:] {
		if strings.Contains(strings.Join(heard, " "), "Narwhal") {
			t.Errorf("heard %.80q", heard)
		}
	}
}

// An import that is taken back while a turn is read leaves none of its words in the facts of that turn.
func TestTakenBackMeanwhile(t *testing.T) {
	r, _ := hear(t)
	in := r.Intake
	j := job{
		turn: turnKey{"c1", "t2"}, before: []vault.Drawer{{ID: "d-1", ChatID: "c1", Source: "s1", Text: "Noor got the job."}},
		drawers: []vault.Drawer{{ID: "d-2", ChatID: "c1", Text: "She starts in May."}},
	}
	j, msgs := in.messages(j)
	if len(msgs) != 2 || in.forgotSince(j) {
		t.Fatal(msgs)
	}
	in.mu.Lock()
	in.undone["s1"] = true
	in.mu.Unlock()
	if !in.forgotSince(j) {
		t.Error("the facts would be written")
	}
	if j, msgs = in.messages(j); len(msgs) != 1 || in.forgotSince(j) {
		t.Errorf("%v are read once more", msgs)
	}
}

// What was said later, in an export of an older part, is not heard, nor what was filed without a conversation, and nothing is heard twice.
func TestTalksHearWhatWasSaidBefore(t *testing.T) {
	at := func(id, chat string, hour int) vault.Drawer {
		return vault.Drawer{ID: id, ChatID: chat, At: time.Date(2026, 6, 9, hour, 0, 0, 0, time.UTC), Text: id}
	}
	turnOf := func(d vault.Drawer) *job { return &job{turn: turnKey{d.ChatID, d.ID}, drawers: []vault.Drawer{d}} }
	follow := func(s *talks, d vault.Drawer) (heard []string) {
		j := turnOf(d)
		s.follow(j)
		for _, b := range j.before {
			heard = append(heard, b.ID)
		}
		return heard
	}
	var s talks
	follow(&s, at("late", "c", 14))
	equal(t, "an older part", follow(&s, at("early", "c", 9)), []string(nil))
	equal(t, "once more", follow(&s, at("early", "c", 9)), []string(nil))
	equal(t, "behind what was said twice", follow(&s, at("then", "c", 15)), []string{"late", "early"})
	follow(&s, at("note", "", 9))
	equal(t, "without a conversation", follow(&s, at("other", "", 9)), []string(nil))

	s = talks{}
	file := []vault.Drawer{at("1", "c", 9), at("2", "c", 10), at("3", "c", 11)}
	s.look(file, turnOf(file[1]))
	follow(&s, file[1])
	s.look(file, turnOf(file[2])) // a turn beside it has asked meanwhile
	equal(t, "two at once", follow(&s, file[2]), []string{"1", "2"})
}

// A conversation of which this process knows yesterday has its file looked at for today.
func TestTalksOfYesterdayAreLookedForToday(t *testing.T) {
	r, l := hear(t)
	day := func(id, text string, at time.Time) Turn {
		t := turn(id, text)
		t.Messages[0].At = &at
		return t
	}
	r.remember(t, day("t2", "My sister Noor got the job.", at))
	if err := r.Intake.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	r.open(t)
	r.remember(t, day("t1", "I was in Rome.", at.AddDate(0, 0, -1)))
	r.remember(t, day("t3", "She starts in May.", at.Add(time.Minute)))
	equal(t, "heard", l.heard, [][]string{nil, nil, {"My sister Noor got the job."}})
}

// A file that cannot be read leaves a turn to itself, and is told of.
func TestWhatCannotBeReadIsNotHeardInSilence(t *testing.T) {
	r, l := hear(t)
	r.remember(t, turn("t1", "My sister Noor got the job."))
	if err := r.Intake.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	r.options.Log = slog.New(slog.NewTextHandler(&log, nil))
	r.open(t)
	path := vault.DrawerPath("2026-06-09")
	file := filepath.Join(r.dir, filepath.FromSlash(string(path)))
	if err := errors.Join(os.Rename(file, file+"~"), os.Mkdir(file, 0o700)); err != nil {
		t.Fatal(err)
	}
	d := vault.Drawer{ID: "d1", ChatID: "c1", At: at, Text: "She starts in May.", Origin: vault.OriginUser}
	r.listen([]job{{turn: turnKey{chat: "c1", id: "t2"}, drawers: []vault.Drawer{d}}})
	if err := errors.Join(os.Remove(file), os.Rename(file+"~", file), r.Intake.Close(t.Context())); err != nil { // who is closed logs no more
		t.Fatal(err)
	}
	if said := log.String(); !strings.Contains(said, "cannot read what was said before a turn") || len(l.heard) != 1 {
		t.Errorf("%v, %s", l.heard, said)
	}
}

// Rules that take what a model leaves of a turn hear what was said before, wherever in the call the turn stood.
func TestRulesHearWhereTheModelIsSilent(t *testing.T) {
	l := &listener{}
	inBubble(t, func(o *Options, _ *stubReader) { o.Batch.Rules = l }, func(t *testing.T, r *rig, _ *stubReader) {
		r.say(t, "c1", "t1", "My sister Noor got the job.")
		r.say(t, "c1", "t2", "She starts in May, which is hard.")
		time.Sleep(6 * time.Minute)
		synctest.Wait()
		equal(t, "heard", l.heard, [][]string{{"My sister Noor got the job."}})
	})
}
