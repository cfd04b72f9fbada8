package indexer_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/vault"
)

const day = "2026-06-09"

func TestAppendIsSearchableAtOnceAndCostsOneEmbedding(t *testing.T) {
	w := newWorld(t).open()
	for i := range 60 {
		w.facts(day, "c1", fmt.Sprintf("Alice keeps notebook number %d in the attic", i))
	}
	w.sync()
	for i := range 20 {
		before := len(w.emb.given())
		f := w.facts(day, "c1", fmt.Sprintf("Bob paints the door in shade %d", i))
		s := w.sync("memory/archive/" + day + ".md")
		if want := (indexer.Stats{Files: 1, Added: 1, Embedded: 1}); s != want {
			t.Fatalf("append %d: stats %+v, want %+v", i, s, want)
		}
		if n := len(w.emb.given()) - before; n != 1 {
			t.Fatalf("append %d: %d texts embedded, want 1", i, n)
		}
		hits, err := w.ix.Reader().Lexical(context.Background(), fmt.Sprintf("door shade %d", i), 3, nil)
		if err != nil || len(hits) == 0 {
			t.Fatalf("append %d: hits %v, error %v", i, hits, err)
		}
		rows, err := w.ix.Reader().Rows(context.Background(), []indexer.Key{hits[0].Key})
		if err != nil || rows[0].ID != f[0].ID {
			t.Fatalf("append %d: first hit %+v, error %v, want %s", i, rows, err, f[0].ID)
		}
	}
	w.equal()
	w.verified()
}

func TestVectorSearchFindsTheRow(t *testing.T) {
	w := newWorld(t).open()
	w.facts(day, "c1", "the billing service runs on port 8443", "Alice moved to Berlin", "Noor likes tea")
	w.sync()
	q, _ := w.emb.Embed(context.Background(), []string{"Alice moved to Berlin"}, 0)
	got, err := w.ix.Reader().Vector(context.Background(), q[0], 1, nil)
	if err != nil || len(got) != 1 {
		t.Fatalf("vector: %v, %v", got, err)
	}
	rows, err := w.ix.Reader().Rows(context.Background(), []indexer.Key{got[0].Key})
	if err != nil || rows[0].Text != "Alice moved to Berlin" {
		t.Fatalf("nearest row %+v, %v", rows, err)
	}
	if _, err := w.ix.Reader().Vector(context.Background(), []float32{1}, 1, nil); err != indexer.ErrFingerprint {
		t.Fatalf("a question of another dimension: %v", err)
	}
}

func TestSyncTwiceEqualsOnce(t *testing.T) {
	w := newWorld(t).open()
	w.facts(day, "c1", "one fact", "two facts")
	w.write("2_Wiki/Concepts/Tea.md", "---\ntags: [drink]\n---\n# Tea\n\nTea is hot.\n\n- green\n- black\n")
	w.sync()
	first, asked := w.rows(), len(w.emb.given())
	for range 2 {
		if s := w.sync(); s.Added+s.Changed+s.Removed+s.Embedded != 0 {
			t.Fatalf("a second Sync changed %+v", s)
		}
	}
	if d := cmp.Diff(first, w.rows()); d != "" {
		t.Fatal(d)
	}
	if len(w.emb.given()) != asked {
		t.Fatal("a second Sync embedded")
	}
}

