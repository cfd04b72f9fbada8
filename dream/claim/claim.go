package claim

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/vault"
)

// A Claim is one statement, read once and compared often. A Claim is not changed after Parse and may be shared between goroutines.
type Claim struct {
	Text    string    // as given
	Day     vault.Day // when it was said; "" when unknown
	Speaker string    // who said it; "" when unknown

	fold     string
	toks     []tok
	clauses  []*clause
	frames   []frame
	me       []string
	bags     []string // what its clauses say, sorted: equal where two statements have the same words
	values   []string // numbers and names of it, in order
	quoted   string   // folded, the words of a quotation
	heard    string   // folded, these with the words of others before them; "" where there are none
	by       string   // folded, whose words these are
	question bool
	corr     bool // says that something said before was wrong
	dated    bool // holds a time that hangs on the day of speaking
	also     bool
	exact    bool      // capitals count
	states   []*clause // see mayEnd
	sole     bool
	active   bool // may end or correct something
	keys     []string
	table    *table
	hearsay  *Claim // what somebody else said, see hearsay
}

// A frame says that something has a value of an attribute.
type frame struct {
	attr   string
	word   string // for it, where the statement has one
	subj   []string
	val    []tok
	change bool     // and that it is new
	fixed  bool     // it never changes
	asks   bool     // see pattern
	among  bool     // it is one value of several
	taken  bool     // for granted: the statement says something else of it
	mate   []string // of a bond that ends, who it was with
	detail []string
	from   *clause
	rest   []string // what else the clause says
}

// maxText is the length in bytes of the longest text that is read as a statement; a longer one is only compared as a whole.
const maxText = 4000

// maxTokens and maxClauses are how much of a text may be a statement: one of 4,000 signs is none, and takes long to find that out. Of a
// clause as many patterns count as maxMatches.
const (
	maxTokens  = 1000
	maxClauses = 24
	maxMatches = 24
)

// Parse reads a statement. Parse never fails; what is not understood compares as Unrelated to all but its own duplicates.
func Parse(text, speaker string, day vault.Day) *Claim {
	c := &Claim{Text: text, Day: day, Speaker: speaker}
	c.fold = strings.TrimRight(lexis.Fold(text), ".!… ")
	if name, words, ok := vault.CutQuote(text); ok {
		c.by = lexis.Fold(name)
		c.quoted = strings.TrimRight(lexis.Fold(words), ".!… ")
		if _, all, _ := vault.CutTalk(text); all != words {
			c.heard = strings.TrimRight(lexis.Fold(all), ".!… ")
		}
	}
	if c.parse(); len(c.clauses) > 0 {
		for _, k := range c.clauses {
			k.words = ids(k.toks, c.me)
		}
		c.collect()
		c.frames = c.makeFrames()
		c.states, c.sole = c.mayEnd()
		c.active = c.corr || len(c.frames) > 0 || slices.ContainsFunc(c.toks, func(x tok) bool { return x.one != 0 || x.roles&rFresh != 0 }) ||
			slices.ContainsFunc(c.clauses, func(k *clause) bool { return len(k.matches) > 0 || k.new() || k.counts() })
	}
	c.keys = c.makeKeys()
	c.hearsay = hearsay(text, speaker, day)
	return c
}

// heardOf is how a statement tells what somebody else says of the speaker: "The allergist says I'm no longer allergic to cats".
var heardOf = regexp.MustCompile(`^(?:The|My|Our|Dr\.?) (?:\pL+[ .]){0,3}?\pL+ (?:says|said|told me|tells me|confirmed|found)(?: that)? ` +
	`((?:I|I'm|I’m|My|my|the user|The user)\b.+)$`)

// hearsay is what somebody else said of the speaker, nil for none.
func hearsay(text, speaker string, day vault.Day) *Claim {
	body := text
	if name, words, ok := vault.CutQuote(text); ok {
		speaker, body = name, words
	}
	if m := heardOf.FindStringSubmatch(body); m != nil && len(text) <= maxText {
		return Parse(m[1], speaker, day)
	}
	return nil
}

// parse finds the clauses of a statement, where it has any.
func (c *Claim) parse() {
	if len(c.Text) > maxText {
		return
	}
	text, body := c.Text, c.Text
	if name, words, ok := vault.CutQuote(text); ok {
		c.Speaker, body = name, words
	} else if name, rest, ok := strings.Cut(text, ": "); ok && c.Speaker != "" && lexis.Fold(name) == lexis.Fold(c.Speaker) {
		body = rest
	}
	raw := scan(body)
	if len(raw) == 0 || len(raw) > maxTokens {
		return
	}
	c.table = tableOf(raw)
	c.me = c.speaker()
	c.toks, c.corr = attributed(colon(read(raw, c.table)), c.me)
	if c.table.words["nutzer"] != nil {
		c.toks = verbSecond(c.toks)
	}
	c.question = slices.ContainsFunc(c.toks, func(x tok) bool { return x.kind == '?' })
	clauses := split(c.toks)
	if len(clauses) > maxClauses {
		return
	}
	c.clauses = clauses
	var before *clause
	for _, k := range clauses {
		k.read(before, c.me, c.table)
		if !k.tail && (k.verb >= 0 || before == nil) {
			before = k
		}
	}
	c.limit()
	c.circumstanced()
}

