package catalog

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/vault"
)

func texts(p vault.Path, list ...string) Change {
	c := Change{Path: p, State: &FileState{}}
	for i, s := range list {
		c.Insert = append(c.Insert, Row{ID: fmt.Sprintf("%s-%d", p, i), Source: Notebook, File: p, Line: i, Text: s})
	}
	return c
}

// TestQueries: which texts a query finds, best first.
func TestQueries(t *testing.T) {
	_, g := mustCreate(t, t.TempDir())
	all := []string{
		0: "Alice moved to the Berlin office",
		1: "Der Bäcker trägt Äpfel über die Straße",
		2: "私は東京都に行きました",
		3: "Bob calls getUserName in api_client.go",
		4: "O'Brien paid 3,141.59 for \"quotes\" AND (brackets) OR NEAR* col:on",
		5: "Crème brûlée at the café",
		6: "Мама мыла раму",
		7: "The zebra sleeps",
		8: "kubernetes kubernetes cluster",
	}
	mustApply(t, g, texts("a.md", all...))
	for query, want := range map[string][]int{
		"berlin":                      {0},
		"Backer":                      {1},
		"strasse":                     {1},
		"東京":                          {2},
		"getUserName":                 {3},
		"user name":                   {3},
		"\"quotes\" AND OR NOT NEAR(": {4},
		"col:on body: -x ^y {z} *":    {4},
		"creme BRULEE":                {5},
		"мама":                        {6},
		"zerba":                       {7}, // swapped letters
		"kubernets":                   {8},
		"kube":                        {8}, // the start of a word
		"zzzz":                        nil,
		"":                            nil,
		"the of and":                  nil,
		"'; DROP TABLE rows; --":      nil,
		"\x00\xff\xfe":                nil,
	} {
		for _, flushed := range []bool{false, true} {
			if flushed {
				if err := g.flushMemtable(); err != nil {
					t.Fatal(err)
				}
			}
			found, err := g.Reader().Lexical(context.Background(), query, 10, nil)
			if err != nil {
				t.Fatalf("%q: %v", query, err)
			}
			var got []int
			for _, s := range found {
				if s.Score <= 0 {
					t.Errorf("%q: score %v", query, s.Score)
				}
				got = append(got, int(s.Key-1))
			}
			if !slices.Equal(got, want) {
				t.Errorf("%q (written: %v) found %v, want %v", query, flushed, got, want)
			}
		}
	}
}

func TestFrequentTermsAreLeftOut(t *testing.T) {
	_, g := mustCreate(t, t.TempDir())
	var list []string
	for i := range 50 {
		list = append(list, "common "+coin(i))
	}
	mustApply(t, g, texts("a.md", list...))
	find := func(maxDF float64, terms ...string) int {
		rank := DefaultRanking()
		rank.MaxDF = maxDF
		var ws []WeightedTerm
		for _, w := range terms {
			ws = append(ws, WeightedTerm{Term: w, Weight: 1})
		}
		found, err := g.Reader().LexicalTerms(context.Background(), ws, rank, 100, nil)
		if err != nil {
			t.Fatal(err)
		}
		return len(found)
	}
	if n := find(0, "common", coin(3)); n != 50 {
		t.Errorf("no limit: %d found", n)
	}
	if n := find(0.12, "common", coin(3)); n != 1 {
		t.Errorf("frequent term left out: %d found", n)
	}
	if n := find(0.12, "common", "unheard"); n != 50 {
		t.Errorf("nothing else remains: %d found", n)
	}
	df, err := g.Reader().DocFreqs(context.Background(), []string{"common", coin(3), "unheard"})
	if err != nil || !slices.Equal(df, []int{50, 1, 0}) {
		t.Errorf("document frequencies %v, %v", df, err)
	}
}

