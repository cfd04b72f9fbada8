package extract

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/lexis/calendar"
)

// A when is what a relative date stands for.
type when struct {
	words int       // of the sentence that it takes
	lead  string    // the preposition of the date: "on"
	bare  string    // without: "8 June 2026"
	day   time.Time // the day, or the first day of the period
}

// absolute replaces the relative dates of a sentence by what they meant when it was written, or puts that in brackets behind them where the
// words are to be kept, and returns the first day that it is about. named gives the month that was named last before the sentence, 0 where
// none was: "on the 18th" is in that month or in none that can be told.
func absolute(c clause, at time.Time, named func() time.Month, keep bool) (clause, time.Time) {
	var about time.Time
	if at.IsZero() {
		return c, about
	}
	day := midnight(at)
	out := clause{make([]word, 0, len(c.words)+2), c.tail}
	for i := 0; i < len(c.words); {
		w, ok := relative(c, i, day)
		if !ok || keep && w.words == 3 && c.at(i+1) == "other" || c.words[i].quoted || ordinal(c, i) && elsewhere(w.day, named()) {
			if day, ok := written(c, i, at); ok && about.IsZero() {
				about = day
			}
			out.words = append(out.words, c.words[i])
			i++
			continue
		}
		if about.IsZero() {
			about = w.day
		}
		date := word{gap: c.words[i].gap, text: strings.TrimSpace(w.lead + " " + w.bare), fixed: true, date: true}
		if n := len(out.words); n > 0 && prepositions[out.words[n-1].low] && date.gap == " " || n == 0 && auxiliary(c.at(w.words)) {
			date.text = w.bare // "last week was hard"
		}
		if i == 0 {
			date.text = lexis.Capital(date.text)
		}
		if keep {
			out.words = append(out.words, c.words[i:i+w.words]...)
			date.gap, date.text = " ", "["+w.bare+"]"
		}
		date.low = strings.ToLower(date.text)
		out.words = append(out.words, date)
		i += w.words
	}
	return out, about
}

var (
	prepositions = lexis.Set("on by since until till from before after for to between of during than about around past")
	// monthly are the words before the name of a month that is no person's.
	monthly = lexis.Set("in of during by since until till from for to next this early late mid end")
)

// dated tells a clause with a date.
func dated(c clause) bool {
	for i := range c.words {
		if _, is := relative(c, i, time.Time{}); is || isMonth(c, i) || len(c.at(i)) == 4 && count(c.at(i)) > 1800 {
			return true
		}
	}
	return false
}

// dayWords are those that stand for a day, as its distance in days.
var dayWords = map[string]int{
	"yesterday": -1, "today": 0, "tomorrow": 1, "tonight": 0, "yesterday's": -1, "today's": 0, "tomorrow's": 1, "tonight's": 0,
}

