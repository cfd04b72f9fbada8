package dream

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/reverie-memory/reverie/dream/navigate"
	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/vault"
)

// planVersion is raised when a saved plan would be read wrongly by an older program, or an older plan by this one.
const planVersion = 1

// errPlan says that the bytes of a plan are not what a run wrote.
var errPlan = errors.New("the plan cannot be read")

// A Plan is all that a run is going to do, on disk before any page changes. Applying it twice equals applying it once.
type Plan struct {
	Version   int            `json:"version"`
	Run       string         `json:"run"`
	Started   time.Time      `json:"started"`
	Mode      Mode           `json:"mode"`
	Skip      bool           `json:"skip,omitempty"`
	Days      []vault.Day    `json:"days"`
	Was       vault.Day      `json:"was"`       // watermark before
	Watermark vault.Day      `json:"watermark"` // and after
	Pages     []PagePlan     `json:"pages"`
	Drops     []Op           `json:"drops,omitempty"` // facts that go to no page
	Ledger    []LedgerLine   `json:"ledger"`
	Known     []openConflict `json:"known,omitempty"`     // questions that were open before
	Conflicts []openConflict `json:"conflicts,omitempty"` // open when the run is done
	Forgotten string         `json:"forgotten,omitempty"` // version of the tombstones that the pages follow then
	Counts    planCounts     `json:"counts"`
	Model     *ModelUse      `json:"model,omitempty"`
	Notes     []string       `json:"notes,omitempty"`

	gone  map[page.Source]bool // lines that left the logs, whose statements were looked for
	texts []string             // that the pages will hold by this run's hand, kept in writtenFile

	resumed bool // an earlier try was cut off: pages may be as planned, and edited since
	left    bool // pages were left out of it since it was saved
}

type planCounts struct {
	Settled   int `json:"settled,omitempty"`
	Forgotten int `json:"forgotten,omitempty"`
	Replanned int `json:"replanned,omitempty"` // pages that changed under the run, and were left to the next
}

// A PagePlan is what happens to one page.
type PagePlan struct {
	Path   vault.Path `json:"path"`
	Before vault.Hash `json:"before"` // zero: the page must not exist
	After  vault.Hash `json:"after"`
	Ops    []Op       `json:"ops"`
	// Content: the ops touch more than a list in 0_Inbox.
	Content bool `json:"content"`

	page    []byte // as it will be, where the planner has kept it: see keptPages
	written bool   // the page is as planned
}

// taken tells that the page goes: see [TakePage].
func (p *PagePlan) taken() bool { return len(p.Ops) > 0 && p.Ops[len(p.Ops)-1].Kind == TakePage }

func (p *PagePlan) change() string {
	if p.taken() {
		return "moved"
	}
	if p.Before == (vault.Hash{}) {
		return created
	}
	return "updated"
}

// A LedgerLine says what became of one fact, and where it came from. docs/file-formats.md describes the file.
type LedgerLine struct {
	Fact     string       `json:"fact"`
	Day      vault.Day    `json:"day"`
	Outcome  Outcome      `json:"outcome"`
	Run      string       `json:"run"`
	Page     vault.Path   `json:"page,omitempty"`
	Reason   string       `json:"reason,omitempty"`
	By       string       `json:"by,omitempty"`
	Category string       `json:"category,omitempty"` // "" for general
	Drawer   string       `json:"drawer,omitempty"`
	Ref      string       `json:"ref,omitempty"`
	Speaker  string       `json:"speaker,omitempty"`
	Chat     string       `json:"chat,omitempty"`
	Origin   vault.Origin `json:"origin,omitempty"`
	Turn     string       `json:"turn,omitempty"`
	Agent    string       `json:"agent,omitempty"`
	Wing     string       `json:"wing,omitempty"`
	Room     string       `json:"room,omitempty"`
	Hall     string       `json:"hall,omitempty"`
	At       time.Time    `json:"at,omitzero"`
	Indexed  bool         `json:"indexed,omitempty"` // its line stays in search: the page answers worse for it
	Version  string       `json:"version,omitempty"` // of the fact's text: see [vault.Fact.Version]
}

