package claim

import "strings"

// nominative takes off the ending of a German genitive: des Suchdienstes, des Servers.
func nominative(t token) token {
	for _, end := range [...]string{"es", "s"} {
		stem, ok := strings.CutSuffix(t.fold, end)
		if !ok || len(stem) < 3 || end == "es" && len(stem) < 4 || end == "es" && strings.HasSuffix(stem, "ic") {
			continue
		}
		t.fold, t.raw = stem, t.raw[:len(t.raw)-len(end)]
		break
	}
	return t
}

// compound cuts the German compounds that name an attribute: Erdnussallergie, Lieblingsfarbe.
func (r *reader) compound(t token) bool {
	if head, ok := strings.CutSuffix(t.fold, "allergie"); ok && head != "" {
		id := head
		if es := r.lang.phrases[head]; len(es) > 0 {
			id = es[0].id
		}
		r.put(unit{kind: uWord, id: id, raw: t.raw[:len(t.raw)-len("allergie")]})
		r.put(unit{kind: uAttr, id: "allergy", key: "*", raw: t.raw})
		return true
	}
	if tail, ok := strings.CutPrefix(t.fold, "lieblings"); ok && tail != "" {
		if tail == "farbe" {
			tail = "colour"
		}
		r.put(unit{kind: uAttr, id: "favourite " + tail, key: "1", raw: t.raw})
		return true
	}
	if bare := strings.TrimSuffix(t.fold, "s"); t.upper && bare != t.fold && len(bare) > 2 && len(r.ahead) > 0 { // Noors Geburtstag
		next := r.ahead
		if r.speaker != "" && bare == strings.ToLower(r.speaker) {
			r.put(unit{kind: uName, id: dashless(bare), raw: t.raw[:len(t.raw)-1]})
			r.put(unit{kind: uPoss, id: "'s", raw: "'s"})
			return true
		}
		if es := r.lang.phrases[next]; len(es) > 0 && es[0].class == "now" && es[0].id == "new" {
			next = r.after
		}
		for _, e := range r.lang.phrases[next] {
			if e.class == "rel" || strings.HasPrefix(e.class, "attr") {
				r.put(unit{kind: uName, id: dashless(bare), raw: t.raw[:len(t.raw)-1]})
				r.put(unit{kind: uPoss, id: "'s", raw: "'s"})
				return true
			}
		}
	}
	return false
}