// speaker is who "I" is.
func (c *Claim) speaker() []string {
	var out []string
	for _, w := range lexis.Words(c.Speaker) {
		if e := c.table.words[w]; e != nil && e.roles&rUser != 0 {
			return []string{"user"}
		}
		if w != "the" {
			out = append(out, "^"+w)
		}
	}
	if len(out) == 0 {
		return []string{"user"}
	}
	return out
}

// colon reads "Atlas deadline: 3 March" as "Atlas deadline is 3 March".
func colon(toks []tok) []tok {
	at := slices.IndexFunc(toks, func(x tok) bool { return x.kind == ':' })
	if at < 1 || at > 7 || !slices.ContainsFunc(toks[:at], func(x tok) bool { return x.one != 0 }) {
		return toks
	}
	for i := range at {
		if verbal(toks, i) {
			return toks
		}
	}
	toks[at] = tok{raw: "is", fold: "is", id: "be", roles: rBe}
	return toks
}

// attributed takes "The user mentioned that" off the beginning, and "The user was wrong," which makes a correction of the rest. What
// anybody else said stays a thing that was said.
func attributed(toks []tok, me []string) (rest []tok, corrects bool) {
	i := 0
	for i < len(toks) && (toks[i].roles&rFree != 0 || mark(toks[i].kind)) {
		i++
	}
	if i+1 >= len(toks) || toks[i].roles&(rUser|rSelf) == 0 && !slices.Equal(me, []string{toks[i].id}) || toks[i].roles&rPoss != 0 {
		return toks, false
	}
	k := i + 1
	for k < len(toks) && toks[k].roles&(rHave|rFree|rBe|rWas) != 0 && toks[k].roles&(rTold|rCorr) == 0 {
		k++
	}
	corrects = k+2 < len(toks) && toks[k].roles&rCorr != 0 && mark(toks[k+1].kind)
	if k >= len(toks) || toks[k].roles&rTold == 0 && !corrects {
		return toks, false
	}
	if k++; k < len(toks) && (toks[k].fold == "that" || corrects) {
		k++
	}
	return toks[k:], corrects
}

// circumstanced gives what only stands beside a clause its sense: "until May" is denied where what it goes with is.
func (c *Claim) circumstanced() {
	for i, k := range c.clauses {
		if of := c.clauses[max(i-1, 0)]; k.tail && k.verb < 0 && len(c.clauses) > 1 {
			if i == 0 {
				of = c.clauses[1]
			}
			k.neg, k.hedged = of.denies(), of.hedged
		}
	}
}

// limit hedges what hangs on a condition, and what is limited by what follows on it.
func (c *Claim) limit() {
	for i, k := range c.clauses {
		if k.tail && k.scope && i > 0 && (!c.clauses[i-1].past || k.toks[0].roles&rBind != 0) {
			c.clauses[i-1].hedged = true
		}
		for j := range k.toks {
			if k.toks[j].roles&(rHedge|rScope) == rHedge|rScope { // if, unless
				for _, o := range c.clauses {
					o.hedged = true
				}
			}
		}
		if k.tail && k.scope && i+1 < len(c.clauses) && !k.past && k.toks[0].first && !c.clauses[i+1].tail {
			c.clauses[i+1].hedged = true
		}
	}
}

// collect gathers what the statement says, whatever the order of its words.
func (c *Claim) collect() {
	for _, k := range c.clauses {
		bind, bag, negs := "", []string(nil), 0
		if k.past && !k.tail || k.passive && k.toks[k.verb].roles&rWas != 0 {
			bag = append(bag, "<")
		}
		for i := range k.toks {
			x := &k.toks[i]
			c.corr = c.corr || x.roles&rCorr != 0
			c.dated = c.dated || x.roles&rRel != 0
			c.also = c.also || x.roles&rAlso != 0 && x.roles&rFree == 0 && !k.tail
			c.exact = c.exact || x.roles&rExact != 0
			if x.roles&rAlso != 0 {
				bag = append(bag, "+")
			}
			w := ""
			switch {
			case x.roles&rNeg != 0:
				negs++
				w = strings.Repeat("!", negs)
			case x.roles&rRel != 0:
				w = x.fold
			case k.passive && x.fold == "by":
				continue
			case x.roles&rBind != 0:
				bind = x.fold
				continue
			case x.roles&rUser != 0:
				w = "user"
			case x.roles&rSelf != 0:
				w = strings.Join(c.me, " ")
			case x.says():
				w = x.id
			case x.roles&rPrep != 0 && !common[x.fold]:
				w = x.fold
			default:
				continue
			}
			if x.kind == 'P' || x.kind == 'I' || typed(x.kind) {
				c.values = append(c.values, w)
			}
			w = strings.TrimPrefix(w, "^")
			if bind != "" {
				w, bind = bind+":"+w, ""
			}
			bag = append(bag, w)
		}
		slices.Sort(bag)
		if len(bag) > 0 {
			c.bags = append(c.bags, strings.Join(slices.Compact(bag), " "))
		}
	}
	slices.Sort(c.bags)
}

