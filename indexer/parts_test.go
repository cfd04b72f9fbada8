package indexer_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/vault"
)

// A turnstile lets one transaction through at a time, each when it is told to, and tells which files it wrote.
type turnstile struct {
	indexer.RowStore
	come chan []vault.Path
	pass chan struct{}
}

func (s turnstile) Apply(ctx context.Context, c []catalog.Change) ([][]indexer.Key, error) {
	var paths []vault.Path
	for i := range c {
		paths = append(paths, c[i].Path)
	}
	select {
	case s.come <- paths:
		<-s.pass
	case <-s.pass: // closed: nobody looks any more
	}
	return s.RowStore.Apply(ctx, c)
}

const grownLog = "memory/archive/2026-06-01.md"

// grow appends n facts to one day, ten under each head.
func (w *world) grow(n int) {
	for i := 0; i < n; i += 10 {
		var facts []string
		for j := range 10 {
			facts = append(facts, fmt.Sprintf("growth number %d of the bicycle in the attic near the river", i+j))
		}
		w.facts("2026-06-01", fmt.Sprint("c", i), facts...)
	}
}

// What one file has grown by is indexed in parts. Whoever asks for something else gets it with the next part, and what is forgotten
// meanwhile leaves the index before the backlog enters it.
func TestOthersOvertakeABacklog(t *testing.T) {
	w := newWorld(t)
	come, pass := make(chan []vault.Path), make(chan struct{})
	w.part = 4 << 10
	w.facts("2026-06-01", "c1", "Mara keeps the narwhal letters in the attic")
	w.open()
	w.sync()
	w.close()
	w.wrap = func(s indexer.RowStore) indexer.RowStore { return turnstile{s, come, pass} }
	w.open()
	w.settle()
	w.grow(400)
	backlog := make(chan error, 1)
	go func() {
		_, err := w.ix.Sync(context.Background(), grownLog)
		backlog <- err
	}()
	<-come // the first part is being written
	w.write("2_Wiki/small.md", "a small edit\n")
	if err := w.v.Forget(context.Background(), []vault.Tombstone{{
		Text: "Mara keeps the narwhal letters in the attic",
		ID:   "g1",
	}}); err != nil {
		t.Fatal(err)
	}
	others := make(chan error, 2)
	go func() {
		_, err := w.ix.Sync(context.Background(), "2_Wiki/small.md")
		others <- err
	}()
	go func() { others <- w.ix.Reread(context.Background(), vault.TombstonesPath, grownLog) }()
	w.waitQueued(2) // both have asked
	pass <- struct{}{}
	if paths := <-come; !slices.Contains(paths, "2_Wiki/small.md") || !slices.Contains(paths, grownLog) {
		t.Errorf("the second transaction writes %v", paths)
	}
	pass <- struct{}{}
	for range 2 {
		if err := <-others; err != nil {
			t.Fatal(err)
		}
	}
	select {
	case err := <-backlog:
		t.Errorf("all of the backlog was written first: %v", err)
	default:
	}
	if w.ix.BytesBehind() <= 0 {
		t.Error("the index does not know that it is behind")
	}
	r, release := w.ix.Reader().Pin()
	for word, want := range map[string]int{"narwhal": 0, "edit": 1} {
		if hits, err := r.Lexical(context.Background(), word, 10, nil); err != nil || len(hits) != want {
			t.Errorf("%q: %d rows, %v", word, len(hits), err)
		}
	}
	release()
	parts := 2
	for ended := false; !ended; {
		select {
		case <-come:
			parts++
			pass <- struct{}{}
		case err := <-backlog:
			if ended = true; err != nil {
				t.Fatal(err)
			}
		}
	}
	if parts < 5 {
		t.Errorf("the backlog was written in %d parts", parts)
	}
	if n := w.ix.BytesBehind(); n != 0 {
		t.Errorf("%d bytes behind at the end", n)
	}
	close(pass)
	w.equal()
	w.settle()
	w.verified()
}

// full is a store that has room for one more part of the log that grows.
type full struct {
	indexer.RowStore
	room *bool
}

func (s full) Apply(ctx context.Context, c []catalog.Change) ([][]indexer.Key, error) {
	if slices.ContainsFunc(c, func(c catalog.Change) bool { return c.Path == grownLog }) {
		if !*s.room {
			return nil, errors.New("there is no room")
		}
		*s.room = false
	}
	return s.RowStore.Apply(ctx, c)
}

// Whoever writes does not wait for what cannot be written, whatever else can.
func TestNobodyWaitsForWhatFails(t *testing.T) {
	w := newWorld(t)
	w.part = 4 << 10
	room := true
	w.wrap = func(s indexer.RowStore) indexer.RowStore { return full{s, &room} }
	w.open()
	w.settle()
	w.grow(2000)
	if _, err := w.ix.Sync(context.Background(), grownLog); err == nil || w.ix.BytesBehind() != 0 {
		t.Errorf("%v, %d bytes behind", err, w.ix.BytesBehind())
	}
	w.write("2_Wiki/small.md", "a small edit\n")
	_, _ = w.ix.Sync(context.Background(), "2_Wiki/small.md") // which may go together with the next try of the other
	if n := w.ix.BytesBehind(); n != 0 {
		t.Errorf("%d bytes behind after another file was written", n)
	}
}

