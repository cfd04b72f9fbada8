package workspace_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/text/unicode/norm"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/operations"
)

// A diary is a random vault in which every statement has a word of its own.
type diary struct {
	t    *testing.T
	w    operations.Memory
	r    *rand.Rand
	told []saying
	days int // steps so far, each with a word of its own
}

type saying struct{ word, fact, chat string }

var tellings = []string{
	"I keep a %s lamp in the cellar of the mill.", "Anna started %s therapy at the clinic in May 2026.", "I work at %s as a nurse.",
	"We decided to use %s for the project Harbor.", "Please remind me to buy \"%s\" <tea> on Friday.", "My sister Anna lives in %s now.",
}

func (d *diary) step() {
	d.t.Helper()
	n := d.days
	d.days++
	at := time.Date(2026, 6, 1+n%20, 14, 30, 0, 0, time.UTC)
	word := fmt.Sprintf("Quüx%c%c%c", 'a'+n/26, 'b'+n%26/2, 'a'+n%26)
	text, chat := fmt.Sprintf(tellings[d.r.IntN(len(tellings))], word), fmt.Sprintf("conversation-%d", d.r.IntN(4))
	var err error
	switch d.r.IntN(10) {
	default:
		var res api.TurnResult
		res, err = d.w.Remember(d.t.Context(), api.Turn{ChatID: chat, Wait: "indexed", Messages: []api.Message{{
			Role:    "user",
			Speaker: "Alice", Content: text, At: &at,
		}}})
		for _, f := range res.Facts {
			d.told = append(d.told, saying{word, f.ID, chat})
		}
	case 4, 5:
		var res api.FactsResult
		res, err = d.w.WriteFacts(d.t.Context(), api.Facts{ChatID: chat, Wait: "indexed", Facts: []api.NewFact{{Content: text, At: &at}}})
		if err == nil {
			d.told = append(d.told, saying{word, res.Facts[0].ID, chat})
		}
	case 6:
		name := filepath.Join(d.w.Options.Vault, "2_Wiki", fmt.Sprintf("Note %d.md", d.r.IntN(3)))
		old, _ := os.ReadFile(name)
		err = os.WriteFile(name, []byte(norm.NFD.String(string(old)+"- "+text+"\n\n"+strings.ToUpper(text)+"\n\n")), 0o644)
		d.told = append(d.told, saying{word, "", ""})
		if _, serr := d.w.Index.Sync(d.t.Context()); serr != nil {
			err = serr
		}
	case 7:
		dreamNow(d.t, d.w)
	case 8:
		if _, err = d.w.UndoDream(d.t.Context(), api.DreamRun{}); err != nil { // there may be none
			err = nil
		}
	case 9:
		if len(d.told) > 0 {
			word := d.told[d.r.IntN(len(d.told))].word
			find(d.t, d.w, word+" Anna")
			_, err = d.w.Context(d.t.Context(), api.Context{Query: word})
		}
	}
	if err != nil {
		d.t.Fatal(err)
	}
}

// with lists the files that hold the word, however it is written, as remaining names them.
func (d *diary) with(word string) (files []string) {
	d.t.Helper()
	for _, dir := range []struct{ path, prefix string }{{d.w.Options.Vault, ""}, {d.w.Options.DataDir, "data/"}} {
		err := filepath.WalkDir(dir.path, func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			data, err := os.ReadFile(name)
			text := strings.ToLower(norm.NFC.String(strings.NewReplacer(`\u00fc`, "ü", `u\u0308`, "ü").Replace(string(bytes.ToValidUTF8(data,
				[]byte("?"))))))
			if strings.Contains(text, strings.ToLower(word)) || strings.Contains(text, strings.ReplaceAll(strings.ToLower(word), "ü", "u")) {
				rel, _ := filepath.Rel(dir.path, name)
				files = append(files, dir.prefix+filepath.ToSlash(rel))
			}
			return err
		})
		if err != nil {
			d.t.Fatal(err)
		}
	}
	return files
}

// Whatever happened before, a purge leaves no byte or names the file.
func TestPurgeOfRandomVaults(t *testing.T) {
	seeds := uint64(12)
	if testing.Short() {
		seeds = 3
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			d := &diary{t: t, w: open(t, nil), r: rand.New(rand.NewPCG(seed, 7))}
			for range 40 {
				d.step()
			}
			for range 6 {
				s := d.told[d.r.IntN(len(d.told))]
				f, words := api.Forget{Query: s.word}, []string{s.word}
				switch by := d.r.IntN(3); {
				case by == 0 && s.fact != "":
					f = api.Forget{IDs: []string{s.fact}}
				case by == 1 && s.chat != "":
					f, words = api.Forget{ChatID: s.chat}, nil
					for _, o := range d.told {
						if o.chat == s.chat {
							words = append(words, o.word)
						}
					}
				}
				if d.r.IntN(2) == 0 {
					if _, err := d.w.Forget(t.Context(), f); err != nil && !errors.Is(err, api.NotFound) {
						t.Fatal(err)
					}
				}
				f.Purge = true
				got, err := d.w.Forget(t.Context(), f)
				if err != nil && !errors.Is(err, api.NotFound) {
					t.Fatalf("%+v: %v", f, err)
				}
				for _, word := range words {
					for _, file := range d.with(word) {
						if !slices.ContainsFunc(got.Remaining, func(r api.Forgotten) bool { return r.SourceFile == file }) {
							t.Errorf("%+v: %s is left in %s: verified %v, %v", f, word, file, got.Verified, got.Remaining)
						}
					}
				}
				d.step()
			}
			verified(t, d.w)
		})
	}
}

// A fuse is a context that is cancelled when it was asked n times.
type fuse struct {
	context.Context
	n      atomic.Int32
	cancel context.CancelFunc
}

func (f *fuse) Err() error {
	if f.n.Add(-1) < 0 {
		f.cancel()
	}
	return f.Context.Err()
}

// A purge that was cut off can be asked for again by the same ids, and leaves nothing then.
func TestPurgeThatWasCutOff(t *testing.T) {
	for n, cut := 1, true; cut; n += 1 + n/3 {
		w, r := glimmer(t)
		ctx, cancel := context.WithCancel(t.Context())
		f := &fuse{Context: ctx, cancel: cancel}
		f.n.Store(int32(n))
		ask := api.Forget{IDs: []string{r.Facts[0].ID}, Purge: true}
		_, err := w.Forget(f, ask)
		cut = err != nil
		cancel()
		if got, err := w.Forget(t.Context(), ask); err != nil && !errors.Is(err, api.NotFound) || err == nil && !got.Verified {
			t.Errorf("cut at %d, then %+v: %v", n, got, err)
		}
		if files := left(t, w, "Glimmerotherapy"); len(files) > 0 {
			t.Errorf("cut at %d: left in %v", n, files)
		}
	}
}
