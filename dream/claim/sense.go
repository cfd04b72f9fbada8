package claim

import "slices"

// Words that are read in one of their senses only where their neighbours say so.

// stops tells whether a German noun at toks[i] is what somebody has stopped: das Rauchen aufgehört.
func (r *reader) stops(i int) bool {
	return slices.ContainsFunc(r.toks, func(t token) bool { return t.fold == "aufgehort" }) && i > 1 && r.toks[i-1].fold == "dem"
}

// secret tells that a code that follows opens something: the door code, not the source code.
func (r *reader) secret() bool {
	last := r.out[len(r.out)-1]
	if oneOf(last.kind, uPoss, uPrep) || last.self {
		return false
	}
	switch last.id {
	case "sourc", "sourc~e", "source", "all", "legaci", "legacy", "error", "post",
		"country", "countri", "area", "dress", "product", "status", "exit":
		return false
	}
	return true
}

// sets tells whether toks[i] is the "set" of "was set to 5".
func (r *reader) sets(i int) bool {
	if r.toks[i].fold != "set" || r.lang.name != "en" || r.det || i == 0 {
		return false
	}
	for k := i + 1; k < min(i+9, len(r.toks)) && r.toks[k].kind != tokPunct; k++ {
		switch f := r.toks[k].fold; {
		case f == "to":
			return true
		case k == i+1 && oneOf(f, "up", "out", "off", "aside", "free", "in", "for", "back"):
			return false
		}
	}
	return false
}
