package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/vault"
)

// The whole way: vault, questions, dream, questions, scores, files.
func TestDreamOfASmallConversation(t *testing.T) {
	out := t.TempDir()
	var printed bytes.Buffer
	r := dreamRun{qualityRun: qualityRun{data: "testdata", out: out, embedder: "builtin", k: 5, json: true, stdout: &printed}}
	if err := r.run(context.Background()); err != nil {
		t.Fatal(err)
	}
	var rep dreamReport
	if err := json.Unmarshal(printed.Bytes(), &rep); err != nil {
		t.Fatal(err)
	}
	if len(rep.Sets) != 1 || rep.Sets[0].Set != "quality" || rep.Sets[0].Questions != 3 {
		t.Fatalf("%+v", rep)
	}
	s := rep.Sets[0]
	if s.Facts == 0 || s.Accounted != s.Facts || s.AccountedShare != 1 || s.PagesMade == 0 || s.StatementsMost == 0 || s.DreamSeconds == 0 {
		t.Errorf("%+v", s)
	}
	for _, name := range askNames {
		if _, ok := s.Scores[name]; !ok {
			t.Errorf("no scores for %q", name)
		}
	}
	if s.Scores["after"].TurnR10 < 99 {
		t.Errorf("after the dream: %+v", s.Scores)
	}
	for _, name := range []string{"dream.json", "quality-before.jsonl", "quality-pages-only.jsonl"} {
		if _, err := os.Stat(filepath.Join(out, name)); err != nil {
			t.Error(err)
		}
	}
	rep.print(&printed)
}

func TestPairedDifferences(t *testing.T) {
	of := func(values ...float64) (rows []scoredQuery) {
		for _, v := range values {
			rows = append(rows, scoredQuery{figures: figures{turnR10: v}})
		}
		return rows
	}
	if got := paired(of(0, 0.5, 1), of(0, 0.5, 1), turnR10); got != (interval{}) {
		t.Errorf("the same twice: %v", got)
	}
	got := paired(of(0, 0, 0, 0), of(1, 0, 0, 0), turnR10)
	if got.Mean != 25 || got.Low != 0 || got.High <= 25 {
		t.Errorf("one of four: %+v", got)
	}
	if again := paired(of(0, 0, 0, 0), of(1, 0, 0, 0), turnR10); again != got {
		t.Error("the interval depends on chance")
	}
}

func TestSyntheticFactsAreTheSameEachTime(t *testing.T) {
	var dirs []string
	for range 2 {
		dir := t.TempDir()
		c := newDreamCorpus(20)
		if err := c.pages(dir, 20); err != nil {
			t.Fatal(err)
		}
		if err := c.logs(dir, 700); err != nil {
			t.Fatal(err)
		}
		dirs = append(dirs, dir)
	}
	v, err := vault.Open(dirs[0])
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	files, facts := 0, 0
	_, err = v.Walk(context.Background(), func(p vault.Path, _ vault.FileInfo) error {
		files++
		data, err := v.ReadFile(p)
		if err != nil {
			return err
		}
		again, err := os.ReadFile(filepath.Join(dirs[1], filepath.FromSlash(string(p))))
		if d := cmp.Diff(string(data), string(again)); err != nil || d != "" {
			t.Errorf("%s: %v %s", p, err, d)
		}
		log := vault.ParseLog(p, data)
		if filepath.Dir(filepath.FromSlash(string(p))) == filepath.FromSlash(vault.ArchiveDir) {
			facts += len(log.Facts)
			if len(log.Problems) > 0 {
				t.Errorf("%s: %v", p, log.Problems)
			}
		}
		return nil
	})
	if err != nil || files != 22 || facts != 700 {
		t.Errorf("%d files, %d facts, %v", files, facts, err)
	}
}
