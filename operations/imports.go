package operations

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/graph"
	"github.com/reverie-memory/reverie/imports"
	"github.com/reverie-memory/reverie/palace"
	"github.com/reverie-memory/reverie/palace/drawers"
	"github.com/reverie-memory/reverie/palace/findings"
	"github.com/reverie-memory/reverie/vault"
)

// Import takes in a part of an import; see [imports.Room] and [palace.Intake.Import].
func (m Memory) Import(ctx context.Context, r api.Import) (api.ImportResult, error) {
	none := api.ImportResult{ID: r.ID, Problems: []string{}, Degraded: []string{}}
	r, redactions, err := admit(m, r)
	if err != nil {
		return none, err
	}
	if err := m.Follower.WaitReady(ctx); err != nil { // what is stored is looked up
		return none, err
	}
	part, err := m.part(r)
	if err != nil {
		return none, err
	}
	var res palace.ImportReceipt
	out := none
	if r.DryRun {
		res, err = m.Intake.Import(ctx, part.Import)
	} else {
		if out.ID = r.ID; r.ID == "" {
			out.ID, err = m.Imports.Begin(vault.Source{Path: r.Path, Form: r.Form, Wing: r.Wing, Room: r.Room, Hall: r.Hall, Model: r.WithModel})
		}
		if err == nil {
			taken, failed := m.Imports.Take(ctx, out.ID, part)
			out.JobID, out.Listed, res, err = taken.Job.ID, taken.Listed, taken.ImportReceipt, failed
		}
	}
	out.Messages, out.Known, out.Skipped, out.Facts, out.Triples = res.Messages, res.Known, res.Skipped, res.Facts, res.Triples
	out.Events, out.Redactions, out.Problems, out.Degraded = res.Events, redactions, list(res.Problems), list(res.Degraded)
	return out, err
}

// part is a request as the palace takes it.
func (m Memory) part(r api.Import) (imports.Part, error) {
	p := imports.Part{Done: r.Done, Total: r.Total}
	p.DryRun, p.End, p.Source.Model = r.DryRun, r.End, r.WithModel
	now := m.Vault.Now()
	for i, msg := range r.Messages {
		if msg.ChatID == "" && msg.ID == "" {
			return p, api.Refuse("messages["+strconv.Itoa(i)+"].chat_id", "must not be empty")
		}
		at := now
		if msg.At != nil {
			at = *msg.At
		}
		if !vault.Sayable(at, now) {
			return p, api.Refuse("messages["+strconv.Itoa(i)+"].at", unsayable)
		}
		d := vault.Drawer{
			ID: cmp.Or(msg.ID, palace.DrawerID(msg.ChatID, msg.TurnID, msg.Place)), At: at, ChatID: msg.ChatID, Title: msg.Title,
			Turn: msg.TurnID, Origin: vault.Origin(msg.Role), Speaker: msg.Speaker, Text: msg.Content, Ref: msg.Ref, Platform: msg.Platform,
			Agent: msg.Agent, Wing: cmp.Or(msg.Wing, r.Wing), Room: cmp.Or(msg.Room, r.Room), Hall: cmp.Or(msg.Hall, r.Hall), Noise: msg.Noise,
			SourceFile: msg.SourceFile, AddedBy: msg.AddedBy,
		}
		if msg.FiledAt != nil {
			if d.Filed = *msg.FiledAt; !vault.Sayable(d.Filed, now) {
				return p, api.Refuse("messages["+strconv.Itoa(i)+"].filed_at", unsayable)
			}
		}
		events, err := became(&d, msg.Events)
		if err == nil {
			p.Findings, err = foundOut(p.Findings, d.ID, msg.Findings)
		}
		if err != nil {
			return p, api.Refuse("messages["+strconv.Itoa(i)+"]", err.Error())
		}
		p.Messages = append(p.Messages, palace.Imported{Told: msg.Told, Drawer: d, Triples: asserted(&d, msg.Triples), Events: events})
	}
	for i, a := range r.Assertions {
		e, err := reshaped[graph.Event](a)
		if e.Wing = cmp.Or(e.Wing, r.Wing); !vault.Sayable(a.At, now) {
			return p, api.Refuse("assertions["+strconv.Itoa(i)+"].at", unsayable)
		}
		if err == nil {
			err = e.Validate()
		}
		if err != nil {
			return p, api.Refuse("assertions["+strconv.Itoa(i)+"]", err.Error())
		}
		p.Assertions = append(p.Assertions, e)
	}
	for i, f := range r.Facts {
		if !vault.Sayable(f.At, now) {
			return p, api.Refuse("facts["+strconv.Itoa(i)+"].at", unsayable)
		}
		id := cmp.Or(f.ID, vault.DeriveID('f', cmp.Or(f.Drawer, f.ChatID), f.Content, "0"))
		found, err := foundOut(p.Findings, id, f.Findings)
		if p.Findings = found; err != nil {
			return p, api.Refuse("facts["+strconv.Itoa(i)+"]", err.Error())
		}
		p.Facts = append(p.Facts, palace.ImportedFact{
			Diary: f.Diary, Section: vault.Section{
				At: f.At.UTC(), ChatID: f.ChatID, Turn: f.TurnID, Origin: vault.Origin(f.Role), Agent: f.Agent, Drawer: f.Drawer,
				Beside: f.Beside, Ref: f.Ref,
				Speaker: f.Speaker, Wing: cmp.Or(f.Wing, r.Wing), Room: cmp.Or(f.Room, r.Room), Hall: cmp.Or(f.Hall, r.Hall),
			},
			Fact: vault.Fact{ID: id, Category: f.Category, Text: f.Content, Tags: f.Tags},
		})
	}
	return p, nil
}

