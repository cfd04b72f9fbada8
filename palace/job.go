package palace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/extract"
	"github.com/reverie-memory/reverie/palace/findings"
	"github.com/reverie-memory/reverie/redact"
	"github.com/reverie-memory/reverie/vault"
)

// A job is a stored turn whose facts are still to be extracted.
type job struct {
	turn    turnKey
	drawers []vault.Drawer
	before  []vault.Drawer // the last ones of the conversation before them, the oldest first
}

func (j job) days() []vault.Day {
	var out []vault.Day
	for _, d := range j.drawers {
		if day := vault.DayOf(d.At); !slices.Contains(out, day) {
			out = append(out, day)
		}
	}
	return out
}

func drawerPaths(ds []vault.Drawer) []vault.Path {
	var out []vault.Path
	for _, d := range ds {
		if p := vault.DrawerPath(vault.DayOf(d.At)); !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}

// process runs one job. Where that fails the job is taken up again later; the error is for who has more of them.
func (in *Intake) process(ctx context.Context, j job) error {
	if err := ctx.Err(); err != nil {
		return err // the next start finds it again
	}
	_, err := in.extract(ctx, j, in.by(j), in.written)
	if err != nil {
		in.failedOnce(ctx, j, err)
	}
	return err
}

// written has the index follow.
func (in *Intake) written(facts []vault.Fact) {
	if paths := logPaths(facts); len(paths) > 0 {
		in.opt.Notify(paths...)
	}
}

// failedOnce has a job taken up again later.
func (in *Intake) failedOnce(ctx context.Context, j job, err error) {
	if ctx.Err() == nil {
		in.log.Warn("extraction failed, the turn is taken up again later", "turn", j.turn.id, "err", err)
	}
	in.retry(j, err)
}

// faultPause is how long a turn waits for a disk that fails.
const faultPause = 2 * time.Second

// isFault tells whether the vault's disk failed. A disk's failure passes, and the turn is not to blame.
func isFault(err error) bool {
	var e *vault.Error
	return errors.As(err, &e) && vault.Fault(e) != nil
}

// retry puts a failed job behind a pause: a short one for a fault of the disk, else one that doubles with each of maxAttempts.
func (in *Intake) retry(j job, err error) {
	for _, w := range j.waiters() {
		if isFault(err) {
			in.backlog.add(w, time.Now().Add(faultPause))
			continue
		}
		n := in.backlog.attempt(w.day, w.turn)
		if n >= maxAttempts {
			in.failed.Add(1)
			continue
		}
		in.backlog.add(w, time.Now().Add(30*time.Second<<n))
	}
	in.poke()
}

// extract takes the facts out of a turn and writes them, as write does.
func (in *Intake) extract(ctx context.Context, j job, by extract.Extractor, follow func([]vault.Fact)) ([]vault.Fact, error) {
	j, msgs := in.messages(j)
	found, err := in.find(ctx, by, j.turn.id, msgs)
	if err != nil {
		return nil, fmt.Errorf("extract facts: %w", err)
	}
	if in.opt.Batch == nil || found.worse != "" { // with a Batch, what was wrong with the model is not mended by this
		in.worse(found.worse)
	}
	facts, err := in.write(ctx, j, found, follow)
	if errors.Is(err, errForgotten) {
		return in.extract(ctx, j, by, follow)
	}
	return facts, err
}

// messages are the texts of a job without what was forgotten, behind those of the conversation before, and the job with the same texts.
func (in *Intake) messages(j job) (job, []extract.Message) {
	var msgs []extract.Message
	tomb := in.tombstones()
	j.drawers = slices.Clone(j.drawers)
	j.before = slices.DeleteFunc(slices.Clone(j.before), func(d vault.Drawer) bool { return in.takenBack(&d) })
	add := func(d *vault.Drawer, before bool) {
		if d.Text = tomb.Cut(d.Text); d.Text == "" {
			return
		}
		msgs = append(msgs, extract.Message{
			Drawer: d.ID, Role: roleOf(d), Speaker: d.Speaker, Text: d.Text, At: d.At, Noise: d.Noise, Before: before,
			Note: !before && isNote(d.Platform, len(j.drawers)),
		})
	}
	for i := range j.before {
		add(&j.before[i], true)
	}
	for i := range j.drawers {
		add(&j.drawers[i], false)
	}
	return j, msgs
}

// roleOf is who said a message of a turn. What a person said may have been told by an assistant, whose trust the facts have then.
func roleOf(d *vault.Drawer) string {
	if d.Origin == vault.OriginAgent {
		return string(vault.OriginUser)
	}
	return string(d.Origin)
}

// listen gives jobs what was said before them. Where the file of the day cannot be read, a turn is judged by itself.
func (in *Intake) listen(jobs []job) { in.listenTo(&in.talks, jobs) }

// listenTo is listen with what somebody else heard.
func (in *Intake) listenTo(said *talks, jobs []job) {
	read := map[vault.Day][]vault.Drawer{}
	for i := range jobs {
		j := &jobs[i]
		if len(j.drawers) == 0 {
			continue
		}
		if said.unheard(j) {
			day := vault.DayOf(j.drawers[0].At)
			if _, done := read[day]; !done {
				p := vault.DrawerPath(day)
				data, err := in.opt.Vault.ReadFile(p)
				if err != nil && !errors.Is(err, fs.ErrNotExist) {
					in.log.Warn("cannot read what was said before a turn", "file", p, "err", err)
				}
				read[day] = vault.ParseDrawers(p, data).Drawers
			}
			said.look(read[day], j)
		}
		said.follow(j)
	}
}

// found is what extraction made of a turn.
type found struct {
	facts   []extract.Fact
	by      string // the extractor
	givenUp string // why there may be more facts in the turn
	worse   string // why extraction is worse than usual
}

// errForgotten says that something of a turn was forgotten while its facts were extracted.
var errForgotten = errors.New("forgotten meanwhile")

// write appends the facts of a turn, and then writes the extraction record beside follow, which has the index follow: nobody who looks for
// the facts waits for the record. Fact ids derive from the drawer and the text, so doing it twice adds nothing. A fact may tell in other
// words what was forgotten while it was extracted: then nothing is written, and the error is errForgotten.
func (in *Intake) write(ctx context.Context, j job, f found, follow func([]vault.Fact)) ([]vault.Fact, error) {
	in.writing.RLock()
	if in.forgotSince(j) {
		in.writing.RUnlock()
		return nil, errForgotten
	}
	facts, err := in.append(ctx, []job{j}, []found{f})
	in.writing.RUnlock()
	if err != nil {
		return nil, fmt.Errorf("append facts: %w", err)
	}
	recorded := make(chan error, 1)
	go func() {
		recorded <- in.record(ctx, j, extraction{Extractor: f.by, Facts: len(facts), GivenUp: f.givenUp})
	}()
	follow(facts)
	return facts, <-recorded
}

// append writes what was found out about the facts of turns, and then the facts: those that are there have theirs, whatever happens in
// between.
func (in *Intake) append(ctx context.Context, jobs []job, found []found) ([]vault.Fact, error) {
	var sections []vault.SectionFacts
	var about []findings.Finding
	for i, j := range jobs {
		s, a := in.sections(j, found[i])
		sections, about = append(sections, s...), append(about, a...)
	}
	if err := in.opt.Findings.Append(ctx, about...); err != nil {
		return nil, err
	}
	return in.opt.Vault.AppendFacts(ctx, sections)
}

// worse keeps why extraction is worse than usual; "" when it is not.
func (in *Intake) worse(why string) {
	if why == "" {
		in.degraded.Store(nil)
		return
	}
	in.degraded.Store(&why)
}

// find asks an extractor for the facts of a turn, for no longer than TurnTimeout: then it returns what was found by then, and givenUp says
// so, as it does where a message is too long to be looked through. The same text would take as long again, so that it is not tried again.
func (in *Intake) find(ctx context.Context, by extract.Extractor, turn string, msgs []extract.Message) (f found, err error) {
	f.by = by.Name()
	if len(msgs) == 0 {
		return f, nil
	}
	within, cancel := ctx, context.CancelFunc(func() {})
	if in.opt.TurnTimeout > 0 {
		within, cancel = context.WithTimeout(ctx, in.opt.TurnTimeout)
	}
	defer cancel()
	f.facts, err = by.Extract(within, msgs)
	var worse *extract.DegradedError
	var part *extract.PartialError
	if errors.As(err, &part) {
		f.givenUp = part.Error()
		f.worse = fmt.Sprintf("extraction: turn %s was looked through in part, %s; its text is kept", turn, part)
		in.log.Info("a turn was looked through in part, its text is kept", "turn", turn, "why", part, "facts", len(f.facts))
	}
	switch {
	case errors.As(err, &worse):
		f.worse = cmp.Or(f.worse, "extraction: "+worse.Error())
	case part != nil:
	case err != nil && within.Err() != nil && ctx.Err() == nil:
		f.givenUp = fmt.Sprintf("it took longer than %s", in.opt.TurnTimeout)
		f.worse = fmt.Sprintf("extraction: turn %s was given up, %s; its text is kept", turn, f.givenUp)
		in.failed.Add(1)
		in.log.Warn("extraction was given up, the turn's text is kept", "turn", turn, "after", in.opt.TurnTimeout, "facts", len(f.facts))
	case err != nil:
		return found{}, err
	}
	return f, nil
}

func (in *Intake) tombstones() *vault.Tombstones {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.forgot
}

// forgotSince says whether something of the drawers was forgotten since their texts were cut, or one that was said before them taken back.
func (in *Intake) forgotSince(j job) bool {
	tomb := in.tombstones()
	forgot := func(d vault.Drawer) bool { return tomb.Cut(d.Text) != d.Text }
	gone := func(d vault.Drawer) bool { return forgot(d) || in.takenBack(&d) }
	return slices.ContainsFunc(j.drawers, forgot) || slices.ContainsFunc(j.before, gone)
}

// sections groups facts by the drawer they came from, and tells what is known about them. A drawer that was forgotten while it waited gives
// none.
func (in *Intake) sections(j job, found found) (out []vault.SectionFacts, about []findings.Finding) {
	tomb := in.tombstones()
	for _, d := range j.drawers {
		if d.Text == "" || in.takenBack(&d) {
			continue
		}
		if d.WingBy == vault.ByRule {
			d.Wing, d.Room = "", ""
		}
		seen := map[string]int{}
		section := vault.Section{
			At: d.At, ChatID: d.ChatID, Turn: d.Turn, Origin: d.Origin, Agent: d.Agent, Drawer: d.ID,
			Ref: d.Ref, Speaker: d.Speaker, Wing: d.Wing, Room: d.Room, Hall: d.Hall,
		}
		for _, f := range found.facts {
			if f.Drawer != d.ID {
				continue
			}
			if _, gone := tomb.Match(f.Text); gone || redact.Hollow(f.Text) {
				continue
			}
			rank := seen[f.Text]
			seen[f.Text]++
			id := vault.DeriveID('f', d.ID, f.Text, strconv.Itoa(rank))
			section.Beside = strings.Join(f.Beside, " ")
			if last := len(out) - 1; last < 0 || out[last].Section != section {
				out = append(out, vault.SectionFacts{Section: section})
			}
			g := &out[len(out)-1]
			g.Facts = append(g.Facts, vault.Fact{ID: id, Category: f.Category, Text: f.Text, Tags: f.Tags})
			if known, more := findings.OfFact(id, found.by, f, &d); more {
				about = append(about, known)
			}
		}
	}
	return out, about
}
