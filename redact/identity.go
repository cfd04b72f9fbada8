package redact

import (
	_ "embed"
	"strconv"
	"strings"

	"github.com/reverie-memory/reverie/lexis"
)

// An identity is a number by which a state or an insurance knows a person, or a paper that proves who one is. An identity has a form that
// many a number has, so it is one only behind its name: see identities.txt.
type identity struct {
	rule  string
	names []string
	forms []string
	tight bool              // blanks and signs stand only between figures and letters
	check func([]byte) bool // of a form that is all figures; nil without one
}

const ruleIdentity = "identity number"

//go:embed identities.txt
var identityList string

// identities are the lines of identities.txt, and what the United States have.
func identities() []identity {
	all := []identity{{rule: "social security number", names: []string{"social security", "ssn"}, forms: []string{"d9"}}}
	for line := range strings.Lines(identityList) {
		forms, rest, _ := strings.Cut(strings.TrimSpace(line), " ; ")
		if check, names, ok := strings.Cut(rest, " ; "); ok && line[0] != '#' {
			all = append(all, identity{ruleIdentity, strings.Split(names, ", "), strings.Fields(forms), check == "tight", checkOf(check)})
		}
	}
	return all
}

// checkOf reads how figures are checked, nil where they are not.
func checkOf(s string) func([]byte) bool {
	if s == "luhn" {
		return luhn
	}
	by, list, ok := strings.Cut(s, ":")
	if !ok {
		return nil
	}
	divisor, _ := strconv.Atoi(by)
	var weights []int
	for w := range strings.SplitSeq(list, ",") {
		n, _ := strconv.Atoi(w)
		weights = append(weights, n)
	}
	return func(d []byte) bool {
		sum := 0
		for i, w := range weights {
			if i < len(d) {
				sum += w * int(d[i])
			}
		}
		return len(d) == len(weights) && sum%divisor == 0
	}
}

// short names are words of other languages, or parts of words, so they count in capitals, or before what is nothing else.
const short = 6

// between are the words that may stand between a name and its number at most, and their bytes.
const (
	between  = 5
	reaching = 56
)

// elsewhere are words whose number it is that follows.
var elsewhere = lexis.Set("flight flug vol vuelo volo booking reservation buchung order bestellung pnr ticket phone tel telefon telefono " +
	"téléphone call hotline fax mobile handy application antrag fee form formular office amt tracking invoice rechnung case iban konto " +
	"account version policy police kundennummer kundennr page seite rfc issue article")

// named takes the number behind one of the names.
func (id identity) named(name string) matcher {
	return func(text string, start, end int) (Finding, bool) {
		if is(at(text, start-1), word) && len(name) < short || !strings.EqualFold(text[start:end], name) {
			return Finding{}, false
		}
		return id.match(text, start, end)
	}
}

// match takes the number behind the name at text[start:end].
func (id identity) match(text string, start, end int) (Finding, bool) {
	name := text[start:end]
	firm := len(name) >= short || name == "ssn"
	if is(at(text, start-1), alnum) && !(firm && is(at(text, start-1), lower)) || !firm && is(at(text, end), alnum) {
		return Finding{}, false
	}
	firm = firm || name == strings.ToUpper(name)
	i := end
	for firm && i-end < reaching && is(at(text, i), lower) { // passports, Reisepassnummer
		i++
	}
	for words, last := 0, i; i < len(text) && i-end < reaching && words <= between; {
		if c := text[i]; c < 0x80 && !is(c, alnum) {
			if c == '\n' && words > 0 || (c == '?' || c == '!' || c == ';' || c == '[') ||
				c == '.' && i-last > 4 && is(at(text, i+1), space) {
				return Finding{}, false
			}
			i++
			last = i
			continue
		}
		if stop := id.number(text, i, firm); stop > 0 && at(text, i-1) != '+' {
			return Finding{id.rule, i, stop}, true
		}
		from := i
		for i < len(text) && i-end < reaching && (text[i] >= 0x80 || is(text[i], alnum)) {
			i++
		}
		if words++; elsewhere[fold(text[from:i])] {
			return Finding{}, false
		}
		last = from
	}
	return Finding{}, false
}

// number returns where the number ends that starts at i in one of the forms, 0 where none does. Behind a name that may be another word it
// needs a check digit that holds, or letters or signs of its own.
func (id identity) number(text string, i int, firm bool) int {
	for _, form := range id.forms {
		stop, digits, signed := id.fits(form, text, i)
		if stop == 0 || datum(text[i:stop]) || date(digits) && signed {
			continue
		}
		figures := !strings.ContainsAny(form, "LX")
		if firm || !figures || id.check != nil && id.check(digits) {
			return stop
		}
	}
	return 0
}

// date tells the figures of a day.
func date(d []byte) bool {
	if len(d) != 8 {
		return false
	}
	return (d[0] == 1 && d[1] == 9 || d[0] == 2 && d[1] == 0) && d[4] < 2 && d[6] < 4 || d[0] < 4 && d[2] < 2 && (d[4] == 1 || d[4] == 2)
}

// fits returns where a number of the form ends that starts at i, its figures, and whether signs part it.
func (id identity) fits(form, text string, i int) (stop int, digits []byte, signed bool) {
	var buffer [20]byte
	digits = buffer[:0]
	letters, small, blank, before := 0, 0, false, byte(0)
	j := i
	for k := 0; k < len(form); {
		sort, n := form[k], 0
		if k++; sort == '=' {
			sort, n, k = form[k], 1, k+1
		}
		for ; is(sort, alpha) && k < len(form) && is(form[k], digit); k++ {
			n = 10*n + int(form[k]-'0')
		}
		for m := range n {
			if j > i && before != 'X' && sort != 'X' && (!id.tight || m == 0) && parts(text, j) {
				blank = blank || text[j] == ' '
				signed = true
				j++
			}
			c := at(text, j)
			switch {
			case is(c, digit) && sort != 'L' && (!is(sort, digit) || c == sort):
				if digits = append(digits, c-'0'); len(digits) == cap(buffer) {
					return 0, nil, false
				}
			case is(c, alpha) && (sort == 'L' || sort == 'X'):
				letters++
				if is(c, lower) {
					small++
				}
			default:
				return 0, nil, false
			}
			j++
		}
		before = sort
	}
	if !ends(text, j) || blank && at(text, j) == ' ' && is(at(text, j+1), digit) || small > 0 &&
		(small < letters || len(digits) < 5 || blank) {
		return 0, nil, false
	}
	if strings.IndexByte(form, 'X') == 0 && (letters == 0 || len(digits) == 0 || letters > 7) {
		return 0, nil, false
	}
	return j, digits, signed
}

// parts tells whether one blank or sign stands at i between the parts of a number.
func parts(text string, i int) bool {
	return strings.IndexByte(" -./+", text[min(i, len(text)-1)]) >= 0 && is(at(text, i+1), alnum)
}
