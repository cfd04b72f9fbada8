package worker

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/llm"
	"github.com/reverie-memory/reverie/palace/drawers"
	"github.com/reverie-memory/reverie/palace/findings"
)

// roundDrawers is how many drawers a round compares, and how many one of enrich is about.
const roundDrawers = 100

// process has a model say what raw drawers are, and compares those of which that is decided with others.
func (r *Room) process(ctx context.Context) (done int, more bool, err error) {
	s := &r.shelf
	known := s.seen != nil && s.generation == r.opt.Reader().Generation()
	if !known || !s.passing || !s.linking || len(s.loose) < roundDrawers { // a look costs as much as there are drawers
		if err := r.look(ctx); err != nil {
			return 0, false, err
		}
	}
	if r.opt.Chat != nil {
		done, err = r.decide(ctx)
	}
	s.linking = false // also what cannot be compared yet waits, but for the next time
	if err == nil {
		err = r.linkLot(ctx)
	}
	if err != nil {
		return done, false, err
	}
	if !s.behind {
		r.told(func() {
			run := r.table[Process]
			run.Linked = s.linked()
			r.table[Process] = run
		})
	}
	undecided := r.opt.Chat != nil && len(s.raw)+len(s.again) > 0 // without a model they stay so
	s.passing = undecided || s.linking && len(s.loose) > 0 || s.behind
	return done, s.passing, nil
}

// linkLot compares those drawers that wait for it and can be compared, as many as a round has.
func (r *Room) linkLot(ctx context.Context) error {
	s := &r.shelf
	pending := s.pending(r.opt.Chat != nil, r.opt.Journal.State())
	lot := s.ready(pending)
	ids := make([]string, len(lot))
	for i, w := range lot {
		ids[i] = w.id
		delete(pending, w.id) // they are compared in the order in which they were filed
	}
	late, err := r.link(ctx, ids, pending)
	for _, w := range lot {
		on, waits := late[w.id]
		if err != nil || waits {
			w.on = on
			s.loose = append(s.loose, w)
		}
		s.linking = s.linking || err == nil && (!waits || on != "")
	}
	return err
}

// decide has a model say what a batch of drawers are.
func (r *Room) decide(ctx context.Context) (int, error) {
	list := &r.shelf.raw
	if len(*list) == 0 {
		if list = &r.shelf.again; len(*list) == 0 && !r.shelf.passing {
			var err error
			if *list, err = r.again(ctx); err != nil {
				return 0, err
			}
		}
	}
	taken := take(list, r.opt.Batch)
	state := r.opt.Journal.State()
	ids := slices.DeleteFunc(slices.Clone(taken), func(id string) bool { // decided meanwhile
		k := state.Of(id)
		return k.Archived != 0 || k.State != "" && k.State != drawers.Raw
	})
	left, err := r.near(ctx, ids)
	done := len(ids) - len(left)
	if err == nil {
		var examined int
		examined, err = r.examine(ctx, left, Process)
		done += examined
	}
	if err != nil {
		*list = append(left, *list...)
	}
	state = r.opt.Journal.State()
	for _, id := range taken {
		if err != nil && slices.Contains(left, id) { // it is taken once more
			continue
		}
		if k := state.Of(id); k.State == drawers.Processed && !k.Linked {
			r.shelf.loose = append(r.shelf.loose, waiting{id: id})
		}
	}
	return done, err
}

// enrich has a model find names and triples in drawers that matter and of which words said what they are.
func (r *Room) enrich(ctx context.Context) (int, bool, error) {
	if err := r.look(ctx); err != nil {
		return 0, false, err
	}
	reads, err := r.reads()
	if err != nil {
		return 0, false, err
	}
	state, now := r.opt.Journal.State(), r.opt.Vault.Now()
	var ids []string
	taken := 0
	for _, w := range r.shelf.poor {
		if len(ids) == roundDrawers {
			break
		}
		taken++
		k := state.Of(w.id)
		if k.Tier != drawers.LLM && !k.Looked && k.State != drawers.Merged && k.Archived == 0 &&
			k.Importance(r.opt.Decay, now, w.filed, reads[w.id].last) >= drawers.DefaultImportance {
			ids = append(ids, w.id)
		}
	}
	done, err := r.examine(ctx, ids, Enrich)
	if err == nil {
		take(&r.shelf.poor, taken)
	}
	return done, err == nil && len(r.shelf.poor) > 0, err
}

