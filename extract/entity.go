package extract

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/lexis"
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
			add(spanText(c, i, n))
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
	if w.date {
		return false
	}
	if identifier(w.text) {
		return true
	}
	if !upperFirst(w.text) || notNames[w.low] || selfWord(w.low) {
		return false
	}
	if _, ok := months[w.low]; ok {
		return false
	}
	if _, ok := weekdays[w.low]; ok {
		return false
	}
	if i == 0 || pauseEnd(w.gap) {
		if w.fixed {
			return true
		}
		if common(w.low) || isIng(w.low) || strings.HasSuffix(w.low, "ly") {
			return false
		}
		return lexis.Frequency(strings.TrimSuffix(w.low, "'s")) <= lexis.FrequencyFloor || i+1 < len(c.words) &&
			upperFirst(c.words[i+1].text) && !c.words[i+1].fixed && c.words[i+1].gap == " " && !selfWord(c.at(i+1))
	}
	return true
}

func pauseEnd(gap string) bool { return strings.ContainsAny(gap, ".!?:") }

// common tells words that are no part of a name even before one.
func common(w string) bool { return lexis.IsStop(w) || finite(w) || timeWord(w) }

// identifier tells product and technical names: PostgreSQL, GPT-4, LH716, v2.0, billing_db.
func identifier(w string) bool {
	letters, digits, uppers, under := 0, 0, 0, 0
	for i, r := range w {
		switch {
		case unicode.IsUpper(r):
			letters++
			if i > 0 {
				uppers++
			}
		case unicode.IsLetter(r):
			letters++
		case unicode.IsDigit(r):
			digits++
		case r == '_':
			under++
		case r == '/' || r == ':' || r == '@':
			return false
		}
	}
	return letters > 0 && (uppers > 0 || under > 0 || digits > 0 && letters > 1 && upperFirst(w)) && !ordinalLike(w)
}

func ordinalLike(w string) bool {
	_, ok := ordinalNumber(strings.ToLower(w))
	return ok
}

// nameEnd returns the word after the name that begins at i.
func nameEnd(c clause, i int) int {
	if c.words[i].fixed { // our own name for a speaker
		return i + 1
	}
	j := i + 1
	for j < len(c.words) {
		w := c.words[j]
		gap := w.gap
		if gap != " " && gap != ". " && gap != "-" || strings.HasSuffix(c.words[j-1].low, "'s") || w.fixed {
			break
		}
		if gap == ". " && !title(c.words[j-1].low) && len(c.words[j-1].text) > 1 {
			break
		}
		if upperFirst(w.text) && !selfWord(w.low) {
			if _, day := weekdays[w.low]; day {
				break
			}
			j++
			continue
		}
		if startsWithDigit(w.text) && (!upperFirst(c.words[j-1].text) || !identifier(c.words[j-1].text) &&
			lexis.Frequency(c.at(j-1)) > lexis.FrequencyFloor) {
			break
		}
		if startsWithDigit(w.text) && gap == " " && len(w.text) <= 6 && isMonth(c, j+1) {
			break
		}
		if startsWithDigit(w.text) && gap == " " {
			j++
			continue
		}
		if link(w.low) && j+1 < len(c.words) && upperFirst(c.words[j+1].text) && c.words[j+1].gap == " " && !selfWord(c.at(j+1)) {
			if _, day := weekdays[c.at(j+1)]; !day && !isMonth(c, j+1) {
				j += 2
				continue
			}
		}
		break
	}
	return j
}

func isMonth(c clause, i int) bool {
	_, ok := months[c.at(i)]
	return ok
}

func startsWithDigit(s string) bool { return s != "" && '0' <= s[0] && s[0] <= '9' }

func title(w string) bool {
	switch w {
	case "dr", "mr", "mrs", "ms", "prof", "st":
		return true
	}
	return false
}

func link(w string) bool {
	switch w {
	case "of", "de", "der", "von", "van", "la", "le", "du", "da", "di", "del":
		return true
	}
	return false
}

// spanText is the text of the words from i up to n.
func spanText(c clause, i, n int) string {
	var b strings.Builder
	for k := i; k < n; k++ {
		if k > i {
			b.WriteString(c.words[k].gap)
		}
		b.WriteString(c.words[k].text)
	}
	return b.String()
}

// notNames are words that are often written with a capital and name nothing of their own.
var notNames = set(`the a an and or but if so to of in on at by for from with as is are was were be been however another each since
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
