package worker

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/reverie-memory/reverie/durable"
	"github.com/reverie-memory/reverie/forget"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/recall"
)

// ScoreFile is the name of the file of scores in the data folder. ScoreFile may be lost: then a scan begins anew.
const ScoreFile = "scores.json"

// scores are what scans found, and how far they came.
type scores struct {
	LTP    map[string]float64 `json:"ltp"`    // by drawer; none for what was not read lately
	Places map[string]reached `json:"places"` // by the isolated project that is scanned, as a hash; "" for what keeps to none
}

// reached is where a scan goes on. The zero value begins it.
type reached struct {
	Mark   *catalog.Mark `json:"mark,omitempty"`
	Offset int           `json:"offset,omitempty"` // how many drawers stand before it
	Ended  time.Time     `json:"ended,omitzero"`   // of the last scan that came to the end
}

func readScores(dir string) (s scores, err error) {
	data, err := os.ReadFile(filepath.Join(dir, ScoreFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return s, fmt.Errorf("read the scores: %w", err)
	}
	if json.Unmarshal(data, &s) != nil || s.LTP == nil || s.Places == nil {
		s = scores{LTP: map[string]float64{}, Places: map[string]reached{}}
	}
	return s, nil
}

func (s scores) write(dir string) error {
	data, err := json.Marshal(s)
	if err == nil {
		err = durable.WriteFile(filepath.Join(dir, ScoreFile), append(data, '\n'), 0o600)
	}
	if err != nil {
		return fmt.Errorf("write the scores: %w", err)
	}
	return nil
}

// score takes in the score of a drawer, and says whether it is another one than before.
func (s scores) score(id string, lately float64) (changed bool) {
	ltp := thousandths(recall.LTPScore(lately))
	if changed = s.LTP[id] != ltp; ltp == 0 {
		delete(s.LTP, id)
	} else {
		s.LTP[id] = ltp
	}
	return changed
}

func thousandths(f float64) float64 { return math.Round(1000*f) / 1000 }

// purgeScores takes the scores of drawers out that are gone.
func (r *Room) purgeScores(p *forget.Purge) error {
	r.writing.Lock()
	defer r.writing.Unlock()
	s, err := readScores(r.opt.Dir)
	if err != nil {
		return err
	}
	n := len(s.LTP)
	if maps.DeleteFunc(s.LTP, func(id string, _ float64) bool { return p.Rows[id] }); len(s.LTP) == n {
		return nil
	}
	return s.write(r.opt.Dir)
}
