package recall

import (
	"math"
	"time"

	"github.com/reverie-memory/reverie/lexis/calendar"
)

const day = 24 * time.Hour

// How fast closeness fades, in days. People tell of things after they happened, so that the days
// after a span count longer than those before it.
const (
	fadeAfter  = 10
	fadeBefore = 4
)

// closeness is 1 for a time inside the span and falls towards 0 away from it.
func closeness(s calendar.Span, unix int64) float64 {
	if unix == 0 {
		return 0
	}
	t := time.Unix(unix, 0).UTC()
	if s.Year {
		return fade(s.From, s.To, t)
	}
	best := 0.0
	for _, d := range []int{-1, 0, 1} {
		y := t.Year() + d - s.From.Year()
		best = max(best, fade(s.From.AddDate(y, 0, 0), s.To.AddDate(y, 0, 0), t))
	}
	return best
}

func fade(from, to, t time.Time) float64 {
	end := to.Add(day)
	switch {
	case t.Before(from):
		return math.Exp(-math.Ceil(from.Sub(t).Hours()/24) / fadeBefore)
	case !t.Before(end):
		return math.Exp(-math.Floor(t.Sub(to).Hours()/24) / fadeAfter)
	}
	return 1
}

// tellsTime says whether words hold something that answers when: a weekday, a month, a year,
// yesterday, ago, last week.
func tellsTime(words []string) bool {
	for i, w := range words {
		if calendar.Month(words, i) > 0 {
			return true
		}
		if _, ok := calendar.Weekday(w); ok {
			return true
		}
		switch w {
		case "yesterday", "today", "tonight", "tomorrow", "ago", "since", "recently",
			"gestern", "heute", "morgen", "seit", "hier", "demain", "depuis", "ayer", "hoy", "manana", "desde":
			return true
		case "last", "next", "this", "past", "other", "few", "letzte", "letzten", "letztes", "nachste":
			if i+1 < len(words) && timeUnit(words[i+1]) {
				return true
			}
		}
		if n, ok := calendar.Number(w); ok && (n >= 1900 && n < 2200 || i+1 < len(words) && timeUnit(words[i+1])) {
			return true
		}
	}
	return false
}

func timeUnit(w string) bool {
	switch w {
	case "night", "day", "days", "week", "weeks", "weekend", "month", "months", "year", "years",
		"morning", "summer", "winter", "spring", "fall", "autumn",
		"nacht", "tag", "tage", "woche", "wochen", "wochenende", "monat", "monate", "jahr", "jahre":
		return true
	}
	return false
}
