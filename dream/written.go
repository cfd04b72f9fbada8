package dream

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/reverie-memory/reverie/vault"
)

// writtenTexts are the texts that runs wrote, by [textHash] and in its order: what is not among them, a person wrote or changed.
type writtenTexts []uint64

func (w writtenTexts) has(text string) bool {
	_, ok := slices.BinarySearch(w, textHash(text))
	return ok
}

// A writtenCache keeps what runs wrote, so that a run reads only what came since. It belongs to whoever holds the runner's lock.
type writtenCache struct {
	runs map[string]vault.FileInfo // that are in all
	all  writtenTexts
}

// read brings the cache up to date. Files that changed lately are read again the next time: see [racy].
func (c *writtenCache) read(s store) (writtenTexts, error) {
	runs, err := s.runs()
	if err != nil {
		return nil, err
	}
	now := make(map[string]vault.FileInfo, len(runs))
	var fresh []string
	for _, run := range runs {
		info, err := s.v.Stat(runPath(run, writtenFile))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if now[run] = info; c.runs[run] != info {
			fresh = append(fresh, run)
		}
	}
	for run := range c.runs {
		if _, there := now[run]; !there { // a run that never happened, or a vault from elsewhere
			c.all, fresh = nil, nil
			fresh = slices.AppendSeq(fresh, maps.Keys(now))
			break
		}
	}
	settled, all := slices.Clone(c.all), writtenTexts(nil)
	for _, run := range fresh {
		data, err := s.read(run, writtenFile)
		if err != nil {
			return nil, err
		}
		into := &settled
		if time.Since(now[run].ModTime) < racy {
			delete(now, run)
			into = &all
		}
		for l := range bytes.Lines(data) {
			if h, err := strconv.ParseUint(string(bytes.TrimSpace(l)), 16, 64); err == nil {
				*into = append(*into, h)
			}
		}
	}
	if len(settled) > len(c.all) {
		slices.Sort(settled)
		settled = slices.Clip(slices.Compact(settled))
	}
	c.runs, c.all = now, settled
	if len(all) == 0 {
		return settled, nil
	}
	all = append(all, settled...)
	slices.Sort(all)
	return all, nil
}