// TestOddRows: any bytes come back as they were.
func TestOddRows(t *testing.T) {
	dir := t.TempDir()
	c, g := mustCreate(t, dir)
	long := strings.Repeat("again and ", 120_000)
	rows := []Row{
		{File: "a.md"},
		{
			File: "a.md", ID: "nul\x00", Text: "a\x00b", Context: "\xff\xfe", Speaker: "\xf0\x28", Tags: []string{"", "x\x00"},
			Refs: []string{"", "\n"}, Cites: []string{"\xff", ""}, Aside: true,
		},
		{File: "a.md", ID: long[:5000], Text: long, Line: -1, Seq: -5, Session: "s", At: time.Unix(-1, 5).UTC()},
		{File: "a.md", ID: "🦊", Text: "🦊🦊", Wing: "東", Past: true, At: time.Unix(0, 0).UTC(), Session: "s", Seq: -4},
		{File: "a.md", ID: "twice", Text: "one", Past: true, Aside: true},
		{File: "a.md", ID: "twice", Text: "two"},
	}
	keys := mustApply(t, g, Change{Path: "a.md", State: &FileState{}, Insert: rows})[0]
	for range 2 {
		got, err := g.Reader().Rows(context.Background(), keys)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(rows, got); d != "" {
			t.Fatal(d)
		}
		if err := g.Check(context.Background()); err != nil {
			t.Fatal(err)
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		c = mustOpen(t, dir)
		if g, err = c.OpenGeneration(context.Background(), 1); err != nil {
			t.Fatal(err)
		}
	}
	twice, err := g.Reader().RowsByID(context.Background(), []string{"none", "twice", "🦊"})
	if err != nil || len(twice) != 3 || twice[2].Wing != "東" {
		t.Errorf("rows by id: %+v, %v", twice, err)
	}
	// What is asked for twice comes twice, what is not there is left out.
	again, err := g.Reader().Rows(context.Background(), []Key{keys[4], 999, keys[3], keys[4]})
	if err != nil || len(again) != 3 || again[0].Text != "one" || again[1].ID != "🦊" {
		t.Errorf("rows: %+v, %v", again, err)
	}
	mustApply(t, g, Change{Path: "a.md"})
	if err := g.Check(context.Background()); err != nil || g.Reader().Len() != 0 {
		t.Errorf("after the file went: %d rows, %v", g.Reader().Len(), err)
	}
}

func TestApplyRefuses(t *testing.T) {
	_, g := mustCreate(t, t.TempDir())
	keys := mustApply(t, g, texts("a.md", "one", "two"))[0]
	state := &FileState{}
	for name, c := range map[string]Change{
		"rows of a file that is gone": {Path: "a.md", Insert: []Row{{File: "a.md"}}},
		"rows of another file":        {Path: "a.md", State: state, Insert: []Row{{File: "b.md"}}},
		"another text":                {Path: "a.md", State: state, Move: []Moved{{keys[0], Row{File: "a.md", Text: "other"}}}},
		"a row that is not there":     {Path: "a.md", State: state, Move: []Moved{{99, Row{File: "a.md"}}}},
	} {
		if _, err := g.Apply(context.Background(), []Change{texts("b.md", "three"), c}); err == nil {
			t.Errorf("%s: applied", name)
		}
	}
	if n := g.Reader().Len(); n != 2 {
		t.Errorf("%d rows after refused changes, want 2", n)
	}
	if err := g.Check(context.Background()); err != nil {
		t.Error(err)
	}
}

// A search looks up which rows are standing wishes, also of rows whose metadata changed and after a start.
func TestWishesAreKnown(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	c, g := mustCreate(t, dir)
	change := texts("a.md", "The bicycles are in the shed.", "Always give the price when I ask about bicycles.")
	keys := mustApply(t, g, change)[0]
	see := func() {
		t.Helper()
		if m := g.Reader().Metas(keys); m[0].Wish || !m[1].Wish {
			t.Errorf("wishes: %v, %v", m[0].Wish, m[1].Wish)
		}
	}
	see()
	moved := change.Insert[1]
	moved.Line = 7
	mustApply(t, g, Change{Path: "a.md", State: &FileState{}, Move: []Moved{{Key: keys[1], Row: moved}}})
	see()
	if err := errors.Join(c.Switch(ctx, 1), c.Close()); err != nil {
		t.Fatal(err)
	}
	c = mustOpen(t, dir)
	defer c.Close()
	var err error
	if g, err = c.OpenGeneration(ctx, 1); err != nil {
		t.Fatal(err)
	}
	see()
}

func TestPending(t *testing.T) {
	ctx := context.Background()
	_, g := mustCreate(t, t.TempDir())
	keys := mustApply(t, g, texts("a.md", "one", "two", "three"))[0]
	want := func(keys ...Key) {
		t.Helper()
		list, err := g.Pending(ctx, 10)
		if err != nil {
			t.Fatal(err)
		}
		var got []Key
		for _, p := range list {
			got = append(got, p.Key)
			if p.TextHash != TextHash("", p.EmbedText) {
				t.Errorf("text hash of %q", p.EmbedText)
			}
		}
		n, err := g.PendingCount(ctx)
		if !slices.Equal(got, keys) || n != len(keys) || err != nil {
			t.Errorf("pending %v (%d, %v), want %v", got, n, err, keys)
		}
	}
	want(keys...)
	if err := g.MarkVectors(ctx, keys[:2]); err != nil {
		t.Fatal(err)
	}
	want(keys[2])
	if err := errors.Join(g.MarkVectors(ctx, keys), g.MarkPending(ctx, keys[1:2])); err != nil {
		t.Fatal(err)
	}
	want(keys[1])
	if err := g.MarkAllPending(ctx); err != nil {
		t.Fatal(err)
	}
	mustApply(t, g, Change{Path: "a.md", State: &FileState{}, Delete: keys[:1]})
	want(keys[1:]...)
	var seen []Key
	if err := g.TextHashes(ctx, func(k Key, h Hash) bool { seen = append(seen, k); return true }); err != nil || !slices.Equal(seen,
		keys[1:]) {
		t.Errorf("text hashes of %v, %v", seen, err)
	}
}

func TestVectorCache(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	c := mustOpen(t, dir)
	a, b := TextHash("", "a"), TextHash("", "b")
	put := func(fp string, vecs ...CachedVector) {
		t.Helper()
		if err := c.PutVectors(ctx, fp, vecs); err != nil {
			t.Fatal(err)
		}
	}
	get := func(fp string, want map[Hash][]float32) {
		t.Helper()
		got, err := c.Vectors(ctx, fp, []Hash{a, b, TextHash("", "never")})
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("%s: %s", fp, d)
		}
	}
	va, vb := []float32{1, -2, 0.5}, []float32{0, 0, 1}
	put("one", CachedVector{a, va}, CachedVector{b, vb}, CachedVector{b, va})
	put("two", CachedVector{a, vb})
	get("one", map[Hash][]float32{a: va, b: vb})
	get("two", map[Hash][]float32{a: vb})
	get("three", map[Hash][]float32{})

	if err := c.vecs.script(`UPDATE vectors SET data = x'0000803f0000803f00000000' || substr(data, 13) WHERE id = 1`); err != nil {
		t.Fatal(err)
	}
	get("one", map[Hash][]float32{b: vb}) // a damaged one is absent
	put("one", CachedVector{a, va})
	get("one", map[Hash][]float32{a: va, b: vb})

	n, err := c.PruneVectors(ctx, []string{"one"}, func(h Hash) bool { return h == b })
	if err != nil || n != 2 {
		t.Fatalf("pruned %d, %v", n, err)
	}
	get("one", map[Hash][]float32{b: vb})
	get("two", map[Hash][]float32{})
	if err := c.Check(ctx); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Vectors(ctx, "one", []Hash{a}); !errors.Is(err, ErrClosed) {
		t.Errorf("closed: %v", err)
	}
}

