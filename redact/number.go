package redact

import "strings"

// number looks at the digits that start at i: a payment card, an IBAN, a US social security number, or bytes and groups of a key.
func number(text string, i int) (Finding, bool) {
	if f, ok := iban(text, i); ok {
		return f, true
	}
	if strings.IndexByte("._-/+$#@&=", at(text, i-1)) >= 0 && i > 0 && text[i-1] != '=' || is(at(text, i-1), alnum) {
		return Finding{}, false
	}
	if f, ok := ssn(text, i); ok {
		return f, true
	}
	if f, ok := diskKey(text, i); ok {
		return f, true
	}
	if f, ok := keyBytes(text, i); ok {
		return f, true
	}
	return card(text, i)
}

// diskKey finds eight groups of six digits, as BitLocker writes what opens a disk.
func diskKey(text string, i int) (Finding, bool) {
	const size = 8*7 - 1
	if i+size > len(text) || !ends(text, i+size) {
		return Finding{}, false
	}
	for j := range size {
		if (j%7 == 6) != (text[i+j] == '-') || j%7 != 6 && !is(text[i+j], digit) {
			return Finding{}, false
		}
	}
	return Finding{ruleCode, i, i + size}, true
}

// keyBytes finds the 64 bytes of a pair of keys as Solana's tools write it: [174,47,…].
func keyBytes(text string, i int) (Finding, bool) {
	if at(text, i-1) != '[' {
		return Finding{}, false
	}
	n := 0
	for j := i; ; n++ {
		stop := run(text, j, digit, 4)
		if stop == j || stop-j > 3 || n == 64 {
			return Finding{}, false
		}
		if at(text, stop) == ']' {
			return Finding{rulePEM, i, stop}, n == 63
		}
		if at(text, stop) != ',' {
			return Finding{}, false
		}
		for j = stop + 1; is(at(text, j), space) || at(text, j) == '\n'; j++ {
		}
	}
}

// ends tells whether a number may end before offset i: neither a letter, a digit, nor a part number's tail follows.
func ends(text string, i int) bool {
	c := at(text, i)
	if is(c, alnum|under) {
		return false
	}
	return !(strings.IndexByte("-./", c) >= 0 && is(at(text, i+1), alnum))
}

// card finds 14 to 16 digits of a known issuer whose check digit holds, unbroken or in the groups that are
// printed on cards; a date or another number may follow. Lengths of 13 and 19 are left alone: they are mostly product codes and ids.
func card(text string, i int) (Finding, bool) {
	var digits [17]byte
	n, j, sep := 0, i, byte(0)
	for group, fits := 0, uint(1)<<len(groupings)-1; ; group++ {
		size := run(text, j, digit, len(digits)) - j
		done := false
		for p, sizes := range groupings {
			if group >= len(sizes) || sizes[group] != size {
				fits &^= 1 << p
			} else if fits&(1<<p) != 0 && group == len(sizes)-1 {
				done = true
			}
		}
		if fits == 0 {
			return Finding{}, false
		}
		for range size {
			digits[n] = text[j] - '0'
			n++
			j++
		}
		c := at(text, j)
		if done {
			if group > 0 && c == sep && run(text, j+1, digit, 5) == j+5 {
				return Finding{}, false // a longer number
			}
			break
		}
		if c != ' ' && c != '-' || sep != 0 && c != sep {
			return Finding{}, false
		}
		sep = c
		j++
	}
	if !ends(text, j) || !issuer(digits[:n]) || !luhn(digits[:n]) {
		return Finding{}, false
	}
	return Finding{"card number", i, j}, true
}

// groupings are the ways in which a card's digits are printed.
var groupings = [][]int{{16}, {15}, {14}, {4, 4, 4, 4}, {4, 6, 5}, {4, 6, 4}}

func issuer(d []byte) bool {
	head := int(d[0])*1000 + int(d[1])*100 + int(d[2])*10 + int(d[3])
	switch len(d) {
	case 16:
		return d[0] == 4 || // Visa
			5100 <= head && head <= 5599 || 2221 <= head && head <= 2720 || // Mastercard
			head == 6011 || 6440 <= head && head <= 6599 || // Discover
			3528 <= head && head <= 3589 || // JCB
			6200 <= head && head <= 6299 // UnionPay
	case 15:
		return head/100 == 34 || head/100 == 37 // American Express
	case 14:
		return head/100 == 36 || head/100 == 38 || 3000 <= head && head <= 3059 // Diners
	}
	return false
}

func luhn(d []byte) bool {
	sum := 0
	for i := range d {
		v := int(d[len(d)-1-i])
		if i%2 == 1 {
			if v *= 2; v > 9 {
				v -= 9
			}
		}
		sum += v
	}
	return sum%10 == 0
}

