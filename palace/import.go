package palace

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/reverie-memory/reverie/extract"
	"github.com/reverie-memory/reverie/graph"
	"github.com/reverie-memory/reverie/palace/drawers"
	"github.com/reverie-memory/reverie/palace/findings"
	"github.com/reverie-memory/reverie/redact"
	"github.com/reverie-memory/reverie/vault"
)

// An Import is a part of what was said elsewhere. The parts of one import name the same source.
type Import struct {
	Source   vault.Source
	Messages []Imported
	Facts    []ImportedFact // that stand in the export; those of messages name their drawers
	DryRun   bool           // only counts
	End      bool           // the last part

	Assertions []graph.Event      // that stand in the export, by whoever made them
	Findings   []findings.Finding // about its messages and facts
}

// ImportedFact is a fact that stands in an export.
type ImportedFact struct {
	Section vault.Section
	Fact    vault.Fact
	Diary   string // the agent in whose diary it stands; "": in a daily log
}

// Imported is a message of an export, as the drawer that it becomes.
type Imported struct {
	vault.Drawer
	Told    bool          // its facts stand in the export, or it has none
	Triples []graph.Event // that stand in the export, and rest on it
	Events  []drawers.Event
}

// ImportReceipt counts what became of an Import.
type ImportReceipt struct {
	Messages int // that are new
	Known    int // that are stored already
	Skipped  int // that were forgotten, hold no more than recalled memory, or were said in a guarded program
	Facts    int
	Triples  int // of the graph
	Events   int // of drawers and of the graph, as the export has them
	Refused  int // facts that were forgotten, or are of messages that were skipped
	Problems []string
	Degraded []string
}

// Import files messages that were said elsewhere, and returns after they and their facts are fsynced. What is stored already adds nothing.
// Rules take the facts, unless the source names the model: then they come later, as those of turns do. Once it has begun to write,
// Import does not end with ctx: half of a part would be found by the next start alone.
func (in *Intake) Import(ctx context.Context, im Import) (res ImportReceipt, err error) {
	if err := ctx.Err(); err != nil {
		return res, err
	}
	ctx = context.WithoutCancel(ctx)
	if im.End {
		defer in.logged.drop()
	}
	if slices.ContainsFunc(im.Messages, func(m Imported) bool { return len(m.Events) > 0 }) && in.opt.Drawers != nil {
		if err := in.opt.Drawers.Follow(ctx); err != nil {
			return res, err
		}
	}
	in.writing.RLock()
	written := sync.OnceFunc(in.writing.RUnlock)
	defer written()
	s, err := in.admitted(ctx, im, &res)
	if err != nil {
		return res, err
	}
	fresh, told := s.fresh, s.told
	given, err := in.given(ctx, im, &s, &res)
	if err != nil {
		return res, err
	}
	past, err := in.past(im, &s)
	if err != nil {
		return res, err
	}
	if im.DryRun {
		written()
		res.Facts = len(given)
		return res, in.rehearse(ctx, im, fresh, told, &res)
	}
	if len(fresh)+len(told)+len(given)+past.len() == 0 && (len(s.again) == 0 || !in.others(im.Source.ID)) {
		return res, in.assert(ctx, im, &res) // an import that was cut off may have left them out
	}
	if err := in.begin(ctx, im.Source); err != nil {
		return res, err
	}
	if err := in.writePast(ctx, past, &res); err != nil { // before anybody sees a drawer without it
		return res, err
	}
	paths, err := in.writeGiven(ctx, given, &res)
	if err != nil {
		return res, err
	}
	filed, isNew, err := in.opt.Vault.FileDrawers(ctx, append(told, fresh...))
	if err == nil {
		err = in.assert(ctx, im, &res)
	}
	if err == nil {
		err = in.toldAgain(ctx, im.Source.ID, append(s.again, storedOf(filed, isNew)...))
	}
	written()
	if err != nil {
		in.postponeImported(fresh)
		return res, fmt.Errorf("file the messages: %w", err)
	}
	met := map[string]vault.Path{} // twice in the part, or not in the index yet
	var again []vault.Drawer
	for i, d := range filed {
		if isNew[i] {
			res.Messages++
		} else {
			met[d.ID], again = vault.DrawerPath(vault.DayOf(d.At)), append(again, d)
		}
	}
	stored, err := in.drawersAt(met)
	if err != nil {
		in.postponeImported(fresh)
		return res, fmt.Errorf("look the messages up: %w", err)
	}
	in.meet(again, stored, &res)
	drawers := func(from, to int) (out []vault.Drawer) {
		for i := from; i < to; i++ {
			if isNew[i] {
				out = append(out, filed[i])
			}
		}
		return out
	}
	if err := in.recordAll(ctx, turnsOf(drawers(0, len(told))), nil); err != nil {
		return res, err
	}
	in.listen(turnsOf(drawers(0, len(told)))) // as whoever reads the file later hears them
	jobs := turnsOf(drawers(len(told), len(filed)))
	in.listen(jobs)
	more, err := in.extractImported(ctx, im.Source, jobs, &res)
	for _, j := range append(jobs, job{drawers: drawers(0, len(told))}) {
		paths = append(paths, drawerPaths(j.drawers)...)
	}
	if paths = append(paths, more...); len(paths) > 0 {
		slices.Sort(paths)
		in.opt.Notify(slices.Compact(paths)...)
	}
	if in.opt.Published != nil && res.Messages > 0 {
		in.opt.Published(fmt.Sprintf("import: %d drawers", res.Messages))
	}
	if in.opt.Filed != nil {
		in.opt.Filed(drawers(0, len(filed)))
	}
	return res, err
}

