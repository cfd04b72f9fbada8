package workspace_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/operations"
	"github.com/reverie-memory/reverie/vault"
)

const annaPage = vault.Path("3_Personal/Anna Berg.md")

// writePage puts a page there as a person does, "" for none, and waits until it is known.
func writePage(t *testing.T, w operations.Memory, p vault.Path, text string) {
	t.Helper()
	file := filepath.Join(w.Options.Vault, string(p))
	err := os.MkdirAll(filepath.Dir(file), 0o700)
	if text == "" {
		err = os.Remove(file)
	} else if err == nil {
		err = os.WriteFile(file, []byte(text), 0o600)
	}
	if err == nil {
		_, err = w.Index.Sync(t.Context(), p)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// What people write on a page is in the graph as long as it stands there, also in a last line without an end, and after a restart and a
// rebuild in the same bytes; it closes nothing that has a day.
func TestTheGraphOfPages(t *testing.T) {
	dir := t.TempDir()
	w := prepare(t, dir, quiet)
	if err := w.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	said := api.Facts{Wait: "indexed", Facts: []api.NewFact{{Content: "Anna Berg lives in Ghent."}}}
	if _, err := w.WriteFacts(t.Context(), said); err != nil {
		t.Fatal(err)
	}
	lives := "Anna Berg|lives_in|Ghent|||agent"
	for _, c := range []struct {
		text string
		want []string
	}{
		{
			"---\nspeaks: Dutch\n---\n# Anna Berg\n\n## Now\n\n- Employer: [[Bosch]]\n",
			[]string{"Anna Berg|speaks|Dutch|||", "Anna Berg|works_at|Bosch|||", lives},
		},
		{"# Anna Berg\n\nEmployer: Bosch", []string{"Anna Berg|works_at|Bosch|||", lives}},
		{
			"# Anna Berg\n\nEmployer: [[Bosch]]\nspeaks: Dutch\nAnna Berg likes tea, and\nMadeira.\n",
			[]string{"Anna Berg|works_at|Bosch|||", "Anna Berg|speaks|Dutch|||", lives},
		},
		{"# Anna Berg\n\nEmployer: Bosch AG", []string{"Anna Berg|works_at|Bosch AG|||", lives}},
		{"# Anna Berg\n\nAnna Berg lives in Porto.\n", []string{"Anna Berg|lives_in|Porto|||", lives}},
		{
			"# Anna Berg\n\n> Anna Berg lives in Rome.\n\n| Employer | Bosch |\n|---|---|\n| Anna Berg | lives in Rome |" +
				"\n\n- [ ] Employer: Fiat\n\n" +
				"```\nEmployer: Fiat\n```\n\n## History\n\n- Anna Berg lives in Bari.\n\n## Tom\n\nEmployer: Fiat\n",
			[]string{lives},
		},
		{"", []string{lives}},
		{"# Anna Berg\n\nHome: Porto\n", []string{"Anna Berg|lives_in|Porto|||", lives}},
	} {
		writePage(t, w, annaPage, c.text)
		if d := cmp.Diff(c.want, timeline(t, w, "Anna Berg", "")); d != "" {
			t.Errorf("%q:\n%s", c.text, d)
		}
	}
	r, err := w.GraphQuery(t.Context(), api.GraphQuery{Entity: "Anna Berg"})
	if err != nil || len(r.Triples) != 2 || !slices.Equal(r.Triples[0].Against, []string{r.Triples[1].TripleID}) ||
		!slices.Equal(r.Triples[1].Against, []string{r.Triples[0].TripleID}) ||
		r.Triples[0].Said != "" || !r.Triples[0].Current {
		t.Errorf("%+v: %v", r, err)
	}
	rows, err := w.Index.Reader().RowsByID(t.Context(), []string{r.Triples[0].Source})
	if err != nil || len(rows) != 1 || rows[0].File != annaPage {
		t.Errorf("%+v: %v", rows, err)
	}
	if _, err := w.Isolate(t.Context(), api.Isolate{Wing: "secret"}); err != nil {
		t.Fatal(err)
	}
	if seen := timeline(t, w, "", "secret"); len(seen) > 0 {
		t.Errorf("an isolated project sees %q", seen)
	}
	want, before := timeline(t, w, "", ""), restarted(t, &w, dir)
	if err := w.Index.Rebuild(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, timeline(t, w, "", "")); d != "" || len(want) != 2 {
		t.Errorf("after a rebuild: %s", d)
	}
	if after := restarted(t, &w, dir); after != before {
		t.Errorf("other bytes after a rebuild:\n%s\n%s", before, after)
	}
	if err := w.Close(context.Background()); err != nil {
		t.Error(err)
	}
}

// A triple of a page is forgotten by its id with the line that it rests on, and a purge leaves no byte of it.
func TestTheGraphForgetsLinesOfPages(t *testing.T) {
	w := open(t, quiet)
	writePage(t, w, annaPage, "---\nemployer: Glimmerworks\n---\n# Anna Berg\n\nMember of: Glimmerclub\n\nAnna Berg speaks Dutch.\n")
	if seen := timeline(t, w, "Anna Berg", ""); len(seen) != 3 {
		t.Fatalf("%q", seen)
	}
	r, err := w.GraphQuery(t.Context(), api.GraphQuery{Entity: "Glimmerclub"})
	if err != nil || len(r.Triples) != 1 {
		t.Fatalf("%+v: %v", r, err)
	}
	gone, err := w.Forget(t.Context(), api.Forget{IDs: []string{r.Triples[0].TripleID}, Purge: true})
	if err != nil || !gone.Verified || len(gone.Forgotten) != 1 || !strings.Contains(gone.Forgotten[0].Text, "Glimmerclub") {
		t.Fatalf("%+v: %v", gone, err)
	}
	if files := left(t, w, "Glimmerclub"); len(files) > 0 {
		t.Errorf("bytes are left in %v", files)
	}
	if d := cmp.Diff([]string{"Anna Berg|works_at|Glimmerworks|||", "Anna Berg|speaks|Dutch|||"}, timeline(t, w, "Anna Berg", "")); d != "" {
		t.Error(d)
	}
	if gone, err := w.Forget(t.Context(), api.Forget{Query: "Glimmerworks"}); err != nil || len(gone.Forgotten) != 1 {
		t.Fatalf("%+v: %v", gone, err)
	}
	if d := cmp.Diff([]string{"Anna Berg|speaks|Dutch|||"}, timeline(t, w, "Anna Berg", "")); d != "" {
		t.Error(d)
	}
}

// What a dream writes on a page is the log's to tell: it gives nothing a second time, and nothing once the log's line is forgotten.
func TestTheGraphReadsNothingThatDreamsWrote(t *testing.T) {
	w := open(t, quiet)
	told := say(t, w, "c1", "Marek works at Bosch.")
	want := timeline(t, w, "Marek", "")
	dreamNow(t, w)
	r, err := w.GraphQuery(t.Context(), api.GraphQuery{Entity: "Marek"})
	if err != nil || len(r.Triples) != 1 || r.Triples[0].Said == "" {
		t.Errorf("%+v: %v", r, err)
	}
	if d := cmp.Diff(want, timeline(t, w, "Marek", "")); d != "" {
		t.Error(d)
	}
	if _, err := w.Forget(t.Context(), api.Forget{IDs: told.Drawers}); err != nil {
		t.Fatal(err)
	}
	if seen := timeline(t, w, "", ""); len(seen) > 0 {
		t.Errorf("%q", seen)
	}
}
