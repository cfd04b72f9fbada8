package claim

import (
	"slices"
	"strings"
)

// A frame is an attribute of a subject with its value.
type frame struct {
	subj subject
	attr string
	kind byte // 1 one value that changes, ! one for good, * several, c one of its class
	val  []unit
	from []unit // the value before, where it is said
	main bool   // part of what the clause is compared by
	word string // the attribute as a person reads it
}

// A slot tells which attribute a verb gives with a preposition; "" is the object.
type slot struct {
	prep, attr string
	kind       byte
}

var slots = map[string][]slot{
	"live":       {{"in", "home", '1'}, {"at", "home", '1'}},
	"move":       {{"to", "home", '1'}, {"in", "home", '1'}},
	"work":       {{"at", "employer", '1'}, {"for", "employer", '1'}, {"by", "employer", '1'}, {"as", "job", '1'}},
	"join":       {{"at", "employer", '1'}, {"as", "job", '1'}, {"", "employer", '1'}},
	"study":      {{"at", "school", '1'}},
	"attend":     {{"", "school", 'n'}},
	"use":        {{"", "use", 'c'}},
	"switch":     {{"to", "use", 'c'}},
	"replace":    {{"with", "use", 'c'}, {"by", "use", 'c'}},
	"host":       {{"on", "host", '1'}, {"in", "host", '1'}, {"at", "host", '1'}},
	"run":        {{"on", "runs", 'c'}, {"under", "runs", 'c'}, {"", "use", 'c'}},
	"born":       {{"dt", "birthday", '!'}, {"in", "birthplace", '!'}, {"at", "birthplace", '!'}},
	"drive":      {{"", "drives", '1'}},
	"prefer":     {{"", "prefer", 'p'}},
	"allergic":   {{"to", "allergy", '*'}, {"against", "allergy", '*'}, {"in", "allergy", '*'}},
	"promote":    {{"to", "job", '1'}, {"at", "employer", '1'}},
	"build":      {{"with", "use", 'c'}, {"on", "use", 'c'}, {"in", "codelang", '1'}},
	"written":    {{"in", "codelang", '1'}},
	"rewrite":    {{"in", "codelang", '1'}},
	"choose":     {{"", "use", 'k'}},
	"found":      {{"dt", "founded", '!'}, {"in", "foundedin", '!'}},
	"rename":     {{"to", "name", '1'}, {"in", "name", '1'}, {"", "name", '1'}},
	"extend":     {{"to", "when", '1'}, {"dt", "when", '1'}, {"until", "when", '1'}},
	"schedule":   {{"dt", "when", '1'}, {"for", "when", '1'}, {"in", "place", '1'}, {"at", "place", '1'}},
	"meet":       {{"dt", "meets", '1'}},
	"leavetime":  {{"dt", "leavetime", '1'}},
	"arrivetime": {{"dt", "arrivetime", '1'}},
	"starttime":  {{"dt", "starttime", '1'}},
	"opentime":   {{"dt", "opentime", '1'}},
	"endtime":    {{"dt", "endtime", '1'}},
	"closetime":  {{"dt", "closetime", '1'}},
	"boardtime":  {{"dt", "boardtime", '1'}},
	"launchtime": {{"dt", "launchtime", '1'}},
}

