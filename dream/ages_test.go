package dream_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// touch gives a page the time of now, as git, a sync program or a typo elsewhere on the page do.
func (w *world) touch(name string) {
	w.t.Helper()
	if err := os.Chtimes(filepath.Join(w.dir, filepath.FromSlash(name)), w.now.AddDate(50, 0, 0), w.now.AddDate(50, 0, 0)); err != nil {
		w.t.Fatal(err)
	}
}

// How old the line of a person is, its own words say, and not the file.
func TestAgeOfALine(t *testing.T) {
	const hamburg, moved = "# Alice\n\n## Home\n- Alice lives in Hamburg\n", "[personal] Alice moved to Lüneburg #home"
	tick := func(w *world, now string) {
		w.set(now)
		if _, _, err := w.tick(); err != nil {
			t.Fatal(err)
		}
	}
	for name, tt := range map[string]struct {
		written       func(w *world)
		said          string
		current, past string
		asked         bool
	}{
		"there when somebody looked first": {func(w *world) {
			w.write(alice, hamburg)
			tick(w, "2026-06-05 03:00")
		}, "2026-06-08", "Lüneburg", "Hamburg", false},
		"written between two looks": {func(w *world) {
			tick(w, "2026-06-05 03:00")
			w.write(alice, hamburg)
			tick(w, "2026-06-06 03:00")
		}, "2026-06-08", "Lüneburg", "Hamburg", false},
		"written after it was said": {func(w *world) {
			tick(w, "2026-06-05 03:00")
			w.write(alice, hamburg)
			tick(w, "2026-06-06 03:00")
		}, "2026-06-04", "Hamburg", "Lüneburg", false},
		"the page says since when": {
			func(w *world) { w.write(alice, "---\ncreated: 2026-06-05\n---\n"+hamburg) },
			"2026-06-08", "Lüneburg", "Hamburg", false,
		},
		"the page is younger": {
			func(w *world) { w.write(alice, "---\ncreated: 2026-06-05\n---\n"+hamburg) },
			"2026-06-04", "Hamburg", "Lüneburg", false,
		},
		"nobody knows": {func(w *world) { w.write(alice, hamburg) }, "2026-06-08", "Hamburg", "", true},
		"another word elsewhere": {func(w *world) {
			w.write(alice, hamburg)
			tick(w, "2026-06-05 03:00")
			w.write(alice, hamburg+"- Alice likes teaa\n")
			tick(w, "2026-06-09 03:00")
		}, "2026-06-08", "Lüneburg", "Hamburg", false},
		"the line moved to another page": {func(w *world) {
			w.write("2_Wiki/Old.md", hamburg)
			tick(w, "2026-06-05 03:00")
			w.remove("2_Wiki/Old.md")
			w.write(alice, hamburg)
			tick(w, "2026-06-09 03:00")
		}, "2026-06-08", "Lüneburg", "Hamburg", false},
		"a clock was ahead": {func(w *world) {
			tick(w, "2027-06-05 03:00")
			w.set("2026-06-06 03:00")
			w.write(alice, hamburg)
		}, "2026-06-08", "Hamburg", "", true},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, "2026-06-01 03:00")
			tt.written(w)
			w.set("2026-06-10 03:00")
			w.restart() // what is known does not hang on the program
			w.touch(alice)
			w.tell(tt.said, "Alice", "c", moved)
			w.run()
			current, past := w.standing(alice)
			if !strings.Contains(current, tt.current) || !strings.Contains(past, tt.past) {
				t.Errorf("want %q now and %q in History:\n%s", tt.current, tt.past, w.read(alice))
			}
			if asked := strings.Contains(w.read(alice), "[!warning]"); asked != tt.asked {
				t.Errorf("asked: %v\n%s", asked, w.read(alice))
			}
			w.account()
		})
	}
}

// What one look found is written in one order, whoever looks.
func TestALookIsWrittenInOrder(t *testing.T) {
	w := newWorld(t, "2026-06-04 03:00")
	w.write(alice, "# Alice\n\n"+strings.Repeat("- Alice owns a cello\n- Alice owns a boat\n- Alice keeps bees\n- Alice plays chess\n", 2)+
		"- Alice likes figs\n- Alice paints\n- Alice runs\n- Alice sings\n")
	w.set("2026-06-05 03:00")
	if _, _, err := w.tick(); err != nil {
		t.Fatal(err)
	}
	var look struct{ Lines []string }
	if err := json.Unmarshal([]byte(w.read(".state/dream_lines.jsonl")), &look); err != nil {
		t.Fatal(err)
	}
	if len(look.Lines) < 8 || !slices.IsSorted(look.Lines) {
		t.Errorf("lines %q", look.Lines)
	}
}
