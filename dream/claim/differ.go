package claim

import (
	"slices"
	"strconv"
	"strings"
)

// byFrame compares the values of an attribute that both clauses give.
func byFrame(earlier, later *Claim, o, n *clause) Relation {
	best := Unrelated
	for _, fo := range o.frames {
		for _, fn := range n.frames {
			if r := frames(earlier, later, o, n, fo, fn); rank(r) > rank(best) {
				best = r
			}
		}
	}
	return best
}

func frames(earlier, later *Claim, o, n *clause, fo, fn frame) Relation {
	if !o.standing(fo) || !n.standing(fn) {
		return Unrelated
	}
	if r := relatives(later, fo, fn); r != Unrelated {
		return r
	}
	if len(fn.from) > 0 && fo.kind != '*' && fo.subj.same(&fn.subj) && ids(fo.val) == ids(fn.from) && sameScopeOf(o, n) {
		return Change
	}
	if len(n.contrast) > 0 && fo.attr == fn.attr && fo.subj.same(&fn.subj) &&
		strings.HasPrefix(fo.attr, "kin ") && ids(fo.val) == ids(n.contrast) {
		return Correction
	}
	if n.now && fo.attr == fn.attr && fo.kind == '*' && fo.subj.same(&fn.subj) && o.pred == n.pred &&
		o.copula && n.copula && company(fo.attr) && ids(fo.val) != ids(fn.val) {
		return Change
	}
	if (later.strong || later.corr && n.verb.id == "named" && o.verb.id == "named") && fo.attr == fn.attr && fo.subj.same(&fn.subj) &&
		strings.HasPrefix(fo.attr, "kin ") && ids(fo.val) != ids(fn.val) && fo.kind == '*' && o.pred == n.pred {
		return Correction
	}
	if !sameAttr(fo.attr, fn.attr) || !oneSubject(fo, fn) || fo.kind == '*' || !differ(fo, fn) || !sameScope(o, n) {
		return Unrelated
	}
	if a, b := o.chunk("per"), n.chunk("per"); len(a) > 0 && len(b) > 0 && ids(a) != ids(b) {
		return Unrelated // a month, a year
	}
	if a, b := dimension(fo.val), dimension(fn.val); !n.now && !later.corr && a != "" && b != "" && a != b {
		return Unrelated // in euros, in dollars
	}
	switch {
	case len(o.objs) > 0 && len(n.objs) > 0 && ids(o.objs) != ids(n.objs) && !o.copula && !n.copula, // extended the trip, and the deadline
		// a branch in Kreuzberg, and one in Mitte
		!sameGrain(fo, fn) || fn.attr == "branch" && n.verb.kind == uHave,
		// at 9:30, and on Fridays at 10:00
		hasKind(fo.val, uTime) && hasKind(fn.val, uTime) &&
			(weekday(fo.val) != weekday(fn.val) || hasKind(fo.val, uDate) != hasKind(fn.val, uDate)) && !retold[n.verb.id],
		len(fn.from) > 0 && fo.kind == 'c', // it came from something else
		(fo.kind == 'k' || fn.kind == 'k') && !sameClass(fo.val, fn.val),
		fo.kind == 'c' && !oneOfClass(n, fo.val, fn.val) && !samePurpose(o, n) && !release(fo.val, fn.val),
		(fo.kind == 'n' || fn.kind == 'n') && !later.corr && !n.now && !changeVerb[n.verb.id] && n.verb.id != "promote" && len(n.contrast) == 0,
		// one may have several
		(fo.kind == 'a' || fn.kind == 'a') && !retold[n.verb.id] && !later.corr,
		// three today, five tomorrow
		strings.HasPrefix(fn.attr, "count ") && !later.corr &&
			(o.today != "" || slices.ContainsFunc(n.chunk("dt"), func(u unit) bool { return u.rel })),
		fn.attr == "name" && n.verb.id == "rename" && fn.val[0].det && !fn.val[0].own, // renamed the channel
		fn.attr == "when" && (later.once(fn.val) || n.verb.id == "extend" && lengthens(n.verb.raw) && !deadline(earlier.units)),
		fo.kind == 'p' && !preference(o, n, fo, fn):
		return Unrelated
	}
	if len(n.contrast) > 0 && !strings.Contains(ids(fo.val), ids(n.contrast)) {
		return Conflict
	}
	if fo.kind == '!' || fn.kind == '!' {
		if later.corr || len(n.contrast) > 0 {
			return Correction
		}
		return Conflict
	}
	if !later.corr && !n.now {
		if u := n.chunk("dt"); len(u) > 0 && ago(u[0].id, earlier.Day, 90) {
			return Unrelated
		}
		if u := n.chunk("since"); len(u) > 0 && ago(u[0].id, earlier.Day, 90) {
			return Conflict
		}
	}
	r := replaced(earlier, later, n)
	if r == Change && !n.now && len(fo.from) > 0 && ids(fo.from) == ids(fn.val) {
		return Conflict // back to what it came from, or old news
	}
	if r == Change && fo.attr == "age" && younger(fn.val, fo.val) {
		return Conflict
	}
	return r
}

