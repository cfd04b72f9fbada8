package dream_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/dream"
	"github.com/reverie-memory/reverie/dream/page"
	notebooktemplate "github.com/reverie-memory/reverie/notebook-template"
	"github.com/reverie-memory/reverie/vault"
)

// A world is a vault with a runner over it, and a clock that tests set.
type world struct {
	t       *testing.T
	dir     string
	v       *vault.Vault
	now     time.Time
	opt     dream.Options
	r       *dream.Runner
	fail    func(p vault.Path) error // of the index
	losing  bool                     // the index finds nothing on pages
	unfound []string                 // facts that it does not find there
	during  func(dream.Progress)
	ask     func(op string, p vault.Path) error // before each change of the disk
	steps   int                                 // that were asked about since crashAt
	limit   int
	gone    map[page.Source]bool // whose lines a person took off the pages
	lost    string               // the line that a test took out of a log
}

func newWorld(t *testing.T, now string) *world {
	t.Helper()
	w := &world{t: t, dir: scratch(t)}
	w.set(now)
	if _, err := vault.Init(w.dir, notebooktemplate.Files); err != nil {
		t.Fatal(err)
	}
	w.open()
	return w
}

func (w *world) set(now string) {
	w.t.Helper()
	at, err := time.Parse("2006-01-02 15:04", now)
	if err != nil {
		w.t.Fatal(err)
	}
	w.now = at
}

// open opens the vault as a program that starts does.
func (w *world) open() {
	w.t.Helper()
	v, err := vault.Open(w.dir, w.vaultOptions()...)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { v.Close() })
	w.wire(v)
}

func (w *world) vaultOptions() []vault.Option {
	clock := vault.WithClock(func() time.Time { return w.now })
	return []vault.Option{clock, vault.WithFaults(func(op string, p vault.Path) error {
		if w.ask == nil {
			return nil
		}
		return w.ask(op, p)
	})}
}

func (w *world) wire(v *vault.Vault) {
	w.v = v
	w.opt.Vault, w.opt.Index, w.opt.Enabled, w.opt.Days = v, w, true, w.days
	if w.opt.Gate == (dream.Gate{}) {
		w.opt.Gate = dream.Gate{MinHours: 24, MinFacts: 20, MaxDays: 14, MaxRetries: 3}
	}
	w.opt.Progress = func(p dream.Progress) {
		if w.during != nil {
			w.during(p)
		}
	}
	w.r = dream.New(w.opt)
}

// days counts facts as the index would.
func (w *world) days(_ context.Context, leaveOut dream.Skipped) ([]dream.DayCount, error) {
	days, err := w.v.Days(vault.ArchiveDir)
	if err != nil {
		return nil, err
	}
	known, err := w.v.Accounted()
	if err != nil {
		return nil, err
	}
	mark, _, err := w.v.Watermark()
	if err != nil {
		return nil, err
	}
	tombs, err := w.v.Tombstones()
	if err != nil {
		return nil, err
	}
	var out []dream.DayCount
	for _, day := range days {
		data, err := w.v.ReadFile(vault.LogPath(day))
		if err != nil {
			return nil, err
		}
		n := 0
		for _, f := range vault.ParseLog(vault.LogPath(day), data).Facts {
			_, dead := tombs.Match(f.Text)
			if !(known.Covers(&f) && day <= mark) && !leaveOut.Has(&f) && !dead {
				n++
			}
		}
		out = append(out, dream.DayCount{Day: day, Facts: n})
	}
	return out, nil
}