// asserted are the triples of a drawer as events that rest on it. An import tells the words of others.
func asserted(d *vault.Drawer, triples []api.ImportTriple) (out []graph.Event) {
	for _, t := range triples {
		out = append(out, graph.Event{
			Kind: graph.Assert, At: d.At, Subject: t.Subject, Predicate: graph.PredicateKey(t.Predicate), Object: t.Object, Source: d.ID,
			Origin: vault.OriginImport, Agent: d.Agent, Wing: d.Wing,
		})
	}
	return out
}

// became is what became of a drawer.
func became(d *vault.Drawer, events []api.ImportEvent) (out []drawers.Event, err error) {
	for _, e := range events {
		one, err := reshaped[drawers.Event](e)
		if err != nil {
			return nil, err
		}
		if one.Drawer = d.ID; drawers.Dated(e.Kind) {
			one.Day = vault.DayOf(d.At.UTC())
		}
		out = append(out, one)
	}
	return out, nil
}

// foundOut adds what was found out about a drawer or fact.
func foundOut(to []findings.Finding, id string, list []api.ImportFinding) ([]findings.Finding, error) {
	for _, f := range list {
		one, err := reshaped[findings.Finding](f)
		if err != nil {
			return to, err
		}
		one.ID = id
		to = append(to, one)
	}
	return to, nil
}

// reshaped is a part of a request as the line of a state file that has the same keys.
func reshaped[T any](part any) (line T, err error) {
	raw, err := json.Marshal(part)
	if err == nil {
		err = json.Unmarshal(raw, &line)
	}
	return line, err
}

// unsayable is what to say of a time that is not [vault.Sayable].
const unsayable = "must lie between the year 1970 and a day from now"

// ListImports lists the imports that brought something.
func (m Memory) ListImports(ctx context.Context) (api.Imports, error) {
	sources, err := m.Imports.List(ctx)
	out := api.Imports{Imports: []api.Imported{}}
	for _, s := range slices.Backward(sources) {
		out.Imports = append(out.Imports, api.Imported{
			ID: s.ID, At: s.At.UTC().Truncate(time.Second), Path: s.Path, Form: s.Form, Messages: s.Messages, Facts: s.Facts,
			Events: s.Events, Done: s.Done, Undoing: s.Undoing, Undone: s.Undone,
		})
	}
	return out, err
}

// UndoImport takes back what an import brought, and names the pages that tell it all the same.
func (m Memory) UndoImport(ctx context.Context, q api.ByID) (api.Unimported, error) {
	if err := m.Follower.WaitReady(ctx); err != nil {
		return api.Unimported{Pages: []string{}}, err
	}
	gone, err := m.Imports.Undo(ctx, q.ID)
	out := api.Unimported{
		ID: q.ID, Messages: gone.Messages, Kept: gone.Kept, Facts: gone.Taken.Facts, Before: gone.Before, Pages: []string{},
	}
	if err != nil || len(gone.Unimported.Facts) == 0 {
		return out, err
	}
	_, err = m.Vault.Walk(ctx, func(p vault.Path, _ vault.FileInfo) error {
		if vault.IsDaily(p) {
			return nil
		}
		data, err := m.Vault.ReadFile(p)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(page.Sources(string(data)), func(s page.Source) bool { return gone.Unimported.Facts[s.ID] }) {
			out.Pages = append(out.Pages, string(p))
		}
		return nil
	})
	return out, err
}
