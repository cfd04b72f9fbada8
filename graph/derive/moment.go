package derive

import (
	"slices"
	"time"

	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/lexis/calendar"
)

// spoken are words, besides those of the calendar, of which each time that moment reads has one.
var spoken = lexis.Set(`monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag sonntag
	lunes martes miercoles jueves viernes sabado domingo
	heute gestern vorgestern letzte letzten letzter letztes letztem vergangene vergangenen vergangenes diese diesen dieser dieses diesem vor
	hoy ayer anteayer anoche semana mes esta este hace pasado pasada`)

// moment reads the time that words[i:] begins with, and returns how many words it takes, 0 for none: those of the calendar, weekdays behind
// a preposition, and times that count from today in German and Spanish.
func moment(words []string, i int, today time.Time) (calendar.Span, int) {
	w := words[i:]
	word := func(n int) string {
		if n < len(w) {
			return w[n]
		}
		return ""
	}
	ago := func(n int) calendar.Span {
		day := today.AddDate(0, 0, -n)
		return calendar.Span{From: day, To: day, Year: true}
	}
	english := func(n int, words ...string) (calendar.Span, int) {
		s, got := calendar.At(words, 0, today)
		if got == 0 {
			return s, 0
		}
		return s, n
	}
	switch w[0] {
	case "heute", "hoy":
		return ago(0), 1
	case "gestern", "ayer", "anoche":
		return ago(1), 1
	case "vorgestern", "anteayer":
		return ago(2), 1
	case "this":
		if n := word(1); n == "morning" || n == "afternoon" || n == "evening" {
			return ago(0), 2
		}
	case "esta", "este":
		if n := word(1); n == "manana" || n == "tarde" || n == "noche" {
			return ago(0), 2
		}
		return english(2, "this", units[word(1)])
	case "last", "letzten", "letzte", "letzter", "letztes", "letztem", "vergangenen", "vergangene", "vergangenes":
		if at := slices.Index(seasons, word(1)); at >= 0 {
			return lastSeason(at%4, today), 2
		}
		if w[0] != "last" {
			return english(2, "last", units[word(1)])
		}
	case "diese", "diesen", "dieser", "dieses", "diesem":
		return english(2, "this", units[word(1)])
	case "vor", "hace":
		if n := units[word(2)]; n != "" {
			return english(3, digits(word(1)), n, "ago")
		}
		return calendar.Span{}, 0
	}
	if unit := units[w[0]]; unit != "" && (word(1) == "pasado" || word(1) == "pasada") {
		return english(2, "last", unit)
	}
	if day := units[w[0]]; i > 0 && behind[words[i-1]] && day != "" {
		if _, weekday := calendar.Weekday(day); weekday {
			s, n := english(1, "last", day)
			if n > 0 && word(1) == "last" && word(2) == "week" {
				week, _ := calendar.At([]string{"last", "week"}, 0, today)
				for !s.From.Before(week.To.AddDate(0, 0, 1)) {
					s.From, s.To = s.From.AddDate(0, 0, -7), s.To.AddDate(0, 0, -7)
				}
				n = 3
			}
			return s, n
		}
	}
	if s, n := spanish(w); n > 0 {
		return s, n
	}
	return calendar.At(words, i, today)
}

// behind are words behind which a weekday is the last one.
var behind = lexis.Set("on since last am seit el desde")

// spanish reads 3 de mayo de 2021 and mayo de 2021.
func spanish(w []string) (calendar.Span, int) {
	var plain []string
	n := 0
	for n < len(w) && len(plain) < 3 {
		if w[n] == "de" && n > 0 && n+1 < len(w) {
			n++
		}
		plain = append(plain, w[n])
		n++
	}
	for len(plain) > 1 {
		if s, got := calendar.Date(plain, 0); got == len(plain) && slices.Contains(w[:n], "de") {
			return s, n
		}
		if n--; w[n-1] == "de" {
			n--
		}
		plain = plain[:len(plain)-1]
	}
	return calendar.Span{}, 0
}

// seasons are those of three months each, by their names in English and German, and once more where they have two.
var seasons = []string{
	"winter", "spring", "summer", "autumn", "winter", "fruhling", "sommer", "herbst", "winter", "fruhjahr", "sommer", "fall",
}

// lastSeason is the last of the seasons, of which the winter is the first, that was over.
func lastSeason(season int, today time.Time) calendar.Span {
	from := time.Date(today.Year(), time.Month(3*season), 1, 0, 0, 0, 0, time.UTC)
	for from.AddDate(0, 3, -1).After(today) {
		from = from.AddDate(-1, 0, 0)
	}
	return calendar.Span{From: from, To: from.AddDate(0, 3, -1), Year: true}
}

// digits is a number as the calendar reads it.
func digits(word string) string {
	for at, list := range [][]string{
		{"ein", "einem", "einer", "un", "una"},
		{"zwei", "dos"},
		{"drei", "tres"},
		{"vier", "cuatro"},
		{"funf", "cinco"},
		{"sechs", "seis"},
		{"sieben", "siete"},
		{"acht", "ocho"},
		{"neun", "nueve"},
		{"zehn", "diez"},
	} {
		if slices.Contains(list, word) {
			return []string{"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}[at]
		}
	}
	return word
}

// units are those of time by their names, in English.
var units = map[string]string{
	"woche": "week", "wochen": "week", "semana": "week", "semanas": "week", "monat": "month", "monaten": "month", "mes": "month",
	"meses": "month", "jahr": "year", "jahren": "year", "ano": "year", "anos": "year", "tag": "day", "tagen": "day", "dia": "day",
	"dias": "day", "wochenende": "weekend", "nacht": "night",
	"monday": "monday", "tuesday": "tuesday", "wednesday": "wednesday", "thursday": "thursday", "friday": "friday",
	"saturday": "saturday", "sunday": "sunday",
	"montag": "monday", "dienstag": "tuesday", "mittwoch": "wednesday", "donnerstag": "thursday", "freitag": "friday",
	"samstag": "saturday", "sonntag": "sunday",
	"lunes": "monday", "martes": "tuesday", "miercoles": "wednesday", "jueves": "thursday", "viernes": "friday", "sabado": "saturday",
	"domingo": "sunday",
}
