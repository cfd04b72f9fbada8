package config

import (
	"os"
	"path/filepath"
	"testing"
)

func TestDataFolders(t *testing.T) {
	dir := t.TempDir()
	base, usual, b := filepath.Join(dir, "data"), filepath.Join(dir, "Reverie"), filepath.Join(dir, "b")
	for _, d := range []string{base, usual, b} {
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	var v Vaults
	own := v.DataDir(b, usual, base)
	if filepath.Dir(own) != filepath.Join(base, "vaults.d") {
		t.Errorf("the data folder of the usual vault goes to another: %s", own)
	}
	if got := v.DataDir(usual, usual, base); got != base {
		t.Errorf("the usual vault gets %s", got)
	}
	if got := v.DataDir(b, filepath.Join(dir, "none"), base); got != base {
		t.Errorf("the only vault there is gets %s", got)
	}
	v.Add(KnownVault{b, base})
	if got := v.DataDir(usual, usual, base); got == base || got == own {
		t.Errorf("two vaults get %s", got)
	}
	if got := v.DataDir(filepath.Join(b, "..", "b"), usual, filepath.Join(dir, "elsewhere")); got != base {
		t.Errorf("a known vault gets %s", got)
	}
	if v.Default != b {
		t.Errorf("the default is %q", v.Default)
	}

	// What is gone altogether makes place; what has left its data is remembered.
	v.Add(KnownVault{usual, own})
	if err := os.Remove(usual); err != nil {
		t.Fatal(err)
	}
	v.Add(KnownVault{b, base})
	if len(v.Known) != 1 {
		t.Errorf("%+v", v.Known)
	}
	if err := os.Remove(b); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(usual, 0o700); err != nil {
		t.Fatal(err)
	}
	v.Add(KnownVault{usual, own})
	if len(v.Known) != 2 || v.Default != usual {
		t.Errorf("%+v", v)
	}
}

func TestSameFolderThroughLinks(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Skip(err)
	}
	if !SameFolder(dir, link) || SameFolder(dir, filepath.Dir(link)) {
		t.Error("links are not followed")
	}
	if RealPath(link) != RealPath(dir) {
		t.Error("two real paths of one folder")
	}
	v := Vaults{Known: []KnownVault{{dir, "/data"}}}
	if got := v.DataDir(link, "/none", "/base"); got != "/data" {
		t.Errorf("through a link: %s", got)
	}
}
