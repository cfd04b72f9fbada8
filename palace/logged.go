package palace

import (
	"context"
	"fmt"
	"sync"

	"github.com/reverie-memory/reverie/vault"
)

// logged are the ids of the facts in logs and diaries, file by file. logged are kept until an import ends, so that its parts read only the
// files that changed. Its methods may be called from several goroutines.
type logged struct {
	mu    sync.Mutex
	files map[vault.Path]vault.Logged
}

// of says which facts are in a log or diary.
func (l *logged) of(ctx context.Context, v *vault.Vault, facts []ImportedFact) (map[string]bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	files, err := v.Logged(ctx, l.files)
	if err != nil {
		return nil, fmt.Errorf("look the facts up: %w", err)
	}
	l.files = files
	known := map[string]bool{}
	for _, f := range facts {
		known[f.Fact.ID] = false
	}
	for _, file := range files {
		for _, id := range file.IDs {
			if _, asked := known[id]; asked {
				known[id] = true
			}
		}
	}
	return known, nil
}

// drop forgets the ids.
func (l *logged) drop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.files = nil
}