func TestDrawersSince(t *testing.T) {
	_, g := mustCreate(t, t.TempDir())
	at := epoch.Add(time.Hour)
	mustApply(t, g, Change{Path: "d.md", State: &FileState{}, Insert: []Row{
		{ID: "1", File: "d.md", Source: DrawerText, Drawer: "d1", Turn: "t1", At: at, Text: "first"},
		{ID: "2", File: "d.md", Source: DrawerText, Drawer: "d1", Turn: "t1", At: at, Text: "second"},
		{ID: "3", File: "d.md", Source: ArchiveLog, Drawer: "d1", Turn: "t1", At: at, Text: "fact"},
		{ID: "4", File: "d.md", Source: DrawerText, Drawer: "d2", Turn: "t2", At: at.Add(time.Hour), Text: "third"},
		{ID: "5", File: "d.md", Source: DrawerText, Drawer: "d0", At: epoch, Text: "before"},
	}})
	got, err := g.Reader().DrawersSince(context.Background(), at)
	if err != nil {
		t.Fatal(err)
	}
	want := []DrawerState{
		{"d1", "t1", at, map[SourceType]int{DrawerText: 2, ArchiveLog: 1}},
		{"d2", "t2", at.Add(time.Hour), map[SourceType]int{DrawerText: 1}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestDeadline(t *testing.T) {
	_, g := mustCreate(t, t.TempDir())
	mustApply(t, g, texts("a.md", "one two three"))
	ctx, cancel := context.WithDeadline(context.Background(), time.Now().Add(-time.Second))
	defer cancel()
	if _, err := g.Reader().Lexical(ctx, "one two", 5, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("lexical: %v", err)
	}
	if _, err := g.Reader().Rows(ctx, []Key{1}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("rows: %v", err)
	}
	if _, err := g.Apply(ctx, []Change{texts("a.md", "four")}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("apply: %v", err)
	}
	if g.Reader().Len() != 1 {
		t.Error("a change was applied past its deadline")
	}
}

// TestReadWhileWriting is for the race detector; each answer must belong to one moment.
func TestReadWhileWriting(t *testing.T) {
	ctx := context.Background()
	_, g := mustCreate(t, t.TempDir())
	corp, r := newCorpus(3, 200), g.Reader()
	keys := mustApply(t, g, corp.change("a.md", 50, 60))
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			words := newCorpus(4, 200)
			for {
				select {
				case <-stop:
					return
				default:
				}
				found, err := r.Lexical(ctx, words.word()+" "+words.word(), 20, r.Allow(Filter{Agent: "claude"}))
				if err != nil {
					t.Error(err)
					return
				}
				for _, s := range found {
					m := r.Metas([]Key{s.Key})[0]
					r.Neighbours(s.Key)
					r.SessionKeys(m.Session)
					r.DrawerKeys(m.Drawer)
					if _, err := r.Rows(ctx, []Key{s.Key}); err != nil {
						t.Error(err)
						return
					}
				}
				r.Counts(ctx)
			}
		})
	}
	for range 25 {
		keys = mustApply(t, g, Change{Path: "a.md", State: &FileState{}, Delete: keys[0][:25], Insert: corp.change("a.md", 50, 60).Insert})
		if err := g.flushMemtable(); err != nil {
			t.Fatal(err)
		}
	}
	close(stop)
	wg.Wait()
}

