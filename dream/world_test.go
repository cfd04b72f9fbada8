package dream_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/reverie-memory/reverie/dream"
	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/vault"
)

func TestMain(m *testing.M) {
	if at := os.Getenv(childEnv + "_AT"); at != "" {
		child(at)
	}
	goleak.VerifyTestMain(m)
}

// scratch is a folder for one test, in memory where the system has such: these tests sync many thousand times, and nothing of
// them has to outlive the machine.
func scratch(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "dream")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// at sets what happens the first time that a run comes to a phase.
func (w *world) at(phase string, do func()) {
	done := false
	w.during = func(p dream.Progress) {
		if p.Phase == phase && !done {
			done = true
			do()
		}
	}
}

// save writes a file as editors do: a new file takes the place of the old one.
func (w *world) save(name, text string) {
	w.t.Helper()
	w.write(name+"~", text)
	full := filepath.Join(w.dir, filepath.FromSlash(name))
	if err := os.Rename(full+"~", full); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) exists(name string) bool {
	_, err := os.Lstat(filepath.Join(w.dir, filepath.FromSlash(name)))
	return err == nil
}

func (w *world) remove(name string) {
	w.t.Helper()
	if err := os.RemoveAll(filepath.Join(w.dir, filepath.FromSlash(name))); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) forget(texts ...string) {
	w.t.Helper()
	var stones []vault.Tombstone
	for _, text := range texts {
		stones = append(stones, vault.Tombstone{Text: text, Reason: "asked", Scope: "fact"})
	}
	if err := w.v.Forget(w.t.Context(), stones); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) undo(run string) dream.UndoReport {
	w.t.Helper()
	rep, err := w.r.Undo(w.t.Context(), run)
	if err != nil {
		w.t.Fatalf("undo of %q: %v %+v", run, err, rep)
	}
	return rep
}

func (w *world) mark() vault.Day {
	w.t.Helper()
	day, _, err := w.v.Watermark()
	if err != nil {
		w.t.Fatal(err)
	}
	return day
}

func (w *world) has(name, text string) {
	w.t.Helper()
	if !strings.Contains(w.read(name), text) {
		w.t.Errorf("%s lacks %q:\n%s", name, text, w.read(name))
	}
}

func (w *world) lacks(name, text string) {
	w.t.Helper()
	if w.exists(name) && strings.Contains(w.read(name), text) {
		w.t.Errorf("%s has %q:\n%s", name, text, w.read(name))
	}
}

// same compares two pictures of a vault; files named in except may differ.
func same(t *testing.T, what string, got, want map[string]string, except ...string) {
	t.Helper()
	names := maps.Clone(got)
	maps.Copy(names, want)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if slices.Contains(except, name) || got[name] == want[name] {
			continue
		}
		if _, ok := want[name]; !ok {
			t.Errorf("%s: %s is there\n%s", what, name, got[name])
			continue
		}
		if _, ok := got[name]; !ok {
			t.Errorf("%s: %s is not there", what, name)
			continue
		}
		t.Errorf("%s: %s differs\n--- want\n%s\n--- got\n%s", what, name, want[name], got[name])
	}
}

// said is the section and state of every statement in the zones, by text.
func (w *world) said() map[string]string {
	out := map[string]string{}
	for name, data := range w.pages() {
		if !strings.Contains(name, "/") || strings.HasPrefix(name, "memory/") {
			continue
		}
		for _, st := range page.Parse(vault.Path(name), []byte(data)).Statements() {
			out[name+": "+st.Text] = st.Section
		}
	}
	return out
}