// sifted are the messages and facts of a part.
type sifted struct {
	fresh   []vault.Drawer  // may be kept and, as far as it is known, are not stored; their facts are to be taken
	told    []vault.Drawer  // likewise, whose facts the export has
	known   []vault.Drawer  // under the ids of messages, as they are stored
	again   []string        // ids of messages and facts that are stored
	skipped map[string]bool // ids of messages and facts that are not kept
}

// admitted sifts the messages of a part.
func (in *Intake) admitted(ctx context.Context, im Import, res *ImportReceipt) (s sifted, err error) {
	tomb := in.tombstones()
	ids := make([]string, len(im.Messages))
	for i, m := range im.Messages {
		ids[i] = m.ID
	}
	stored, err := in.stored(ctx, ids)
	if err != nil {
		return s, fmt.Errorf("look the messages up: %w", err)
	}
	var again []vault.Drawer
	s.skipped = map[string]bool{}
	for _, m := range im.Messages {
		d := m.Drawer
		if d.Text = in.keeps(tomb, &d); d.Text == "" {
			res.Skipped++
			s.skipped[d.ID] = true
			continue
		}
		if known, there := stored[d.ID]; there {
			again, s.known = append(again, d), append(s.known, known)
			continue
		}
		d.At, d.Source, d.Noise = d.At.UTC().Truncate(time.Second), im.Source.ID, d.Noise || extract.IsNoise(d.Text)
		in.hang(&d)
		if m.Told {
			s.told = append(s.told, d)
		} else {
			s.fresh = append(s.fresh, d)
		}
	}
	s.again = in.meet(again, stored, res)
	return s, nil
}

// keeps is what may be kept of a drawer's text, "" when that is nothing.
func (in *Intake) keeps(tomb *vault.Tombstones, d *vault.Drawer) string {
	text := tomb.Cut(extract.StripInjected(d.Text))
	guarded := slices.ContainsFunc(in.opt.Guarded, func(g string) bool { return samePlatform(g, d.Platform) })
	if guarded || strings.TrimSpace(text) == "" {
		return ""
	}
	return text
}

// meet counts messages whose ids are stored and returns them, and names those in whose place another text is.
func (in *Intake) meet(ds []vault.Drawer, stored map[string]vault.Drawer, res *ImportReceipt) (again []string) {
	tomb := in.tombstones()
	for _, d := range ds {
		// How much of what a tool gave is kept is a setting, and may have changed.
		if d.Origin == vault.OriginTool || redact.Same(tomb.Cut(stored[d.ID].Text), d.Text) {
			res.Known++
			again = append(again, d.ID)
			continue
		}
		res.Problems = append(res.Problems, fmt.Sprintf("message %q of %q is left out: as %s another text is stored", d.Ref, d.ChatID, d.ID))
	}
	return again
}

