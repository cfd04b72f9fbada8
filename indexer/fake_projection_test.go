package indexer_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/vault"
)

// A visit is an event of .state/visits.jsonl.
type visit struct {
	Room string `json:"room"`
	Days int    `json:"days"` // since the one before
}

// rooms is how much each room matters: it fades with the days, and each visit renews it.
type rooms map[string]float64

// roomState folds visits, and the sections of the daily logs, which count as a visit of the room that they name.
func roomState(version int) *indexer.Projection[rooms, rooms] {
	return &indexer.Projection[rooms, rooms]{
		Name: "rooms", Version: version,
		Match: func(p vault.Path) bool {
			return p == ".state/visits.jsonl" || strings.HasPrefix(string(p), "memory/archive/")
		},
		Fold: func(before rooms, p vault.Path, lines []byte) rooms {
			if before == nil {
				before = rooms{}
			}
			for line := range bytes.Lines(lines) {
				var v visit
				if json.Unmarshal(line, &v) == nil && v.Room != "" {
					for room := range before {
						before[room] *= 1 - 0.02*float64(v.Days)
					}
					before[v.Room] += float64(version)
				} else if _, chat, ok := strings.Cut(string(line), " — "); ok && strings.HasPrefix(string(line), "## ") {
					before[strings.TrimSpace(chat)]++
				}
			}
			return before
		},
		Join: func(files []rooms) rooms {
			all := rooms{}
			for _, f := range files {
				for room, n := range f {
					all[room] += n
				}
			}
			return all
		},
	}
}

func (w *world) visits(v ...visit) {
	w.t.Helper()
	for _, v := range v {
		if err := w.v.AppendState(context.Background(), "visits.jsonl", v); err != nil {
			w.t.Fatal(err)
		}
	}
}

// projected closes the index and gives what the projection's file holds.
func (w *world) projected() string {
	w.t.Helper()
	w.close()
	data, err := os.ReadFile(filepath.Join(w.index, "projections", "rooms.json"))
	if err != nil {
		w.t.Fatal(err)
	}
	return string(data)
}

// withRooms gives the index a projection; the function tells which.
func (w *world) withRooms(version int) func() rooms {
	pr := roomState(version)
	w.tweak = func(o *indexer.Options) {
		o.Projections = []indexer.Projector{pr}
		o.Mounts = []indexer.Mount{indexer.StateFiles(w.v, "visits.jsonl")}
	}
	return pr.State
}

// TestAProjectionIsWhatFoldingAnewGives: whatever happens to the files, and whether or not it is told.
func TestAProjectionIsWhatFoldingAnewGives(t *testing.T) {
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 3))
		w := newWorld(t)
		state := w.withRooms(1)
		w.open()
		e := &editor{world: w, r: r}
		var readers sync.WaitGroup
		for range 25 {
			readers.Go(func() { _ = len(fmt.Sprint(state())) }) // beside the folding
			switch r.IntN(6) {
			case 0, 1, 2:
				w.visits(visit{fmt.Sprint("room ", r.IntN(3)), r.IntN(5)})
				w.sync(".state/visits.jsonl")
			case 3: // an event is taken back, or cut in the middle
				lines := w.read(".state/visits.jsonl")
				if at := r.IntN(len(lines) + 1); r.IntN(2) == 0 && at > 0 {
					lines = lines[:at]
				} else if _, rest, ok := strings.Cut(lines, "\n"); ok {
					lines = rest
				}
				w.write(".state/visits.jsonl", lines)
			case 4:
				readers.Wait()
				w.projected()
				state = w.withRooms(1)
				w.open()
			default:
				w.sync(e.step()...)
			}
		}
		readers.Wait()
		w.sync()
		got := maps.Clone(state())
		before := w.projected()
		if err := os.RemoveAll(filepath.Join(w.index, "projections")); err != nil {
			t.Fatal(err)
		}
		state = w.withRooms(1)
		w.open()
		w.sync()
		if d := cmp.Diff(state(), got); d != "" {
			t.Errorf("seed %d: anew (-) and step by step (+):\n%s", seed, d)
		}
		if err := w.ix.Rebuild(context.Background(), nil); err != nil {
			t.Fatal(err)
		}
		if after := w.projected(); after != before {
			t.Errorf("seed %d: other bytes:\n%s\n%s", seed, before, after)
		}
	}
}

// TestAFoldThatPanics: it is said, and everything else goes on.
func TestAFoldThatPanics(t *testing.T) {
	w := newWorld(t)
	pr := roomState(1)
	fold := pr.Fold
	pr.Fold = func(before rooms, p vault.Path, lines []byte) rooms {
		if bytes.Contains(lines, []byte("boom")) {
			panic("boom")
		}
		return fold(before, p, lines)
	}
	w.tweak = func(o *indexer.Options) {
		o.Projections = []indexer.Projector{pr}
		o.Mounts = []indexer.Mount{indexer.StateFiles(w.v, "visits.jsonl")}
	}
	w.open()
	w.write("0_Inbox/a.md", "a note\n")
	w.visits(visit{"boom", 1})
	w.sync()
	if d := w.ix.Degraded(); len(d) != 1 || !strings.Contains(d[0], "visits.jsonl") {
		t.Errorf("degraded: %q", d)
	}
	w.equal()
	w.write(".state/visits.jsonl", `{"room":"attic","days":1}`+"\n")
	w.sync()
	if d := w.ix.Degraded(); len(d) > 0 || pr.State()["attic"] != 1 {
		t.Errorf("degraded: %q, state %v", d, pr.State())
	}
}

