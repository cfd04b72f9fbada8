package operations

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/dream/agent"
	"github.com/reverie-memory/reverie/extract"
	"github.com/reverie-memory/reverie/vault"
)

// DreamPrompt tells an assistant how to dream in one go, with the steps of [DreamStep].
//
//go:embed dream.md
var DreamPrompt string

// DreamStep does one step of a dream whose model is the caller; see [dreams.Dreams.Next].
func (m Memory) DreamStep(ctx context.Context, q api.DreamStep) (api.DreamStepped, error) {
	ready := m.Follower.SettleFacts
	switch q.Step {
	case api.StepPropose, api.StepFinish, api.StepAbandon: // of facts that were given before
		ready = m.Follower.WaitReady
	}
	if err := ready(ctx); err != nil {
		return api.DreamStepped{}, err
	}
	if err := checkStep(q); err != nil {
		return api.DreamStepped{}, err
	}
	d := m.Consolidation
	out := api.DreamStepped{Run: q.Run}
	var err error
	switch q.Step {
	case api.StepNext:
		err = m.nextFacts(ctx, q, &out)
	case api.StepPropose:
		err = m.proposeOps(ctx, q, &out)
	case api.StepAbandon:
		if err = d.Abandon(ctx, q.Run); err == nil {
			out.Hint = "the dream is dropped; nothing of it was done, and its facts wait for the next one"
		}
	case api.StepFinish:
		rep, failed := d.Finish(ctx, q.Run, q.DryRun)
		report, unread := m.consolidation(ctx, rep)
		out.Report, out.Hint, err = &report, told(rep.Run != "" && !q.DryRun), cmp.Or(failed, unread)
	default:
		rep, failed := d.Consolidate(ctx, q.DryRun)
		report, unread := m.consolidation(ctx, rep)
		out.Report, out.Hint, err = &report, told(rep.Run != "" && !q.DryRun), cmp.Or(failed, unread)
	}
	if err != nil {
		return api.DreamStepped{}, refusal(err)
	}
	if q.Step == api.StepNext || q.Step == api.StepPropose {
		out.Until = m.heldUntil(out.Run)
	}
	return out, nil
}

func told(written bool) string {
	if written {
		return "done; `reverie dream show` tells what changed, and `reverie dream undo` takes it back"
	}
	return "nothing was written"
}

// checkStep refuses fields that the step does not take.
func checkStep(q api.DreamStep) error {
	named := q.Step == api.StepPropose || q.Step == api.StepFinish || q.Step == api.StepAbandon
	switch {
	case named && q.Run == "":
		return api.Refuse("run", q.Step+" needs the run that step next gave")
	case !named && q.Step != api.StepNext && q.Run != "":
		return api.Refuse("run", "the step run takes none: it is a dream of its own")
	case q.Step != api.StepPropose && len(q.Ops) > 0:
		return api.Refuse("ops", "only propose takes ops")
	case q.DryRun && (q.Step == api.StepNext || q.Step == api.StepPropose || q.Step == api.StepAbandon):
		return api.Refuse("dry_run", "only run and finish take it; next, propose and abandon write nothing")
	}
	return nil
}

func (m Memory) heldUntil(run string) string {
	if h := m.Consolidation.Held(); h != nil && h.Run == run {
		return rfc(h.Until)
	}
	return ""
}

func (m Memory) nextFacts(ctx context.Context, q api.DreamStep, out *api.DreamStepped) error {
	id, sheet, lost, err := m.Consolidation.Next(ctx, q.Run, q.Agent)
	if err != nil {
		return err
	}
	if out.Run, out.Lost, out.Left = id, lost, sheet.Left; id == "" {
		out.Hint = "no facts wait: there is nothing to dream of"
		st, err := m.Consolidation.Status(ctx)
		if st.Today > 0 {
			out.Hint = fmt.Sprintf("no facts of past days wait: there is nothing to dream of yet. Facts of today, which wait until the day "+
				"ends (UTC): %d", st.Today)
		}
		return err
	}
	if sheet.First {
		out.Rules = agent.CallerRules
	}
	for _, f := range sheet.Facts {
		out.Facts = append(out.Facts, api.StepFact{
			ID: f.ID, Text: extract.Escape(f.Text), Day: string(f.Day), Speaker: extract.Escape(f.Section.Speaker),
			Origin: string(cmp.Or(f.Section.Origin, vault.OriginUser)), Page: extract.Escape(string(f.Page)),
		})
	}
	for _, p := range sheet.Pages {
		out.Pages = append(out.Pages, api.StepPage{
			Path: extract.Escape(string(p.Path)), Title: extract.Escape(p.Title), New: p.Hash == "", Hash: p.Hash, Text: p.Text,
		})
	}
	if out.Hint = "propose ops for these facts, then ask for next"; len(sheet.Facts) == 0 {
		out.Hint = "no more facts: finish"
	}
	return nil
}

func (m Memory) proposeOps(ctx context.Context, q api.DreamStep, out *api.DreamStepped) error {
	var ops []json.RawMessage
	for _, op := range q.Ops {
		raw, err := json.Marshal(op)
		if err != nil {
			return fmt.Errorf("encode an op: %w", err)
		}
		ops = append(ops, raw)
	}
	v, err := m.Consolidation.Propose(ctx, q.Run, ops)
	if err != nil {
		return err
	}
	out.Open, out.Lost = v.Open, v.Lost
	refused := false
	for _, r := range v.Ops {
		out.Results = append(out.Results, api.StepResult{Accepted: r.Accepted, Why: extract.Escape(r.Why)})
		refused = refused || !r.Accepted
	}
	switch {
	case refused:
		out.Hint = "correct what was refused and propose it again, or ask for next: the rules file what no op accounts for"
	case len(v.Open) > 0:
		out.Hint = "propose for the open facts, or ask for next: the rules file what no op accounts for"
	default:
		out.Hint = "ask for next"
	}
	return nil
}
