package forget

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/vault"
)

// Forget leaves tombstones for what the request names and for what tells the same, and with Purge takes the bytes out. Forget may be asked
// again after an error: what it named before is hidden by then.
func (r *Room) Forget(ctx context.Context, f Request) (Answer, error) {
	res, read := Answer{}, newReading()
	targets, err := r.find(ctx, f, f.Purge, nil, read)
	if err != nil {
		return res, err
	}
	for _, id := range f.IDs {
		if !slices.ContainsFunc(targets, func(t Target) bool { return strings.HasPrefix(id, t.ID) || id == t.Named }) {
			res.Unknown = append(res.Unknown, id)
		}
	}
	if f.DryRun || len(targets) == 0 && (len(f.IDs) > 0 || !f.Purge) {
		res.Forgotten, res.Verified = found(targets), len(targets) == 0 // nothing was there to be found
		return res, nil
	}
	if len(targets) > 0 {
		if targets, err = r.bury(ctx, targets, f, read); err != nil {
			return res, err
		}
	}
	res.Forgotten = found(targets)
	if f.Purge {
		res.Remaining, err = r.purge(ctx, targets, f)
	} else {
		res.Remaining, err = r.sweep(ctx, targets)
	}
	res.Verified = err == nil && len(res.Remaining) == 0
	return res, err
}

// looks bounds how often it is looked again for what was written while it was being forgotten.
const looks = 3

// bury writes the tombstones, waits until the index has followed, and returns all targets: some may have been written meanwhile.
func (r *Room) bury(ctx context.Context, targets []Target, f Request, read *reading) ([]Target, error) {
	id, scope := vault.NewID('g'), "ids"
	switch {
	case f.Query != "":
		scope = "query"
	case f.ChatID != "":
		scope = "chat"
	}
	have := map[place]bool{}
	fresh := targets
	for range looks {
		var texts []string
		for _, t := range fresh {
			have[t.place()], texts = true, append(texts, t.Text)
		}
		reason := f.Reason
		if teller(texts, f.Query)(reason) { // a reason is kept for good
			reason = ""
		}
		of := vault.Tombstone{ID: id, Reason: reason, Scope: scope, Purged: f.Purge}
		if err := r.o.Vault.Forget(ctx, stones(fresh, of, lexis.Terms(f.Query))); err != nil {
			return targets, fmt.Errorf("write tombstones: %w", err)
		}
		if err := r.reload(); err != nil {
			return targets, err
		}
		if f.Purge { // which looks for other texts as well
			read = &reading{dull: map[page]bool{}, mute: read.mute, seeds: read.seeds}
		}
		again, err := r.find(ctx, f, f.Purge, copies(targets, f.Purge), read)
		if err != nil {
			return targets, err
		}
		if fresh = slices.DeleteFunc(again, func(t Target) bool { return have[t.place()] }); len(fresh) == 0 {
			break
		}
		targets = append(targets, fresh...)
	}
	paths := map[vault.Path]bool{vault.TombstonesPath: true}
	if !f.Purge { // its kinds follow files themselves: some have to wait for a dream
		for _, t := range targets {
			paths[t.File] = true
		}
	}
	return targets, r.follow(ctx, slices.Sorted(maps.Keys(paths))...)
}

func (r *Room) follow(ctx context.Context, paths ...vault.Path) error {
	if err := r.o.Sync(ctx, paths...); err != nil {
		return fmt.Errorf("done in the vault, but the index did not follow: %w", err)
	}
	return nil
}

func (r *Room) reload() error {
	for _, k := range r.o.Kinds {
		if k.Reload == nil {
			continue
		}
		if err := k.Reload(); err != nil {
			return err
		}
	}
	return nil
}

// copies are the texts of which a purge takes every copy. Short ones, such as a greeting, are others' as well.
func copies(targets []Target, purge bool) map[string]bool {
	out := map[string]bool{}
	for _, t := range targets {
		if purge && distinct(t.Text) {
			out[lexis.Fold(t.Text)] = true
		}
	}
	return out
}

// distinct says whether a text says enough to be one thing wherever it stands.
func distinct(text string) bool {
	n := len(lexis.Terms(text))
	return n > 2 || n == 2 && len(text) >= 20
}

