package navigate

import (
	"bytes"
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	claims "github.com/reverie-memory/reverie/dream/claim"
	"github.com/reverie-memory/reverie/dream/merge"
	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/dream/start"
	"github.com/reverie-memory/reverie/vault"
)

// The limits of MEMORY.md.
const (
	MemoryLines = 200
	MemoryBytes = 25000
)

// EmptyMemory is MEMORY.md where nothing is known: the file of the template.
const EmptyMemory = `# Memory

%% The short page that an assistant always sees. Nothing is known yet: it is filled by the first dream. %%
`

// maxClaim bounds a claim, in runes. What a dream writes of somebody's words is shorter: they are not cut in mid-sentence.
const maxClaim = 420

// A Question is an open conflict.
type Question struct {
	Page    string   // title of the page
	Text    string   // "When is Noor's birthday?"
	Options []string // "4 March", "14 March"
	Trusted bool     // a person said both sides; else it is left out
	At      vault.Day
}

// MemoryInput is what MEMORY.md is made from. The order of pages and questions makes no difference.
type MemoryInput struct {
	Layout   vault.Layout
	Pages    iter.Seq[PageInfo]
	Open     []Question
	Owner    string    // name of the vault's owner; "": only a page called "The user" is known to be the owner's
	Today    vault.Day // the last day of which anything is known: what is due is due from then on
	MaxLines int       // 0: MemoryLines
}

func (in MemoryInput) lines() int {
	if in.MaxLines <= 0 {
		return MemoryLines
	}
	return in.MaxLines
}

// The parts of MEMORY.md, in their order.
const (
	partName = iota // under the heading of the next
	partYou
	partWishes
	partPeople
	partProjects
	partNow
	parts
)

var partNames = [parts]string{"About you", "About you", "Preferences", "People", "Projects", "Now"}

// most is how many claims of a part there are of one page with its overflow pages.
var most = [parts]int{1, 16, 12, 3, 3, 8}

// mostAlone is how many there are of one person where nobody in the vault is "you".
const mostAlone = 8

// A memoryClaim is a claim of MEMORY.md.
type memoryClaim struct {
	part  int
	worth float64
	seen  start.Sight
	at    vault.Day
	path  vault.Path
	title string
	of    string        // whose page it is, overflow pages among them
	text  string        // as MEMORY.md says it
	lines []Line        // that it was made from
	said  *claims.Claim // under one name of whose it is
	terms map[string]bool
	words []string // those of terms, as they follow one another
	only  string   // what somebody has one of, where it tells that

	messages []string // the longer ones that a quotation joins
}

// byRank puts the claims first that matter most. byRank is a total order, so that the result depends on nothing else.
func byRank(a, b memoryClaim) int {
	return cmp.Or(cmp.Compare(b.worth, a.worth), cmp.Compare(a.part, b.part), cmp.Compare(b.at, a.at),
		cmp.Compare(a.path, b.path), cmp.Compare(a.text, b.text), cmp.Compare(a.title, b.title))
}

// MergeMemory brings MEMORY.md together with a person's edits, within the limits: ours gives way. generated is the base of the
// next time; a nil base is the template's file, and nil theirs one that is gone: it is written anew. Only where the person's own
// text is longer than the limits is merged longer too.
func MergeMemory(base, theirs []byte, in MemoryInput) (merged, generated []byte, clashes []merge.Clash) {
	switch {
	case theirs == nil:
		base = nil
	case base == nil:
		base = []byte(EmptyMemory)
	}
	c := collect(in)
	for limit := in.lines(); ; {
		generated = c.render(limit)
		merged, clashes = merge.Merge(base, theirs, generated)
		over := max(len(merge.Split(merged).Lines)-in.lines(), (len(merged)-MemoryBytes+maxClaim-1)/maxClaim)
		if over <= 0 || limit <= 1 {
			return merged, generated, clashes
		}
		limit = max(1, min(limit, len(merge.Split(generated).Lines))-over)
	}
}

