package dream_test

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/dream"
	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/vault"
)

var (
	lives = flag.Int("lives", 30, "how many random lives TestLives lives")
	loud  = flag.Bool("loud", false, "tell each step of a life")
)

// A history is a vault with what has to be true of it.
type history struct {
	*world
	life
	day   time.Time
	n     int
	mine  map[string]string // lines of a person that have to stand, with the page they were written to
	step  string
	steps []string
	dirty bool // a person meddled under the last run
}

// Whatever happens to a vault, in whatever order: every fact has one outcome and stands where that says, what was forgotten
// stands nowhere, what a person wrote stands as they wrote it, and another run finds nothing to do.
func TestLives(t *testing.T) {
	n := *lives
	if testing.Short() {
		n = 5
	}
	for i := range n {
		s := *seed
		if s == 0 {
			s = rand.Uint64()
		} else {
			s += uint64(i)
		}
		if !liveOnce(t, s) {
			t.Fatalf("-seed %d", s)
		}
	}
}

func liveOnce(t *testing.T, seed uint64) bool {
	h := &history{
		world: newWorld(t, "2026-06-02 03:00"), life: life{rand.New(rand.NewPCG(seed, 2))}, day: time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC), mine: map[string]string{},
	}
	h.gone = map[page.Source]bool{}
	for range 14 {
		h.tellSome()
		h.next()
		h.act()
		h.settle()
		if t.Failed() {
			t.Logf("seed %d, after %s\n%s\n%s", seed, strings.Join(h.steps, "; "), h.dump(), h.read("memory/MEMORY.md"))
			return false
		}
	}
	h.drop()
	return true
}

func (h *history) tellSome() {
	for chat := range h.IntN(3) {
		var facts []string
		for range 1 + h.IntN(4) {
			facts = append(facts, h.fact())
		}
		on := h.day
		if h.IntN(4) == 0 {
			on = on.AddDate(0, 0, -h.IntN(6))
		}
		h.tell(on.Format(time.DateOnly), h.pick("Alice", "Noor", ""), fmt.Sprint(h.day.Format("0102"), "-", chat), facts...)
	}
}

func (h *history) next() {
	h.day = h.day.AddDate(0, 0, 1)
	h.set(h.day.Format(time.DateOnly) + " 03:00")
}

func (h *history) note(format string, args ...any) {
	h.step = fmt.Sprintf(format, args...)
	h.steps = append(h.steps, h.step)
	if *loud {
		fmt.Println(h.step)
		if h.exists("memory/MEMORY.md") {
			fmt.Println(h.read("memory/MEMORY.md"))
		}
	}
}

// act is one thing that happens, perhaps cut off, perhaps with a person at work meanwhile.
func (h *history) act() {
	h.during = nil
	h.dirty = false
	if h.IntN(4) == 0 {
		phase := h.pick("plan", "apply", "index", "navigate")
		h.at(phase, func() { h.dirty = true; h.note("in %s:", phase); h.edits() })
	}
	if h.IntN(3) == 0 {
		n := h.IntN(180)
		h.note("cut off at %d:", n)
		h.crashAt(n)
		h.do()
		h.restart()
	} else {
		h.do()
	}
	h.during = nil
	for range h.IntN(3) {
		h.edits()
	}
}

func (h *history) do() {
	ctx := h.t.Context()
	var err error
	switch h.IntN(10) {
	default:
		h.note("dream")
		_, err = h.r.Run(ctx, dream.Request{Forced: true})
	case 6:
		h.note("undo")
		run := ""
		if runs, rerr := h.r.Runs(ctx); rerr == nil && len(runs) > 0 && h.IntN(2) == 0 {
			run = runs[h.IntN(len(runs))].Run
		}
		_, err = h.r.Undo(ctx, run)
		for _, known := range []error{dream.ErrClash, dream.ErrUndone, dream.ErrNoRun, dream.ErrSealed} {
			if errors.Is(err, known) {
				err = nil
			}
		}
	case 7:
		if text := h.anyFact(); text != "" {
			h.note("forget %q", text)
			h.forgetSafely(text)
			_, err = h.r.Unmention(ctx)
		}
	case 8:
		if text := h.anyFact(); text != "" {
			h.note("forget %q, later", text)
			h.forgetSafely(text)
		}
	case 9:
		if text := h.anyFact(); text != "" {
			h.note("purge %q", text)
			err = h.purgeSafely(text)
		}
	}
	if err != nil && !h.crashed() {
		h.t.Errorf("%s: %v", h.step, err)
	}
}