// stones are the tombstones of targets: their texts, and of a drawer also the sentences that tell a fact, so that these do not come back in
// another message. Of a text of several lines on a page or in a mined file those come besides that answer the query, and of code and tables
// those that say enough: the text is another one when a person edits one of its lines.
func stones(targets []Target, of vault.Tombstone, query []string) []vault.Tombstone {
	var out []vault.Tombstone
	seen, asked := map[string]bool{}, lexis.NewFinder(query)
	add := func(text string) {
		if !seen[text] {
			seen[text], of.Text = true, text
			out = append(out, of)
		}
	}
	facts := map[string][]*vault.Fact{}
	for _, t := range targets {
		add(t.Text)
		if t.Fact != nil {
			facts[t.Fact.Section.Drawer] = append(facts[t.Fact.Section.Drawer], t.Fact)
		}
		for _, line := range t.lines() {
			if len(query) > 0 && asked.In(line) || t.ByLine && distinct(line) && len(line) >= leastLine {
				add(line)
			}
		}
	}
	for _, t := range targets {
		if t.Drawer == nil || len(facts[t.ID]) == 0 {
			continue
		}
		spans := lexis.Sentences(t.Text)
		for _, s := range spans {
			sentence := t.Text[s.Start:s.End]
			told := func(f *vault.Fact) bool { return tellsFact(sentence, f) }
			if len(spans) > 1 && slices.ContainsFunc(facts[t.ID], told) {
				add(sentence)
			}
		}
	}
	return out
}

// leastLine is how many bytes a line has that is forgotten with the rest of its block: what is shorter may well stand in other code.
const leastLine = 20

// lines are those of a text on a page or in a mined file that has several.
func (t *Target) lines() []string {
	if t.Fact != nil || t.Drawer != nil || !strings.Contains(t.Text, "\n") {
		return nil
	}
	return strings.Split(t.Text, "\n")
}

// tellsFact says whether a sentence has all words of a fact but its speaker's name.
func tellsFact(sentence string, f *vault.Fact) bool {
	name := lexis.Terms(f.Section.Speaker)
	want := slices.DeleteFunc(lexis.Terms(f.Text), func(t string) bool { return slices.Contains(name, t) })
	return len(want) > 1 && holds(lexis.Terms(sentence), want)
}

// sweep takes the targets out of sight where a search still finds one or a dream filed one: MEMORY.md may tell it in words that no
// tombstone knows. sweep returns what is still shown.
func (r *Room) sweep(ctx context.Context, targets []Target) ([]Found, error) {
	left, err := r.shown(ctx, targets)
	if err != nil || len(left) == 0 && !r.filed(targets) {
		return left, err
	}
	var changed []vault.Path
	for _, k := range r.o.Kinds {
		if k.Sweep == nil {
			continue
		}
		paths, err := k.Sweep(ctx)
		if err != nil {
			return nil, fmt.Errorf("forgotten, but still on a %s: %w", k.Name, err)
		}
		changed = append(changed, paths...)
	}
	if len(changed) > 0 { // no path would mean all of them
		if err := r.follow(ctx, changed...); err != nil {
			return nil, err
		}
	}
	return r.shown(ctx, targets)
}

// filed says whether a page may tell one of the targets.
func (r *Room) filed(targets []Target) bool {
	known, err := r.o.Vault.Accounted()
	return err != nil || slices.ContainsFunc(targets, func(t Target) bool { return t.Fact == nil && t.Drawer == nil || known.Has(t.ID) })
}

// shown lists every record that still shows one of the texts.
func (r *Room) shown(ctx context.Context, targets []Target) ([]Found, error) {
	out := []Found{}
	seen := map[string]bool{}
	for _, k := range r.o.Kinds {
		for i := 0; k.Shown != nil && i < len(targets); i++ {
			list, err := k.Shown(ctx, targets[i].Text)
			if err != nil {
				return nil, err
			}
			for _, f := range list {
				if !seen[f.ID] {
					seen[f.ID] = true
					out = append(out, f)
				}
			}
		}
	}
	return out, nil
}
