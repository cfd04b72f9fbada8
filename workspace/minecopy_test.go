package workspace_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/internal/nasty"
	"github.com/reverie-memory/reverie/mine"
	"github.com/reverie-memory/reverie/operations"
	"github.com/reverie-memory/reverie/workspace"
)

// copied mines a folder with copies.
func copied(t *testing.T, w operations.Memory, dir string, on bool) api.Mined {
	t.Helper()
	m, err := w.Mine(t.Context(), api.Mine{Path: dir, Wait: true, Copy: &on})
	if err != nil || m.Job.State != "done" || m.Folder.Copy != on {
		t.Fatalf("%+v: %v", m, err)
	}
	return m
}

// pieces are the rows of mined files, but for their ids.
func pieces(t *testing.T, w operations.Memory) (out []string) {
	t.Helper()
	rd := w.Index.Reader()
	rows, err := rd.Rows(t.Context(), rd.Keys(catalog.Filter{Source: []catalog.SourceType{catalog.DrawerText}}))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		out = append(out, fmt.Sprint(filepath.Base(string(r.File)), ":", r.Line, " ", r.Wing, "/", r.Room, " ", r.Context, ": ", r.Text))
	}
	slices.Sort(out)
	return out
}

// copies are the files that were copied, by name.
func copies(t *testing.T, w operations.Memory) (out []string) {
	t.Helper()
	dir := filepath.Join(w.Options.Vault, filepath.FromSlash(mine.CopyDir))
	err := filepath.WalkDir(dir, func(p string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			out = append(out, filepath.Base(p))
		}
		if os.IsNotExist(err) {
			return nil
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

const minedKey = "ghp_" + "7Xq2vKd93LmZt5RwYb8NcHs1PfJg6Ea40uQo"

func library(t *testing.T) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "library")
	putFile(t, dir, "deep/a.md", "# Garden\n\nThe soil is clay.\n\nGlimmerotherapy began at the clinic in May.\n\n"+
		"The token is "+minedKey+", keep it.\n")
	putFile(t, dir, "b.html", "<html><title>Boats</title><h1>Masts</h1><p>The mast is &lt;new&gt;.</p>\n<p>Line of the oars.</p></html>")
	putFile(t, dir, "c.go", "package c\n\nfunc glimmer() int {\n\treturn 4\n}\n")
	putFile(t, dir, "d.txt", "\xff\xfeW\x00i\x00d\x00e\x00 \x00t\x00e\x00x\x00t\x00")
	putFile(t, dir, "e.pdf", string(nasty.PDF("The cellar is damp.")))
	return dir
}

// What is copied of a mined folder gives the rows that the folder gives, without a secret in any byte, and goes on giving them when the
// folder is gone and the index is built anew.
func TestCopiesOfAMinedFolderLiveOn(t *testing.T) {
	dir := library(t)
	plain, w := open(t, quiet), open(t, quiet)
	mined(t, plain, dir)
	want := pieces(t, plain)
	m := copied(t, w, dir, true)
	if got := pieces(t, w); len(want) < 5 || !slices.Equal(got, want) {
		t.Errorf("(-in place +copied):\n%s", cmp.Diff(want, got))
	}
	if m.Folder.Files != 5 {
		t.Errorf("%+v", m.Folder)
	}
	if in := inVault(t, w, minedKey); len(in) > 0 {
		t.Errorf("the secret is in %q", in)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Reindex(t.Context(), api.Reindex{ClearExisting: true}); err != nil {
		t.Fatal(err)
	}
	verified(t, w)
	if got := pieces(t, w); !slices.Equal(got, want) {
		t.Errorf("without the folder (-want +got):\n%s", cmp.Diff(want, got))
	}
	if _, err := w.Unmine(t.Context(), api.Unmine{Path: m.Folder.ID}); err != nil || len(copies(t, w))+len(pieces(t, w)) > 0 {
		t.Errorf("removed: %v: %q", err, copies(t, w))
	}
}

// A file is copied again when it changed, and its copy goes with it.
func TestCopiesFollowAMinedFolder(t *testing.T) {
	dir := library(t)
	w := open(t, quiet)
	m := copied(t, w, dir, true)
	before := filepath.Join(w.Options.Vault, filepath.FromSlash(mine.CopyDir), m.Folder.ID, "c.go")
	f, err := os.OpenFile(before, os.O_APPEND|os.O_WRONLY, 0) // nobody looks at what looks as it did
	if err == nil {
		_, err = f.WriteString("// by hand\n")
		err = errors.Join(err, f.Close())
	}
	if err == nil {
		err = os.Remove(filepath.Join(dir, "b.html"))
	}
	if err != nil {
		t.Fatal(err)
	}
	putFile(t, dir, "deep/a.md", "# Garden\n\nThe soil is loam now.\n")
	later := time.Now().Add(time.Minute)
	if err := os.Chtimes(filepath.Join(dir, "deep", "a.md"), later, later); err != nil {
		t.Fatal(err)
	}
	mined(t, w, dir)
	if got := copies(t, w); !slices.Equal(got, []string{"c.go", "d.txt", "a.md", "e.pdf"}) {
		t.Errorf("copied: %q", got)
	}
	if len(inVault(t, w, "loam")) != 1 || len(inVault(t, w, "clay")) != 0 || len(inVault(t, w, "// by hand")) != 1 {
		t.Error("what changed was not copied again, or what did not was")
	}
	verified(t, w)
	want := pieces(t, w)
	copied(t, w, dir, false)
	if got := pieces(t, w); len(copies(t, w)) > 0 || len(got) != len(want) {
		t.Errorf("in place again: %q, %q", copies(t, w), got)
	}
}

// A purge takes what is forgotten out of copies, and what is copied later is without it.
func TestPurgeReachesCopiesOfAMinedFolder(t *testing.T) {
	dir := library(t)
	w := open(t, quiet)
	copied(t, w, dir, true)
	purge := func(query string) api.ForgetResult {
		r, err := w.Forget(t.Context(), api.Forget{Query: query, Purge: true})
		if err != nil || len(r.Forgotten) == 0 {
			t.Fatalf("%+v: %v", r, err)
		}
		return r
	}
	if r := purge("Glimmerotherapy"); r.Verified || len(inVault(t, w, "Glimmerotherapy")) > 0 { // the person's own file has it
		t.Errorf("%+v; %q", r, inVault(t, w, "Glimmerotherapy"))
	}
	later := time.Now().Add(time.Minute)
	if err := os.Chtimes(filepath.Join(dir, "deep", "a.md"), later, later); err != nil {
		t.Fatal(err)
	}
	mined(t, w, dir)
	if in := inVault(t, w, "Glimmerotherapy"); len(in) > 0 || len(inVault(t, w, "The mast is <new>")) != 1 {
		t.Errorf("copied again: %q", in)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	for _, query := range []string{"cellar", "glimmer"} {
		if r := purge(query); !r.Verified || len(inVault(t, w, query)) > 0 {
			t.Errorf("%s: %+v; %q", query, r, inVault(t, w, query))
		}
	}
	verified(t, w)
}

// A file takes the place of a folder, and a folder that of a file; and what is left out from now on leaves the index also when it was all.
func TestCopiesFollowFilesThatBecomeFolders(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "shelf")
	putFile(t, dir, "notes", "The mast is new.")
	putFile(t, dir, "boats/a.md", "The oars are old.")
	w := open(t, quiet)
	copied(t, w, dir, true)
	for _, name := range []string{"notes", "boats"} {
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	putFile(t, dir, "notes/a.md", "The mast was sold.")
	putFile(t, dir, "boats", "The oars were sold.")
	copied(t, w, dir, true)
	if got := pieces(t, w); len(got) != 2 || len(inVault(t, w, "sold")) != 2 || len(inVault(t, w, "mast is new")) > 0 {
		t.Errorf("%q", got)
	}
	flat := filepath.Join(t.TempDir(), "flat")
	putFile(t, flat, "a.md", "The anchor is heavy.")
	copied(t, w, flat, true)
	putFile(t, flat, ".reverieignore", "*.md\n")
	copied(t, w, flat, true)
	if got := pieces(t, w); len(got) != 2 || len(copies(t, w)) != 2 {
		t.Errorf("left out, and there still: %q; %q", got, copies(t, w))
	}
	verified(t, w)
}

// A file that looks like a copy and is none is a file like any other.
func TestAMinedFileThatClaimsToBeACopy(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "shelf")
	putFile(t, dir, "a.md", "reverie-copy/1 {\"lines\":[]}\nThe mast is new.\n")
	putFile(t, dir, "b.md", "reverie-copy/1 {\"form\":9}\nThe oars are \xff old.\n")
	for _, on := range []bool{false, true} {
		w := open(t, quiet)
		copied(t, w, dir, on)
		if got := pieces(t, w); len(got) != 2 {
			t.Errorf("copy %t: %q", on, got)
		}
	}
}

// A file that cannot be read keeps none of the others from being copied and found.
func TestCopiesOfWhatCanBeRead(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "shelf")
	putFile(t, dir, "a.pdf", string(nasty.PDF("The cellar is damp.")))
	putFile(t, dir, "b.md", "The mast is new.")
	o, on := prepare(t, t.TempDir(), quiet).Options, true
	o.PDF = []string{filepath.Join(dir, "gone")}
	w := operations.Memory{Workspace: workspace.New(o)}
	start(t, w)
	m, err := w.Mine(t.Context(), api.Mine{Path: dir, Wait: true, Copy: &on})
	if err != nil || m.Job.State == "done" {
		t.Errorf("%+v: %v", m.Job, err)
	}
	if got := pieces(t, w); len(got) != 1 || !slices.Equal(copies(t, w), []string{"b.md"}) {
		t.Errorf("%q; %q", got, copies(t, w))
	}
}
