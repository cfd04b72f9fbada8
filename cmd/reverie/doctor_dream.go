package main

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/dream"
	"github.com/reverie-memory/reverie/operations"
	"github.com/reverie-memory/reverie/vault"
)

// checkDreams looks at consolidation: from the files, and where a daemon runs, by asking it.
func (a *app) checkDreams(ctx context.Context, c config.Config) []check {
	if _, err := os.Stat(c.Vault); err != nil {
		return nil // said already
	}
	now := time.Now()
	out := []check{checkWatermark(c.Vault, now)}
	cl, err := a.running(ctx, c)
	if err != nil {
		return append(out, checkRuns(c, now, false)...)
	}
	st, err := operations.Status.Ask(ctx, cl, api.Nothing{})
	out = append(out, checkRuns(c, now, err == nil && st.Dream.Running != nil)...)
	return append(out, checkOldConflicts(ctx, cl))
}

func findJournal(dir string) (vault.Path, []byte, error) {
	read := func(p vault.Path) ([]byte, error) {
		return os.ReadFile(filepath.Join(dir, filepath.FromSlash(string(p))))
	}
	l, err := vault.ReadLayout(read)
	if err != nil {
		return "", nil, err
	}
	return vault.FindJournal(l, read)
}

func checkWatermark(dir string, now time.Time) check {
	const name = "watermark"
	at, data, err := findJournal(dir)
	if err != nil {
		return fail(name, "give your user access to "+string(at), "%v", err)
	}
	if data == nil {
		return ok(name, "%s is not there; the first dream makes it", at)
	}
	j := vault.ParseJournal(data)
	switch {
	case j.Watermark >= vault.DayOf(now):
		return fail(name, "correct the watermark in the newest entry of "+string(at)+", or set the clock",
			"%s says %s is consolidated, but today is %s", at, j.Watermark, vault.DayOf(now))
	case len(j.Problems) > 0:
		p := j.Problems[0]
		return warn(name, cmp.Or(p.Hint, "correct the line in "+string(at)), "%s:%d: %s; consolidated up to %s", at, p.Line, p.Reason,
			cmp.Or(string(j.Watermark), "no day"))
	case j.Watermark == "":
		return ok(name, "nothing is consolidated yet")
	}
	return ok(name, "consolidated up to %s", j.Watermark)
}

// checkRuns finds a run that was left, failures, and facts that have waited for too long. A run that is under way was not left.
func checkRuns(c config.Config, now time.Time, running bool) []check {
	const name = "dream"
	l, err := dream.LookAt(os.DirFS(c.Vault))
	if err != nil {
		return []check{warn(name, "delete .state/dream.json; it costs a dream made too early at most", "%v", err)}
	}
	var out []check
	if l.Left != "" && !running {
		out = append(out, warn(name, "the daemon goes on with it when it starts; `reverie dream run` does at once",
			"the dream %s was interrupted", l.Left))
	}
	if l.Failed.Times > 0 {
		out = append(out, warn(name, "`reverie dream run --dry-run` shows what it would do; the daemon's log has more",
			"the days from %s on have failed %s: %s", l.Failed.Batch, times(l.Failed.Times), oneLine(l.Failed.Why, 300)))
	}
	if w := readWaiting(c.Vault, now); !c.Consolidation.Enabled {
		out = append(out, ok(name, "consolidation.enabled is off; `reverie dream run` dreams when you ask"))
	} else if late(c.Consolidation, l.LastAttempt, w, now) {
		out = append(out, warn(name, "start the daemon and let it run, or `reverie dream run`; `reverie dream --why` tells what holds it",
			"%s of %s to be consolidated, and the last attempt was %s", count(w.facts, "fact"), waits(w.days, "day"), when(stamp(l.LastAttempt))))
	}
	if len(out) == 0 {
		out = append(out, ok(name, "last attempt: %s", when(stamp(l.LastAttempt))))
	}
	return out
}

// late tells whether dreams should have come by now: enough waits for the gate to open, and has for long.
func late(c config.Consolidation, last time.Time, w waiting, now time.Time) bool {
	since := last
	if w.since.After(since) {
		since = w.since
	}
	enough := w.days > c.MaxDays || w.facts > 0 && w.facts >= c.MinFacts
	return enough && now.Sub(since) > max(72*time.Hour, 2*time.Duration(c.MinHours)*time.Hour)
}

// waiting is what stands in the logs after the watermark, but of today.
type waiting struct {
	days, facts int
	since       time.Time // when the first of these logs was last written to
}

func readWaiting(dir string, now time.Time) (w waiting) {
	_, data, _ := findJournal(dir)
	mark := vault.ParseJournal(data).Watermark
	archive := filepath.Join(dir, filepath.FromSlash(vault.ArchiveDir))
	entries, _ := os.ReadDir(archive)
	for _, e := range entries {
		d, err := vault.ParseDay(strings.TrimSuffix(e.Name(), ".md"))
		if err != nil || d <= mark || d >= vault.DayOf(now) {
			continue
		}
		data, _ := os.ReadFile(filepath.Join(archive, e.Name()))
		n := len(vault.ParseLog(vault.LogPath(d), data).Facts)
		if n == 0 {
			continue
		}
		w.days, w.facts = w.days+1, w.facts+n
		if st, err := e.Info(); err == nil && (w.since.IsZero() || st.ModTime().Before(w.since)) {
			w.since = st.ModTime()
		}
	}
	return w
}

func checkOldConflicts(ctx context.Context, cl *client) check {
	const name = "conflicts"
	r, err := operations.Lint.Ask(ctx, cl, api.LongPage{Limit: 1})
	if err != nil {
		return warn(name, "`reverie lint` says more", "the wiki cannot be looked at: %v", err)
	}
	if n := r.Kinds["old_conflict"]; n > 0 {
		return warn(name, "answer them in 0_Inbox/Conflicts.md; `reverie lint` lists them", "%s for you for more than 30 days",
			waits(n, "question"))
	}
	return ok(name, "no question has waited for more than 30 days")
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
