package dream

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/dream/merge"
	"github.com/reverie-memory/reverie/dream/navigate"
	"github.com/reverie-memory/reverie/vault"
)

// An UndoReport tells what an undo did, or, with [ErrClash], why it did nothing.
type UndoReport struct {
	Run       string       `json:"run_id"`
	Restored  []vault.Path `json:"restored"`
	Kept      []vault.Path `json:"kept"`           // edited since, in other lines: the edits stand
	Gone      []vault.Path `json:"gone,omitempty"` // a person deleted, moved or renamed it: that stands
	Clashes   []string     `json:"clashes,omitempty"`
	Watermark vault.Day    `json:"watermark"`
}

// Undo takes a run back: its pages, MEMORY.md, the lists in 0_Inbox and, where it was the last one, the watermark. Edits made
// since stand; where a person edited the very lines that would change, nothing is undone and the report names them. run "" is
// the newest that was not undone. The facts of the run are pending again.
func (r *Runner) Undo(ctx context.Context, run string) (UndoReport, error) {
	end, err := r.begin()
	if err != nil {
		return UndoReport{}, err
	}
	defer end()
	half, err := r.store.newest(isUndoing)
	if err != nil {
		return UndoReport{Run: run}, err
	}
	if half != "" {
		if rep, err := r.takeBack(ctx, half); err != nil || run == "" || run == half {
			return rep, err
		}
	}
	if run, err = r.undoable(run); err != nil {
		return UndoReport{Run: run}, err
	}
	return r.takeBack(ctx, run)
}

// undoable finds the run.
func (r *Runner) undoable(run string) (string, error) {
	if run == "" {
		run, err := r.store.newest(isDone)
		if err == nil && run == "" {
			err = fmt.Errorf("%w: none is left to undo", ErrNoRun)
		}
		return run, err
	}
	if !isRun(run) {
		return run, noRun(run)
	}
	switch r.store.stage(run) {
	case isDone:
	case isUndone:
		return run, fmt.Errorf("%w: %s", ErrUndone, run)
	default:
		return run, noRun(run)
	}
	return run, nil
}

// An edit is a file as an undo will leave it.
type edit struct {
	path   vault.Path
	now    vault.Hash
	data   []byte
	remove bool
	clash  bool // a person edited the very lines
}

