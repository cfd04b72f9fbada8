package drawers

import (
	"cmp"

	"github.com/reverie-memory/reverie/vault"
)

// A Place is where a drawer hangs, from the wide to the narrow.
type Place struct {
	Wing, Room, Hall string
	Guessed          bool // nobody named the wing: it keeps nothing to itself
}

// FiledIn is where a drawer's file says that it hangs.
func FiledIn(d *vault.Drawer) Place { return Place{d.Wing, d.Room, d.Hall, d.WingBy == vault.ByRule} }

// Own is the wing that what hangs there keeps to, "" for none.
func (p Place) Own() string {
	if p.Guessed {
		return ""
	}
	return p.Wing
}

// Place is where a drawer hangs now, and whatever rests on it, such as a fact that was taken from it. was is the place that its file
// says. Whoever reads a place out of a file asks here; what rests on no drawer ("") hangs where it was said.
func (s State) Place(drawer string, was Place) Place {
	k := s[drawer]
	if k == nil {
		return was
	}
	at := func(now *string, was string) string { return *cmp.Or(now, &was) }
	return Place{at(k.Wing, was.Wing), at(k.Room, was.Room), at(k.Hall, was.Hall), was.Guessed && k.Wing == nil}
}

// Own is the wing that what rests on a drawer keeps to now. was is the one to which it was said.
func (s State) Own(drawer, was string) string { return s.Place(drawer, Place{Wing: was}).Wing }

// Hang gives a section of facts the place of its drawer.
func (s State) Hang(f *vault.Section) {
	at := s.Place(f.Drawer, Place{Wing: f.Wing, Room: f.Room, Hall: f.Hall})
	f.Wing, f.Room, f.Hall = at.Wing, at.Room, at.Hall
}
