package indexer

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"

	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/vault"
)

// inlineTargets is how many files are read at once without letting other requests in between.
const inlineTargets = 64

// Sync makes the rows of the given files (or of everything under a given folder) right; with no
// path, those of the whole vault. Sync returns when they are searchable. Doing it twice changes
// nothing. A file that cannot be read keeps its rows and makes Sync fail; the others are done all the same.
func (ix *Indexer) Sync(ctx context.Context, paths ...vault.Path) (Stats, error) {
	return ix.ask(ctx, func(j *job) { j.add(paths) }, waiter{paths: paths})
}

// Reread is Sync of what the index has of the files by now: of what they have grown by since, Reread waits for no more than a part.
func (ix *Indexer) Reread(ctx context.Context, paths ...vault.Path) error {
	_, err := ix.ask(ctx, func(j *job) { j.add(paths) }, waiter{paths: paths, until: map[vault.Path]int64{}})
	return err
}

func (ix *Indexer) ask(ctx context.Context, more func(*job), w waiter) (Stats, error) {
	done := make(chan answer, 1)
	w.done = done
	ok := ix.queue.put(func(j *job) {
		more(j)
		j.waiters = append(j.waiters, w)
	})
	if !ok {
		return Stats{}, ErrClosed
	}
	select {
	case a := <-done:
		return a.stats, a.err
	case <-ctx.Done():
		return Stats{}, fmt.Errorf("waiting for the index: %w", ctx.Err())
	case <-ix.stopped:
		select {
		case a := <-done:
			return a.stats, a.err
		default:
			return Stats{}, ErrClosed
		}
	}
}

// Notify asks for a Sync that may begin a moment later, and does not wait. With no path: of the whole vault.
func (ix *Indexer) Notify(paths ...vault.Path) { ix.queue.later(func(j *job) { j.add(paths) }) }

// tally gathers what was done, so that each waiter gets its own answer.
type tally struct {
	stats   map[vault.Path]Stats
	failed  map[vault.Path]error
	growing map[vault.Path]int64 // files of which a part was read, with their sizes
	asked   int
}

func newTally() *tally {
	return &tally{stats: map[vault.Path]Stats{}, failed: map[vault.Path]error{}, growing: map[vault.Path]int64{}}
}

func (t *tally) add(b *prepared) {
	t.asked += b.asked
	for i := range b.files {
		fc := &b.files[i]
		if fc.whole > 0 {
			t.growing[fc.path] = fc.whole
		}
		s := t.stats[fc.path]
		t.stats[fc.path] = Stats{
			Files: s.Files + fc.stats.Files, Added: s.Added + fc.stats.Added,
			Changed: s.Changed + fc.stats.Changed, Removed: s.Removed + fc.stats.Removed,
		}
	}
	maps.Copy(t.failed, b.failed)
}

// take adds what was done before.
func (t *tally) take(done *tally) {
	maps.Copy(t.stats, done.stats)
	maps.Copy(t.failed, done.failed)
	t.asked += done.asked
}

// answer sums up what concerns the paths that were asked for. Embeddings are counted for all: texts
// are shared between files.
func (t *tally) answer(w *waiter, err error) answer {
	a := w.sofar
	if err != nil {
		a.err = errors.Join(a.err, err)
	}
	for p, s := range t.stats {
		if covers(w.paths, p) {
			a.stats.Files += s.Files
			a.stats.Added += s.Added
			a.stats.Changed += s.Changed
			a.stats.Removed += s.Removed
		}
	}
	for _, p := range sorted(t.failed) {
		if covers(w.paths, p) {
			a.err = errors.Join(a.err, t.failed[p])
		}
	}
	a.stats.Embedded += t.asked
	return a
}

func (t *tally) reply(waiters []waiter, err error) {
	for i := range waiters {
		waiters[i].done <- t.answer(&waiters[i], err)
	}
}

// serve does a job: it plans, and either writes at once or hands a large job to a sweep.
func (ix *Indexer) serve(ctx context.Context, j job) {
	if len(j.paths) > 0 || j.all || len(j.waiters) > 0 {
		ix.serveSync(ctx, j)
	}
	for _, call := range j.calls {
		call(ctx)
	}
}

