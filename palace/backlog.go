package palace

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"io/fs"
	"maps"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/reverie-memory/reverie/forget"
	"github.com/reverie-memory/reverie/vault"
)

// ExtractedFile holds one line for each turn whose facts were extracted.
const ExtractedFile = "extracted.jsonl"

// extraction is a line of ExtractedFile.
type extraction struct {
	Turn      string   `json:"turn"`
	Drawers   []string `json:"drawers"`
	Extractor string   `json:"extractor"`
	Facts     int      `json:"facts"`
	At        string   `json:"at"`
	GivenUp   string   `json:"given_up,omitempty"` // why there may be more facts in the turn; it is not tried again
}

var extractions = vault.Records[extraction]{Name: ExtractedFile}

// backlog names turns that wait in the vault, by the day they are filed under. The zero value is empty.
type backlog struct {
	mu    sync.Mutex
	turns map[vault.Day]map[turnKey]*entry
	chats map[string]*resting // what waits for its conversation to rest
	hand  int                 // taken and not done yet
	tries map[attempt]int
}

// An entry is what of a turn waits on a day.
type entry struct {
	notBefore time.Time
	drawers   map[string]bool // those without facts; a turn that grew may have others
}

// attempt names the part of a turn that is filed under one day.
type attempt struct {
	day  vault.Day
	turn turnKey
}

func (b *backlog) add(w waiter, notBefore time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.put(w, notBefore)
}

// put adds to what may run. The caller holds mu.
func (b *backlog) put(w waiter, notBefore time.Time) {
	if b.turns == nil {
		b.turns = map[vault.Day]map[turnKey]*entry{}
	}
	if b.turns[w.day] == nil {
		b.turns[w.day] = map[turnKey]*entry{}
	}
	e := b.turns[w.day][w.turn]
	if e == nil {
		e = &entry{drawers: map[string]bool{}}
		b.turns[w.day][w.turn] = e
	}
	e.notBefore = notBefore
	for _, id := range w.drawers {
		e.drawers[id] = true
	}
}

func (b *backlog) attempt(d vault.Day, turn turnKey) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.tries == nil {
		b.tries = map[attempt]int{}
	}
	key := attempt{d, turn}
	b.tries[key]++
	return b.tries[key]
}

func (b *backlog) len() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := b.hand
	for _, t := range b.turns {
		n += len(t)
	}
	return n
}

// take removes and returns the turns of one day that may run now, with the drawers that wait. next is when the earliest of the
// others may; zero when there are none.
func (b *backlog) take(now time.Time) (day vault.Day, turns map[turnKey]map[string]bool, next time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	next = b.releaseDue(now)
	for d, ts := range b.turns {
		ready := map[turnKey]map[string]bool{}
		for t, e := range ts {
			if !e.notBefore.After(now) {
				ready[t] = e.drawers
				delete(ts, t)
			} else if next.IsZero() || e.notBefore.Before(next) {
				next = e.notBefore
			}
		}
		if len(ts) == 0 {
			delete(b.turns, d)
		}
		if len(ready) > 0 {
			b.hand += len(ready)
			return d, ready, now
		}
	}
	return "", nil, next
}

// done says that so many of the taken turns are no longer on their way.
func (b *backlog) done(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.hand -= n
}

// runBacklog is the goroutine that takes up what waits in the vault: first what an earlier run left,
// then what the full pool or a failure sent back.
func (in *Intake) runBacklog(ctx context.Context) {
	defer in.done.Done()
	if err := in.recover(ctx); err != nil {
		in.log.Warn("could not look for turns without facts; they are taken up at the next start", "err", err)
	}
	for {
		day, turns, next := in.backlog.take(time.Now())
		if len(turns) > 0 {
			in.takeUp(ctx, day, turns)
			continue
		}
		if !in.idle(ctx, next) {
			return
		}
	}
}

// idle waits until there may be something to take up; next is when that is at the latest, zero for never. The result is false
// when the intake ends.
func (in *Intake) idle(ctx context.Context, next time.Time) bool {
	var timer <-chan time.Time
	if !next.IsZero() {
		t := time.NewTimer(time.Until(next))
		defer t.Stop()
		timer = t.C
	}
	select {
	case <-ctx.Done():
		return false
	case <-in.wake:
	case <-timer:
	}
	return true
}