// A file of which only what was appended was read is read whole by the next look at everything, however old it is by then: somebody may
// have changed it within a tick of the disk's clock.
func TestWhatWasReadOnIsReadWholeAtRest(t *testing.T) {
	w := newWorld(t)
	w.tweak = func(o *indexer.Options) { o.Now = func() time.Time { return time.Now().Add(time.Hour) } }
	w.grow(10)
	w.open()
	w.settle()
	w.grow(10)
	w.sync(grownLog)
	info, err := os.Stat(w.path(grownLog))
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(w.path(grownLog), os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteAt([]byte("b0cycle"), int64(strings.Index(w.read(grownLog), "bicycle")))
	if err = errors.Join(err, f.Close(), os.Chtimes(w.path(grownLog), info.ModTime(), info.ModTime())); err != nil {
		t.Fatal(err)
	}
	w.facts("2026-06-01", "more", "Mara keeps the narwhal letters in the attic")
	w.sync(grownLog)
	if !slices.ContainsFunc(w.texts(), func(s string) bool { return strings.Contains(s, "narwhal") }) ||
		slices.ContainsFunc(w.texts(), func(s string) bool { return strings.Contains(s, "b0cycle") }) {
		t.Error("more was read than what was appended")
	}
	w.sync()
	w.equal()
}

// Large files that were read beside a growing one do not end what is known of that one.
func TestLargeFilesBetweenParts(t *testing.T) {
	w := newWorld(t)
	come, pass := make(chan []vault.Path), make(chan struct{})
	w.part = 4 << 10
	w.grow(10)
	w.open()
	w.settle()
	w.close()
	w.wrap = func(s indexer.RowStore) indexer.RowStore { return turnstile{s, come, pass} }
	w.open()
	w.settle()
	w.grow(2000)
	var pages []vault.Path
	for i := range 4 {
		pages = append(pages, vault.Path(fmt.Sprintf("2_Wiki/large%d.md", i)))
		w.write(string(pages[i]), strings.Repeat(strings.Repeat("word ", 1000)+"\n\n", 110))
	}
	ended := make(chan error, 2)
	ask := func(paths ...vault.Path) {
		_, err := w.ix.Sync(context.Background(), paths...)
		ended <- err
	}
	go ask(pages...)
	parts := 0
	for waits := 2; waits > 0; {
		select {
		case paths := <-come:
			if parts == 0 && !slices.Contains(paths, grownLog) {
				go ask(grownLog)
				w.waitQueued(1)
				parts++
			} else if slices.Contains(paths, grownLog) {
				if parts++; parts > 2 && w.ix.BytesBehind() <= 0 {
					t.Error("the index does not know that it is behind")
				}
			}
			pass <- struct{}{}
		case err := <-ended:
			if waits--; err != nil {
				t.Fatal(err)
			}
		}
	}
	close(pass)
	if n := w.ix.BytesBehind(); n != 0 || parts < 5 {
		t.Errorf("%d bytes behind at the end, %d parts", n, parts)
	}
	w.settle()
}

// A rebuild goes on beside a file that grows without end, and the current generation is served meanwhile.
func TestARebuildCatchesUpWithAFileThatKeepsGrowing(t *testing.T) {
	w := newWorld(t)
	w.part = 2 << 10
	w.grow(300)
	w.open()
	w.sync()
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
				w.grow(20)
				w.ix.Notify(grownLog)
			}
		}
	}()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute) // only where it would never end
	defer cancel()
	err := w.ix.Rebuild(ctx, nil)
	close(stop)
	<-stopped
	if err != nil {
		t.Fatal(err)
	}
	w.sync()
	w.equal()
	w.settle()
	w.verified()
}

// A rebuild gives way after each part to whoever asks for something else.
func TestEditsGoBetweenThePartsOfARebuild(t *testing.T) {
	const edit = vault.Path("2_Wiki/small.md")
	w := newWorld(t)
	come, pass := make(chan []vault.Path), make(chan struct{})
	w.part = 1 << 10
	w.grow(600)
	w.open()
	w.settle()
	w.close()
	w.wrap = func(s indexer.RowStore) indexer.RowStore { return turnstile{s, come, pass} }
	w.open()
	looked, rebuilt := make(chan error, 1), make(chan error, 1)
	go func() {
		_, err := w.ix.Sync(context.Background())
		looked <- err
	}()
	for first := true; first; { // the first look of an index that was opened may write a file that had just been written
		select {
		case <-come:
			pass <- struct{}{}
		case err := <-looked:
			if first = false; err != nil {
				t.Fatal(err)
			}
		}
	}
	go func() { rebuilt <- w.ix.Rebuild(context.Background(), nil) }()
	<-come
	pass <- struct{}{} // the piece that the call does
	for n := range 10 {
		<-come
		w.write(string(edit), fmt.Sprintf("edit number %d\n", n))
		asked := make(chan error, 1)
		go func() {
			_, err := w.ix.Sync(context.Background(), edit)
			asked <- err
		}()
		w.waitQueued(1)
		pass <- struct{}{}
		if paths := <-come; !slices.Equal(paths, []vault.Path{edit}) {
			t.Errorf("edit %d waits for %v", n, paths)
		}
		pass <- struct{}{}
		if t.Failed() {
			break
		}
		if err := <-asked; err != nil {
			t.Fatal(err)
		}
	}
	if w.ix.BytesBehind() <= 0 {
		t.Error("writers do not hear of what the rebuild has to read")
	}
	close(pass)
	if err := <-rebuilt; err != nil {
		t.Fatal(err)
	}
	if n := w.ix.BytesBehind(); n != 0 {
		t.Errorf("%d bytes behind at the end", n)
	}
	w.equal()
}

