package journal

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/reverie-memory/reverie/graph"
	"github.com/reverie-memory/reverie/graph/derive"
	"github.com/reverie-memory/reverie/palace/findings"
	"github.com/reverie-memory/reverie/vault"
)

// File is the journal.
const File = vault.Path(vault.StateDir + "/" + graph.StateName)

// FoldVersion is raised whenever [Fold] gives another state from the same bytes: when a rule of package derive changes, or what that reads
// with: dream/claim, lexis and lexis/calendar, or what the index takes from a page.
const FoldVersion = 15

// A FileState is what one file says of the graph: the journal and pages their events, a log those of its facts, the findings what models
// read.
type FileState struct {
	Listed *listed            `json:"listed"` // another one whenever the file was folded
	File   vault.Path         `json:"file"`
	Events []*graph.Event     `json:"events,omitempty"` // of the journal, or of a page
	Read   map[string]reading `json:"read,omitempty"`
	Facts  map[string]derived `json:"facts,omitempty"` // by id, those that say nothing of the graph as well
	Order  []string           `json:"order,omitempty"` // of the ids of those that say something
}

// A listed is what a file says, in the order of its lines, once it was asked for.
type listed struct {
	file    vault.Path
	events  []*graph.Event
	drawers map[string]string // that facts which say something were taken from
}

// derived are the events of one version of a fact.
type derived struct {
	Version string        `json:"version"`          // the hash of the text, a dot, and the version of who said it and when
	Drawer  string        `json:"drawer,omitempty"` // that the fact was taken from
	Events  []graph.Event `json:"events,omitempty"`
}

// Folded says whether a file is folded by its lines.
func Folded(p vault.Path) bool {
	return p == File || p == findings.File || strings.HasPrefix(string(p), vault.ArchiveDir+"/") && vault.IsDaily(p)
}

// Fold folds a file that grows by lines. A fact counts whether or not a dream has consumed it; one that is forgotten does not. Of a log
// that grew only the last section of what was known is read again, and what came after it.
func Fold(before FileState, p vault.Path, data []byte, from int, visible func(string) string) FileState {
	out := fold(before, p, data, from, visible)
	out.File, out.Listed = p, &listed{}
	return out
}

func fold(before FileState, p vault.Path, data []byte, from int, visible func(string) string) FileState {
	if p == File {
		if from == 0 {
			before.Events = nil
		}
		return FileState{Events: append(before.Events, asserted(data[from:], visible)...)}
	}
	if p == findings.File {
		if from == 0 {
			before.Read = nil
		}
		return FileState{Read: read(before.Read, data[from:], visible)}
	}
	if cut := vault.SectionBefore(data, from); cut > 0 {
		was, facts := vault.ParseLog(p, data[cut:from]).Facts, vault.ParseLog(p, data[cut:]).Facts
		if alone(slices.Concat(was, facts), data[:cut]) {
			head, known := before.without(was)
			return head.with(facts, known, visible)
		}
	}
	return FileState{}.with(vault.ParseLog(p, data).Facts, before.Facts, visible)
}

// alone says whether the ids of the facts hang on nothing that stands before them in the file.
func alone(facts []vault.Fact, before []byte) bool {
	looked := map[string]bool{}
	for _, f := range facts {
		if f.Hand || !looked[f.ID] && bytes.Contains(before, []byte("^"+f.ID)) {
			return false
		}
		looked[f.ID] = true
	}
	return true
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
		s.Facts = make(map[string]derived, len(facts))
	}
	var by sayer
	for i := range facts {
		f := &facts[i]
		text := visible(f.Text)
		if strings.TrimSpace(text) == "" {
			continue
		}
		if len(s.Facts[f.ID].Events) == 0 {
			d := by.derived(f, text, known[f.ID])
			if s.Facts[f.ID] = d; len(d.Events) > 0 {
				s.Order = append(s.Order, f.ID)
			}
		}
	}
	return s
}

// A sayer is who said facts and when, as most of a section do.
type sayer struct {
	fact    derive.Fact // without its text
	filed   time.Time
	version string
}