func TestPersonsEditsFollow(t *testing.T) {
	w := newWorld(t).open()
	page := "1_Projects/Billing.md"
	w.write(page, "# Billing\n\n- port 8443\n- uses MongoDB\n\nRuns in Frankfurt.\n")
	w.sync(page)
	w.equal()

	w.write(page, "# Billing\n\n- port 8443\n- uses PostgreSQL\n\nRuns in Frankfurt.\n")
	if s := w.sync(page); s.Embedded != 1 || s.Added != 1 || s.Removed != 1 {
		t.Errorf("one line edited: %+v", s)
	}
	w.equal()

	w.write(page, "\n\n# Billing\n\n- port 8443\n- uses PostgreSQL\n\nRuns in Frankfurt.\n")
	if s := w.sync(page); s.Embedded != 0 || s.Changed != 3 {
		t.Errorf("lines moved: %+v", s)
	}
	w.equal()

	if err := os.Rename(w.path("1_Projects"), w.path("5_Archives")); err != nil {
		t.Fatal(err)
	}
	if s := w.sync("1_Projects", "5_Archives"); s.Added != 3 || s.Removed != 3 || s.Embedded != 0 {
		t.Errorf("folder renamed: %+v, want 3 rows moved and no embedding", s)
	}
	w.equal()

	if err := os.RemoveAll(w.path("5_Archives")); err != nil {
		t.Fatal(err)
	}
	w.sync("5_Archives/Billing.md")
	if n := len(w.rows()); n != 0 {
		t.Errorf("%d rows after the file was deleted", n)
	}
}

