package vault

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"path"
	"strings"
	"sync"
)

// ReadState calls fn with each JSON object of .state/name and its line. A line that is none, such as one that was cut off
// by a crash, is reported and skipped. A missing file has no lines. An error of fn ends the reading.
func (v *Vault) ReadState(name string, fn func(line int, raw []byte) error) ([]Problem, error) {
	p, err := statePath(name)
	if err != nil {
		return nil, err
	}
	v.files.Lock() // so that no append is seen half done
	data, err := readAll(v.disk, string(p), sizeLimit(p))
	v.files.Unlock()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, failed("reading", p, err)
	}
	r := report{path: p}
	c := cursor{data: data}
	for c.next() {
		raw := []byte(strings.TrimSpace(c.text))
		if len(raw) == 0 {
			continue
		}
		if raw[0] != '{' || !json.Valid(raw) {
			r.add(c.n, "not a JSON object: skipped", "")
			continue
		}
		if err := fn(c.n, raw); err != nil {
			return r.problems(), err
		}
	}
	return r.problems(), nil
}

// Where dreams keep their runs, and what marks one that is finished or taken back.
const (
	dreamsDir  = StateDir + "/dreams"
	ledgerFile = "ledger.jsonl"
	doneFile   = "done"
	undoneFile = "undone"
)

// A ledgerCache keeps the ledgers that were read; a finished one does not change.
type ledgerCache struct {
	mu   sync.Mutex
	runs map[string]ledgerRead
}

type ledgerRead struct {
	info  FileInfo
	facts []string
}

// Accounted is the set of facts that finished dreams have in their ledgers. A dream that was undone does not count.
func (v *Vault) Accounted() (map[string]bool, error) {
	runs, err := v.disk.readDir(dreamsDir)
	if errors.Is(err, fs.ErrNotExist) {
		return map[string]bool{}, nil
	}
	if err != nil {
		return nil, failed("listing", dreamsDir, err)
	}
	v.ledgers.mu.Lock()
	defer v.ledgers.mu.Unlock()
	seen := map[string]ledgerRead{}
	facts := map[string]bool{}
	for _, run := range runs {
		dir := path.Join(dreamsDir, run.Name())
		if !run.IsDir() || !v.exists(dir+"/"+doneFile) || v.exists(dir+"/"+undoneFile) {
			continue
		}
		read, err := v.ledger(run.Name(), Path(dir+"/"+ledgerFile))
		if err != nil {
			return nil, err
		}
		seen[run.Name()] = read
		for _, id := range read.facts {
			facts[id] = true
		}
	}
	v.ledgers.runs = maps.Clone(seen)
	return facts, nil
}

func (v *Vault) exists(name string) bool {
	_, err := v.disk.stat(name)
	return err == nil
}

// ledger needs v.ledgers.mu.
func (v *Vault) ledger(run string, p Path) (ledgerRead, error) {
	info, err := v.Stat(p)
	if errors.Is(err, fs.ErrNotExist) {
		return ledgerRead{}, nil
	}
	if err != nil {
		return ledgerRead{}, err
	}
	if old, ok := v.ledgers.runs[run]; ok && old.info == info {
		return old, nil
	}
	read := ledgerRead{info: info}
	_, err = v.ReadState(strings.TrimPrefix(string(p), StateDir+"/"), func(_ int, raw []byte) error {
		var l struct{ Fact, Outcome string }
		if json.Unmarshal(raw, &l) == nil && l.Fact != "" && l.Outcome != "" {
			read.facts = append(read.facts, l.Fact)
		}
		return nil
	})
	return read, err
}