// common are prepositions whose choice changes nothing by itself.
var common = lexis.Set("of to in on at for as de en del im am an auf von vom zu a para")

func (c *Claim) makeFrames() []frame {
	var out []frame
	for _, k := range c.clauses {
		if k.tail || k.verb < 0 {
			continue
		}
		for i := range k.matches {
			m := &k.matches[i]
			if y := m.slot('Y'); m.kind == "stop" && !y.empty() {
				a, b := named(k.first(k.subj)), ids(k.toks[y.from:y.to], c.me)
				for _, of := range [...][2][]string{{a, b}, {b, a}} {
					out = append(out, frame{
						attr: "bond", subj: of[0], mate: of[1], val: k.toks[k.verb : k.verb+1], change: true, from: k,
						rest: ids(k.toks[m.to:], c.me),
					})
				}
			}
			if last := &k.toks[m.hit[len(m.hit)-1]]; m.attr == "" || last.roles&rRel != 0 && m.to < len(k.toks) &&
				!mark(k.toks[m.to].kind) && k.toks[m.to].kind != 'D' { // moved this week's meeting
				continue
			}
			f := frame{attr: m.attr, change: m.change, asks: m.asks, from: k, subj: k.subj, val: k.toks[m.slot('Y').from:m.slot('Y').to]}
			if m.turned {
				f.subj, f.val = topic(k.toks[m.slot('S').from:m.slot('S').to], c.me), k.toks[m.slot('Y').from:m.slot('Y').to]
				if len(f.val) == 0 {
					f.val = k.who
				}
				if len(f.val) == 0 {
					continue
				}
			}
			if len(f.val) == 0 {
				f.val = k.toks[m.hit[len(m.hit)-1] : m.hit[len(m.hit)-1]+1]
			}
			if f.attr == "bond" {
				f.val = k.toks[m.hit[max(0, len(m.hit)-1)]:m.to]
				if k.toks[m.hit[len(m.hit)-1]].roles&rPrep != 0 {
					f.val = k.toks[m.hit[len(m.hit)-2]:m.to]
				}
			}
			around := addIDs(ids(k.toks[:m.from], c.me), k.toks[m.to:], c.me)
			f.rest = without(without(around, append(ids(k.who, c.me), f.subj...)), ids(f.val, c.me))
			f.rest = slices.DeleteFunc(f.rest, k.isCue)
			f.among = k.several(f.val) || m.turned && k.several(k.toks[m.slot('S').from:m.slot('S').to])
			for i := m.to; i+1 < len(k.toks); i++ {
				if k.toks[i].roles&rDetail != 0 {
					for i++; i < len(k.toks) && k.toks[i].roles&rPrep == 0; i++ {
						f.detail = append(f.detail, k.toks[i].id)
					}
					i--
				}
			}
			out = append(out, f)
		}
		for i := 1; i+1 < len(k.who); i++ { // Alice's husband Tom is a pilot
			if k.who[i].roles&rMate != 0 && k.who[i+1].kind == 'P' {
				out = append(out, frame{attr: "bond", subj: topic(k.who[:i], c.me), val: k.who[i+1 : i+2], from: k, taken: true})
			}
		}
		if f, ok := c.plain(k); ok {
			f.among = k.several(f.val)
			out = append(out, f)
		}
	}
	return out
}

