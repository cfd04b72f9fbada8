package operations

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/graph"
	"github.com/reverie-memory/reverie/palace"
	"github.com/reverie-memory/reverie/palace/drawers"
	"github.com/reverie-memory/reverie/vault"
	"github.com/reverie-memory/reverie/workspace"
)

// Import takes in a part of an import; see [workspace.Imports] and [palace.Intake.Import].
func (m Memory) Import(ctx context.Context, r api.Import) (api.ImportResult, error) {
	none := api.ImportResult{ID: r.ID, Problems: []string{}, Degraded: []string{}}
	r, redactions, err := admit(m, r)
	if err != nil {
		return none, err
	}
	if err := m.WaitReady(ctx); err != nil { // what is stored is looked up
		return none, err
	}
	part, err := m.part(r)
	if err != nil {
		return none, err
	}
	var res palace.ImportReceipt
	out := none
	if r.DryRun {
		res, err = m.Intake().Import(ctx, part.Import)
	} else {
		if out.ID = r.ID; r.ID == "" {
			out.ID, err = m.Imports().Begin(vault.Source{Path: r.Path, Form: r.Form, Wing: r.Wing, Room: r.Room, Model: r.WithModel})
		}
		if err == nil {
			j, taken, failed := m.Imports().Take(ctx, out.ID, part)
			out.JobID, res, err = j.ID, taken, failed
		}
	}
	out.Messages, out.Known, out.Skipped, out.Facts, out.Triples = res.Messages, res.Known, res.Skipped, res.Facts, res.Triples
	out.Events, out.Redactions, out.Problems, out.Degraded = res.Events, redactions, list(res.Problems), list(res.Degraded)
	return out, err
}

// part is a request as the palace takes it.
func (m Memory) part(r api.Import) (workspace.Part, error) {
	p := workspace.Part{Done: r.Done, Total: r.Total, End: r.End}
	p.DryRun, p.Source.Model = r.DryRun, r.WithModel
	now := m.Vault().Now()
	for i, msg := range r.Messages {
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
			Agent: msg.Agent, Wing: cmp.Or(msg.Wing, r.Wing), Room: cmp.Or(msg.Room, r.Room), Hall: msg.Hall, Noise: msg.Noise,
		}
		p.Messages = append(p.Messages, palace.Imported{
			Told: msg.Told, Drawer: d, Triples: asserted(&d, msg.Triples), Events: became(&d, msg.Events),
		})
	}
	for i, a := range r.Assertions {
		e := graph.Event{
			Kind: a.Kind, At: a.At, Subject: a.Subject, Predicate: a.Predicate, Object: a.Object, Was: a.Was, ValidFrom: vault.Day(a.ValidFrom),
			ValidTo: vault.Day(a.ValidTo), Confidence: a.Confidence, Source: a.Source, Also: a.Also, Only: a.Only, Speaker: a.Speaker,
			Origin: vault.Origin(a.Origin), Agent: a.Agent, Wing: cmp.Or(a.Wing, r.Wing),
		}
		if !vault.Sayable(a.At, now) {
			return p, api.Refuse("assertions["+strconv.Itoa(i)+"].at", unsayable)
		}
		if err := e.Validate(); err != nil {
			return p, api.Refuse("assertions["+strconv.Itoa(i)+"]", err.Error())
		}
		p.Assertions = append(p.Assertions, e)
	}
	for i, f := range r.Facts {
		if !vault.Sayable(f.At, now) {
			return p, api.Refuse("facts["+strconv.Itoa(i)+"].at", unsayable)
		}
		p.Facts = append(p.Facts, vault.SectionFacts{
			Section: vault.Section{
				At: f.At.UTC(), ChatID: f.ChatID, Turn: f.TurnID, Origin: vault.Origin(f.Role), Agent: f.Agent, Drawer: f.Drawer,
				Ref:     f.Ref,
				Speaker: f.Speaker, Wing: cmp.Or(f.Wing, r.Wing), Room: cmp.Or(f.Room, r.Room),
			},
			Facts: []vault.Fact{{
				ID:       cmp.Or(f.ID, vault.DeriveID('f', cmp.Or(f.Drawer, f.ChatID), f.Content, "0")),
				Category: f.Category, Text: f.Content, Tags: f.Tags,
			}},
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
func became(d *vault.Drawer, events []api.ImportEvent) (out []drawers.Event) {
	for _, e := range events {
		out = append(out, drawers.Event{
			Kind: e.Kind, At: e.At, Drawer: d.ID, Day: vault.DayOf(d.At.UTC()), Wing: e.Wing, Room: e.Room, Hall: e.Hall, Reason: e.Reason,
		})
	}
	return out
}

// unsayable is what to say of a time that is not [vault.Sayable].
const unsayable = "must lie between the year 1970 and a day from now"

// ListImports lists the imports that brought something.
func (m Memory) ListImports(_ context.Context) (api.Imports, error) {
	sources, err := m.Vault().Sources(vault.SourceImport)
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
	if err := m.WaitReady(ctx); err != nil {
		return api.Unimported{Pages: []string{}}, err
	}
	gone, err := m.Imports().Undo(ctx, q.ID)
	out := api.Unimported{ID: q.ID, Messages: gone.Messages, Kept: gone.Kept, Facts: len(gone.Facts), Pages: []string{}}
	if err != nil || len(gone.Facts) == 0 {
		return out, err
	}
	_, err = m.Vault().Walk(ctx, func(p vault.Path, _ vault.FileInfo) error {
		if vault.IsDaily(p) {
			return nil
		}
		data, err := m.Vault().ReadFile(p)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(page.Sources(string(data)), func(s page.Source) bool { return gone.Facts[s.ID] }) {
			out.Pages = append(out.Pages, string(p))
		}
		return nil
	})
	return out, err
}