// TestLogStaysShort: the write-ahead log does not grow with what was written, and is gone after Close.
func TestLogStaysShort(t *testing.T) {
	c, g := mustCreate(t, t.TempDir())
	corp := newCorpus(3, 200)
	wal := filepath.Join(g.Dir(), rowsFile+"-wal")
	for i := range 40 {
		mustApply(t, g, corp.change(vault.Path(fmt.Sprintf("%d.md", i)), 150, 1000))
		if st, err := os.Stat(wal); err != nil || st.Size() > walKeep+8<<20 {
			t.Fatalf("after %d changes: %v, %v", i, st.Size(), err)
		}
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if st, err := os.Stat(wal); err == nil && st.Size() > 0 {
		t.Errorf("%d bytes of log after Close", st.Size())
	}
}

// TestLogIsWrittenBackOnceItIsFilled: a commit that does not fill the log costs none of the flushes of a checkpoint, however long the log's
// file has been.
func TestLogIsWrittenBackOnceItIsFilled(t *testing.T) {
	c := mustOpen(t, t.TempDir())
	defer c.Close()
	const commits, bytes = 200, 300 << 10
	for i := range commits {
		v := CachedVector{TextHash("", fmt.Sprint(i)), make([]float32, bytes/4)}
		if err := c.PutVectors(t.Context(), "fp", []CachedVector{v}); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.Open(filepath.Join(c.dir, vectorsFile+"-wal"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	head := make([]byte, 16)
	if _, err := f.ReadAt(head, 0); err != nil {
		t.Fatal(err)
	}
	filled := uint32(commits * bytes / walKeep)
	if n := binary.BigEndian.Uint32(head[12:]); n < filled/2 || n > 2*filled { // how often the log started over
		t.Errorf("the log started over %d times while %d commits filled it %d times", n, commits, filled)
	}
}

func FuzzBlock(f *testing.F) {
	f.Add(uint32(1), []byte{1, 1, 0, 2, 0, 3})
	f.Add(uint32(4000), []byte{255, 0, 9, 7, 1, 0, 200, 2, 2})
	f.Fuzz(func(t *testing.T, key uint32, data []byte) {
		var list []posting
		key = max(key, 1) >> 2
		for i := 0; i+3 <= len(data) && i < 6000; i += 3 {
			key += 1 + uint32(data[i])*uint32(data[i])
			list = append(list, posting{key, uint16(data[i+1]) * 257, uint16(data[i+2])})
		}
		var got []posting
		for _, run := range splitBlocks(list) {
			b := encodeBlock("t", run)
			if len(b) > blockBytes+8 {
				t.Fatalf("block of %d bytes", len(b))
			}
			var err error
			if got, err = decodeBlock(got, "t", int64(run[0].key), b); err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(got, list) {
			t.Fatalf("%v became %v", list, got)
		}
		if _, err := decodeBlock(nil, "t", int64(key), data); err == nil {
			t.Skip("a checksum by chance")
		}
		if _, err := decodeHead(Key(key), data); err == nil {
			t.Skip("a checksum by chance")
		}
		_, _ = decodeHead(Key(key), seal(slices.Clone(data), "row", int64(key)))
		_, _ = decodeBlock(nil, "t", int64(key), seal(slices.Clone(data), "t", int64(key)))
	})
}

// TestSpelling: what stands in for a word that no row has.
func TestSpelling(t *testing.T) {
	_, g := mustCreate(t, t.TempDir())
	mustApply(t, g, texts("a.md", "matron fairy roof hydrangea dahlia", "good gravy", "dahlia restaurantes", "подруга живёт",
		"matron passport"))
	for word, want := range map[string]string{
		"matorn":      "matron",
		"atmron":      "",           // two slips, of a short word
		"fiary":       "fairi",      // swapped at the start
		"dfahlia":     "dahlia",     // too much at the start
		"ahlia":       "dahlia",     // left out there
		"vahlia":      "dahlia",     // changed there
		"roff":        "roof",       // a short one, behind the start
		"toof":        "",           // at the start
		"hydarngaea":  "hydrangea",  // two slips, of a long word
		"resta":       "restaurant", // goes on
		"gold":        "",           // a word of its own
		"пдоруга":     "подруг",
		"matronmatro": "",
		"12345":       "",
	} {
		for _, flushed := range []bool{false, true} {
			if flushed {
				if err := g.flushMemtable(); err != nil {
					t.Fatal(err)
				}
			}
			terms, err := g.Reader().QueryTerms(context.Background(), word)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			for _, n := range terms {
				if n.For != "" {
					got += n.Term
				}
			}
			if got != want {
				t.Errorf("%s (written: %v) stands for %q, want %q", word, flushed, got, want)
			}
		}
	}
}