// A collector keeps the best claims and little else, however many pages there are.
type collector struct {
	in    MemoryInput
	list  []memoryClaim
	names names
	owner bool // a page of the owner's was seen
}

func collect(in MemoryInput) *collector {
	c := &collector{in: in, names: newNames()}
	c.names.add(in.Layout.At(vault.ConflictsPath))
	if in.Pages != nil {
		for p := range in.Pages {
			c.page(p)
		}
	}
	for _, q := range in.Open {
		c.question(q)
	}
	c.spread()
	return c
}

// spread leaves out what is over, and what is below the bar once it is known what was said later; while the page is short, a few of each
// person may be below it.
func (c *collector) spread() {
	list := standing(slices.Clone(c.list))
	saidAgain(list)
	slices.SortFunc(list, byRank)
	of, kept := map[string]int{}, 0
	c.list = slices.DeleteFunc(list, func(t memoryClaim) bool { // the best come first
		someone := t.part == partYou || t.part == partPeople
		if t.worth < 0 && (t.worth < even || !someone || kept >= shortPage || of[t.of] >= few) {
			return true
		}
		of[t.of]++
		kept++
		return false
	})
	c.list = c.list[:min(len(c.list), c.in.lines())]
}

// theUser is the title of the page of an owner without a name.
const theUser = "The user"

func (c *collector) owners() []string { return []string{theUser, "User", cmp.Or(c.in.Owner, theUser)} }

func (c *collector) owns(names ...string) bool {
	return slices.ContainsFunc(names, func(n string) bool {
		return slices.ContainsFunc(c.owners(), func(o string) bool { return strings.EqualFold(n, o) })
	})
}

func (c *collector) page(p PageInfo) {
	if c.in.Layout.Name(p.Path) != vault.ConflictsPath {
		c.names.add(p.Path)
	}
	zone, _ := zoneOf(c.in.Layout, p.Path)
	if zone == vault.Inbox || zone == vault.Assets || zone == vault.Archives {
		return
	}
	at := memoryClaim{path: p.Path, title: cmp.Or(p.Title, baseName(p.Path))}
	at.of = at.title
	part := "" // what an overflow page holds; its headings are months
	if owner, what, ok := strings.Cut(at.title, " - "); ok && p.Type == "topic" {
		at.of, part = owner, what
	}
	human := zone == vault.Personal && (p.Type == "" || strings.EqualFold(p.Type, "person") || part != "")
	yours := human && c.owns(append([]string{at.of, baseName(p.Path)}, p.Aliases...)...)
	names := namesOf(p, at.title, human)
	if yours {
		c.owner, at.of = true, theUser
	}
	var list []memoryClaim
	lines := slices.DeleteFunc(slices.Clone(p.Lines), func(l Line) bool {
		return !l.Trusted || l.Done || strings.TrimSpace(l.Text) == "" || l.Section == "Parts" || bars(l.Text, false)
	})
	var told []Line
	if zone == vault.Projects && part == "" {
		if t, ok := c.project(at, lines, names); ok {
			list, told = append(list, t), t.lines
		}
	}
	for _, l := range lines {
		l.Section = cmp.Or(part, l.Section)
		t := c.statement(at, l, names, human, yours)
		if t.part == partName || !slices.ContainsFunc(told, func(x Line) bool { return x.Text == l.Text }) {
			list = append(list, t)
		}
	}
	list = slices.DeleteFunc(standing(list), func(t memoryClaim) bool { return t.worth < least })
	slices.SortFunc(list, byRank)
	c.list = append(c.list, list[:min(len(list), usual)]...)
	if len(c.list) > 8*c.in.lines() {
		slices.SortFunc(c.list, byRank)
		c.list = c.list[:c.in.lines()]
	}
}

