package vault

import (
	"encoding/json"
	"errors"
	"io/fs"
	"strings"
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
