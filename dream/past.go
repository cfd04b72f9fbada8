package dream

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/vault"
)

// A Past is what runs changed since a time.
type Past struct {
	Runs  map[string]bool // that changed something since
	Pages map[vault.Path]PastPage
}

// A PastPage is a file as it was before a run changed it.
type PastPage struct {
	Run  string
	Lost bool // the run's copies are gone: an undo would not bring it back either

	// Text reads it; fs.ErrNotExist where the copy is gone. Nil: there was none, or it is lost.
	Text func() ([]byte, error)
}

// Past tells how the files were at a time that runs changed since, as their copies show: each as it was before the first of those runs.
// Between that run and the one before it a person may have edited the file, which no copy tells. Runs that were taken back changed
// nothing. What was forgotten since stands in none of the texts. The answer is for one goroutine.
func (r *Runner) Past(ctx context.Context, at time.Time) (Past, error) {
	out := Past{Runs: map[string]bool{}, Pages: map[vault.Path]PastPage{}}
	runs, err := r.Runs(ctx) // the newest first
	if err != nil {
		return out, err
	}
	tombs, err := r.o.Vault.Tombstones()
	if err != nil {
		return out, err
	}
	past, logs := out.Pages, newLogCache(r.o.Vault)
	for _, rep := range runs {
		if rep.Undone || !rep.Started.After(at) || r.store.stage(rep.Run) != isDone {
			continue
		}
		out.Runs[rep.Run] = true
		if r.store.has(rep.Run, prunedFile) {
			for _, name := range r.where.navigationFiles() { // which every run may change
				past[name] = PastPage{Run: rep.Run, Lost: true}
			}
		}
		for _, c := range rep.Pages {
			past[c.Path] = PastPage{Run: rep.Run, Lost: c.Change != created} // of one that it made, there is nothing to keep
		}
		list, err := r.store.images(rep.Run)
		if err != nil {
			return out, fmt.Errorf("reading the copies of run %s: %w", rep.Run, err)
		}
		for _, im := range list {
			p := PastPage{Run: rep.Run, Lost: im.File == "" && im.Before != vault.Hash{}} // a purge takes the copies of lists
			if im.File != "" {
				p.Text = func() ([]byte, error) {
					data, err := r.store.read(rep.Run, imagesFolder+im.File)
					if err != nil {
						return nil, fmt.Errorf("reading a copy of run %s: %w", rep.Run, err)
					}
					return remembered(im.Path, data, tombs, logs)
				}
			}
			past[im.Path] = p
		}
	}
	return out, nil
}

// remembered is a page with empty lines for what was forgotten: its words, or a fact that it rests on.
func remembered(name vault.Path, data []byte, tombs *vault.Tombstones, logs *logCache) ([]byte, error) {
	if tombs.Empty() {
		return data, nil
	}
	forgotten := func(text string, src []page.Source) (bool, error) {
		_, dead := tombs.Match(text)
		for _, s := range src {
			f, ok, err := logs.fact(s)
			if err != nil {
				return false, fmt.Errorf("reading what %s rests on: %w", name, err)
			}
			dead = dead || !ok || tombs.Visible(f.Text) != f.Text
		}
		return dead, nil
	}
	doc, gone := page.Parse(name, data), map[string]bool{}
	for _, st := range doc.Tellings() {
		dead, err := forgotten(st.Text, st.Sources)
		if err != nil {
			return nil, err
		}
		for _, l := range st.Lines() {
			gone[l] = gone[l] || dead
		}
	}
	var out []byte
	for line := range bytes.Lines(data) {
		if gone[strings.TrimRight(string(line), "\r\n")] {
			line = []byte("\n") // the lines below keep their numbers
		}
		out = append(out, line...)
	}
	return out, nil
}

// Younger says whether a page, as it lies there, may have lines that [Runner.Since] tells of. Younger reads nothing.
func (r *Runner) Younger(p vault.Path, info vault.FileInfo, day vault.Day) bool {
	if !r.where.aged(p) {
		return false
	}
	r.ages.mu.Lock()
	defer r.ages.mu.Unlock()
	was, ok := r.ages.pages[p]
	return !ok || was.FileInfo != info || was.newest > day
}

// Since tells which lines of a page people wrote after a day, by their numbers, and whether that is all that the page says: then it is not
// older. Of a line that stood there when somebody looked first it is only known that it is not younger than that; with seen it counts from
// then. Files that are no pages have none.
func (r *Runner) Since(p vault.Path, data []byte, day vault.Day, seen bool) (lines map[int]bool, all bool, err error) {
	lines, all = map[int]bool{}, true
	if !r.where.aged(p) {
		return lines, false, nil
	}
	r.ages.mu.Lock()
	defer r.ages.mu.Unlock()
	if err := r.ages.load(r.o.Vault); err != nil {
		return nil, false, fmt.Errorf("reading since when lines stand: %w", err)
	}
	doc := page.Parse(p, data)
	pg, today, began := doc.Page(), vault.DayOf(r.o.Vault.Now()), map[int]bool{}
	later := func(key uint64, isNew bool) bool {
		a := r.ages.found(key, pg, today, isNew)
		return a.day > day && (seen || !a.until)
	}
	for _, st := range doc.Statements() {
		began[st.Line] = true
		if len(st.Sources) == 0 && !st.History && later(textHash(st.Text), isCore(p)) { // what was moved there has other words than it had
			lines[st.Line] = true
		} else {
			all = false
		}
	}
	for _, b := range prose(doc, data) {
		if !later(b.key, true) {
			all = false
			continue
		}
		for n := b.from; n <= b.to; n++ {
			lines[n] = true
		}
	}
	n := 0
	for text := range bytes.Lines(data) { // the further lines of a paragraph or an item go with its first
		n++
		text = bytes.TrimSpace(text)
		if lines[n-1] && !began[n] && len(text) > 0 && text[0] != '#' {
			lines[n] = true
		}
	}
	return lines, all && len(lines) > 0, nil
}