// A task is what a worker wants to know of drawers.
type task struct {
	system, schema, names string
	read                  func(verdict, *item, string) (findings.Finding, bool)
	enough                func(findings.Finding) bool // says whether a finding tells it
}

var tasks = map[string]task{
	Process: {
		system: processSystem, schema: processSchema, names: `"type","importance","summary","entities","triples"`,
		read: verdict.finding, enough: whole,
	},
	Enrich: {
		system: enrichSystem, schema: namesSchema, names: `"entities","triples"`,
		read:   func(v verdict, it *item, by string) (findings.Finding, bool) { return v.names(it, by), true },
		enough: func(f findings.Finding) bool { return !strings.HasPrefix(f.By, "rules") },
	},
}

// whole tells findings of process.
func whole(f findings.Finding) bool { return f.Type != "" && f.Importance != nil }

// examine has a model look at drawers, a batch in a call, and writes down what it says. What was found out about the same text before is
// taken from there. examine returns how many drawers are done; also after an error, what was found out is written.
func (r *Room) examine(ctx context.Context, ids []string, worker string) (done int, err error) {
	list, err := r.items(ctx, ids)
	if err != nil || len(list) == 0 {
		return 0, err
	}
	said, err := r.found(list, tasks[worker].enough)
	if err != nil {
		return 0, err
	}
	asked := map[string]bool{}
	open := slices.DeleteFunc(slices.Clone(list), func(it *item) bool { // what is known, or asked about already
		_, known := said[it.hash]
		known, asked[it.hash] = known || asked[it.hash], true
		return known
	})
	if ctx, err = r.allow(ctx); err != nil {
		return 0, err
	}
	isolated, err := r.opt.Isolated()
	if err != nil {
		return 0, err
	}
	for len(open) > 0 && err == nil {
		err = r.judge(ctx, together(&open, func(it *item) string { return around(&it.row, isolated) }, r.opt.Batch), worker, said)
	}
	werr := r.write(ctx, list, func(ctx context.Context, list []*item) error {
		var events []drawers.Event
		events, done = notes(list, said, worker)
		return errors.Join(r.copies(ctx, list, said), r.opt.Journal.Write(ctx, events...))
	})
	if werr != nil {
		return 0, werr
	}
	return done, errors.Join(err, r.opt.Journal.Follow(ctx))
}

// copies writes under the ids of drawers what is known of their texts under others.
func (r *Room) copies(ctx context.Context, list []*item, said map[string]findings.Finding) error {
	var own []findings.Finding
	for _, it := range list {
		if f := said[it.hash]; f.ID != "" && f.ID != it.drawer.ID && !it.own {
			f.ID, f.Quote, f.About = it.drawer.ID, "", ""
			if f.Said != nil {
				f.Said = findings.SaidIn(&it.drawer)
			}
			own = append(own, f)
		}
	}
	if len(own) == 0 {
		return nil
	}
	return r.opt.Findings.Append(ctx, own...)
}

// found is what is known of texts already, by their hash. Items of which it is known under their own id are marked.
func (r *Room) found(list []*item, enough func(findings.Finding) bool) (map[string]findings.Finding, error) {
	said := map[string]findings.Finding{}
	for _, it := range list {
		f, own, err := r.opt.Findings.OfID(it.drawer.ID, func(f findings.Finding) bool { return f.Text == it.hash && enough(f) })
		known := own
		if err == nil && !own {
			f, known, err = r.opt.Findings.OfText(it.hash, enough)
		}
		if err != nil {
			return nil, err
		}
		if it.own = own; known {
			said[it.hash] = f
		}
	}
	return said, nil
}

// allow bounds what the workers may spend in what is left of the day.
func (r *Room) allow(ctx context.Context) (context.Context, error) {
	share, err := r.opt.Share(ctx)
	if err != nil {
		return ctx, fmt.Errorf("%w: what the workers spent is not known: %w", llm.ErrBudget, err)
	}
	return llm.WithAllowance(ctx, llm.NewAllowance(share.left())), nil
}

