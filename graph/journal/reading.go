package journal

import (
	"bytes"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/reverie-memory/reverie/graph"
	"github.com/reverie-memory/reverie/palace/findings"
	"github.com/reverie-memory/reverie/vault"
)

// readConfidence is that of what a model read. readConfidence is as much as that of what rules read: one may end what the other knows, and
// neither ends what a person asserted.
const readConfidence = 0.8

// A reading is what a model read out of one version of a text.
type reading struct {
	ID     string        `json:"id"`   // of the fact or drawer
	Text   string        `json:"text"` // the hash of what was read
	Drawer string        `json:"drawer,omitempty"`
	Events []graph.Event `json:"events"`
}

// key names a reading among others: a later one of the same text takes the place of an earlier one.
func (r *reading) key() string { return r.ID + " " + r.Text }

// ofDrawer says whether a drawer was read; else it was a fact.
func (r *reading) ofDrawer() bool { return r.Drawer == r.ID }

// day is where the file of a drawer that was read lies.
func (r *reading) day() vault.Path { return vault.DrawerPath(vault.DayOf(r.Events[0].At)) }

// read adds the readings among lines of the findings to those that are known, but for what of them was forgotten.
func read(known map[string]reading, lines []byte, visible func(string) string) map[string]reading {
	if known == nil {
		known = map[string]reading{}
	}
	for line := range bytes.Lines(lines) {
		if len(known) == 0 && !bytes.Contains(line, []byte(`"triples"`)) { // nor does it take the place of one that has some
			continue
		}
		f, err := findings.Parse(line)
		if err != nil || f.Ends != nil {
			continue
		}
		r := reading{ID: f.ID, Text: f.Text}
		delete(known, r.key())
		if r.Events = events(f, visible); len(r.Events) > 0 {
			r.Drawer = f.Said.Drawer
			known[r.key()] = r
		}
	}
	return known
}

// events is what a finding says of the graph.
func events(f findings.Finding, visible func(string) string) (out []graph.Event) {
	if f.Said == nil {
		return nil
	}
	for _, t := range f.Triples {
		e := graph.Event{
			Kind: graph.Assert, At: f.Said.At, Subject: f.Said.Name(t.Subject), Predicate: graph.PredicateKey(t.Predicate),
			Object: f.Said.Name(t.Object), ValidFrom: vault.Day(t.From), ValidTo: vault.Day(t.To), Confidence: readConfidence, Source: f.ID,
			Speaker: f.Said.Speaker, Origin: f.Said.Origin, Agent: f.Said.Agent, Wing: f.Said.Wing, Reader: f.By,
		}
		if otherName[e.Predicate] {
			e.Kind, e.ValidFrom, e.ValidTo = graph.Alias, "", ""
		}
		if e.Validate() == nil && visible(t.Text()) == t.Text() && visible(e.Text()) == e.Text() {
			out = append(out, e)
		}
	}
	return out
}

// otherName are the predicates by which models say that something has another name.
var otherName = map[string]bool{
	"also_called": true, "also_known_as": true, "alias": true, "alias_of": true, "called": true, "known_as": true, "nickname": true,
	"nicknamed": true, "renamed_to": true, "same_as": true,
}

// shown knows which of the readings rest on what drawers show now. shown looks at a day's file again when that, or what was forgotten, is
// another, or something else was read out of it. Several may look at once; each looks alone.
type shown struct {
	mu   sync.Mutex
	days map[vault.Path]day // never changed, another one is put in its place
}

// day is what is known of a file of drawers.
type day struct {
	looks [3]vault.FileInfo // of the file, and of what was forgotten
	holds map[string]bool   // by the keys of readings
}

// of are the readings of drawers that show the text which was read, in the order in which they are given.
func (s *shown) of(v *vault.Vault, readings []reading) ([]reading, error) {
	if len(readings) == 0 {
		return nil, nil
	}
	s.mu.Lock()
	known := s.days
	s.mu.Unlock()
	byDay := map[vault.Path][]string{}
	for i := range readings {
		byDay[readings[i].day()] = append(byDay[readings[i].day()], readings[i].key())
	}
	var looks [3]vault.FileInfo
	looks[1], _ = v.Stat(vault.TombstonesPath)
	looks[2], _ = v.Stat(vault.TombstoneKey)
	days := map[vault.Path]day{}
	for p, keys := range byDay {
		looks[0], _ = v.Stat(p)
		was := known[p]
		if was.looks != looks || slices.ContainsFunc(keys, func(k string) bool { _, known := was.holds[k]; return !known }) {
			holds, err := holds(v, p, keys)
			if err != nil {
				return nil, err
			}
			was = day{looks, holds}
		}
		days[p] = was
	}
	s.mu.Lock()
	s.days = days // or what somebody else found meanwhile: each says what it looked at
	s.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(readings), func(r reading) bool { return !days[r.day()].holds[r.key()] }), nil
}

// holds says of readings whether the drawers of a file show the texts that they rest on.
func holds(v *vault.Vault, p vault.Path, keys []string) (map[string]bool, error) {
	out := map[string]bool{}
	for _, k := range keys {
		out[k] = false
	}
	data, err := v.ReadFile(p)
	if errors.Is(err, fs.ErrNotExist) {
		return out, nil
	}
	if err != nil {
		return nil, err
	}
	stones, err := v.Tombstones()
	if err != nil {
		return nil, err
	}
	read := map[string]bool{}
	for _, k := range keys {
		id, _, _ := strings.Cut(k, " ")
		read[id] = true
	}
	for _, d := range vault.ParseDrawers(p, data).Drawers {
		if read[d.ID] {
			r := reading{ID: d.ID, Text: findings.Hash(stones.Visible(d.Text))}
			if _, asked := out[r.key()]; asked {
				out[r.key()] = true
			}
		}
	}
	return out, nil
}
