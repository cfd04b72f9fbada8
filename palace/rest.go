package palace

import (
	"context"
	"time"

	"github.com/reverie-memory/reverie/extract"
	"github.com/reverie-memory/reverie/vault"
)

// A Batch has a model read several turns of a conversation in one call. Turns wait in the vault until their conversation rests, ends
// ([Intake.EndChat]) or has as many as a call takes. Meanwhile search finds them by their text.
type Batch struct {
	// Read returns a reading for each turn. Read bounds its own time.
	Read func(ctx context.Context, turns [][]extract.Message) []extract.Reading
	// Rules take the facts where the model does not, and where a caller waits for them.
	Rules    extract.Extractor
	Turns    int           // most turns of a call
	Rest     time.Duration // without a turn, after which a conversation rests
	Parallel int           // calls at the same time
}

// EndChat says that a conversation got its last turn for now: what waits of it is extracted. EndChat may be called at any time and again.
func (in *Intake) EndChat(chat string) {
	if in.backlog.wakeChat(chat) {
		in.poke()
	}
}

// rest leaves a turn until its conversation rests.
func (in *Intake) rest(j job) {
	in.backlog.rest(j, time.Now().Add(in.opt.Batch.Rest), in.opt.Batch.Turns)
	in.poke()
}

// A resting conversation waits until due. Each turn that comes puts that off.
type resting struct {
	due   time.Time
	parts []waiter
	turns map[turnKey]bool
}

// A waiter is what of a turn waits on one day.
type waiter struct {
	day     vault.Day
	turn    turnKey
	drawers []string
}

// waiters are the parts of a job.
func (j job) waiters() []waiter {
	var out []waiter
	for _, day := range j.days() {
		w := waiter{day: day, turn: j.turn}
		for _, d := range j.drawers {
			if vault.DayOf(d.At) == day {
				w.drawers = append(w.drawers, d.ID)
			}
		}
		out = append(out, w)
	}
	return out
}

// rest adds a turn to what waits of its conversation. With so many turns as a call takes, it is due at once.
func (b *backlog) rest(j job, due time.Time, most int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.chats == nil {
		b.chats = map[string]*resting{}
	}
	r := b.chats[j.turn.chat]
	if r == nil {
		r = &resting{turns: map[turnKey]bool{}}
		b.chats[j.turn.chat] = r
	}
	r.due = due
	r.parts = append(r.parts, j.waiters()...)
	r.turns[j.turn] = true
	if len(r.turns) >= most {
		b.release(j.turn.chat)
	}
}

// wakeChat makes what waits of a conversation due, and says whether there was any.
func (b *backlog) wakeChat(chat string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.release(chat)
}

// release hands a conversation's turns over to those that may run. The caller holds mu.
func (b *backlog) release(chat string) bool {
	r := b.chats[chat]
	if r == nil {
		return false
	}
	delete(b.chats, chat)
	for _, w := range r.parts {
		b.put(w, time.Time{})
	}
	return true
}

// releaseDue hands over what is due, and returns when the next is; zero when none waits. The caller holds mu.
func (b *backlog) releaseDue(now time.Time) (next time.Time) {
	for chat, r := range b.chats {
		if !r.due.After(now) {
			b.release(chat)
		} else if next.IsZero() || r.due.Before(next) {
			next = r.due
		}
	}
	return next
}

// resting is how many turns wait for their conversation to rest.
func (b *backlog) resting() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := 0
	for _, r := range b.chats {
		n += len(r.turns)
	}
	return n
}
