package forget

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/vault"
)

// What a request finds with what it knows of files that it read before is what it finds without, whatever is written meanwhile.
func TestFilesThatWereReadAreReadAgainWhereTheyChanged(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 5))
		dir := filepath.Join(t.TempDir(), "vault")
		if _, err := vault.Init(dir, fstest.MapFS{"index.md": {Data: []byte("# Index\n")}}); err != nil {
			t.Fatal(err)
		}
		v, err := vault.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { v.Close() })
		room := New(Options{Vault: v, Kinds: []Kind{Records(v)}})
		words := strings.Fields("amber birch cedar delta ember")
		text := func() string {
			return fmt.Sprintf("Ann saw %s and %s, number %d.", words[r.IntN(5)], words[r.IntN(5)], r.IntN(1000))
		}
		write := func() {
			at := time.Date(2026, 3, 1+r.IntN(6), 9, r.IntN(60), 0, 0, time.UTC)
			var err error
			if r.IntN(2) == 0 {
				_, err = v.AppendDrawers(t.Context(), []vault.Drawer{{ID: vault.NewID('d'), At: at, ChatID: "c", Speaker: "Bo", Text: text()}})
			} else {
				_, err = v.AppendFacts(t.Context(), []vault.SectionFacts{{
					Section: vault.Section{At: at, ChatID: "c"}, Facts: []vault.Fact{{ID: vault.NewID('f'), Text: text()}},
				}})
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		f := Request{Query: words[r.IntN(5)] + " " + words[r.IntN(5)]}
		read := newReading()
		for range 6 {
			for range r.IntN(6) {
				write()
			}
			got, err := room.find(t.Context(), f, true, nil, read)
			if err != nil {
				t.Fatal(err)
			}
			want, err := room.find(t.Context(), f, true, nil, newReading())
			if err != nil {
				t.Fatal(err)
			}
			if d := gocmp.Diff(named(want), named(got)); d != "" {
				t.Fatalf("seed %d, %q: %s", seed, f.Query, d)
			}
		}
		if len(read.dull) == 0 && seed == 0 {
			t.Error("no file was ever left out")
		}
	}
}

func named(targets []Target) (out []string) {
	for _, t := range slices.SortedFunc(slices.Values(targets), func(a, b Target) int { return cmp.Compare(a.ID, b.ID) }) {
		out = append(out, t.ID+" "+string(t.File)+" "+t.Text)
	}
	return out
}

// A fact goes with the drawers that it quotes, wherever it stands, and alone: what it was taken from says nothing of what is forgotten, and
// neither do those that quote that.
func TestFactGoesWithWhatItQuotes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "vault")
	if _, err := vault.Init(dir, fstest.MapFS{"index.md": {Data: []byte("# Index\n")}}); err != nil {
		t.Fatal(err)
	}
	v, err := vault.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { v.Close() })
	at := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	ids := map[string]string{}
	var drawers []vault.Drawer
	for _, name := range []string{"a", "b", "c"} {
		ids["d"+name] = vault.NewID('d')
		drawers = append(drawers, vault.Drawer{ID: ids["d"+name], At: at, ChatID: "c", Speaker: "Bo", Text: "Drawer number " + name + "."})
	}
	if _, err := v.AppendDrawers(t.Context(), drawers); err != nil {
		t.Fatal(err)
	}
	var facts []vault.SectionFacts
	for _, f := range [][2]string{{"b", "a"}, {"a", ""}, {"c", "b"}} { // the first one was written before what it quotes was read
		ids["f"+f[0]] = vault.NewID('f')
		facts = append(facts, vault.SectionFacts{
			Section: vault.Section{At: at, ChatID: "c", Drawer: ids["d"+f[0]], Beside: ids["d"+f[1]]},
			Facts:   []vault.Fact{{ID: ids["f"+f[0]], Text: "Fact number " + f[0]}},
		})
	}
	if _, err := v.AppendFacts(t.Context(), facts); err != nil {
		t.Fatal(err)
	}
	room := New(Options{Vault: v, Kinds: []Kind{Records(v)}})
	for _, asked := range []string{"fa", "da"} {
		got, err := room.find(t.Context(), Request{IDs: []string{ids[asked]}}, true, nil, newReading())
		if err != nil {
			t.Fatal(err)
		}
		found := map[string]bool{}
		for _, g := range got {
			found[g.ID] = true
		}
		for name, id := range ids {
			if want := name == "fa" || name == "da" || name == "fb"; found[id] != want {
				t.Errorf("%s is forgotten: %s goes %v", asked, name, found[id])
			}
		}
	}
}