func TestSameSizeSameTimeEditIsSeen(t *testing.T) {
	w := newWorld(t).open()
	w.write("0_Inbox/a.md", "the cat sat\n")
	w.sync()
	info, err := os.Stat(w.path("0_Inbox/a.md"))
	if err != nil {
		t.Fatal(err)
	}
	w.write("0_Inbox/a.md", "the dog sat\n")
	if err := os.Chtimes(w.path("0_Inbox/a.md"), info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	w.sync()
	if got := w.texts(); len(got) != 1 || got[0] != "the dog sat" {
		t.Fatalf("rows %q", got)
	}
}

func TestWatermarkAndLedgerRetireFacts(t *testing.T) {
	w := newWorld(t).open()
	old := w.facts("2026-06-08", "c1", "Alice lives in Paris", "Noor likes tea")
	w.facts(day, "c1", "Alice moved to Berlin")
	w.sync()

	w.write(".state/dreams/r-1/ledger.jsonl", fmt.Sprintf(`{"fact":%q,"outcome":"kept","run":"r-1"}`+"\n", old[0].ID))
	w.write(".state/dreams/r-1/done", "")
	w.write("log.md", "# Log\n\n## 2026-06-09 03:00 — dream r-1\nwatermark=2026-06-08\n1 day\n")
	w.sync("log.md", ".state/dreams/r-1/done")
	if d := cmp.Diff([]string{"Alice moved to Berlin", "Noor likes tea"}, w.texts()); d != "" {
		t.Errorf("an unaccounted fact stays, an accounted one goes:\n%s", d)
	}
	w.equal()

	w.write("log.md", "# Log\n") // undone
	w.sync("log.md")
	if n := len(w.texts()); n != 3 {
		t.Errorf("%d rows after the watermark went back, want 3", n)
	}
	w.equal()
	w.verified()
}

// A consumed line that a person changes is a fact that no ledger knows; put back as it was, it is consumed again.
func TestCorrectedLineComesBack(t *testing.T) {
	w := newWorld(t).open()
	f := w.facts("2026-06-08", "c1", "Alice lives in Paris")[0]
	w.write(".state/dreams/r-1/ledger.jsonl", fmt.Sprintf(`{"fact":%q,"day":"2026-06-08","outcome":"kept","run":"r-1","version":%q}`+"\n",
		f.ID, f.Version()))
	w.write(".state/dreams/r-1/done", "")
	w.write("log.md", "# Log\n\n## 2026-06-09 03:00 — dream r-1\nwatermark=2026-06-08\n1 day\n")
	w.sync()
	log := "memory/archive/2026-06-08.md"
	asTold := w.read(log)
	for _, tt := range []struct {
		text string
		want []string
	}{
		{asTold, nil},
		{strings.Replace(asTold, "Paris", "Lyon", 1), []string{"Alice lives in Lyon"}},
		{strings.Replace(asTold, "lives in", "lives  in", 1), nil},
	} {
		w.write(log, tt.text)
		w.sync(log)
		if d := cmp.Diff(tt.want, w.texts()); d != "" {
			t.Errorf("%s\n%s", tt.text, d)
		}
		w.equal()
		w.verified()
	}
	w.write(".state/dreams/r-2/ledger.jsonl", fmt.Sprintf(`{"fact":%q,"day":"2026-06-08","outcome":"kept","run":"r-2","indexed":true,`+
		`"version":%q}`+"\n", f.ID, f.Version()))
	w.write(".state/dreams/r-2/done", "")
	w.sync(".state/dreams/r-2/done")
	if d := cmp.Diff([]string{"Alice lives  in Paris"}, w.texts()); d != "" {
		t.Errorf("a ledger that leaves the row in search:\n%s", d)
	}
	w.equal()
	w.verified()
}

func TestForgottenTextsGiveNoRow(t *testing.T) {
	w := newWorld(t).open()
	w.facts(day, "c1", "Alice lives in Paris", "Noor likes tea")
	w.write("3_Personal/Alice.md", "# Alice\n\n- Alice lives in Paris\n")
	w.sync()
	if err := w.v.Forget(context.Background(), []vault.Tombstone{{Text: "Alice lives in Paris", Reason: "asked"}}); err != nil {
		t.Fatal(err)
	}
	w.sync(".state/tombstones.jsonl")
	for _, s := range w.texts() {
		if strings.Contains(s, "Paris") {
			t.Errorf("row %q is still there", s)
		}
	}
	w.facts(day, "c2", "Alice lives in Paris")
	w.sync()
	w.equal()
	if hits, err := w.ix.Reader().Lexical(context.Background(), "Paris", 5, nil); err != nil || len(hits) != 0 {
		t.Errorf("hits %v, %v", hits, err)
	}
	if err := w.ix.Rebuild(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	w.equal()
}

func TestCopiedLinesHaveRowsOfTheirOwn(t *testing.T) {
	w := newWorld(t).open()
	section := "## 10:00 — c1\n- [fact] the same line ^f0k2m9x1aa\n"
	w.write("memory/archive/2026-06-08.md", "# Daily Log - 2026-06-08\n\n"+section+"\n"+section)
	w.write("memory/archive/2026-06-09.md", "# Daily Log - 2026-06-09\n\n"+section)
	w.sync()
	var ids []string
	for _, r := range w.rows() {
		ids = append(ids, string(r.File[len("memory/archive/"):])+" "+r.ID)
	}
	if len(ids) != 3 || ids[0] == ids[1] {
		t.Errorf("rows %q: want three, with ids of their own in each file", ids)
	}
	if rows, err := w.ix.Reader().RowsByID(context.Background(), []string{"f0k2m9x1aa"}); err != nil || len(rows) != 2 {
		t.Errorf("by id: %d rows, %v", len(rows), err)
	}
	w.verified()
}

func TestManyCallersEachGetTheirOwnAnswer(t *testing.T) {
	w := newWorld(t).open()
	w.sync()
	var wg sync.WaitGroup
	for i := range 24 {
		wg.Go(func() {
			day := fmt.Sprintf("2026-06-%02d", i+1)
			f, err := w.v.AppendFacts(context.Background(), []vault.SectionFacts{{
				Section: vault.Section{At: vault.Day(day).Time(), ChatID: "c"}, Facts: []vault.Fact{{Text: "fact of " + day}},
			}})
			if err != nil {
				t.Error(err)
				return
			}
			s, err := w.ix.Sync(context.Background(), vault.LogPath(vault.Day(day)))
			if err != nil || s.Added > 1 || s.Files > 1 {
				t.Errorf("%s: %+v, %v", day, s, err)
			}
			if rows, err := w.ix.Reader().RowsByID(context.Background(), []string{f[0].ID}); err != nil || len(rows) != 1 {
				t.Errorf("%s: the fact is not there when Sync has answered: %d, %v", day, len(rows), err)
			}
		})
	}
	wg.Wait()
	w.equal()
	w.verified()
}

func TestNotifyComesThrough(t *testing.T) {
	w := newWorld(t).open()
	w.sync()
	w.write("0_Inbox/a.md", "a note\n")
	w.ix.Notify("0_Inbox/a.md")
	eventually(t, "the note's row", func() bool { return w.ix.Reader().Len() == 1 })
}

func TestLargeVaultIsSweptAndAnswersMeanwhile(t *testing.T) {
	w := newWorld(t)
	for i := range 300 {
		w.write(fmt.Sprintf("2_Wiki/Concepts/n%03d.md", i), fmt.Sprintf("# Note %d\n\nBody of note %d.\n\n- item %d\n", i, i, i))
	}
	w.open()
	w.write("0_Inbox/now.md", "said just now\n")
	if s := w.sync("0_Inbox/now.md"); s.Files > 1 {
		t.Errorf("named file: %+v", s)
	}
	w.sync()
	w.equal()
	w.settle()
	if v := w.verified(); v.Rows != 601 {
		t.Errorf("%d rows, want 601", v.Rows)
	}
	if d := w.ix.Degraded(); len(d) != 0 {
		t.Errorf("degraded: %q", d)
	}
}

// One large file does not keep others from being searchable.
func TestLargeFileDoesNotHoldOthersUp(t *testing.T) {
	w := newWorld(t)
	slow := make(chan struct{})
	w.tweak = func(o *indexer.Options) {
		o.Sources = indexer.DefaultSources(vault.Layout{})
		for i := range o.Sources {
			if src := &o.Sources[i]; src.Name == "page" {
				rows := src.Rows
				src.Rows = func(p vault.Path, data []byte, env indexer.Env) ([]indexer.Row, []vault.Problem) {
					if len(data) > 1<<20 {
						<-slow
					}
					return rows(p, data, env)
				}
			}
		}
	}
	w.open()
	w.write("2_Wiki/Small.md", "one\n")
	w.sync()
	w.write("2_Wiki/Large.md", strings.Repeat("word ", 1<<18))
	done := make(chan int)
	for range 2 { // the second may come while the first is under way
		go func() {
			if _, err := w.ix.Sync(context.Background(), "2_Wiki/Large.md"); err != nil {
				t.Error(err)
			}
			done <- w.ix.Reader().Len()
		}()
	}
	for i := range 3 {
		w.write("2_Wiki/Small.md", fmt.Sprintf("lantern %d\n", i))
		if stats, err := w.ix.Sync(t.Context(), "2_Wiki/Small.md"); err != nil || stats.Added == 0 {
			t.Errorf("%+v, %v", stats, err)
		}
	}
	close(slow)
	for range 2 {
		if n := <-done; n < 1000 {
			t.Errorf("%d rows are there", n)
		}
	}
	w.settle()
	w.verified()
}

// A file whose rows another program makes does not hold others up, and keeps its rows where that fails.
func TestFilesThatAreConverted(t *testing.T) {
	w := newWorld(t)
	const paper = "2_Wiki/Paper.md"
	var failure error
	asked, answer := make(chan struct{}), make(chan struct{})
	w.tweak = func(o *indexer.Options) {
		page := indexer.PageSource(vault.Layout{})
		other, all := page, page.Match
		page.Match = func(p vault.Path) bool { return p != paper && all(p) }
		other.Name, other.Match = "paper", func(p vault.Path) bool { return p == paper }
		other.Convert = func(_ context.Context, data []byte) ([]byte, error) {
			asked <- struct{}{}
			<-answer
			return bytes.ToUpper(data), failure
		}
		o.Sources = []indexer.Source{page, other}
	}
	w.open()
	w.sync()
	convert := func() error {
		t.Helper()
		done := make(chan error)
		go func() {
			_, err := w.ix.Sync(context.Background(), paper)
			done <- err
		}()
		<-asked
		w.write("2_Wiki/Small.md", fmt.Sprintf("one %v\n", failure))
		if stats, err := w.ix.Sync(t.Context(), "2_Wiki/Small.md"); err != nil || stats.Added == 0 {
			t.Errorf("%+v, %v", stats, err)
		}
		answer <- struct{}{}
		return <-done
	}
	has := func(text string) bool {
		found, err := w.ix.Reader().Lexical(t.Context(), text, 5, nil)
		return err == nil && len(found) == 1
	}
	w.write(paper, "the lantern\n")
	if err := convert(); err != nil || !has("lantern") {
		t.Errorf("%v, found: %v", err, has("lantern"))
	}
	failure = errors.New("no such program")
	w.write(paper, "the harbour\n")
	if err := convert(); !errors.Is(err, failure) || !has("lantern") || has("harbour") {
		t.Errorf("failed: %v", err)
	}
	failure = nil
	if err := convert(); err != nil || has("lantern") || !has("harbour") {
		t.Errorf("mended: %v", err)
	}
	go func() {
		for range asked {
			answer <- struct{}{}
		}
	}()
	w.settle()
	w.verified()
	close(asked)
}

func TestProblemsAreKnownAfterAReopen(t *testing.T) {
	w := newWorld(t).open()
	w.write("2_Wiki/bad.md", "---\ntitle: [unclosed\n---\ntext\n")
	w.sync()
	if len(w.ix.Problems()) == 0 {
		t.Fatal("the vault finds nothing wrong with this page")
	}
	before := w.ix.Problems()
	w.close()
	w.open()
	w.sync()
	if d := cmp.Diff(before, w.ix.Problems()); d != "" {
		t.Error(d)
	}
}

func TestUnreadableFileKeepsItsRows(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root reads everything")
	}
	w := newWorld(t).open()
	w.write("0_Inbox/a.md", "a note\n")
	w.write("0_Inbox/b.md", "b note\n")
	w.sync()
	w.write("0_Inbox/a.md", "another note\n")
	if err := os.Chmod(w.path("0_Inbox/a.md"), 0); err != nil {
		t.Fatal(err)
	}
	w.write("0_Inbox/b.md", "better note\n")
	if _, err := w.ix.Sync(context.Background()); err == nil {
		t.Error("no error for a file that cannot be read")
	}
	if d := cmp.Diff([]string{"a note", "better note"}, w.texts()); d != "" {
		t.Error(d)
	}
	if len(w.ix.Degraded()) == 0 {
		t.Error("not said")
	}
}

func TestStrangeBytesAreIndexedAndVerified(t *testing.T) {
	w := newWorld(t).open()
	for i, s := range []string{
		"nul \x00 inside", "bad \xff\xfe utf8", "\ufeffbom", "emoji 🙂 東京", strings.Repeat("x", 20_000), "a\r\nb",
		"\x1b[31m",
	} {
		_, err := w.v.AppendDrawers(context.Background(), []vault.Drawer{{At: vault.Day(day).Time(), ChatID: "c", Ref: fmt.Sprint(i), Text: s}})
		if err != nil {
			t.Logf("the vault refuses %q: %v", s[:min(len(s), 20)], err)
		}
	}
	w.write("0_Inbox/odd 🙂 name.md", "\xef\xbb\xbf---\r\ntitle: \"a\xff\"\r\n---\r\n# H\x00\r\n\r\nbad \xff and \x00 "+
		"nul\r\n\r\n```\r\ncode \xff\x00\r\n```\r\n")
	w.write("0_Inbox/empty.md", "")
	w.sync()
	w.equal()
	w.settle()
	w.verified()
	w.close()
	w.open()
	w.sync()
	w.equal()
	w.verified()
}

// TestConflictCopiesAreNamedAtOnce: when one appears, as at a look everywhere, and no longer than it is there.
func TestConflictCopiesAreNamedAtOnce(t *testing.T) {
	const name = "2_Wiki/Tea.sync-conflict-20260608-101010-ABCDEFG.md"
	w := newWorld(t).open()
	w.write("2_Wiki/Tea.md", "Green tea.\n")
	w.sync()
	named := func() bool {
		return slices.ContainsFunc(w.ix.Problems(), func(p vault.Problem) bool { return p.Path == name })
	}
	w.write(name, "Black tea.\n")
	for range 2 {
		w.sync(name)
		if len(w.texts()) != 1 || len(w.ix.Problems()) != 1 || !named() {
			t.Errorf("rows %q, problems %v", w.texts(), w.ix.Problems())
		}
	}
	if err := os.Remove(w.path(name)); err != nil {
		t.Fatal(err)
	}
	if w.sync(name); named() {
		t.Errorf("it is gone, problems %v", w.ix.Problems())
	}
}
