package recall

import (
	"cmp"
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/extract"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/vault"
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
	searchClip    = 300
	knownPart     = 4 // the part of L3 that lines of the graph take at most is one of so many

	DefaultFound = 5 // rows of the search
	MaxFound     = 50
)

// Material is what a context is composed of. Rows come best first; there may be more of them than a layer takes.
type Material struct {
	Persona, User, Memory      string
	Essential, Demanded, Found []catalog.Row
	Known                      []string                // lines of the knowledge graph
	Admit                      func(*catalog.Row) bool // of what nobody asked for; nil admits all
	Budget                     int
}

// Composed is a context. Composed depends on the material alone.
type Composed struct {
	Text     string
	Layers   map[string]string   // L0 identity, L1 essential, L2 wing and room, L3 search; "core" for the other core blocks
	Rows     map[string][]string // ids of the rows that L1, L2 and L3 quote
	Warnings []string            // what of the core blocks is not shown
}

// Compose cuts the material to its budget and fences it; what is cut and counted is the escaped text.
//
// Identity comes first. Half of the rest is the core blocks', and what the layers cannot use of the other half. A third of what the core
// leaves is for what is essential, where something else was asked for, and a third of what then remains for wing and room, where there is
// a question.
func (m *Material) Compose() Composed {
	c := composition{left: min(cmp.Or(m.Budget, DefaultBudget), MaxBudget) - len(extract.FenceOpen) - len(extract.FenceClose) - 2}
	identity := c.block("L0", "Identity", vault.PersonaPath, m.Persona, identitySize, wholeSentences)

	needs := 3*frame + width(inOrder(m.Found, quota{MaxFound, searchSize, searchClip}, newTold(), nil).text)
	if len(m.Essential) > 0 {
		needs += essentialSize
	}
	if len(m.Demanded) > 0 {
		needs += demandSize
	}
	core := max(c.left/2, c.left-needs)
	rest := c.left - core
	user := c.block("core", "About the user", vault.UserPath, m.User, max(core/2, core-frame-width(m.Memory)), clipLines)
	memory := c.block("core", "Memory", vault.MemoryPath, m.Memory, c.left-rest, clipLines)

	ofEssential, ofDemanded := c.left, c.left
	if len(m.Demanded)+len(m.Found) > 0 {
		ofEssential /= 3
	}
	ofEssential = min(ofEssential, essentialSize+frame)
	if ofDemanded -= ofEssential; len(m.Found) > 0 {
		ofDemanded /= 3
	}
	ofDemanded = min(ofDemanded, demandSize+frame)

	said := newTold()
	found := c.rows("L3", "Found for this question", min(searchSize+frame, c.left-ofEssential-ofDemanded), func(size int) list {
		known := clipLines(strings.Join(m.Known, "\n"), size/knownPart)
		if known == "" {
			return inOrder(m.Found, quota{MaxFound, size, searchClip}, said, nil)
		}
		l := inOrder(m.Found, quota{MaxFound, size - width(known) - 1, searchClip}, said, nil)
		l.text = strings.TrimSuffix(known+"\n"+l.text, "\n")
		return l
	})
	said.addPage(user.text)
	said.addPage(memory.text)
	essential := c.rows("L1", "Essential", ofEssential, func(size int) list {
		return byRoom(m.Essential, quota{essentialRows, size, essentialClip}, said, m.Admit)
	})
	demanded := c.rows("L2", "Here", ofDemanded, func(size int) list {
		return inOrder(m.Demanded, quota{demandRows, size, demandClip}, said, m.Admit)
	})
	return c.write(identity, user, memory, essential, demanded, found)
}

// A composition is a context on its way.
type composition struct {
	left     int // characters
	warnings []string
}

// A chapter is a piece of a context under a title.
type chapter struct {
	list
	layer, title string
}

const (
	frame     = 30 // the most that a chapter costs beside its text: its title, "## " and three line ends
	leastPart = 40 // what a chapter needs to be worth its title
)

// block is a core block, as far as limit characters go.
func (c *composition) block(layer, title string, file vault.Path, text string, limit int, cut func(string, int) string) chapter {
	text = strings.TrimSpace(text)
	p := c.rows(layer, title, limit+frame, func(size int) list { return list{text: cut(text, size)} })
	if all, n := utf8.RuneCountInString(text), utf8.RuneCountInString(p.text); n < all {
		c.warnings = append(c.warnings, fmt.Sprintf("%s: %d of its %d characters are not shown", path.Base(string(file)), all-n, all))
	}
	return p
}

// rows is a chapter that takes limit characters at most.
func (c *composition) rows(layer, title string, limit int, fill func(size int) list) chapter {
	p := chapter{layer: layer, title: title}
	if size := min(limit, c.left) - frame; size >= leastPart {
		if p.list = fill(size); p.text != "" {
			c.left -= width(p.text) + frame
		}
	}
	return p
}

// write puts the chapters together.
func (c *composition) write(chapters ...chapter) Composed {
	out := Composed{Layers: map[string]string{}, Rows: map[string][]string{}, Warnings: c.warnings}
	var b strings.Builder
	for _, p := range chapters {
		out.Layers[p.layer] += ""
		if p.text == "" {
			continue
		}
		fmt.Fprintf(&b, "## %s\n%s\n\n", p.title, p.text)
		out.Layers[p.layer] = strings.TrimPrefix(out.Layers[p.layer]+"\n\n"+extract.Escape(p.text), "\n\n") // as in the text
		if len(p.ids) > 0 {
			out.Rows[p.layer] = p.ids
		}
	}
	if b.Len() > 0 {
		out.Text = extract.Fence(b.String())
	}
	return out
}
