package claim

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/reverie-memory/reverie/vault"
)

// Days that are told by how far they lie from the day of speaking: "last week", "3 days ago", "letzten Monat", "hace dos días".

// steps tells which way such a word looks.
var steps = table(`last=-1 past=-1 previous=-1 this=0 next=1 coming=1
letzte=-1 letzten=-1 letzter=-1 letztes=-1 vorige=-1 vorigen=-1 voriges=-1 vergangene=-1 vergangenen=-1 vergangenes=-1
diese=0 diesen=0 dieses=0 dieser=0 nachste=1 nachsten=1 nachstes=1 kommende=1 kommenden=1 kommendes=1
pasado=-1 pasada=-1 proximo=1 proxima=1 dernier=-1 derniere=-1 prochain=1 prochaine=1`)

// spans are the stretches of time that such a word goes with: of days, weeks, months, or years.
var spans = table(`night=d nacht=d noche=d nuit=d day=d days=d tag=d tage=d tagen=d dia=d dias=d jour=d jours=d
week=w weeks=w woche=w wochen=w semana=w semanas=w semaine=w semaines=w weekend=w wochenende=w
month=m months=m monat=m monate=m monaten=m mes=m meses=m mois=m year=y years=y jahr=y jahre=y jahren=y ano=y anos=y an=y ans=y annee=y
spring=y summer=y autumn=y winter=y fruhling=y sommer=y herbst=y verano=y invierno=y otono=y primavera=y`)

var seasons = wordSet("spring summer autumn winter fruhling fruhjahr sommer herbst primavera verano otono invierno")

// timeWords are the words that such a time may begin with.
var timeWords = sync.OnceValue(func() map[string]bool {
	m := wordSet("the vor hace")
	for _, of := range []map[string]string{steps, spans, weekdays} {
		for w := range of {
			m[w] = true
		}
	}
	for w := range seasons {
		m[w] = true
	}
	return m
})

// relativeAt reads such a time at toks[i]; n is 0 when there is none.
func relativeAt(toks []token, i int, day vault.Day, lang string) (id string, n int) {
	at := func(k int) string {
		if i+k < len(toks) {
			return toks[i+k].fold
		}
		return ""
	}
	t := toks[i].fold
	if !timeWords()[t] && at(2) != "ago" && at(1) != "ago" {
		return "", 0
	}
	if t == "the" && at(1) == "day" && at(2) == "before" && at(3) == "yesterday" {
		return daysFrom(day, -2), 4
	}
	if s := steps[t]; s != "" { // last week, letzten Montag
		if w := weekdays[at(1)]; w != "" {
			return weekdayFrom(day, w, s), 2
		}
		if sp := spans[at(1)]; sp != "" && (s != "0" || sp != "d") {
			return spanFrom(day, sp, s), 2
		}
		return "", 0
	}
	if s := steps[at(1)]; s != "" && lang != "en" && lang != "de" { // la semana pasada, el lunes pasado
		if w := weekdays[t]; w != "" {
			return weekdayFrom(day, w, s), 2
		}
		if sp := spans[t]; sp != "" {
			return spanFrom(day, sp, s), 2
		}
	}
	if seasons[t] && i > 0 && leadsMonth[toks[i-1].fold] { // in spring
		return "season " + t, 1
	}
	switch {
	case lang == "en":
		if sp := spans[at(1)]; sp != "" && at(2) == "ago" {
			return agoFrom(day, sp, t), 3
		}
		if sp := spans[t]; sp != "" && at(1) == "ago" { // a week ago
			return agoFrom(day, sp, "1"), 2
		}
	case lang == "de" && t == "vor" || lang == "es" && t == "hace":
		if sp := spans[at(2)]; sp != "" && (count(at(1)) > 0 || articles[at(1)]) {
			return agoFrom(day, sp, at(1)), 3
		}
	}
	return "", 0
}

// count reads a small number; 0 when it is none.
func count(f string) int {
	if n := numerals[f]; n != "" {
		f = n
	}
	n, err := strconv.Atoi(f)
	if err != nil || n < 0 || n > 999 {
		return 0
	}
	return n
}

func daysFrom(day vault.Day, n int) string {
	if day == "" {
		return "ago" + strconv.Itoa(n)
	}
	return string(vault.DayOf(day.Time().Add(time.Duration(n) * 24 * time.Hour)))
}

// agoFrom is the time so many spans before a day, as exactly as it was said.
func agoFrom(day vault.Day, sp, number string) string {
	n := max(count(number), 1)
	switch sp {
	case "d":
		return daysFrom(day, -n)
	case "w":
		return "~" + daysFrom(day, -7*n)
	case "m":
		return monthFrom(day, -n)
	}
	return monthFrom(day, -12*n)[:4]
}

// spanFrom is the week, month or year before, of or after a day.
func spanFrom(day vault.Day, sp, step string) string {
	n, _ := strconv.Atoi(step)
	switch sp {
	case "d":
		return daysFrom(day, n)
	case "w":
		return "~" + daysFrom(day, 7*n)
	case "m":
		return monthFrom(day, n)
	}
	return monthFrom(day, 12*n)[:4]
}

// monthFrom is the month that lies n months after that of a day.
func monthFrom(day vault.Day, n int) string {
	if len(day) < 7 {
		return "ago" + strconv.Itoa(n)
	}
	y, _ := strconv.Atoi(string(day[:4]))
	m, _ := strconv.Atoi(string(day[5:7]))
	m += 12*y - 1 + n
	return strconv.Itoa(m/12) + "-" + two(strconv.Itoa(m%12+1))
}

// weekdayFrom is the last or next such day. "Next Friday" is read in two ways, and stays as it is said.
func weekdayFrom(day vault.Day, wd, step string) string {
	if day == "" || step == "1" {
		return "wd" + wd + "~" + step + string(day)
	}
	want, _ := strconv.Atoi(wd)
	is := int(day.Time().Weekday())
	if step == "0" {
		return daysFrom(day, (want-is+7)%7)
	}
	return daysFrom(day, -((is-want+6)%7 + 1))
}

// often reads "three times a week", "twice a month", "dreimal pro Woche" and gives how often, and how long the words are.
func often(us []unit) (u unit, n int) {
	if len(us) < 2 {
		return unit{}, 0
	}
	times := func(u unit) bool {
		return u.id == "time" || u.id == "times" || slices.Contains([]string{"mal", "veces", "vez", "fois"}, strings.ToLower(u.raw))
	}
	per := func(u unit) bool { return spans[strings.ToLower(u.raw)] != "" }
	k := 1
	switch {
	case us[0].kind == uNum && times(us[1]):
		k = 2
	case us[0].kind == uWord && (oneOf(us[0].raw, "once", "twice") || strings.HasSuffix(us[0].raw, "mal") && len(us[0].raw) > 4):
	default:
		return unit{}, 0
	}
	if k < len(us) && us[k].kind == uPrep {
		k++
	}
	if k >= len(us) || !per(us[k]) {
		return unit{}, 0
	}
	number := us[0].id
	switch us[0].raw {
	case "once":
		number = "1"
	case "twice", "zweimal":
		number = "2"
	case "dreimal":
		number = "3"
	}
	return unit{kind: uQty, id: "a " + spans[strings.ToLower(us[k].raw)] + ":" + number, raw: raws(us[:k+1])}, k + 1
}