// dimension is the kind of an amount.
func dimension(us []unit) string {
	if len(us) == 0 || us[0].kind != uQty {
		return ""
	}
	dim, _, _ := strings.Cut(us[0].id, ":")
	return dim
}

// sameAttr tells whether two attributes are one: what a service runs on is what it uses.
func sameAttr(a, b string) bool {
	return a == b || a == "runs" && b == "use" || a == "use" && b == "runs"
}

// company tells the relations that end, and of which one has one at a time where "now" says so.
func company(attr string) bool {
	return oneOf(attr, "kin roommate", "kin neighbour", "kin teacher", "kin partner")
}

// younger tells that an age is less than another.
func younger(a, b []unit) bool {
	x, _ := strconv.ParseFloat(strings.TrimPrefix(a[0].id, "month:"), 64)
	y, _ := strconv.ParseFloat(strings.TrimPrefix(b[0].id, "month:"), 64)
	return x < y
}

// standing tells that a clause says of a frame that it is so.
func (c *clause) standing(f frame) bool {
	if strings.HasPrefix(f.attr, "count ") {
		fl := c.flags
		fl.neg = false
		return fl.holds()
	}
	if c.mods == "plan" && c.will && (f.attr == "when" || strings.HasSuffix(f.attr, "time")) { // will leave at 9:40
		fl := c.flags
		fl.mods = ""
		return fl.holds()
	}
	if c.mods == "decide" {
		switch f.attr {
		case "use", "host", "runs", "codelang":
			fl := c.flags
			fl.mods = ""
			return fl.holds()
		}
	}
	return c.holds()
}

// oneSubject tells whether two frames are about one person; a marriage has two sides.
func oneSubject(a, b frame) bool { return a.subj.same(&b.subj) }

// relatives finds two relations of one pair that exclude each other.
func relatives(later *Claim, a, b frame) Relation {
	ka, oka := strings.CutPrefix(a.attr, "kin ")
	kb, okb := strings.CutPrefix(b.attr, "kin ")
	if !oka || !okb || ka == kb || !blood(ka) || !blood(kb) {
		return Unrelated
	}
	if a.subj.same(&b.subj) && ids(a.val) == ids(b.val) {
		return later.correctionOr(Conflict)
	}
	return Unrelated
}

func blood(rel string) bool {
	switch rel {
	case "mother", "father", "sister", "brother", "cousin", "daughter", "son",
		"aunt", "uncle", "niece", "nephew", "grandmother", "grandfather":
		return true
	}
	return false
}

// differ tells that two values exclude each other: none is part of the other.
func differ(a, b frame) bool {
	x, y := ids(a.val), ids(b.val)
	if x == y || within(x, y) || within(y, x) ||
		a.attr == "home" && (strings.HasPrefix(raws(a.val), raws(b.val)+"-") || strings.HasPrefix(raws(b.val), raws(a.val)+"-")) {
		return false // nor is Berlin-Mitte another town than Berlin
	}
	if a.attr == "marital" {
		p, q := a.marriage(), b.marriage()
		return !(p != nil && q != nil && slices.Equal(p, q) && a.val[0].id == b.val[0].id)
	}
	if dates(a.val) && dates(b.val) {
		return datesDiffer(x, y)
	}
	if dates(a.val) != dates(b.val) && (a.attr == "when" || a.attr == "birthday") {
		return false
	}
	return true
}

