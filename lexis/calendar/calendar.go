// Package calendar reads days, months, years and times that count from today out of words.
package calendar

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Span is a time that words name: days, both included. Where Year is false it comes back every year ("in May").
type Span struct {
	From, To time.Time
	Year     bool
}

// Last is the span with a year: where it has none, the last one that had begun by a day.
func (s Span) Last(by time.Time) Span {
	if !s.Year {
		y := by.Year() - s.From.Year()
		if s.From.AddDate(y, 0, 0).After(by) {
			y--
		}
		s.From, s.To = s.From.AddDate(y, 0, 0), s.To.AddDate(y, 0, 0)
	}
	return s
}

const day = 24 * time.Hour

// Find reads the times out of folded words: 2023, May 2023, 3 May 2023, May 3, the third of May, in May,
// 2023-05-03, 3.5.2023, yesterday, last week, last Tuesday, two weeks ago, the week before 3 May. The other words are the rest.
func Find(words []string, now time.Time) (spans []Span, rest []string) {
	today := now.UTC().Truncate(day)
	for i := 0; i < len(words); i++ {
		s, n := beside(words, i)
		if n == 0 {
			s, n = At(words, i, today)
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

// beside reads a span that lies before or after a date: week before 3 May, days after 2023-05-03, two weeks before May 2024.
func beside(words []string, i int) (Span, int) {
	n, at := 1, i
	if c, ok := count(words[i]); ok && words[i] != "a" && words[i] != "an" && i+1 < len(words) {
		n, at = c, i+1
	}
	if at+2 >= len(words) || words[at+1] != "before" && words[at+1] != "after" {
		return Span{}, 0
	}
	of, size := Date(words, at+2)
	if size == 0 {
		return Span{}, 0
	}
	from, to := of.From, of.To
	step := func(years, months, days int) {
		if words[at+1] == "before" {
			from, to = of.From.AddDate(-years*n, -months*n, -days*n), of.From.Add(-day)
		} else {
			from, to = of.To.Add(day), of.To.AddDate(years*n, months*n, days*n)
		}
	}
	switch words[at] {
	case "day":
		step(0, 0, 1)
	case "days":
		if at == i { // a few
			n = 3
		}
		step(0, 0, 1)
	case "week", "weeks", "weekend":
		step(0, 0, 7)
	case "month", "months":
		step(0, 1, 0)
	case "year", "years":
		step(1, 0, 0)
	default:
		return Span{}, 0
	}
	return Span{from, to, of.Year}, at + 2 + size - i
}

// At reads the time that words[i:] begins with, and returns how many words it takes, 0 for none. today is a midnight in UTC.
func At(words []string, i int, today time.Time) (Span, int) {
	if s, n := Date(words, i); n > 0 {
		return s, n
	}
	return relative(words[i:], today)
}

// Tells says whether a word without digits is one of those of which each time that [At] reads has one.
func Tells(word string) bool {
	switch word {
	case "today", "tonight", "yesterday", "last", "past", "this", "ago":
		return true
	}
	return monthName(word) > 0
}

// Date reads a day, a month or a year of the calendar that folded words[i:] begins with, and returns how many words it takes, 0 for none.
func Date(words []string, i int) (Span, int) {
	if m := Month(words, i); m > 0 {
		return dated(m, words, i)
	}
	if strings.Count(words[i], ".") == 2 {
		if t, err := time.Parse("2.1.2006", words[i]); err == nil {
			return Span{t, t, true}, 1
		}
	}
	if day, n := ordinal(words[i:]); day > 0 {
		return dayOfMonth(day, words, i+n, i)
	}
	n, ok := Number(words[i])
	switch {
	case !ok:
	case n >= 1900 && n < 2200: // a year, or an ISO date
		if i+2 < len(words) {
			if m, ok := Number(words[i+1]); ok && m >= 1 && m <= 12 {
				if d, ok := Number(words[i+2]); ok && d >= 1 && d <= 31 {
					return days(n, time.Month(m), d, true), 3
				}
			}
		}
		return Span{date(n, 1, 1), date(n, 12, 31), true}, 1
	case n >= 1 && n <= 31: // 3 May, 3 of May
		return dayOfMonth(n, words, i+1, i)
	}
	return Span{}, 0
}

// dayOfMonth reads the month after its nth day, which words[from:i] name, and its year.
func dayOfMonth(n int, words []string, i, from int) (Span, int) {
	if i < len(words) && words[i] == "of" {
		i++
	}
	if i == len(words) || monthName(words[i]) == 0 {
		return Span{}, 0
	}
	if y, ok := year(words, i+1); ok {
		return days(y, monthName(words[i]), n, true), i + 2 - from
	}
	return days(2000, monthName(words[i]), n, false), i + 1 - from
}

var ordinals = strings.Fields(`first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth
	fifteenth sixteenth seventeenth eighteenth nineteenth twentieth`)

// ordinal reads the day of a month that "of" follows, such as third, twenty first: as which it comes, and how many words that takes.
func ordinal(words []string) (day, n int) {
	add := 0
	switch words[0] {
	case "twenty", "thirty":
		if add = 20; words[0] == "thirty" {
			add = 30
		}
		words, n = words[1:], 1
	case "thirtieth":
		day = 30
	}
	if len(words) < 2 || words[1] != "of" {
		return 0, 0
	}
	if i := slices.Index(ordinals, words[0]); i >= 0 && (add == 0 || i < 9) {
		day = add + i + 1
	}
	return day, n + 1
}

// dated reads what follows a month's name: a day, a year, both or nothing.
func dated(m time.Month, words []string, i int) (Span, int) {
	if i+1 < len(words) {
		if d, ok := Number(words[i+1]); ok && d >= 1 && d <= 31 {
			if y, ok := year(words, i+2); ok {
				return days(y, m, d, true), 3
			}
			return days(2000, m, d, false), 2
		}
	}
	if y, ok := year(words, i+1); ok {
		return Span{date(y, m, 1), date(y, m+1, 0), true}, 2
	}
	return Span{date(2000, m, 1), date(2000, m+1, 0), false}, 1
}

// relative reads a time that counts from today and returns how many words it took.
func relative(w []string, today time.Time) (Span, int) {
	switch w[0] {
	case "today", "tonight":
		return Span{today, today, true}, 1
	case "yesterday":
		return Span{today.Add(-day), today.Add(-day), true}, 1
	case "last", "past", "this":
		if len(w) > 1 {
			return lastOf(w[0] == "this", w[1], today)
		}
		return Span{}, 0
	}
	if len(w) < 3 || w[2] != "ago" {
		return Span{}, 0
	}
	n, ok := count(w[0])
	if !ok {
		return Span{}, 0
	}
	switch w[1] {
	case "day", "days":
		t := today.AddDate(0, 0, -n)
		return Span{t, t, true}, 3
	case "week", "weeks":
		return Span{today.AddDate(0, 0, -7*n-3), today.AddDate(0, 0, -7*n+3), true}, 3
	case "month", "months":
		return Span{today.AddDate(0, -n, -15), today.AddDate(0, -n, 15), true}, 3
	case "year", "years":
		return Span{date(today.Year()-n, 1, 1), date(today.Year()-n, 12, 31), true}, 3
	}
	return Span{}, 0
}

func lastOf(this bool, unit string, today time.Time) (Span, int) {
	back := 1
	if this {
		back = 0
	}
	monday := today.AddDate(0, 0, -(int(today.Weekday())+6)%7)
	switch unit {
	case "night":
		return Span{today.Add(-day), today, true}, 2
	case "week":
		from := monday.AddDate(0, 0, -7*back)
		return Span{from, from.AddDate(0, 0, 6), true}, 2
	case "weekend":
		from := monday.AddDate(0, 0, 5-7*back)
		return Span{from, from.Add(day), true}, 2
	case "month":
		from := date(today.Year(), today.Month()-time.Month(back), 1)
		return Span{from, from.AddDate(0, 1, -1), true}, 2
	case "year":
		return Span{date(today.Year()-back, 1, 1), date(today.Year()-back, 12, 31), true}, 2
	}
	if wd, ok := Weekday(unit); ok && !this {
		t := today.AddDate(0, 0, -((int(today.Weekday())-int(wd)+6)%7 + 1))
		return Span{t, t, true}, 2
	}
	return Span{}, 0
}

func days(y int, m time.Month, d int, hasYear bool) Span {
	t := date(y, m, d)
	return Span{t, t, hasYear}
}

func date(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, time.UTC) }

func year(words []string, i int) (int, bool) {
	if i >= len(words) {
		return 0, false
	}
	n, ok := Number(words[i])
	return n, ok && n >= 1900 && n < 2200
}

// Number reads digits, and the number of an ordinal (3rd).
func Number(w string) (int, bool) {
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
	return Number(w)
}

// Month is the month named at words[i], 0 for none. "May", "march" and some short forms are months only beside a
// number or after a word that goes with months.
func Month(words []string, i int) time.Month {
	m := monthName(words[i])
	switch words[i] {
	default:
		return m
	case "may", "march", "mar", "jun", "jul", "sep", "dez":
	}
	if i+1 < len(words) {
		if _, ok := Number(words[i+1]); ok {
			return m
		}
	}
	if i > 0 {
		switch words[i-1] {
		case "in", "of", "on", "during", "early", "mid", "late", "since", "until", "last", "next", "by", "before", "after":
			return m
		}
		if _, ok := Number(words[i-1]); ok {
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
	case "march", "mar", "marz", "mrz", "mars", "marzo":
		return time.March
	case "april", "apr", "avril", "abril":
		return time.April
	case "may", "mai", "mayo":
		return time.May
	case "june", "jun", "juni", "juin", "junio":
		return time.June
	case "july", "jul", "juli", "juillet", "julio":
		return time.July
	case "august", "aug", "aout", "agosto":
		return time.August
	case "september", "sep", "sept", "septembre", "septiembre":
		return time.September
	case "october", "oct", "okt", "oktober", "octobre", "octubre":
		return time.October
	case "november", "nov", "novembre", "noviembre":
		return time.November
	case "december", "dec", "dez", "dezember", "decembre", "diciembre":
		return time.December
	}
	return 0
}

// Weekday is the day of the week that has this English name.
func Weekday(w string) (time.Weekday, bool) {
	for d := time.Sunday; d <= time.Saturday; d++ {
		if name := d.String(); len(w) == len(name) && w[1:] == name[1:] && w[0] == name[0]|0x20 {
			return d, true
		}
	}
	return 0, false
}