// frame finds the attributes of the clause. What they take is no longer an object or adjunct.
func (c *clause) frame(attr *unit) {
	verbs := oneOf(c.pred, "rename", "extend", "schedule", "move", "named", "switch")
	if attr != nil && !c.copula && !verbs { // Alice's company is not Alice
		switch c.subj.head {
		case attr.id: // the desk costs …
		case "":
			c.subj.head = attr.id
		default:
			c.subj.head += ">" + attr.id
		}
		attr = nil
	}
	switch {
	case attr != nil && verbs:
		c.owned(attr)
	case c.copula && attr != nil:
		c.owned(attr)
	case c.copula:
		c.is()
	case c.pred == "become":
		c.copula, c.pred = true, "be"
		c.is()
	case c.pred == "have":
		c.has()
	case c.pred == "named":
		c.named()
	case c.pred == "run" && c.verb.raw == "running" && c.subj.det && len(c.objs)+len(c.chunks) == 0:
		c.frames = append(c.frames, frame{
			subj: c.subj, attr: "status", kind: '1',
			val: []unit{{kind: uWord, id: "run", raw: "running"}}, main: true, word: "status",
		})
	case c.pred == "jobless" && len(c.objs) == 0:
		c.past = false
		c.frames = append(c.frames, frame{
			subj: c.subj, attr: "is workless", kind: '1',
			val: []unit{{kind: uWord, id: "jobless", raw: c.verb.raw}}, main: true,
		})
	case c.pred == "partner":
		val := c.objs
		if len(val) == 0 {
			val = c.chunkTake("with")
		}
		if c.objs = nil; len(val) > 0 {
			c.kin(c.subj, unit{kind: uRel, id: "partner", raw: "partner"}, val)
		}
	case c.pred == "marry", c.pred == "engage", c.pred == "divorce":
		c.marital(map[string]string{"marry": "married", "engage": "engaged", "divorce": "divorced"}[c.pred])
	case (c.pred == "move" || c.pred == "switch") && c.timed("to"):
		c.take(slot{"dt", "when", '1'})
		c.pred = "be"
	case c.pred == "take" && len(c.objs) > 1 && c.objs[0].kind == uQty && strings.HasPrefix(c.objs[0].id, "mass:"):
		drug := c.objs[1:]
		if drug[0].kind == uPrep {
			drug = drug[1:]
		}
		c.frames = append(c.frames, frame{subj: c.subj, attr: ids(drug) + " dose", kind: '1', val: c.objs[:1], word: "dose"})
	case c.pred == "cost", c.pred == "weigh", c.pred == "earn":
		c.amounts()
	default:
		c.verbFrames()
	}
	c.yearless()
	if len(c.frames) > 0 && c.frames[0].main {
		c.pred = "@" + group(c.frames[0].attr)
	}
}

// amounts reads "costs $12" as what the price is.
func (c *clause) amounts() {
	if len(c.objs) == 0 || !oneOf(c.objs[0].kind, uQty, uNum) || len(c.objs) > 1 {
		return
	}
	attr := map[string]string{"cost": "price", "weigh": "weight", "earn": "salary"}[c.pred]
	c.take(slot{"", attr, '1'})
	c.frames[len(c.frames)-1].word = attr
}

// yearless takes the assumed year off days that come round every year.
func (c *clause) yearless() {
	for i, f := range c.frames {
		if f.attr != "birthday" && f.attr != "anniversary" {
			continue
		}
		c.frames[i].val = slices.Clone(f.val)
		for k, u := range f.val {
			if u.kind == uDate && u.year && len(u.id) > 4 {
				c.frames[i].val[k].id = "-" + u.id[4:]
			}
		}
	}
}

func group(attr string) string {
	switch attr {
	case "job", "employer":
		return "work"
	case "birthday", "birthplace":
		return "born"
	}
	return attr
}

func (c *clause) timed(prep string) bool {
	return slices.ContainsFunc(c.chunks, func(k chunk) bool { return k.prep == "dt" }) &&
		!slices.ContainsFunc(c.chunks, func(k chunk) bool { return k.prep == prep })
}