func (ix *Indexer) serveSync(ctx context.Context, j job) {
	t := newTally()
	targets, projected, err := ix.planJob(ctx, &j)
	if filling := ix.sweep != nil && ix.sweep.g == ix.cur; err == nil && j.all &&
		(filling || ix.sweep == nil && len(targets) > inlineTargets) {
		named, whole := j.split()
		if filling {
			ix.sweep.again(whole) // planned once more when the sweep under way has ended
		} else {
			ix.startSweep(ctx, ix.cur, targets, whole.waiters)
		}
		if j = named; len(j.paths) == 0 {
			projected()
			return
		}
		targets = only(targets, j.paths)
	}
	targets, large := ix.large(targets)
	if err == nil {
		err = ix.writeAll(ctx, ix.cur, targets, t)
	}
	projected()
	if err == nil {
		if len(large) > 0 {
			ix.aside(ctx, &j, large, t)
		} else if j.all {
			ix.unfilled = true
		}
		ix.goOn(&j, t)
	}
	ix.afterSync(ctx, &j, t, err)
}

// goOn asks for what is left of files of which a part was read, with those who wait for that. Whoever asks for something else meanwhile
// gets their turn with the next part. Without any, all that was looked at is read.
func (ix *Indexer) goOn(j *job, t *tally) {
	maps.DeleteFunc(ix.growing, func(p vault.Path, _ int64) bool { return j.all || j.paths[p] })
	maps.Copy(ix.growing, t.growing)
	ix.pace()
	if len(t.growing) == 0 {
		if ix.unfilled && len(ix.growing) == 0 {
			ix.filled()
		}
		return
	}
	var wait, ready []waiter
	for _, w := range j.waiters {
		if w.until == nil {
			w.until = maps.Clone(t.growing)
		}
		maps.DeleteFunc(w.until, func(p vault.Path, size int64) bool {
			return t.growing[p] == 0 || ix.cur.files[p].Size >= size || !covers(w.paths, p)
		})
		if len(w.until) > 0 {
			w.sofar = t.answer(&w, nil)
			wait = append(wait, w)
		} else {
			ready = append(ready, w)
		}
	}
	j.waiters = ready
	if !ix.queue.put(func(q *job) {
		q.add(sorted(t.growing))
		q.waiters = append(q.waiters, wait...)
	}) {
		newTally().reply(wait, ErrClosed)
	}
}

// largeFile is from how many bytes on a file is prepared beside the owner, which does what else is asked for meanwhile.
const largeFile = 512 << 10

// large takes the large files out of the targets, or all where they are many. Files that are followed are read from where they grew
// and are not among them, and while the next generation is being filled there are none: one sweep runs at a time.
func (ix *Indexer) large(targets []target) (others, large []target) {
	if ix.sweep != nil && ix.sweep.g != ix.cur {
		return targets, nil
	}
	many := len(targets) > inlineTargets
	for _, t := range targets {
		if len(t.srcs) > 0 && !follows(t.srcs) && (many || t.info.Size >= largeFile || converts(t.srcs)) {
			large = append(large, t)
		} else {
			others = append(others, t)
		}
	}
	return others, large
}

// aside leaves large files to a sweep, with those who wait for them: where what rows depend on changed, all. done is what they have been
// given already.
func (ix *Indexer) aside(ctx context.Context, j *job, large []target, done *tally) {
	named := slice.Map(large, func(t target) vault.Path { return t.path })
	var waiters, others []waiter
	for _, w := range j.waiters {
		if j.env || slices.ContainsFunc(named, func(p vault.Path) bool { return covers(w.paths, p) }) {
			waiters = append(waiters, w)
		} else {
			others = append(others, w)
		}
	}
	j.waiters = others
	if ix.sweep != nil {
		ix.sweep.again(job{waiters: waiters})
		return
	}
	if j.all {
		named = nil
	}
	ix.startSweep(ctx, ix.cur, large, waiters, named...).tally.take(done)
}

// writeAll prepares and applies targets until none is left, of files that grew much one part.
func (ix *Indexer) writeAll(ctx context.Context, g *generation, targets []target, t *tally) error {
	pr := ix.preparer(g, ix.o.EmbedWait)
	for len(targets) > 0 {
		b, err := pr.next(ctx, targets)
		if err != nil {
			g.hot = hotFiles{}
			return err
		}
		late, err := ix.apply(ctx, g, b)
		if err != nil {
			return err
		}
		t.add(b)
		ix.readable(b)
		targets = append(b.rest[:len(b.rest):len(b.rest)], late...)
	}
	return nil
}