// rehearse counts for a dry run what would be filed, and what rules would take out of it. rehearse listens as an import does, but keeps
// nothing.
func (in *Intake) rehearse(ctx context.Context, im Import, fresh, told []vault.Drawer, res *ImportReceipt) error {
	filed := map[string]bool{}
	once := func(ds []vault.Drawer) []vault.Drawer {
		return slices.DeleteFunc(ds, func(d vault.Drawer) bool {
			if filed[d.ID] {
				res.Known++
				return true
			}
			filed[d.ID] = true
			return false
		})
	}
	told, fresh = once(told), once(fresh)
	if res.Messages = len(filed); im.Source.Model {
		return nil // nobody knows before it is asked
	}
	var said talks
	in.listenTo(&said, turnsOf(told))
	jobs := turnsOf(fresh)
	in.listenTo(&said, jobs)
	found, err := in.rulesOver(ctx, jobs)
	for _, f := range found {
		res.Facts += len(f.facts)
	}
	return err
}

// given are the facts that stand in the export, but those that were forgotten, those of messages that are not kept, and those that a log or
// diary has, be it of another day. Fresh facts name the import also where their message was stored before: they go with the import all the
// same.
func (in *Intake) given(ctx context.Context, im Import, s *sifted, res *ImportReceipt) (fresh []ImportedFact, err error) {
	if len(im.Facts) == 0 {
		return nil, nil
	}
	known, err := in.logged.of(ctx, in.opt.Vault, im.Facts)
	if err != nil {
		return nil, err
	}
	tomb := in.tombstones()
	for _, f := range im.Facts {
		id := f.Fact.ID
		if _, gone := tomb.Match(f.Fact.Text); gone || s.skipped[f.Section.Drawer] {
			s.skipped[id] = true
			res.Refused++
		} else if known[id] {
			s.again = append(s.again, id)
		} else {
			known[id], f.Section.Source = true, im.Source.ID
			fresh = append(fresh, f)
		}
	}
	return fresh, nil
}