func (h *history) crashed() bool { return h.ask != nil && h.world.crashed() }

func (h *history) anyFact() string {
	facts := h.facts()
	if len(facts) == 0 {
		return ""
	}
	return facts[h.IntN(len(facts))].Text
}

func (h *history) forgetSafely(text string) {
	if err := h.v.Forget(h.t.Context(), []vault.Tombstone{{Text: text, Reason: "asked", Scope: "fact"}}); err != nil && !h.crashed() {
		h.t.Error(err)
	}
}

func (h *history) purgeSafely(text string) error {
	h.forgetSafely(text)
	if _, err := h.r.Unmention(h.t.Context()); err != nil {
		return err
	}
	tombs, err := h.v.Tombstones()
	if err != nil {
		return err
	}
	gone := func(text string) bool { _, ok := tombs.Match(text); return ok }
	for _, f := range h.facts() {
		if !gone(f.Text) {
			continue
		}
		name := string(vault.LogPath(f.Day))
		var kept strings.Builder
		for l := range strings.Lines(h.read(name)) {
			if !strings.Contains(l, "^"+f.ID) && !strings.Contains(l, f.Text) {
				kept.WriteString(l)
			}
		}
		h.write(name, kept.String())
	}
	_, err = h.r.Purge(h.t.Context(), gone)
	return err
}

// edits is what a person does to a page.
func (h *history) edits() {
	var pages []string
	for name := range h.pages() {
		if strings.HasPrefix(name, "1_") || strings.HasPrefix(name, "2_") || strings.HasPrefix(name, "3_") {
			pages = append(pages, name)
		}
	}
	if len(pages) == 0 {
		return
	}
	slices.Sort(pages)
	name := pages[h.IntN(len(pages))]
	text := h.read(name)
	lines := strings.SplitAfter(text, "\n")
	body := 0 // first line behind the frontmatter
	if strings.HasPrefix(text, "---\n") {
		body = strings.Count(text[:strings.Index(text, "\n---\n")+5], "\n")
	}
	i := body + h.IntN(len(lines)-body)
	h.n++
	mine := func(format string) string {
		l := fmt.Sprintf(format, h.n)
		h.mine[strings.TrimSpace(l)] = name
		return l + "\n"
	}
	if i > 0 && !strings.HasSuffix(lines[i-1], "\n") {
		lines[i-1] += "\n"
	}
	kind := h.IntN(13)
	h.note("edit %d of %s:%d", kind, name, i+1)
	switch kind {
	case 0:
		lines = slices.Insert(lines, i, mine("- A person wrote line %d"))
	case 1:
		lines = slices.Insert(lines, i, mine("A person went on with words %d"))
	case 2:
		lines = slices.Insert(lines, i, mine("    - A person put note %d below"))
	case 3:
		lines = slices.Insert(lines, i, mine("  a person broke words %d"))
	case 4:
		lines = append(lines, "\n## Notes of mine\n\n", mine("Text %d."))
	case 5:
		lines[i] = strings.Replace(lines[i], " is ", " surely is ", 1)
		lines[i] = strings.Replace(lines[i], " likes ", " surely likes ", 1)
	case 6:
		h.answer(strings.Replace, "- [ ]", "- [x]")
		return
	case 7:
		h.answer(strings.Replace, "- [ ] [[", "- [ ]  [[") // nothing
		if h.exists(conflicts) && strings.Contains(h.read(conflicts), "- [ ]") {
			h.dropLine(conflicts, "- [ ]")
		}
		return
	case 8:
		if h.IntN(3) > 0 {
			return
		}
		for l, at := range h.mine {
			if at == name {
				delete(h.mine, l)
			}
		}
		for l := range strings.Lines(text) {
			for _, s := range page.Sources(strings.TrimSpace(l)) {
				h.gone[s] = true
			}
		}
		h.remove(name)
		return
	case 9:
		to := strings.TrimSuffix(name, ".md") + " (moved).md"
		if h.IntN(3) > 0 || h.exists(to) {
			return
		}
		if err := os.Rename(filepath.Join(h.dir, name), filepath.Join(h.dir, to)); err != nil {
			h.t.Fatal(err)
		}
		for l, at := range h.mine {
			if at == name {
				h.mine[l] = to
			}
		}
		return
	case 10: // a line of ours into a quote, or off its bullet
		if strings.HasPrefix(lines[i], "- ") && strings.Contains(lines[i], "#^") {
			lines[i] = h.pick("> ", "  ", "> [!note] Mine\n> ", "1. ", "- [ ] ") + lines[i]
		}
	case 11: // a line of ours moves
		if strings.HasPrefix(lines[i], "- ") && strings.Contains(lines[i], "#^") {
			l := lines[i]
			lines = slices.Delete(lines, i, i+1)
			lines = append(lines, "\n", l)
		}
	case 12: // and one goes
		if strings.HasPrefix(lines[i], "- ") && strings.Contains(lines[i], "#^") {
			return // its fact would stand nowhere: that is theirs to say, and account cannot know
		}
		if h.exists("memory/MEMORY.md") {
			h.write("memory/MEMORY.md", h.read("memory/MEMORY.md")+mine("- A person added claim %d"))
			h.mine[fmt.Sprintf("- A person added claim %d", h.n)] = "memory/MEMORY.md"
		}
		return
	}
	h.save(name, strings.Join(lines, ""))
}

