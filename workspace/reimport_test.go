package workspace_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/palace/findings"
	"github.com/reverie-memory/reverie/vault"
)

// A vault that imports its own export has no line twice, be it one that a person wrote without an id.
func TestAnOwnExportAddsNothing(t *testing.T) {
	w := open(t, quiet)
	const log = "# Daily Log - 2026-06-09\n\n- Feed the cat\n- Feed the cat\n- [food] Alice likes figs #figs\n" +
		"- Water the fern ^f00000fern\n- Prune the fern ^f00000fern\n"
	for p, text := range map[vault.Path]string{
		vault.LogPath("2026-06-09"): log, vault.DiaryPath("bob", "2026-06-09"): "# Diary - 2026-06-09\n\n- Bob wrote this himself\n",
	} {
		file := filepath.Join(w.Options.Vault, filepath.FromSlash(string(p)))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	path, want := exported(t, w)
	part := read(t, path)
	if len(part.Facts) != 6 {
		t.Fatalf("exported %+v", part.Facts)
	}
	r, err := w.Import(t.Context(), part)
	if _, got := exported(t, w); err != nil || r.Facts != 0 || !slices.Equal(got, want) {
		t.Errorf("%+v: %v:\n%s", r, err, cmp.Diff(want, got))
	}
}

// What was found out about a fact is told when the fact has no row of its own any more, whatever else was forgotten.
func TestFindingsOfConsolidatedFactsAreTold(t *testing.T) {
	w, _ := dreamt(t, "I moved to Porto in March.")
	var id string
	err := w.Vault.EachFact(t.Context(), nil, func(_ vault.Path, f *vault.Fact) {
		if id = f.ID; !strings.Contains(f.Text, "Porto") {
			t.Fatalf("found %+v", f)
		}
		if err := w.Findings.Append(t.Context(), findings.Finding{
			ID: f.ID, Text: findings.Hash(f.Text), By: "a model",
			About: "2026-03-01",
		}); err != nil {
			t.Fatal(err)
		}
	})
	if err == nil {
		err = w.Vault.Forget(t.Context(), []vault.Tombstone{{Text: "Something else"}})
	}
	if err != nil {
		t.Fatal(err)
	}
	if rows, err := w.Index.Reader().RowsByID(t.Context(), []string{id}); err != nil || len(rows) > 0 {
		t.Fatalf("it has a row: %+v, %v", rows, err)
	}
	_, lines := exported(t, w)
	if !strings.Contains(strings.Join(lines, "\n"), `"about":"2026-03-01"`) {
		t.Errorf("not told: %s", strings.Join(lines, "\n"))
	}
}

// What an import alone told of what was found out goes with it, also where the drawer stays; what was known before, or another import
// told as well, stays.
func TestUndoTakesWhatAnImportFoundOut(t *testing.T) {
	at := time.Date(2024, 6, 9, 9, 0, 0, 0, time.UTC)
	const text = "I moved to Porto in March."
	part := func(path string, summaries ...string) api.Import {
		m := api.ImportMessage{ID: "d000000001", ChatID: "c", TurnID: "t", Role: "user", Content: text, At: &at, Told: true}
		for _, s := range summaries {
			m.Findings = append(m.Findings, api.ImportFinding{Text: findings.Hash(text), By: "a model", At: at, Summary: s})
		}
		return api.Import{Path: path, End: true, Messages: []api.ImportMessage{m}}
	}
	w := open(t, quiet)
	told := func() (out []string) {
		_, lines := exported(t, w)
		for _, s := range []string{"ours", "first", "second", "both"} {
			if strings.Contains(strings.Join(lines, "\n"), `"summary":"`+s+`"`) {
				out = append(out, s)
			}
		}
		return out
	}
	taken(t, w, part("base.jsonl"))
	if err := w.Findings.Append(t.Context(), findings.Finding{
		ID: "d000000001", Text: findings.Hash(text), By: "a model", At: at, Summary: "ours",
	}); err != nil {
		t.Fatal(err)
	}
	first := taken(t, w, part("a.jsonl", "ours", "first", "both"))
	second := taken(t, w, part("b.jsonl", "second", "both"))
	for _, step := range []struct {
		undo string
		want []string
	}{
		{"", []string{"ours", "first", "second", "both"}},
		{first.ID, []string{"ours", "second", "both"}},
		{second.ID, []string{"ours"}},
	} {
		if step.undo != "" {
			if _, err := w.UndoImport(t.Context(), api.ByID{ID: step.undo}); err != nil {
				t.Fatal(err)
			}
		}
		if got := told(); !slices.Equal(got, step.want) {
			t.Errorf("after the undo of %q: %q, want %q", step.undo, got, step.want)
		}
	}
}