// sameGrain tells that two values are of one grain: two names of places, not Berlin and Germany or Berlin and a small flat.
func sameGrain(a, b frame) bool {
	switch a.attr {
	case "office":
		// Berlin is no floor
		return proper(a.val) == proper(b.val) && (proper(a.val) || len(a.val) < 2 || len(b.val) < 2 || a.val[0].id == b.val[0].id)
	case "home", "place", "employer", "host", "birthplace", "drives", "school", "boss":
		if !proper(a.val) || !proper(b.val) {
			return false
		}
		return country(a.val) == country(b.val)
	}
	return true
}

// weekday is the day of the week that a value names.
func weekday(us []unit) string {
	for _, u := range us {
		if strings.HasPrefix(u.id, "wd") && u.kind == uDate {
			return u.id
		}
	}
	return ""
}

func country(us []unit) bool {
	return slices.ContainsFunc(us, func(u unit) bool { return classes()[u.id] == "country" })
}

// proper tells that a value is made of names.
func proper(us []unit) bool {
	return len(us) > 0 && !slices.ContainsFunc(us, func(u unit) bool {
		return !oneOf(u.kind, uName, uIdent, uNum, uPoss) && classes()[u.id] == ""
	})
}

// datesDiffer compares what two dates both give: year, month, day.
func datesDiffer(x, y string) bool {
	yx, mx := halves(x)
	yy, my := halves(y)
	if yx != "" && yy != "" && yx != yy {
		return true
	}
	n := min(len(mx), len(my))
	return mx[:n] != my[:n]
}

// halves cuts a date into its year and the rest; "-03-04" has no year.
func halves(d string) (year, rest string) {
	if strings.HasPrefix(d, "-") {
		return "", d[1:]
	}
	year, rest, _ = strings.Cut(d, "-")
	return year, rest
}

func dates(us []unit) bool { return len(us) == 1 && us[0].kind == uDate }

// within tells whether all words of a are words of b.
func within(a, b string) bool {
	for w := range strings.FieldsSeq(a) {
		if !strings.Contains(" "+b+" ", " "+w+" ") {
			return false
		}
	}
	return true
}

// sameScope tells that nothing limits the two clauses to different things, and that later is not
// limited where earlier is not: what somebody uses for Python says nothing of the rest.
func sameScope(o, n *clause) bool {
	if season(o) != season(n) { // in Oslo in winter, in Rome in summer
		return false
	}
	for _, b := range n.chunks {
		switch b.prep {
		case "from": // earns 500 from rent
			if n.pred == "@salary" && o.chunk("from") == nil {
				return false
			}
		case "for":
			if n.pred != "@home" && o.chunk("for") == nil {
				return false
			}
		case "as": // as a babysitter
			if n.pred == "@salary" && o.chunk("as") == nil {
				return false
			}
		case "during", "every", "in", "at", "on", "before", "while":
			if o.chunk(b.prep) == nil && !hasKind(b.units, uDate) {
				return false
			}
		case "dt":
			if len(b.units) > 0 && !n.verb.past && (strings.HasPrefix(b.units[0].id, "wd") || b.units[0].kind == uTime) && o.chunk("dt") == nil {
				return false
			}
		}
	}
	for _, a := range o.chunks {
		switch a.prep {
		case "dt", "since", "because", "with", "while", "after", "until", "as":
			continue
		case "over", "to":
			if strings.HasPrefix(n.pred, "@prefer") {
				continue
			}
		}
		for _, b := range n.chunks {
			if a.prep == b.prep && a.text() != b.text() {
				return false
			}
		}
	}
	return true
}

// season is the time of the year that a clause is limited to.
func season(c *clause) string {
	for _, u := range c.chunk("dt") {
		if strings.HasPrefix(u.id, "season ") {
			return u.id
		}
	}
	return ""
}

func sameClass(a, b []unit) bool {
	x := classOfValue(a)
	return x != "" && x == classOfValue(b)
}

// oneOfClass tells two values of which a subject has one at a time. Of languages, frameworks and the like it may have many, unless
// later says that it changed.
func oneOfClass(n *clause, a, b []unit) bool {
	if !sameClass(a, b) {
		return false
	}
	switch classOfValue(a) {
	case "proglang", "framework", "queue", "chat", "tracker", "notes", "orchestrator":
		return n.now || changeVerb[n.verb.id]
	}
	return true
}

func classOfValue(us []unit) string {
	if len(us) == 0 || hasKind(us, uConj) {
		return ""
	}
	c := classes()[us[0].id]
	if c == "colour" || len(us) > 2 {
		return ""
	}
	return c
}