// afterSync answers, or keeps what could not be done for later.
func (ix *Indexer) afterSync(ctx context.Context, j *job, t *tally, err error) {
	switch {
	case err == nil:
		ix.notes.say("sync", "")
		ix.retry = ix.retry.reset()
	case ctx.Err() != nil:
		err = ErrClosed
	case isCorrupt(err):
		if rerr := ix.repair(ctx, err); rerr == nil {
			ix.queue.put(func(q *job) { // everything anew; those who wait go on waiting
				q.all = true
				q.waiters = append(q.waiters, j.waiters...)
			})
			return
		}
	default:
		ix.log.Error("sync failed", "error", err)
		ix.sayUnwritten(err)
		ix.postpone(j)
		ix.pace()
	}
	t.reply(j.waiters, err)
}

// sayUnwritten says that changes wait, and what a person can do about it.
func (ix *Indexer) sayUnwritten(err error) {
	reason := "index: changes could not be written and are tried again: " + err.Error()
	if advice := vault.Advice(err); advice != "" {
		reason += "; " + advice
	}
	ix.notes.say("sync", reason)
}

// planJob brings Env up to date and plans. Until projected returns, projections are brought up to date.
func (ix *Indexer) planJob(ctx context.Context, j *job) (targets []target, projected func(), err error) {
	if ix.cur == nil {
		if err := ix.reopen(ctx); err != nil {
			return nil, func() {}, err
		}
	}
	ix.looks = map[vault.Path]result[vault.FileInfo]{}
	defer func() { ix.looks = nil }()
	projected = ix.project(ctx, j, false)
	if err := ix.refreshEnv(j); err != nil {
		return nil, projected, err
	}
	targets, problems, err := ix.plan(ctx, ix.cur, j)
	switch {
	case err != nil:
	case j.all:
		ix.notes.set(func(n *notes) { n.vault = problems })
	default:
		ix.nameCopies(j)
	}
	return targets, projected, err
}

// nameCopies names the conflict copies among the files of a job, and takes back those that are gone.
func (ix *Indexer) nameCopies(j *job) {
	for p := range j.paths {
		if !vault.IsConflictCopy(path.Base(string(p))) {
			continue
		}
		_, err := ix.o.Vault.Stat(p)
		ix.notes.set(func(n *notes) {
			n.vault = slices.DeleteFunc(slices.Clone(n.vault), func(old vault.Problem) bool { return old.Path == p })
			if err == nil {
				n.vault = append(n.vault, vault.ConflictCopy(p))
			}
		})
	}
}

// refreshEnv reads Env again where it may have changed.
func (ix *Indexer) refreshEnv(j *job) error {
	stamps := ix.stampEnv()
	asked := j.all || !slices.Equal(stamps, ix.stamps)
	for p := range j.paths {
		asked = asked || ix.decides(p)
	}
	if !asked {
		return nil
	}
	env, problems, err := loadEnv(ix.o.Vault, ix.o.Facets)
	if err != nil {
		return err
	}
	j.env = j.env || env.differs(ix.env)
	ix.env, ix.stamps = env, stamps
	if s := ix.sweep; j.env && s != nil && s.g == ix.cur {
		s.rerun = true // what it has prepared follows the Env before
	}
	ix.notes.set(func(n *notes) { n.env = problems })
	ix.notes.say("forgotten", env.Withheld)
	return nil
}

// split parts a job into what names its files and what asks for the whole vault. Who waits for files that the job does not name, which are
// to be looked at once more with all others, waits for the whole.
func (j *job) split() (named, whole job) {
	named, whole = job{paths: j.paths, hash: j.hash, env: j.env}, job{all: true, hash: j.hash}
	for _, w := range j.waiters {
		if len(w.paths) == 0 || slices.ContainsFunc(w.paths, func(p vault.Path) bool { return !j.paths[p] }) {
			whole.waiters = append(whole.waiters, w)
		} else {
			named.waiters = append(named.waiters, w)
		}
	}
	return named, whole
}

// only keeps the targets that the paths cover.
func only(targets []target, paths map[vault.Path]bool) []target {
	asked := sorted(paths)
	return slice.Keep(targets, func(t target) bool { return covers(asked, t.path) })
}

// readable notes which files could not be read.
func (ix *Indexer) readable(b *prepared) {
	for i := range b.files {
		delete(ix.unreadable, b.files[i].path)
	}
	for p, err := range b.failed {
		if !ix.unreadable[p] {
			ix.log.Warn("a file cannot be read", "file", p, "error", err)
		}
		ix.unreadable[p] = true
		ix.notes.file(p, []vault.Problem{fileProblem(p, err)})
	}
	reason := ""
	if n := len(ix.unreadable); n > 0 {
		reason = fmt.Sprintf("index: %d of the vault's files cannot be read, such as %s", n, sorted(ix.unreadable)[0])
	}
	ix.notes.say("unreadable", reason)
}
