package vault

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestReadOn(t *testing.T) {
	at := time.Date(2026, 6, 9, 14, 32, 0, 0, time.UTC)
	save := func(t *testing.T, file string, data []byte) {
		t.Helper()
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	other := func(data []byte) []byte { return []byte(strings.Replace(string(data), "fact 0", "fact Z", 1)) }
	for name, c := range map[string]struct {
		meanwhile func(t *testing.T, v *Vault, file string, data []byte)
		ok        bool
	}{
		"nothing else": {func(*testing.T, *Vault, string, []byte) {}, true},
		"another file": {func(t *testing.T, v *Vault, file string, data []byte) {
			save(t, filepath.Join(filepath.Dir(file), "2026-06-10.md"), data)
		}, true},
		"saved over": {func(t *testing.T, v *Vault, file string, data []byte) {
			now, _ := os.ReadFile(file)
			save(t, file+".new", other(now))
			if err := os.Rename(file+".new", file); err != nil {
				t.Fatal(err)
			}
		}, false},
		"changed in place": {func(t *testing.T, v *Vault, file string, data []byte) {
			now, _ := os.ReadFile(file)
			save(t, file, other(now))
			if err := os.Chtimes(file, at, at); err != nil {
				t.Fatal(err)
			}
		}, false},
		"shorter": {func(t *testing.T, v *Vault, file string, data []byte) { save(t, file, data[:len(data)/2]) }, false},
		"gone":    {func(t *testing.T, v *Vault, file string, data []byte) { _ = os.Remove(file) }, false},
		"purged": {func(t *testing.T, v *Vault, file string, data []byte) {
			first := ParseLog("", data).Facts[0].ID
			if _, err := v.Purge(t.Context(), []string{first}); err != nil {
				t.Fatal(err)
			}
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			v := open(t, dir)
			p := LogPath("2026-06-09")
			file := filepath.Join(dir, filepath.FromSlash(string(p)))
			n := 0
			tell := func() {
				f := SectionFacts{Section: Section{At: at, ChatID: "c", Origin: OriginUser}, Facts: []Fact{{Text: fmt.Sprintf("fact %d", n)}}}
				if _, err := v.AppendFacts(t.Context(), []SectionFacts{f}); err != nil {
					t.Fatal(err)
				}
				n++
			}
			tell()
			data, run, err := v.ReadRun(p)
			if err != nil || run == 0 {
				t.Fatal(run, err)
			}
			tell()
			c.meanwhile(t, v, file, data)
			check := func() {
				t.Helper()
				more, size, ok := v.ReadOn(p, run, int64(len(data)), 1<<20)
				if ok != c.ok {
					t.Fatalf("told %v", ok)
				}
				if now, _ := os.ReadFile(file); ok && (string(data)+string(more) != string(now) || size != int64(len(now))) {
					t.Errorf("%q + %q", data, more)
				}
			}
			check()
			tell() // which makes the file ours again, and no part of that run
			check()
		})
	}
}

// What is too long to be read whole is not read on either.
func TestReadOnHasALimit(t *testing.T) {
	dir := t.TempDir()
	v := open(t, dir)
	f := SectionFacts{Section: Section{At: time.Now(), ChatID: "c", Origin: OriginUser}, Facts: []Fact{{Text: "a fact"}}}
	if _, err := v.AppendFacts(t.Context(), []SectionFacts{f}); err != nil {
		t.Fatal(err)
	}
	p := LogPath(DayOf(f.Section.At))
	for over, want := range map[int64]bool{0: true, 1: false} {
		file := filepath.Join(dir, filepath.FromSlash(string(p)))
		if err := os.Truncate(file, maxDaily+over); err != nil { // with a hole: it takes no room
			t.Fatal(err)
		}
		fi, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		v.own.Store(string(p), ownFile{info: fi, run: 1})
		if _, _, ok := v.ReadOn(p, 1, 0, 10); ok != want {
			t.Errorf("with %d bytes over the limit: %v", over, ok)
		}
	}
}
