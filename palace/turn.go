package palace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/reverie-memory/reverie/extract"
	"github.com/reverie-memory/reverie/palace/findings"
	"github.com/reverie-memory/reverie/trust"
	"github.com/reverie-memory/reverie/vault"
)

// A Turn is a conversation turn to file.
type Turn struct {
	ChatID, Platform, Agent, Wing, Room, Hall string

	Origin   vault.Origin // what its messages are trusted as at most; "" is as their roles say
	TurnID   string       // for retries; "" gets a new one
	Indexed  bool         // waits until its facts can be found
	Messages []Message
}

// Message is one message of a turn.
type Message struct {
	Role    string // user, assistant or tool
	Speaker string
	Content string
	At      *time.Time // nil: now
	Ref     string     // the caller's own id
}

// What became of a turn.
const (
	Accepted  = "accepted"
	Duplicate = "duplicate" // it is stored already
	Skipped   = "skipped"   // nothing of it is kept
)

// Receipt answers a turn.
type Receipt struct {
	TurnID   string
	Status   string
	Reason   string // why it was not accepted
	Drawers  []string
	Facts    []vault.Fact // where the caller waited for them
	Degraded []string
}

// Facts are facts to write as they are.
type Facts struct {
	ChatID, Agent, Wing, Room, Hall string

	Indexed bool // waits until they can be found
	Facts   []NewFact
}

// NewFact is one of them.
type NewFact struct {
	Content  string
	Category string
	Tags     []string
	At       *time.Time // nil: now
	Ref      string     // the caller's own id
	Triples  []extract.Triple
}

// FactsReceipt answers Facts, in their order but for those that were refused.
type FactsReceipt struct {
	Facts    []vault.Fact
	Refused  []Refused
	Degraded []string
}

// Refused is a fact that was not written, though others were.
type Refused struct {
	Index  int // in the request, from 0
	Reason string
}

// InvalidError says which field of a request cannot be taken. Nothing was stored.
type InvalidError struct {
	Field  string // such as "messages[2].content"
	Reason string
}

func (e *InvalidError) Error() string { return e.Field + ": " + e.Reason }

// Remember files a turn, and returns after the drawers are fsynced or, when the turn asks to wait for
// the index, after its facts can be found. A turn whose id is known adds nothing; a turn of which
// only a part was stored is completed. A note that is typed twice on a day is one.
func (in *Intake) Remember(ctx context.Context, t Turn) (Receipt, error) {
	res := Receipt{TurnID: t.TurnID}
	if err := checkTurn(t, in.opt.Vault.Now()); err != nil {
		return res, err
	}
	if slices.ContainsFunc(in.opt.Guarded, func(g string) bool { return samePlatform(g, t.Platform) }) {
		res.Status, res.Reason = Skipped, fmt.Sprintf("platform %q is guarded", t.Platform)
		return res, nil
	}
	if res.TurnID = cmp.Or(res.TurnID, noteID(t, in.opt.Vault.Now())); res.TurnID == "" {
		res.TurnID = vault.NewID('t')
		f, _ := in.claim(turnKey{t.ChatID, res.TurnID}, len(t.Messages)) // so that the look at an earlier run's turns leaves it alone
		r, err := in.store(ctx, t, res, nil)
		in.release(turnKey{t.ChatID, res.TurnID}, f, err == nil)
		return r, err
	}
	for {
		f, mine := in.claim(turnKey{t.ChatID, res.TurnID}, len(t.Messages))
		if mine {
			r, err := in.store(ctx, t, res, f)
			in.release(turnKey{t.ChatID, res.TurnID}, f, err == nil && r.Status != Skipped)
			return r, err
		}
		select {
		case <-f.done:
		case <-ctx.Done():
			return res, ctx.Err()
		}
		if f.ok && f.messages >= len(t.Messages) {
			return in.duplicate(t, res), nil
		}
	}
}

// noteID is the id of a note without one, which the same note has again on that day; "" for other turns.
func noteID(t Turn, now time.Time) string {
	if !isNote(t.Platform, len(t.Messages)) {
		return ""
	}
	m := t.Messages[0]
	at := now.UTC().Format(time.DateOnly)
	if m.At != nil {
		at = m.At.UTC().Format(time.RFC3339)
	}
	return vault.DeriveID('t', at, t.Wing, t.Room, t.Hall, t.Agent, m.Role, m.Speaker, m.Ref, m.Content)
}