func (w *world) Sync(_ context.Context, paths ...vault.Path) error {
	for _, p := range paths {
		if w.fail != nil {
			if err := w.fail(p); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *world) Finds(_ context.Context, pages bool, probes []dream.Probe) ([]bool, error) {
	out := make([]bool, len(probes))
	for i, pr := range probes {
		out[i] = !pages || !w.losing && !slices.Contains(w.unfound, pr.Fact) &&
			pr.Line != "" && strings.Contains(w.read(string(pr.Page)), pr.Fact)
	}
	return out, nil
}

func (w *world) Search(context.Context, string, int) ([]string, error) { return nil, nil }

func (w *world) read(name string) string {
	if w.t != nil { // nil in a child
		w.t.Helper()
	}
	data, err := os.ReadFile(filepath.Join(w.dir, filepath.FromSlash(name)))
	if err != nil {
		w.t.Fatal(err)
	}
	return string(data)
}

func (w *world) write(name, text string) {
	w.t.Helper()
	full := filepath.Join(w.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(full), 0o700); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) edit(name, from, to string) {
	w.t.Helper()
	text := w.read(name)
	if !strings.Contains(text, from) {
		w.t.Fatalf("%s lacks %q:\n%s", name, from, text)
	}
	w.write(name, strings.Replace(text, from, to, 1))
}

// tell adds facts of a day: "[category] text #tag" each, by a speaker.
func (w *world) tell(day, speaker, chat string, facts ...string) []string {
	w.t.Helper()
	at, err := time.Parse("2006-01-02", day)
	if err != nil {
		w.t.Fatal(err)
	}
	sf := vault.SectionFacts{Section: vault.Section{
		At: at.Add(9 * time.Hour), ChatID: chat, Speaker: speaker, Origin: vault.OriginUser,
		Ref: day + chat, Drawer: vault.DeriveID('d', day, chat),
	}}
	for _, text := range facts {
		f := vault.Fact{Category: vault.DefaultCategory}
		if c, rest, ok := strings.Cut(strings.TrimPrefix(text, "["), "] "); ok && strings.HasPrefix(text, "[") {
			f.Category, text = c, rest
		}
		words := strings.Fields(text)
		for len(words) > 0 && strings.HasPrefix(words[len(words)-1], "#") {
			f.Tags = append(f.Tags, words[len(words)-1][1:])
			words = words[:len(words)-1]
		}
		f.Text = strings.Join(words, " ")
		f.ID = vault.DeriveID('f', day, chat, f.Text)
		sf.Facts = append(sf.Facts, f)
	}
	out, err := w.v.AppendFacts(w.t.Context(), []vault.SectionFacts{sf})
	if err != nil {
		w.t.Fatal(err)
	}
	var ids []string
	for _, f := range out {
		ids = append(ids, f.ID)
	}
	return ids
}

func (w *world) run() dream.Report {
	w.t.Helper()
	rep, err := w.r.Run(w.t.Context(), dream.Request{Forced: true})
	if err != nil {
		w.t.Fatal(err)
	}
	w.whole(rep)
	return rep
}

// whole checks that the outcomes of a report add up.
func (w *world) whole(rep dream.Report) {
	w.t.Helper()
	n := 0
	for _, c := range rep.Ledger {
		n += c
	}
	if rep.Status == dream.Consolidated && n != rep.Facts {
		w.t.Errorf("%d facts, %d outcomes: %v", rep.Facts, n, rep.Ledger)
	}
}

// pages are all files that a person sees, by name.
func (w *world) pages() map[string]string {
	out := map[string]string{}
	_ = filepath.WalkDir(w.dir, func(name string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			if e != nil && e.Name() == ".state" {
				return filepath.SkipDir
			}
			return err
		}
		rel, _ := filepath.Rel(w.dir, name)
		data, _ := os.ReadFile(name)
		if !strings.HasPrefix(e.Name(), ".") {
			out[filepath.ToSlash(rel)] = string(data)
		}
		return nil
	})
	return out
}

func (w *world) dump() string {
	var b strings.Builder
	pages := w.pages()
	var names []string
	for name := range pages {
		if !strings.HasPrefix(name, "memory/archive") && name != "schema.md" && name != "memory/persona.md" && name != "memory/user.md" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(&b, "=== %s\n%s", name, pages[name])
	}
	return b.String()
}

func exampleFacts(w *world) {
	w.tell("2026-06-08", "Alice", "claude-code-7f3a", "[decision] The billing service uses MongoDB for invoices #billing #database",
		"[fact] The billing service runs on port 8443 #billing")
	w.tell("2026-06-08", "Alice", "phone-12", "[personal] Alice lives in Paris #home", "[health] Alice is allergic to peanuts #food",
		"[personal] Alice's sister Noor has her birthday on 4 March #family")
	w.tell("2026-06-09", "Alice", "claude-code-91bd",
		"[decision] The billing service switched from MongoDB to PostgreSQL because invoices need transactions #billing #database",
		"[task] Move the invoice archive to PostgreSQL by 20 June #billing")
	w.tell("2026-06-09", "Alice", "phone-13", "[personal] Alice moved to Berlin #home", "[health] Alice has a peanut allergy #food",
		"[personal] Noor's birthday is on 14 March #family")
}
