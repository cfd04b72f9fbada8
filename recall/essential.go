package recall

import (
	"cmp"
	"context"
	"math/bits"
	"slices"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/extract"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/vault"
)

// The importance of a row is a sum of points:
//
//	what it is   a preference, decision or milestone 30; a problem, a task, or a category that a person or a model chose 20; else 10
//	where        on the page of a person or a project 10, on another page 5; of the wing that is asked for 10 more
//	told         4 for each doubling of the facts that it rests on, up to 12
//	read         4 for each doubling of how often a search found it, up to 24
//	fresh        a week old 20, a month 15, a quarter 10, a year 5; against the newest row, so that the day of asking changes nothing
//
// Ties go to the newer one, then by id.
const (
	pointsWeighty = 30
	pointsMiddle  = 20
	pointsPlain   = 10
	pointsPerson  = 10
	pointsPage    = 5
	pointsWing    = 10
	pointsDouble  = 4
	maxTold       = 12
	maxRead       = 24
)

// How many rows stand for election to the essential ones: the best by kind, wing and time, and those most often read.
const (
	candidates    = 256
	readOften     = 64
	leastOfDrawer = 4 // terms: "ok, thanks" tells nothing
)

// standing is what is known: statements of pages, and facts that no dream has put on one yet.
var standing = catalog.Filter{Source: []catalog.SourceType{catalog.Notebook, catalog.ArchiveLog}, Standing: true}

// Reads tells how often searches found rows.
type Reads interface {
	// Read is how often each of the rows was found.
	Read(ids ...string) int
	// Often are the rows found most often, the most often first.
	Often(n int) []string
	// Use is how rows were read up to now, all together.
	Use(now time.Time, ids ...string) Use
	// Before are the reads until a time, as far as the record still tells them from later ones.
	Before(at time.Time) Reads
}

// essential are the rows that matter without a question, the most important first; what was said and led to no fact comes last.
func (s *Searcher) essential(ctx context.Context, wing string) ([]catalog.Row, error) {
	rows, err := s.important(ctx, standing, wing, candidates)
	if err != nil || len(rows) > 4*essentialRows {
		return rows, err
	}
	said, err := s.Index.List(ctx, catalog.Filter{Source: []catalog.SourceType{catalog.DrawerText}, Wing: wing, Standing: true},
		4*essentialRows, 0)
	said = slices.DeleteFunc(said, func(r catalog.Row) bool { return len(lexis.Terms(r.Text)) < leastOfDrawer || asksBack(r.Text) > 0.5 })
	return append(rows, said...), err
}

// important are the most important rows of a filter, in this order: of the n best by kind and age, and of those
// often read. With a wing, those of other wings are left out.
func (s *Searcher) important(ctx context.Context, f catalog.Filter, wing string, n int) ([]catalog.Row, error) {
	var newest int64
	for _, m := range s.Index.Metas(s.Index.Heaviest(standing, 1, nil)) {
		newest = min(m.Unix, s.now().Unix())
	}
	weigh := func(category, of string, unix int64) int {
		n := kindPoints(category) + freshPoints(newest-unix)
		switch {
		case wing != "" && of == wing:
			n += pointsWing
		case wing != "" && of != "":
			return -1
		}
		return n
	}
	keys := s.Index.Heaviest(f, n, weigh)
	if s.Reads != nil {
		often, err := s.Index.KeysByID(ctx, s.Reads.Often(readOften))
		if err != nil {
			return nil, err
		}
		allowed := s.Index.Allow(f)
		for _, key := range often {
			if allowed(key) && !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
		}
	}
	rows, err := s.Index.Rows(ctx, keys)
	if err != nil {
		return nil, err
	}
	points := make(map[string]int, len(rows))
	rows = slices.DeleteFunc(rows, func(r catalog.Row) bool {
		n := weigh(r.Category, r.Wing, unix(r.At))
		points[r.ID] = n + s.morePoints(&r)
		return n < 0 || r.Category == "code" || strings.HasPrefix(r.Text, "[x]") // a task that is done
	})
	slices.SortFunc(rows, func(a, b catalog.Row) int {
		return cmp.Or(cmp.Compare(points[b.ID], points[a.ID]), b.At.Compare(a.At), cmp.Compare(a.ID, b.ID), cmp.Compare(a.File, b.File))
	})
	return rows, nil
}

func unix(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}

func kindPoints(category string) int {
	switch category {
	case extract.Preference, extract.Decision, extract.Milestone:
		return pointsWeighty
	case extract.General, extract.Emotional, "general", "":
		return pointsPlain
	}
	return pointsMiddle
}

func freshPoints(seconds int64) int {
	for i, days := range [...]int64{7, 30, 91, 365} {
		if seconds <= days*24*3600 {
			return 20 - 5*i
		}
	}
	return 0
}

// morePoints are those that only the row itself tells.
func (s *Searcher) morePoints(r *catalog.Row) int {
	n := min(maxTold, pointsDouble*max(0, bits.Len(uint(len(r.Cites)))-1))
	if s.Reads != nil {
		n += min(maxRead, pointsDouble*bits.Len(uint(s.Reads.Read(append(slices.Clone(r.Cites), r.ID)...))))
	}
	if r.Source == catalog.Notebook {
		n += pointsPage
		if s.Layout.Name(r.File).In(vault.Personal, vault.Projects) {
			n += pointsPerson - pointsPage
		}
	}
	return n
}
