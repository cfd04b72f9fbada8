package palace

import (
	"context"
	"fmt"
	"sync"

	"github.com/reverie-memory/reverie/vault"
)

// logged are the ids of the facts in logs and diaries. They are read with the first facts that an import brings, and kept until one ends or
// facts are taken out: so the parts of an import do not read all logs each. Its methods may be called from several goroutines.
type logged struct {
	mu  sync.Mutex
	ids map[string]bool // nil: not read
}

// of says which facts are in a log or diary.
func (l *logged) of(ctx context.Context, v *vault.Vault, facts []ImportedFact) (map[string]bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ids == nil {
		ids, err := v.Logged(ctx)
		if err != nil {
			return nil, fmt.Errorf("look the facts up: %w", err)
		}
		l.ids = ids
	}
	known := map[string]bool{}
	for _, f := range facts {
		known[f.Fact.ID] = l.ids[f.Fact.ID]
	}
	return known, nil
}

// add takes in facts that were written.
func (l *logged) add(facts []ImportedFact) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, f := range facts {
		if l.ids != nil {
			l.ids[f.Fact.ID] = true
		}
	}
}

// drop has the ids be read anew.
func (l *logged) drop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ids = nil
}
