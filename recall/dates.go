package recall

import (
	"math"
	"strconv"
	"time"
)

// A span is a time that a question names: days, both included. Where year is false it comes back
// every year ("in May").
type span struct {
	from, to time.Time
	year     bool
}

const day = 24 * time.Hour

// How fast closeness fades, in days. People tell of things after they happened, so that the days
// after a span count longer than those before it.
const (
	fadeAfter  = 10
	fadeBefore = 4
)

// closeness is 1 for a time inside the span and falls towards 0 away from it.
func (s span) closeness(unix int64) float64 {
	if unix == 0 {
		return 0
	}
	t := time.Unix(unix, 0).UTC()
	if s.year {
		return fade(s.from, s.to, t)
	}
	best := 0.0
	for _, d := range []int{-1, 0, 1} {
		y := t.Year() + d - s.from.Year()
		best = max(best, fade(s.from.AddDate(y, 0, 0), s.to.AddDate(y, 0, 0), t))
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

// findSpans reads the times out of folded words: 2023, May 2023, 3 May 2023, May 3, in May,
// 2023-05-03, 3.5.2023, yesterday, last week, last Tuesday, two weeks ago. The other words are the rest.
func findSpans(words []string, now time.Time) (spans []span, rest []string) {
	today := now.UTC().Truncate(day)
	for i := 0; i < len(words); i++ {
		s, n := absolute(words, i)
		if n == 0 {
			s, n = relative(words[i:], today)
		}
		if n == 0 {
			rest = append(rest, words[i])
			continue
		}
		spans = append(spans, s)
		i += n - 1
	}
	return spans, rest
}

// absolute reads a calendar date at words[i:] and returns how many words it took.
func absolute(words []string, i int) (span, int) {
	if m := month(words, i); m > 0 {
		return dated(m, words, i)
	}
	if t, err := time.Parse("2.1.2006", words[i]); err == nil {
		return span{t, t, true}, 1
	}
	n, ok := number(words[i])
	switch {
	case !ok:
	case n >= 1900 && n < 2200: // a year, or an ISO date
		if i+2 < len(words) {
			if m, ok := number(words[i+1]); ok && m >= 1 && m <= 12 {
				if d, ok := number(words[i+2]); ok && d >= 1 && d <= 31 {
					return days(n, time.Month(m), d, true), 3
				}
			}
		}
		return span{date(n, 1, 1), date(n, 12, 31), true}, 1
	case n >= 1 && n <= 31 && i+1 < len(words): // 3 May, 3 of May
		j := i + 1
		if words[j] == "of" && j+1 < len(words) {
			j++
		}
		if m := monthName(words[j]); m > 0 {
			if y, ok := year(words, j+1); ok {
				return days(y, m, n, true), j + 2 - i
			}
			return days(2000, m, n, false), j + 1 - i
		}
	}
	return span{}, 0
}

// dated reads what follows a month's name: a day, a year, both or nothing.
func dated(m time.Month, words []string, i int) (span, int) {
	if i+1 < len(words) {
		if d, ok := number(words[i+1]); ok && d >= 1 && d <= 31 {
			if y, ok := year(words, i+2); ok {
				return days(y, m, d, true), 3
			}
			return days(2000, m, d, false), 2
		}
	}
	if y, ok := year(words, i+1); ok {
		return span{date(y, m, 1), date(y, m+1, 0), true}, 2
	}
	return span{date(2000, m, 1), date(2000, m+1, 0), false}, 1
}

// relative reads a time that counts from today and returns how many words it took.
func relative(w []string, today time.Time) (span, int) {
	switch w[0] {
	case "today", "tonight":
		return span{today, today, true}, 1
	case "yesterday":
		return span{today.Add(-day), today.Add(-day), true}, 1
	case "last", "past", "this":
		if len(w) > 1 {
			return lastOf(w[0] == "this", w[1], today)
		}
		return span{}, 0
	}
	if len(w) < 3 || w[2] != "ago" {
		return span{}, 0
	}
	n, ok := count(w[0])
	if !ok {
		return span{}, 0
	}
	switch w[1] {
	case "day", "days":
		t := today.AddDate(0, 0, -n)
		return span{t, t, true}, 3
	case "week", "weeks":
		return span{today.AddDate(0, 0, -7*n-3), today.AddDate(0, 0, -7*n+3), true}, 3
	case "month", "months":
		return span{today.AddDate(0, -n, -15), today.AddDate(0, -n, 15), true}, 3
	case "year", "years":
		return span{date(today.Year()-n, 1, 1), date(today.Year()-n, 12, 31), true}, 3
	}
	return span{}, 0
}

func lastOf(this bool, unit string, today time.Time) (span, int) {
	back := 1
	if this {
		back = 0
	}
	monday := today.AddDate(0, 0, -(int(today.Weekday())+6)%7)
	switch unit {
	case "night":
		return span{today.Add(-day), today, true}, 2
	case "week":
		from := monday.AddDate(0, 0, -7*back)
		return span{from, from.AddDate(0, 0, 6), true}, 2
	case "weekend":
		from := monday.AddDate(0, 0, 5-7*back)
		return span{from, from.Add(day), true}, 2
	case "month":
		from := date(today.Year(), today.Month()-time.Month(back), 1)
		return span{from, from.AddDate(0, 1, -1), true}, 2
	case "year":
		return span{date(today.Year()-back, 1, 1), date(today.Year()-back, 12, 31), true}, 2
	}
	if wd, ok := weekday(unit); ok && !this {
		t := today.AddDate(0, 0, -((int(today.Weekday())-int(wd)+6)%7 + 1))
		return span{t, t, true}, 2
	}
	return span{}, 0
}

func days(y int, m time.Month, d int, hasYear bool) span {
	t := date(y, m, d)
	return span{t, t, hasYear}
}

func date(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, time.UTC) }

func year(words []string, i int) (int, bool) {
	if i >= len(words) {
		return 0, false
	}
	n, ok := number(words[i])
	return n, ok && n >= 1900 && n < 2200
}

// number reads digits, and the number of an ordinal (3rd).
func number(w string) (int, bool) {
	end := 0
	for end < len(w) && w[end] >= '0' && w[end] <= '9' {
		end++
	}
	switch w[end:] {
	case "", "st", "nd", "rd", "th":
	default:
		return 0, false
	}
	n, err := strconv.Atoi(w[:end])
	return n, err == nil && end <= 4
}

func count(w string) (int, bool) {
	for i, s := range []string{"a", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"} {
		if w == s {
			return max(i, 1), true
		}
	}
	if w == "an" {
		return 1, true
	}
	return number(w)
}

// month is the month named at words[i], 0 for none. "May" and "march" are months only beside a
// number or after a word that goes with months.
func month(words []string, i int) time.Month {
	m := monthName(words[i])
	if words[i] != "may" && words[i] != "march" {
		return m
	}
	if i+1 < len(words) {
		if _, ok := number(words[i+1]); ok {
			return m
		}
	}
	if i > 0 {
		switch words[i-1] {
		case "in", "of", "on", "during", "early", "mid", "late", "since", "until", "last", "by", "before", "after":
			return m
		}
		if _, ok := number(words[i-1]); ok {
			return m
		}
	}
	return 0
}

func monthName(w string) time.Month {
	switch w {
	case "january", "jan", "januar", "janvier", "enero":
		return time.January
	case "february", "feb", "februar", "fevrier", "febrero":
		return time.February
	case "march", "marz", "mars", "marzo":
		return time.March
	case "april", "apr", "avril", "abril":
		return time.April
	case "may", "mai", "mayo":
		return time.May
	case "june", "juni", "juin", "junio":
		return time.June
	case "july", "juli", "juillet", "julio":
		return time.July
	case "august", "aug", "aout", "agosto":
		return time.August
	case "september", "sept", "septembre", "septiembre":
		return time.September
	case "october", "oct", "oktober", "octobre", "octubre":
		return time.October
	case "november", "nov", "novembre", "noviembre":
		return time.November
	case "december", "dec", "dezember", "decembre", "diciembre":
		return time.December
	}
	return 0
}

func weekday(w string) (time.Weekday, bool) {
	for d := time.Sunday; d <= time.Saturday; d++ {
		if name := d.String(); len(w) == len(name) && w[1:] == name[1:] && w[0] == name[0]|0x20 {
			return d, true
		}
	}
	return 0, false
}

// tellsTime says whether words hold something that answers when: a weekday, a month, a year,
// yesterday, ago, last week.
func tellsTime(words []string) bool {
	for i, w := range words {
		if month(words, i) > 0 {
			return true
		}
		if _, ok := weekday(w); ok {
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
		if n, ok := number(w); ok && (n >= 1900 && n < 2200 || i+1 < len(words) && timeUnit(words[i+1])) {
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