// TestAProjectionHasItsOwnVersion: raising it folds it anew, and touches neither rows nor vectors; damage of its file is the same.
func TestAProjectionHasItsOwnVersion(t *testing.T) {
	w := newWorld(t)
	state := w.withRooms(1)
	w.open()
	w.write("0_Inbox/a.md", "a note\n")
	w.visits(visit{"attic", 1}, visit{"attic", 1})
	w.sync()
	w.settle()
	if d := cmp.Diff(rooms{"attic": 1.98}, state()); d != "" {
		t.Error(d)
	}
	w.projected()
	for _, again := range []func(){
		func() { state = w.withRooms(2) },
		func() {
			hurtFiles(w, "projections/rooms.json", func(_ string, b []byte) []byte { b[len(b)/2] ^= 1; return b })
		},
		func() { hurtFiles(w, "catalog.db", func(_ string, b []byte) []byte { return b[:len(b)/2] }) },
	} {
		again()
		w.emb.set(func(e *fakeEmbedder) { e.texts = nil })
		w.open()
		w.sync()
		w.settle()
		w.equal()
		if d := cmp.Diff(rooms{"attic": 3.96}, state()); d != "" || len(w.emb.given()) > 0 {
			t.Errorf("%s\nembedded: %q", d, w.emb.given())
		}
		w.projected()
	}
}

// words is a projection that holds text: the lines of a journal.
func wordsState() *indexer.Projection[[]string, string] {
	return &indexer.Projection[[]string, string]{
		Name: "words", Version: 1,
		Match: func(p vault.Path) bool { return p == ".state/visits.jsonl" },
		Shown: func(before []string, _ vault.Path, data []byte, from int, visible func(string) string) []string {
			if from == 0 {
				before = nil
			}
			for line := range bytes.Lines(data[from:]) {
				var v visit
				if json.Unmarshal(line, &v) == nil && visible(v.Room) != "" {
					before = append(before, v.Room)
				}
			}
			return before
		},
		Join: func(files [][]string) string { return strings.Join(slices.Concat(files...), "; ") },
	}
}

// TestAProjectionWithTextHidesWhatIsForgotten: at once, after a start, and in its file; what is taken back is there again.
func TestAProjectionWithTextHidesWhatIsForgotten(t *testing.T) {
	w := newWorld(t)
	pr := wordsState()
	w.tweak = func(o *indexer.Options) {
		o.Projections = []indexer.Projector{pr}
		o.Mounts = []indexer.Mount{indexer.StateFiles(w.v, "visits.jsonl")}
	}
	w.open()
	const told = "the attic holds the blue violin of grandmother"
	w.visits(visit{told, 1}, visit{"the cellar", 1})
	w.sync()
	if got := pr.State(); got != told+"; the cellar" {
		t.Errorf("state %q", got)
	}
	if err := w.v.Forget(context.Background(), []vault.Tombstone{{Text: told, ID: "g1"}}); err != nil {
		t.Fatal(err)
	}
	w.sync(string(vault.TombstonesPath))
	if got := pr.State(); got != "the cellar" {
		t.Errorf("state %q, after it was forgotten", got)
	}
	w.close()
	name := filepath.Join(w.index, "projections", "words.json")
	if data, err := os.ReadFile(name); err != nil || bytes.Contains(data, []byte("violin")) {
		t.Errorf("the file: %v\n%s", err, data)
	}
	pr = wordsState()
	w.open()
	w.sync()
	if got := pr.State(); got != "the cellar" {
		t.Errorf("state %q, after a start", got)
	}
	if _, err := w.v.Unforget(context.Background(), "g1", []string{told}); err != nil {
		t.Fatal(err)
	}
	w.close()
	pr = wordsState() // another process took it back
	w.open()
	w.sync()
	if got := pr.State(); got != told+"; the cellar" {
		t.Errorf("state %q, after it was taken back", got)
	}
}

// TestARebuildEndsWhenProjectionsAreFolded: whoever asked for a rebuild finds projections folded anew, also where the rows were written
// first.
func TestARebuildEndsWhenProjectionsAreFolded(t *testing.T) {
	w := newWorld(t)
	var rebuilding, folded atomic.Bool
	pr := roomState(1)
	fold := pr.Fold
	pr.Fold = func(before rooms, p vault.Path, lines []byte) rooms {
		if rebuilding.Load() {
			for s := w.ix.Reader().Status(); s.Generation == 1 || s.Building; s = w.ix.Reader().Status() {
				runtime.Gosched()
			}
			for range 200000 { // the rows are there: who does not wait for this has gone on by then
				runtime.Gosched()
			}
			folded.Store(true)
		}
		return fold(before, p, lines)
	}
	w.tweak = func(o *indexer.Options) {
		o.Projections = []indexer.Projector{pr}
		o.Mounts = []indexer.Mount{indexer.StateFiles(w.v, "visits.jsonl")}
	}
	w.open()
	w.visits(visit{Room: "kitchen"})
	w.sync()
	w.settle()
	rebuilding.Store(true)
	if err := w.ix.Rebuild(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if !folded.Load() {
		t.Error("the rebuild ended before the projections were folded")
	}
}