// isNote tells what a person types to have it remembered.
func isNote(platform string, messages int) bool { return platform == "cli" && messages == 1 }

// samePlatform tells whether two names of a program differ in case and blanks at most.
func samePlatform(a, b string) bool {
	bare := func(s string) string { return strings.Join(strings.Fields(s), "") }
	return strings.EqualFold(bare(a), bare(b))
}

// claim makes the caller the one who stores a turn of so many messages, or returns the one who does or did. A turn that
// is longer than what is stored of it is claimed again.
func (in *Intake) claim(turn turnKey, messages int) (f *inflight, mine bool) {
	in.mu.Lock()
	defer in.mu.Unlock()
	old := in.seen[turn]
	if old != nil && (!old.ok || old.messages >= messages) {
		return old, false
	}
	f = &inflight{done: make(chan struct{}), messages: messages, before: old}
	in.seen[turn] = f
	return f, true
}

func (in *Intake) release(turn turnKey, f *inflight, ok bool) {
	in.mu.Lock()
	defer in.mu.Unlock()
	f.ok = ok
	switch {
	case ok && f.before == nil:
		in.order = append(in.order, turn)
	case !ok && f.before != nil:
		in.seen[turn] = f.before
	case !ok:
		delete(in.seen, turn)
	}
	f.before = nil
	for len(in.order) > seenTurns {
		delete(in.seen, in.order[0])
		in.order = in.order[1:]
	}
	close(f.done)
}

func (in *Intake) duplicate(t Turn, res Receipt) Receipt {
	res.Status, res.Reason = Duplicate, "the turn is stored already"
	for i, m := range t.Messages {
		if strings.TrimSpace(m.Content) != "" {
			res.Drawers = append(res.Drawers, DrawerID(t.ChatID, res.TurnID, i))
		}
	}
	return res
}

// DrawerID derives from the conversation, the turn and the message's place in it, so that a retry meets itself
// and a turn id means nothing in another conversation.
func DrawerID(chat, turn string, i int) string {
	return vault.DeriveID('d', chat, turn, fmt.Sprint(i))
}

// turnKey names a turn among those of all conversations.
type turnKey struct{ chat, id string }

func checkTurn(t Turn, now time.Time) error {
	if strings.TrimSpace(t.ChatID) == "" {
		return &InvalidError{"chat_id", "must not be empty"}
	}
	if len(t.Messages) == 0 {
		return &InvalidError{"messages", "must hold at least one message"}
	}
	empty := true
	for i, m := range t.Messages {
		switch vault.Origin(m.Role) {
		case vault.OriginUser, vault.OriginAssistant, vault.OriginTool:
		default:
			return &InvalidError{fmt.Sprintf("messages[%d].role", i), "must be user, assistant or tool"}
		}
		if m.At != nil && !vault.Sayable(*m.At, now) {
			return &InvalidError{fmt.Sprintf("messages[%d].at", i), unsayable}
		}
		empty = empty && strings.TrimSpace(m.Content) == ""
	}
	if empty {
		return &InvalidError{"messages[0].content", "all messages are empty"}
	}
	return nil
}

// unsayable is what to say of a time that is not [vault.Sayable].
const unsayable = "must lie between the year 1970 and a day from now"

// store files the messages as drawers and starts extraction.
func (in *Intake) store(ctx context.Context, t Turn, res Receipt, f *inflight) (Receipt, error) {
	in.writing.RLock()
	drawers, res, err := in.file(ctx, t, res, f)
	in.writing.RUnlock()
	if err != nil || res.Status != "" {
		return res, err
	}
	jobs := []job{{turn: turnKey{t.ChatID, res.TurnID}, drawers: drawers}}
	in.listen(jobs)
	j := jobs[0]
	if in.opt.Published != nil {
		in.opt.Published(fmt.Sprintf("turn %s: %d drawers", res.TurnID, len(drawers)))
	}
	if in.opt.Filed != nil {
		in.opt.Filed(drawers)
	}
	res.Status = Accepted
	if t.Indexed {
		return in.finish(ctx, j, res)
	}
	in.opt.Notify(drawerPaths(drawers)...)
	if in.opt.Batch != nil {
		in.rest(j)
	} else {
		in.submit(j)
	}
	return res, nil
}

