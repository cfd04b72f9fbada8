package dream

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/vault"
)

var now = time.Date(2026, 6, 20, 10, 30, 0, 0, time.UTC)

// back gives n days that end yesterday, each with facts facts.
func back(n, facts int) []DayCount {
	var days []DayCount
	for i := n; i >= 1; i-- {
		days = append(days, DayCount{Day: vault.DayOf(now.AddDate(0, 0, -i)), Facts: facts})
	}
	return days
}

func TestPending(t *testing.T) {
	day := func(d string, facts int) DayCount { return DayCount{Day: vault.Day(d), Facts: facts} }
	late := func(d string, facts int) DayCount { return DayCount{Day: vault.Day(d), Facts: facts, Late: true} }
	for name, tt := range map[string]struct {
		watermark vault.Day
		days      []DayCount
		now       time.Time
		want      []DayCount
	}{
		"nothing": {"", nil, now, []DayCount{}},
		"no watermark": {
			"",
			[]DayCount{day("2026-06-02", 1), day("2026-06-01", 2)},
			now,
			[]DayCount{day("2026-06-01", 2), day("2026-06-02", 1)},
		},
		"today is not pending": {
			"",
			[]DayCount{day("2026-06-19", 1), day("2026-06-20", 9), day("2026-06-21", 9)},
			now,
			[]DayCount{day("2026-06-19", 1)},
		},
		"empty days do not wait": {
			"2026-06-01",
			[]DayCount{day("2026-06-02", 0), day("2026-06-03", 1)},
			now,
			[]DayCount{day("2026-06-03", 1)},
		},
		"late facts": {"2026-06-10", []DayCount{
			day("2026-06-10", 1), day("2026-06-09", 0), day("2026-01-01", 2),
			day("2026-06-11", 3),
		}, now, []DayCount{late("2026-01-01", 2), late("2026-06-10", 1), day("2026-06-11", 3)}},
		"one day named twice":     {"", []DayCount{day("2026-06-01", 1), day("2026-06-01", 2)}, now, []DayCount{day("2026-06-01", 3)}},
		"watermark in the future": {"2027-01-01", []DayCount{day("2026-06-01", 1)}, now, []DayCount{late("2026-06-01", 1)}},
		"the day is UTC's": {
			"",
			[]DayCount{day("2026-06-19", 1)},
			time.Date(2026, 6, 20, 1, 0, 0, 0, time.FixedZone("", 2*3600)),
			[]DayCount{},
		},
		"the day is UTC's, west": {
			"",
			[]DayCount{day("2026-06-20", 1)},
			time.Date(2026, 6, 20, 23, 0, 0, 0, time.FixedZone("", -5*3600)),
			[]DayCount{day("2026-06-20", 1)},
		},
		"midnight closes yesterday": {
			"",
			[]DayCount{day("2026-06-20", 1)},
			time.Date(2026, 6, 21, 0, 0, 0, 0, time.UTC),
			[]DayCount{day("2026-06-20", 1)},
		},
		"last second of the day": {"", []DayCount{day("2026-06-20", 1)}, time.Date(2026, 6, 20, 23, 59, 59, 0, time.UTC), []DayCount{}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Pending(tt.watermark, tt.days, tt.now)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestDecide(t *testing.T) {
	midnight := time.Date(2026, 6, 21, 0, 0, 0, 0, time.UTC)
	ago := func(h float64) time.Time { return now.Add(-time.Duration(h * float64(time.Hour))) }
	for name, tt := range map[string]struct {
		s      GateState
		mode   Mode
		days   int
		skip   bool
		next   time.Time
		reason string // the last one
	}{
		"first run": {
			GateState{Enabled: true, Pending: back(2, 10)},
			ModeSteady, 2, false, now, "open: enough time and facts",
		},
		"19 facts": {
			GateState{Enabled: true, Pending: back(1, 19)},
			ModeNone, 1, false, midnight, "closed: fewer than 20 facts pending",
		},
		"20 facts": {GateState{Enabled: true, Pending: back(1, 20)}, ModeSteady, 1, false, now, ""},
		"24 hours": {GateState{Enabled: true, Pending: back(1, 20), LastAttempt: ago(24)}, ModeSteady, 1, false, now, ""},
		"23.9 hours": {
			GateState{Enabled: true, Pending: back(1, 20), LastAttempt: ago(23.5)},
			ModeNone,
			1, false, now.Add(30 * time.Minute), "closed: too soon, opens at 2026-06-20T11:00:00Z",
		},
		"neither": {
			GateState{Enabled: true, Pending: back(1, 1), LastAttempt: ago(1)},
			ModeNone, 1, false, now.Add(23 * time.Hour), "",
		},
		"volume opens later than time": {GateState{Enabled: true, Pending: back(1, 1), LastAttempt: ago(23)}, ModeNone, 1, false, midnight, ""},
		"nothing pending":              {GateState{Enabled: true}, ModeNone, 0, false, midnight, "closed: nothing is pending"},
		"forced, nothing pending":      {GateState{Enabled: true, Forced: true}, ModeNone, 0, false, midnight, "closed: nothing is pending"},
		"14 days is steady":            {GateState{Enabled: true, Pending: back(14, 1), LastAttempt: ago(1)}, ModeNone, 14, false, midnight, ""},
		"14 days, time passed":         {GateState{Enabled: true, Pending: back(14, 2), LastAttempt: ago(25)}, ModeSteady, 14, false, now, ""},
		"15 days catch up": {
			GateState{Enabled: true, Pending: back(15, 1), LastAttempt: ago(0)},
			ModeCatchUp, 14, false, now, "open: catching up, more than 14 days pending",
		},
		"forced": {
			GateState{Enabled: true, Forced: true, Pending: back(1, 1), LastAttempt: ago(0)},
			ModeForced, 1, false, now, "open: a person asked for it",
		},
		"forced though switched off": {GateState{Forced: true, Pending: back(1, 1)}, ModeForced, 1, false, now, ""},
		"forced takes one batch":     {GateState{Enabled: true, Forced: true, Pending: back(40, 1)}, ModeForced, 14, false, now, ""},
		"forced, but locked": {
			GateState{Enabled: true, Forced: true, Running: true, Pending: back(1, 1)},
			ModeNone, 1, false,
			time.Time{},
			"closed: another run holds the lock",
		},
		"catching up, but locked": {GateState{Enabled: true, Running: true, Pending: back(20, 1)}, ModeNone, 14, false, time.Time{}, ""},
		"switched off": {
			GateState{Pending: back(20, 9)},
			ModeNone,
			14, false,
			time.Time{},
			"closed: consolidation is switched off",
		},
		"two failures":        {GateState{Enabled: true, Pending: back(1, 20), Failures: 2}, ModeSteady, 1, false, now, ""},
		"three failures skip": {GateState{Enabled: true, Pending: back(1, 20), Failures: 3}, ModeSteady, 1, true, now, ""},
		"three failures, too soon": {
			GateState{Enabled: true, Pending: back(1, 20), Failures: 3, LastAttempt: ago(1)},
			ModeNone, 1, true, now.Add(23 * time.Hour), "",
		},
		"failures of a batch forgotten": {GateState{Enabled: true, Failures: 3}, ModeNone, 0, false, midnight, ""},
		"an attempt far in the future": {
			GateState{Enabled: true, Pending: back(1, 20), LastAttempt: now.AddDate(1, 0, 0)},
			ModeSteady, 1, false, now, "",
		},
		"undone, catching up": {
			GateState{Enabled: true, Pending: back(15, 1), LastAttempt: ago(30), Undone: ago(1)},
			ModeNone, 14, false,
			now.Add(23 * time.Hour), "closed: a dream was taken back at 2026-06-20T09:30:00Z; until 2026-06-21T09:30:00Z one starts " +
				"only when it is asked for",
		},
		"undone, steady": {
			GateState{Enabled: true, Pending: back(1, 20), LastAttempt: ago(30), Undone: ago(23)},
			ModeNone, 1, false, now.Add(time.Hour), "",
		},
		"undone a day ago": {
			GateState{Enabled: true, Pending: back(15, 1), LastAttempt: ago(30), Undone: ago(24)},
			ModeCatchUp, 14, false, now, "",
		},
		"undone, but forced": {GateState{Enabled: true, Forced: true, Pending: back(1, 1), Undone: ago(0)}, ModeForced, 1, false, now, ""},
		"undone far in the future": {
			GateState{Enabled: true, Pending: back(15, 1), Undone: now.AddDate(1, 0, 0)},
			ModeCatchUp, 14, false, now, "",
		},
		"an attempt just ahead": {
			GateState{Enabled: true, Pending: back(1, 20), LastAttempt: now.Add(time.Second)},
			ModeNone, 1, false, now.Add(24*time.Hour + time.Second), "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			tt.s.Now = now
			got := Gate{MinHours: 24, MinFacts: 20, MaxDays: 14, MaxRetries: 3}.Decide(tt.s)
			if got.Mode != tt.mode || got.Run != (tt.mode != ModeNone) ||
				len(got.Days) != tt.days || got.Skip != tt.skip || !got.Next.Equal(tt.next) {
				t.Errorf("got %+v", got)
			}
			if last := got.Reasons[len(got.Reasons)-1]; tt.reason != "" && last != tt.reason {
				t.Errorf("reason %q, want %q", last, tt.reason)
			}
		})
	}
}

// Every combination of the conditions at and beside their limits, against the rules in the design's own words.
func TestDecideExhaustively(t *testing.T) {
	bools := []bool{false, true}
	n := 0
	usual := Gate{MinHours: 24, MinFacts: 20, MaxDays: 14, MaxRetries: 3}
	for _, g := range []Gate{usual, {}, {MinHours: 1, MinFacts: 1, MaxDays: 1, MaxRetries: 1}} {
		maxDays, maxRetries := max(1, g.MaxDays), max(1, g.MaxRetries)
		for _, days := range []int{0, 1, maxDays - 1, maxDays, maxDays + 1, 3*maxDays + 1} {
			for _, perDay := range []int{1, g.MinFacts - 1, g.MinFacts, g.MinFacts + 1} {
				for _, hours := range []int{-10000, -1, 0, g.MinHours - 1, g.MinHours, g.MinHours + 1, 1 << 20} {
					for _, failures := range []int{0, maxRetries - 1, maxRetries, maxRetries + 1} {
						for _, running := range bools {
							for _, enabled := range bools {
								for _, forced := range bools {
									for _, never := range bools {
										s := GateState{
											Now: now, Pending: back(days, max(1, perDay)),
											Failures: failures, Running: running, Enabled: enabled, Forced: forced,
										}
										if !never {
											s.LastAttempt = now.Add(-time.Duration(hours) * time.Hour)
										}
										n++
										checkDecision(t, g, s, maxDays, maxRetries, hours, never)
									}
								}
							}
						}
					}
				}
			}
		}
	}
	t.Logf("%d states", n)
}

func checkDecision(t *testing.T, g Gate, s GateState, maxDays, maxRetries, hours int, never bool) {
	t.Helper()
	d := g.Decide(s)
	facts := 0
	for _, p := range s.Pending {
		facts += p.Facts
	}
	want := ModeNone
	if possible := len(s.Pending) > 0 && !s.Running; possible {
		timeIsRight := never || hours >= g.MinHours || hours < -g.MinHours
		switch {
		case s.Forced:
			want = ModeForced
		case s.Enabled && len(s.Pending) > maxDays:
			want = ModeCatchUp
		case s.Enabled && timeIsRight && facts >= g.MinFacts:
			want = ModeSteady
		}
	}
	fail := func(format string, args ...any) {
		t.Helper()
		t.Fatalf("%s\ngate %+v\nstate %+v\ndecision %+v", fmt.Sprintf(format, args...), g, s, d)
	}
	if d.Mode != want || d.Run != (want != ModeNone) {
		fail("want %s", want)
	}
	if len(d.Days) != min(len(s.Pending), maxDays) || !slices.IsSorted(d.Days) || (len(d.Days) > 0 && d.Days[0] != s.Pending[0].Day) {
		fail("wrong batch")
	}
	if d.Skip != (len(s.Pending) > 0 && s.Failures >= maxRetries) {
		fail("wrong skip")
	}
	if last := d.Reasons[len(d.Reasons)-1]; strings.HasPrefix(last, "open:") != d.Run || strings.HasPrefix(last, "closed:") == d.Run {
		fail("the last reason does not say the answer")
	}
	if d.Run != d.Next.Equal(s.Now) {
		fail("Next")
	}
	// At Next the answer can change, one second before it cannot: with the days as they are, and one more after midnight.
	if d.Next.After(s.Now) {
		later := s
		later.Now = d.Next.Add(-time.Second)
		later.Forced = false
		if later.Now.After(s.Now) && g.Decide(later).Run {
			fail("opens before Next")
		}
	}
	if again := g.Decide(s); !cmp.Equal(d, again) {
		fail("another answer to the same question: %+v", again)
	}
}
