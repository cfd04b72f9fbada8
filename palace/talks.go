package palace

import (
	"slices"
	"sync"
	"time"

	"github.com/reverie-memory/reverie/vault"
)

const (
	talkLength = 10               // drawers of a conversation that are kept for the next turn
	talkText   = 6000             // bytes of a text; of a longer one nothing is kept: a part does not show that the whole was forgotten
	clocks     = 10 * time.Minute // that those who speak may go wrong by
	talkCount  = 128              // conversations of which the last drawers are kept, and at most as many again
)

// talks are the last drawers of the conversations of late, so that a turn is understood by what was said before it on the same day. What
// they tell stands in the file of the day as well. The zero value is empty.
type talks struct {
	mu         sync.Mutex
	young, old map[string][]vault.Drawer // by conversation; the old ones are dropped when the young ones are many
	looked     vault.Day                 // whose file was read last,
	there      map[string]bool           // and the conversations that it had
}

// follow gives a job what was said before it, and keeps what it says for the next ones.
func (t *talks) follow(j *job) {
	t.mu.Lock()
	defer t.mu.Unlock()
	said := t.of(j.turn.chat)
	j.before = before(said, &j.drawers[0])
	for _, d := range j.drawers {
		t.add(d)
	}
}

// unheard tells a job of whose conversation this process has heard nothing on its day, though the file of the day may have something.
func (t *talks) unheard(j *job) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	day := vault.DayOf(j.drawers[0].At)
	said := t.of(j.turn.chat)
	return j.turn.chat != "" && (t.looked != day || t.there[j.turn.chat]) &&
		!slices.ContainsFunc(said, func(d vault.Drawer) bool { return vault.DayOf(d.At) == day })
}

// look takes up what the file of the day has of a job's conversation before the job.
func (t *talks) look(drawers []vault.Drawer, j *job) {
	var past talks
	there, found := map[string]bool{}, false
	for _, d := range drawers {
		there[d.ChatID] = true
		if found = found || d.ID == j.drawers[0].ID; !found && d.ChatID == j.turn.chat {
			past.add(d)
		}
	}
	if !t.unheard(j) { // another turn of it has looked meanwhile
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.looked, t.there = vault.DayOf(j.drawers[0].At), there
	said := past.of(j.turn.chat)
	for _, d := range said {
		t.add(d)
	}
}

// of are the last drawers of a conversation, the oldest first, until the next add.
func (t *talks) of(chat string) []vault.Drawer {
	if said, known := t.young[chat]; known {
		return said
	}
	return t.old[chat]
}

// before are those drawers that may be told beside another: of the same day, not later, and not those of another project.
func before(said []vault.Drawer, d *vault.Drawer) []vault.Drawer {
	from := vault.DayOf(d.At).Time()
	to := from.AddDate(0, 0, 1)
	return slices.DeleteFunc(slices.Clone(said), func(s vault.Drawer) bool {
		return wingOf(&s) != wingOf(d) || s.At.Before(from) || !s.At.Before(to) || s.At.Sub(d.At) > clocks || s.ID == d.ID
	})
}

// wingOf is the project that somebody named for a drawer.
func wingOf(d *vault.Drawer) string {
	if d.WingBy == vault.ByRule {
		return ""
	}
	return d.Wing
}

// add keeps a drawer. Texts without a conversation were not said one after the other.
func (t *talks) add(d vault.Drawer) {
	if d.ChatID == "" {
		return
	}
	if len(d.Text) > talkText {
		d.Text = ""
	}
	said := t.of(d.ChatID)
	said = slices.DeleteFunc(said, func(s vault.Drawer) bool { return s.ID == d.ID }) // of an import that is here again
	said = append(slices.Delete(said, 0, max(0, len(said)-talkLength+1)), d)
	if len(t.young) >= talkCount || t.young == nil {
		t.old, t.young = t.young, map[string][]vault.Drawer{}
	}
	t.young[d.ChatID] = said
}
