// Package findings keeps what was found out about facts and drawers besides their words: names, quotes, days, triples, summaries.
//
// A finding is a line of one file, by the id of its fact or drawer and by the hash of the text that it rests on, so that nobody pays a
// model for the same text again. Findings hold text; what is forgotten is hidden where they are read.
package findings

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/reverie-memory/reverie/extract"
	"github.com/reverie-memory/reverie/forget"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/palace/drawers"
	"github.com/reverie-memory/reverie/trust"
	"github.com/reverie-memory/reverie/vault"
)

// The file, by its name in the state folder and by its path.
const (
	FileName = "enrichment.jsonl"
	File     = vault.Path(vault.StateDir + "/" + FileName)
)

// A Finding is what was found out about one fact or drawer. A later one of the same id takes the place of an earlier one.
type Finding struct {
	ID   string    `json:"id"`   // of the fact or drawer
	Text string    `json:"text"` // [Hash] of its text
	By   string    `json:"by"`   // the extractor or model
	At   time.Time `json:"at"`

	Entities []string         `json:"entities,omitempty"`
	Triples  []extract.Triple `json:"triples,omitempty"`
	Said     *Said            `json:"said,omitempty"`  // of triples: where the text is from that they were read out of
	Quote    string           `json:"quote,omitempty"` // of a fact: the words that it rests on, where they are others than its own
	About    string           `json:"about,omitempty"` // of a fact: the day that it is about, YYYY-MM-DD

	Type       string   `json:"type,omitempty"`       // of a drawer
	Importance *float64 `json:"importance,omitempty"` // of a drawer, 0 to 5
	Summary    string   `json:"summary,omitempty"`    // of a drawer
	Ends       *bool    `json:"ends,omitempty"`       // of a drawer with an earlier one, of which Text is the hash: whether it says otherwise

	Import string `json:"import,omitempty"` // that brought it, and takes it back
}

// Key names a finding among all others: it is a function of what was found out, but not of who said the text or how it came here.
func (f Finding) Key() string {
	f.At, f.Said, f.Import = f.At.UTC(), nil, ""
	line, err := json.Marshal(f)
	if err != nil { // a time or a number that JSON cannot hold
		line = fmt.Appendf(nil, "%+v", f)
	}
	return vault.DeriveID('g', string(line))
}

// Said is who said a text, and when.
type Said struct {
	At      time.Time    `json:"at"`
	Speaker string       `json:"speaker,omitempty"`
	Origin  vault.Origin `json:"origin,omitempty"`
	Agent   string       `json:"agent,omitempty"`
	Wing    string       `json:"wing,omitempty"`   // that it is told in, where somebody named one
	Drawer  string       `json:"drawer,omitempty"` // the drawer itself, or the one that the fact was taken from
}

// Name is whom a model means by a name: the speaker by "I" and "the user"; nobody where an assistant speaks of itself.
func (s *Said) Name(name string) string {
	if !selves[lexis.Fold(name)] {
		return name
	}
	if s.Speaker == "" && trust.Label(s.Origin) == "" {
		return "user"
	}
	return s.Speaker
}

var selves = map[string]bool{
	"i": true, "me": true, "myself": true, "we": true, "us": true, "user": true, "the user": true, "speaker": true, "the speaker": true,
}

// SaidIn is what a drawer says of its text.
func SaidIn(d *vault.Drawer) *Said {
	return &Said{At: d.At, Speaker: d.Speaker, Origin: d.Origin, Agent: d.Agent, Wing: drawers.FiledIn(d).Own(), Drawer: d.ID}
}

// SaidBy is what a section says of its facts.
func SaidBy(s *vault.Section) *Said {
	return &Said{At: s.At.UTC(), Speaker: s.Speaker, Origin: s.Origin, Agent: s.Agent, Wing: s.Wing, Drawer: s.Drawer}
}

// Hash names a text.
func Hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return base64.RawURLEncoding.EncodeToString(sum[:12])
}

// records are the lines of the file.
var records = vault.Records[Finding]{Name: FileName, Parse: Parse}

// Parse reads a line of the file.
func Parse(line []byte) (Finding, error) {
	var f Finding
	err := json.Unmarshal(line, &f)
	if err == nil && (f.ID == "" || f.Text == "") {
		err = errors.New("it names no text")
	}
	if err != nil {
		return Finding{}, fmt.Errorf("finding: %w", err)
	}
	return f, nil
}

// OfFact is what extraction found out about a fact of a drawer, without a time; false where that is nothing besides its words.
func OfFact(id, by string, f extract.Fact, d *vault.Drawer) (Finding, bool) {
	out := Finding{ID: id, Text: Hash(vault.FactText(f.Text)), By: by, Entities: f.Entities, Triples: f.Triples, About: f.About}
	if len(f.Triples) > 0 {
		out.Said = SaidIn(d)
	}
	if f.Quote != f.Text {
		out.Quote = f.Quote
	}
	return out, len(f.Entities) > 0 || len(f.Triples) > 0 || out.Quote != "" || f.About != ""
}

