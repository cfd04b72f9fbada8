package recall

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/extract"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/trust"
)

// Sizes of a context, in characters.
const (
	DefaultBudget = 14000
	MaxBudget     = 100000

	identitySize  = 400
	essentialSize = 2000
	essentialRows = 15
	essentialClip = 200
	demandSize    = 1200
	demandRows    = 10
	demandClip    = 300
	searchSize    = 14000
	searchRows    = 20
)

// essentialScan is how many of the newest facts stand for election to the essential ones.
const essentialScan = 400

// A ContextRequest asks for a block of memory to put before a conversation.
type ContextRequest struct {
	Query      string // "" for no search
	Wing, Room string
	Agent      string // whose diary may be quoted; "" for nobody's
	Budget     int    // characters of the whole text; 0 is DefaultBudget

	// Core blocks, as they are in the vault.
	Persona, User, Memory string
}

// A ContextResult is a block of memory. Text is fenced as data and not longer than the budget.
type ContextResult struct {
	Text     string
	Layers   map[string]string // L0 identity, L1 essential, L2 wing and room, L3 search; "core" for the core blocks
	Receipt  string
	Degraded []string
}

// Context gathers what a conversation should know and composes it.
func (s *Searcher) Context(ctx context.Context, req ContextRequest) (ContextResult, error) {
	m := Material{Persona: req.Persona, User: req.User, Memory: req.Memory, Budget: req.Budget}
	out := ContextResult{}
	if strings.TrimSpace(req.Query) != "" {
		res, err := s.Search(ctx, Query{Text: req.Query, K: searchRows, Filter: catalog.Filter{Wing: req.Wing, Room: req.Room}, DryRun: true})
		if err != nil {
			return ContextResult{}, err
		}
		for _, h := range res.Hits {
			m.Found = append(m.Found, h.Row)
		}
		out.Degraded = res.Degraded
	}
	var err error
	if m.Essential, err = s.essential(ctx, req.Wing); err != nil {
		return ContextResult{}, fmt.Errorf("choosing essential facts: %w", err)
	}
	if req.Wing != "" || req.Room != "" {
		rows, err := s.Index.List(ctx, catalog.Filter{Wing: req.Wing, Room: req.Room}, 4*demandRows, 0)
		if err != nil {
			return ContextResult{}, fmt.Errorf("listing wing and room: %w", err)
		}
		m.Demanded = rows
	}
	m.Found, m.Demanded = s.shown(m.Found, req.Agent), s.shown(m.Demanded, req.Agent)
	var used []string
	out.Text, out.Layers, used = m.Compose()
	out.Receipt = newReceipt()
	if s.Sink != nil {
		s.Sink.Record(Record{
			Time: s.now().UTC(), QueryHash: QueryHash(req.Query), Receipt: out.Receipt, Rows: used,
			Snippet: clip(oneLine(out.Layers["L3"]), 120),
		})
	}
	return out, nil
}

// essential are the facts that matter without a question: the newest of the weightiest kinds. What others said is not among them, nor what
// tells assistants what to do in other words than the person's own.
func (s *Searcher) essential(ctx context.Context, wing string) ([]catalog.Row, error) {
	rows, err := s.Index.List(ctx, catalog.Filter{Source: []catalog.SourceType{catalog.ArchiveLog}, Wing: wing}, essentialScan, 0)
	if err != nil {
		return nil, err
	}
	rows = s.shown(rows, "")
	var said trust.Votes
	for i := range rows {
		said.Hear(rows[i].Speaker, rows[i].Origin)
	}
	owner := said.Owner()
	rows = slices.DeleteFunc(rows, func(r catalog.Row) bool { return !trust.Admits(r.Text, r.Origin, r.Speaker, owner) })
	slices.SortStableFunc(rows, func(a, b catalog.Row) int { return cmp.Compare(weight(b.Category), weight(a.Category)) })
	return rows[:min(essentialRows, len(rows))], nil
}

func weight(category string) int {
	switch category {
	case extract.Preference, extract.Decision, extract.Milestone:
		return 3
	case extract.Problem, extract.Task:
		return 2
	case extract.General, extract.Emotional:
		return 1
	}
	return 2 // a category that a person or a model chose
}

// shown leaves out what was forgotten and the diaries of other agents.
func (s *Searcher) shown(rows []catalog.Row, agent string) []catalog.Row {
	return slices.DeleteFunc(slices.Clone(rows), func(r catalog.Row) bool {
		return r.Source == catalog.Diary && (agent == "" || r.Agent != agent) || s.Forgotten != nil && s.Forgotten(r.Text)
	})
}

// Material is what a context is composed of. Rows come best first.
type Material struct {
	Persona, User, Memory      string
	Essential, Demanded, Found []catalog.Row
	Budget                     int
}

