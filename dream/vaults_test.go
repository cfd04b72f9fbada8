package dream_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/dream"
	notebooktemplate "github.com/reverie-memory/reverie/notebook-template"
	"github.com/reverie-memory/reverie/vault"
)

// adopted is a folder of notes that became a vault.
func adopted(t *testing.T, notes map[string]string) *world {
	t.Helper()
	w := &world{t: t, dir: scratch(t)}
	w.set("2026-06-10 03:00")
	for name, text := range notes {
		w.write(name, text)
	}
	if _, err := vault.Init(w.dir, notebooktemplate.Files); err != nil {
		t.Fatal(err)
	}
	w.open()
	return w
}

var stephFacts = []string{
	"[personal] Steph Ango works on Obsidian", "[personal] Steph Ango wrote an essay about file formats",
	"[personal] Steph Ango lives in Los Angeles",
	"[personal] Steph Ango likes plain text", "[home] The boiler was repaired in the cellar", "[task] Call the plumber about the boiler",
}

// A page that a person keeps anywhere in the vault is the page of its name, in this run and in those after it.
func TestPageElsewhereIsThePage(t *testing.T) {
	const steph = "References/Steph Ango.md"
	for name, text := range map[string]string{
		steph:               "# Steph Ango\n\nHe makes [[Obsidian]].\n",
		"References/CEO.md": "---\naliases: [Steph Ango]\n---\nMakes [[Obsidian]].\n",
	} {
		w := adopted(t, map[string]string{
			name: text, "Home.md": "My start page\n",
			"Notes/Tasks.md": "How to write tasks\n", "Other.md": "See [[Steph Ango]].\n",
		})
		before := w.pages()
		w.tell("2026-06-09", "Mara", "c", stephFacts...)
		rep := w.run()
		if rep.Status != dream.Consolidated || w.exists("3_Personal/Steph Ango.md") || w.exists("2_Wiki/Entities/Steph Ango.md") {
			t.Fatalf("%+v\n%s", rep, w.dump())
		}
		w.has(name, "Los Angeles")
		w.survives(name, text)
		for _, other := range []string{"Home.md", "Notes/Tasks.md", "Other.md"} {
			if w.read(other) != before[other] {
				t.Errorf("%s changed:\n%s", other, w.read(other))
			}
		}
		w.account()
		w.set("2026-06-11 03:00")
		if again := w.run(); again.Status != dream.NothingPending {
			t.Errorf("once more: %+v", again)
		}
		w.tell("2026-06-10", "Mara", "d", "[personal] Steph Ango moved to Lisbon")
		w.run()
		w.has(name, "moved to Lisbon")
		if _, past := w.standing(name); !strings.Contains(past, "Los Angeles") {
			t.Error(w.read(name))
		}
		w.forget("Steph Ango likes plain text")
		w.run()
		w.lacks(name, "plain text")
		w.account()
		w.undo("r-20260611-0300")
		w.has(name, "Steph Ango lives in Los Angeles")
		w.lacks(name, "Lisbon")
	}
}

// Index, log and memory pages that a person had before are theirs.
func TestOwnMapAndMemoryStay(t *testing.T) {
	own := map[string]string{
		"index.md": "# Index\n\n- [[Garden]]\n- [[Kitchen]]\n", "memory/MEMORY.md": "# Memory\n\n- Milk and eggs\n",
		"Garden.md": "# Garden\n", "log.md": "# Log\n\n## 2026-06-01 Sowing\nPeas.\n",
	}
	w := adopted(t, own)
	w.tell("2026-06-09", "Mara", "c", stephFacts...)
	rep := w.run()
	for name, text := range own {
		if w.read(name) != text {
			t.Errorf("%s changed:\n%s", name, w.read(name))
		}
	}
	if rep.Status != dream.Consolidated || len(rep.Notes) != 2 || w.mark() != "2026-06-09" {
		t.Errorf("%+v, watermark %s", rep, w.mark())
	}
	w.has("memory/log.md", "dream "+rep.Run)
	if again := w.run(); again.Status != dream.NothingPending {
		t.Errorf("once more: %+v", again)
	}
	w.account()
	w.undo("")
	if w.mark() != "" {
		t.Errorf("the watermark after an undo is %s", w.mark())
	}
	w.remove("log.md") // the journal stays where it is
	w.run()
	if w.exists("log.md") || w.mark() != "2026-06-09" {
		t.Errorf("watermark %s\n%s", w.mark(), w.read("memory/log.md"))
	}
}

// A vault that somebody has is the same afterwards, but for the pages that facts were added to, and those lose nothing.
func TestRealVaultsStay(t *testing.T) {
	root := "../../shared/fixtures/vaults"
	vaults, err := os.ReadDir(root)
	if err != nil {
		t.Skip("the vaults are not here")
	}
	for _, v := range vaults {
		t.Run(v.Name(), func(t *testing.T) {
			notes := map[string]string{}
			if err := filepath.WalkDir(filepath.Join(root, v.Name()), func(name string, e os.DirEntry, err error) error {
				if err != nil || e.IsDir() {
					return err
				}
				data, err := os.ReadFile(name)
				rel, _ := filepath.Rel(filepath.Join(root, v.Name()), name)
				notes[filepath.ToSlash(rel)] = string(data)
				return err
			}); err != nil {
				t.Fatal(err)
			}
			for _, open := range []func(*testing.T, map[string]string) *world{adopted, rooted} {
				w := open(t, notes)
				w.tell("2026-06-09", "Mara", "c", stephFacts...)
				rep := w.run()
				if rep.Status != dream.Consolidated {
					t.Fatalf("%+v", rep)
				}
				filed := map[string]bool{}
				for _, l := range w.outcomes() {
					filed[string(l.Page)] = true
				}
				after := w.files()
				for _, name := range slices.Sorted(maps.Keys(notes)) {
					switch {
					case after[name] == notes[name]:
					case !filed[name]:
						t.Errorf("%s changed, and no fact was filed there", name)
					default:
						t.Logf("facts were filed on %s", name)
						w.survives(name, notes[name])
					}
				}
				w.undo("")
				for name, text := range notes {
					if w.read(name) != text {
						t.Errorf("%s is not as it was after an undo", name)
					}
				}
			}
		})
	}
}
