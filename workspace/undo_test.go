package workspace_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/operations"
	"github.com/reverie-memory/reverie/palace"
	"github.com/reverie-memory/reverie/vault"
)

// held are the texts of drawers and facts in the vault's files.
func held(t *testing.T, w operations.Memory) (drawers, facts []string) {
	t.Helper()
	err := w.Vault.EachDrawer(t.Context(), nil, func(_ vault.Path, d *vault.Drawer) { drawers = append(drawers, d.Text) })
	if err == nil {
		err = w.Vault.EachFact(t.Context(), nil, func(_ vault.Path, f *vault.Fact) { facts = append(facts, f.Text) })
	}
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(drawers)
	slices.Sort(facts)
	return drawers, facts
}

// stated is a fact that an export has, of a message of chats or of none.
func stated(id, drawer, text string) api.ImportFact {
	return api.ImportFact{ID: id, Drawer: drawer, ChatID: "c", Role: "user", At: *chats("", "", 0, 1).Messages[0].At, Content: text}
}

// chatted is the drawer of a message of chats.
func chatted(turn string) string { return palace.DrawerID("c", turn, 0) }

// What an undo takes is what the import alone told.
func TestUndoTakesWhatNobodyElseTold(t *testing.T) {
	town := func(n ...string) (out []string) {
		for _, n := range n {
			out = append(out, "I live in town number "+n+".")
		}
		return out
	}
	fact := func(n ...string) (out []string) {
		for _, n := range n {
			out = append(out, "The user lives in town number "+n)
		}
		return out
	}
	given := func(path string, ids ...string) api.Import {
		im := chats("", path, 0, 2)
		for i := range im.Messages {
			im.Messages[i].Told = true
		}
		for _, id := range ids {
			im.Facts = append(im.Facts, stated(id, chatted("t0"), "The town of "+id+" is far"))
		}
		return im
	}
	live := func(t *testing.T, w operations.Memory) {
		for _, m := range chats("", "", 0, 2).Messages[1:] {
			if _, err := w.Remember(t.Context(), api.Turn{ChatID: "c", TurnID: m.TurnID, Wait: "indexed", Messages: []api.Message{{
				Role: m.Role, Content: m.Content, At: m.At,
			}}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	tests := map[string]struct {
		imports        []api.Import // the first is taken back
		before, after  bool         // a program tells the second message itself
		drawers, facts []string
	}{
		"nobody else":          {imports: []api.Import{chats("", "jan.zip", 0, 3)}},
		"the same file, twice": {imports: []api.Import{chats("", "jan.zip", 0, 3), chats("", "jan.zip", 0, 3)}},
		"a later export": {
			[]api.Import{chats("", "jan.zip", 0, 2), chats("", "feb.zip", 1, 2)},
			false, false, town("1", "2"),
			fact("1", "2"),
		},
		"a later export, nothing new": {[]api.Import{chats("", "jan.zip", 0, 2), chats("", "old.zip", 1, 1)}, false, false, town("1"), fact("1")},
		"a program, before":           {[]api.Import{chats("", "jan.zip", 0, 2)}, true, false, town("1"), fact("1")},
		"a program, after":            {[]api.Import{chats("", "jan.zip", 0, 2)}, false, true, town("1"), fact("1")},
		"facts of what was stored":    {[]api.Import{given("a.jsonl", "f000000001")}, true, false, town("1"), fact("1")},
		"facts of two exports": {
			[]api.Import{given("a.jsonl", "f000000001", "f000000002"), given("b.jsonl", "f000000002")},
			false, false, town("0", "1"),
			[]string{"The town of f000000002 is far"},
		},
		"facts that are taken anew": {
			[]api.Import{given("a.jsonl", "f000000001"), chats("", "jan.zip", 0, 1)},
			false, false, town("0"),
			fact("0"),
		},
	}
	for _, name := range slices.Sorted(maps.Keys(tests)) {
		tc := tests[name]
		t.Run(name, func(t *testing.T) {
			w := open(t, quiet)
			if tc.before {
				live(t, w)
			}
			id := ""
			for i, im := range tc.imports {
				im.End = true
				if r := taken(t, w, im); i == 0 {
					id = r.ID
				}
			}
			if tc.after {
				live(t, w)
			}
			for range 2 {
				if _, err := w.UndoImport(t.Context(), api.ByID{ID: id}); err != nil {
					t.Fatal(err)
				}
			}
			var drawers, facts []string
			eventually(t, "facts that are taken anew", func() bool {
				drawers, facts = held(t, w)
				return len(facts) >= len(tc.facts)
			})
			if diff := cmp.Diff([][]string{tc.drawers, tc.facts}, [][]string{drawers, facts}); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			l, err := w.ListImports(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, other := range l.Imports { // whoever told it last takes it
				if _, err := w.UndoImport(t.Context(), api.ByID{ID: other.ID}); err != nil {
					t.Fatal(err)
				}
			}
			if drawers, _ = held(t, w); len(drawers) > 0 != (tc.before || tc.after) {
				t.Errorf("when all imports are taken back, %q are left", drawers)
			}
			verified(t, w)
		})
	}
}

// What was told again holds no id of what was purged.
func TestPurgeReachesWhatWasToldAgain(t *testing.T) {
	w := open(t, quiet)
	for _, path := range []string{"jan.zip", "feb.zip"} {
		im := chats("", path, 0, 2)
		im.End = true
		taken(t, w, im)
	}
	id := chatted("t1")
	told := func() int {
		return len(slices.DeleteFunc(inVault(t, w, id), func(name string) bool { return !strings.HasSuffix(name, "told.jsonl") }))
	}
	if told() != 1 {
		t.Fatal("nothing says that it was told again")
	}
	if _, err := w.Forget(t.Context(), api.Forget{IDs: []string{id}, Purge: true}); err != nil {
		t.Fatal(err)
	}
	if told() != 0 {
		t.Error("its id is left")
	}
}