// Compose cuts the material to its budget and fences it; what is cut and counted is the escaped text. It returns the text, its layers and
// the ids of the rows that it quotes. It depends on the material alone.
func (m *Material) Compose() (text string, layers map[string]string, used []string) {
	budget := min(cmp.Or(m.Budget, DefaultBudget), MaxBudget)
	left := budget - len(extract.FenceOpen) - len(extract.FenceClose) - 2
	seen := map[string]bool{}
	take := func(limit int, title, body string) string {
		body = strings.TrimSpace(body)
		room := min(limit, left-width(title)-6) // "## ", line ends
		if body == "" || room < 40 {
			return ""
		}
		body = clipLines(body, room)
		left -= width(title) + 6 + width(body)
		return body
	}

	// What the question asks for comes before what is always there: two fifths are kept for it.
	search := 0
	if len(m.Found) > 0 {
		search = left * 2 / 5
	}
	demand := 0
	if len(m.Demanded) > 0 {
		demand = min(demandSize, left/6)
	}
	left -= search + demand
	layers = map[string]string{}
	layers["L0"] = take(identitySize, titleIdentity, m.Persona)
	user := take(left, titleUser, m.User)
	memory := take(left, titleMemory, m.Memory)
	layers["core"] = joinParts(user, memory)
	left += search
	foundRoom := min(searchSize, max(search, left-essentialSize))
	layers["L3"] = take(foundRoom, titleFound, entries(m.Found, min(foundRoom, left-width(titleFound)-6), 0, seen, &used))
	layers["L1"] = take(essentialSize, titleEssential, byRoom(m.Essential, min(essentialSize, left), seen, &used))
	left += demand
	layers["L2"] = take(demandSize, titleDemanded, entries(firstRows(m.Demanded, demandRows), min(demandSize, left), demandClip, seen, &used))

	var b strings.Builder
	for _, part := range []struct{ title, body string }{
		{titleIdentity, layers["L0"]},
		{titleUser, user},
		{titleMemory, memory},
		{titleEssential, layers["L1"]},
		{titleDemanded, layers["L2"]},
		{titleFound, layers["L3"]},
	} {
		if part.body != "" {
			fmt.Fprintf(&b, "## %s\n%s\n\n", part.title, part.body)
		}
	}
	for name, layer := range layers {
		layers[name] = extract.Escape(layer) // as in the text
	}
	if b.Len() == 0 {
		return "", layers, used
	}
	return extract.Fence(b.String()), layers, used
}

// Titles of the parts of a context.
const (
	titleIdentity  = "Identity"
	titleUser      = "About the user"
	titleMemory    = "Memory"
	titleEssential = "Essential"
	titleDemanded  = "Here"
	titleFound     = "Found for this question"
)

const moreInSearch = "… (more in L3 search)"

// entries lists rows until they are longer than size. A clip of 0 quotes whole texts.
func entries(rows []catalog.Row, size, clipAt int, seen map[string]bool, used *[]string) string {
	var b strings.Builder
	n := 0
	for i := range rows {
		r := &rows[i]
		if seen[same(r)] {
			continue
		}
		text := strings.ReplaceAll(strings.TrimSpace(r.Text), "\n", "\n  ") // inside the list item
		if clipAt > 0 {
			text = clip(oneLine(text), clipAt)
		}
		line := "- " + head(r) + text + "\n"
		if n += width(line); n > size && b.Len() > 0 {
			break
		}
		b.WriteString(line)
		seen[same(r)] = true
		*used = append(*used, r.ID)
	}
	return b.String()
}

// byRoom lists rows under their wing and room, in the order in which the rooms first come up.
func byRoom(rows []catalog.Row, size int, seen map[string]bool, used *[]string) string {
	type roomRows struct {
		name string
		rows []catalog.Row
	}
	var rooms []roomRows
	for _, r := range rows {
		name := place(&r)
		i := slices.IndexFunc(rooms, func(x roomRows) bool { return x.name == name })
		if i < 0 {
			i = len(rooms)
			rooms = append(rooms, roomRows{name: name})
		}
		rooms[i].rows = append(rooms[i].rows, r)
	}
	var b strings.Builder
	n := width(moreInSearch)
	for _, room := range rooms {
		title := ""
		if room.name != "" {
			title = "[" + room.name + "]\n"
		}
		for i := range room.rows {
			r := &room.rows[i]
			if seen[same(r)] {
				continue
			}
			line := title + "- " + bracketed(when(r), trust.Label(r.Origin)) + clip(oneLine(r.Text), essentialClip) + "\n"
			if n += width(line); n > size {
				return b.String() + moreInSearch
			}
			title = ""
			b.WriteString(line)
			seen[same(r)] = true
			*used = append(*used, r.ID)
		}
	}
	return b.String()
}

// same names what a row tells: its drawer where it has one.
func same(r *catalog.Row) string { return cmp.Or(r.Drawer, r.ID) }

// head says when, by whom and where a row was said. What bears no origin are the person's own words.
func head(r *catalog.Row) string {
	file := ""
	if r.Source == catalog.Notebook || r.Source == catalog.CoreFile {
		file = label(string(r.File))
	}
	return bracketed(when(r), trust.Label(r.Origin), label(r.Speaker), place(r), file)
}

// bracketed puts what is known of a row before its text. The origin comes before all that others may have worded.
func bracketed(parts ...string) string {
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	if len(parts) == 0 {
		return ""
	}
	return "[" + strings.Join(parts, " · ") + "] "
}

func when(r *catalog.Row) string {
	if r.At.IsZero() {
		return ""
	}
	return r.At.UTC().Format("2006-01-02")
}

// label is metadata on one line, without the brackets that it stands between.
func label(s string) string { return strings.NewReplacer("[", "(", "]", ")").Replace(oneLine(s)) }

func place(r *catalog.Row) string {
	wing, room := label(r.Wing), label(r.Room)
	if wing == "" || room == "" {
		return wing + room
	}
	return wing + "/" + room
}

func firstRows(rows []catalog.Row, n int) []catalog.Row {
	var out []catalog.Row
	seen := map[string]bool{}
	for _, r := range rows {
		if len(out) < n && !seen[same(&r)] {
			seen[same(&r)] = true
			out = append(out, r)
		}
	}
	return out
}

func joinParts(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "\n\n")
}