// takeUp reads the day's drawers and extracts those that wait.
func (in *Intake) takeUp(ctx context.Context, day vault.Day, turns map[turnKey]map[string]bool) {
	p := vault.DrawerPath(day)
	data, err := in.opt.Vault.ReadFile(p)
	if err != nil {
		in.log.Warn("cannot read waiting turns", "file", p, "err", err)
		pause := time.Minute
		if isFault(err) {
			pause = faultPause
		}
		for t, drawers := range turns {
			in.backlog.add(waiter{day, t, slices.Collect(maps.Keys(drawers))}, time.Now().Add(pause))
		}
		in.backlog.done(len(turns))
		return
	}
	var jobs []job
	var said talks
	at := map[turnKey]int{}
	for _, d := range vault.ParseDrawers(p, data).Drawers {
		t := turnKey{d.ChatID, d.Turn}
		if turns[t][d.ID] {
			i, known := at[t]
			if !known {
				i = len(jobs)
				heard := said.of(t.chat)
				at[t], jobs = i, append(jobs, job{turn: t, before: before(heard, &d)})
			}
			jobs[i].drawers = append(jobs[i].drawers, d)
		}
		said.add(d)
	}
	in.backlog.done(len(turns) - len(jobs)) // what a person took out
	if in.opt.Batch != nil {
		rest := slices.DeleteFunc(slices.Clone(jobs), in.ruled)
		jobs = slices.DeleteFunc(jobs, func(j job) bool { return !in.ruled(j) })
		in.processAll(ctx, rest)
	}
	for i, j := range jobs {
		if ctx.Err() != nil {
			return // the next start finds them again
		}
		err := in.process(ctx, j)
		in.backlog.done(1)
		if isFault(err) { // which the others would meet as well
			in.putBack(jobs[i+1:])
			return
		}
	}
}

// putBack leaves turns that were taken up until the disk may be well again.
func (in *Intake) putBack(jobs []job) {
	for _, j := range jobs {
		for _, w := range j.waiters() {
			in.backlog.add(w, time.Now().Add(faultPause))
		}
	}
	in.backlog.done(len(jobs))
}

// recover looks for drawers without an extraction record, in the files that may have some. Only drawers that carry a turn id were sent by a
// program; what a person files by hand is left alone. Whether a conversation goes on is not known, so that it rests from now.
func (in *Intake) recover(ctx context.Context) error {
	settled, open, err := in.unsettled()
	if err != nil || len(open) == 0 {
		return err
	}
	done, err := in.Extracted()
	if err != nil {
		return err
	}
	before := len(settled)
	for day, is := range open {
		if ctx.Err() != nil {
			return nil
		}
		left, underway, ferr := in.leftIn(day, done)
		err = cmp.Or(err, ferr)
		switch {
		case ferr == nil && len(left) == 0 && !underway && time.Since(is.Mod) > settling:
			settled[day] = is
		case len(left) > 0:
			in.takeAllBack(ctx, day, left)
		}
	}
	if len(settled) > before {
		err = cmp.Or(err, in.settle(settled))
	}
	return err
}

// Extracted says which drawers have an extraction record. Extracted reads what was written since it was last asked.
func (in *Intake) Extracted() (done func(drawer string) bool, err error) {
	x := &in.extracted
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.drawers == nil {
		x.drawers, x.read = map[uint64]struct{}{}, 0
	}
	err = in.opt.Vault.StateLines(ExtractedFile, x.read, func(at int64, line []byte) bool {
		var e extraction
		if x.read = at + int64(len(line)); json.Unmarshal(line, &e) == nil {
			for _, d := range e.Drawers {
				x.drawers[maphash.String(recordSeed, d)] = struct{}{}
			}
		}
		return true
	})
	known := x.drawers // what is dropped later stays known to this answer
	return func(drawer string) bool {
		x.mu.Lock()
		defer x.mu.Unlock()
		_, is := known[maphash.String(recordSeed, drawer)]
		return is
	}, err
}

// records are the drawers that have an extraction record, as hashes of their ids: there are as many as drawers.
type records struct {
	mu      sync.Mutex
	drawers map[uint64]struct{} // nil: not read
	read    int64               // how much of the file was
}

var recordSeed = maphash.MakeSeed()

