package claim

import (
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/lexis"
)

// readSubject reads who a clause is about, and the attribute where one is named: "Noor's birthday",
// "the birthday of Noor", "the deadline for the grant".
func readSubject(us []unit) (s subject, attr *unit) {
	us = slices.DeleteFunc(slices.Clone(us), func(u unit) bool { return u.kind == uComma })
	s.raw = raws(us)
	s.det = len(us) > 0 && us[0].det
	var desc []unit
	segs := [][]unit{}
	if at := slices.IndexFunc(us, func(u unit) bool { return u.kind == uPrep }); at > 0 {
		left, right := us[:at], us[at+1:]
		if us[at].id == "of" || us[at].id == "for" && hasKind(left, uAttr) {
			// "the sister of Alice" reads as "Alice's sister"
			own, _ := cutPoss(right)
			segs = append(segs, own...)
			left2, _ := cutPoss(left)
			segs = append(segs, left2...)
			return ownedBy(segs, s)
		}
		desc = us[at:]
		us = left
	}
	segs, _ = cutPoss(us)
	s, attr = ownedBy(segs, s)
	if len(desc) > 0 {
		s.head += " " + ids(desc) // the meeting with Carlos is not any meeting
	}
	return s, attr
}

func cutPoss(us []unit) (segs [][]unit, n int) {
	start := 0
	for i, u := range us {
		if u.kind == uPoss {
			segs = append(segs, us[start:i])
			start = i + 1
			n++
		}
	}
	return append(segs, us[start:]), n
}

// ownedBy walks a chain of owners: Alice, sister, birthday.
func ownedBy(segs [][]unit, s subject) (subject, *unit) {
	var attr *unit
	for i, seg := range segs {
		last := i == len(segs)-1
		if len(seg) == 0 {
			continue
		}
		if i == 0 {
			s.pron = seg[0].kind == uPron
		}
		if last {
			if a := attribute(seg); a != nil && !(len(segs) == 1 && seg[len(seg)-1].id == "job") && (i > 0 || len(seg) > 1 || seg[0].det) {
				attr = a
				if i > 0 {
					continue
				}
				if n := len(seg) - 1; n > 0 && seg[n].kind == uAttr { // the wifi password is the password of the wifi
					bare := seg[n]
					bare.raw = a.raw
					attr = &bare
					s.head, s.tail = title(seg[:n])
					continue
				}
			}
		}
		if i == 0 {
			s.head, s.tail = title(seg)
			continue
		}
		if seg[0].kind == uRel && len(seg) > 1 && allNames(seg[1:]) {
			s.desc = s.head + ">" + seg[0].id
			s.head = ids(seg[1:])
			continue
		}
		s.head += ">" + ids(seg)
	}
	return s, attr
}

func allNames(us []unit) bool {
	return !slices.ContainsFunc(us, func(u unit) bool { return u.kind != uName })
}

// attribute reads "work phone", "favourite colour".
func attribute(seg []unit) *unit {
	if k := slices.IndexFunc(seg, func(u unit) bool { return u.kind == uFav }); k >= 0 && len(seg) > 1 {
		rest := append(slices.Clone(seg[:k]), seg[k+1:]...)
		return &unit{kind: uAttr, id: "favourite " + ids(rest), key: "1", raw: raws(seg)}
	}
	a := seg[len(seg)-1]
	if a.kind != uAttr {
		return nil
	}
	a.raw = raws(seg)
	a.id = ids(seg)
	return &a
}

// title gives the words of a name, and the word such as service that may be left out.
func title(seg []unit) (head, tail string) {
	words := func(us []unit) string { // as written: Billing is the billing service
		parts := make([]string, 0, len(us))
		for _, u := range us {
			if u.kind == uWord && u.raw != "" && !u.past {
				parts = append(parts, dashless(lexis.Fold(u.raw)))
			} else {
				parts = append(parts, u.id)
			}
		}
		return strings.TrimSpace(strings.Join(parts, " "))
	}
	if n := len(seg) - 1; n > 0 {
		switch seg[n].id {
		case "servic", "servic~e", "service", "project", "app", "system", "projekt":
			return words(seg[:n]), seg[n].id
		}
	}
	return words(seg), ""
}

// owns tells whether the thing that an agent changed is that agent's.
func (s *subject) owns(o *subject) bool {
	return s.agent != "" && (o.head == s.agent+">"+s.head || s.bare && o.head == s.agent)
}

// same tells whether two subjects can be one. What a text says of a person tells two of one name apart.
func (s *subject) same(o *subject) bool {
	if s.head != o.head && !s.owns(o) && !o.owns(s) {
		return false
	}
	return (s.desc == o.desc || s.desc == "" || o.desc == "") && (s.tail == o.tail || s.tail == "" || o.tail == "")
}