// writeGiven writes facts of an export, counts them, and returns the files that have them.
func (in *Intake) writeGiven(ctx context.Context, given []ImportedFact, res *ImportReceipt) (paths []vault.Path, err error) {
	books := map[string][]vault.SectionFacts{}
	for _, f := range given {
		books[f.Diary] = append(books[f.Diary], vault.SectionFacts{Section: f.Section, Facts: []vault.Fact{f.Fact}})
	}
	for agent, sections := range books {
		var written []vault.Fact
		if agent == "" {
			written, err = in.opt.Vault.AppendFacts(ctx, sections)
		} else {
			written, err = in.opt.Vault.AppendDiary(ctx, agent, sections)
		}
		if err != nil {
			return nil, fmt.Errorf("write the facts: %w", err)
		}
		res.Facts += len(sections)
		for _, f := range written {
			if agent == "" {
				paths = append(paths, vault.LogPath(f.Day))
			} else {
				paths = append(paths, vault.DiaryPath(agent, f.Day))
			}
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths), nil
}

func logPaths(facts []vault.Fact) []vault.Path {
	var paths []vault.Path
	for _, f := range facts {
		if p := vault.LogPath(f.Day); !slices.Contains(paths, p) {
			paths = append(paths, p)
		}
	}
	return paths
}

// turnsOf puts drawers together by their turns and days, in their order: whoever takes them up from the files finds them day by day.
func turnsOf(drawers []vault.Drawer) []job {
	var jobs []job
	at := map[attempt]int{}
	for _, d := range drawers {
		t := attempt{vault.DayOf(d.At), turnKey{d.ChatID, d.Turn}}
		i, known := at[t]
		if !known {
			i = len(jobs)
			at[t], jobs = i, append(jobs, job{turn: t.turn})
		}
		jobs[i].drawers = append(jobs[i].drawers, d)
	}
	return jobs
}

// extractImported takes the facts out of turns that are filed, and returns the logs that it wrote to. All facts of a part are one append,
// and so are its extraction records.
func (in *Intake) extractImported(ctx context.Context, s vault.Source, jobs []job, res *ImportReceipt) ([]vault.Path, error) {
	if s.Model {
		for _, j := range jobs {
			if in.opt.Batch != nil {
				in.rest(j)
			} else {
				in.submit(j)
			}
		}
		return nil, nil
	}
	for i := range jobs { // what was said before them may have been forgotten long ago
		j, _ := in.messages(jobs[i])
		jobs[i].before = j.before
	}
	found, err := in.rulesOver(ctx, jobs)
	if err != nil {
		return nil, err
	}
	in.writing.RLock()
	if slices.ContainsFunc(jobs, in.forgotSince) {
		in.writing.RUnlock()
		for _, j := range jobs {
			in.postpone(j)
		}
		res.Degraded = append(res.Degraded, "something was forgotten meanwhile: facts are taken a little later")
		return nil, nil
	}
	facts, err := in.append(ctx, jobs, found)
	in.writing.RUnlock()
	if err != nil {
		for _, j := range jobs {
			in.postpone(j)
		}
		return nil, fmt.Errorf("write the facts: %w", err)
	}
	res.Facts += len(facts)
	return logPaths(facts), in.recordAll(ctx, jobs, found)
}

// rulesOver has rules read turns, side by side.
func (in *Intake) rulesOver(ctx context.Context, jobs []job) ([]found, error) {
	out := make([]found, len(jobs))
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, j := range jobs {
		g.Go(func() (err error) {
			_, msgs := in.messages(j)
			if out[i], err = in.find(ctx, in.opt.Rules, j.turn.id, msgs); err != nil {
				return fmt.Errorf("extract facts: %w", err)
			}
			return nil
		})
	}
	return out, g.Wait()
}

// recordAll writes that turns were looked through; without found, that their facts came with them.
func (in *Intake) recordAll(ctx context.Context, jobs []job, found []found) error {
	recs := make([]extraction, 0, len(jobs))
	for i, j := range jobs {
		e := extraction{Turn: j.turn.id, Extractor: "import", At: time.Now().UTC().Format(time.RFC3339)}
		if found != nil {
			e.Extractor, e.Facts, e.GivenUp = found[i].by, len(found[i].facts), found[i].givenUp
		}
		for _, d := range j.drawers {
			e.Drawers = append(e.Drawers, d.ID)
		}
		recs = append(recs, e)
	}
	if err := extractions.Append(ctx, in.opt.Vault, recs...); err != nil {
		return fmt.Errorf("record the extraction: %w", err)
	}
	return nil
}

// postponeImported leaves to the backlog what of a part was stored before something failed.
func (in *Intake) postponeImported(drawers []vault.Drawer) {
	for _, j := range turnsOf(drawers) {
		in.postponeStored(j)
	}
}

// begin writes the record of an import before the first thing that it brings.
func (in *Intake) begin(ctx context.Context, s vault.Source) error {
	in.mu.Lock()
	_, begun := in.imports[s.ID]
	in.mu.Unlock()
	if begun {
		return nil
	}
	if err := in.opt.Vault.PutSource(ctx, s); err != nil {
		return fmt.Errorf("record the import: %w", err)
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	in.imports[s.ID] = s.Model
	return nil
}

// loadImports reads which imports there were.
func (in *Intake) loadImports() error {
	sources, err := in.opt.Vault.Sources(vault.SourceImport)
	if err != nil {
		return fmt.Errorf("read the imports: %w", err)
	}
	for _, s := range sources {
		if in.imports[s.ID] = s.Model; s.Undoing {
			in.undone[s.ID] = true
		}
	}
	return nil
}

// ruled says whether the facts of a turn are for rules alone: it was imported, and nobody asked for the model.
func (in *Intake) ruled(j job) bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	return !slices.ContainsFunc(j.drawers, func(d vault.Drawer) bool { return d.Source == "" || in.imports[d.Source] })
}

// by is who takes the facts of a turn.
func (in *Intake) by(j job) extract.Extractor {
	if in.ruled(j) {
		return in.opt.Rules
	}
	return in.opt.Extractor
}
