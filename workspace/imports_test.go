package workspace_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/imports"
	"github.com/reverie-memory/reverie/operations"
	"github.com/reverie-memory/reverie/palace/drawers"
	"github.com/reverie-memory/reverie/vault"
)

// chats is a part of an import: so many messages of one chat, from a number on, of which each gives a fact.
func chats(id, path string, from, n int) api.Import {
	im := api.Import{ID: id, Path: path}
	for i := from; i < from+n; i++ {
		at := time.Date(2024, 6, 1+i%20, 9, 0, 0, 0, time.UTC)
		im.Messages = append(im.Messages, api.ImportMessage{
			ChatID: "c", TurnID: fmt.Sprint("t", i), Role: "user", Content: fmt.Sprintf("I live in town number %d.", i), At: &at,
		})
	}
	return im
}

// begun is an open workspace that the test closes itself.
func begun(t *testing.T, dir string) operations.Memory {
	t.Helper()
	w := prepare(t, dir, quiet)
	if err := w.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	return w
}

func taken(t *testing.T, w operations.Memory, im api.Import) api.ImportResult {
	t.Helper()
	r, err := w.Import(t.Context(), im)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// imported is the record of an import.
func imported(t *testing.T, w operations.Memory, id string) api.Imported {
	t.Helper()
	l, err := w.ListImports(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range l.Imports {
		if i.ID == id {
			return i
		}
	}
	t.Fatalf("%s is not among %+v", id, l)
	return api.Imported{}
}

// An import that is taken back while its parts come in ends, and no part is taken in any more, before or after a restart.
func TestUndoEndsAnImportThatGoesOn(t *testing.T) {
	dir := t.TempDir()
	w := begun(t, dir)
	id := taken(t, w, chats("", "a.zip", 0, 50)).ID
	sent, stopped := make(chan struct{}, 1000), make(chan error, 1)
	go func() {
		for i := 1; ; i++ {
			im := chats(id, "", 50*i, 50)
			im.End = i == 40
			if _, err := w.Import(t.Context(), im); err != nil || im.End {
				stopped <- err
				return
			}
			sent <- struct{}{}
		}
	}()
	<-sent
	if _, err := w.UndoImport(t.Context(), api.ByID{ID: id}); err != nil {
		t.Fatal(err)
	}
	if err := <-stopped; !errors.Is(err, imports.ErrNone) {
		t.Errorf("the sender was told %v", err)
	}
	if files := inVault(t, w, "town number"); len(files) > 0 {
		t.Errorf("left in %v", files)
	}
	if got := imported(t, w, id); got.Undone == nil || got.Done != nil {
		t.Errorf("%+v", got)
	}
	if err := w.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	w = reopen(t, dir, quiet)
	if r, err := w.Import(t.Context(), chats(id, "", 0, 1)); err == nil {
		t.Errorf("after a restart a part was taken: %+v", r)
	}
	if r := taken(t, w, chats("", "a.zip", 0, 1)); r.ID == id || r.Messages != 1 {
		t.Errorf("imported again: %+v", r)
	}
}

// An undo that was cut off by the end of the program: no part is taken in, and it may be asked for again, whether or not the start has
// ended it by itself.
func TestUndoThatWasCutOffIsAskedForAgain(t *testing.T) {
	dir := t.TempDir()
	w := begun(t, dir)
	id := taken(t, w, chats("", "a.zip", 0, 3)).ID
	if err := w.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	w = reopen(t, dir, quiet)
	if got := imported(t, w, id); got.Messages != 3 || got.Facts != 3 {
		t.Errorf("an import that was cut off counts as %+v", got)
	}
	s, err := w.Vault.Sources(vault.SourceImport)
	if err != nil {
		t.Fatal(err)
	}
	s[0].Undoing = true
	if err := w.Vault.PutSource(t.Context(), s[0]); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Import(t.Context(), chats(id, "", 3, 1)); !errors.Is(err, imports.ErrNone) {
		t.Errorf("a part: %v", err)
	}
	if r := taken(t, w, chats("", "a.zip", 3, 1)); r.ID == id {
		t.Error("it goes on")
	}
	if u, err := w.UndoImport(t.Context(), api.ByID{ID: id}); err != nil {
		t.Errorf("%+v: %v", u, err)
	}
	if got := imported(t, w, id); got.Undone == nil || got.Undoing {
		t.Errorf("%+v", got)
	}
	if files := strings.Join(inVault(t, w, "town number"), " "); strings.Contains(files, "2024-06-01") ||
		!strings.Contains(files, "2024-06-04") {
		t.Errorf("left in %v", files)
	}
}

// What a drawer is held to be because of an imported one ends with the import.
func TestUndoEndsWhatImportedDrawersSuperseded(t *testing.T) {
	w := begun(t, t.TempDir())
	defer func() { _ = w.Close(t.Context()) }()
	own := say(t, w, "c1", "The harbour is closed on Sundays.").Drawers[0]
	im := chats("", "a.zip", 0, 1)
	im.End = true
	id := taken(t, w, im).ID
	var told string
	if err := w.Vault.EachDrawer(t.Context(), nil, func(_ vault.Path, d *vault.Drawer) {
		if d.Source == id {
			told = d.ID
		}
	}); err != nil || told == "" {
		t.Fatalf("no drawer of the import: %v", err)
	}
	event := drawers.Event{Kind: drawers.Superseded, Drawer: own, Into: told, Evidence: "test"}
	if err := w.Drawers.Append(t.Context(), event); err != nil || w.Drawers.State().Of(own).SupersededBy == "" {
		t.Fatalf("%+v: %v", w.Drawers.State().Of(own), err)
	}
	if _, err := w.UndoImport(t.Context(), api.ByID{ID: id}); err != nil {
		t.Fatal(err)
	}
	if k := w.Drawers.State().Of(own); k.SupersededBy != "" {
		t.Errorf("superseded by what is gone: %+v", k)
	}
}

// Of an import that is made again, what others had brought meanwhile stays told by it when their import is taken back.
func TestWhatAGrownImportToldStays(t *testing.T) {
	w := begun(t, t.TempDir())
	defer func() { _ = w.Close(t.Context()) }()
	send := func(path string, n int) string {
		im := chats("", path, 0, n)
		im.End = true
		return taken(t, w, im).ID
	}
	send("p.zip", 2)
	other := send("q.zip", 4)
	send("p.zip", 4)
	if _, err := w.UndoImport(t.Context(), api.ByID{ID: other}); err != nil {
		t.Fatal(err)
	}
	if files := strings.Join(inVault(t, w, "town number"), " "); !strings.Contains(files, "2024-06-04") {
		t.Errorf("left in %v", files)
	}
}

// What is purged of an import's record while its parts come in does not come back with the next part.
func TestTheRecordOfAnImportKeepsWhatWasPurgedAway(t *testing.T) {
	w := begun(t, t.TempDir())
	defer func() { _ = w.Close(t.Context()) }()
	id := taken(t, w, chats("", "secret.zip", 0, 1)).ID
	if err := w.Vault.ChangeSource(id, func(s *vault.Source) { s.Path = "" }); err != nil {
		t.Fatal(err)
	}
	im := chats(id, "", 1, 1)
	im.End = true
	taken(t, w, im)
	if got := imported(t, w, id); got.Path != "" || got.Messages != 2 || got.Done == nil {
		t.Errorf("%+v", got)
	}
}

// What was stored and not counted, as a kill leaves it, is counted from the files: while the import is cut off, when it has ended, and the
// facts that come after its end as well.
func TestAnImportThatWasCutOffCountsWhatFilesHave(t *testing.T) {
	dir := t.TempDir()
	w := begun(t, dir)
	id := taken(t, w, chats("", "a.zip", 0, 3)).ID
	if err := w.Vault.ChangeSource(id, func(s *vault.Source) { s.Messages, s.Facts = 1, 0 }); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	w = reopen(t, dir, quiet)
	if got := imported(t, w, id); got.Messages != 3 || got.Facts != 3 {
		t.Errorf("while it is cut off: %+v", got)
	}
	rest := chats("", "a.zip", 0, 5)
	rest.End = true
	if r := taken(t, w, rest); r.ID != id || r.Listed != id || r.Messages != 2 {
		t.Fatalf("it goes on as %+v", r)
	}
	if got := imported(t, w, id); got.Messages != 5 || got.Facts != 5 || got.Done == nil {
		t.Errorf("in the end: %+v", got)
	}
	s, err := w.Vault.Sources(vault.SourceImport)
	if err != nil || len(s) != 1 || s[0].Doubt || s[0].Messages != 5 || s[0].Facts != 5 {
		t.Errorf("the record: %+v, %v", s, err)
	}
}

// An undo that is asked for again says what it took, also where the first one was cut off, and that it had been done.
func TestAnUndoSaysAgainWhatItTook(t *testing.T) {
	dir := t.TempDir()
	w := begun(t, dir)
	im := chats("", "a.zip", 0, 3)
	im.End = true
	id := taken(t, w, im).ID
	undo := func() api.Unimported {
		t.Helper()
		u, err := w.UndoImport(t.Context(), api.ByID{ID: id})
		if err != nil || u.Messages != 3 || u.Facts != 3 {
			t.Errorf("%+v: %v", u, err)
		}
		return u
	}
	if u := undo(); u.Before != nil {
		t.Errorf("it had been done %s", u.Before)
	}
	if u := undo(); u.Before == nil {
		t.Error("it had not been done")
	}
	if err := w.Vault.ChangeSource(id, func(s *vault.Source) { s.Undoing, s.Undone = true, nil }); err != nil { // as a kill at its end
		t.Fatal(err)
	}
	if err := w.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	w = reopen(t, dir, quiet)
	undo()
}

// Of a path that is imported again without anything new the import is named that is listed for it and can be taken back.
func TestAnImportOfWhatIsKnownNamesOneThatIsListed(t *testing.T) {
	w := begun(t, t.TempDir())
	defer func() { _ = w.Close(t.Context()) }()
	im := chats("", "a.zip", 0, 3)
	im.End = true
	first := taken(t, w, im)
	again := taken(t, w, im)
	if first.Listed != first.ID || again.Messages != 0 || again.Listed != first.ID {
		t.Errorf("first %+v, again %+v", first, again)
	}
	im.Path = "b.zip" // tells the same, and stands for it
	if other := taken(t, w, im); other.Listed != other.ID || imported(t, w, other.ID).Done == nil {
		t.Errorf("%+v", other)
	}
	if none := taken(t, w, api.Import{Path: "empty.zip", End: true}); none.Listed != "" {
		t.Errorf("nothing is listed as %+v", none)
	}
}

// An import that was cut off before it was counted is no empty one: what it stored goes with it, also where its file was imported before.
func TestAnImportThatWasNotCountedIsTakenBack(t *testing.T) {
	dir := t.TempDir()
	w := begun(t, dir)
	first := chats("", "a.zip", 0, 2)
	first.End = true
	taken(t, w, first)
	id := taken(t, w, chats("", "a.zip", 2, 1)).ID
	if err := w.Vault.ChangeSource(id, func(s *vault.Source) { s.Messages, s.Facts = 0, 0 }); err != nil { // as a kill leaves it
		t.Fatal(err)
	}
	if err := w.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	w = reopen(t, dir, quiet)
	again := chats("", "a.zip", 0, 3)
	again.End = true
	if r := taken(t, w, again); r.ID != id || r.Messages != 0 {
		t.Fatalf("imported again: %+v", r)
	}
	if u, err := w.UndoImport(t.Context(), api.ByID{ID: id}); err != nil || u.Messages != 1 {
		t.Errorf("%+v: %v", u, err)
	}
}

// An undo that the end of the program cut off ends with the next start: messages that others told as well have their facts then.
func TestTheNextStartEndsAnUndo(t *testing.T) {
	dir := t.TempDir()
	w := begun(t, dir)
	id := taken(t, w, chats("", "a.zip", 0, 3)).ID
	other := chats("", "b.zip", 2, 1)
	other.End = true
	taken(t, w, other)
	// As a kill between the facts and the drawers leaves it.
	var facts []string
	err := w.Vault.EachFact(t.Context(), nil, func(_ vault.Path, f *vault.Fact) { facts = append(facts, f.ID) })
	if err == nil {
		_, err = w.Vault.Purge(t.Context(), facts)
	}
	if err == nil {
		_, err = w.Vault.EditState("extracted.jsonl", func([]byte) []byte { return nil })
	}
	if err == nil {
		err = w.Vault.ChangeSource(id, func(s *vault.Source) { s.Undoing = true })
	}
	if err = errors.Join(err, w.Close(t.Context())); err != nil {
		t.Fatal(err)
	}
	w = reopen(t, dir, quiet)
	eventually(t, "the undo ends", func() bool { return imported(t, w, id).Undone != nil })
	eventually(t, "the facts are back", func() bool { _, facts := held(t, w); return len(facts) == 1 })
	if drawers, facts := held(t, w); len(drawers) != 1 || len(facts) != 1 || facts[0] != "The user lives in town number 2" {
		t.Errorf("left are %q and %q", drawers, facts)
	}
}