func (c *clause) verbFrames() {
	switch {
	// who moves a thing stays
	case (c.pred == "move" || c.pred == "switch") && len(c.objs) > 0 && (c.objs[0].det || oneOf(c.objs[0].kind, uName, uIdent)),
		c.pred == "drive" && c.chunk("to") != nil,                     // whom one drives to the station is no car
		c.pred == "rename" && len(c.objs) > 0 && c.chunk("to") != nil: // and who renames one keeps their name
		return
	}
	for _, s := range slots[c.pred] {
		if s.attr == "use" && c.pred == "run" && (len(c.objs) == 0 || !proper(c.objs) || len(c.objs) > 2) {
			continue
		}
		if s.attr == "employer" && s.prep == "" && len(c.frames) > 0 {
			continue
		}
		c.take(s)
	}
	if (c.pred == "work") && len(c.frames) == 0 && c.verb.raw != "" && foreignVerb(c.verb.raw) {
		c.take(slot{"in", "employer", '1'})
	}
	if (oneOf(c.pred, "run", "use", "extend") || changeVerb[c.pred]) && len(c.frames) > 0 {
		f := &c.frames[0]
		c.attrValue(f)
		// upgraded to Go 1.26
		if n := len(f.val) - 1; c.pred == "extend" && f.attr == "when" && n > 0 && f.val[0].kind <= uName && f.val[n].kind == uNum {
			f.attr, f.kind = "use", 'c'
		}
	}
	c.thing()
	from := c.chunk("from")
	if from == nil && changeVerb[c.pred] && len(c.objs) > 1 && c.objs[0].kind == uPrep && c.objs[0].id == "of" { // de Vim a Helix
		from, c.objs = c.objs[1:], nil
	}
	if from == nil && c.pred == "replace" && len(c.objs) > 0 {
		from, c.objs = c.objs, nil
	}
	for i := range c.frames {
		if from != nil && oneOf(c.pred, "switch", "move", "replace") {
			c.frames[i].from = from
		}
	}
}

// thing gives what was moved somewhere the other attributes that this may be: "CI was moved to GitHub Actions".
func (c *clause) thing() {
	if !c.byBe || !retold[c.verb.id] || len(c.frames) != 1 || !proper(c.frames[0].val) {
		return
	}
	f := &c.frames[0]
	switch f.attr {
	case "home", "place":
		f.attr = "place"
	case "when":
	default:
		return
	}
	runs, host := *f, *f
	runs.attr, runs.kind, runs.main = "runs", 'c', false
	host.attr, host.kind, host.main = "host", '1', false
	c.frames = append(c.frames, runs, host)
}

func foreignVerb(raw string) bool { return strings.HasPrefix(strings.ToLower(raw), "trabaj") }

// attrValue reads "on port 8443" and "on version 2.1".
func (c *clause) attrValue(f *frame) {
	if len(f.val) > 1 && f.val[0].kind == uAttr && f.val[0].key == "1" {
		f.attr, f.word, f.kind = f.val[0].id, f.val[0].raw, '1'
		f.val = f.val[1:]
	}
}

// take makes a frame of the first chunk, or the objects, that fill a slot.
func (c *clause) take(s slot) bool {
	var val []unit
	if s.prep == "" {
		val, c.objs = c.objs, nil
	} else if val = c.chunkTake(s.prep); len(val) > 0 && !proper(val) { // "in a flat in Berlin"
		if more := c.chunkTake(s.prep); more != nil && proper(more) {
			val, more = more, val
			c.chunks = append(c.chunks, chunk{s.prep, more})
		} else if more != nil {
			c.chunks = append(c.chunks, chunk{s.prep, more})
		}
	}
	if len(val) == 0 {
		return false
	}
	if s.attr == "place" && len(val) > 1 && val[0].kind == uAttr && val[0].key == "1" { // takes place in room 204
		c.frames = append(c.frames, frame{subj: c.subj, attr: val[0].id, kind: '1', val: val[1:], main: true, word: val[0].raw})
		return true
	}
	if s.attr == "home" && (c.subj.det || val[0].kind == uIdent) {
		s.attr = "place"
	}
	if s.attr == "home" && val[0].kind == uQty {
		c.chunks = append(c.chunks, chunk{s.prep, val})
		return false
	}
	c.frames = append(c.frames, frame{subj: c.subj, attr: s.attr, kind: s.kind, val: val, main: true})
	return true
}

func (c *clause) chunk(prep string) []unit {
	for _, k := range c.chunks {
		if k.prep == prep {
			return k.units
		}
	}
	return nil
}

func (c *clause) chunkTake(prep string) []unit {
	for i, k := range c.chunks {
		if k.prep == prep && len(k.units) > 0 {
			c.chunks = slices.Delete(slices.Clone(c.chunks), i, i+1)
			return k.units
		}
	}
	return nil
}