// plain reads "the deadline of Atlas is 3 March" and "Noor has her birthday on 4 March".
func (c *Claim) plain(k *clause) (frame, bool) {
	x := &k.toks[k.verb]
	in, val := k.who, k.object()
	if x.roles&rHave != 0 {
		in = val
		is := func(x tok) bool { return typed(x.kind) }
		of := slices.IndexFunc(val, func(x tok) bool { return ofs[x.fold] })
		switch {
		case of > 0 && slices.ContainsFunc(val[of:], is): // a budget of 40,000 euros
			in, val = val[:of], val[of+1:]
		case slices.ContainsFunc(val, is):
			return frame{}, false
		default:
			val = slices.DeleteFunc(slices.Clone(k.toks), func(x tok) bool { return !is(x) })
		}
	}
	at := slices.IndexFunc(in, func(x tok) bool { return x.one != 0 })
	owned := x.roles&rBe != 0 && at < 0 && slices.ContainsFunc(val, func(x tok) bool { return x.fold == "'s" || x.roles&rPoss != 0 })
	if owned { // Olivia is Marcus's manager
		at = slices.IndexFunc(val, func(x tok) bool { return x.one == 'P' })
		in, val = val, in
	}
	named := at < 0 && x.roles&rBe != 0 && len(k.subj) > 1 && len(val) > 0 && val[0].kind == 'P' // the main language of Atlas is Go
	for i := 0; i < len(in) && named && (at < 0 || in[i].roles&rPrep == 0); i++ {
		if in[i].kind == 0 && in[i].says() && in[i].roles&^(rGloss|rTopic) == 0 {
			at = i
		}
	}
	if at < 0 || len(val) == 0 || x.roles&(rBe|rNeutral|rHave) == 0 {
		return frame{}, false
	}
	noun := &in[at]
	if kinds := map[byte]string{'N': "N", 'V': "NI", 'D': "DWT", 'F': "DWT"}[noun.one]; kinds == "" {
		if x.roles&rHave != 0 || k.before(val).roles&rPrep != 0 { // the owner is on vacation
			return frame{}, false
		}
	} else if !slices.ContainsFunc(val, func(x tok) bool { return x.kind != 0 && strings.IndexByte(kinds, x.kind) >= 0 }) {
		return frame{}, false
	}
	subj := slices.DeleteFunc(slices.Clone(k.subj), func(w string) bool { return w == noun.id })
	if owned {
		subj = slices.DeleteFunc(topic(in, c.me), func(w string) bool { return w == noun.id })
	}
	rest := without(without(without(ids(k.toks, c.me), k.subj), subj), append(ids(val, c.me), noun.id))
	fresh := slices.ContainsFunc(k.who, func(x tok) bool { return x.roles&rFresh != 0 })
	rest = slices.DeleteFunc(rest, func(w string) bool { return slices.ContainsFunc(k.who, func(x tok) bool { return x.id == w }) })
	return frame{
		attr: "the " + noun.id, word: noun.fold, subj: subj, val: val, from: k, rest: rest, fixed: noun.one == 'F',
		change: fresh, asks: named,
	}, true
}

// Gives tells whether a statement says an attribute, such as name or home, of somebody who has these names.
func (c *Claim) Gives(attr string, names []string) bool {
	return slices.ContainsFunc(c.frames, func(f frame) bool {
		if f.attr != attr && f.attr != "the "+attr || f.from.hedged || f.from.neg || f.from.past && !f.change {
			return false
		}
		return slices.ContainsFunc(names, func(n string) bool {
			words := strings.Fields(strings.TrimPrefix(lexis.Fold(n), "the "))
			return slices.EqualFunc(f.subj, words, func(s, w string) bool {
				return strings.TrimPrefix(s, "^") == w || s == lexis.Stem(w)
			})
		})
	})
}

// attributes are what says who somebody is, in whatever form and under whatever heading.
var attributes = [...]string{"home", "job", "employer", "age", "birthday", "marital", "diet", "timezone"}

// Identifies tells whether a statement gives such an attribute of somebody who has these names.
func (c *Claim) Identifies(names []string) bool {
	return slices.ContainsFunc(attributes[:], func(a string) bool { return c.Gives(a, names) })
}

// Keys are the blocking keys of the claim: two claims whose Compare is not Unrelated share at least one. There are at most 24.
func (c *Claim) Keys() []string { return c.keys }

// OneAttribute tells a key that only claims about one attribute of one subject share.
func OneAttribute(key string) bool { return strings.HasPrefix(key, "f|") }

const maxKeys = 24

func (c *Claim) makeKeys() []string {
	var keys []string
	for _, f := range c.frames {
		subj := named(f.subj)
		slices.Sort(subj)
		keys = add(keys, "f|"+f.attr+"|"+strings.ReplaceAll(strings.Join(subj, " "), "^", ""))
	}
	for i := range c.toks {
		x := &c.toks[i]
		if len(keys) >= maxKeys {
			break
		}
		if x.says() && x.roles&(rUser|rSelf|rGeneric|rCue|rSign|rNeutral|rHedge|rNeg) == 0 {
			w := strings.TrimPrefix(x.id, "^")
			keys = add(keys, "w|"+w[:min(len(w), 5)])
		}
	}
	if len(keys) == 0 && c.fold != "" {
		whole := cmp.Or(strings.Join(c.bags, " "), c.fold)
		keys = append(keys, "t|"+whole[:min(len(whole), 64)])
	}
	return keys
}