// A Share is what of the day's tokens the workers may spend, below zero without a limit, and what they have spent.
type Share struct{ Tokens, Spent int }

func (s Share) left() int {
	if s.Tokens < 0 {
		return -1
	}
	return max(0, s.Tokens-s.Spent)
}

// A spentError says that the share is spent, where else an allowance would say that nothing of what is left was.
type spentError struct {
	Share
	need int       // of the call that was not made
	back time.Time // when the next day's share begins
	err  error
}

func (e *spentError) Error() string {
	return fmt.Sprintf("the workers have spent %d of the %d tokens that they may spend a day, and the next call may need %d: the next "+
		"share begins at %s; palace.budget_percent, of llm.daily_token_budget, says how much it is",
		e.Spent, e.Tokens, e.need, e.back.Format("2006-01-02 15:04 MST"))
}

func (e *spentError) Unwrap() error { return e.err }

// plainly says of an error that the share is spent, where that is what it means.
func (r *Room) plainly(ctx context.Context, err error) error {
	var over *llm.OverAllowance
	if !errors.As(err, &over) {
		return err
	}
	share, failed := r.opt.Share(ctx)
	if failed != nil {
		return errors.Join(err, failed)
	}
	return &spentError{share, over.Need, r.now().UTC().Truncate(24 * time.Hour).Add(24 * time.Hour), err}
}

// together takes off a list what one prompt may have: the first and others, in their order, that who sees it sees. A model may put words of
// one text into what it says of another.
func together[T any](list *[]T, side func(T) string, most int) (lot []T) {
	first := side((*list)[0])
	*list = slices.DeleteFunc(*list, func(it T) bool {
		if len(lot) == most || side(it) != first {
			return false
		}
		lot = append(lot, it)
		return true
	})
	return lot
}

// judge asks the model about a batch of drawers and writes down what it says, before anything rests on it.
func (r *Room) judge(ctx context.Context, lot []*item, worker string, said map[string]findings.Finding) error {
	texts := make([]string, len(lot))
	for i, it := range lot {
		texts[i] = it.data()
	}
	fresh := map[*item]findings.Finding{}
	t := tasks[worker]
	q := question[verdict]{purpose: worker, system: t.system, schema: t.schema, names: t.names, check: func(v verdict, i int) bool {
		f, ok := t.read(v, lot[i], r.opt.Chat.Name())
		if ok {
			fresh[lot[i]] = f
		}
		return ok
	}, keep: func() error {
		defer clear(fresh)
		return r.write(ctx, lot, func(ctx context.Context, lot []*item) error {
			var list []findings.Finding
			for _, it := range lot {
				if f, ok := fresh[it]; ok {
					list = append(list, f)
					said[it.hash] = f
				}
			}
			if len(list) == 0 {
				return nil
			}
			return r.opt.Findings.Append(ctx, list...)
		})
	}, open: func() (func(n int) bool, error) {
		stones, err := r.opt.Vault.Tombstones()
		return func(i int) bool { return lot[i].shows(stones) }, err
	}}
	vain, err := ask(ctx, r.opt.Chat, q, texts)
	for _, i := range vain {
		said[lot[i].hash] = findings.Finding{}
	}
	return err
}

// notes are the events that tell what a worker found out about drawers, and how many of them are done.
func notes(list []*item, said map[string]findings.Finding, worker string) (events []drawers.Event, done int) {
	for _, it := range list {
		f, asked := said[it.hash]
		if !asked { // for want of a model or of budget
			continue
		}
		if f.ID == "" { // in vain
			if worker == Process {
				events = append(events, drawers.Event{Kind: drawers.Failed, Drawer: it.drawer.ID})
			}
			continue
		}
		done++
		entities, triples := len(f.Entities), len(f.Triples)
		e := drawers.Event{Kind: drawers.Note, Drawer: it.drawer.ID, Entities: &entities, Triples: &triples}
		if worker == Process {
			e.Type, e.Importance, e.Tier, e.State = f.Type, f.Importance, drawers.LLM, drawers.Processed
		}
		events = append(events, e)
	}
	return events, done
}