func (h *history) answer(how func(s, from, to string, n int) string, from, to string) {
	if h.exists(conflicts) {
		h.write(conflicts, how(h.read(conflicts), from, to, 1))
	}
}

// settle lets the vault come to rest and checks it.
func (h *history) settle() {
	h.drain()
	h.account()
	before := h.pages()
	if rep := h.run(); rep.Status != dream.NothingPending {
		h.t.Errorf("once more: %+v", rep)
	}
	same(h.t, "once more", h.pages(), before)
	h.forgotten()
	h.standing()
}

// forgotten checks that no page names a fact that was forgotten, or tells it.
func (h *history) forgotten() {
	tombs, err := h.v.Tombstones()
	if err != nil {
		h.t.Fatal(err)
	}
	dead := map[page.Source]string{}
	texts := map[string]bool{}
	for _, f := range h.facts() {
		if _, gone := tombs.Match(f.Text); gone {
			dead[page.Source{Day: f.Day, ID: f.ID}] = f.Text
			texts[lexis.Fold(f.Text)] = true
		}
	}
	for name, data := range h.pages() {
		if strings.HasPrefix(name, "memory/archive/") {
			continue
		}
		for l := range strings.Lines(data) {
			for _, s := range page.Sources(strings.TrimSpace(l)) {
				if text, gone := dead[s]; gone && !tells(l) {
					h.t.Errorf("%s names %q, which was forgotten: %s", name, text, l)
				}
			}
			if _, gone := tombs.Match(page.Shown(strings.TrimLeft(l, " \t>-"))); gone && strings.TrimSpace(l) != "" {
				h.t.Errorf("%s tells what was forgotten: %s", name, l)
			}
		}
	}
}

// tells says whether a line still rests on more than one source.
func tells(l string) bool { return len(page.Sources(strings.TrimSpace(l))) > 1 }

// standing checks the lines of the person.
func (h *history) standing() {
	have := map[string]bool{}
	for _, data := range h.pages() {
		for l := range strings.Lines(data) {
			have[strings.TrimSpace(l)] = true
		}
	}
	for _, l := range slices.Sorted(maps.Keys(h.mine)) {
		if !have[l] {
			h.t.Errorf("the line %q of a person on %s is gone", l, h.mine[l])
		}
	}
}