// relative reads a relative date at word i of what was said on a day.
func relative(c clause, i int, day time.Time) (when, bool) {
	w, next := c.at(i), c.at(i+1)
	if n, ok := dayWords[w]; ok {
		t := day.AddDate(0, 0, n)
		switch {
		case strings.HasSuffix(w, "'s"):
			return when{1, "", "the " + long(t), t}, true
		case w == "tonight":
			return partOf(1, "evening", t), true
		case w != "today" && (next == "night" || dayPart(next)):
			return partOf(2, next, t), true
		}
		return on(1, t), true
	}
	switch w {
	case "this":
		if dayPart(next) {
			return partOf(2, next, day), true
		}
		return period(c, i+1, 0, day)
	case "last", "past", "previous":
		if w == "last" && next == "night" {
			return partOf(2, next, day.AddDate(0, 0, -1)), true
		}
		if c.at(i+2) == "of" && units[next] { // my last week of nights
			break
		}
		if w == "last" || c.at(i-1) == "this" || c.at(i-1) == "the" && w == "previous" {
			return period(c, i+1, -1, day)
		}
	case "next", "coming":
		return period(c, i+1, 1, day)
	case "on", "by", "until", "before", "since", "till", "from", "to", "after", "for":
		if _, open := ordinalNumber(c.at(i - 1)); open && c.at(i-2) != "the" { // 14th to the 28th: of which month is not said
			break
		}
		ahead := w == "by" || w == "until" || w == "till" || w == "for" || w == "to" && c.at(i-3) != "from" // moved to the 3rd
		if t, ok := ordinalDay(c, i+1, day, !ahead); ok {
			return when{3, w, long(t), t}, true
		}
	case "the":
		if t, ok := stretchOf(c, i, day); ok {
			return t, true
		}
		for phrase, n := range map[string]int{"day after tomorrow": 2, "day before yesterday": -2} {
			if _, ok := c.hasPhrase(i+1, phrase); ok {
				return on(4, day.AddDate(0, 0, n)), true
			}
		}
		if next == "other" && c.at(i+2) == "day" {
			return when{3, "", "shortly before " + long(day), day}, true
		}
	case "in":
		n, unit, used := amount(c, i+1)
		if n > 0 && c.at(i-1) != "put" && c.at(i+1+used) != "ago" && comes(c, i, unit) {
			return shift(1+used, day, n, unit), true
		}
	}
	if n, unit, used := amount(c, i); used > 0 && c.at(i+used) == "ago" {
		if n == 0 {
			return when{used + 1, "", fmt.Sprintf("%s before %s", joinWords(c, i, used), long(day)), time.Time{}}, true
		}
		if d, ok := calendar.Weekday(c.at(i + used + 2)); ok && unit == "week" && c.at(i+used+1) == "on" { // a week ago on Tuesday
			return on(used+3, weekday(day, d, true).AddDate(0, 0, 7-7*n)), true
		}
		return shift(used+1, day, -n, unit), true
	}
	if d, ok := calendar.Weekday(strings.TrimSuffix(next, "s")); ok && numbers[w] > 1 && c.at(i+2) == "ago" { // two Fridays ago
		return on(3, weekday(day, d, true).AddDate(0, 0, 7-7*numbers[w])), true
	}
	return onWeekday(c, i, day)
}

// stretchOf reads "the week before last" and "the end of the month" at word i.
func stretchOf(c clause, i int, day time.Time) (when, bool) {
	unit := c.at(i + 1)
	if _, ok := c.hasPhrase(i+2, "before last"); ok && (unit == "week" || unit == "month" || unit == "year") {
		t, ok := period(c, i+1, -2, day)
		t.words = 4
		return t, ok
	}
	if which := c.at(i + 1); which == "end" || which == "beginning" || which == "start" || which == "middle" {
		_, ok := c.hasPhrase(i+2, "of the")
		if unit = c.at(i + 4); !ok || unit != "month" && unit != "year" || !c.ends(i+4) && !afterDay[c.at(i+5)] {
			return when{}, false
		}
		by := 0
		if which == "end" && inPast(c, i) {
			by = -1
		}
		t, ok := period(c, i+4, by, day)
		return when{5, "", "the " + which + " of " + t.bare, t.day}, ok
	}
	return when{}, false
}

func dayPart(w string) bool { return w == "morning" || w == "afternoon" || w == "evening" }

// onWeekday reads the name of a day behind a preposition, or at the front before a subject.
func onWeekday(c clause, i int, day time.Time) (when, bool) {
	d, ok := calendar.Weekday(c.at(i))
	prev, next := c.at(i-1), c.at(i+1)
	if next == "week" && ok && upperFirst(c.words[i].text) && c.ends(i+1) && !inPast(c, i) { // Friday week
		return on(2, weekday(day, d, false).AddDate(0, 0, 7)), true
	}
	if !ok || ownDate(c, i) || next == "week" || // Saturday week is not the next one
		!upperFirst(c.words[i].text) || !prepositions[prev] && (i > 0 || !subject(next)) ||
		i > 2 && prev == "to" && isWeekday(c, i-2) && c.at(i-3) != "from" || // open Monday to Friday
		(next == "and" || next == "or") && (isWeekday(c, i+2) || prepositions[c.at(i+2)] && isWeekday(c, i+3)) { // works on Monday and Thursday
		return when{}, false
	}
	used, part := 1, ""
	if next == "night" || dayPart(next) {
		used, part = 2, "the "+next+" of "
	}
	comes := prev == "by" || prev == "until" || prev == "till" || (prev == "to" || prev == "for") && c.at(i-3) != "from" // moved to Monday
	t := weekday(day, d, prev == "since" || !comes && inPast(c, i))
	return when{used, "on", part + long(t), t}, true
}