// leftIn are the drawers of a day without a record, by their turns, but for turns that are underway.
func (in *Intake) leftIn(day vault.Day, done func(drawer string) bool) (left map[turnKey][]vault.Drawer, underway bool, err error) {
	p := vault.DrawerPath(day)
	data, err := in.opt.Vault.ReadFile(p)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	left = map[turnKey][]vault.Drawer{}
	for _, d := range vault.ParseDrawers(p, data).Drawers {
		t := turnKey{d.ChatID, d.Turn}
		switch {
		case d.Turn == "" || done(d.ID):
		case in.inPool(t), in.takenBack(&d): // some of what is taken back may stay, and is looked at when that is known
			underway = true
		default:
			left[t] = append(left[t], vault.Drawer{ID: d.ID, At: d.At, Source: d.Source})
		}
	}
	return left, underway, nil
}

// drawersInLog are the drawers of which the log of a day has facts.
func (in *Intake) drawersInLog(day vault.Day) map[string]bool {
	written := map[string]bool{}
	p := vault.LogPath(day)
	if data, err := in.opt.Vault.ReadFile(p); err == nil {
		for _, f := range vault.ParseLog(p, data).Facts {
			written[f.Section.Drawer] = true
		}
	}
	return written
}

// takeAllBack takes up what an earlier run left of a day.
func (in *Intake) takeAllBack(ctx context.Context, day vault.Day, left map[turnKey][]vault.Drawer) {
	written := in.drawersInLog(day)
	for t, drawers := range left {
		if ctx.Err() != nil {
			return
		}
		in.takeBack(ctx, job{turn: t, drawers: drawers}, written)
	}
}

// takeBack takes up what an earlier run left of a turn on one day. The facts of a turn are written at once, and its record after them:
// where there are facts, only the record is missing, and a model that read the turn again might tell it in other words.
func (in *Intake) takeBack(ctx context.Context, j job, written map[string]bool) {
	switch {
	case slices.ContainsFunc(j.drawers, func(d vault.Drawer) bool { return written[d.ID] }):
		if err := in.record(ctx, j, extraction{Extractor: "an earlier run"}); err != nil {
			in.log.Warn("a turn that has its facts is looked at again at the next start", "turn", j.turn.id, "err", err)
		}
	case in.opt.Batch != nil && !in.ruled(j):
		in.backlog.rest(j, time.Now().Add(in.opt.Batch.Rest), math.MaxInt)
	default:
		in.postpone(j)
	}
}

// record writes that a turn was looked through for facts.
func (in *Intake) record(ctx context.Context, j job, e extraction) error {
	e.Turn, e.At = j.turn.id, time.Now().UTC().Format(time.RFC3339)
	for _, d := range j.drawers {
		e.Drawers = append(e.Drawers, d.ID)
	}
	if err := extractions.Append(ctx, in.opt.Vault, e); err != nil {
		return fmt.Errorf("record the extraction: %w", err)
	}
	return nil
}

// inPool tells whether this process took the turn in; such a turn is on its way already.
func (in *Intake) inPool(t turnKey) bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	_, ok := in.seen[t]
	return ok
}

// Kind is what the intake keeps of extractions, as a kind of record.
func (in *Intake) Kind() forget.Kind {
	return forget.Kind{
		Name: "extraction", Reload: in.Reload, Purge: in.purge,
		Owns: forget.Files(vault.StateDir+"/"+ExtractedFile, vault.StateDir+"/"+toldFile, forget.Data+settledFile),
	}
}

// purge takes purged drawers out of the extraction records, and with its last drawer the turn, and all that is purged out of what was told
// again.
func (in *Intake) purge(_ context.Context, p *forget.Purge) error {
	drawers := map[string]bool{}
	for _, t := range p.Targets {
		drawers[t.ID] = t.Drawer != nil
	}
	err := in.dropRecords(func(id string) bool { return drawers[id] })
	return errors.Join(err, in.editTold(func(_ toldLine, id string) bool { return p.Rows[id] }))
}

// dropRecords takes drawers out of the extraction records.
func (in *Intake) dropRecords(drop func(drawer string) bool) error {
	in.extracted.mu.Lock() // what was read moves
	defer in.extracted.mu.Unlock()
	in.extracted.drawers = nil
	_, err := extractions.Edit(in.opt.Vault, func(rec *extraction) vault.Fate {
		if !slices.ContainsFunc(rec.Drawers, drop) {
			return vault.Stays
		}
		if rec.Drawers = slices.DeleteFunc(rec.Drawers, drop); len(rec.Drawers) == 0 {
			return vault.Goes
		}
		return vault.Changed
	}, nil)
	return err
}