// account checks the books: every fact up to the watermark is in exactly one finished ledger, or was skipped, and each that was
// not dropped is named on a page, unless a person's own line says it, or one that is trusted more.
func (w *world) account() {
	w.t.Helper()
	runs, err := w.v.ListState("dreams")
	if err != nil {
		w.t.Fatal(err)
	}
	lines, versions := map[page.Source][]dream.LedgerLine{}, map[page.Source]string{}
	for _, f := range w.facts() {
		versions[page.Source{Day: f.Day, ID: f.ID}] = f.Version()
	}
	for _, run := range runs {
		if w.exists(".state/dreams/"+run+"/undone") || !w.exists(".state/dreams/"+run+"/done") {
			continue
		}
		for raw := range strings.Lines(w.read(".state/dreams/" + run + "/ledger.jsonl")) {
			var l dream.LedgerLine
			if err := json.Unmarshal([]byte(raw), &l); err != nil {
				w.t.Error(err)
			}
			s := page.Source{Day: l.Day, ID: l.Fact}
			if now, ok := versions[s]; !ok || now == l.Version { // of the words that the line has now
				lines[s] = append(lines[s], l)
			}
		}
	}
	named := map[page.Source]bool{}
	for name, data := range w.pages() {
		if strings.Contains(name, "/") && !strings.HasPrefix(name, "memory/") {
			for l := range strings.Lines(data) {
				for _, s := range page.Sources(strings.TrimSpace(l)) {
					named[s] = true
				}
			}
		}
	}
	skipped := ""
	if w.exists(".state/dream_skipped.jsonl") {
		skipped = w.read(".state/dream_skipped.jsonl")
	}
	tombs, err := w.v.Tombstones()
	if err != nil {
		w.t.Fatal(err)
	}
	mark := w.mark()
	for _, f := range w.facts() {
		s := page.Source{Day: f.Day, ID: f.ID}
		got := lines[s]
		delete(lines, s)
		if f.Day > mark {
			continue
		}
		_, dead := tombs.Match(f.Text)
		switch {
		case len(got) > 1 && got[0].Page != "0_Inbox/Unconfirmed.md" &&
			got[0].Page != "0_Inbox/Unfiled.md": // what waited there has a second when a person lets it go on
			w.t.Errorf("%s %s %q has %d outcomes", f.Day, f.ID, f.Text, len(got))
		case len(got) == 0:
			if !dead && !strings.Contains(skipped, f.ID) {
				w.t.Errorf("%s %s %q has no outcome", f.Day, f.ID, f.Text)
			}
		case got[0].Outcome == dream.Dropped && got[0].Reason == "":
			w.t.Errorf("%s %s %q was dropped for no reason", f.Day, f.ID, f.Text)
		case got[0].Outcome != dream.Dropped && !named[s] && !dead && !w.gone[s] &&
			!strings.Contains(got[0].Reason, "person") && !strings.Contains(got[0].Reason, "trusted"):
			w.t.Errorf("%s %s %q is %s on %s, and no page names it", f.Day, f.ID, f.Text, got[0].Outcome, got[0].Page)
		}
	}
}

// facts are all facts of all days.
func (w *world) facts() []vault.Fact {
	w.t.Helper()
	days, err := w.v.Days(vault.ArchiveDir)
	if err != nil {
		w.t.Fatal(err)
	}
	var out []vault.Fact
	for _, day := range days {
		data, err := w.v.ReadFile(vault.LogPath(day))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			w.t.Fatal(err)
		}
		out = append(out, vault.ParseLog(vault.LogPath(day), data).Facts...)
	}
	return out
}

// files are all files of the vault, hidden ones too.
func (w *world) files() map[string]string {
	w.t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(w.dir, func(name string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		rel, _ := filepath.Rel(w.dir, name)
		out[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return out
}

// grep lists the files that hold the text, whatever its case.
func (w *world) grep(text string) []string {
	w.t.Helper()
	var out []string
	for name, data := range w.files() {
		if strings.Contains(strings.ToLower(data), strings.ToLower(text)) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

var errCrash = errors.New("the machine stopped")

// crashAt lets n steps that change the disk happen, and no more until restart.
func (w *world) crashAt(n int) {
	w.steps = 0
	w.ask = func(string, vault.Path) error {
		if w.steps++; w.steps > n {
			return errCrash
		}
		return nil
	}
	w.limit = n
}

func (w *world) crashed() bool { return w.steps > w.limit }

// restart opens the vault anew, as a program that starts after a crash does.
func (w *world) restart() {
	w.t.Helper()
	_ = w.v.Close()
	w.ask, w.during, w.fail = nil, nil, nil
	w.open()
}

// clone is another vault with the same bytes.
func (w *world) clone() *world {
	w.t.Helper()
	c := &world{t: w.t, dir: scratch(w.t), now: w.now}
	c.opt.Model, c.opt.Gate = w.opt.Model, w.opt.Gate
	if err := os.CopyFS(c.dir, os.DirFS(w.dir)); err != nil {
		w.t.Fatal(err)
	}
	c.open()
	return c
}

// drop takes a vault away before its test ends.
func (w *world) drop() {
	w.t.Helper()
	if err := errors.Join(w.v.Close(), os.RemoveAll(w.dir)); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) chmod(name string, mode os.FileMode) {
	w.t.Helper()
	if err := os.Chmod(filepath.Join(w.dir, filepath.FromSlash(name)), mode); err != nil {
		w.t.Fatal(err)
	}
}