// owned reads "X's ATTR is V".
func (c *clause) owned(attr *unit) {
	val := c.objs
	c.objs = nil
	if len(c.gone) > 0 && !c.copula && c.chunk("to") != nil { // subió de 700 a 750
		val = nil
	}
	if len(val) > 1 && val[0].kind == uPrep && val[0].id == "of" && oneOf(val[1].kind, uQty, uNum) { // es de 700 euros
		val = val[1:]
	}
	if who, rel, ok := cutLast(c.subj.head); ok && attr.id == "name" && len(val) > 0 { // X's mother's name is V
		c.subj.head = who
		c.kin(c.subj, unit{kind: uRel, id: rel, raw: rel}, val)
		return
	}
	for _, prep := range [...]string{"dt", "to", "until", "on", "in", "at", "for", "by"} {
		if len(val) > 0 {
			break
		}
		if oneOf(prep, "in", "at", "on") && somebody[attr.id] {
			continue // where the dentist is, is not who
		}
		val = c.chunkTake(prep)
	}
	if len(val) > 0 && oneOf(attr.id, "birthday", "deadline") && !oneOf(val[0].kind, uDate, uTime) {
		if more := c.chunkTake("dt"); more != nil {
			val = append(slices.Clone(val), more...)
		}
	}
	if strings.HasSuffix(attr.id, "password") { // capitals count
		val = slices.Clone(val)
		for i := range val {
			val[i].id = val[i].raw
		}
	}
	if len(val) == 0 || c.pred != "named" && !valueFor(attr.id, val) {
		c.pred = "be " + attr.id
		c.objs = val
		return
	}
	if attr.id == "phone" || strings.HasSuffix(attr.id, " phone") {
		val = digits(val)
	}
	c.frames = append(c.frames, frame{subj: c.subj, attr: attr.id, kind: attr.key[0], val: val, main: true, word: attr.raw})
	if attr.id == "birthday" {
		c.frames[len(c.frames)-1].kind = '!'
	}
}

// somebody are attributes whose value is a person.
var somebody = wordSet("boss dentist doctor landlord leader owner releaser therapist vet")

// valueFor tells whether units can be the value of an attribute: "wrong" is no address.
func valueFor(attr string, val []unit) bool {
	has := func(kinds ...unitKind) bool {
		return slices.ContainsFunc(val, func(u unit) bool { return slices.Contains(kinds, u.kind) })
	}
	if at := strings.LastIndexByte(attr, ' '); at >= 0 && !strings.HasPrefix(attr, "favourite") {
		attr = attr[at+1:]
	}
	if attr == "phone" && (has(uName, uWord) || !has(uNum, uIdent)) { // a phone that is a thing
		return false
	}
	switch attr {
	case "birthday", "deadline", "start", "launch", "release", "anniversary":
		return has(uDate, uTime)
	case "phone", "rent", "salary", "price", "budget", "age", "weight", "height", "limit", "timeout", "dose", "rate", "interval",
		"threshold", "duration", "balance", "mileage", "quota", "size", "capacity",
		"speed", "temperature", "fee", "number", "port", "version", "shoe":
		return has(uNum, uQty, uIdent, uTime)
	case "password", "status", "job", "colour", "diet", "nickname", "nationality", "bloodtype", "branch", "name", "username", "handle",
		"host", "hostname", "domain", "theme", "plan", "priority", "severity", "insurance", "bank", "framework",
		"phase", "shell", "venue", "desk", "office", "room", "allergy", "language":
		return true
	}
	if strings.HasPrefix(attr, "favourite") {
		return true
	}
	return has(uName, uIdent, uNum, uTime) || classes()[val[0].id] != ""
}

// digits joins the groups of a phone number.
func digits(us []unit) []unit {
	var b strings.Builder
	for _, u := range us {
		for _, r := range u.id {
			if r >= '0' && r <= '9' || r == '+' {
				b.WriteRune(r)
			}
		}
	}
	return []unit{{kind: uNum, id: b.String(), raw: raws(us)}}
}

