package palace

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/reverie-memory/reverie/durable"
	"github.com/reverie-memory/reverie/vault"
)

// settledFile, in the data folder, names the files of drawers in which nothing waited when they were last read. As long as such a file is
// of the same size and time nobody has written to it: nothing waits in it, and no start reads it again. A file that is not named, or looks
// otherwise, is read. So the data folder may be lost, or be of another time than the vault.
const settledFile = "settled.json"

// settling is how long a file must have been left alone before it may count as settled: a clock that is coarse could give the next write
// the same time.
const settling = time.Minute

// looks is what tells that a file was written to.
type looks struct {
	Size int64     `json:"size"`
	Mod  time.Time `json:"mod"`
}

// unsettled shares the days that have drawers out: those that are settled, and those in which something may wait, as their files looked
// before anybody read them.
func (in *Intake) unsettled() (settled, open map[vault.Day]looks, err error) {
	days, err := in.opt.Vault.Days(vault.DrawerDir)
	if err != nil {
		return nil, nil, err
	}
	known := in.readSettled()
	settled, open = map[vault.Day]looks{}, map[vault.Day]looks{}
	for _, day := range days {
		info, err := in.opt.Vault.Stat(vault.DrawerPath(day))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		is := looks{info.Size, info.ModTime}
		if was, ok := known[day]; ok && was.Size == is.Size && was.Mod.Equal(is.Mod) {
			settled[day] = is
		} else {
			open[day] = is
		}
	}
	return settled, open, nil
}

// readSettled reads the file; one that makes no sense says nothing.
func (in *Intake) readSettled() (known map[vault.Day]looks) {
	if in.opt.Dir == "" {
		return nil
	}
	data, err := os.ReadFile(filepath.Join(in.opt.Dir, settledFile))
	if err != nil || json.Unmarshal(data, &known) != nil {
		return nil
	}
	return known
}

// settle writes the file.
func (in *Intake) settle(settled map[vault.Day]looks) error {
	if in.opt.Dir == "" {
		return nil
	}
	data, err := json.Marshal(settled)
	if err == nil {
		err = durable.WriteFile(filepath.Join(in.opt.Dir, settledFile), data, 0o600)
	}
	if err != nil {
		return fmt.Errorf("remember which drawers wait for nothing: %w", err)
	}
	return nil
}
