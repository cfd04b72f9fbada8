package navigate

import (
	"bytes"
	"cmp"
	"iter"
	"slices"
	"strings"

	claims "github.com/reverie-memory/reverie/dream/claim"
	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/trust"
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

// maxClaim bounds a claim, in runes.
const maxClaim = 300

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
	Layout vault.Layout
	Pages  iter.Seq[PageInfo]
	Open   []Question
	Owner  string    // name of the vault's owner; "": only a page called "The user" is known to be the owner's
	Today  vault.Day // for the weight of dates
	// Forgotten tells whether a text was forgotten: a claim is not put into such words. nil: nothing was.
	Forgotten func(text string) bool
	MaxLines  int // 0: MemoryLines
}

func (in MemoryInput) lines() int {
	if in.MaxLines <= 0 {
		return MemoryLines
	}
	return in.MaxLines
}

// The parts of MEMORY.md, in their order.
const (
	partYou = iota
	partNow
	partPreferences
	partPeople
	partDecisions
	partKnown
)

var partNames = [...]string{"About you", "Now", "Preferences", "People", "Decisions", "Also asked for"}

// A memoryClaim is a claim of MEMORY.md.
type memoryClaim struct {
	part, class int // class: its place within the part
	score       int
	at          vault.Day
	path        vault.Path
	title, text string
	yours       bool // of the owner's page
	source      page.Source
	label       string // whose words it is
}

// byRank puts the claims first that matter most. byRank is a total order, so that the result depends on nothing else.
func byRank(a, b memoryClaim) int {
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.at, a.at), cmp.Compare(a.part, b.part), cmp.Compare(a.path, b.path),
		cmp.Compare(a.text, b.text), cmp.Compare(a.title, b.title), cmp.Compare(a.class, b.class))
}

// MergeMemory brings MEMORY.md together with a person's edits, within the limits: ours gives way. generated is the base of the
// next time; a nil base is the template's file, and nil theirs one that is gone: it is written anew. Only where the person's own
// text is longer than the limits is merged longer too.
func MergeMemory(base, theirs []byte, in MemoryInput) (merged, generated []byte, clashes []Clash) {
	switch {
	case theirs == nil:
		base = nil
	case base == nil:
		base = []byte(EmptyMemory)
	}
	c := collect(in)
	for limit := in.lines(); ; {
		generated = c.render(limit)
		merged, clashes = Merge(base, theirs, generated)
		over := max(len(splitText(merged).lines)-in.lines(), (len(merged)-MemoryBytes+maxClaim-1)/maxClaim)
		if over <= 0 || limit <= 1 {
			return merged, generated, clashes
		}
		limit = max(1, min(limit, len(splitText(generated).lines))-over)
	}
}

// A collector keeps the best claims and little else, however many pages there are.
type collector struct {
	in    MemoryInput
	keep  int
	floor int // score of the last that is kept: what has less need not be looked at
	list  []memoryClaim
	names names
	you   *person // the owner, as far as one is known
}

// A person is a page that may be the owner's.
type person struct {
	count     int
	path      vault.Path
	title     string
	you, they []memoryClaim // its claims, should it be the owner's, or not
	main      bool          // much is known of them
	part      bool          // an overflow page
	yours     bool          // one of the owner's
}

func collect(in MemoryInput) *collector {
	c := &collector{in: in, keep: in.lines(), names: newNames()}
	c.names.add(in.Layout.At(ConflictsPath))
	if in.Pages != nil {
		for p := range in.Pages {
			c.page(p)
		}
	}
	if c.you != nil {
		c.list = append(c.list, c.you.you...)
	}
	for _, q := range in.Open {
		c.question(q)
	}
	c.trim(0)
	return c
}

// trim keeps the best, once more than slack are there.
func (c *collector) trim(slack int) {
	if len(c.list) > slack {
		slices.SortFunc(c.list, byRank)
		c.list = c.list[:min(len(c.list), c.keep)]
		if len(c.list) == c.keep {
			c.floor = c.list[c.keep-1].score
		}
	}
}

