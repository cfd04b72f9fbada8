package redact

import "strings"

// reach is how far from a name, in bytes on either side, a value of the same sentence is looked for.
const reach = 90

// nearby takes the value that a sentence speaks of without a sign between it and its name: "use Xk29!vbQ7 as the password",
// "the vpn password, it got reset to Xk29!vbQ7". Only the look of a word tells it there, so that it must be of several kinds of signs.
func nearby(text string, n name) (Finding, bool) {
	if n.rule != rulePassword || run(text, n.from, alpha|dash, n.to-n.from) != n.to || strings.IndexByte(" \t\r\n.,;:!?)\"'`*\x00", at(text, n.to)) < 0 {
		return Finding{}, false // a name of a program's
	}
	if start, stop, ok := spoken(text, n.to, min(len(text), n.to+reach), n.loose); ok {
		return Finding{n.rule, start, stop}, true
	}
	from := max(0, n.from-reach)
	if i := strings.LastIndexByte(text[from:n.from], '\n'); i >= 0 {
		from += i + 1
	} else if from > 0 {
		for from < n.from && text[from] != ' ' { // not in the middle of a word
			from++
		}
	}
	if start, stop, ok := spoken(text, from, n.from, n.loose); ok && stop <= n.from && !strings.Contains(text[stop:n.from], ". ") {
		return Finding{n.rule, start, stop}, true
	}
	return Finding{}, false
}

// spoken returns the first word of text[i:end] that can only be a password, before the sentence ends.
func spoken(text string, i, end int, loose bool) (start, stop int, ok bool) {
	for i < end && text[i] != '\n' {
		digits := false
		for start = i; i < end && !is(text[i], space) && text[i] != '\n'; i++ {
			digits = digits || is(text[i], digit)
		}
		last := i
		if i = run(text, i, space, 8); !digits || last-start < 7 {
			if last-start > 3 && text[last-1] == '.' {
				break
			}
			continue
		}
		for start < last && strings.IndexByte("\"'`*(,", text[start]) >= 0 {
			start++
		}
		stop = extent(text, start, 0, false, judged)
		if v := text[start:stop]; len(v) < judged && chosen(v) && (!loose || signs(v) > 0 && fold(v) != v) && !placeholder(v) && !codeLike(v, at(text, stop)) {
			return start, stop, true
		}
		if text[last-1] == '.' {
			break
		}
	}
	return 0, 0, false
}

// chosen tells a password by its signs alone: three kinds of small letters, capitals, digits and signs, put together as no word,
// name of a program, address or version is.
func chosen(v string) bool {
	if len(v) < 7 || !strict(v) || identifier(v) || strings.ContainsAny(v, "/\\|:;,<>(){}[]'\"`") || strings.IndexByte("#@$%&~*+=?.-_", v[0]) >= 0 {
		return false
	}
	if _, host, ok := strings.Cut(v, "@"); ok && signs(v) == 1 && is(at(host, 0), alpha) {
		return false
	}
	kinds, leet, changes, marks := uint16(0), false, 0, 0
	for i := range len(v) {
		c := v[i]
		kinds |= kind[c] & alnum
		if strings.IndexByte("!#$%^&*?~@", c) >= 0 {
			marks++
		}
		if i > 0 && is(c, alnum) && is(v[i-1], alnum) && is(c, digit) != is(v[i-1], digit) {
			changes++
		}
		leet = leet || i > 0 && is(c, lower) && is(v[i-1], digit) && !(i > 1 && is(v[i-2], upper))
	}
	if marks > 0 {
		return kinds&digit != 0 && kinds&alpha != 0
	}
	return kinds == alnum && (changes > 2 || leet)
}
