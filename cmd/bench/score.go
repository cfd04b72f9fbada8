package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/internal/slice"
)

// A turn is one line of *.turns.jsonl.
type turn struct {
	Conversation string `json:"conversation"`
	Session      int    `json:"session"`
	SessionTime  string `json:"session_datetime"`
	TurnTime     string `json:"turn_datetime"`
	ID           string `json:"dia_id"`
	Speaker      string `json:"speaker"`
	Text         string `json:"text"`
}

// at is when the turn was said: its own time, else its session's.
func (t *turn) at() (time.Time, error) {
	s := cmp.Or(t.TurnTime, t.SessionTime)
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05"} {
		if at, err := time.Parse(layout, s); err == nil {
			return at.UTC(), nil
		}
	}
	return time.Time{}, fmt.Errorf("turn %s of %s: time %q is not RFC 3339", t.ID, t.Conversation, s)
}

// A query is one line of *.queries.jsonl.
type query struct {
	ID           string   `json:"qid"`
	Conversation string   `json:"conversation"`
	Question     string   `json:"question"`
	Category     string   `json:"category_name"`
	Evidence     []string `json:"evidence"`
	Adversarial  bool     `json:"adversarial"`

	Answer json.RawMessage `json:"answer"`
}

// scored says whether the query counts.
func (q *query) scored() bool { return len(q.Evidence) > 0 && !q.Adversarial }

// A conversation is what goes into one store, with its questions.
type conversation struct {
	Name    string
	Turns   []turn
	Queries []query
}

// loadConversations reads all *.turns.jsonl under dir, with the *.queries.jsonl beside each, in the order of their
// paths: the first limit of them, or all for 0.
func loadConversations(dir string, limit int) ([]conversation, error) {
	var paths []string
	err := filepath.WalkDir(dir, func(p string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(p, ".turns.jsonl") {
			paths = append(paths, p)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("looking for conversations: %w", err)
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("no *.turns.jsonl under %s", dir)
	}
	slices.Sort(paths)
	var out []conversation
	index := map[string]int{}
	at := func(name string) *conversation {
		i, ok := index[name]
		if !ok {
			i = len(out)
			index[name] = i
			out = append(out, conversation{Name: name})
		}
		return &out[i]
	}
	for _, p := range paths {
		if err := readLines(p, func(t turn) { c := at(t.Conversation); c.Turns = append(c.Turns, t) }); err != nil {
			return nil, err
		}
		if err := readLines(strings.Replace(p, ".turns.", ".queries.", 1),
			func(q query) { c := at(q.Conversation); c.Queries = append(c.Queries, q) }); err != nil {
			return nil, err
		}
	}
	if limit > 0 {
		out = out[:min(limit, len(out))]
	}
	return out, nil
}

// readLines decodes one JSON value a line.
func readLines[T any](path string, fn func(T)) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("reading conversations: %w", err)
	}
	defer f.Close()
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 64<<20)
	for n := 1; sc.Scan(); n++ {
		if strings.TrimSpace(sc.Text()) == "" {
			continue
		}
		var v T
		if err := json.Unmarshal(sc.Bytes(), &v); err != nil {
			return fmt.Errorf("%s line %d: %w", path, n, err)
		}
		fn(v)
	}
	if err := sc.Err(); err != nil {
		return fmt.Errorf("reading %s: %w", path, err)
	}
	return nil
}

// The figures of a run, in the order in which they are printed.
const (
	turnR5 = iota
	turnR10
	turnMRR
	sessionR5
	numFigures
)

var figureNames = [numFigures]string{"turn R@5", "R@10", "MRR@10", "session R@5"}

// figures are the scores of one question, or the mean of many, between 0 and 1.
type figures [numFigures]float64

// A scoredQuery is a question with its figures.
type scoredQuery struct {
	query   *query
	figures figures
	layer   string // L3 of a context
}

// scoreRuns scores ranked turn ids by question. A question without an answer counts as a miss.
func scoreRuns(convs []conversation, ranked map[string][]string) []scoredQuery {
	var out []scoredQuery
	for i := range convs {
		c := &convs[i]
		sessions := make(map[string]int, len(c.Turns))
		for _, t := range c.Turns {
			sessions[t.ID] = t.Session
		}
		for j := range c.Queries {
			if q := &c.Queries[j]; q.scored() {
				out = append(out, scoredQuery{query: q, figures: scoreOne(q, ranked[q.ID], sessions)})
			}
		}
	}
	return out
}

func scoreOne(q *query, ranked []string, sessions map[string]int) (f figures) {
	pos := positions(q.Evidence, ranked)
	f[turnR5] = within(pos, 5, len(q.Evidence))
	f[turnR10] = within(pos, 10, len(q.Evidence))
	if len(pos) > 0 && slices.Min(pos) < 10 {
		f[turnMRR] = 1 / float64(slices.Min(pos)+1)
	}
	var order []int
	for _, id := range ranked {
		if s, ok := sessions[id]; ok && !slices.Contains(order, s) {
			order = append(order, s)
		}
	}
	want := slices.Sorted(maps.Keys(slice.SetOf(q.Evidence, func(id string) int { return sessions[id] })))
	f[sessionR5] = within(positions(want, order), 5, len(want))
	return f
}

// positions are the ranks, from 0, of those wanted that were found.
func positions[T comparable](want, ranked []T) []int {
	var out []int
	for _, w := range want {
		if i := slices.Index(ranked, w); i >= 0 {
			out = append(out, i)
		}
	}
	return out
}

func within(pos []int, k, n int) float64 {
	hits := slice.Count(pos, func(p int) bool { return p < k })
	return float64(hits) / float64(n)
}

// meanOf is the mean over questions of a category; all of them for "".
func meanOf(rows []scoredQuery, category string) (figures, int) {
	var sum figures
	n := 0
	for _, r := range rows {
		if category == "" || r.query.Category == category {
			n++
			for i, v := range r.figures {
				sum[i] += v
			}
		}
	}
	for i := range sum {
		sum[i] /= max(1, float64(n))
	}
	return sum, n
}

// categories are those of the scored questions, sorted.
func categories(rows []scoredQuery) []string {
	return slices.Sorted(maps.Keys(slice.SetOf(rows, func(r scoredQuery) string { return r.query.Category })))
}

// writeRun writes what was answered, one question a line, in the order of the questions.
func writeRun[T any](path string, convs []conversation, field string, answers map[string]T) error {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	for i := range convs {
		for j := range convs[i].Queries {
			id := convs[i].Queries[j].ID
			if r, ok := answers[id]; ok {
				if err := enc.Encode(map[string]any{"qid": id, field: r}); err != nil {
					return fmt.Errorf("writing run: %w", err)
				}
			}
		}
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
		return fmt.Errorf("writing run: %w", err)
	}
	return nil
}
