package claim

import (
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/vault"
)

// A Claim is one statement, read once and compared often. It is not changed after Parse and may be shared between goroutines.
type Claim struct {
	Text    string    // as given
	Day     vault.Day // when it was said; "" when unknown
	Speaker string    // who said it; "" when unknown
	// Retracts tells that the statement ends something without saying what holds instead ("Alice doesn't drink coffee any more"). A
	// Change by such a claim retires the old statement.
	Retracts bool

	fold         string
	open         string
	gender       string
	clauses      []*clause
	corr, strong bool
	question     bool
	exact        bool // capitals count
	dated        bool // holds a day relative to the day of speaking
	also         bool // says that it is so in addition: also, too
	keys         []string
	units        []unit
}

// maxText is the length in bytes of the longest text that is read as a statement; a longer one is only compared as a whole.
const maxText = 4000

// maxTokens is how many words and signs such a text may have: one of 4,000 signs is no statement either, and takes long to find that out.
const maxTokens = 1000

// maxClauses is how many clauses a statement may have; more than that is no statement.
const maxClauses = 24

// Parse reads a statement. It never fails; what is not understood compares as Unrelated to all but its own duplicates.
func Parse(text, speaker string, day vault.Day) *Claim {
	c := &Claim{Text: text, Day: day, Speaker: speaker}
	c.fold = strings.TrimRight(lexis.Fold(text), ".!… ")
	if len(text) > maxText {
		c.keys = c.makeKeys()
		return c
	}
	body := c.unprefix(text)
	toks := scan(body)
	if len(toks) == 0 || len(toks) > maxTokens {
		c.keys = c.makeKeys()
		return c
	}
	r := &reader{toks: toks, lang: languageOf(toks), day: day, speaker: c.Speaker, out: make([]unit, 0, len(toks))}
	r.read()
	c.gender, c.units, c.also = r.gender, r.out, r.also
	us := c.unmark(r.out)
	c.question = hasKind(us, uQuestion)
	c.dated = slices.ContainsFunc(us, func(u unit) bool { return u.rel })
	subj := subject{head: r.me(), raw: c.Speaker}
	for _, part := range split(cleft(us)) {
		cl := build(part, subj, r.lang.name)
		if cl.pred == "" && len(cl.chunks) == 0 {
			c.corr = c.corr || cl.corr
			continue
		}
		if cl.subj.head != "" {
			subj = cl.subj
			subj.told, subj.crowd = true, subj.crowd || cl.others()
			subj.people = subj.people || len(cl.who) > 0 && !subj.det && allNames(cl.who)
		}
		c.corr, c.strong = c.corr || cl.corr, c.strong || cl.strong
		if c.clauses = append(c.clauses, cl); len(c.clauses) > maxClauses {
			c.clauses = nil
			break
		}
	}
	c.exact = slices.ContainsFunc(c.clauses, func(k *clause) bool {
		return slices.ContainsFunc(k.frames, func(f frame) bool { return strings.HasSuffix(f.attr, "password") })
	})
	c.Retracts = len(c.clauses) > 0 && !slices.ContainsFunc(c.clauses, func(k *clause) bool {
		return !k.ended && !k.former && k.pred != "sell" && k.left() == "" && !k.cancels() && k.pair() == "" && k.departed() == ""
	})
	c.keys = c.makeKeys()
	return c
}

// unprefix takes off the speaker's name before a line in another language: "Olga: Ich wohne …".
func (c *Claim) unprefix(text string) string {
	at := strings.Index(text, ": ")
	if at <= 0 || at > 40 {
		return text
	}
	name := text[:at]
	switch lexis.Fold(name) {
	case "todo", "to do", "to-do", "task", "action item":
		return text[at+2:]
	}
	if c.Speaker != "" && lexis.Fold(name) == lexis.Fold(c.Speaker) {
		return text[at+2:]
	}
	if c.Speaker == "" && !strings.ContainsAny(name, " ,.") && len(name) > 2 && name[0] >= 'A' && name[0] <= 'Z' {
		rest := strings.Fields(lexis.Fold(text[at+2:]))
		for _, w := range rest[:min(len(rest), 4)] {
			switch w {
			case "ich", "mein", "meine", "yo", "mi", "je", "mon", "ma", "vivo", "tengo", "soy":
				c.Speaker = name
				return text[at+2:]
			}
		}
	}
	return text
}

// unmark reads "Hugo misspoke: …": a correction before a colon counts for what follows.
func (c *Claim) unmark(us []unit) []unit {
	if len(us) > 3 && us[0].self && us[1].kind == uCorr && oneOf(us[2].kind, uComma, uStop) { // I mixed that up, …
		c.corr, c.strong = true, true
		return us[3:]
	}
	at := slices.IndexFunc(us, func(u unit) bool { return u.kind == uStop && u.id == ":" })
	if at < 0 {
		return us
	}
	for _, u := range us[:at] {
		if u.kind == uCorr {
			c.corr, c.strong = true, true
			return us[at+1:]
		}
	}
	return us
}

// cleft reads "It was Jana who wrote it" as "Jana wrote it".
func cleft(us []unit) []unit {
	if len(us) < 5 || us[0].kind != uPron || us[0].id != "it" || us[1].kind != uBe {
		return us
	}
	at := slices.IndexFunc(us, func(u unit) bool { return u.kind == uConj && (u.raw == "who" || u.raw == "that") })
	if at < 3 || !allNames(us[2:at]) {
		return us
	}
	return slices.Concat(us[2:at], us[at+1:])
}