// derived is what a fact says of the graph: known, where that is of the same version.
func (by *sayer) derived(f *vault.Fact, text string, known derived) derived {
	s := &f.Section
	of := derive.Fact{At: s.At, Speaker: s.Speaker, Origin: s.Origin, Agent: s.Agent, Wing: s.Wing}
	if of.At.IsZero() {
		of.At = f.Day.Time()
	}
	if by.version == "" || of != by.fact || s.Filed != by.filed {
		said := []string{s.Speaker, of.At.String(), string(s.Origin), s.Agent, s.Wing}
		if !s.Filed.IsZero() {
			said = append(said, s.Filed.String())
		}
		by.fact, by.filed = of, s.Filed
		by.version = "." + vault.VersionOf(strings.Join(said, "\x00"))
	}
	if version := findings.Hash(text) + by.version; known.Version != version {
		of.ID, of.Text = f.ID, text
		known = derived{Version: version, Events: derive.Events(of)}
		for i := range known.Events {
			known.Events[i].Filed = s.Filed
		}
	}
	known.Drawer = s.Drawer
	return known
}

// asserted are the events of lines of the journal, but for those of which something was forgotten.
func asserted(lines []byte, visible func(string) string) []*graph.Event {
	var out []*graph.Event
	for line := range bytes.Lines(lines) {
		if e, err := graph.ParseEvent(line); err == nil && visible(e.Text()) == e.Text() {
			out = append(out, &e)
		}
	}
	return out
}

// Told is everything that was said of the graph. Told may be shared.
type Told struct {
	files   []*listed
	facts   []reading // of facts that show what was read
	read    []reading // of drawers
	drawers func() map[string]string
}

// Join puts the files together.
func Join(files []FileState) *Told {
	t, byFile := &Told{}, map[vault.Path]int{}
	for i, f := range files {
		if !Folded(f.File) && len(f.Events) == 0 {
			continue // a page that says nothing
		}
		byFile[f.File] = i
		if t.files = append(t.files, f.Listed); f.Listed.drawers == nil {
			f.list()
		}
	}
	shown := shownOf(files, byFile)
	for _, f := range files {
		for _, key := range slices.Sorted(maps.Keys(f.Read)) {
			if r := f.Read[key]; r.ofDrawer() {
				t.read = append(t.read, r)
			} else if shown[key] {
				t.facts = append(t.facts, r)
			}
		}
	}
	t.drawers = sync.OnceValue(func() map[string]string {
		all := map[string]string{}
		for _, l := range t.files {
			maps.Copy(all, l.drawers)
		}
		for i := range t.facts {
			all[t.facts[i].ID] = t.facts[i].Drawer
		}
		return all
	})
	return t
}

// shownOf are the keys of the readings of facts whose fact shows what was read, as a rule in the log of its day. For those of which it
// does not, all logs are looked through once.
func shownOf(files []FileState, byFile map[vault.Path]int) map[string]bool {
	shown, lost := map[string]bool{}, map[string]bool{}
	look := func(id string, d derived) {
		text, _, _ := strings.Cut(d.Version, ".")
		shown[(&reading{ID: id, Text: text}).key()] = true
	}
	for _, f := range files {
		for key, r := range f.Read {
			if r.ofDrawer() {
				continue
			}
			if i, ok := byFile[vault.LogPath(vault.DayOf(r.Events[0].At))]; ok {
				if d, ok := files[i].Facts[r.ID]; ok {
					look(r.ID, d)
				}
			}
			if !shown[key] {
				lost[r.ID] = true
			}
		}
	}
	if len(lost) == 0 {
		return shown
	}
	for _, f := range files {
		for id, d := range f.Facts {
			if lost[id] {
				look(id, d)
			}
		}
	}
	return shown
}

// list lists what a file says.
func (f *FileState) list() {
	f.Listed.file, f.Listed.events, f.Listed.drawers = f.File, slices.Clip(f.Events), map[string]string{}
	for _, id := range f.Order {
		d := f.Facts[id]
		f.Listed.drawers[id] = d.Drawer
		for i := range d.Events {
			f.Listed.events = append(f.Listed.events, &d.Events[i])
		}
	}
}

// drawer is the drawer that what has a source rests on: that of a fact of which the graph tells, or the source itself.
func (t *Told) drawer(source string) string { return cmp.Or(t.drawers()[source], drawerOf(source)) }

// drawerOf is the id of the whole of which a source may name a piece.
func drawerOf(source string) string { return source[:strings.IndexAny(source+".", ".~")] }
