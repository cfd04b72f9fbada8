package findings

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"sync"

	"github.com/reverie-memory/reverie/vault"
)

// An Index knows where in the file the findings of each id and of each text are. An Index reads what was added since it was last asked, and
// all of the file where that is not the one that it has read. The zero Index has read nothing. Its methods may be called from several
// goroutines.
type Index struct {
	mu    sync.Mutex
	known *places
}

// places are where the lines are that tell of a name: an id, or the hash of a text. Names are kept as hashes themselves: who reads a line
// sees whether it is the one.
type places struct {
	last map[uint64]int32 // of a name, in list
	list []place
	read int64 // how much of the file was read, in whole lines
	tail int64 // where the last of them begins
	mark uint64
}

type place struct {
	at     int64
	before int32 // the place before this one of the same name; -1: there is none
}

var seed = maphash.MakeSeed()

func idName(id string) uint64     { return maphash.String(seed, "i"+id) }
func textName(hash string) uint64 { return maphash.String(seed, "t"+hash) }

// find is the newest finding of a name that fits; false where none does.
func (x *Index) find(v *vault.Vault, name uint64, fits func(Finding) bool) (found Finding, ok bool, err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for range 3 { // the file may be edited meanwhile, which moves its lines
		if err := x.follow(v); err != nil {
			return Finding{}, false, err
		}
		moved := false
		n, known := x.known.last[name]
		for at := n; known && !ok && !moved && at >= 0; at = x.known.list[at].before {
			moved = true
			err = v.StateLines(FileName, x.known.list[at].at, func(_ int64, line []byte) bool {
				f, err := Parse(bytes.TrimSpace(line))
				moved = err != nil || idName(f.ID) != name && textName(f.Text) != name
				if ok = !moved && fits(f); ok {
					found = f
				}
				return false
			})
			if err != nil {
				return Finding{}, false, err
			}
		}
		if !moved {
			return found, ok, nil
		}
		x.known = nil
	}
	return Finding{}, false, fmt.Errorf("%s: %w", File, vault.ErrChanged)
}

// follow reads what is new.
func (x *Index) follow(v *vault.Vault) error {
	if x.known != nil {
		if same, err := x.known.more(v); same || err != nil {
			return err
		}
	}
	x.known = &places{last: map[uint64]int32{}}
	_, err := x.known.more(v)
	return err
}

// more reads on; false where the last line that was read is another one now.
func (p *places) more(v *vault.Vault) (same bool, err error) {
	same = p.read == 0
	err = v.StateLines(FileName, p.tail, func(at int64, line []byte) bool {
		if !same {
			same = maphash.Bytes(seed, line) == p.mark
			return same
		}
		if f, err := Parse(bytes.TrimSpace(line)); err == nil {
			p.add(idName(f.ID), at)
			p.add(textName(f.Text), at)
		}
		p.tail, p.read, p.mark = at, at+int64(len(line)), maphash.Bytes(seed, line)
		return true
	})
	return same, err
}

func (p *places) add(name uint64, at int64) {
	before, known := p.last[name]
	if !known {
		before = -1
	}
	p.last[name] = int32(len(p.list))
	p.list = append(p.list, place{at, before})
}