// ownDate tells the name of a day at word i that is followed by its date: Friday 17 April, Friday the 17th.
func ownDate(c clause, i int) bool {
	i++
	if c.at(i) == "the" {
		i++
	}
	_, ordinal := ordinalNumber(c.at(i))
	return ordinal || isMonth(c, i) && dayNumber(c.at(i+1)) > 0 || dayNumber(c.at(i)) > 0 && isMonth(c, i+1) ||
		len(c.at(i)) == len(time.DateOnly) && startsWithDigit(c.at(i))
}

func joinWords(c clause, i, n int) string {
	return strings.Join(slice.Map(c.words[i:i+n], func(w word) string { return w.low }), " ")
}

func midnight(t time.Time) time.Time {
	y, m, d := t.Date()
	return date(y, m, d)
}

func date(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, time.UTC) }

func long(t time.Time) string { return t.Format("2 January 2006") }

func on(words int, t time.Time) when { return when{words, "on", long(t), t} }

func partOf(words int, part string, t time.Time) when {
	return when{words, "on", "the " + part + " of " + long(t), t}
}

func monthOf(words int, t time.Time) when { return when{words, "in", t.Format("January 2006"), t} }

func yearOf(words, year int) when { return when{words, "in", strconv.Itoa(year), date(year, 1, 1)} }

// months are the English ones alone: of those that [calendar.Month] reads, some are words of English that mean something else.
var months = map[string]time.Month{
	"january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7, "august": 8, "september": 9,
	"october": 10, "november": 11, "december": 12, "jan": 1, "feb": 2, "mar": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8, "sep": 9,
	"sept": 9, "oct": 10, "nov": 11, "dec": 12,
}