// has reads "has her birthday on V", "has a V allergy", "has two cats", "has a sister named Noor".
func (c *clause) has() {
	if len(c.objs) == 0 {
		return
	}
	first, last := c.objs[0], c.objs[len(c.objs)-1]
	switch {
	case last.kind == uAttr && len(c.objs) == 1:
		c.objs = nil
		c.owned(&last)
	case last.kind == uAttr && last.id == "allergy":
		c.frames = append(c.frames, frame{subj: c.subj, attr: "allergy", kind: '*', val: c.objs[:len(c.objs)-1], main: true})
		c.objs = nil
	case first.kind == uAttr && first.key == "1" && len(c.objs) > 1 && c.objs[1].kind >= uIdent && c.objs[1].kind <= uTime,
		first.kind == uAttr && somebody[first.id] && len(c.objs) > 1 && allNames(c.objs[1:]), // a new boss, Mrs. Kraft
		first.kind == uAttr && first.key == "!" && len(c.objs) > 1:
		c.objs = c.objs[1:]
		c.owned(&first)
	// has an appointment with Dr. Hall on 10 June
	case first.det && !first.own && calendarDay(c.chunk("dt")) && !hasKind(c.objs, uPrep) && len(c.chunks) < 3:
		s := c.subj
		s.head, s.raw = s.head+">"+ids(c.objs), s.raw+"'s "+raws(c.objs)
		if u := c.chunk("with"); len(u) > 0 {
			s.head += " with " + ids(u)
		}
		c.frames = append(c.frames, frame{subj: s, attr: "when", kind: 'a', val: c.chunk("dt")})
	case first.own && c.chunk("dt") != nil && dates(c.chunk("dt")[:1]) && !hasKind(c.objs, uPrep): // has her driving exam on 10 June
		s := c.subj
		s.head, s.raw = s.head+">"+ids(c.objs), s.raw+"'s "+raws(c.objs)
		c.frames = append(c.frames, frame{subj: s, attr: "when", kind: '1', val: c.chunk("dt")})
	case first.kind == uQty && len(c.objs) == 1 && strings.HasPrefix(first.id, "month:"): // tiene 34 años
		c.frames = append(c.frames, frame{subj: c.subj, attr: "age", kind: '1', val: c.objs, main: true})
		c.objs = nil
	case first.kind == uNum && len(c.objs) == 2:
		c.frames = append(c.frames, frame{
			subj: c.subj, attr: "count " + last.id,
			kind: '1', val: c.objs[:1], main: true, word: "number of " + last.raw,
		})
		c.objs = nil
	case c.neg && len(c.objs) == 1:
		c.frames = append(c.frames, frame{
			subj: c.subj, attr: "count " + last.id, kind: '1',
			val: []unit{{kind: uNum, id: "0", raw: "no " + last.raw}}, word: "number of " + last.raw,
		})
	case first.kind == uRel && len(c.objs) > 2 && c.objs[1].id == "named":
		c.kin(c.subj, first, c.objs[2:])
		c.objs = nil
	}
}

// named reads "X's sister is called Noor".
func (c *clause) named() {
	if len(c.objs) == 0 {
		return
	}
	if owner, rel, ok := cutLast(c.subj.head); ok {
		s := c.subj
		s.head = owner
		c.kin(s, unit{kind: uRel, id: rel, raw: rel}, c.objs)
	} else {
		c.frames = append(c.frames, frame{subj: c.subj, attr: "name", kind: '1', val: c.objs, main: true, word: "name"})
	}
	c.objs = nil
}

func cutLast(head string) (owner, rel string, ok bool) {
	at := strings.LastIndexByte(head, '>')
	if at < 0 {
		return "", "", false
	}
	return head[:at], head[at+1:], relations()[head[at+1:]]
}

// kin adds a relation between two people.
func (c *clause) kin(owner subject, rel unit, val []unit) {
	k := byte('*')
	switch rel.id {
	case "mother", "father":
		k = '!'
	case "wife", "husband", "partner":
		k = '1'
	}
	attr := rel.id
	c.frames = append(c.frames, frame{subj: owner, attr: "kin " + attr, kind: k, val: val, main: true, word: rel.raw})
	switch {
	case c.pred == "have":
		c.also = owner.head + "|have|" + rel.id
	case (rel.id == "wife" || rel.id == "husband") && allNames(val):
		c.also, c.alsoAdj, c.paired = owner.head+"|@marital|", []string{"@marital=married " + ids(val)}, true
	}
	c.subj = owner
}
