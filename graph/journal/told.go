package journal

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/reverie-memory/reverie/graph"
	"github.com/reverie-memory/reverie/graph/derive"
	"github.com/reverie-memory/reverie/palace/drawers"
	"github.com/reverie-memory/reverie/palace/findings"
	"github.com/reverie-memory/reverie/project"
	"github.com/reverie-memory/reverie/vault"
)

// File is the journal.
const File = vault.Path(vault.StateDir + "/" + graph.StateName)

// FoldVersion is raised whenever [Fold] gives another state from the same bytes: when a rule of package derive changes, or what that reads
// with: dream/claim, lexis and lexis/calendar.
const FoldVersion = 7

// A FileState is what one file says of the graph: the journal its events, a log those of its facts, the findings what models read.
type FileState struct {
	Events []graph.Event      `json:"events,omitempty"` // of the journal
	Read   map[string]reading `json:"read,omitempty"`
	Facts  map[string]derived `json:"facts,omitempty"` // by id, those that say nothing of the graph as well
	Order  []string           `json:"order,omitempty"` // of the ids of those that say something
}

// derived are the events of one version of a fact.
type derived struct {
	Version string        `json:"version"`          // the hash of the text, a dot, and the version of who said it and when
	Drawer  string        `json:"drawer,omitempty"` // that the fact was taken from
	Events  []graph.Event `json:"events,omitempty"`
}

// Folded says whether a file is folded.
func Folded(p vault.Path) bool {
	return p == File || p == findings.File || strings.HasPrefix(string(p), vault.ArchiveDir+"/") && vault.IsDaily(p)
}

// Fold is the Shown of the projection. A fact counts whether or not a dream has consumed it; one that is forgotten does not. Of a log that
// grew only the last section of what was known is read again, and what came after it.
func Fold(before FileState, p vault.Path, data []byte, from int, visible func(string) string) FileState {
	if p == File {
		if from == 0 {
			before.Events = nil
		}
		return FileState{Events: append(slices.Clip(before.Events), asserted(data[from:], visible)...)}
	}
	if p == findings.File {
		if from == 0 {
			before.Read = nil
		}
		return FileState{Read: read(before.Read, data[from:], visible)}
	}
	if cut := vault.SectionBefore(data, from); cut > 0 {
		was, facts := vault.ParseLog(p, data[cut:from]).Facts, vault.ParseLog(p, data[cut:]).Facts
		if alone(was, data[:cut]) && alone(facts, data[:cut]) {
			head, known := before.without(was)
			return head.with(facts, known, visible)
		}
	}
	return FileState{}.with(vault.ParseLog(p, data).Facts, before.Facts, visible)
}

// alone says whether the ids of the facts hang on nothing that stands before them in the file.
func alone(facts []vault.Fact, before []byte) bool {
	return !slices.ContainsFunc(facts, func(f vault.Fact) bool { return f.Hand || bytes.Contains(before, []byte(f.ID)) })
}

// without is the state without the last facts, which cut has.
func (s FileState) without(last []vault.Fact) (rest FileState, cut map[string]derived) {
	cut = map[string]derived{}
	for _, f := range last {
		if d, ok := s.Facts[f.ID]; ok {
			cut[f.ID] = d
			delete(s.Facts, f.ID)
			if len(d.Events) > 0 {
				s.Order = s.Order[:len(s.Order)-1]
			}
		}
	}
	return s, cut
}

// with is the state with what more facts say; known is what was derived of some of them before.
func (s FileState) with(facts []vault.Fact, known map[string]derived, visible func(string) string) FileState {
	if s.Facts == nil {
		s.Facts = map[string]derived{}
	}
	for i := range facts {
		f := &facts[i]
		text := visible(f.Text)
		if strings.TrimSpace(text) == "" {
			continue
		}
		if len(s.Facts[f.ID].Events) == 0 {
			d := derivedOf(f, text, known[f.ID])
			if s.Facts[f.ID] = d; len(d.Events) > 0 {
				s.Order = append(s.Order, f.ID)
			}
		}
	}
	return s
}