var seasons = map[string]time.Month{"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}

// weekday is the nearest such day before t (and not t itself), or from t on.
func weekday(t time.Time, d time.Weekday, past bool) time.Time {
	n := (int(d) - int(t.Weekday()) + 7) % 7
	if past {
		n -= 7
	}
	return t.AddDate(0, 0, n)
}

// period reads the name of a period at word i, behind last (by -1), this (0) or next (1).
func period(c clause, i, by int, day time.Time) (when, bool) {
	name := c.at(i)
	monday := day.AddDate(0, 0, 7*by-(int(day.Weekday())+6)%7)
	switch name {
	case "week":
		return when{2, "in", "the week of " + long(monday), monday}, true
	case "weekend":
		t := monday.AddDate(0, 0, 5)
		return when{2, "on", "the weekend of " + long(t), t}, true
	case "month":
		return monthOf(2, date(day.Year(), day.Month()+time.Month(by), 1)), true
	case "year":
		return yearOf(2, day.Year()+by), true
	}
	if d, ok := calendar.Weekday(name); ok && !ownDate(c, i) {
		t := monday.AddDate(0, 0, (int(d)+6)%7)
		switch {
		case by < 0:
			t = weekday(day, d, true)
		case by == 0 && t.Before(day) && !inPast(c, i-1):
			t = t.AddDate(0, 0, 7)
		}
		return on(2, t), true
	}
	year := day.Year()
	m, ok := seasons[name]
	if !ok {
		if m, ok = months[name]; !ok || by == 0 || count(c.at(i+1)) > 0 { // last December 15, 2022: a date as it stands
			return when{}, false
		}
		if by < 0 && day.Month() <= m || by > 0 && day.Month() >= m {
			year += by
		}
		return monthOf(2, date(year, m, 1)), true
	}
	if by < 0 && day.Month() <= m+2 || by > 0 && day.Month() >= m { // this year's is not over, or has begun
		year += by
	}
	return when{2, "in", fmt.Sprintf("the %s of %d", name, year), date(year, m, 1)}, true
}

// ordinalDay reads "the 20th" as a day of this month, or of the next or last one.
func ordinalDay(c clause, i int, day time.Time, either bool) (time.Time, bool) {
	if c.at(i) != "the" {
		return time.Time{}, false
	}
	n, ok := ordinalNumber(c.at(i + 1))
	if end := i+2 >= len(c.words) || pause(c.words[i+2].gap); !ok || !end && !afterDay[c.at(i+2)] {
		return time.Time{}, false
	}
	if first, ok := firstDay(c, i, day, either); ok { // the 12th to the 17th, on 9 August and then on the 18th
		day, either = first, false
	}
	return nearest(n, day, either && inPast(c, i-1))
}

// ordinal tells whether "on the 18th" stands at word i, of a month that no word before names.
func ordinal(c clause, i int) bool {
	_, ok := ordinalNumber(c.at(i + 2))
	return ok && c.at(i+1) == "the" && lastMonth(c, i) == 0
}

func elsewhere(t time.Time, m time.Month) bool { return m != 0 && t.Month() != m }

// noMonth is for what nothing was said before.
func noMonth() time.Month { return 0 }

// lastMonth is the last month that a clause names before word n, 0 where it names none.
func lastMonth(c clause, n int) time.Month {
	for k := n - 1; k >= 0; k-- {
		if isMonth(c, k) && (max(dayNumber(c.at(k+1)), dayNumber(c.at(k-1))) > 0 || monthly[c.at(k-1)]) &&
			(c.at(k) != "may" || upperFirst(c.words[k].text) || c.at(k-1) != "i") {
			return months[c.at(k)]
		}
	}
	return 0
}

// nearest is the nth day of a month next to a day: the last such one, or else the next.
func nearest(n int, day time.Time, past bool) (time.Time, bool) {
	t := date(day.Year(), day.Month(), n)
	switch {
	case past && t.After(day):
		t = date(day.Year(), day.Month()-1, n)
	case !past && t.Before(day):
		t = date(day.Year(), day.Month()+1, n)
	}
	return t, t.Day() == n
}

// firstDay returns the day before word i from which "the 20th" counts: the other end of a span, or one of a month that is named.
func firstDay(c clause, i int, day time.Time, either bool) (time.Time, bool) {
	if to := c.at(i - 1); (to == "to" || to == "till" || to == "until") && i > 2 {
		if first, ok := ordinalDay(c, i-3, day, either); ok {
			return first, true
		}
	}
	for k := i - 1; k >= 0; k-- {
		switch {
		case !isMonth(c, k) || c.at(k) == "may" && !upperFirst(c.words[k].text):
		case max(dayNumber(c.at(k+1)), dayNumber(c.at(k-1))) > 0:
			return written(c, k, day)
		case monthly[c.at(k-1)]: // in August we go there; their wedding is on the 9th
			past := inPast(c, i)
			t, ok := near(months[c.at(k)], 1, day, past)
			if past && t.After(day) {
				t = t.AddDate(-1, 0, 0)
			}
			return t, ok && past == inPast(c, k)
		}
	}
	return time.Time{}, false
}

// Days ahead up to which a day without its year is one to come, after a verb in the past and otherwise: flights are booked further ahead
// than anybody tells without the year of what is over.
const (
	aheadOfPast = 30
	ahead       = 245
)

// near is a day without its year: the last such one, or the next.
func near(m time.Month, n int, day time.Time, past bool) (time.Time, bool) {
	year, most := day.Year(), ahead
	if past {
		most = aheadOfPast
	}
	switch d := int(date(year, m, n).Sub(day).Hours() / 24); {
	case d > most:
		year--
	case d <= most-365:
		year++
	}
	t := date(year, m, n)
	return t, t.Day() == n
}

// afterDay are words that may follow "the 20th" where that is a day; others are what is counted, as in "the 20th century".
var afterDay = lexis.Set("at and because so in for with to but or if when is was by i we")

func ordinalNumber(w string) (int, bool) {
	for _, s := range [...]string{"st", "nd", "rd", "th"} {
		if d, ok := strings.CutSuffix(w, s); ok {
			n := count(d)
			return n, n >= 1 && n <= 31
		}
	}
	return 0, false
}

// count reads a number above 0; it is 0 for any other word.
func count(w string) int {
	if !startsWithDigit(w) { // Atoi makes an error of every word
		return 0
	}
	n, err := strconv.Atoi(w)
	if err != nil {
		return 0
	}
	return n
}

var numbers = map[string]int{
	"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
	"eleven": 11, "twelve": 12,
}

var units = lexis.Set("minute minutes hour hours day days week weeks fortnight fortnights month months year years decade decades")

// halves are half of a unit, in the next smaller one.
var halves = map[string]struct {
	n    int
	unit string
}{"decade": {5, "year"}, "year": {6, "month"}, "month": {2, "week"}, "day": {12, "hour"}, "hour": {30, "minute"}}

// amount reads a length of time: its number (0 when it is not exact), its unit, and its words. Half a year is six months, and a year and a
// half are eighteen.
func amount(c clause, i int) (n int, unit string, used int) {
	w, next := c.at(i), c.at(i+1)
	if half := halves[c.at(i+2)]; w == "half" && (next == "a" || next == "an") && half.n > 0 {
		return half.n, half.unit, 3
	}
	if q, ok := c.hasPhrase(i+1, "quarter of a year"); ok && (w == "a" || w == "one") {
		return 3, "month", 1 + q
	}
	if q, ok := c.hasPhrase(i+1, "quarters of a year"); ok && w == "three" {
		return 9, "month", 1 + q
	}
	used = 1
	switch {
	case next == "few" || next == "couple":
		used = 2
		if c.at(i+2) == "of" {
			used = 3
		}
	case w == "few" || w == "several" || w == "some" || w == "many":
	default:
		if n = max(numbers[w], count(w)); n == 0 || n > 1000 {
			return 0, "", 0
		}
	}
	_, and := c.hasPhrase(i+used, "and a half") // one and a half years
	if and {
		used += 3
	}
	if unit = c.at(i + used); !units[unit] {
		return 0, "", 0
	}
	unit, used = strings.TrimSuffix(unit, "s"), used+1
	if _, behind := c.hasPhrase(i+used, "and a half"); behind && !and { // a year and a half
		and, used = true, used+3
	}
	half := halves[unit]
	switch {
	case and && n > 0 && half.n == 0:
		return 0, "", 0
	case and && n > 0:
		return (2*n + 1) * half.n, half.unit, used
	case unit == "fortnight":
		return 2 * n, "week", used
	case unit == "decade":
		return 10 * n, "year", used
	}
	return n, unit, used
}

// shift moves a day by a length of time; the longer the unit, the rougher the answer.
func shift(words int, day time.Time, n int, unit string) when {
	switch unit {
	case "day":
		return on(words, day.AddDate(0, 0, n))
	case "week":
		t := day.AddDate(0, 0, 7*n)
		return when{words, "around", long(t), t}
	case "month":
		return monthOf(words, date(day.Year(), day.Month()+time.Month(n), 1))
	case "year":
		return yearOf(words, day.Year()+n)
	}
	return on(words, day)
}

// written reads a date that is absolute as it stands: "4 March", "March 4", "2026-06-09", "3 May 2026". Without a year it is the nearest
// one to the message.
func written(c clause, i int, at time.Time) (time.Time, bool) {
	w := c.at(i)
	if len(w) == len(time.DateOnly) && startsWithDigit(w) {
		if t, err := time.Parse(time.DateOnly, w); err == nil {
			return t, true
		}
	}
	m, ok := months[w]
	if !ok || !upperFirst(c.words[i].text) && dayNumber(c.at(i-1)) == 0 && dayNumber(c.at(i+1)) == 0 {
		return time.Time{}, false
	}
	next := i + 1
	day := dayNumber(c.at(i - 1))
	if day == 0 {
		if day = dayNumber(c.at(next)); day > 0 {
			next++
		}
	}
	year := count(c.at(next))
	switch known := year > 1800 && year < 2200; {
	case known && day == 0:
		return date(year, m, 1), true
	case day == 0:
		return time.Time{}, false
	case !known:
		t, ok := near(m, day, midnight(at), inPast(c, i))
		if ok && t.Before(midnight(at).AddDate(0, 0, -aheadOfPast)) && c.awaits(i, dayNumber(c.at(i-1)) > 0) {
			t = date(t.Year()+1, m, day)
		}
		return t, ok
	}
	t := date(year, m, day)
	return t, t.Day() == day
}

// awaits tells a date by which something is to be done, or to which it was moved: such a day is not over. The date is at word i, with its
// day before the month or behind it.
func (c clause) awaits(i int, before bool) bool {
	if before {
		i--
	}
	switch c.at(i - 1) {
	case "by", "until", "till", "due":
		return !inPast(c, i)
	case "to":
		for k := i - 2; k >= 0 && !ends(c, k+1); k-- {
			if movings[c.at(k)] {
				return true
			}
		}
	}
	return false
}

var movings = lexis.Set("moved postponed pushed delayed rescheduled shifted extended move postpone push reschedule extend")

func dayNumber(w string) int {
	if n, ok := ordinalNumber(w); ok {
		return n
	}
	if n := count(w); n <= 31 {
		return n
	}
	return 0
}