// file writes the drawers that are missing and returns them. The result has a status where there is nothing to do.
func (in *Intake) file(ctx context.Context, t Turn, res Receipt, f *inflight) ([]vault.Drawer, Receipt, error) {
	drawers, forgotten := in.drawers(t, &res)
	given := len(drawers)
	if f != nil { // the caller may have sent this turn before, in an earlier run of the daemon
		if f.before != nil {
			stored := map[string]bool{}
			for i := range f.before.messages {
				stored[DrawerID(t.ChatID, res.TurnID, i)] = true
			}
			drawers = slices.DeleteFunc(drawers, func(d vault.Drawer) bool { return stored[d.ID] })
		}
		var err error
		if drawers, err = in.missing(ctx, drawers); err != nil {
			return nil, res, err
		}
	}
	if given == 0 {
		res.Status, res.Reason = Skipped, "nothing is left to keep: "+leftOut(forgotten)
		return nil, res, nil
	}
	for _, d := range drawers {
		if len(res.Drawers) < given {
			res.Drawers = append(res.Drawers, d.ID)
		}
	}
	if len(drawers) == 0 {
		return nil, in.duplicate(t, res), nil
	}
	filed, isNew, err := in.opt.Vault.FileDrawers(ctx, drawers)
	if err == nil {
		err = in.toldAgain(ctx, "", storedOf(filed, isNew))
	}
	if err != nil {
		in.postponeStored(job{turn: turnKey{t.ChatID, res.TurnID}, drawers: drawers})
		return nil, res, fmt.Errorf("file the turn: %w", err)
	}
	return drawers, res, nil
}

// postponeStored leaves to the backlog what a write has stored before something failed.
func (in *Intake) postponeStored(j job) {
	j.drawers = slices.DeleteFunc(slices.Clone(j.drawers), func(d vault.Drawer) bool {
		_, err := in.opt.Vault.Stat(vault.DrawerPath(vault.DayOf(d.At)))
		return err != nil
	})
	in.postpone(j)
}

func leftOut(forgotten int) string {
	if forgotten > 0 {
		return "it was forgotten"
	}
	return "the messages hold only recalled memory"
}

// finish extracts at once and waits for the index. A caller who waits is not kept until a conversation rests: rules take the facts.
func (in *Intake) finish(ctx context.Context, j job, res Receipt) (Receipt, error) {
	by := in.opt.Extractor
	if b := in.opt.Batch; b != nil {
		by = b.Rules
		res.Degraded = append(res.Degraded, "the facts are by rules, as the caller waits for them: "+
			"the model reads turns when a conversation rests")
	}
	followed, late := false, error(nil)
	follow := func(facts []vault.Fact) {
		followed, late = true, in.opt.Sync(ctx, append(drawerPaths(j.drawers), logPaths(facts)...)...)
	}
	facts, err := in.extract(ctx, j, by, follow)
	if !followed {
		follow(nil)
	}
	if err != nil {
		in.log.Warn("extraction failed, the turn is taken up again later", "turn", j.turn.id, "err", err)
		res.Degraded = append(res.Degraded, "facts are not extracted yet: "+err.Error())
		in.postpone(j)
	}
	if why := in.Degraded(); why != "" {
		res.Degraded = append(res.Degraded, why)
	}
	if res.Facts = facts; late != nil {
		// The turn is stored: failing it would make the caller send it again.
		res.Degraded = append(res.Degraded, "not searchable yet: "+late.Error())
	}
	return res, nil
}

// drawers turns messages into drawers: what we injected ourselves is cut out, what was forgotten is left out.
func (in *Intake) drawers(t Turn, res *Receipt) (out []vault.Drawer, forgotten int) {
	in.mu.Lock()
	tomb := in.forgot
	in.mu.Unlock()
	now := time.Now()
	for i, m := range t.Messages {
		content := extract.StripInjected(m.Content)
		if extract.Unclosed(content) {
			res.Degraded = append(res.Degraded, fmt.Sprintf(
				"messages[%d].content: a line begins with <reverie-memory> and no </reverie-memory> follows: what is behind it is kept, and "+
					"gives no facts", i))
		}
		if strings.TrimSpace(content) == "" {
			continue
		}
		if content = tomb.Cut(content); strings.TrimSpace(content) == "" {
			forgotten++
			continue
		}
		at := now
		if m.At != nil {
			at = *m.At
		}
		out = append(out, vault.Drawer{
			ID: DrawerID(t.ChatID, res.TurnID, i), At: at.UTC().Truncate(time.Second), ChatID: t.ChatID,
			Wing: t.Wing, Room: t.Room, Hall: t.Hall, Origin: trust.Least(vault.Origin(m.Role), t.Origin), Agent: t.Agent,
			Platform: t.Platform,
			Turn:     res.TurnID, Ref: m.Ref, Speaker: m.Speaker, Noise: extract.IsNoise(content), Text: content,
		})
		in.hang(&out[len(out)-1])
	}
	return out, forgotten
}

