package extract

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/lexis/calendar"
)

const maxEntities = 8

// entities gives the names in a fact: capitalised spans that are no common word at the start of the
// sentence, handles, identifiers, and titles in quotes.
func entities(c clause) []string {
	var out []string
	var seen [maxEntities]string
	add := func(s string) {
		s = strings.TrimSuffix(strings.TrimSuffix(s, "'s"), "’s")
		if k := lexis.Fold(s); len(s) > 1 && len(out) < maxEntities && !slices.Contains(seen[:len(out)], k) {
			seen[len(out)] = k
			out = append(out, s)
		}
	}
	for i := 0; i < len(c.words); {
		w := c.words[i]
		switch {
		case strings.HasPrefix(w.text, "@") && len(w.text) > 2:
			add(w.text)
			i++
		case named(c, i):
			n := nameEnd(c, i)
			add(strings.TrimPrefix(clause{words: c.words[i:n]}.String(), c.words[i].gap))
			i = n
		default:
			i++
		}
	}
	return out
}

// named tells whether a name may begin at word i.
func named(c clause, i int) bool {
	w := c.words[i]
	switch {
	case w.date:
		return false
	case identifier(w.text):
		return true
	case !upperFirst(w.text) || notNames[w.low] || selfWord(w.low) || isMonth(c, i) || isWeekday(c, i):
		return false
	case w.fixed || i > 0 && !strings.ContainsAny(w.gap, ".!?:"):
		return true
	case lexis.IsStop(w.low) || finite(w.low) || timeWords[w.low] || isIng(w.low) || strings.HasSuffix(w.low,
		"ly"): // no part of a name even before one
		return false
	}
	return lexis.Frequency(strings.TrimSuffix(w.low, "'s")) <= lexis.FrequencyFloor || i+1 < len(c.words) && !c.words[i+1].fixed &&
		partOfName(c, i+1)
}

// partOfName tells a word with a capital behind another one.
func partOfName(c clause, i int) bool {
	return i < len(c.words) && c.words[i].gap == " " && upperFirst(c.words[i].text) && !selfWord(c.at(i)) && !isWeekday(c, i) && !isMonth(c, i)
}

// identifier tells product and technical names: PostgreSQL, GPT-4, LH716, v2.0, billing_db.
func identifier(w string) bool {
	letters, digits, inner := 0, 0, strings.Contains(w, "_")
	for i, r := range w {
		switch {
		case unicode.IsLetter(r):
			letters++
			inner = inner || i > 0 && unicode.IsUpper(r)
		case unicode.IsDigit(r):
			digits++
		}
	}
	_, ordinal := ordinalNumber(strings.ToLower(w))
	return letters > 0 && (inner || digits > 0 && letters > 1 && upperFirst(w)) && !ordinal && !strings.ContainsAny(w, "/:@")
}

// nameEnd returns the word after the name that begins at i.
func nameEnd(c clause, i int) int {
	if c.words[i].fixed { // our own name for a speaker
		return i + 1
	}
	j := i + 1
	for j < len(c.words) {
		w, before := c.words[j], c.words[j-1]
		title := titles[before.low] || len(before.text) == 1 // Dr. Weiss, J. Weiss
		switch {
		case w.fixed || strings.HasSuffix(before.low, "'s") || w.gap != " " && w.gap != "-" && (w.gap != ". " || !title):
			return j
		case upperFirst(w.text) && !selfWord(w.low) && !isWeekday(c, j):
		case startsWithDigit(w.text) && w.gap == " " && upperFirst(before.text) && !isMonth(c, j+1) &&
			(identifier(before.text) || lexis.Frequency(before.low) <= lexis.FrequencyFloor): // PostgreSQL 16
		case links[w.low] && partOfName(c, j+1): // University of Vienna
			j++
		default:
			return j
		}
		j++
	}
	return j
}

func isMonth(c clause, i int) bool   { return months[c.at(i)] > 0 }
func isWeekday(c clause, i int) bool { _, ok := calendar.Weekday(c.at(i)); return ok }

func startsWithDigit(s string) bool { return s != "" && '0' <= s[0] && s[0] <= '9' }

var (
	titles = lexis.Set("dr mr mrs ms prof st")
	links  = lexis.Set("of de der von van la le du da di del")
)

// notNames are words that are often written with a capital and name nothing of their own.
var notNames = lexis.Set(`the a an and or but if so to of in on at by for from with as is are was were be been however another each since
	after before sometimes also because while although once he she it they we you this that these those there here yes no ok okay hi
	hey hello thanks please sorry congrats wow lol omg god jesus christmas easter halloween thanksgiving ramadan hanukkah xmas mom mum
	dad mama papa grandma grandpa aunt uncle sir madam mr mrs ms dr prof today yesterday tomorrow tonight morning afternoon evening am
	pm utc gmt cet english german french spanish italian dutch russian chinese japanese korean arabic portuguese polish turkish
	european american british todo faq asap fyi btw imo eta diy tv pc usb pdf html css http https json xml url id ok rsvp monday
	tuesday wednesday thursday friday saturday sunday new year spring summer autumn winter i'm i've i'll i'd user`)

// letters counts the letters of s that are Latin and those that are not.
func letters(s string) (latin, foreign int) {
	for _, r := range s {
		switch {
		case !unicode.IsLetter(r):
		case r < utf8.RuneSelf || unicode.Is(unicode.Latin, r):
			latin++
		default:
			foreign++
		}
	}
	return latin, foreign
}
