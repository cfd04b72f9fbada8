package dream

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"time"

	"github.com/reverie-memory/reverie/vault"
)

// A Look is what the files tell of the dreams of a vault that is not open.
type Look struct {
	Runs        []string // of which there are files, the newest first
	Left        string   // a run with a plan and no end; "" for none
	LastAttempt time.Time
	Failed      Failed
}

// Failed says how often a batch has failed.
type Failed struct {
	Batch vault.Day // its first day
	Times int
	Why   string // the last time
}

// LookAt reads the files of a vault, which is given by its folder. LookAt is for who must not open the vault, such as doctor and the
// completion of a shell: it takes no lock and mends nothing.
func LookAt(folder fs.FS) (Look, error) {
	var l Look
	entries, _ := fs.ReadDir(folder, vault.RunsDir)
	for _, e := range slices.Backward(entries) {
		run := e.Name()
		if !e.IsDir() || !isRun(run) {
			continue
		}
		has := func(file string) bool {
			_, err := fs.Stat(folder, path.Join(vault.RunsDir, run, file))
			return err == nil
		}
		l.Runs = append(l.Runs, run)
		if has(planFile) && stageOf(has) == isOpen {
			l.Left = run
		}
	}
	data, err := fs.ReadFile(folder, path.Join(vault.StateDir, stateFile))
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	}
	var st state
	if err == nil {
		err = json.Unmarshal(data, &st)
	}
	if err != nil {
		return l, fmt.Errorf("read the dream's state: %w", err)
	}
	l.LastAttempt, l.Failed = st.LastAttempt, st.failed()
	return l, nil
}