// reverse works out every file as it would be without the run, before any is written.
func (r *Runner) reverse(plan *Plan, list []image, rep *UndoReport) ([]edit, error) {
	var out []edit
	for _, im := range list {
		if plan.of(im.Path) == nil { // the journal, and what is generated from the pages
			continue
		}
		var pre []byte
		var err error
		if im.File != "" {
			if pre, err = r.store.read(plan.Run, imagesFolder+im.File); err != nil {
				return nil, err
			}
		}
		now, err := r.o.Vault.ReadFile(im.Path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		if errors.Is(err, fs.ErrNotExist) {
			now = nil
		}
		if r.where.isList(im.Path) {
			out = r.where.unlisted(out, plan, im, pre, now)
			continue
		}
		pp := plan.of(im.Path)
		if pp.taken() {
			if now == nil {
				out, rep.Restored = append(out, edit{path: im.Path, data: pre}), append(rep.Restored, im.Path)
			}
			continue
		}
		post, err := r.where.apply(pp.Path, pre, pp.Ops, vault.DayOf(plan.Started))
		if err != nil {
			return nil, fmt.Errorf("working out how the run left %s: %w", pp.Path, err)
		}
		if now == nil {
			rep.Gone = append(rep.Gone, im.Path)
		}
		e, clash := reversed(im.Path, pre, post, now, plan.bare(im.Path))
		rep.Clashes = append(rep.Clashes, clash...)
		if e != nil {
			e.clash = len(clash) > 0
			out = append(out, *e)
			if e.remove || string(e.data) == string(pre) {
				rep.Restored = append(rep.Restored, im.Path)
			} else {
				rep.Kept = append(rep.Kept, im.Path)
			}
		}
	}
	return out, nil
}

// bare is a page that the run made, as it was before its first statement.
func (p *Plan) bare(name vault.Path) []byte {
	first := p.of(name)
	if first == nil || len(first.Ops) == 0 {
		return nil
	}
	doc, err := openDoc(name, nil, first.Ops)
	if err != nil {
		return nil
	}
	return closeDoc(doc, nil, vault.DayOf(p.Started))
}

// reversed takes the run's changes out of a file and leaves a person's in. clash names lines that both changed. bare is what
// stays of a page that the run made, where there is more on it now.
func reversed(p vault.Path, pre, post, now, bare []byte) (*edit, []string) {
	if now == nil || pre != nil && string(now) == string(pre) { // a person deleted it: that stands; or the run had not come to it
		return nil, nil
	}
	e := &edit{path: p, now: vault.HashOf(now)}
	if string(now) == string(post) {
		e.data, e.remove = pre, pre == nil
		return e, nil
	}
	if pre == nil {
		pre = bare
	}
	merged, clashes := merge.Merge(post, now, pre)
	if bare != nil && string(merged) == string(bare) {
		e.remove = true
		return e, nil
	}
	merged = headed(now, merged)
	lines, n := map[string]int{}, 0
	for l := range strings.Lines(string(now)) {
		n++
		l = strings.TrimRight(l, "\r\n")
		lines[l] = cmp.Or(lines[l], n)
	}
	var out []string
	for _, c := range clashes {
		if lines[c.Base] > 0 && c.Theirs == strings.TrimLeft(c.Theirs, " \t>") { // put in between lines of the run, which are as they were
			continue
		}
		first, _, _ := strings.Cut(c.Theirs, "\n")
		if at := lines[first]; at > 0 && first != "" { // c.Line is that of a text which nobody sees
			out = append(out, fmt.Sprintf("%s:%d: it reads %q now where the run wrote %q", p, at, clipped(c.Theirs), clipped(c.Base)))
			continue
		}
		out = append(out, fmt.Sprintf("%s: the run wrote %q, which is not there any more", p, clipped(c.Base)))
	}
	e.data = merged
	return e, out
}

// headed puts the headings back that the run made and under which other lines stand now: those would go below whatever is above them.
func headed(now, merged []byte) []byte {
	const none = "\x00"
	under, heading := map[string]string{}, none
	for l := range strings.Lines(string(now)) {
		switch key := strings.TrimSpace(l); {
		case isHeading(key):
			heading = key
		case under[key] != "" && under[key] != heading:
			under[key] = none // it stands under several
		default:
			under[key] = heading
		}
	}
	has := map[string]bool{"": true, none: true}
	for l := range strings.Lines(string(merged)) {
		has[strings.TrimSpace(l)] = true
	}
	var out strings.Builder
	for l := range strings.Lines(string(merged)) {
		if h := under[strings.TrimSpace(l)]; strings.TrimSpace(l) != "" && !isHeading(strings.TrimSpace(l)) && !has[h] {
			has[h] = true
			eol := cmp.Or(l[len(strings.TrimRight(l, "\r\n")):], "\n")
			if so := out.String(); so != "" && !strings.HasSuffix(so, eol+eol) {
				out.WriteString(eol)
			}
			out.WriteString(h + eol)
		}
		out.WriteString(l)
	}
	return []byte(out.String())
}

func isHeading(line string) bool {
	text := strings.TrimLeft(line, "#")
	return len(text) < len(line) && strings.HasPrefix(text, " ")
}

func clipped(s string) string {
	r := []rune(s)
	if len(r) > 120 {
		return string(r[:120]) + "…"
	}
	return s
}

// unlisted takes back what a run did to a list, whose items were as in pre. An answer survives: what a person ticked or worded stays, and
// what they had answered before the run comes back as they left it, so that the next run carries it out.
func (w places) unlisted(out []edit, plan *Plan, im image, pre, now []byte) []edit {
	p := im.Path
	if now == nil {
		return out
	}
	var take, back []navigate.Item
	was, is := navigate.ParseItems(pre), navigate.ParseItems(now)
	for i := range plan.Pages {
		if plan.Pages[i].Path != p {
			continue
		}
		for _, op := range plan.Pages[i].Ops {
			item := op.item()
			switch {
			case op.Kind == AddItem:
				if !slices.ContainsFunc(was, func(it navigate.Item) bool { return it.Key() == item.Key() }) { // else it stood there before
					take = append(take, item)
				}
			case op.Kind == LabelSources, op.By == byPerson: // the latter: something forgotten
			default:
				for _, it := range was {
					if it.Was(item) {
						back = append(back, it)
					}
				}
			}
		}
	}
	gone := map[int]bool{}
	for _, it := range is {
		if i := slices.IndexFunc(take, it.Was); i < 0 {
			continue
		} else if gone[it.Line] = true; it.Ticked || it.Text != take[i].Text {
			it.Ticked = !it.Plain
			back = append(back, it)
		}
	}
	data := navigate.TakeItems(now, func(it navigate.Item) bool { return gone[it.Line] })
	data = navigate.AppendItems(data, w.listIntro(p), back)
	for i := range plan.Pages {
		if plan.Pages[i].Path == p {
			data = labelled(data, plan.Pages[i].Ops)
		}
	}
	if string(data) == string(now) {
		return out
	}
	made := im.File == "" && strings.TrimSpace(string(data)) == strings.TrimSpace(w.listIntro(p))
	return append(out, edit{path: p, now: vault.HashOf(now), data: data, remove: made})
}

func (r *Runner) write(edits []edit) error {
	for _, e := range edits {
		var err error
		if e.remove {
			err = r.o.Vault.Remove(e.path, e.now)
		} else {
			err = r.o.Vault.Replace(e.path, e.data, e.now)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// takeBack writes the pages, then the journal and the state, then the mark that gives the facts back. What a crash cuts off is finished
// by the next start, run or undo: what is back already stays. Then lines that a person edited since stay as they are as well: the facts
// are pending again, and those that a page names still stand there.
func (r *Runner) takeBack(ctx context.Context, run string) (UndoReport, error) {
	rep := UndoReport{Run: run, Restored: []vault.Path{}, Kept: []vault.Path{}}
	half := r.store.stage(run) == isUndoing
	plan, err := r.store.plan(run)
	switch {
	case half && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, errPlan)): // nobody can know any more what to take back
		r.log.Warn("the plan of a run whose undo was cut off cannot be read", "run", run, "err", err)
		return rep, r.store.mark(run, vault.UndoneMark)
	case err != nil:
		return rep, fmt.Errorf("reading the plan of %s: %w", run, err)
	case !half && r.store.has(run, sealedFile):
		return rep, fmt.Errorf("%w: %s", ErrSealed, run)
	case !half && r.store.has(run, prunedFile):
		return rep, fmt.Errorf("%w: %s", ErrPruned, run)
	}
	list, err := r.store.images(run)
	if err != nil {
		return rep, err
	}
	edits, err := r.reverse(plan, list, &rep)
	if err != nil {
		return rep, err
	}
	if half {
		r.log.Info("an undo that was cut off is finished", "run", run)
		edits = slices.DeleteFunc(edits, func(e edit) bool { return e.clash })
		rep.Clashes, rep.Gone = nil, nil // what is not there may have gone with the first part
	}
	if len(rep.Clashes) > 0 {
		return rep, ErrClash
	}
	return rep, r.writeBack(ctx, plan, list, edits, &rep)
}

// writeBack writes what [Runner.takeBack] worked out.
func (r *Runner) writeBack(ctx context.Context, plan *Plan, list []image, edits []edit, rep *UndoReport) error {
	if r.o.Watch != nil {
		r.o.Watch.Pause()
		defer r.o.Watch.Resume()
	}
	r.gone.settled(nil)
	if err := r.store.mark(plan.Run, undoingFile); err != nil {
		return err
	}
	if err := r.write(edits); err != nil {
		return fmt.Errorf("bringing the pages back: %w", err)
	}
	mark, _, err := r.o.Vault.Watermark()
	if err != nil {
		return fmt.Errorf("reading the watermark: %w", err)
	}
	rep.Watermark = mark
	entry := navigate.Entry{At: r.o.Vault.Now(), Run: plan.Run, Undo: true, Restored: len(rep.Restored), Kept: len(rep.Kept)}
	if mark == plan.Watermark {
		rep.Watermark = plan.Was
		entry.Watermark, entry.NoWatermark = plan.Was, plan.Was == ""
	}
	if err := r.journal(entry); err != nil {
		return err
	}
	if err := r.forgetConflicts(plan); err != nil {
		return err
	}
	if err := r.generateAgain(ctx, rep.Watermark, list); err != nil {
		return fmt.Errorf("making MEMORY.md and index.md follow: %w", err)
	}
	if err := r.store.mark(plan.Run, vault.UndoneMark); err != nil {
		return err
	}
	paths := []vault.Path{r.where.At(vault.JournalPath), vault.InnerJournalPath, runPath(plan.Run, vault.UndoneMark)}
	hidden, err := r.unmention(ctx) // what was forgotten since does not come back
	if err != nil {
		return fmt.Errorf("taking what was forgotten since off the pages: %w", err)
	}
	paths = slices.Concat(paths, r.generated(), hidden)
	for _, e := range edits {
		paths = append(paths, e.path)
	}
	if err := r.o.Index.Sync(ctx, paths...); err != nil {
		return fmt.Errorf("the pages are back, but the index did not follow yet: %w", err)
	}
	return nil
}

// generateAgain makes MEMORY.md and index.md follow the pages as they are without the run. One that was not there before goes again, unless
// a person wrote into it.
func (r *Runner) generateAgain(ctx context.Context, mark vault.Day, list []image) error {
	st, err := r.store.state()
	if err != nil {
		return err
	}
	if err := r.navigation(ctx, &Plan{Started: r.o.Vault.Now(), Watermark: mark, Conflicts: st.Conflicts}); err != nil {
		return err
	}
	for _, im := range list {
		if im.Before != (vault.Hash{}) || !slices.Contains(r.generated(), im.Path) {
			continue
		}
		now, err := r.o.Vault.ReadFile(im.Path)
		base, none := r.o.Vault.ReadFile(basePath(im.Path))
		if err != nil || none != nil || string(now) != string(base) {
			continue
		}
		if err := r.o.Vault.Remove(im.Path, vault.HashOf(now)); err != nil && !errors.Is(err, vault.ErrChanged) {
			return err
		}
	}
	return nil
}

// forgetConflicts takes the questions that the run asked out of the state, and the sides that it added to others, and gives those
// that it settled back. The schedule waits from now on.
func (r *Runner) forgetConflicts(plan *Plan) error {
	st, err := r.store.state()
	if err != nil {
		return err
	}
	st.Conflicts = slices.DeleteFunc(st.Conflicts, func(c openConflict) bool {
		return slices.ContainsFunc(plan.Conflicts, func(x openConflict) bool { return x.New && x.Page == c.Page && x.Question == c.Question })
	})
	for _, c := range plan.Known {
		same := func(x openConflict) bool { return x.Page == c.Page && x.Question == c.Question }
		i := slices.IndexFunc(st.Conflicts, same)
		if i < 0 {
			st.Conflicts = append(st.Conflicts, c)
			continue
		}
		sides := slices.Clone(st.Conflicts[i].Options)
		if k := slices.IndexFunc(plan.Conflicts, same); k >= 0 { // its item is gone with the run: nobody rejected it
			sides = slices.DeleteFunc(sides, func(o openOption) bool { return !hasSide(c.Options, o) && hasSide(plan.Conflicts[k].Options, o) })
		}
		for _, o := range c.Options {
			if !hasSide(sides, o) {
				sides = append(sides, o)
			}
		}
		st.Conflicts[i].Options = sides
	}
	st.Undone = r.o.Vault.Now()
	st.Forgotten = "" // the pages may tell again what was forgotten: the next run looks
	return r.store.saveState(st)
}

func hasSide(list []openOption, o openOption) bool {
	return slices.ContainsFunc(list, func(x openOption) bool { return x.Text == o.Text })
}
