package extract

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A when is what a relative date stands for.
type when struct {
	words int       // of the sentence that it takes
	text  string    // with its preposition: "on 8 June 2026"
	bare  string    // without: "8 June 2026"
	day   time.Time // the day, or the first day of the period
}

// absolute replaces the relative dates of a sentence by what they meant when it was written, or puts that in brackets behind them where the
// words are to be kept, and returns the first day that it is about.
func absolute(c clause, at time.Time, keep bool) (clause, time.Time) {
	var about time.Time
	if at.IsZero() {
		return c, about
	}
	day := midnight(at)
	out := clause{make([]word, 0, len(c.words)+2), c.tail}
	for i := 0; i < len(c.words); {
		w, ok := relative(c, i, day, func() bool { return inPast(c, i) })
		if !ok || c.words[i].quoted {
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
		date := word{gap: c.words[i].gap, text: w.text, fixed: true, date: true}
		if n := len(out.words); n > 0 && preposition(out.words[n-1].low) && date.gap == " " || n == 0 && auxiliary(c.at(w.words)) {
			date.text = w.bare // "last week was hard"
		}
		if i == 0 {
			date.text = capital(date.text)
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

func preposition(w string) bool {
	switch w {
	case "on", "by", "since", "until", "till", "from", "before", "after", "for", "to", "between", "of", "during", "than", "about",
		"around", "past":
		return true
	}
	return false
}

// inPast tells by the nearest verb, looking back from word i first, whether a sentence speaks of the
// past there. It decides about "on Friday".
func inPast(c clause, i int) bool {
	for j := i - 1; j >= 0; j-- {
		if past, sure := tense(c, j); sure {
			return past
		}
	}
	for j := i + 1; j < len(c.words); j++ {
		if past, sure := tense(c, j); sure {
			return past
		}
	}
	return false
}

func tense(c clause, j int) (past, sure bool) {
	switch w := c.at(j); w {
	case "was", "were", "did", "had", "didn't", "wasn't", "been", "since":
		return true, true
	case "will", "i'll", "we'll", "would", "i'd", "we'd", "going", "if", "must", "should", "tomorrow", "next", "is", "are", "i'm", "we're":
		return false, true
	case "to":
		return false, isBase(c.at(j+1)) && (!isPast(c.at(j-1)) || pledges[c.at(j-1)])
	default:
		if arranged(c, j) {
			return false, true
		}
		if isPast(w) && !isBase(w) && c.at(j-1) != "be" && c.at(j-1) != "is" && c.at(j-1) != "are" {
			return true, true
		}
	}
	return false, false
}

// pledges are the past forms whose infinitive is still to come: promised to call on Monday.
var pledges = set(`agreed asked decided invited offered promised reminded told`)

// arranged tells what was done by now for a day to come: invited to a wedding on Saturday, got an appointment on Monday.
func arranged(c clause, j int) bool {
	switch w := c.at(j); w {
	case "invited", "postponed", "registered", "rescheduled", "scheduled":
		return c.at(j+1) != "on"
	case "tickets", "ticket", "due":
		return true
	case "signed":
		return c.at(j+1) == "up"
	case "got":
		for _, what := range c.words[j:min(j+5, len(c.words))] {
			switch what.low {
			case "appointment", "exam", "interview", "meeting":
				return true
			}
		}
	}
	return false
}

// rate tells that an amount is counted in a clause before word i: 500 km in a year.
func rate(c clause, i int) bool {
	for _, w := range c.words[:i] {
		if numbers[w.low] > 1 || strings.ContainsAny(w.low, "0123456789") || w.low == "times" || w.low == "once" || w.low == "twice" {
			return true
		}
	}
	return false
}

// dateLength is how many words of a relative date a clause begins with: last Friday, this week.
func dateLength(c clause) int {
	if len(c.words) == 0 {
		return 0
	}
	w, _ := relative(c, 0, time.Time{}, func() bool { return false })
	return w.words
}

// dateWords are those that a relative date begins with, but for numbers.
var dateWords = sync.OnceValue(func() map[string]bool {
	m := set(`yesterday yesterday's today today's tomorrow tomorrow's tonight tonight's this last past previous next coming on by until
		before since till from to after for the in few several some many`)
	for w := range numbers {
		m[w] = true
	}
	for w := range weekdays {
		m[w] = true
	}
	return m
})

// relative reads a relative date at word i of what was said on a day.
func relative(c clause, i int, day time.Time, past func() bool) (when, bool) {
	w, next := c.at(i), c.at(i+1)
	if !dateWords()[w] && count(w) == 0 {
		return when{}, false
	}
	switch w {
	case "yesterday":
		if next == "morning" || next == "evening" || next == "afternoon" || next == "night" {
			return partOf(2, next, day.AddDate(0, 0, -1)), true
		}
		return on(1, day.AddDate(0, 0, -1)), true
	case "yesterday's", "today's", "tomorrow's", "tonight's":
		n := map[string]int{"yesterday's": -1, "tomorrow's": 1}[w]
		d := long(day.AddDate(0, 0, n))
		return when{1, "the " + d, "the " + d, day.AddDate(0, 0, n)}, true
	case "today":
		return on(1, day), true
	case "tonight":
		return partOf(1, "evening", day), true
	case "tomorrow":
		if next == "morning" || next == "evening" || next == "afternoon" || next == "night" {
			return partOf(2, next, day.AddDate(0, 0, 1)), true
		}
		return on(1, day.AddDate(0, 0, 1)), true
	case "this":
		return thisPeriod(next, day, past)
	case "last", "past", "previous":
		if w == "last" || c.at(i-1) == "this" || c.at(i-1) == "the" && w == "previous" {
			return lastPeriod(next, day)
		}
	case "next", "coming":
		return nextPeriod(next, day)
	case "on", "by", "until", "before", "since", "till", "from", "to", "after", "for":
		if n, ok := ordinalDay(c, i+1, day, w != "by" && c.at(i+1) == "the" && past()); ok {
			n.words++
			n.text = w + " " + n.bare
			return n, true
		}
	case "the":
		if next == "other" && c.at(i+2) == "day" {
			return when{3, "shortly before " + long(day), "shortly before " + long(day), day}, true
		}
		if next == "day" && c.at(i+2) == "after" && c.at(i+3) == "tomorrow" {
			return on(4, day.AddDate(0, 0, 2)), true
		}
		if next == "day" && c.at(i+2) == "before" && c.at(i+3) == "yesterday" {
			return on(4, day.AddDate(0, 0, -2)), true
		}
	case "in":
		if n, unit, used := amount(c, i+1); n > 0 && c.at(i+1+used) != "ago" && !past() && (c.at(i+1) != "a" || unit != "year" && !rate(c, i)) {
			return shift(1+used, day, n, unit), true
		}
	}
	if n, unit, used := amount(c, i); used > 0 && c.at(i+used) == "ago" {
		if n == 0 {
			text := fmt.Sprintf("%s before %s", strings.ReplaceAll(joinWords(c, i, used), "an few", "a few"), long(day))
			return when{used + 1, text, text, time.Time{}}, true
		}
		return shift(used+1, day, -n, unit), true
	}
	if d, ok := weekdays[w]; ok {
		prev := c.at(i - 1)
		if !strings.HasPrefix(c.words[i].text, strings.ToUpper(w[:1])) || c.at(i-1) == "every" || c.at(i-1) == "each" || next == "is" &&
			prev == "" {
			return when{}, false
		}
		if i == 0 && subject(next) || prev == "on" || prev == "by" || prev == "until" || prev == "till" || prev == "before" ||
			prev == "since" || prev == "to" || prev == "from" || prev == "for" || prev == "after" {
			used := 1
			text := ""
			if next == "morning" || next == "afternoon" || next == "evening" || next == "night" {
				used, text = 2, "the "+next+" of "
			}
			comes := prev == "by" || prev == "until" || prev == "till" || (prev == "to" || prev == "for") && c.at(i-3) != "from" // moved to Monday
			t := weekday(day, d, prev == "since" || !comes && past())
			return when{used, "on " + text + long(t), text + long(t), t}, true
		}
	}
	return when{}, false
}

func joinWords(c clause, i, n int) string {
	var ws []string
	for _, w := range c.words[i : i+n] {
		ws = append(ws, w.low)
	}
	return strings.Join(ws, " ")
}

func midnight(t time.Time) time.Time {
	y, m, d := t.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

func long(t time.Time) string { return t.Format("2 January 2006") }

func on(words int, t time.Time) when {
	s := long(t)
	return when{words, "on " + s, s, t}
}

func partOf(words int, part string, t time.Time) when {
	s := "the " + part + " of " + long(t)
	return when{words, "on " + s, s, t}
}

func weekOf(words int, t time.Time) when {
	t = t.AddDate(0, 0, -mondays(t))
	return when{words, "in the week of " + long(t), "the week of " + long(t), t}
}

func monthOf(words int, t time.Time) when {
	t = time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC)
	s := t.Format("January 2006")
	return when{words, "in " + s, s, t}
}

func yearOf(words int, t time.Time) when {
	s := strconv.Itoa(t.Year())
	return when{words, "in " + s, s, time.Date(t.Year(), 1, 1, 0, 0, 0, 0, time.UTC)}
}

func seasonOf(words int, season string, year int, month time.Month) when {
	s := fmt.Sprintf("the %s of %d", season, year)
	return when{words, "in " + s, s, time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)}
}

// mondays is how many days t is after the Monday of its week.
func mondays(t time.Time) int { return (int(t.Weekday()) + 6) % 7 }

var weekdays = map[string]time.Weekday{
	"monday": time.Monday, "tuesday": time.Tuesday, "wednesday": time.Wednesday, "thursday": time.Thursday,
	"friday": time.Friday, "saturday": time.Saturday, "sunday": time.Sunday,
}

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
		if n == 0 {
			n = -7
		}
	}
	return t.AddDate(0, 0, n)
}

func thisPeriod(next string, day time.Time, past func() bool) (when, bool) {
	switch next {
	case "morning", "afternoon", "evening":
		return partOf(2, next, day), true
	case "week":
		return weekOf(2, day), true
	case "weekend":
		t := day.AddDate(0, 0, 5-mondays(day))
		return when{2, "on the weekend of " + long(t), "the weekend of " + long(t), t}, true
	case "month":
		return monthOf(2, day), true
	case "year":
		return yearOf(2, day), true
	}
	if m, ok := seasons[next]; ok {
		return seasonOf(2, next, day.Year(), m), true
	}
	if d, ok := weekdays[next]; ok {
		t := day.AddDate(0, 0, (int(d)+6)%7-mondays(day))
		if t.Before(day) && !past() {
			t = t.AddDate(0, 0, 7)
		}
		return on(2, t), true
	}
	return when{}, false
}

func lastPeriod(next string, day time.Time) (when, bool) {
	switch next {
	case "night":
		return partOf(2, "night", day.AddDate(0, 0, -1)), true
	case "week":
		return weekOf(2, day.AddDate(0, 0, -7)), true
	case "weekend":
		t := day.AddDate(0, 0, -2-mondays(day))
		return when{2, "on the weekend of " + long(t), "the weekend of " + long(t), t}, true
	case "month":
		return monthOf(2, day.AddDate(0, 0, -day.Day())), true
	case "year":
		return yearOf(2, day.AddDate(-1, 0, 0)), true
	}
	if m, ok := seasons[next]; ok {
		year := day.Year()
		if day.Month() <= m+2 { // this year's is not over
			year--
		}
		return seasonOf(2, next, year, m), true
	}
	if d, ok := weekdays[next]; ok {
		return on(2, weekday(day, d, true)), true
	}
	if m, ok := months[next]; ok {
		year := day.Year()
		if day.Month() <= m {
			year--
		}
		return monthOf(2, time.Date(year, m, 1, 0, 0, 0, 0, time.UTC)), true
	}
	return when{}, false
}

func nextPeriod(next string, day time.Time) (when, bool) {
	switch next {
	case "week":
		return weekOf(2, day.AddDate(0, 0, 7)), true
	case "weekend":
		t := day.AddDate(0, 0, 12-mondays(day))
		return when{2, "on the weekend of " + long(t), "the weekend of " + long(t), t}, true
	case "month":
		return monthOf(2, time.Date(day.Year(), day.Month()+1, 1, 0, 0, 0, 0, time.UTC)), true
	case "year":
		return yearOf(2, day.AddDate(1, 0, 0)), true
	}
	if m, ok := seasons[next]; ok {
		year := day.Year()
		if day.Month() >= m {
			year++
		}
		return seasonOf(2, next, year, m), true
	}
	if d, ok := weekdays[next]; ok { // of the next calendar week
		return on(2, day.AddDate(0, 0, 7-mondays(day)+(int(d)+6)%7)), true
	}
	if m, ok := months[next]; ok {
		year := day.Year()
		if day.Month() >= m {
			year++
		}
		return monthOf(2, time.Date(year, m, 1, 0, 0, 0, 0, time.UTC)), true
	}
	return when{}, false
}

// ordinalDay reads "the 20th" as a day of this month, or of the next one when that is over.
func ordinalDay(c clause, i int, day time.Time, past bool) (when, bool) {
	if c.at(i) != "the" {
		return when{}, false
	}
	n, ok := ordinalNumber(c.at(i + 1))
	if _, month := months[c.at(i+2)]; !ok || month || c.at(i+2) == "of" || c.at(i+2) == "floor" || isNounAfterOrdinal(c, i+2) {
		return when{}, false
	}
	t := time.Date(day.Year(), day.Month(), n, 0, 0, 0, 0, time.UTC)
	switch {
	case past && t.After(day):
		t = time.Date(day.Year(), day.Month()-1, n, 0, 0, 0, 0, time.UTC)
	case !past && t.Before(day):
		t = time.Date(day.Year(), day.Month()+1, n, 0, 0, 0, 0, time.UTC)
	}
	if t.Day() != n {
		return when{}, false
	}
	return when{2, "on " + long(t), long(t), t}, true
}

// isNounAfterOrdinal tells "the 20th century" from "the 20th".
func isNounAfterOrdinal(c clause, i int) bool {
	if i >= len(c.words) || pause(c.words[i].gap) {
		return false
	}
	switch w := c.at(i); w {
	case "at", "and", "because", "so", "in", "for", "with", "to", "but", "or", "if", "when", "is", "was", "by", "of", "i", "we":
		return false
	}
	return true
}

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
	if w == "" || w[0] != '+' && !startsWithDigit(w) { // Atoi makes an error of every word
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

// amount reads a length of time: its number (0 when it is not exact), its unit, and its words.
func amount(c clause, i int) (n int, unit string, used int) {
	w := c.at(i)
	used = 1
	switch v, ok := numbers[w]; {
	case (w == "a" || w == "the" || w == "last") && (c.at(i+1) == "few" || c.at(i+1) == "couple"):
		used = 2
		if c.at(i+2) == "of" {
			used = 3
		}
	case w == "few" || w == "several" || w == "some" || w == "many":
	case ok:
		n = v
	default:
		if n = count(w); n == 0 || n > 1000 {
			return 0, "", 0
		}
	}
	unit = strings.TrimSuffix(c.at(i+used), "s")
	switch unit {
	case "minute", "hour", "day", "week", "month", "year":
		return n, unit, used + 1
	}
	return 0, "", 0
}

// shift moves a day by a length of time; the longer the unit, the rougher the answer.
func shift(words int, day time.Time, n int, unit string) when {
	switch unit {
	case "day":
		return on(words, day.AddDate(0, 0, n))
	case "week":
		t := day.AddDate(0, 0, 7*n)
		return when{words, "around " + long(t), "around " + long(t), t}
	case "month":
		return monthOf(words, time.Date(day.Year(), day.Month()+time.Month(n), 1, 0, 0, 0, 0, time.UTC))
	case "year":
		return yearOf(words, day.AddDate(n, 0, 0))
	}
	return on(words, day)
}

// written reads a date that is absolute as it stands: "4 March", "March 4", "2026-06-09", "3 May
// 2026". Without a year it is the nearest one to the message.
func written(c clause, i int, at time.Time) (time.Time, bool) {
	w := c.at(i)
	if len(w) == len(time.DateOnly) && startsWithDigit(w) {
		if t, err := time.Parse(time.DateOnly, w); err == nil {
			return t, true
		}
	}
	m, ok := months[w]
	if !ok || !upperFirst(c.words[i].text) {
		return time.Time{}, false
	}
	day, year := dayNumber(c.at(i-1)), 0
	next := i + 1
	if day == 0 {
		if day = dayNumber(c.at(next)); day > 0 {
			next++
		}
	}
	if y := count(c.at(next)); y > 1800 && y < 2200 {
		year = y
	}
	if day == 0 {
		if year == 0 {
			return time.Time{}, false
		}
		return time.Date(year, m, 1, 0, 0, 0, 0, time.UTC), true
	}
	if year == 0 {
		year = at.Year()
		switch d := time.Date(year, m, day, 0, 0, 0, 0, time.UTC).Sub(midnight(at)).Hours() / 24; {
		case d > 183:
			year--
		case d < -183:
			year++
		}
	}
	t := time.Date(year, m, day, 0, 0, 0, 0, time.UTC)
	return t, t.Day() == day
}

func dayNumber(w string) int {
	if n, ok := ordinalNumber(w); ok {
		return n
	}
	if n := count(w); n <= 31 {
		return n
	}
	return 0
}
