package notebooktemplate_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	notebooktemplate "github.com/reverie-memory/reverie/notebook-template"
	"github.com/reverie-memory/reverie/vault"
)

func TestInit(t *testing.T) {
	dir := t.TempDir()
	created, err := vault.Init(dir, notebooktemplate.Files)
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(created)
	want := []vault.Path{"index.md", "log.md", "memory/MEMORY.md", "memory/persona.md", "memory/user.md", "schema.md"}
	if !slices.Equal(created, want) {
		t.Errorf("created %v, want %v", created, want)
	}
	for _, zone := range []string{
		"0_Inbox", "1_Projects", "2_Wiki/Concepts", "2_Wiki/Literature", "2_Wiki/Syntheses", "2_Wiki/Entities",
		"3_Personal", "4_Assets", "5_Archives",
	} {
		fi, err := os.Stat(filepath.Join(dir, zone))
		if err != nil || !fi.IsDir() {
			t.Errorf("%s: %v", zone, err)
		}
	}
	v, err := vault.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	if mark, problems, err := v.Watermark(); mark != "" || len(problems) > 0 || err != nil {
		t.Errorf("a new vault has the watermark %q, %v, %v", mark, problems, err)
	}
	problems, err := v.Walk(t.Context(), func(p vault.Path, _ vault.FileInfo) error {
		data, err := v.ReadFile(p)
		if err == nil && len(vault.ParsePage(p, data).Problems) > 0 {
			t.Errorf("%s: %v", p, vault.ParsePage(p, data).Problems)
		}
		return err
	})
	if err != nil || len(problems) > 0 {
		t.Error(problems, err)
	}
}

func TestOnlyFilesOfAVault(t *testing.T) {
	_ = fs.WalkDir(notebooktemplate.Files, ".", func(name string, e fs.DirEntry, err error) error {
		if ext := filepath.Ext(name); err == nil && !e.IsDir() && ext != ".md" && e.Name() != ".gitkeep" {
			t.Errorf("%s would be copied into every vault", name)
		}
		return err
	})
}
