package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/vault"
)

// checkDreams looks at consolidation: from the files, and where a daemon runs, by asking it.
func (a *app) checkDreams(ctx context.Context, c config.Config) []check {
	if _, err := os.Stat(c.Vault); err != nil {
		return nil // said already
	}
	now := time.Now()
	out := []check{checkWatermark(c.Vault, now)}
	out = append(out, checkRuns(c, now)...)
	if cl, err := a.running(ctx, c); err == nil {
		out = append(out, checkOldConflicts(ctx, cl))
	}
	return out
}

func checkWatermark(dir string, now time.Time) check {
	const name = "watermark"
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(string(vault.JournalPath))))
	if errors.Is(err, fs.ErrNotExist) {
		return ok(name, "log.md is not there; the first dream makes it")
	}
	if err != nil {
		return fail(name, "give your user access to log.md", "%v", err)
	}
	j := vault.ParseJournal(data)
	switch {
	case j.Watermark >= vault.DayOf(now):
		return fail(name, "correct the watermark in the newest entry of log.md, or set the clock", "log.md says %s is consolidated, but today is %s", j.Watermark, vault.DayOf(now))
	case len(j.Problems) > 0:
		p := j.Problems[0]
		return warn(name, cmp.Or(p.Hint, "correct the line in log.md"), "log.md:%d: %s; consolidated up to %s", p.Line, p.Reason, cmp.Or(string(j.Watermark), "no day"))
	case j.Watermark == "":
		return ok(name, "nothing is consolidated yet")
	}
	return ok(name, "consolidated up to %s", j.Watermark)
}

// checkRuns finds a run that was left, failures, and facts that have waited for too long.
func checkRuns(c config.Config, now time.Time) []check {
	const name = "dream"
	st, err := readDreamState(c.Vault)
	if err != nil {
		return []check{warn(name, "delete .state/dream.json; it costs a dream made too early at most", "%v", err)}
	}
	var out []check
	if run := leftRun(c.Vault); run != "" {
		out = append(out, warn(name, "the daemon goes on with it when it starts; `reverie dream run` does at once", "the dream %s was interrupted", run))
	}
	if st.Failures > 0 {
		out = append(out, warn(name, "`reverie dream run --dry-run` shows what it would do; the daemon's log has more",
			"the days from %s on have failed %s: %s", st.Batch, times(st.Failures), oneLine(st.LastError, 300)))
	}
	if days := daysWaiting(c.Vault, now); !c.Consolidation.Enabled {
		out = append(out, ok(name, "consolidation.enabled is off; `reverie dream run` dreams when you ask"))
	} else if len(days) > 0 && late(c.Consolidation, st.LastAttempt, days, now) {
		out = append(out, warn(name, "start the daemon and let it run, or `reverie dream run`; `reverie dream --why` tells what holds it",
			"%s to be consolidated since %s, and the last dream was %s", waits(len(days), "day"), days[0], when(stamp(st.LastAttempt))))
	}
	if len(out) == 0 {
		out = append(out, ok(name, "last dream: %s", when(stamp(st.LastAttempt))))
	}
	return out
}

// late tells whether dreams should have come by now: many days wait, which needs no other condition, and none was tried for long.
func late(c config.Consolidation, last time.Time, days []vault.Day, now time.Time) bool {
	patience := max(72*time.Hour, 2*time.Duration(c.MinHours)*time.Hour)
	return len(days) > c.MaxDays && now.Sub(last) > patience
}

type dreamState struct {
	LastAttempt time.Time `json:"last_attempt"`
	Batch       string    `json:"batch"`
	Failures    int       `json:"failures"`
	LastError   string    `json:"last_error"`
}

func readDreamState(dir string) (dreamState, error) {
	var st dreamState
	data, err := os.ReadFile(filepath.Join(dir, vault.StateDir, "dream.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return st, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &st)
	}
	if err != nil {
		return st, fmt.Errorf("read the dream's state: %w", err)
	}
	return st, nil
}

// leftRun names a run that has a plan and no end.
func leftRun(dir string) string {
	runs, _ := filepath.Glob(filepath.Join(dir, vault.StateDir, "dreams", "*", "plan.json"))
	for _, plan := range runs {
		ended := false
		for _, mark := range []string{"done", "undone", "failed"} {
			ended = ended || exists(filepath.Join(filepath.Dir(plan), mark))
		}
		if !ended {
			return filepath.Base(filepath.Dir(plan))
		}
	}
	return ""
}

// daysWaiting are the days with a log after the watermark, but today.
func daysWaiting(dir string, now time.Time) (days []vault.Day) {
	data, _ := os.ReadFile(filepath.Join(dir, filepath.FromSlash(string(vault.JournalPath))))
	mark := vault.ParseJournal(data).Watermark
	entries, _ := os.ReadDir(filepath.Join(dir, filepath.FromSlash(vault.ArchiveDir)))
	for _, e := range entries { // in the order of their names
		if d, err := vault.ParseDay(strings.TrimSuffix(e.Name(), ".md")); err == nil && d > mark && d < vault.DayOf(now) {
			days = append(days, d)
		}
	}
	return days
}

func checkOldConflicts(ctx context.Context, cl *client) check {
	const name = "conflicts"
	r, err := cl.Lint(ctx, 0, 1)
	if err != nil {
		return warn(name, "`reverie lint` says more", "the wiki cannot be looked at: %v", err)
	}
	if n := r.Kinds["old_conflict"]; n > 0 {
		return warn(name, "answer them in 0_Inbox/Conflicts.md; `reverie lint` lists them", "%s for you for more than 30 days", waits(n, "question"))
	}
	return ok(name, "no question has waited for more than 30 days")
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339)
}
