package forget

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/reverie-memory/reverie/vault"
)

// A closet is a kind of record that nobody else knows: one text a line, which follows the tombstones when it is told to.
type closet struct {
	v     *vault.Vault
	shows []string // lines that no tombstone hid at the last look
	stuck bool     // a sweep leaves everything as it was
	keeps bool     // a purge takes nothing out
	swept int
}

const closetPath vault.Path = ".state/closets.txt"

func (c *closet) lines() []string {
	data, err := c.v.ReadFile(closetPath)
	if err != nil {
		return nil
	}
	return strings.Split(strings.TrimSpace(string(data)), "\n")
}

func (c *closet) reload() error {
	stones, err := c.v.Tombstones()
	c.shows = slices.DeleteFunc(c.lines(), func(l string) bool { return stones.Visible(l) == "" })
	return err
}

func (c *closet) kind() Kind {
	return Kind{
		Name: "closet", Owns: Files(string(closetPath)), Reload: c.reload,
		Find: func(_ context.Context, s *Search) error {
			for i, l := range c.lines() {
				if id := fmt.Sprintf("c%d", i); s.Names(id, "", l) {
					s.Add(Target{ID: id, File: closetPath, Text: l})
				}
			}
			return nil
		},
		Sweep: func(context.Context) ([]vault.Path, error) {
			c.swept++
			if c.stuck {
				c.shows = c.lines()
			}
			return []vault.Path{closetPath}, nil
		},
		Shown: func(_ context.Context, text string) (out []Found, err error) {
			if slices.Contains(c.shows, text) {
				out = append(out, Found{ID: "c", SourceFile: string(closetPath), Text: text})
			}
			return out, nil
		},
		Purge: func(_ context.Context, p *Purge) error {
			if c.keeps {
				return nil
			}
			rest := slices.DeleteFunc(c.lines(), p.Tells)
			return c.v.Replace(closetPath, []byte(strings.Join(rest, "\n")), vault.AnyHash)
		},
		Restore: func(_ context.Context, back *Restoring) error {
			for i, l := range c.lines() {
				back.Add(Target{ID: fmt.Sprintf("c%d", i), File: closetPath, Text: l})
			}
			return nil
		},
	}
}

const secret, other = "Mara keeps the narwhal letters in the attic", "The kettle on the stove is blue"

// roomWith is a room over a new vault that has a closet, besides a fact that tells the same.
func roomWith(t *testing.T, c *closet) (r *Room, synced *[]vault.Path) {
	t.Helper()
	dir, data := filepath.Join(t.TempDir(), "vault"), t.TempDir()
	if _, err := vault.Init(dir, fstest.MapFS{"index.md": {Data: []byte("# Index\n")}}); err != nil {
		t.Fatal(err)
	}
	v, err := vault.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { v.Close() })
	c.v, c.shows = v, []string{secret, other}
	at := time.Date(2026, 6, 9, 14, 32, 0, 0, time.UTC)
	_, err = v.AppendFacts(t.Context(), []vault.SectionFacts{{
		Section: vault.Section{At: at, ChatID: "c1"},
		Facts:   []vault.Fact{{Text: secret}},
	}})
	if err = errors.Join(err, v.Replace(closetPath, []byte(secret+"\n"+other), vault.AnyHash)); err != nil {
		t.Fatal(err)
	}
	synced = new([]vault.Path)
	return New(Options{
		Vault: v, Dir: dir, Data: data, Kinds: []Kind{c.kind(), Tombstones(v), Records(v)},
		Sync: func(_ context.Context, paths ...vault.Path) error { *synced = append(*synced, paths...); return nil },
		Uses: func(context.Context, []string) (bool, error) { return false, nil },
		Rows: func(vault.Path, []byte) []Row { return nil },
	}), synced
}

// One registration is all that a new kind of record needs.
func TestAKindIsFoundHiddenSweptPurgedLookedForAndBroughtBack(t *testing.T) {
	c := &closet{}
	r, synced := roomWith(t, c)
	ask := Request{Query: "narwhal letters"}
	for _, dry := range []bool{true, false} {
		ask.DryRun = dry
		got, err := r.Forget(t.Context(), ask)
		if err != nil || len(got.Forgotten) != 2 || got.Forgotten[0] != (Found{ID: "c0", SourceFile: string(closetPath), Text: secret}) ||
			got.Verified == dry {
			t.Fatalf("dry %v: %+v: %v", dry, got, err)
		}
	}
	if !slices.Equal(c.shows, []string{other}) || c.swept != 1 || !slices.Contains(*synced, closetPath) || !slices.Contains(*synced,
		vault.TombstonesPath) {
		t.Errorf("it shows %q, was swept %d times, and the index followed %v", c.shows, c.swept, *synced)
	}
	n, back, err := r.Unforget(t.Context(), []string{"c0"}, "", false)
	if err != nil || n != 1 || len(back) != 2 || !slices.Equal(c.shows, []string{secret, other}) {
		t.Errorf("%d tombstones, %+v, and it shows %q: %v", n, back, c.shows, err)
	}
	ask.Purge = true
	if got, err := r.Forget(t.Context(), ask); err != nil || !got.Verified || !slices.Equal(c.lines(), []string{other}) {
		t.Errorf("%+v, and it holds %q: %v", got, c.lines(), err)
	}
	err = fs.WalkDir(os.DirFS(r.o.Dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(r.o.Dir, name))
		if bytes.Contains(data, []byte("narwhal")) {
			t.Errorf("it is left in %s", name)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// What a kind leaves is said to be left, after a sweep and after a purge.
func TestWhatAKindLeavesIsNamed(t *testing.T) {
	c := &closet{stuck: true, keeps: true}
	r, _ := roomWith(t, c)
	for _, purge := range []bool{false, true} {
		got, err := r.Forget(t.Context(), Request{Query: "narwhal letters", Purge: purge})
		named := slices.ContainsFunc(got.Remaining, func(f Found) bool { return f.SourceFile == string(closetPath) })
		if err != nil || got.Verified || !named {
			t.Errorf("purge %v: %+v: %v", purge, got, err)
		}
	}
}

// A record without an id fails the request: the next one without would be taken for it, and stay.
func TestARecordNeedsAnID(t *testing.T) {
	c := &closet{}
	roomWith(t, c)
	kind := Kind{Name: "nameless", Find: func(_ context.Context, s *Search) error {
		s.Add(Target{File: closetPath, Text: "Kim lives in Glimmerstad"})
		return nil
	}}
	r := New(Options{Vault: c.v, Kinds: []Kind{kind}})
	if a, err := r.Forget(t.Context(), Request{Query: "Glimmerstad"}); err == nil || !strings.Contains(err.Error(), string(closetPath)) {
		t.Errorf("%+v: %v", a, err)
	}
}