// keyAttr joins attributes that may be compared with each other.
func keyAttr(attr string) string {
	if attr == "runs" {
		return "use"
	}
	return attr
}

// alsoKey is the subject and predicate of a core.
func alsoKey(core string) string {
	f := strings.SplitN(core, "|", 3)
	return f[0] + "|" + f[1]
}

// Keys are the blocking keys of the claim: two claims whose Compare is not Unrelated share at least one. There are at most 12.
func (c *Claim) Keys() []string { return c.keys }

// Gives tells whether a statement says an attribute, such as name or home, of somebody who has these names.
func (c *Claim) Gives(attr string, names []string) bool {
	return slices.ContainsFunc(c.clauses, func(k *clause) bool {
		return k.holds() && slices.ContainsFunc(k.frames, func(f frame) bool {
			return f.attr == attr && slices.ContainsFunc(names,
				func(n string) bool { return f.subj.head == strings.TrimPrefix(lexis.Fold(n), "the ") })
		})
	})
}

// OneAttribute tells a key that only claims about one attribute of one subject share.
func OneAttribute(key string) bool { return strings.HasPrefix(key, "f|") }

func (c *Claim) makeKeys() []string {
	keys := []string{}
	add := func(k string) {
		if len(keys) < 12 && !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	for _, k := range c.clauses {
		add("s|" + strings.Replace(k.subj.head, ">new ", ">", 1) + "|" + k.pred)
		if k.also != "" {
			add("s|" + alsoKey(k.also))
		}
		if k.verb.id == "rename" {
			add("s|" + k.subj.head + "|be")
		}
		if len(k.gone) > 0 {
			add("g|" + ids(k.gone))
		}
		if len(k.contrast) > 0 {
			add("s|" + ids(k.contrast) + "|" + k.pred)
			if _, rest, ok := strings.Cut(k.subj.head, ">"); ok {
				add("s|" + ids(k.contrast) + ">" + rest + "|" + k.pred)
			}
		}
		if what, whence := k.removed(); what != "" {
			add("x|" + whence + "|" + what)
		}
		if k.subj.agent != "" {
			add("s|" + k.subj.head + "|be")
			for _, f := range k.frames {
				if k.subj.bare {
					add("f|" + k.subj.agent + "|" + keyAttr(f.attr))
				}
				add("f|" + k.subj.agent + ">" + k.subj.head + "|" + keyAttr(f.attr))
			}
		} else if retold[k.verb.id] || !k.copula && k.value() != nil {
			add("s|" + k.subj.head + "|be")
		}
		if k.turned {
			add("t|" + k.pred + "|" + ids(k.objs))
		}
		if p := k.pair(); p != "" {
			add("k|" + p)
			add("f|" + k.subj.head + "|marital")
		}
		if k.cancels() {
			add("f|" + k.subj.head + "|when")
			add("s|" + k.subj.head + "|be")
		}
		if p := k.departed(); p != "" {
			add("x|" + k.subj.head + "|" + p)
		}
		if k.workless() {
			add("f|" + k.subj.head + "|employer")
			add("f|" + k.subj.head + "|job")
		}
		for _, f := range k.frames {
			add("f|" + f.subj.head + "|" + keyAttr(f.attr))
			if f.attr == "marital" {
				for _, n := range f.marriage() {
					add("f|" + n + "|marital")
				}
			}
			if strings.HasPrefix(f.attr, "kin ") {
				p := []string{f.subj.head, ids(f.val)}
				slices.Sort(p)
				add("k|" + strings.Join(p, "|"))
				if partner(f.attr) {
					add("x|" + f.subj.head + "|" + ids(f.val))
				}
				continue
			}
			add("x|" + f.subj.head + "|" + ids(f.val))
			if len(f.from) > 0 {
				add("x|" + f.subj.head + "|" + ids(f.from))
			}
		}
		if l := k.left(); l != "" {
			if n := len(k.objs); n > 1 {
				add("x|" + k.subj.head + "|" + ids(k.objs[:n-1]))
				add("s|" + k.subj.head + "|live")
			}
			add("x|" + k.subj.head + "|" + l)
		}
		if k.copula && len(k.objs) > 2 && k.objs[0].id == "member" {
			add("x|" + k.subj.head + "|" + ids(k.objs[2:]))
		}
		if len(k.objs) > 0 && !k.copula {
			add("x|" + k.subj.head + "|" + ids(k.objs))
		}
		if len(k.objs) > 0 && len(k.chunks) == 1 && !k.copula {
			add("x|" + k.subj.head + "|" + ids(k.chunks[0].units) + " " + ids(k.objs))
		}
		for _, v := range k.values() {
			add("g|" + v)
		}
		for _, ch := range k.chunks {
			switch ch.prep {
			case "with", "on", "to", "in", "at", "for":
				add("x|" + k.subj.head + "|" + ids(ch.units))
			}
		}
	}
	if c.units != nil {
		if k := c.mover(); k != "" {
			add(k)
		}
	}
	if len(c.clauses) < 3 && c.units != nil {
		if c.open = c.opening(); c.open != "" {
			add(c.open)
		}
	}
	if len(c.clauses) == 0 && c.fold != "" {
		add("t|" + c.fold[:min(len(c.fold), 64)])
	}
	return keys
}
