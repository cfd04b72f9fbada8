package indexer

import (
	"bytes"
	"errors"
	"io/fs"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/palace/drawers"
	"github.com/reverie-memory/reverie/vault"
)

// loadMoved reads which drawers hang elsewhere than their files say, and which are put away. Whatever else became of drawers concerns no
// row, and its lines are not even parsed.
func loadMoved(v *vault.Vault, env *Env) (func(string) string, []vault.Problem, error) {
	data, err := v.ReadFile(drawers.File)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	data = data[:bytes.LastIndexByte(data, '\n')+1]
	versions := map[string]string{}
	for line := range bytes.Lines(data) {
		if !drawers.Moves(line) {
			continue
		}
		e, err := drawers.ParseEvent(line)
		if err != nil {
			continue // [drawers.Journal.Problems] names it
		}
		env.Moved = drawers.Fold(env.Moved, line)
		for _, name := range []string{string(e.Day), ""} {
			versions[name] = hashOf(append([]byte(versions[name]), line...))
		}
	}
	return func(day string) string { return versions[day] }, nil, nil
}

// hang gives a row of a drawer, or of what was said in it, the place where the drawer hangs now.
func (e Env) hang(row *Row) {
	at := e.Moved.Place(row.Drawer, drawers.Place{Wing: row.Wing, Room: row.Room, Hall: row.Hall, Guessed: row.Guessed})
	row.Wing, row.Room, row.Hall, row.Guessed = at.Wing, at.Room, at.Hall, at.Guessed
	if row.Source == catalog.DrawerText {
		row.Archived = e.Moved.Archived(row.Drawer)
	}
}