// release tells two versions of one thing: Node 18, Node 20.
func release(a, b []unit) bool {
	if len(a) != len(b) || len(a) < 2 {
		return false
	}
	other := 0
	for i := range a {
		if a[i].id != b[i].id {
			if a[i].kind != uNum || b[i].kind != uNum || i == 0 {
				return false
			}
			other++
		}
	}
	return other == 1
}

func samePurpose(o, n *clause) bool {
	a, b := o.chunk("for"), n.chunk("for")
	return len(a) > 0 && ids(a) == ids(b)
}

// preference tells two preferences that answer one question: of one kind, or compared with each other.
func preference(o, n *clause, a, b frame) bool {
	if sameClass(a.val, b.val) || n.now && len(a.val) == 1 && len(b.val) == 1 {
		return true
	}
	x, y := a.val[len(a.val)-1], b.val[len(b.val)-1]
	if len(a.val) == 2 && len(b.val) == 2 && x.id == y.id {
		return true
	}
	other := o.chunk("to")
	if other == nil {
		other = o.chunk("over")
	}
	return other != nil && ids(other) == ids(b.val)
}

// byPolarity finds the same said and denied.
func byPolarity(_, later *Claim, o, n *clause) Relation {
	if o.core != n.core || !o.subj.same(&n.subj) || o.neg == n.neg || o.ended || n.ended || len(n.contrast)+len(o.contrast) > 0 {
		return Unrelated
	}
	a, b := o.flags, n.flags
	a.neg, b.neg = false, false
	if a.sense() != b.sense() || a.mods != "" && a.mods != "can" || a.former {
		return Unrelated
	}
	if !subset(o.adj, n.adj) || !subset(n.adj, o.adj) {
		return Unrelated
	}
	switch {
	case later.corr:
		return Correction
	case n.now:
		return Change
	}
	return Conflict
}

// byContrast reads "Y, not X": it corrects a statement that says X in the same place.
func byContrast(_, _ *Claim, o, n *clause) Relation {
	if len(n.contrast) > 0 && allNames(n.contrast) && o.subj.head == ids(n.contrast) && o.pred == n.pred && o.sense() == n.sense() &&
		ids(o.objs) == ids(n.objs) && slices.Equal(o.adj, n.adj) && o.subj.head != n.subj.head {
		return Correction // Jana wrote it, not Tobias
	}
	if len(n.contrast) > 0 && allNames(n.contrast) && o.pred == n.pred && o.sense() == n.sense() &&
		ids(o.objs) == ids(n.objs) && slices.Equal(o.adj, n.adj) {
		own, rest, ok := strings.Cut(n.subj.head, ">")
		if ok && own != ids(n.contrast) && o.subj.head == ids(n.contrast)+">"+rest {
			return Correction // godmother of Jonte, not of Finn
		}
	}
	if len(n.contrast) == 0 || !o.subj.same(&n.subj) || o.pred != n.pred || o.mods != n.mods {
		return Unrelated
	}
	want := ids(n.contrast)
	mo, mn := middle(o.objs, n.objs)
	a, b := onlyIn(o.adj, n.adj), onlyIn(n.adj, o.adj)
	switch {
	case mo == want && mn != "" && len(a) == 0:
		return Correction
	case mo == "" && mn == "" && len(a) == 1 && len(b) == 1:
		pa, va, _ := strings.Cut(a[0], "=")
		pb, _, _ := strings.Cut(b[0], "=")
		if pa == pb && (va == want || strings.HasSuffix(va, want) || sameDate(va, want)) {
			return Correction
		}
	}
	return Unrelated
}

// sameDate compares days of which one lacks its year.
func sameDate(a, b string) bool {
	return len(a) > 5 && len(b) == 10 && strings.HasSuffix(b, strings.TrimPrefix(a, "-"))
}

func onlyIn(a, b []string) []string {
	var out []string
	for _, x := range a {
		if !slices.Contains(b, x) {
			out = append(out, x)
		}
	}
	return out
}

// middle is where two sequences differ.
func middle(a, b []unit) (x, y string) {
	for len(a) > 0 && len(b) > 0 && a[0].id == b[0].id {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1].id == b[len(b)-1].id {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return ids(a), ids(b)
}