// offer words a claim and adds it to list where it can still get into MEMORY.md.
func (c *collector) offer(list []memoryClaim, t memoryClaim, l Line, aliases []string) []memoryClaim {
	if t.score < max(minScore, c.floor) || trust.Bar(trust.Said{Text: l.Text}, trust.Memory) != "" {
		return list
	}
	switch {
	case l.Task:
		t.text = "To do: " + claim(unpictured(l.Text))
	case t.yours: // says "you" by leaving the name out
		t.text = upperFirst(phrase(l, append([]string{t.title}, aliases...)))
		t.text = strings.TrimPrefix(t.text, t.title+": ") // "Alice: Ich wohne in Berlin"
		if c.in.Forgotten != nil && c.in.Forgotten(t.title+" "+t.text) {
			t.text = upperFirst(claim(unpictured(l.Text)))
		}
		if strings.HasPrefix(t.text, "Lives in ") && l.At != "" && !strings.Contains(l.Text, " lives in ") { // "moved to" was news that day
			t.text += " since " + longDay(l.At)
		}
	default:
		t.text = upperFirst(claim(unpictured(l.Text)))
	}
	if len(l.Sources) > 0 {
		t.source, t.label = l.Sources[0], l.Label
	}
	return append(list, t)
}

func (c *collector) page(p PageInfo) {
	if c.in.Layout.Name(p.Path) != ConflictsPath {
		c.names.add(p.Path)
	}
	zone, _ := zoneOf(c.in.Layout, p.Path)
	if zone == "0_Inbox" || zone == "4_Assets" || zone == "5_Archives" {
		return
	}
	one := person{path: p.Path, title: cmp.Or(p.Title, baseName(p.Path))}
	personal := zone == "3_Personal"
	names := namesOf(p, one.title, personal)
	part := "" // what an overflow page holds; its headings are months
	if owner, what, ok := strings.Cut(one.title, " - "); ok && personal && p.Type == "topic" {
		part, one.part = what, true
		one.main = true
		one.yours = strings.EqualFold(owner, theUser) || c.in.Owner != "" && strings.EqualFold(owner, c.in.Owner)
	}
	human := personal && (p.Type == "" || strings.EqualFold(p.Type, "person") || part != "")
	one.main = one.main || human && len(p.Lines) >= c.mainFrom()
	for _, l := range p.Lines {
		l.Section = cmp.Or(part, l.Section)
		if !l.Trusted || l.Done || strings.TrimSpace(l.Text) == "" {
			continue
		}
		one.count++
		if human {
			t := c.ofYou(l, &one, names)
			t.score -= c.less(l, names, personal, true, one.main)
			one.you = c.offer(one.you, t, l, names[1:])
		}
		t := c.ofPage(l, &one, zone, human, names)
		t.score -= c.less(l, names, personal, false, one.main && human)
		one.they = c.offer(one.they, t, l, nil)
	}
	slices.SortFunc(one.you, byRank)
	slices.SortFunc(one.they, byRank)
	most := mostOf
	switch {
	case one.part:
		most = mostPart
	case one.main:
		most = mostMain
	}
	one.you, one.they = fewer(one.you, most), fewer(one.they, most)
	if one.yours {
		c.list = append(c.list, one.you...)
	} else if !human || one.part || !named(p, theUser) && (c.in.Owner == "" || !named(p, c.in.Owner)) {
		c.list = append(c.list, one.they...)
	} else if c.you == nil || one.before(c.you) {
		if c.you != nil {
			c.list = append(c.list, c.you.they...)
		}
		c.you = &one
	} else {
		c.list = append(c.list, one.they...)
	}
	c.trim(8 * c.keep)
}

// theUser is the title of the page of an owner without a name.
const theUser = "The user"

func (p *person) before(q *person) bool {
	return cmp.Or(cmp.Compare(q.count, p.count), cmp.Compare(p.title, q.title), cmp.Compare(p.path, q.path)) < 0
}

func named(p PageInfo, owner string) bool {
	return strings.EqualFold(p.Title, owner) || strings.EqualFold(baseName(p.Path), owner) ||
		slices.ContainsFunc(p.Aliases, func(a string) bool { return strings.EqualFold(a, owner) })
}

// weigh is a claim without its text.
func (c *collector) weigh(l Line, p *person) memoryClaim {
	t := memoryClaim{at: l.At, path: p.path, title: p.title, score: recency(l.At, c.in.Today) + recalled(l.Reads)}
	if l.Task {
		t.part, t.class = partNow, 1
		t.score += scoreTask + urgency(l, c.in.Today)
	}
	return t
}

