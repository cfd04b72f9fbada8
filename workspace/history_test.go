package workspace_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/extract"
	"github.com/reverie-memory/reverie/importer"
	"github.com/reverie-memory/reverie/operations"
	"github.com/reverie-memory/reverie/palace/drawers"
	"github.com/reverie-memory/reverie/palace/findings"
	"github.com/reverie-memory/reverie/vault"
)

// exported writes an export into a file, and returns its lines as an import gives them back: sorted, without numbers of lines, the head,
// and the list of imports.
func exported(t *testing.T, w operations.Memory) (path string, lines []string) {
	t.Helper()
	var file bytes.Buffer
	enc := json.NewEncoder(&file)
	for q := (api.Export{Limit: 3}); ; {
		page, err := w.Export(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range page.Records {
			if err := enc.Encode(r); err != nil {
				t.Fatal(err)
			}
			if r.Version > 0 || r.File == ".state/"+vault.SourcesFile {
				continue
			}
			r.Line = 0
			line, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, string(line))
		}
		if q.After = page.Next; q.After == "" {
			break
		}
	}
	path = filepath.Join(t.TempDir(), "export.jsonl")
	if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	slices.Sort(lines)
	return path, lines
}

// read is what an importer makes of a file.
func read(t *testing.T, path string) api.Import {
	t.Helper()
	e, err := importer.Open(path, importer.All())
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	part := api.Import{Path: path, End: true}
	for m, err := range e.Messages() {
		if err != nil {
			t.Fatal(err)
		}
		if m.Content != "" {
			part.Messages = append(part.Messages, m.ImportMessage)
		}
		part.Facts, part.Assertions = append(part.Facts, m.Facts...), append(part.Assertions, m.Assertions...)
	}
	return part
}

