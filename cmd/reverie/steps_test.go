package main

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/api"
)

// step asks the daemon for a step of a dream.
func (d *process) step(t *testing.T, in api.DreamStep, want int) api.DreamStepped {
	t.Helper()
	var out struct {
		api.DreamStepped
		Detail string `json:"detail"`
	}
	status, err := d.send(t.Context(), http.MethodPost, "/memory/dream/step", in, &out)
	if err != nil || status != want {
		t.Fatalf("%+v: status %d, %s: %v\n%s", in, status, out.Detail, err, d.log)
	}
	return out.DreamStepped
}

// A client over HTTP dreams step by step: the daemon is killed after its first proposals, a second client comes, and at the end every
// fact is accounted for once, the index equals the files, and the dream can be taken back.
func TestADreamInStepsOverHTTP(t *testing.T) {
	p := newPlace(t)
	facts := writeLogs(t, p, 4, 12)
	before := pagesOf(t, p)
	d := p.start(t)
	in := api.DreamStep{Step: api.StepNext, Agent: "codex"}
	in.Run = d.step(t, in, http.StatusOK).Run
	d.step(t, api.DreamStep{Step: api.StepPropose, Run: in.Run, Ops: []api.DreamOp{{
		Op: "drop", Facts: []string{"f000000000"},
		Reason: "no",
	}}}, 200)
	d.kill()
	if after := pagesOf(t, p); len(after) != len(before) {
		t.Errorf("pages were written: %d, before %d", len(after), len(before))
	}

	d = p.start(t)
	in.Step = api.StepFinish
	d.step(t, in, http.StatusNotFound)
	in = api.DreamStep{Step: api.StepNext, Agent: "claude-code"}
	accepted, given := 0, map[string]bool{}
	for {
		sheet := d.step(t, in, http.StatusOK)
		in.Run = sheet.Run
		if len(sheet.Facts) == 0 {
			break
		}
		d.step(t, api.DreamStep{Step: api.StepNext, Agent: "codex"}, http.StatusConflict)
		d.step(t, api.DreamStep{}, http.StatusConflict)
		answer := d.step(t, api.DreamStep{Step: api.StepPropose, Run: in.Run, Ops: filed(sheet)}, http.StatusOK)
		for _, r := range answer.Results {
			if !r.Accepted {
				t.Errorf("refused: %s", r.Why)
			}
			accepted++
		}
		for _, f := range sheet.Facts {
			if given[f.ID] || !facts[f.ID] {
				t.Errorf("%s was given twice, or is none of the facts", f.ID)
			}
			given[f.ID] = true
		}
	}
	var st api.Status
	if _, err := d.send(t.Context(), http.MethodGet, "/memory/status", nil, &st); err != nil || st.Dream.Steps == nil ||
		st.Dream.Steps.Agent != "claude-code" {
		t.Errorf("status %+v: %v", st.Dream.Steps, err)
	}
	in.Step = api.StepFinish
	rep := d.step(t, in, http.StatusOK).Report
	if rep == nil || rep.Status != "consolidated" || rep.Facts != len(facts) || rep.Model.Accepted != accepted || accepted < len(given) {
		t.Fatalf("%+v; %d accepted of %d facts", rep, accepted, len(given))
	}
	if again := d.step(t, in, http.StatusOK).Report; again == nil || again.RunID != rep.RunID {
		t.Errorf("finished again: %+v", again)
	}
	verifyOK(t, d)
	var det api.DreamDetail
	if _, err := d.send(t.Context(), http.MethodGet, "/memory/dreams/latest", nil, &det); err != nil || det.FactsAll != len(facts) {
		t.Errorf("%d outcomes of %d facts: %v", det.FactsAll, len(facts), err)
	}
	for _, f := range det.Facts {
		if want := map[bool]string{true: "claude-code", false: "rules"}[given[f.Fact]]; f.By != want {
			t.Errorf("%s is by %s, want %s", f.Fact, f.By, want)
		}
	}
	if status, err := d.send(t.Context(), http.MethodPost, "/memory/dreams/latest/undo", nil, nil); err != nil || status != http.StatusOK {
		t.Errorf("undo: status %d: %v", status, err)
	}
	verifyOK(t, d)
}

// filed are ops that put each fact where it seems to belong.
func filed(sheet api.DreamStepped) []api.DreamOp {
	var ops []api.DreamOp
	for _, p := range sheet.Pages {
		if p.New {
			ops = append(ops, api.DreamOp{Op: "create_page", Page: p.Path, Title: p.Title})
		}
	}
	for _, f := range sheet.Facts {
		ops = append(ops, api.DreamOp{Op: "add", Page: f.Page, Section: "Life", Text: f.Text, Facts: []string{f.ID}})
	}
	return ops
}

// Fields that a step does not take are refused, so that nobody believes that they did something.
func TestStepsTakeTheirFieldsAlone(t *testing.T) {
	d := newPlace(t).start(t)
	for _, in := range []api.DreamStep{
		{Step: "dream"},
		{Step: api.StepPropose},
		{Step: api.StepFinish},
		{Step: api.StepAbandon},
		{Run: "n1"},
		{Step: api.StepNext, Ops: []api.DreamOp{{Op: "add"}}},
		{Step: api.StepNext, DryRun: true},
		{Step: api.StepPropose, Run: "n1", Ops: []api.DreamOp{{Op: "remove"}}},
		{Step: api.StepPropose, Run: "n1", Ops: slices.Repeat([]api.DreamOp{{Op: "add"}}, 41)},
		{Step: api.StepFinish, Run: strings.Repeat("n", 41)},
	} {
		d.step(t, in, http.StatusUnprocessableEntity)
	}
	d.step(t, api.DreamStep{Step: api.StepAbandon, Run: "n1"}, http.StatusNotFound)
	if got := d.step(t, api.DreamStep{Step: api.StepNext}, http.StatusOK); got.Run != "" || got.Hint == "" {
		t.Errorf("nothing waits: %+v", got)
	}
	if got := d.step(t, api.DreamStep{}, http.StatusOK); got.Report == nil || got.Report.Status != "nothing_pending" {
		t.Errorf("%+v", got)
	}
}