// statement makes a claim of a statement. t says of which page.
func (c *collector) statement(t memoryClaim, l Line, names []string, human, yours bool) memoryClaim {
	r := read(l.Text, names)
	t.at, t.lines = l.At, []Line{l}
	plain, text := l.Text, l.Text
	if t.part, t.worth, t.seen = c.judge(l, r, names, human, yours); t.worth >= least && len(l.Sources) > 0 {
		text = start.Trim(text)
	}
	t.text = claim(text)
	switch of := read(l.Text, c.owners()); {
	case yours && r.about && !l.Task: // says "you" by leaving the name out
		t.text = phrase(text, names)
		plain = theUser + map[bool]string{true: "'s ", false: " "}[r.owns] + r.rest
	case !human && of.about && of.names(): // who they are was said of what they make
		t.part, t.worth, t.of, r = partName, certain+1, theUser, of
	case !yours && of.about && of.owns:
		plain = theUser + "'s " + of.rest
	}
	if t.part == partName && r.names() { // without what they are at
		t.text = strings.TrimPrefix(r.pred, "is ")
		for _, joint := range []string{", and ", ", but ", ", so "} {
			t.text, _, _ = strings.Cut(t.text, joint)
		}
		t.text = claim(strings.TrimRight(t.text, `"`))
	}
	t.text = upperFirst(t.text)
	if _, _, quoted := vault.CutQuote(t.text); l.Task && !quoted { // what somebody says shows that it is to be done
		t.text = "To do: " + t.text
	}
	if name, words, quoted := vault.CutTalk(l.Text); quoted && c.owns(name) { // they are one in all claims
		plain = vault.Quote(theUser, words)
	}
	t.said = claims.Parse(plain, t.of, t.at)
	t.terms, t.words = termsOf(plain)
	t.messages = messagesOf(plain)
	if m := only().FindStringSubmatch(r.pred); m != nil && r.about && !r.owns {
		t.only = m[1] + m[2]
	}
	return t
}

// project is the line of a project: what it is and how it stands.
func (c *collector) project(t memoryClaim, lines []Line, names []string) (memoryClaim, bool) {
	lines = slices.DeleteFunc(slices.Clone(lines), func(l Line) bool { return l.Task })
	own := slices.DeleteFunc(slices.Clone(lines), func(l Line) bool { return !read(l.Text, names).about && !Defines(l.Text, names) })
	said, used := summary(own, 3, maxClaim-utf8.RuneCountInString(t.title)-2, names)
	if len(used) == 0 { // nobody said what it is: whoever spoke of it first may have
		lines = slices.DeleteFunc(lines, func(l Line) bool { return !strings.Contains(strings.ToLower(l.Text), strings.ToLower(t.title)) })
		if len(lines) == 0 {
			return t, false
		}
		used = []Line{slices.MinFunc(lines, func(a, b Line) int { return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Text, b.Text)) })}
		said = claim(used[0].Text)
	}
	for _, l := range lines {
		t.at = max(t.at, l.At)
	}
	t.part, t.lines, t.text, t.worth = partProjects, used, t.title+": "+said, sure-c.age(t.at)/18
	return t, true
}

func (c *collector) question(q Question) {
	text := questionText(q)
	if !q.Trusted || text == "" || !isName(q.Page) || bars(q.Text+" "+strings.Join(q.Options, " "), false) {
		return
	}
	c.list = append(c.list, memoryClaim{
		part: partNow, worth: sure - 0.5 - min(2, c.age(q.At)/50), at: q.At, path: c.in.Layout.At(vault.ConflictsPath),
		title: "Conflicts", text: "Open question: " + text,
	})
}

// questionText puts a question and its options into one line.
func questionText(q Question) string {
	text := cmp.Or(claim(q.Text), q.Page+":")
	var options []string
	for _, o := range q.Options {
		if o = strings.TrimRight(cut(claim(o), 80), "."); o != "" && !slices.Contains(options, o) {
			options = append(options, o)
		}
	}
	if len(options) < 2 {
		return claim(q.Text)
	}
	return text + " " + strings.Join(options, " or ")
}

