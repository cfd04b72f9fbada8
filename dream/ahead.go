package dream

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/reverie-memory/reverie/dream/claim"
	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/vault"
)

// groupsAhead bounds the groups that are read before their turn comes.
const groupsAhead = 4

// A loading is a group that is being read. Nobody else touches it until done.
type loading struct {
	fam  *pageGroup
	err  error
	done chan struct{}
}

// begin starts to read the pages of a group, unless that is done already.
func (p *planner) begin(key string) {
	if p.open[key] != nil || p.ahead[key] != nil {
		return
	}
	l := &loading{done: make(chan struct{})}
	p.ahead[key] = l
	names := slices.Clone(p.groupPages[key]) // which grows with the pages that are made meanwhile
	go func() {
		defer close(l.done)
		defer func() {
			if r := recover(); r != nil {
				l.err = fmt.Errorf("a defect in reading the pages of %s: %v", key, r)
			}
		}()
		l.fam, l.err = p.read(key, names)
	}()
}

// groupOf loads the pages that belong to p.
func (p *planner) groupOf(of vault.Path) (*pageGroup, error) {
	key := groupKey(of)
	if group, ok := p.open[key]; ok {
		return group, nil
	}
	p.begin(key)
	l := p.ahead[key]
	<-l.done
	delete(p.ahead, key)
	if l.err != nil {
		return nil, l.err
	}
	p.open[key] = l.fam
	return l.fam, nil
}

// read reads the pages of a group. read may run beside the planner: what it asks of that does not change any more.
func (p *planner) read(key string, names []vault.Path) (*pageGroup, error) {
	group := &pageGroup{
		key: key, lines: map[string][]*line{}, tasks: map[string][]*line{},
		claims: map[string]*claim.Claim{}, named: map[page.Source]*line{},
	}
	for _, name := range names {
		d, err := p.load(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if errors.Is(err, vault.ErrClosed) {
			return nil, err
		}
		if err != nil { // it can be read no more: a folder stands there, or a link
			d = &draft{path: name, doc: page.Parse(name, nil), closed: "the page cannot be read"}
		}
		group.drafts = append(group.drafts, d)
		p.index(group, d)
	}
	return group, nil
}