// ofYou is a line of the owner's page.
func (c *collector) ofYou(l Line, p *person, names []string) memoryClaim {
	t := c.weigh(l, p)
	t.yours = true
	if l.Task {
		return t
	}
	what, topic := claims.Parse(l.Text, p.title, l.At), topicOf(l.Section)
	switch {
	case what.Gives("name", names):
		t.class, t.score = -1, scoreName
	case topic == health:
		t.score += scoreHealth
	case what.Gives("home", names):
		t.score = scoreHome + recalled(l.Reads)
	case topic == preference:
		t.part = partPreferences
		t.score += scorePrefer
	case topic == decision, topic == about:
		t.score += scoreYou
	default:
		t.score += scoreYours
	}
	return t
}

// ofPage is a line of any other page.
func (c *collector) ofPage(l Line, p *person, zone string, human bool, names []string) memoryClaim {
	t := c.weigh(l, p)
	topic := topicOf(l.Section)
	switch {
	case l.Task:
	case zone == "1_Projects" && topic == decision:
		t.part, t.score = partNow, t.score+scoreProject
	case zone == "1_Projects":
		t.part, t.score = partNow, t.score+scorePlain
	case topic == preference && !human:
		t.part, t.score = partPreferences, t.score+scorePrefer
	case human && topic == health, human && topic == about:
		t.part, t.score = partPeople, t.score+scoreOthers
	case human && p.main && lastingOf(l, names):
		t.part, t.score = partPeople, t.score+scoreMain
	case human:
		t.part, t.score = partPeople, t.score+scorePlain
	case topic == decision:
		t.part, t.score = partDecisions, t.score+scoreDecision
	default:
		t.part, t.score = partKnown, t.score+scorePlain
	}
	return t
}

func (c *collector) question(q Question) {
	text := questionText(q)
	if !q.Trusted || text == "" || !isName(q.Page) ||
		trust.Bar(trust.Said{Text: q.Text + " " + strings.Join(q.Options, " ")}, trust.Memory) != "" {
		return
	}
	c.list = append(c.list, memoryClaim{
		part: partNow, class: 2, score: scoreQuestion + recency(q.At, c.in.Today), at: q.At, path: c.in.Layout.At(ConflictsPath),
		title: "Conflicts", text: "Open question: " + text,
	})
}

// render writes the claims of the highest rank that fit.
func (c *collector) render(maxLines int) []byte {
	if len(c.list) == 0 && maxLines >= strings.Count(EmptyMemory, "\n") {
		return []byte(EmptyMemory)
	}
	const head = "# Memory\n"
	lines, size := 1, len(head)
	var parts [len(partNames)][]memoryClaim
	said := map[string]bool{}
	for _, t := range c.list {
		key := strings.ToLower(t.text)
		if said[key] {
			continue
		}
		n, bytes := 1, len(c.claim(t))
		if len(parts[t.part]) == 0 {
			n, bytes = n+2, bytes+len("\n## \n")+len(partNames[t.part])
		}
		if lines+n > maxLines || size+bytes > MemoryBytes {
			break
		}
		lines, size = lines+n, size+bytes
		said[key] = true
		parts[t.part] = append(parts[t.part], t)
	}
	var b bytes.Buffer
	b.WriteString(head)
	for i, list := range parts {
		if len(list) == 0 {
			continue
		}
		b.WriteString("\n## " + partNames[i] + "\n")
		slices.SortStableFunc(list, func(a, b memoryClaim) int { return cmp.Compare(a.class, b.class) })
		for _, t := range list {
			b.WriteString(c.claim(t))
		}
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
	text = strings.TrimRight(claim(cut(text, maxClaim)), ".")
	line := "- " + text
	if link := c.names.link(t.path, cut(t.title, 80)); link != "" {
		line += " (" + link + ")"
	}
	if t.source.ID != "" { // two pairs of brackets: where links to lines stand alone, programs know them for sources
		line += " (" + string(page.LabelSources([]byte(t.source.Link()), t.label, []page.Source{t.source})) + ")"
	}
	return line + "\n"
}