// chosen are the claims to be written, best first.
func (c *collector) chosen(maxLines int) []memoryClaim {
	lines, size := 1, len("# Memory\n")
	var out []memoryClaim
	count, heads := map[string]int{}, map[string]bool{}
	for _, t := range c.list {
		limit := most[t.part]
		if !c.owner && t.part == partPeople {
			limit = mostAlone
		}
		key := fmt.Sprint(t.part, t.of)
		if count[key] >= limit || lines >= usual && t.worth < wellAbove {
			continue
		}
		if slices.ContainsFunc(out, t.covered) {
			continue
		}
		if i := slices.IndexFunc(out, t.ends); i >= 0 {
			size += len(c.claim(t)) - len(c.claim(out[i]))
			out[i] = t
			continue
		}
		n, bytes := 1, len(c.claim(t))
		if !heads[partNames[t.part]] {
			n, bytes = n+2, bytes+len("\n## \n")+len(partNames[t.part])
		}
		if lines+n > maxLines || size+bytes > MemoryBytes {
			break
		}
		lines, size, heads[partNames[t.part]] = lines+n, size+bytes, true
		count[key]++
		out = append(out, t)
	}
	return out
}

// ends tells whether this claim is newer than a better one that it ends, or of which it says some in nearly the same words and some
// otherwise, and so takes its place.
func (t memoryClaim) ends(better memoryClaim) bool {
	return t.of == better.of && t.part == better.part && t.said != nil && better.said != nil && t.at > better.at &&
		(claims.Compare(better.said, t.said) != claims.Unrelated || t.part != partWishes && t.repeats(better))
}

// covered tells whether a better claim leaves no room for this one: it is in the same words or nearly, says the same, joins one of the
// same messages, or is not older and ends it.
func (t memoryClaim) covered(better memoryClaim) bool {
	if strings.EqualFold(t.text, better.text) || t.joins(better) {
		return true
	}
	if t.of != better.of || t.said == nil || better.said == nil {
		return false
	}
	if t.at > better.at {
		if rel := claims.Compare(better.said, t.said); rel != claims.Unrelated {
			return rel == claims.Duplicate || rel == claims.Narrower
		}
	} else if claims.Compare(t.said, better.said) != claims.Unrelated {
		return true
	}
	return t.part == better.part && t.part != partWishes && t.repeats(better) && (t.at <= better.at || t.only != "" || !t.adds(better))
}

// render writes the claims of the highest rank that fit.
func (c *collector) render(maxLines int) []byte {
	if len(c.list) == 0 && maxLines >= strings.Count(EmptyMemory, "\n") {
		return []byte(EmptyMemory)
	}
	list := c.chosen(maxLines)
	slices.SortStableFunc(list, func(a, b memoryClaim) int { return cmp.Compare(a.part, b.part) })
	var b bytes.Buffer
	b.WriteString("# Memory\n")
	head := ""
	for _, t := range list {
		if head != partNames[t.part] {
			head = partNames[t.part]
			b.WriteString("\n## " + head + "\n")
		}
		b.WriteString(c.claim(t))
	}
	return b.Bytes()
}

func (c *collector) claim(t memoryClaim) string {
	text := t.text
	for _, mark := range []string{"[[", "]]"} { // half a link would swallow the one that follows
		for strings.Contains(text, mark) {
			text = strings.ReplaceAll(text, mark, "")
		}
	}
	line := "- " + strings.TrimRight(claim(cut(text, maxClaim)), ".")
	if link := c.names.link(t.path, cut(t.title, 80)); link != "" {
		line += " (" + link + ")"
	}
	var links []string
	for _, l := range t.lines {
		if len(l.Sources) > 0 {
			src := l.Sources[:1]
			links = append(links, string(page.LabelSources([]byte(src[0].Link()), l.Label, src)))
		}
	}
	if len(links) > 0 { // two pairs of brackets: where links to lines stand alone, programs know them for sources
		line += " (" + strings.Join(links, ", ") + ")"
	}
	return line + "\n"
}
