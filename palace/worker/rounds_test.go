package worker

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/palace/centroids"
	"github.com/reverie-memory/reverie/palace/drawers"
	"github.com/reverie-memory/reverie/vault"
)

// events counts the lines of the journal.
func (r *rig) events() (n int) {
	r.t.Helper()
	if _, err := r.vault.ReadState(drawers.FileName, func(int, []byte) error { n++; return nil }); err != nil {
		r.t.Fatal(err)
	}
	return n
}

func (r *rig) forget(texts ...string) {
	r.t.Helper()
	var stones []vault.Tombstone
	for _, text := range texts {
		stones = append(stones, vault.Tombstone{Text: text})
	}
	if err := r.vault.Forget(context.Background(), stones); err != nil {
		r.t.Fatal(err)
	}
	r.sync()
}

func (r *rig) sync() {
	r.t.Helper()
	if _, err := r.index.Sync(context.Background()); err != nil {
		r.t.Fatal(err)
	}
	r.settle()
}

// settle waits for vectors, where they come.
func (r *rig) settle() {
	r.t.Helper()
	if _, down := r.embed.(asleep); down {
		return
	}
	if err := r.index.Settle(context.Background()); err != nil {
		r.t.Fatal(err)
	}
}

// sure are texts whose words say what they are.
func sure(n int) (out []string) {
	for i := range n {
		out = append(out, fmt.Sprintf("%05d We decided to go with Mara's boat: the decision is final, we agreed on it and we chose it", i))
	}
	return out
}

// A drawer in which a model found no name is done with, also after a restart, and one run by hand gets to all of them.
func TestEnrichLooksOnceAtEachDrawer(t *testing.T) {
	chat := &fake{answer: func(_ int, texts []string) (string, error) {
		return strings.NewReplacer(`"Mara","Nobody"`, ``, `{"subject":"Mara","predicate":"owns","object":"boat","from":"","to":""}`, ``).
			Replace(verdicts(texts, all)), nil
	}}
	r := newRig(t, chat)
	r.opt.Batch = 50
	r.say(sure(roundDrawers + 20)...)
	if n, err := r.work(Enrich); n != roundDrawers+20 || err != nil {
		t.Fatalf("%d done: %v", n, err)
	}
	calls, lines := len(chat.calls), r.events()
	r.restart()
	if n, err := r.work(Enrich); n != 0 || err != nil || len(chat.calls) != calls || r.events() != lines {
		t.Errorf("after a restart %d, %d more calls, %d more events: %v", n, len(chat.calls)-calls, r.events()-lines, err)
	}
}

// Drawers that are gone keep none that is left from being looked at once more.
func TestWhatIsGoneHoldsNobodyUp(t *testing.T) {
	chat := &fake{answer: func(int, []string) (string, error) { return "no", nil }}
	r := newRig(t, chat)
	texts := vague(9)
	ids := r.say(texts...)
	if _, err := r.work(Process); err != nil {
		t.Fatal(err)
	}
	byID := map[string]string{}
	for i, id := range ids {
		byID[id] = texts[i]
	}
	last := ids[0]
	for _, id := range ids {
		last = max(last, id)
	}
	delete(byID, last)
	for _, text := range byID {
		r.forget(text)
	}
	chat.answer = obliging().answer
	if n, err := r.work(Process); n != 1 || err != nil || r.opt.Journal.State().Of(last).State != drawers.Processed {
		t.Errorf("%d done, %+v: %v", n, r.opt.Journal.State().Of(last), err)
	}
}

// What is brought back waits for no restart.
func TestWhatIsBackIsLookedAt(t *testing.T) {
	r := newRig(t, obliging())
	texts := vague(3)
	ids := r.say(texts...)
	r.forget(texts[0])
	archive := drawers.Event{Kind: drawers.Archive, Drawer: ids[1], Day: vault.DayOf(at), Reason: "a test"}
	if err := r.opt.Journal.Append(t.Context(), archive); err != nil {
		t.Fatal(err)
	}
	if n, err := r.work(Process); n != 1 || err != nil {
		t.Fatalf("%d done: %v", n, err)
	}
	if _, err := r.vault.Unforget(t.Context(), "", texts[:1]); err != nil {
		t.Fatal(err)
	}
	r.sync()
	archive.Kind, archive.Reason = drawers.Restore, ""
	if err := r.opt.Journal.Append(t.Context(), archive); err != nil {
		t.Fatal(err)
	}
	if n, err := r.work(Process); n != 2 || err != nil {
		t.Errorf("then %d: %v", n, err)
	}
}

