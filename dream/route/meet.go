package route

// What several people say of one thing stands on one page, so that it can be compared.

// said reads what is told of, where the subject only says it.
func (r *reader) said(start int, s subject) *subject {
	i := s.name.hi
	if s.name.key == "" && is(listArticle, r.ws[start].fold) { // "the vet says"
		i = start + 2
	}
	if i == 0 || i+2 >= len(r.ws) || r.ws[i-1].owns || !is(listSays, r.ws[i].fold) || r.ws[i].gap != 0 {
		return nil
	}
	i++
	if is(listThat, r.ws[i].fold) {
		i++
	}
	if i+1 >= len(r.ws) || is(listLead, r.ws[i].fold) {
		return nil
	}
	in := r.subject(i)
	return &in
}

// of reads Atlas in "launch of Atlas" and "next release of Atlas".
func (r *reader) of(i int) name {
	for k := i + 1; k < min(i+4, len(r.ws)); k++ {
		switch f := r.ws[k].fold; {
		case r.ws[k].gap != 0, is(listCopula, f), is(listHuman, f), r.ws[k].owns:
			return name{}
		case f == "of" || f == "for" || f == "von" || f == "de":
			if n := r.span(k+1, false); n > 0 {
				return r.nameAt(k+1, k+1+n)
			}
			return name{}
		}
	}
	return name{}
}

// thing tells what only programs and the like do or have: "Grafana was upgraded", "Grafana's port".
func (r *reader) thing(i int, owns bool) bool {
	v := r.ws[i].fold
	switch {
	case owns:
		return is(listParts, v) && !is(listOwned, v)
	case is(listCopula, v):
		return i+1 < len(r.ws) && is(listMade, r.ws[i+1].fold)
	case v == "runs" || v == "listens":
		for k := i + 1; k < min(i+4, len(r.ws)); k++ {
			if w := r.ws[k]; w.num || w.coined || is(listParts, w.fold) || is(listSystem, w.fold) {
				return true
			}
		}
		return false
	}
	return is(listThing, v)
}

// said is the page of what somebody else says of a thing: so what two say of one launch stands on one page. said is nil where
// the thing has no page: then it is a statement about whoever says it.
func (b *batch) said(i int, me string) *pageRef {
	rd := &b.reads[i]
	if rd.said == nil {
		return nil
	}
	in, by := rd.said, rd.sub.name.key
	for _, k := range []string{in.system, in.full} {
		if b.isProject(k) {
			return b.project(k)
		}
	}
	for _, k := range []string{in.name.key, in.of.key} {
		if k == "" || k == by {
			continue
		}
		if k == me || b.speakers[k] {
			return b.person(k)
		}
		if n := b.subject(k); n != nil {
			return n
		}
	}
	return b.event(i, *in, me)
}

// event is the page of "the launch", which goes without a name among those who speak of one project: that of the item, else the only
// one that its conversation names.
func (b *batch) event(i int, s subject, me string) *pageRef {
	if !s.event || s.of.key != "" {
		return nil
	}
	if p := b.itemProject(b.items[i]); p != "" {
		return b.project(p)
	}
	k := b.chats[b.items[i].Chat]
	if k == "" || k == me || b.items[i].Chat == "" || b.human(k) {
		return nil
	}
	return b.subject(k)
}

// gather notes what each conversation holds events of: the name of "the launch of Atlas", where it is the only one.
func (b *batch) gather() {
	several := map[string]bool{}
	for i := range b.items {
		c := b.items[i].Chat
		for _, s := range []*subject{&b.reads[i].sub, b.reads[i].said} {
			if c == "" || s == nil {
				continue
			}
			k := s.of.key
			if n := s.name; n.hi > 0 && n.hi < len(b.reads[i].ws) && is(listEvent, b.reads[i].ws[n.hi].fold) {
				k = n.key
			}
			if k == "" || !s.event && k != s.name.key {
				continue
			}
			several[c] = several[c] || b.chats[c] != "" && b.chats[c] != k
			b.chats[c] = k
		}
	}
	for c := range several {
		if several[c] {
			delete(b.chats, c)
		}
	}
}