// ssn finds 123-45-6789 outside of the ranges that were never given out.
func ssn(text string, i int) (Finding, bool) {
	const size = len("123-45-6789")
	if i+size > len(text) || !ends(text, i+size) {
		return Finding{}, false
	}
	s := text[i : i+size]
	for j := range len(s) {
		if (j == 3 || j == 6) != (s[j] == '-') || j != 3 && j != 6 && !is(s[j], digit) {
			return Finding{}, false
		}
	}
	if s[:3] == "000" || s[:3] == "666" || s[0] == '9' || s[4:6] == "00" || s[7:] == "0000" {
		return Finding{}, false
	}
	return Finding{"social security number", i, i + size}, true
}

// ibanSizes holds the length of each country's IBAN.
const ibanSizes = "AD24AE23AL28AT20AZ28BA20BE16BG22BH22BR29BY28CH21CR22CY28CZ24DE22DK18DO28EE20EG29ES24FI18FO18FR27GB22GE22GI23GL18GR27" +
	"GT28HR21HU28IE22IL23IQ23IS26IT27JO30KW30KZ20LB28LC32LI21LT20LU20LV21LY25MC27MD24ME22MK19MR27MT31MU30NL18NO15PK24PL28PS29" +
	"PT25QA29RO24RS22SA24SC31SE24SI19SK24SM27ST25SV28TL23TN24TR26UA29VA22VG24XK20"

// iban finds account numbers whose two check digits start at i: country, length and remainder must agree.
func iban(text string, i int) (Finding, bool) {
	start := i - 2
	if start < 0 || !is(text[start], upper) || !is(text[start+1], upper) || is(at(text, start-1), word) || !is(at(text, i+1), digit) {
		return Finding{}, false
	}
	size := 0
	for k := 0; k < len(ibanSizes); k += 4 {
		if ibanSizes[k:k+2] == text[start:i] {
			size = int(ibanSizes[k+2]-'0')*10 + int(ibanSizes[k+3]-'0')
			break
		}
	}
	if size == 0 {
		return Finding{}, false
	}
	var chars [40]byte
	n, j := 0, start
	for j < len(text) && n < size {
		c := text[j]
		if c == ' ' && n%4 == 0 && n > 0 {
			j++
			continue
		}
		if !is(c, upper|digit) {
			return Finding{}, false
		}
		chars[n] = c
		n++
		j++
	}
	if n != size || !ends(text, j) || mod97(chars[:n]) != 1 {
		return Finding{}, false
	}
	return Finding{"iban", start, j}, true
}

func mod97(s []byte) int {
	r := 0
	for i := range s {
		c := s[(i+4)%len(s)]
		if is(c, digit) {
			r = (r*10 + int(c-'0')) % 97
		} else {
			r = (r*100 + int(c-'A') + 10) % 97
		}
	}
	return r
}

// shortNumber reads a number of three to twelve digits as codes are written: 0913, 77-14-52, 638 205, 58#2091, 2468#, 4417B; or one of 16
// to 64 digits in groups of four to eight, as the keys of networks and backups.
func shortNumber(text string, i int) (stop, size int) {
	if is(at(text, i), upper) && at(text, i+1) == '-' && !is(at(text, i-1), word) && is(at(text, i+2), digit) { // G-583920
		i += 2
	} else if is(at(text, i), upper) && !is(at(text, i-1), word|dot|base) && run(text, i+1, digit, 4) == i+5 {
		i++
	} else if !is(at(text, i), digit) || is(at(text, i-1), word|dot|base) || i > 0 && strings.IndexByte(",:#$@%[\xa3\xac",
		text[i-1]) >= 0 { // £, €
		return 0, 0
	}
	stop = run(text, i, digit, 9)
	group := stop - i
	size = group
	if c := at(text, i-4); at(text, i-1) == ' ' && back(text, i-1, digit, 2) == i-3 && c != '/' && c != ' ' {
		return 0, 0 // part of a longer number: 845 2210 9931
	}
	if sep := at(text, stop); group < 5 && (sep == ' ' || sep == '-') {
		for size < 64 && at(text, stop) == sep && run(text, stop+1, digit, 9) == stop+1+group {
			stop, size = stop+1+group, size+group
		}
		if last := run(text, stop+1, digit, 9); sep == '-' && at(text, stop) == sep && size > group && last > stop+1 && last < stop+1+group {
			stop, size = last, size+last-stop-1 // the last group may be shorter: 40-17-92-6
		}
	}
	if c := at(text, stop); (c == '#' || is(c, upper)) && is(at(text, stop+1), digit) {
		end := run(text, stop+1, digit, 9)
		stop, size = end, size+end-stop-1
	}
	if size < 3 || size > 12 && (group < 4 || size < 16) || size == group && size > 8 {
		return 0, 0
	}
	if c := at(text, stop); c == '#' || c == '*' && at(text, stop+1) != '*' || is(c, upper) && size > 3 && !is(at(text, stop+1), alnum) {
		stop++
	}
	if c := at(text, stop); is(c, word|base) || c >= 0x80 && !closes(text[stop:]) ||
		strings.IndexByte(".,:%", c) >= 0 && is(at(text, stop+1), digit) || c == '%' || c == '(' {
		return 0, 0
	}
	return stop, size
}
