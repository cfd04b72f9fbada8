package indexer_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/indexer"
)

// holding lists the files of the index that have the vector of a text.
func (w *world) holding(text string) (files []string) {
	w.t.Helper()
	given := w.emb.given() // with what the embedder is told besides
	at := slices.IndexFunc(given, func(s string) bool { return strings.Contains(s, text) })
	if at < 0 {
		w.t.Fatalf("%q was not embedded", text)
	}
	var want []byte
	for _, x := range fakeVector(given[at], fakeDim) {
		want = binary.LittleEndian.AppendUint32(want, math.Float32bits(x))
	}
	err := filepath.WalkDir(w.index, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		if bytes.Contains(data, want) {
			files = append(files, filepath.Base(name))
		}
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return files
}

// An embedding tells of its text, so that of a forgotten one stays in no file.
func TestScrubLeavesNoVector(t *testing.T) {
	const gone, stays = "Zaphod met Trillian near Magrathea", "Number 7 feeds cat 49"
	w := newWorld(t)
	engine, _ := w.moods()
	w.open()
	var texts []string
	for i := range 60 {
		texts = append(texts, fmt.Sprintf("Number %d feeds cat %d", i, i*i))
	}
	w.facts("2026-06-09", "c1", append(texts, gone)...)
	w.sync()
	w.settle()
	if len(w.holding(gone)) < 2 || len(w.holding(stays)) < 2 {
		t.Fatalf("it was never written: %v", w.holding(gone))
	}
	w.forget(gone)
	w.sync()
	engine.maintain.Store(true)
	if err := w.ix.Scrub(t.Context()); !errors.Is(err, indexer.ErrVectorsLeft) {
		t.Errorf("with an engine that fails: %v", err)
	}
	engine.maintain.Store(false)
	if err := w.ix.Scrub(t.Context()); err != nil {
		t.Error(err)
	}
	if files := w.holding(gone); len(files) > 0 {
		t.Errorf("it is left in %v", files)
	}
	if len(w.holding(stays)) < 2 {
		t.Error("another went with it")
	}
	w.equal()
}
