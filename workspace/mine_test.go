package workspace_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/internal/nasty"
	"github.com/reverie-memory/reverie/operations"
	"github.com/reverie-memory/reverie/workspace"
)

func putFile(t *testing.T, dir, name, text string) {
	t.Helper()
	p := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(p), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func mined(t *testing.T, w operations.Memory, dir string) api.Mined {
	t.Helper()
	m, err := w.Mine(t.Context(), api.Mine{Path: dir, Wait: true})
	if err != nil || m.Job.State != "done" {
		t.Fatalf("%+v: %v", m, err)
	}
	return m
}

// rebuilt fails where the index is not what the files give.
func rebuilt(t *testing.T, w operations.Memory) {
	t.Helper()
	if v, err := w.Verify(t.Context()); err != nil || !v.OK {
		t.Errorf("%+v, %v", v, err)
	}
}

// A chunk has the fields that any drawer has.
func TestMinedDrawersHaveTheirFields(t *testing.T) {
	w, dir := open(t, nil), filepath.Join(t.TempDir(), "notes")
	putFile(t, dir, "deep/a.md", "# Garden\n\nWe decided to move the archive to Ghent, because the cellar of the old house is too damp.\n")
	before := w.Vault.Now()
	mined(t, w, dir)
	list, err := w.ListDrawers(t.Context(), api.DrawerQuery{Limit: 10, Wing: "notes"})
	if err != nil || len(list.Drawers) != 1 {
		t.Fatalf("%+v: %v", list, err)
	}
	d := list.Drawers[0]
	filed, err := time.Parse(time.RFC3339, d.FiledAt)
	if err != nil || filed.Before(before.Truncate(time.Second)) || d.Date != d.FiledAt || d.MemoryType != "decision" || d.Importance != 3 ||
		d.Room != "deep" || d.Origin != "import" {
		t.Errorf("%+v: %v", d, err)
	}
	if one, err := w.ShowDrawer(t.Context(), api.DrawerID{ID: d.ID}); err != nil || one.DrawerRef != d && one.FiledAt != d.FiledAt ||
		one.MemoryType != d.MemoryType || one.Importance != 3 {
		t.Errorf("%+v: %v", one, err)
	}
	q := api.DrawerQuery{Limit: 10, Wing: "notes", Type: "decision", Importance: 3}
	if got, err := w.ListDrawers(t.Context(), q); err != nil || len(got.Drawers) != 1 {
		t.Errorf("by type and importance: %+v: %v", got, err)
	}
	rebuilt(t, w)
}

// TestForgettingInAMinedFolder: it is hidden for good, and what a purge cannot erase is named.
func TestForgettingInAMinedFolder(t *testing.T) {
	w, dir := open(t, nil), filepath.Join(t.TempDir(), "notes")
	putFile(t, dir, "deep/a.md", "# Garden\n\nThe soil is clay.\n\nGlimmerotherapy began at the clinic in May.\n")
	mined(t, w, dir)
	if !tells(find(t, w, "Glimmerotherapy clinic"), "Glimmerotherapy") {
		t.Fatal("it is not found")
	}
	r, err := w.Forget(t.Context(), api.Forget{Query: "Glimmerotherapy"})
	if err != nil || len(r.Forgotten) != 1 || !r.Verified {
		t.Fatalf("%+v, %v", r, err)
	}
	gone := func(when string) {
		t.Helper()
		if tells(find(t, w, "Glimmerotherapy clinic"), "Glimmerotherapy") {
			t.Errorf("%s it is found", when)
		}
		rebuilt(t, w)
	}
	gone("forgotten,")
	putFile(t, dir, "deep/a.md", "# Garden\n\nThe soil is clay.\n\nGlimmerotherapy began at the clinic in May.\n\nIt rains.\n")
	mined(t, w, dir)
	gone("forgotten and edited,")
	putFile(t, dir, "b.txt", "Another file.\nGlimmerotherapy it says.\n")
	mined(t, w, dir)
	if r, err = w.Forget(t.Context(), api.Forget{Query: "Glimmerotherapy", Purge: true}); err != nil || r.Verified {
		t.Fatalf("%+v, %v", r, err)
	}
	var places []string
	for _, f := range r.Remaining {
		places = append(places, f.SourceFile)
	}
	for _, want := range []string{"deep/a.md:5", "b.txt:2"} {
		if !slices.Contains(places, filepath.Join(w.Mining.Folders()[0].Path, filepath.FromSlash(want))) {
			t.Errorf("left in %q, and not told of %s", places, want)
		}
	}
	gone("purged,")
	putFile(t, dir, "deep/a.md", "# Garden\n")
	putFile(t, dir, "b.txt", "Another file.\n")
	mined(t, w, dir)
	if r, err = w.Forget(t.Context(), api.Forget{Query: "Glimmerotherapy", Purge: true}); err != nil || !r.Verified {
		t.Errorf("once it is edited out: %+v, %v", r, err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if r, err = w.Forget(t.Context(), api.Forget{Query: "Glimmerotherapy", Purge: true}); err != nil || r.Verified {
		t.Errorf("with a folder that cannot be looked through: %+v, %v", r, err)
	}
}

// TestForgettingWhatIsAway: what cannot be read again is not shown, as it may tell what was forgotten.
func TestForgettingWhatIsAway(t *testing.T) {
	w, dir := open(t, nil), filepath.Join(t.TempDir(), "notes")
	putFile(t, dir, "a.md", "Glimmerotherapy began at the clinic in May.\n")
	putFile(t, dir, "b.md", "The soil is clay.\n")
	mined(t, w, dir)
	if err := os.Rename(dir, dir+".away"); err != nil {
		t.Fatal(err)
	}
	if r, err := w.Forget(t.Context(), api.Forget{Query: "Glimmerotherapy"}); err != nil || len(r.Forgotten) != 1 || !r.Verified {
		t.Fatalf("%+v, %v", r, err)
	}
	if tells(find(t, w, "Glimmerotherapy clinic"), "Glimmerotherapy") {
		t.Error("away, it is found")
	}
	rebuilt(t, w)
	if err := os.Rename(dir+".away", dir); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Index.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	if tells(find(t, w, "Glimmerotherapy clinic"), "Glimmerotherapy") || !tells(find(t, w, "soil clay"), "soil is clay") {
		t.Error("back, it is found, or the rest is not")
	}
	rebuilt(t, w)
}

// TestPurgeOfNames: titles and names are looked through as texts are, and a folder whose name tells is mined on.
func TestPurgeOfNames(t *testing.T) {
	w, dir := open(t, nil), filepath.Join(t.TempDir(), "Glimmerotherapy")
	putFile(t, dir, "a.md", "Glimmerotherapy\n")
	putFile(t, dir, "b.html", "<title>Glimmerotherapy</title>\n<p>The soil is clay.</p>")
	putFile(t, dir, "Glimmerotherapy.txt", "The pump hums.\n")
	f := mined(t, w, dir).Folder
	r, err := w.Forget(t.Context(), api.Forget{Query: "Glimmerotherapy", Purge: true})
	if err != nil || r.Verified {
		t.Fatalf("%+v, %v", r, err)
	}
	var places []string
	for _, left := range r.Remaining {
		places = append(places, left.SourceFile)
	}
	for _, want := range []string{"a.md:1", "b.html:2", "Glimmerotherapy.txt:1"} {
		if !slices.Contains(places, filepath.Join(f.Path, want)) {
			t.Errorf("left in %q, and not told of %s", places, want)
		}
	}
	if len(find(t, w, "Glimmerotherapy")) > 0 {
		t.Errorf("found is %+v", find(t, w, "Glimmerotherapy"))
	}
	for _, f := range w.Mining.Folders() {
		if f.Wing == "Glimmerotherapy" {
			t.Error("the wing is told on")
		}
	}
	if l, err := w.MinedFolders(t.Context()); err != nil || len(l.Folders) != 1 || l.Folders[0].Path != f.Path {
		t.Errorf("%+v, %v", l, err)
	}
	rebuilt(t, w)
}

// TestAMinedFolderThatIsAway: what is known of it stays, is marked, and is right again when it is back.
func TestAMinedFolderThatIsAway(t *testing.T) {
	w, dir := open(t, nil), filepath.Join(t.TempDir(), "notes")
	putFile(t, dir, "a.md", "The blue valve feeds the greenhouse.\n")
	putFile(t, dir, "b.md", "The cellar is damp.\n")
	mined(t, w, dir)
	if err := os.Rename(dir, dir+".away"); err != nil {
		t.Fatal(err)
	}
	if l, err := w.MinedFolders(t.Context()); err != nil || l.Folders[0].Unreachable == "" {
		t.Errorf("away, it is listed as %+v (%v)", l, err)
	}
	m, err := w.Mine(t.Context(), api.Mine{Path: dir, Wait: true})
	if err != nil || m.Job.State != "failed" || m.Folder.Drawers != 2 || !strings.Contains(m.Folder.Unreachable, "cannot be reached") {
		t.Errorf("mined while it is away: %+v, %v", m, err)
	}
	if _, err := w.Index.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	degraded := func() bool {
		return slices.ContainsFunc(w.Degraded(), func(s string) bool { return strings.HasPrefix(s, "mine: ") })
	}
	if !tells(find(t, w, "blue valve"), "blue valve") || !degraded() {
		t.Errorf("away: %v", w.Degraded())
	}
	rebuilt(t, w)
	if err := os.Remove(filepath.Join(dir+".away", "b.md")); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(dir+".away", dir); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Index.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !tells(find(t, w, "blue valve"), "blue valve") || tells(find(t, w, "cellar damp"), "cellar") || degraded() {
		t.Errorf("back: %v", w.Degraded())
	}
	rebuilt(t, w)
	if _, err := w.Unmine(t.Context(), api.Unmine{Path: dir}); err != nil {
		t.Fatal(err)
	}
	if len(find(t, w, "blue valve")) > 0 {
		t.Error("removed, it is found")
	}
}

// TestHostilePDFsInAMinedFolder: everything else is found, they are named, and no start reads them again.
func TestHostilePDFsInAMinedFolder(t *testing.T) {
	home, dir := t.TempDir(), filepath.Join(t.TempDir(), "notes")
	putFile(t, dir, "a.md", "The blue valve feeds the greenhouse.\n")
	putFile(t, dir, "z.pdf", string(nasty.PDF("The cellar is damp.")))
	pdfs := nasty.PDFs()
	for _, name := range []string{"stream in itself", "huge table"} { // which end by themselves
		putFile(t, dir, name+".pdf", string(pdfs[name]))
	}
	w := prepare(t, home, nil)
	if err := w.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	mined(t, w, dir)
	look := func() {
		t.Helper()
		if !tells(find(t, w, "blue valve"), "blue valve") || !tells(find(t, w, "cellar damp"), "cellar is damp") {
			t.Error("the others are not found")
		}
		l, err := w.MinedFolders(t.Context())
		if err != nil || len(l.Folders) != 1 || len(l.Folders[0].LeftOut) != 2 ||
			!strings.Contains(l.Folders[0].LeftOut[0].Reason, "too long or too much memory") {
			t.Errorf("%+v, %v", l, err)
		}
		rebuilt(t, w)
	}
	look()
	if err := w.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	w = unopened(t, home, nil)
	o := w.Options
	o.PDF = []string{filepath.Join(home, "gone")} // whatever is read again fails
	w = operations.Memory{Workspace: workspace.New(o)}
	start(t, w)
	if l, err := w.MinedFolders(t.Context()); err != nil || len(l.Folders[0].LeftOut) != 2 || !tells(find(t, w, "cellar damp"), "cellar") {
		t.Errorf("%+v, %v", l, err)
	}
}

// TestMiningThatWasCutOff: the next start goes on with it.
func TestMiningThatWasCutOff(t *testing.T) {
	home, dir := t.TempDir(), filepath.Join(t.TempDir(), "notes")
	for i := range 300 {
		putFile(t, dir, fmt.Sprintf("f%d.md", i), fmt.Sprintf("# Note %d\n\nPump number p%dq hums.\n", i, i))
	}
	w := prepare(t, home, nil)
	if err := w.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Mine(t.Context(), api.Mine{Path: dir}); err != nil {
		t.Fatal(err)
	}
	ended, stop := context.WithCancel(t.Context())
	stop()
	_ = w.Close(ended) // as little as it may
	w = reopen(t, home, nil)
	l, err := w.MinedFolders(t.Context())
	if err != nil || len(l.Folders) != 1 || l.Folders[0].Files != 300 || l.Folders[0].Drawers != 300 {
		t.Errorf("%+v, %v", l, err)
	}
	rebuilt(t, w)
}

// TestMiningEqualsRebuild: whatever is done to the files, the index is what reading them anew gives.
func TestMiningEqualsRebuild(t *testing.T) {
	w, dir := open(t, nil), filepath.Join(t.TempDir(), "notes")
	r := rand.New(rand.NewPCG(1, 2))
	names := []string{
		"a.md", "b.txt", "c.go", "d.html", "sub/a.md", "sub/deep/e.md", ".gitignore", "sub/.reverieignore", "sub/f.pdf",
		"bin.dat2",
	}
	texts := []string{
		"# One\n\nThe valve.\n", "*.md\n", "!a.md\n", "", "a\x00b", "deep/\n", "password = \"hunter2swordfish99\"\n",
		strings.Repeat("Pumps hum. ", 200),
		"package c\n", "\xff\xfeG\x00",
	}
	putFile(t, dir, "keep.txt", "Something is always there.\n")
	for range 40 {
		for range 1 + r.IntN(4) {
			name := names[r.IntN(len(names))]
			switch r.IntN(4) {
			case 0:
				_ = os.RemoveAll(filepath.Join(dir, filepath.FromSlash(name)))
			case 1:
				_ = os.RemoveAll(filepath.Join(dir, "sub"))
			default:
				putFile(t, dir, name, texts[r.IntN(len(texts))])
			}
		}
		mined(t, w, dir)
		v, err := w.Index.Verify(t.Context())
		if err != nil || !v.OK() || slices.ContainsFunc(v.Details, func(s string) bool { return strings.Contains(s, "was not indexed") }) {
			t.Fatalf("%+v, %v", v, err)
		}
	}
}

// TestAWatchedFolderIsFollowed: no question and no command is needed.
func TestAWatchedFolderIsFollowed(t *testing.T) {
	home, dir := t.TempDir(), filepath.Join(t.TempDir(), "notes")
	putFile(t, dir, "a.md", "The blue valve feeds the greenhouse.\n")
	putFile(t, dir, ".gitignore", "*.txt\n")
	w := prepare(t, home, nil)
	o := w.Options
	o.Schedule = true
	w = operations.Memory{Workspace: workspace.New(o)}
	start(t, w)
	watch := true
	if _, err := w.Mine(t.Context(), api.Mine{Path: dir, Watch: &watch, Wait: true}); err != nil {
		t.Fatal(err)
	}
	comes := func(what string) {
		t.Helper()
		eventually(t, what, func() bool { return tells(find(t, w, what), what) })
	}
	comes("blue valve")
	putFile(t, dir, "sub/b.md", "The cellar is damp.\n")
	comes("cellar is damp")
	putFile(t, dir, "c.txt", "The attic is dry.\n")
	putFile(t, dir, ".gitignore", "")
	comes("attic is dry")
	if _, err := w.Unmine(t.Context(), api.Unmine{Path: dir}); err != nil {
		t.Fatal(err)
	}
	putFile(t, dir, "a.md", "The red valve feeds the greenhouse.\n")
	if n := len(find(t, w, "valve greenhouse")); n > 0 {
		t.Errorf("removed, %d hits", n)
	}
}

// What is mined is no drawer that waits for a worker, and none that fades.
func TestWorkersLeaveWhatIsMinedAlone(t *testing.T) {
	w, dir := open(t, quiet), filepath.Join(t.TempDir(), "notes")
	said := say(t, w, "c1", "I live in Ghent.")
	putFile(t, dir, "a.md", "# Garden\n\nThe soil is clay, and the beds face south.\n")
	mined(t, w, dir)
	p, err := w.PalaceWorkers(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, of := range p.States {
		n += of
	}
	if n != len(said.Drawers) {
		t.Errorf("%d drawers are counted, %d were said: %+v", n, len(said.Drawers), p)
	}
}
