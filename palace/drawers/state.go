package drawers

import (
	"bytes"
	"cmp"
	"maps"
	"math"
	"slices"
	"time"
)

// FoldVersion is of what [Fold] makes of the same lines.
const FoldVersion = 5

// Known is what is known of one drawer besides what its file says. The zero Known is that of a drawer of which nothing was said.
type Known struct {
	Wing *string `json:"wing,omitempty"` // nil: as the file says
	Room *string `json:"room,omitempty"`
	Hall *string `json:"hall,omitempty"`

	Type string `json:"type,omitempty"` // "": as its words say
	Tier string `json:"tier,omitempty"` // of Type
	// State is empty where nothing was said: then it is raw or processed as its words are judged.
	State    string `json:"state,omitempty"`
	Tries    int    `json:"tries,omitempty"`  // in vain; see [MaxTries]
	Linked   bool   `json:"linked,omitempty"` // compared with the drawers before it
	Looked   bool   `json:"looked,omitempty"` // for names and triples, of which there may be none
	Entities int    `json:"entities,omitempty"`
	Triples  int    `json:"triples,omitempty"`

	Weight  float64 `json:"weight,omitempty"`  // importance when it was last set or reinforced
	Weighed int64   `json:"weighed,omitempty"` // when that was, in Unix seconds; 0: never, and the weight is [DefaultImportance]
	// Again are the drawers that said it again since it was last set, each of which counts once, as long as they made the weight more.
	Again []string `json:"again,omitempty"`

	Cluster      string `json:"cluster,omitempty"` // the drawer that it was merged into
	SupersededBy string `json:"superseded_by,omitempty"`
	Evidence     string `json:"evidence,omitempty"` // who judged so

	Archived int64  `json:"archived,omitempty"` // when it was put away, in Unix seconds; 0: it is not
	Reason   string `json:"reason,omitempty"`   // why
	Back     int64  `json:"back,omitempty"`     // when it was last brought back, in Unix seconds; 0: never
	// In are the drawers that sum it up, the newest last, also where it was brought back since.
	In []string `json:"in,omitempty"`
}

// Summary is the drawer that sums it up in its place, "" for none.
func (k *Known) Summary() string {
	if k.Archived == 0 || len(k.In) == 0 {
		return ""
	}
	return k.In[len(k.In)-1]
}

// A State is what is known of all drawers, by id. A State must not be changed.
type State map[string]*Known

// Of is what is known of a drawer.
func (s State) Of(id string) Known {
	if k := s[id]; k != nil {
		return *k
	}
	return Known{}
}

// Archived says whether a drawer is put away.
func (s State) Archived(id string) bool { k := s[id]; return k != nil && k.Archived != 0 }

// Fold takes in whole lines of the journal and returns the state behind them. A line that is no valid event is left out; [Journal.Problems]
// names it. Fold adds to the map that it is given and changes no entry of it, so that a copy of the map stays as it is.
func Fold(before State, lines []byte) State {
	if before == nil {
		before = State{}
	}
	for line := range bytes.Lines(lines) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if e, err := ParseEvent(line); err == nil {
			k := before.Of(e.Drawer)
			k.take(e)
			before[e.Drawer] = &k
		}
	}
	return before
}

// Join puts the states of files together, of which there is one at most.
func Join(files []State) (all State) {
	for _, s := range files {
		all = maps.Clone(s)
	}
	return all
}

// take folds one event in.
func (k *Known) take(e Event) {
	switch e.Kind {
	case Move:
		k.Wing, k.Room, k.Hall = cmp.Or(e.Wing, k.Wing), cmp.Or(e.Room, k.Room), cmp.Or(e.Hall, k.Hall)
	case Note:
		k.note(e)
	case Reinforce:
		k.reinforce(e)
	case Cluster:
		if k.Cluster, k.State = e.Into, Merged; e.Into == "" {
			k.State = Processed
		}
	case Superseded:
		if k.SupersededBy, k.Evidence = e.Into, e.Evidence; e.Into == "" {
			k.Evidence = ""
		}
	case Failed:
		k.Tries++
		if k.State = Raw; k.Tries >= MaxTries {
			k.State = Gone
		}
	case Archive:
		k.Archived, k.Reason = e.At.Unix(), e.Reason
		if e.Into != "" && !slices.Contains(k.In, e.Into) {
			k.In = append(slices.Clip(k.In), e.Into)
		}
	case Restore: // it begins to fade anew, from a weight that fades for a while
		k.Archived, k.Reason, k.Back = 0, "", e.At.Unix()
		k.weigh(e, math.Max(k.weight(), DefaultImportance))
	}
}

// reinforce counts that something like it was said again. Whatever order such events come in, and how often, the same comes of them.
func (k *Known) reinforce(e Event) {
	last, more := k.Weighed, k.weight() < MaxImportance
	if e.Into != "" && slices.Contains(k.Again, e.Into) {
		return
	}
	if e.Into != "" && more {
		k.Again = append(slices.Clip(k.Again), e.Into)
	}
	k.weigh(e, math.Min(MaxImportance, k.weight()+e.By))
	k.Weighed = max(k.Weighed, last)
}

func (k *Known) note(e Event) {
	k.Type, k.Tier = cmp.Or(e.Type, k.Type), cmp.Or(e.Tier, k.Tier)
	if e.State != "" {
		if k.State = e.State; e.State == Raw {
			k.Tries = 0
		}
	}
	k.Linked = k.Linked || e.Linked
	if e.Entities != nil {
		k.Entities, k.Looked = *e.Entities, true
	}
	if e.Triples != nil {
		k.Triples = *e.Triples
	}
	if e.Importance != nil {
		k.weigh(e, *e.Importance)
		k.Again = nil
	}
}

func (k *Known) weight() float64 {
	if k.Weighed == 0 {
		return DefaultImportance
	}
	return k.Weight
}

func (k *Known) weigh(e Event, to float64) { k.Weight, k.Weighed = to, e.At.Unix() }

// Decay is how importance fades.
type Decay struct {
	Factor float64 // a day
	Floor  float64 // importance does not fade below it
	Age    int     // days that a drawer keeps its importance after it was filed
	Unread int     // and after it was read
}

// DefaultDecay is as the settings are when nobody changed them.
var DefaultDecay = Decay{Factor: 0.98, Floor: 0.3, Age: 30, Unread: 7}

// StateBy is the state of a drawer of which so sure a type was read in its words, from 0 to 1; high is the gate of words.
func (k Known) StateBy(sure, high float64) string {
	switch {
	case k.State != "":
		return k.State
	case sure >= high:
		return Processed
	}
	return Raw
}

// Importance is how much a drawer matters now: what it was last weighed at, less a part of it for each whole day since it began to fade.
// Importance begins to when it is old enough, was not read for a while, and was not weighed since. filed is when it was filed; read when it
// was last read, zero for never.
func (k Known) Importance(d Decay, now, filed, read time.Time) float64 {
	weight, from := k.weight(), filed.AddDate(0, 0, d.Age)
	if !read.IsZero() {
		from = later(from, read.AddDate(0, 0, d.Unread))
	}
	if k.Weighed != 0 {
		from = later(from, time.Unix(k.Weighed, 0))
	}
	days := math.Floor(now.Sub(from).Hours() / 24)
	if days <= 0 {
		return weight
	}
	return math.Max(math.Min(weight, d.Floor), weight*math.Pow(d.Factor, days))
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}
