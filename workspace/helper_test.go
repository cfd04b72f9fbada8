package workspace_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/mine"
	"github.com/reverie-memory/reverie/operations"
	"github.com/reverie-memory/reverie/vault"
	"github.com/reverie-memory/reverie/workspace"
)

// open makes a vault and opens it. change may set what differs from the defaults.
func open(t *testing.T, change func(*config.Config)) operations.Memory {
	t.Helper()
	w := prepare(t, t.TempDir(), change)
	start(t, w)
	return w
}

func reopen(t *testing.T, dir string, change func(*config.Config)) operations.Memory {
	t.Helper()
	w := unopened(t, dir, change)
	start(t, w)
	return w
}

// prepare makes a vault and a workspace that is not open yet.
func prepare(t *testing.T, dir string, change func(*config.Config)) operations.Memory {
	t.Helper()
	if _, err := vault.Init(filepath.Join(dir, "vault"), workspace.Template()); err != nil {
		t.Fatal(err)
	}
	return unopened(t, dir, change)
}

func unopened(t *testing.T, dir string, change func(*config.Config)) operations.Memory {
	t.Helper()
	c := config.Default()
	c.Watcher.Quiet, c.Watcher.MaxWait = 5, 50
	if change != nil {
		change(&c)
	}
	m, err := workspace.NewModels(c)
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return operations.Memory{Workspace: workspace.New(workspace.Options{
		PDF:  []string{self, mine.PDFVerb},
		Name: "test", Vault: filepath.Join(dir, "vault"), DataDir: filepath.Join(dir, "data"), Config: c, Models: m, Version: "test",
	})}
}

// start opens the workspace until the test ends, and waits until it has looked at its files.
func start(t *testing.T, w operations.Memory) {
	t.Helper()
	if err := w.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		owned(t, w, vault.StateDir)
		if err := w.Close(context.Background()); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	if err := w.Follower.WaitReady(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// owned fails the test for a file of the data folder, or below a folder of the vault, that is not of one kind of record.
func owned(t *testing.T, w operations.Memory, below string) {
	t.Helper()
	kinds := w.Kinds()
	for _, dir := range []struct{ path, prefix string }{{filepath.Join(w.Options.Vault, below), below + "/"}, {w.Options.DataDir, "data/"}} {
		err := filepath.WalkDir(dir.path, func(name string, d os.DirEntry, err error) error {
			switch {
			case errors.Is(err, os.ErrNotExist): // it went meanwhile
				return nil
			case err != nil || d.IsDir():
				return err
			}
			rel, err := filepath.Rel(dir.path, name)
			file := strings.TrimPrefix(dir.prefix+filepath.ToSlash(rel), "/")
			var of []string
			for _, k := range kinds {
				if k.Owns != nil && k.Owns(file) {
					of = append(of, k.Name)
				}
			}
			if len(of) != 1 {
				t.Errorf("%s is of the kinds %q: each file has one, which stands in Workspace.kinds", file, of)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}

func say(t *testing.T, w operations.Memory, chat, text string) api.TurnResult {
	t.Helper()
	at := time.Date(2026, 6, 9, 14, 32, 0, 0, time.UTC)
	r, err := w.Remember(t.Context(), api.Turn{ChatID: chat, Wait: "indexed", Messages: []api.Message{{
		Role: "user", Speaker: "Alice",
		Content: text, At: &at, Ref: "R1",
	}}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func find(t *testing.T, w operations.Memory, q string) []api.Hit {
	t.Helper()
	r, err := w.Search(t.Context(), api.Search{Query: q})
	if err != nil {
		t.Fatal(err)
	}
	return r.Hits
}

// tells says whether any hit holds the text.
func tells(hits []api.Hit, text string) bool {
	for _, h := range hits {
		if strings.Contains(h.Text, text) {
			return true
		}
	}
	return false
}

// inVault says whether any file of the vault holds the text.
func inVault(t *testing.T, w operations.Memory, text string) (files []string) {
	t.Helper()
	return filesWith(t, w.Options.Vault, text)
}

// filesWith lists the files of a folder that hold the text.
func filesWith(t *testing.T, dir, text string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if strings.Contains(string(data), text) {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func verified(t *testing.T, w operations.Memory) {
	t.Helper()
	v, err := w.Verify(t.Context())
	if err != nil || !v.OK {
		t.Errorf("verify: %+v: %v", v, err)
	}
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}
