package journal

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/reverie-memory/reverie/graph"
	"github.com/reverie-memory/reverie/graph/derive"
	"github.com/reverie-memory/reverie/project"
	"github.com/reverie-memory/reverie/vault"
)

// File is the journal.
const File = vault.Path(vault.StateDir + "/" + graph.StateName)

// FoldVersion is raised whenever [Fold] gives another state from the same bytes: when a rule of package derive changes.
const FoldVersion = 3

// A FileState is what one file says of the graph: the journal its events, a log those of its facts.
type FileState struct {
	Events []graph.Event      `json:"events,omitempty"` // of the journal
	Facts  map[string]derived `json:"facts,omitempty"`  // by id; a fact that says nothing of the graph is not in it
	Order  []string           `json:"order,omitempty"`  // of the ids
}

// derived are the events of one version of a fact.
type derived struct {
	Version string        `json:"version"`
	Events  []graph.Event `json:"events"`
}

// Folded says whether a file is folded.
func Folded(p vault.Path) bool {
	return p == File || strings.HasPrefix(string(p), vault.ArchiveDir+"/") && vault.IsDaily(p)
}

// Fold is the Shown of the projection. A fact counts whether or not a dream has consumed it; one that is forgotten does not.
func Fold(before FileState, p vault.Path, data []byte, from int, visible func(string) string) FileState {
	if p == File {
		if from == 0 {
			before.Events = nil
		}
		return FileState{Events: append(slices.Clip(before.Events), asserted(data[from:], visible)...)}
	}
	out := FileState{Facts: map[string]derived{}}
	for _, f := range vault.ParseLog(p, data).Facts {
		text := visible(f.Text)
		if strings.TrimSpace(text) == "" {
			continue
		}
		s := &f.Section
		at := s.At
		if at.IsZero() {
			at = f.Day.Time()
		}
		version := vault.VersionOf(strings.Join([]string{text, s.Speaker, at.String(), string(s.Origin), s.Agent, s.Wing}, "\x00"))
		known, ok := before.Facts[f.ID]
		if !ok || known.Version != version {
			known = derived{version, derive.Events(derive.Fact{
				ID: f.ID, Text: text, At: at, Speaker: s.Speaker, Origin: s.Origin, Agent: s.Agent, Wing: s.Wing,
			})}
		}
		if _, twice := out.Facts[f.ID]; !twice && len(known.Events) > 0 {
			out.Facts[f.ID] = known
			out.Order = append(out.Order, f.ID)
		}
	}
	return out
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

// Told is everything that was said of the graph. It may be shared; [Told.Graph] keeps what it built.
type Told struct {
	events []graph.Event
	mu     sync.Mutex
	built  map[string]*graph.Graph // by what the caller's project sees
}

// Join puts the files together.
func Join(files []FileState) *Told {
	t := &Told{built: map[string]*graph.Graph{}}
	for _, f := range files {
		t.events = append(t.events, f.Events...)
		for _, id := range f.Order {
			t.events = append(t.events, f.Facts[id].Events...)
		}
	}
	return t
}

// Graph is the graph as a project sees it: what an isolated one was told is in no other's, not even by what it closed.
func (t *Told) Graph(wing string, isolated project.Isolation, functional []string) *graph.Graph {
	side := isolated.Around(wing)
	key := strings.Join(append([]string{side}, isolated...), "\x00")
	t.mu.Lock()
	defer t.mu.Unlock()
	g := t.built[key]
	if g == nil {
		events := t.events
		if len(isolated) > 0 {
			events = slices.DeleteFunc(slices.Clone(events), func(e graph.Event) bool { return isolated.Around(e.Wing) != side })
		}
		g = graph.Build(events, functional)
		if len(t.built) > 8 {
			maps.DeleteFunc(t.built, func(string, *graph.Graph) bool { return true })
		}
		t.built[key] = g
	}
	return g
}
