package worker

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/llm"
	"github.com/reverie-memory/reverie/palace/drawers"
	"github.com/reverie-memory/reverie/vault"
)

// An asleep is an embedder that is down.
type asleep struct{ llm.Embedder }

func (asleep) Embed(context.Context, []string, llm.Kind) ([][]float32, error) {
	return nil, errors.New("connection refused")
}

// What has no vector yet is compared when it has one, also after a restart.
func TestWhatHasNoVectorYetIsComparedLater(t *testing.T) {
	for name, chat := range map[string]*fake{"rules alone": nil, "a model": obliging()} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, nil)
			if chat != nil {
				r.chat = chat
			}
			well := r.embed
			r.embed = asleep{well}
			r.restart()
			ids := r.talked()
			if _, err := r.work(Process); err != nil {
				t.Fatal(err)
			}
			r.embed = well
			r.restart()
			if _, err := r.work(Process); err != nil {
				t.Fatal(err)
			}
			if k := r.opt.Journal.State().Of(ids[3]); k.Cluster != ids[0] {
				t.Errorf("the same is %+v, want merged into %s", k, ids[0])
			}
		})
	}
}

// Drawers are compared by what the index has of them: no file is read, however many there are.
func TestComparingReadsNoFile(t *testing.T) {
	r := newRig(t, nil)
	ids := r.talked()
	for _, day := range []time.Time{at, at.AddDate(0, 0, 1)} {
		if err := os.Remove(filepath.Join(r.dir, filepath.FromSlash(string(vault.DrawerPath(vault.DayOf(day)))))); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := r.work(Process); err != nil || r.opt.Journal.State().Of(ids[3]).Cluster != ids[0] {
		t.Errorf("%+v: %v", r.opt.Journal.State().Of(ids[3]), err)
	}
}

// Whoever closes the index while the model judges pairs does not wait for it, and nothing is lost.
func TestTheModelHoldsNoIndex(t *testing.T) {
	chat := obliging()
	r := newRig(t, chat)
	ids := r.talked()
	chat.ends = func(earlier, later string) bool {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		closed := make(chan struct{})
		go func() {
			_ = r.index.Close(context.WithoutCancel(ctx))
			close(closed)
		}()
		select {
		case <-closed:
		case <-ctx.Done():
			t.Error("the index is held while the model judges")
		}
		return moved(earlier, later)
	}
	if _, err := r.work(Process); err == nil {
		t.Error("a closed index is followed")
	}
	r.restart()
	chat.ends = moved
	if _, err := r.work(Process); err != nil || r.opt.Journal.State().Of(ids[1]).SupersededBy != ids[4] {
		t.Errorf("%+v: %v", r.opt.Journal.State().Of(ids[1]), err)
	}
}

// What was said earlier and filed later is ended by what was compared before it came.
func TestWhatIsFiledLateIsEndedAsWell(t *testing.T) {
	chat := obliging()
	chat.ends = moved
	r := newRig(t, chat)
	r.now = at.AddDate(0, 0, 1)
	later := r.say(talk[4])[0]
	if _, err := r.work(Process); err != nil {
		t.Fatal(err)
	}
	r.now = at
	first := r.say(talk[1])[0]
	r.now = at.AddDate(0, 0, 2)
	if _, err := r.work(Process); err != nil || r.opt.Journal.State().Of(first).SupersededBy != later {
		t.Errorf("%+v: %v", r.opt.Journal.State().Of(first), err)
	}
}

// However long drawers wait to be compared, a useless answer costs one try a pass.
func TestAPassIsOneTry(t *testing.T) {
	r := newRig(t, &fake{answer: func(int, []string) (string, error) { return "no", nil }})
	ids := r.say(append(vague(1), sure(2*roundDrawers)...)...)
	if _, err := r.work(Process); err != nil {
		t.Fatal(err)
	}
	if k := r.opt.Journal.State().Of(ids[0]); k.Tries != 1 || k.State != drawers.Raw {
		t.Errorf("after one pass %+v", k)
	}
	if _, err := r.work(Process); err != nil || r.opt.Journal.State().Of(ids[0]).Tries != 2 {
		t.Errorf("after the next %+v: %v", r.opt.Journal.State().Of(ids[0]), err)
	}
}
