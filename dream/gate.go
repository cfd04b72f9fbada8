package dream

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/reverie-memory/reverie/dream/navigate"
	"github.com/reverie-memory/reverie/vault"
)

// A Gate holds the conditions of a run.
type Gate struct {
	MinHours   int // hours between two attempts; 0: no wait
	MinFacts   int // pending facts that make a run worth its cost; 0: any
	MaxDays    int // days in one batch; more pending days than this start catching up
	MaxRetries int // failures after which a batch is skipped
}

// DayCount is a day's log and how many of its facts no finished run has accounted for.
type DayCount struct {
	Day   vault.Day
	Facts int
	Late  bool // at or before the watermark: the facts came, or were edited, after the day was consolidated
}

// GateState is what the gate looks at.
type GateState struct {
	Now         time.Time
	Pending     []DayCount // as [Pending] gives them
	LastAttempt time.Time  // when the last run began, whatever became of it; zero: never
	Undone      time.Time  // when a person last took a run back and has not asked for one since; zero: never
	Failures    int        // failures of the batch that is next, one after the other
	Running     bool       // a run holds the lock
	Enabled     bool
	Forced      bool // a person asks: past time and volume, never past the lock
}

// A Mode says why a run may start.
type Mode string

// The modes.
const (
	ModeNone    Mode = "none"
	ModeSteady  Mode = "steady"
	ModeCatchUp Mode = "catch_up"
	ModeForced  Mode = "forced"
)

// A Decision is the gate's answer.
type Decision struct {
	Run  bool
	Mode Mode
	// Days is the batch: the first pending days, in order. Days is set as well when Run is false, as what the next run would take.
	Days []vault.Day
	// Skip: this batch has failed too often. The run passes the watermark over it and lists its facts for a person.
	Skip bool
	// Reasons says in words what was weighed, for status and `dream --why`.
	Reasons []string
	// Next is when the answer can change by time alone: Now when Run, zero when no time is known.
	Next time.Time
	// What was weighed, besides.
	Pending     int // facts that wait for a run
	Today       int // facts of today, which are consolidated when it is over
	LastAttempt time.Time
	Failed      Failed // how often the batch that begins with the first of Days has failed
}

// Pending gives the days that wait for a run, in order: log days after the watermark and strictly before now's UTC day, and
// days up to the watermark with facts that came late. Facts counts what has no ledger outcome yet and was not
// skipped; days without such facts do not wait. An empty watermark means that nothing was consolidated.
func Pending(watermark vault.Day, days []DayCount, now time.Time) []DayCount {
	today := vault.DayOf(now)
	facts := map[vault.Day]int{}
	for _, d := range days {
		if d.Facts > 0 && d.Day != "" && d.Day < today {
			facts[d.Day] += d.Facts
		}
	}
	pending := make([]DayCount, 0, len(facts))
	for day, n := range facts {
		pending = append(pending, DayCount{Day: day, Facts: n, Late: day <= watermark})
	}
	slices.SortFunc(pending, func(a, b DayCount) int { return cmp.Compare(a.Day, b.Day) })
	return pending
}

// Decide says whether a run may start now, and why.
func (g Gate) Decide(s GateState) Decision {
	d := Decision{Mode: ModeNone}
	say := func(format string, args ...any) { d.Reasons = append(d.Reasons, fmt.Sprintf(format, args...)) }
	maxDays, maxRetries := max(1, g.MaxDays), max(1, g.MaxRetries)

	facts, late := 0, 0
	today := vault.DayOf(s.Now)
	for _, p := range s.Pending {
		if p.Day >= today {
			continue // the clock went back since Pending was asked
		}
		facts += p.Facts
		if p.Late {
			late++
		}
		d.Days = append(d.Days, p.Day)
	}
	days := len(d.Days)
	d.Days = d.Days[:min(days, maxDays)]
	d.Skip = days > 0 && s.Failures >= maxRetries

	say("pending: %s of %s", navigate.Counted(facts, "fact"), navigate.Counted(days, "day"))
	if late > 0 {
		say("late: %s at or before the watermark", navigate.Counted(late, "day"))
	}
	if d.Skip {
		say("the batch from %s has failed %d times of %d: it will be skipped and listed for a person", d.Days[0], s.Failures, maxRetries)
	} else if s.Failures > 0 && days > 0 {
		say("the batch from %s has failed %d times of %d", d.Days[0], s.Failures, maxRetries)
	}

	midnight := today.Time().AddDate(0, 0, 1) // when today's facts become pending
	timeOpen, opens := g.timeGate(s, say)
	switch {
	case s.Running:
		say("closed: another run holds the lock")
		return d
	case days == 0:
		say("closed: nothing is pending")
		if s.Enabled {
			d.Next = midnight
		}
		return d
	case s.Forced:
		d.Mode = ModeForced
		say("open: a person asked for it")
	case !s.Enabled:
		say("closed: consolidation is switched off")
		return d
	case g.held(s):
		d.Next = s.Undone.Add(g.wait())
		say("closed: a dream was taken back at %s; until %s one starts only when it is asked for", stamp(s.Undone), stamp(d.Next))
		return d
	case days > maxDays:
		d.Mode = ModeCatchUp
		say("open: catching up, more than %s pending", navigate.Counted(maxDays, "day"))
	case !timeOpen || facts < g.MinFacts:
		if facts < g.MinFacts {
			say("closed: fewer than %s pending", navigate.Counted(g.MinFacts, "fact"))
		}
		if !timeOpen {
			say("closed: too soon, opens at %s", stamp(opens))
		}
		d.Next = opens
		switch {
		case facts < g.MinFacts && midnight.After(opens):
			d.Next = midnight
		case days == maxDays && midnight.Before(opens): // one day more and it catches up, whatever the time
			d.Next = midnight
		}
		return d
	default:
		d.Mode = ModeSteady
		say("open: enough time and facts")
	}
	d.Run, d.Next = true, s.Now
	return d
}

// wait is the time between two attempts.
func (g Gate) wait() time.Duration { return time.Duration(max(0, g.MinHours)) * time.Hour }

// held tells whether a person took a run back so lately that the next look must not file the same facts again under their eyes.
func (g Gate) held(s GateState) bool {
	since := s.Now.Sub(s.Undone)
	return !s.Undone.IsZero() && since < g.wait() && since > -g.wait() // farther ahead, the clock was wrong
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// timeGate says whether enough time has passed since the last attempt, and else when it will have.
func (g Gate) timeGate(s GateState, say func(string, ...any)) (open bool, opens time.Time) {
	wait := g.wait()
	if s.LastAttempt.IsZero() {
		say("last attempt: never")
		return true, s.Now
	}
	since := s.Now.Sub(s.LastAttempt)
	if since < -wait {
		// The clock was wrong then or is now. Waiting for it could take years; one run too early harms nothing.
		say("last attempt: %s lies in the future and is not counted", stamp(s.LastAttempt))
		return true, s.Now
	}
	if since < 0 {
		say("last attempt: %s, ahead of the clock", stamp(s.LastAttempt))
	} else {
		say("last attempt: %s, %s ago of %d hours", stamp(s.LastAttempt), since.Truncate(time.Minute), g.MinHours)
	}
	if opens = s.LastAttempt.Add(wait); opens.After(s.Now) {
		return false, opens
	}
	return true, s.Now
}