// derivedOf is what a fact says of the graph: known, where that is of the same version.
func derivedOf(f *vault.Fact, text string, known derived) derived {
	s := &f.Section
	at := s.At
	if at.IsZero() {
		at = f.Day.Time()
	}
	version := findings.Hash(text) + "." +
		vault.VersionOf(strings.Join([]string{s.Speaker, at.String(), string(s.Origin), s.Agent, s.Wing}, "\x00"))
	if known.Version != version {
		known = derived{Version: version, Events: derive.Events(derive.Fact{
			ID: f.ID, Text: text, At: at, Speaker: s.Speaker, Origin: s.Origin, Agent: s.Agent, Wing: s.Wing,
		})}
	}
	known.Drawer = s.Drawer
	return known
}

// asserted are the events of lines of the journal, but for those of which something was forgotten.
func asserted(lines []byte, visible func(string) string) []graph.Event {
	var out []graph.Event
	for line := range bytes.Lines(lines) {
		if e, err := graph.ParseEvent(line); err == nil && visible(e.Text()) == e.Text() {
			out = append(out, e)
		}
	}
	return out
}

// Told is everything that was said of the graph. It may be shared; it keeps the graphs that it built.
type Told struct {
	events  []graph.Event
	read    []reading         // of drawers
	drawers map[string]string // that facts were taken from, by the fact's id
	mu      sync.Mutex
	built   map[string]*graph.Graph // by which events the caller's project sees
}

// Join puts the files together.
func Join(files []FileState) *Told {
	t := &Told{built: map[string]*graph.Graph{}, drawers: map[string]string{}}
	var read []reading
	for _, f := range files {
		t.events = append(t.events, f.Events...)
		for _, id := range f.Order {
			t.events = append(t.events, f.Facts[id].Events...)
			t.drawers[id] = f.Facts[id].Drawer
		}
		for _, key := range slices.Sorted(maps.Keys(f.Read)) {
			read = append(read, f.Read[key])
		}
	}
	if len(read) > 0 {
		t.reads(read, shownFacts(files))
	}
	return t
}

// shownFacts are the keys of readings that rest on facts as they are shown.
func shownFacts(files []FileState) map[string]bool {
	out := map[string]bool{}
	for _, f := range files {
		for id, d := range f.Facts {
			text, _, _ := strings.Cut(d.Version, ".")
			out[(&reading{ID: id, Text: text}).key()] = true
		}
	}
	return out
}

// reads takes in what models read. Which drawers show it is asked later.
func (t *Told) reads(list []reading, facts map[string]bool) {
	for _, r := range list {
		switch {
		case r.ofDrawer():
			t.read = append(t.read, r)
		case facts[r.key()]:
			t.events = append(t.events, r.Events...)
			t.drawers[r.ID] = r.Drawer
		}
	}
}

// drawer is the drawer that what has a source rests on: that of a fact of which the graph tells, or the source itself.
func (t *Told) drawer(source string) string { return cmp.Or(t.drawers[source], drawerOf(source)) }

// drawerOf is the id of the whole of which a source may name a piece.
func drawerOf(source string) string { return source[:strings.IndexAny(source+".", ".~")] }

// Graph is the graph as a project sees it: what an isolated one was told is in no other's, not even by what it closed. An event is where
// the drawer hangs that it rests on. read are the readings of drawers that count.
func (t *Told) graph(wing string, isolated project.Isolation, moved drawers.State, functional []string, read []reading) *graph.Graph {
	seen, key := t.events, ""
	if len(t.read) > 0 {
		seen = slices.Clone(t.events)
		for _, r := range read {
			seen, key = append(seen, r.Events...), key+" "+r.key()
		}
	}
	if side, all := isolated.Around(wing), seen; len(isolated) > 0 {
		seen = nil
		bits := make([]byte, (len(all)+7)/8)
		for i := range all {
			if e := &all[i]; isolated.Around(moved.Own(t.drawer(e.Source), e.Wing)) == side {
				seen, bits[i/8] = append(seen, *e), bits[i/8]|1<<(i%8)
			}
		}
		key += string(bits)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	g := t.built[key]
	if g == nil {
		if len(t.built) > 8 {
			clear(t.built)
		}
		g = graph.Build(seen, functional)
		t.built[key] = g
	}
	return g
}