// Whoever asked for a rebuild finds all that stood in the files by then, also what the generation before it had not read.
func TestARebuildReadsWhatTheFilesHeld(t *testing.T) {
	w := newWorld(t)
	w.part = 2 << 10
	w.grow(10)
	w.open()
	w.settle()
	w.grow(400) // of which nobody tells the index
	if err := w.ix.Rebuild(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	if n := w.ix.Reader().Len(); n < 400 {
		t.Errorf("%d rows of 400", n)
	}
	w.equal()
}

// brittleStore fails for good from the n-th transaction on, as if the program was killed there.
type brittleStore struct {
	indexer.RowStore
	left *int
}

var errKilled = errors.New("killed")

func (s brittleStore) Apply(ctx context.Context, c []catalog.Change) ([][]indexer.Key, error) {
	if *s.left--; *s.left < 0 {
		return nil, errKilled
	}
	return s.RowStore.Apply(ctx, c)
}

func TestAKillBetweenTwoPartsLosesNothing(t *testing.T) {
	for n := range 6 {
		w := newWorld(t)
		w.part = 4 << 10
		w.grow(10)
		w.open()
		w.sync()
		w.close()
		left := n
		w.wrap = func(s indexer.RowStore) indexer.RowStore { return brittleStore{s, &left} }
		w.open()
		w.grow(400)
		if _, err := w.ix.Sync(context.Background(), grownLog); !errors.Is(err, errKilled) {
			t.Fatalf("after %d parts: %v", n, err)
		}
		dead, cancel := context.WithCancel(context.Background())
		cancel()
		_ = w.ix.Close(dead)
		w.wrap = nil
		w.open()
		w.settle()
		w.equal()
		w.verified()
		w.close()
	}
}

// Who waits for a file that is read in parts hears of another one that could not be read with the first of them.
func TestAFailureIsToldWhenTheLastPartIsRead(t *testing.T) {
	const bad = vault.Path("2_Wiki/bad.md")
	w := newWorld(t)
	w.part = 4 << 10
	w.tweak = func(o *indexer.Options) {
		o.Sources = append(indexer.DefaultSources(vault.Layout{}), indexer.Source{
			Name: "bad", Version: 1, Match: func(p vault.Path) bool { return p == bad },
			Rows: func(vault.Path, []byte, indexer.Env) ([]indexer.Row, []vault.Problem) { panic("a test says so") },
		})
	}
	w.grow(10)
	w.open()
	w.settle()
	w.grow(400)
	w.write(string(bad), "it cannot be read\n")
	if _, err := w.ix.Sync(context.Background(), bad, grownLog); err == nil {
		t.Error("no error for a file that cannot be read")
	}
}

func TestPartsEndBeforeHeads(t *testing.T) {
	file := "# Daily Log\n\n## 09:00 — a\n- one\n\n## no head\n- two\n\n## 10:00 — b\n- three\n"
	head := strings.Index(file, "## 10:00")
	for _, c := range []struct{ from, size, want int }{
		{0, 1000, len(file)},
		{0, head + 3, head},
		{0, 40, strings.Index(file, "## 09:00")},
		{20, 5, head}, // the first behind it
		{head, 3, len(file)},
	} {
		if got := indexer.PartEnd([]byte(file), c.from, c.size); got != c.want {
			t.Errorf("from %d, %d bytes: %d, want %d", c.from, c.size, got, c.want)
		}
	}
}

// The log and the drawers of a day grow in turns. Each is remembered while the other grows, or every part would cost a look at all of it.
func TestBothFilesOfALargeDayAreRemembered(t *testing.T) {
	for want, sizes := range map[int][]int{
		2: {20 << 20, 20 << 20},
		3: {1 << 20, 1 << 20, 1 << 20},
		1: {40 << 20},
	} {
		if got := indexer.Remembered(sizes...); got != want {
			t.Errorf("of files of %v bytes %d are remembered, want %d", sizes, got, want)
		}
	}
	if got := indexer.Remembered(20<<20, 20<<20, 20<<20); got != 2 {
		t.Errorf("of three large files %d are remembered", got)
	}
}