// A pass spares looks at the index, but none that failed half-way, and none at another generation.
func TestAPassLooksWhereItMust(t *testing.T) {
	r := newRig(t, nil)
	r.say(sure(3 * roundDrawers)...)
	if _, more, err := r.process(t.Context()); !more || err != nil {
		t.Fatal(more, err)
	}
	r.shelf.seen = nil // as of a look that failed
	if _, _, err := r.process(t.Context()); err != nil || r.shelf.seen == nil {
		t.Errorf("a look that failed is not repeated: %v", err)
	}
	if err := r.index.Rebuild(t.Context(), func(int, int) {}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := r.process(t.Context()); err != nil || r.shelf.generation != r.index.Reader().Generation() {
		t.Errorf("generation %d is looked at, of %d: %v", r.shelf.generation, r.index.Reader().Generation(), err)
	}
}

// An index that is behind fails a night, and has nothing written twice.
func TestAnIndexThatIsBehindDoublesNothing(t *testing.T) {
	r := newRig(t, nil)
	r.opt.Fading.Keep = 0
	r.say(vague(4)...)
	r.now = at.AddDate(0, 0, 200)
	follow, broken := r.opt.Journal.Sync, errors.New("the disk of the index is full")
	left := 1
	r.opt.Journal.Sync = func(ctx context.Context, paths ...vault.Path) error {
		if left--; left < 0 {
			return broken
		}
		return follow(ctx, paths...)
	}
	for range 3 {
		if _, err := r.work(Maintain); !errors.Is(err, broken) {
			t.Error(err)
		}
	}
	r.opt.Journal.Sync = follow
	if n, err := r.work(Maintain); n != 0 || err != nil || r.events() != 4 {
		t.Errorf("%d more, %d events: %v", n, r.events(), err)
	}
}

// Whoever ends a worker while the model answers loses nothing, and does not wait for the index.
func TestAnAnswerThatCameLateIsKept(t *testing.T) {
	chat := obliging()
	r := newRig(t, chat)
	r.say(vague(3)...)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	answer := chat.answer
	chat.answer = func(n int, texts []string) (string, error) { cancel(); return answer(n, texts) }
	follow := r.opt.Journal.Sync
	r.opt.Journal.Sync = func(ctx context.Context, paths ...vault.Path) error {
		if cancelled := ctx.Done() == nil; cancelled {
			t.Error("nothing can end the wait for the index")
		}
		return follow(ctx, paths...)
	}
	if _, err := r.Work(ctx, Process, func(int) {}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	r.opt.Journal.Sync = follow
	if n, err := r.work(Process); n != 0 || err != nil || len(chat.calls) != 1 || r.events() != 6 { // what it is, and that it was compared
		t.Errorf("%d more, %d calls, %d events: %v", n, len(chat.calls), r.events(), err)
	}
}

// So many stay as are to, whatever else is put away or forgotten.
func TestSoManyStay(t *testing.T) {
	r := newRig(t, nil)
	texts := vague(8)
	ids := r.say(texts...)
	r.opt.Fading.Keep = 3
	for _, id := range ids[:2] {
		if err := r.opt.Journal.Append(t.Context(), drawers.Event{
			Kind: drawers.Archive, Drawer: id, Day: vault.DayOf(at), Reason: "a test",
		}); err != nil {
			t.Fatal(err)
		}
	}
	r.forget(texts[0])
	r.now = at.AddDate(0, 0, 200)
	if n, err := r.work(Maintain); n != 3 || err != nil {
		t.Errorf("of six drawers %d were put away: %v", n, err)
	}
}

// What was forgotten teaches no centroid, though the index did not follow yet, nor where it is forgotten while others are learnt.
func TestCentroidsLearnNothingForgotten(t *testing.T) {
	r := newRig(t, obliging())
	texts := vague(3)
	r.say(texts...)
	if _, err := r.work(Process); err != nil {
		t.Fatal(err)
	}
	if err := r.vault.Forget(t.Context(), []vault.Tombstone{{Text: texts[1]}}); err != nil {
		t.Fatal(err)
	}
	if n, err := r.work(Centroids); n != 2 || err != nil {
		t.Errorf("of two drawers %d teach: %v", n, err)
	}
}

// locker forgets a text at the moment in which somebody is about to write.
type locker struct{ forget func() }

func (l locker) Lock() { l.forget() }
func (locker) Unlock() {}

func TestCentroidsOfWhatIsForgottenMeanwhileAreNotWritten(t *testing.T) {
	r := newRig(t, obliging())
	texts := vague(2)
	r.say(texts...)
	if _, err := r.work(Process); err != nil {
		t.Fatal(err)
	}
	_, err := centroids.Store{Vault: r.vault}.Learn(t.Context(), r.index.Reader(), r.opt.Journal.State(), r.opt.Fingerprint(),
		locker{func() { r.forget(texts[0]) }})
	if !errors.Is(err, vault.ErrChanged) {
		t.Error(err)
	}
}
