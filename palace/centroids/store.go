package centroids

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/reverie-memory/reverie/forget"
	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/palace/drawers"
	"github.com/reverie-memory/reverie/palace/tier"
	"github.com/reverie-memory/reverie/vault"
)

// The file, by its name in the state folder and by its path.
const (
	FileName = "centroids.jsonl"
	File     = vault.Path(vault.StateDir + "/" + FileName)
)

var records = vault.Records[Centroid]{Name: FileName}

// A Store keeps the centroids of a vault. One caller at a time may Learn.
type Store struct{ Vault *vault.Vault }

// Set is the centroids of an embedder as they were last learnt.
func (s Store) Set(fingerprint string) (set Set, err error) {
	err = records.Each(s.Vault, func(c Centroid) {
		if c.Fingerprint == fingerprint {
			set = append(set, c)
		}
	})
	if err != nil {
		return nil, fmt.Errorf("read the centroids: %w", err)
	}
	return set, nil
}

// Learn trains centroids of the drawers of which a model said the type, and writes them where they are others than before. Learn returns
// how many drawers would teach each type. After a crash between two lines, the next call learns what is missing. While it holds writing,
// nobody purges: what was forgotten before teaches nothing, and [vault.ErrChanged] says that more was forgotten meanwhile.
func (s Store) Learn(ctx context.Context, r indexer.Reader, known drawers.State, fingerprint string, writing sync.Locker) (
	counts map[tier.Type]int, err error,
) {
	now := s.Vault.Now()
	stones, err := s.Vault.Tombstones()
	if err != nil {
		return nil, err
	}
	samples, err := gather(ctx, r, known, now.Add(-Window), stones)
	if err != nil {
		return nil, err
	}
	writing.Lock()
	defer writing.Unlock()
	switch latest, err := s.Vault.Tombstones(); {
	case err != nil:
		return nil, err
	case latest.Version() != stones.Version():
		return nil, fmt.Errorf("learn the centroids: %w", vault.ErrChanged)
	}
	counts = Counts(samples, now)
	before, err := s.Set(fingerprint)
	if err != nil {
		return counts, err
	}
	after := Train(samples, fingerprint, now, before)
	if same(before, after) {
		return counts, nil
	}
	if err := s.clear(); err != nil {
		return counts, err
	}
	if err := records.Append(ctx, s.Vault, after...); err != nil {
		return counts, fmt.Errorf("write the centroids: %w", err)
	}
	return counts, nil
}

func same(a, b Set) bool {
	return slices.EqualFunc(a, b, func(x, y Centroid) bool { return x.Type == y.Type && x.Source == y.Source })
}

func (s Store) clear() error {
	if _, err := s.Vault.EditState(FileName, func([]byte) []byte { return nil }); err != nil {
		return fmt.Errorf("take the centroids out: %w", err)
	}
	return nil
}

// gather reads the vectors of the drawers of which a model said the type, filed since then. The vector of a long drawer is of its
// beginning. What was put away is left out, and what was forgotten, also before the index followed.
func gather(ctx context.Context, r indexer.Reader, known drawers.State, since time.Time, stones *vault.Tombstones) ([]Sample, error) {
	r, release := r.Pin()
	defer release()
	var ids []string
	for id, k := range known {
		if k.Tier == drawers.LLM && k.Type != "" && k.Archived == 0 {
			ids = append(ids, id)
		}
	}
	keys, err := r.KeysByID(ctx, ids)
	if err != nil {
		return nil, fmt.Errorf("look for drawers: %w", err)
	}
	rows, keys, err := r.KeyedRows(ctx, keys)
	if err != nil {
		return nil, fmt.Errorf("read drawers: %w", err)
	}
	vectors, err := r.Vectors(ctx, keys)
	if err != nil {
		return nil, fmt.Errorf("read the vectors of drawers: %w", err)
	}
	var samples []Sample
	for i, row := range rows {
		at := row.At
		if !row.Filed.IsZero() {
			at = row.Filed
		}
		if row.Source == catalog.DrawerText && !at.Before(since) && stones.Visible(row.Text) == row.Text {
			samples = append(samples, Sample{row.Drawer, known.Of(row.Drawer).Type, at, vectors[i]})
		}
	}
	return samples, nil
}

// Kind is the centroids as a kind of record. A purge of a drawer takes all of them: it may have taught one. The centroids are learnt again
// from what is left.
func (s Store) Kind() forget.Kind {
	return forget.Kind{Name: "centroid", Owns: forget.Files(string(File)), Purge: func(_ context.Context, p *forget.Purge) error {
		for id := range p.Rows {
			if strings.HasPrefix(id, "d") {
				p.Changed = append(p.Changed, File)
				return s.clear()
			}
		}
		return nil
	}}
}

// Dormant says which types have no centroid, and how many drawers each has; "" where all have one.
func Dormant(counts map[tier.Type]int) string {
	var out []string
	for _, t := range tier.Types {
		if n := counts[t]; n < Least {
			out = append(out, fmt.Sprintf("%s %d", t, n))
		}
	}
	if len(out) == 0 {
		return ""
	}
	return fmt.Sprintf("centroids: dormant below %d drawers of a type that a model told: %s", Least, strings.Join(out, ", "))
}