// A Store keeps findings in a vault. Its methods may be called from several goroutines.
type Store struct {
	Vault  *vault.Vault
	Index  *Index                    // nil: each question reads all of the file
	Notify func(paths ...vault.Path) // has the graph follow soon; nil: nobody has it
}

// Append writes findings and returns when they are safe on disk. A finding without a time gets the present one.
func (s Store) Append(ctx context.Context, list ...Finding) error {
	tell := false
	list = slices.Clone(list)
	for i := range list {
		f := &list[i]
		if f.At.IsZero() {
			f.At = s.Vault.Now()
		}
		f.At = f.At.UTC().Truncate(time.Second)
		tell = tell || len(f.Triples) > 0
	}
	if err := records.Append(ctx, s.Vault, list...); err != nil {
		return fmt.Errorf("write what was found out: %w", err)
	}
	if tell && s.Notify != nil {
		s.Notify(File)
	}
	return nil
}

// OfText is the newest finding that rests on a text, by its hash, and fits; false where none does.
func (s Store) OfText(hash string, fits func(Finding) bool) (Finding, bool, error) {
	return s.find(textName(hash), fits)
}

// OfID is the newest finding of a fact or drawer that fits; false where none does.
func (s Store) OfID(id string, fits func(Finding) bool) (Finding, bool, error) {
	return s.find(idName(id), fits)
}

func (s Store) find(name uint64, fits func(Finding) bool) (Finding, bool, error) {
	x := s.Index
	if x == nil {
		x = &Index{}
	}
	f, ok, err := x.find(s.Vault, name, fits)
	if err != nil {
		return Finding{}, false, fmt.Errorf("read what was found out: %w", err)
	}
	return f, ok, nil
}

// Shown is what is known of a fact or drawer of which so much of the text is shown, without what was forgotten. What was found out about
// more of the text, or about other words, tells what is not shown: it does not count.
func (s Store) Shown(id, text string) (Finding, error) {
	hash := Hash(text)
	f, _, err := s.OfID(id, func(f Finding) bool { return f.Text == hash })
	if err != nil {
		return Finding{}, err
	}
	stones, err := s.Vault.Tombstones()
	if err != nil {
		return Finding{}, err
	}
	return f.without(stones), nil
}

// without is a finding without its texts that were forgotten.
func (f Finding) without(stones *vault.Tombstones) Finding {
	gone := func(text string) bool { return stones.Visible(text) != text }
	f.Entities = slices.DeleteFunc(f.Entities, gone)
	f.Triples = slices.DeleteFunc(f.Triples, func(t extract.Triple) bool { return gone(t.Text()) })
	for _, text := range []*string{&f.Quote, &f.Summary} {
		if gone(*text) {
			*text = ""
		}
	}
	return f
}

// Drop takes out findings that are gone.
func (s Store) Drop(gone func(Finding) bool) error {
	changed, err := records.Edit(s.Vault, func(f *Finding) vault.Fate { return vault.GoesIf(gone(*f)) }, nil)
	if changed && s.Notify != nil {
		s.Notify(File)
	}
	return err
}

// Kind is the findings as a kind of record. What was found of a forgotten text stays until that is purged: nobody finds it without the
// text.
func (s Store) Kind() forget.Kind {
	return forget.Kind{Name: "finding", Owns: forget.Files(string(File)), Purge: s.purge}
}

func (s Store) purge(ctx context.Context, p *forget.Purge) error {
	texts, err := s.texts(ctx)
	if err != nil {
		return err
	}
	return forget.PurgeRecords(p, s.Vault, records, func(f *Finding) vault.Fate {
		text, known := texts[f.ID]
		return vault.GoesIf(known && text != f.Text && f.Ends == nil || p.Rows[f.ID] || f.Tells(p.Tells))
	})
}

// texts are the hashes of what was not forgotten of the drawers that have findings. A finding on more than that tells the rest in other
// words.
func (s Store) texts(ctx context.Context) (map[string]string, error) {
	of := map[string]bool{}
	err := records.Each(s.Vault, func(f Finding) { of[f.ID] = true }) // what cannot be parsed is judged by its bytes
	if err != nil || len(of) == 0 {
		return nil, err
	}
	stones, err := s.Vault.Tombstones()
	if err != nil {
		return nil, err
	}
	texts := map[string]string{}
	err = s.Vault.EachDrawer(ctx, nil, func(_ vault.Path, d *vault.Drawer) {
		if of[d.ID] {
			texts[d.ID] = Hash(stones.Cut(d.Text))
		}
	})
	return texts, err
}

// Tells says whether one of the texts of a finding tells something.
func (f Finding) Tells(what func(string) bool) bool {
	texts := append([]string{f.Quote, f.Summary}, f.Entities...)
	for _, t := range f.Triples {
		texts = append(texts, t.Text())
	}
	return slices.ContainsFunc(texts, func(text string) bool { return text != "" && what(text) })
}