// lived is a vault with drawers that were moved, put away, brought back, weighed and judged, with a diary, and a graph of which something
// ended.
func lived(t *testing.T) operations.Memory {
	t.Helper()
	w := open(t, quiet)
	at := time.Date(2024, 6, 9, 23, 32, 7, 0, time.FixedZone("", -2*3600))
	message := func(id, text string) api.ImportMessage {
		return api.ImportMessage{ID: id, ChatID: "c1", TurnID: "t" + id, Role: "user", Speaker: "Alice", Content: text, At: &at, Wing: "home"}
	}
	wing, none := "work", ""
	const tea = "Alice prefers tea"
	written, err := w.WriteFacts(t.Context(), api.Facts{Facts: []api.NewFact{{Content: tea, At: &at}}})
	weight, three := 4.5, 3
	for _, err := range []error{
		err,
		second(w.Import(t.Context(), api.Import{End: true, Messages: []api.ImportMessage{
			message("d000000001", "I moved to Porto in March."), message("d000000002", "The green boat leaks."),
			message("d000000003", "Bring the oars."), message("d000000004", "Wirt sails Gale."),
		}})),
		w.Settled(t.Context()),
		second(w.MoveDrawers(t.Context(), api.MoveDrawers{IDs: []string{"d000000001"}, Wing: &wing, Room: &none})),
		second(w.ArchiveDrawers(t.Context(), api.ArchiveDrawers{IDs: []string{"d000000002", "d000000003"}, Reason: "it is <old>"})),
		second(w.RestoreDrawers(t.Context(), api.RestoreDrawers{IDs: []string{"d000000003"}})),
		second(w.GraphAdd(t.Context(), api.GraphAdd{
			Subject: "Wirt", Predicate: "sails", Object: "Gale", SourceCloset: "d000000004",
			Agent: "a",
		})),
		second(w.GraphAdd(t.Context(), api.GraphAdd{Subject: "Wirt", Predicate: "is cousin of", Object: "Ola", ValidFrom: "2020-01-01"})),
		second(w.GraphInvalidate(t.Context(), api.GraphInvalidate{Subject: "Wirt", Predicate: "is cousin of", Object: "Ola"})),
		second(w.AddDrawer(t.Context(), api.NewDrawer{
			Wing: "home", Room: "boats", Hall: "a", Content: "The mast is new.", SourceFile: "boats.md", AddedBy: "bob", Agent: "a",
		})),
		second(w.WriteDiary(t.Context(), api.DiaryWrite{
			Agent: "Cursor", Wing: "home", Entry: "The person likes short answers.",
			Topic: "style",
		})),
		w.Drawers.Append(t.Context(),
			drawers.Event{
				Kind: drawers.Note, Drawer: "d000000001", Type: "milestone", Tier: drawers.LLM, State: drawers.Processed,
				Importance: &weight,
			},
			drawers.Event{Kind: drawers.Note, Drawer: "d000000001", Linked: true, Entities: &three},
			drawers.Event{Kind: drawers.Reinforce, Drawer: "d000000001", By: 0.5, Into: "d000000004"},
			drawers.Event{Kind: drawers.Cluster, Drawer: "d000000004", Into: "d000000001"},
			drawers.Event{Kind: drawers.Superseded, Drawer: "d000000002", Into: "d000000003", Evidence: "a model"},
			drawers.Event{Kind: drawers.Failed, Drawer: "d000000003"}),
		w.Findings.Append(t.Context(),
			findings.Finding{
				ID: "d000000001", Text: findings.Hash("I moved to Porto in March."), By: "a model", Entities: []string{"Porto"}, Type: "milestone",
				Importance: &weight, Summary: "Alice lives in Porto",
				Triples: []extract.Triple{{Subject: "I", Predicate: "rents in", Object: "Porto"}},
				Said:    &findings.Said{At: at.UTC(), Speaker: "Alice", Origin: vault.OriginUser, Wing: "home", Drawer: "d000000001"},
			},
			findings.Finding{
				ID: written.Facts[0].ID, Text: findings.Hash(tea), By: "rules", Quote: "tea, please", About: "2024-06-01",
				Triples: []extract.Triple{{Subject: "Alice", Predicate: "prefers", Object: "tea", From: "2024-06-01"}},
				Said:    &findings.Said{At: at.UTC().Truncate(time.Minute), Origin: vault.OriginAgent},
			}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return w
}

func second[T any](_ T, err error) error { return err }

// archived says which of the drawers of lived are put away.
func archived(w operations.Memory) (ids []string) {
	for _, id := range []string{"d000000001", "d000000002", "d000000003", "d000000004"} {
		if w.Drawers.State().Archived(id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// What became of drawers, and what was asserted of the graph, comes with an export and goes with its import.
func TestExportTellsWhatBecameOfDrawersAndTheGraph(t *testing.T) {
	from, to := lived(t), open(t, quiet)
	path, want := exported(t, from)
	part := read(t, path)
	_, empty := exported(t, to)
	for range 2 {
		r, err := to.Import(t.Context(), part)
		if err != nil || r.Messages != 5 || r.Events != 14 {
			t.Fatalf("%+v: %v", r, err)
		}
		list, err := to.ListImports(t.Context())
		if err != nil || !slices.ContainsFunc(list.Imports, func(i api.Imported) bool { return i.ID == r.ID && i.Events == 14 }) {
			t.Errorf("listed as %+v: %v", list, err)
		}
		_, got := exported(t, to)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if err := to.Settled(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := archived(to); !slices.Equal(got, []string{"d000000002"}) {
			t.Errorf("put away: %q", got)
		}
		d, err := to.ShowDrawer(t.Context(), api.DrawerID{ID: "d000000001"})
		if err != nil || d.Wing != "work" {
			t.Errorf("moved: %+v: %v", d, err)
		}
		verified(t, to)
		if again, err := to.Import(t.Context(), part); err != nil || again.Messages+again.Events > 0 {
			t.Errorf("again %+v: %v", again, err)
		}
		if _, err := to.UndoImport(t.Context(), api.ByID{ID: r.ID}); err != nil {
			t.Fatal(err)
		}
		if _, left := exported(t, to); !slices.Equal(left, empty) || len(archived(to)) > 0 {
			t.Errorf("left: %q", left)
		}
	}
}

// What models read in drawers, and what assistants gave with facts, is in the graph of whoever imports it, as the words of those whose the
// drawers and facts are there; in the vault that it comes from nothing changes.
func TestTheGraphHasWhatAnExportReads(t *testing.T) {
	from, to, others := lived(t), open(t, quiet), open(t, quiet)
	path, lines := exported(t, from)
	part, foreign := read(t, path), read(t, path)
	for i := range foreign.Messages {
		foreign.Messages[i].Role, foreign.Messages[i].Events, foreign.Messages[i].Findings = "import", nil, nil
	}
	told := func(w operations.Memory) []string {
		if err := w.Settled(t.Context()); err != nil {
			t.Fatal(err)
		}
		return timeline(t, w, "Alice", "")
	}
	want := told(from)
	if !slices.Contains(want, "Alice|rents_in|Porto|||") || !slices.Contains(want, "Alice|prefers|tea|2024-06-01||agent") {
		t.Fatalf("the graph says %q", want)
	}
	for _, w := range []operations.Memory{from, to, to} {
		if _, err := w.Import(t.Context(), part); err != nil {
			t.Fatal(err)
		}
		if _, got := exported(t, w); !slices.Equal(got, lines) {
			t.Errorf("exported again:\n%s", cmp.Diff(lines, got))
		}
		if got := told(w); !slices.Equal(got, want) {
			t.Errorf("the graph:\n%s", cmp.Diff(want, got))
		}
	}
	for _, part := range []api.Import{foreign, part} { // who said what is stored is known, whatever is claimed later
		if err := errors.Join(second(others.Import(t.Context(), part)), others.Settled(t.Context())); err != nil {
			t.Fatal(err)
		}
	}
	if got := told(others); !slices.Contains(got, "Alice|rents_in|Porto|||import") {
		t.Errorf("words of others: %q", got)
	}
}

// What was decided here later stands, what others told as well stays, and what was forgotten does not come.
func TestWhatAnExportTellsOfThePastYields(t *testing.T) {
	path, _ := exported(t, lived(t))
	part := read(t, path)
	t.Run("a later decision", func(t *testing.T) {
		w := open(t, quiet)
		if _, err := w.Import(t.Context(), part); err != nil {
			t.Fatal(err)
		}
		if err := w.Settled(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := w.RestoreDrawers(t.Context(), api.RestoreDrawers{IDs: []string{"d000000002"}}); err != nil {
			t.Fatal(err)
		}
		later := part
		later.Path = "other.jsonl"
		later.Messages = slices.Clone(part.Messages)
		for i := range later.Messages { // an older archive that is told only now
			if later.Messages[i].ID == "d000000002" {
				later.Messages[i].Events = []api.ImportEvent{{Kind: "archive", At: time.Date(2024, 7, 1, 0, 0, 0, 0, time.UTC), Reason: "old"}}
			}
		}
		if r, err := w.Import(t.Context(), later); err != nil || r.Events != 0 || len(archived(w)) > 0 {
			t.Errorf("%+v: %v; put away %q", r, err, archived(w))
		}
	})
	t.Run("two imports", func(t *testing.T) {
		w := open(t, quiet)
		r, err := w.Import(t.Context(), part)
		if err != nil {
			t.Fatal(err)
		}
		_, want := exported(t, w)
		twin := part
		twin.Path = "other.jsonl"
		other, err := w.Import(t.Context(), twin)
		if err != nil || other.Events != 0 {
			t.Fatalf("%+v: %v", other, err)
		}
		if _, err := w.UndoImport(t.Context(), api.ByID{ID: r.ID}); err != nil {
			t.Fatal(err)
		}
		if _, got := exported(t, w); !slices.Equal(got, want) {
			t.Errorf("after the undo of one:\n%s", cmp.Diff(want, got))
		}
		if _, err := w.UndoImport(t.Context(), api.ByID{ID: other.ID}); err != nil {
			t.Fatal(err)
		}
		if _, got := exported(t, w); len(got) > 0 {
			t.Errorf("after the undo of both: %q", got)
		}
	})
	t.Run("forgotten", func(t *testing.T) {
		w := open(t, quiet)
		if _, err := w.Import(t.Context(), part); err != nil {
			t.Fatal(err)
		}
		if err := w.Settled(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Forget(t.Context(), api.Forget{IDs: []string{"d000000002", "d000000004"}, Purge: true}); err != nil {
			t.Fatal(err)
		}
		r, err := w.Import(t.Context(), part)
		_, lines := exported(t, w)
		if all := strings.Join(lines, "\n"); err != nil || r.Events > 0 || strings.Contains(all, "d000000002") || strings.Contains(all, "Gale") {
			t.Errorf("%+v: %v:\n%s", r, err, all)
		}
	})
}