// missing leaves out the drawers that are stored already.
func (in *Intake) missing(ctx context.Context, ds []vault.Drawer) ([]vault.Drawer, error) {
	ids := make([]string, len(ds))
	for i, d := range ds {
		ids[i] = d.ID
	}
	stored, err := in.stored(ctx, ids)
	if err != nil {
		return nil, fmt.Errorf("look the turn up: %w", err)
	}
	out := ds[:0:0]
	var again []string
	for _, d := range ds {
		if _, there := stored[d.ID]; there {
			again = append(again, d.ID)
		} else {
			out = append(out, d)
		}
	}
	return out, in.toldAgain(ctx, "", again)
}

// WriteFacts appends facts as they are given, but those that were forgotten: the receipt names them, and none but such is an error.
// WriteFacts returns after the bytes are fsynced or, when asked, after the facts can be found.
func (in *Intake) WriteFacts(ctx context.Context, req Facts) (res FactsReceipt, err error) {
	chat := req.ChatID
	if chat == "" {
		chat = "facts"
	}
	in.writing.RLock()
	written := sync.OnceFunc(in.writing.RUnlock)
	defer written()
	tomb := in.tombstones()
	now := time.Now()
	var groups []vault.SectionFacts
	var about []findings.Finding
	for i, f := range req.Facts {
		if f.Content = vault.FactText(f.Content); f.Content == "" {
			return res, &InvalidError{fmt.Sprintf("facts[%d].content", i), "must not be empty"}
		}
		at := now
		if f.At != nil {
			at = *f.At
		}
		if !vault.Sayable(at, in.opt.Vault.Now()) {
			return res, &InvalidError{fmt.Sprintf("facts[%d].at", i), unsayable}
		}
		if why, gone := tomb.Match(f.Content); gone {
			res.Refused = append(res.Refused, Refused{Index: i, Reason: vault.Forgotten(why).Error()})
			continue
		}
		s := vault.Section{
			At: at.UTC(), ChatID: chat, Origin: vault.OriginAgent, Agent: req.Agent, Ref: f.Ref, Wing: req.Wing, Room: req.Room, Hall: req.Hall,
		}
		id := vault.NewID('f')
		groups = append(groups, vault.SectionFacts{
			Section: s, Facts: []vault.Fact{{ID: id, Category: f.Category, Text: f.Content, Tags: f.Tags}},
		})
		if len(f.Triples) == 0 {
			continue
		}
		if triples := extract.CheckTriples(f.Triples, f.Content, ""); len(triples) == len(f.Triples) {
			about = append(about, findings.Finding{
				ID: id, Text: findings.Hash(f.Content), By: cmp.Or(req.Agent, string(vault.OriginAgent)), Triples: triples,
				Said: findings.SaidBy(&s),
			})
		} else {
			return res, &InvalidError{fmt.Sprintf("facts[%d].triples", i), "must differ, and name subject and object as they stand in the content"}
		}
	}
	if len(groups) == 0 && len(res.Refused) > 0 {
		return res, &InvalidError{"facts[0].content", res.Refused[0].Reason}
	}
	if err := in.opt.Findings.Append(ctx, about...); err != nil {
		return res, err
	}
	if res.Facts, err = in.opt.Vault.AppendFacts(ctx, groups); err != nil {
		return res, fmt.Errorf("write facts: %w", err)
	}
	written()
	var paths []vault.Path
	for _, f := range res.Facts {
		if p := vault.LogPath(f.Day); !slices.Contains(paths, p) {
			paths = append(paths, p)
		}
	}
	if in.opt.Published != nil {
		in.opt.Published(fmt.Sprintf("%d facts", len(res.Facts)))
	}
	if !req.Indexed {
		in.opt.Notify(paths...)
		return res, nil
	}
	if err := in.opt.Sync(ctx, paths...); err != nil && !errors.Is(err, context.Canceled) {
		res.Degraded = append(res.Degraded, "not searchable yet: "+err.Error())
	}
	return res, nil
}