func newLedgerLine(run string, f *vault.Fact) LedgerLine {
	s := &f.Section
	category := f.Category
	if category == vault.DefaultCategory {
		category = ""
	}
	return LedgerLine{
		Category: category, Fact: f.ID, Day: f.Day, Run: run, Drawer: s.Drawer, Ref: s.Ref, Speaker: s.Speaker, Chat: s.ChatID, Origin: s.Origin,
		Turn: s.Turn, Agent: s.Agent, Wing: s.Wing, Room: s.Room, Hall: s.Hall, At: s.At, Version: f.Version(),
	}
}

func (l *LedgerLine) source() page.Source { return page.Source{Day: l.Day, ID: l.Fact} }

// tally counts the outcomes; every outcome has a count.
func tally(ledger []LedgerLine) map[Outcome]int {
	out := map[Outcome]int{}
	for _, o := range Outcomes() {
		out[o] = 0
	}
	for i := range ledger {
		out[ledger[i].Outcome]++
	}
	return out
}

func decodePlan(data []byte) (*Plan, error) {
	var p Plan
	if err := json.Unmarshal(data, &p); err != nil {
		return nil, fmt.Errorf("%w: %w", errPlan, err)
	}
	if p.Version < 1 || p.Run == "" {
		return nil, fmt.Errorf("%w: it names no run or no version", errPlan)
	}
	if p.Version != planVersion {
		return nil, fmt.Errorf("the plan has version %d, this program knows %d", p.Version, planVersion)
	}
	return &p, nil
}

// report is the plan as it will have been carried out.
func (p *Plan) report(status Status) Report {
	rep := Report{
		Run: p.Run, Status: status, Mode: p.Mode, Days: p.Days, Facts: len(p.Ledger), Ledger: tally(p.Ledger), Pages: []PageChange{},
		Watermark: p.Watermark, Started: p.Started, Settled: p.Counts.Settled, Forgotten: p.Counts.Forgotten,
		Replanned: p.Counts.Replanned, Conflicts: len(p.Conflicts), Model: p.Model, Notes: p.Notes,
	}
	rep.Degraded = []string{}
	if p.Model != nil && p.Model.Stopped != "" {
		rep.Degraded = append(rep.Degraded, "the model stopped early ("+p.Model.Stopped+"): the rules did the rest")
	}
	if rep.Days == nil {
		rep.Days = []vault.Day{}
	}
	for i := range p.Ledger {
		rep.Late += boolInt(p.Ledger[i].Day <= p.Was)
	}
	for i := range p.Pages {
		rep.Pages = append(rep.Pages, PageChange{p.Pages[i].Path, p.Pages[i].change()})
	}
	return rep
}

// nothingToWrite says whether no fact of the batch asks for a change: each was dropped, or stands on a page already.
func (p *Plan) nothingToWrite() bool {
	return !slices.ContainsFunc(p.Ledger, func(l LedgerLine) bool {
		return l.Outcome != Dropped && l.Reason != saidByPerson && l.Reason != saidTrusted && l.Reason != standsAlready
	})
}

// The reasons of facts that are on a page without an op of the run.
const (
	saidByPerson  = "a line that a person wrote says it"
	saidTrusted   = "a line on more trusted words says it"
	standsAlready = "it stood there already"
)

// content says whether a page changes that is more than a list of questions. A list of unfiled facts is one: it is where they are
// read from then on.
func (w places) content(p *Plan) bool {
	for i := range p.Pages {
		if p.Pages[i].Content || p.Pages[i].Path == w.At(navigate.UnfiledPath) || p.Pages[i].Path == w.At(navigate.UnconfirmedPath) {
			return true
		}
	}
	return false
}
