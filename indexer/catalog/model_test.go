package catalog

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/project"
	"github.com/reverie-memory/reverie/vault"
)

// A model is what the catalog should hold, kept the simple way.
type model struct {
	rows  map[Key]Row
	files map[vault.Path]int
}

func (m *model) apply(changes []Change, keys [][]Key) {
	for i, c := range changes {
		for _, k := range c.Delete {
			delete(m.rows, k)
		}
		if c.State == nil {
			delete(m.files, c.Path)
			for k, r := range m.rows {
				if r.File == c.Path {
					delete(m.rows, k)
				}
			}
		}
		for _, mv := range c.Move {
			m.rows[mv.Key] = mv.Row
		}
		for j, r := range c.Insert {
			m.rows[keys[i][j]] = r
		}
		if c.State != nil {
			m.files[c.Path] = 1
		}
	}
}

func (m *model) of(p vault.Path) (keys []Key) {
	for k, r := range m.rows {
		if r.File == p {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	return keys
}

func (m *model) sorted() []Key {
	var keys []Key
	for k := range m.rows {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// bm25 scores all rows, straight from the formula.
func (m *model) bm25(terms []WeightedTerm, rank Ranking) map[Key]float64 {
	type doc struct {
		tf  map[string]float64
		len float64
	}
	docs, df, total := map[Key]doc{}, map[string]float64{}, 0.0
	for k, r := range m.rows {
		d := doc{tf: map[string]float64{}}
		for _, t := range lexis.Terms(r.Text) {
			d.tf[t] += rank.Body
			d.len += rank.Body
		}
		for _, t := range lexis.Terms(r.Context) {
			d.tf[t] += rank.Context
		}
		for t := range d.tf {
			df[t]++
		}
		total += d.len
		docs[k] = d
	}
	n := float64(len(docs))
	out := map[Key]float64{}
	for k, d := range docs {
		for _, t := range terms {
			if tf := d.tf[t.Term]; tf > 0 {
				idf := math.Log(1 + (n-df[t.Term]+0.5)/(df[t.Term]+0.5))
				out[k] += t.Weight * idf * tf * (rank.K1 + 1) / (tf + rank.K1*(1-rank.B+rank.B*d.len/(total/n)))
			}
		}
	}
	return out
}

// passes is the filter, straight from its description.
func passes(f Filter, r Row) bool {
	for _, w := range []struct{ want, got string }{
		{f.Wing, r.Wing},
		{f.Room, r.Room},
		{f.Category, r.Category},
		{f.Agent, r.Agent},
		{f.Chat, r.Chat},
		{f.Hall, r.Hall},
		{f.Type, r.Type},
	} {
		if w.want != "" && w.want != w.got {
			return false
		}
	}
	wing := r.Wing
	if r.Guessed {
		wing = ""
	}
	if f.View != nil && (f.View.Archived != r.Archived || f.View.Isolated.Around(wing) != f.View.Isolated.Around(f.View.Wing) ||
		r.Source == Diary &&
			r.Agent != f.View.Agent) {
		return false
	}
	filed := r.Filed
	if filed.IsZero() {
		filed = r.At
	}
	if !f.Filed.IsZero() && filed.Before(f.Filed) || !f.Known.IsZero() && !filed.Before(f.Known) {
		return false
	}
	if len(f.Source) > 0 && !slices.Contains(f.Source, r.Source) || f.Speaker != "" && !strings.EqualFold(f.Speaker, r.Speaker) {
		return false
	}
	if f.Standing && (r.Past || r.Aside || r.Origin == vault.OriginAssistant || r.Origin == vault.OriginTool) {
		return false
	}
	for _, t := range f.Tags {
		if !slices.Contains(r.Tags, t) {
			return false
		}
	}
	if (!f.From.IsZero() || !f.To.IsZero()) && r.At.IsZero() {
		return false
	}
	return (f.From.IsZero() || !r.At.Before(f.From)) && (f.To.IsZero() || r.At.Before(f.To))
}

var filters = []Filter{
	{Source: []SourceType{ArchiveLog}},
	{Source: []SourceType{DrawerText, Notebook}, Wing: "work"},
	{Source: []SourceType{Closet}},
	{Wing: "home", Room: "garden"},
	{Wing: "Home"},
	{Hall: "events", Type: "task"},
	{Filed: epoch.AddDate(0, 0, 20)},
	{Known: epoch.AddDate(0, 0, 20)},
	{View: &View{Archived: true}, Wing: "home"},
	{Category: "career"},
	{Speaker: "BOB"},
	{Speaker: "nobody"},
	{Agent: "codex", Tags: []string{"work", "x"}},
	{Tags: []string{"x", "work"}},
	{Tags: []string{"x", "y"}},
	{Tags: []string{"unheard"}},
	{Chat: "chat-1"},
	{Standing: true},
	{Standing: true, Source: []SourceType{Notebook}},
	{From: epoch.Add(40 * time.Minute)},
	{View: &View{}},
	{View: &View{Agent: "codex"}},
	{View: &View{Isolated: project.Isolation{"home"}}, Source: []SourceType{ArchiveLog, Diary}},
	{View: &View{Wing: "home/garden", Isolated: project.Isolation{"home", "work"}}, Room: "garden"},
	{To: epoch.Add(90 * time.Minute)},
	{From: epoch.Add(40 * time.Minute), To: epoch.Add(90 * time.Minute), Source: []SourceType{ArchiveLog}},
}

func sortedKeys(keys []Key) []Key {
	out := append([]Key{}, keys...)
	slices.Sort(out)
	return out
}

// verify compares all that a reader can tell with the model.
func (m *model) verify(t *testing.T, g *Generation) {
	t.Helper()
	ctx, r := context.Background(), g.Reader()
	keys := m.sorted()
	if r.Len() != len(keys) {
		t.Fatalf("%d rows, want %d", r.Len(), len(keys))
	}
	rows, err := r.Rows(ctx, keys)
	if err != nil {
		t.Fatal(err)
	}
	var want []Row
	for _, k := range keys {
		want = append(want, m.rows[k])
	}
	if d := gocmp.Diff(want, rows); d != "" {
		t.Fatalf("rows (-want +got):\n%s", d)
	}
	m.verifyFiles(t, g)
	m.verifyIDs(t, r, keys)
	m.verifyColumns(t, r, keys)
	m.verifyFilters(t, r)
	m.verifyLexical(t, r)
	if err := g.Check(ctx); err != nil {
		t.Fatal(err)
	}
	if err := g.CheckRows(ctx, func(k Key, p vault.Path) { t.Errorf("row %d of %s is said to be damaged", k, p) }); err != nil {
		t.Fatal(err)
	}
}

func (m *model) verifyFiles(t *testing.T, g *Generation) {
	t.Helper()
	files, err := g.Files(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != len(m.files) {
		t.Fatalf("%d files, want %d", len(files), len(m.files))
	}
	for p, f := range files {
		states, err := g.RowsOf(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		var want []RowState
		for _, k := range m.of(p) {
			r := m.rows[k]
			want = append(want, RowState{k, r.ID, Digest(&r), TextHash(r.Context, r.Text)})
		}
		if d := gocmp.Diff(want, states); d != "" || f.Rows != len(want) {
			t.Fatalf("%s: %d rows, %s", p, f.Rows, d)
		}
	}
}

// verifyIDs asks for the ids of all rows that are or may have been there: what is known from before a change must not be told.
func (m *model) verifyIDs(t *testing.T, r *Reader, keys []Key) {
	t.Helper()
	var all []Key
	var want []string
	for k := range slices.Max(append(keys, 0)) + 3 {
		all, want = append(all, k), append(want, m.rows[k].ID)
	}
	for range 2 { // read, and known
		if got, err := r.IDs(t.Context(), all); err != nil || !slices.Equal(got, want) {
			t.Fatalf("ids %q, %v, want %q", got, err, want)
		}
	}
}

func (m *model) verifyColumns(t *testing.T, r *Reader, keys []Key) {
	t.Helper()
	metas := r.Metas(keys)
	sessions, drawers, turns := map[string][]Key{}, map[string][]Key{}, map[string]bool{}
	for _, k := range keys {
		row := m.rows[k]
		sessions[row.Session], drawers[row.Drawer] = append(sessions[row.Session], k), append(drawers[row.Drawer], k)
		turns[row.Turn] = true
	}
	for i, k := range keys {
		row, meta := m.rows[k], metas[i]
		var unix int64
		if !row.At.IsZero() {
			unix = row.At.Unix()
		}
		if meta.Key != k || meta.Source != row.Source || meta.Seq != int32(row.Seq) || meta.Unix != unix || !r.Has(k) {
			t.Fatalf("meta of %d: %+v, want %+v", k, meta, row)
		}
		if got := r.DrawerKeys(meta.Drawer); row.Drawer != "" && !slices.Equal(got, drawers[row.Drawer]) {
			t.Fatalf("drawer of %d: %v, want %v", k, got, drawers[row.Drawer])
		}
		if row.Session == "" {
			continue
		}
		if got := r.SessionKeys(meta.Session); !slices.Equal(sortedKeys(got), sessions[row.Session]) {
			t.Fatalf("session of %d: %v, want %v", k, got, sessions[row.Session])
		} else if !slices.IsSortedFunc(got, func(a, b Key) int { return cmp.Compare(m.rows[a].Seq, m.rows[b].Seq) }) {
			t.Fatalf("session of %d is not in order", k)
		}
		var around [2][]Key
		for _, o := range sessions[row.Session] {
			for side, seq := range []int{row.Seq - 1, row.Seq + 1} {
				if or := m.rows[o]; or.Seq == seq && or.Source == row.Source {
					around[side] = append(around[side], o)
				}
			}
		}
		if prev, next := r.Neighbours(k); !slices.Equal(prev, around[0]) || !slices.Equal(next, around[1]) {
			t.Fatalf("neighbours of %d: %v %v, want %v", k, prev, next, around)
		}
	}
	for turn := range turns {
		if ok, err := r.HasTurn(context.Background(), turn); err != nil || ok != (turn != "") {
			t.Fatalf("turn %q: %v, %v", turn, ok, err)
		}
	}
}

func (m *model) verifyHeaviest(t *testing.T, r *Reader, f Filter, keys []Key) {
	t.Helper()
	weigh := func(category, wing string, unix int64) int {
		if wing == "home" {
			return -1
		}
		return len(category) + int(unix/3600%24)
	}
	var want, got []int
	for _, k := range keys {
		if w := weigh(m.rows[k].Category, m.rows[k].Wing, max(0, m.rows[k].At.Unix())); w >= 0 {
			want = append(want, w)
		}
	}
	slices.SortFunc(want, func(a, b int) int { return b - a })
	for _, k := range r.Heaviest(f, 9, weigh) {
		if !slices.Contains(keys, k) {
			t.Fatalf("%+v does not let row %d through", f, k)
		}
		got = append(got, weigh(m.rows[k].Category, m.rows[k].Wing, max(0, m.rows[k].At.Unix())))
	}
	if !slices.Equal(got, want[:min(9, len(want))]) {
		t.Fatalf("the heaviest of %+v weigh %v, want %v", f, got, want)
	}
}

func (m *model) verifyFilters(t *testing.T, r *Reader) {
	t.Helper()
	for _, f := range filters {
		var want []Key
		for _, k := range m.sorted() {
			row := m.rows[k]
			if passes(f, row) {
				want = append(want, k)
			}
			if f.Passes(&row) != passes(f, row) {
				t.Fatalf("filter %+v: %+v passes: %v", f, row, f.Passes(&row))
			}
		}
		allow := r.Allow(f)
		if allow == nil { // nothing is hidden
			allow = r.Has
		}
		var got []Key
		for k := Key(-2); k < 20000; k++ {
			if allow(k) {
				got = append(got, k)
			}
		}
		if !slices.Equal(got, want) || r.Count(f) != len(want) {
			t.Fatalf("filter %+v: %v, want %v", f, got, want)
		}
		rows, err := r.List(context.Background(), f, 7, 2)
		if err != nil || len(rows) != max(0, min(7, len(want)-2)) {
			t.Fatalf("list %+v: %d rows of %d, %v", f, len(rows), len(want), err)
		}
		if !slices.IsSortedFunc(rows, func(a, b Row) int { return b.At.Compare(a.At) }) {
			t.Fatalf("list %+v is not newest first", f)
		}
		m.verifyHeaviest(t, r, f, want)
		said, last := map[string]int{}, map[string]string{}
		for _, k := range want {
			row := m.rows[k]
			if is, seen := last[row.Turn]; row.Speaker != "" || row.Origin == vault.OriginUser {
				if row.Turn == "" || !seen || is != row.Speaker {
					said[row.Speaker]++
				}
				last[row.Turn] = row.Speaker
			}
		}
		if d := gocmp.Diff(said, r.Speakers(f)); d != "" {
			t.Fatalf("speakers %+v: %s", f, d)
		}
	}
	bySource, drawers, wings, rooms := r.Counts(context.Background())
	want, seen := map[SourceType]int{}, [3]map[string]bool{{}, {}, {}}
	for _, row := range m.rows {
		want[row.Source]++
		if row.Source == DrawerText && row.Drawer != "" {
			seen[0][row.Drawer] = true
		}
		if row.Wing != "" {
			seen[1][row.Wing] = true
		}
		if row.Room != "" {
			seen[2][row.Room] = true
		}
	}
	if d := gocmp.Diff(want, bySource); d != "" || drawers != len(seen[0]) || wings != len(seen[1]) || rooms != len(seen[2]) {
		t.Fatalf("counts: %s %d %d %d, want %d %d %d", d, drawers, wings, rooms, len(seen[0]), len(seen[1]), len(seen[2]))
	}
}

func (m *model) verifyLexical(t *testing.T, r *Reader) {
	t.Helper()
	ctx, c := context.Background(), newCorpus(77, 300)
	for _, rank := range []Ranking{DefaultRanking(), {Body: 1, Context: 0.3, K1: 0.9, B: 0.4}} {
		for range 6 {
			query := c.word() + " " + c.word() + " alice " + c.word()
			terms, err := r.QueryTerms(ctx, query)
			if err != nil {
				t.Fatal(err)
			}
			want := m.bm25(terms, rank)
			for _, allow := range []func(Key) bool{nil, func(k Key) bool { return k%3 == 0 }} {
				checkScored(t, r, terms, rank, want, allow)
			}
			keys := m.sorted()
			scores, err := r.LexicalScores(ctx, terms, rank, keys)
			if err != nil {
				t.Fatal(err)
			}
			for i, k := range keys {
				if math.Abs(scores[i]-want[k]) > 1e-9 {
					t.Fatalf("score of %d: %v, want %v", k, scores[i], want[k])
				}
			}
		}
	}
}

func checkScored(t *testing.T, r *Reader, terms []WeightedTerm, rank Ranking, want map[Key]float64, allow func(Key) bool) {
	t.Helper()
	const k = 15
	var scores []float64
	for key, s := range want {
		if allow == nil || allow(key) {
			scores = append(scores, s)
		}
	}
	slices.SortFunc(scores, func(a, b float64) int { return cmp.Compare(b, a) })
	got, err := r.LexicalTerms(context.Background(), terms, rank, k, allow)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != min(k, len(scores)) {
		t.Fatalf("%d found, want %d", len(got), min(k, len(scores)))
	}
	for i, s := range got {
		if math.Abs(s.Score-want[s.Key]) > 1e-9 || math.Abs(s.Score-scores[i]) > 1e-9 || allow != nil && !allow(s.Key) {
			t.Fatalf("place %d: row %d with %v, want %v there and %v of it", i, s.Key, s.Score, scores[i], want[s.Key])
		}
	}
}

// TestModel makes random changes and compares all answers with a naive model, also after opening again.
func TestModel(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			c, g := mustCreate(t, dir)
			corp := newCorpus(seed, 300)
			m := &model{rows: map[Key]Row{}, files: map[vault.Path]int{}}
			var last Key
			for step := range 40 {
				changes := randomChanges(corp, m)
				keys := mustApply(t, g, changes...)
				for _, list := range keys {
					for _, k := range list {
						if k <= last {
							t.Fatalf("key %d after %d", k, last)
						}
						last = k
					}
				}
				m.apply(changes, keys)
				if step%5 == 1 { // let the postings reach the table at changing times
					if err := g.flushMemtable(); err != nil {
						t.Fatal(err)
					}
				}
				if step%13 == 7 {
					if step%2 == 0 {
						if err := c.Close(); err != nil {
							t.Fatal(err)
						}
						c = mustOpen(t, dir)
					} else {
						dir = crashCopy(t, c)
						c = mustOpen(t, dir)
					}
					var err error
					if g, err = c.OpenGeneration(context.Background(), 1); err != nil {
						t.Fatal(err)
					}
				}
				if step%8 == 7 {
					m.verify(t, g)
				}
			}
		})
	}
}

func randomChanges(c *corpus, m *model) []Change {
	var out []Change
	used := map[vault.Path]bool{}
	for range 1 + c.rnd.IntN(3) {
		p := vault.Path(fmt.Sprintf("memory/archive/%d.md", c.rnd.IntN(9)))
		if used[p] {
			continue
		}
		used[p] = true
		have := m.of(p)
		if c.rnd.IntN(9) == 0 && m.files[p] > 0 {
			out = append(out, Change{Path: p})
			continue
		}
		ch := c.change(p, c.rnd.IntN(12), 60)
		for _, k := range have {
			switch c.rnd.IntN(5) {
			case 0:
				ch.Delete = append(ch.Delete, k)
			case 1:
				ch.Move = append(ch.Move, Moved{k, moved(c, m.rows[k])})
			}
		}
		out = append(out, ch)
	}
	return out
}

// moved gives a row other metadata.
func moved(c *corpus, r Row) Row {
	r.Line += 3
	if c.rnd.IntN(2) == 0 {
		other := c.row(r.File, 5)
		r.Session, r.Seq, r.Drawer, r.Tags, r.At, r.Speaker = other.Session, other.Seq, other.Drawer, other.Tags, other.At, other.Speaker
	}
	return r
}

// TestOrder: the same rows in any order and any batches give the same answers.
func TestOrder(t *testing.T) {
	corp := newCorpus(11, 300)
	var rows []Row
	for range 300 {
		rows = append(rows, corp.row("memory/archive/a.md", 50))
		if corp.rnd.IntN(4) == 0 { // an equal text under another id: equal scores
			twin := rows[len(rows)-1]
			twin.ID += "-twin"
			rows = append(rows, twin)
		}
	}
	var want []string
	for seed := range uint64(4) {
		rnd := rand.New(rand.NewPCG(seed, 3))
		rnd.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		_, g := mustCreate(t, t.TempDir())
		for i := 0; i < len(rows); {
			n := min(1+rnd.IntN(80), len(rows)-i)
			junk := corp.row("memory/archive/a.md", 50)
			keys := mustApply(t, g, Change{Path: "memory/archive/a.md", State: &FileState{}, Insert: append(slices.Clone(rows[i:i+n]), junk)})
			if rnd.IntN(2) == 0 {
				if err := g.flushMemtable(); err != nil {
					t.Fatal(err)
				}
			}
			mustApply(t, g, Change{Path: "memory/archive/a.md", State: &FileState{}, Delete: keys[0][n:]})
			i += n
		}
		got := answers(t, g.Reader())
		if want == nil {
			want = got
		} else if d := gocmp.Diff(want, got); d != "" {
			t.Fatalf("another order, other answers:\n%s", d)
		}
	}
}

// answers are what some queries find, by ids and exact scores.
func answers(tb testing.TB, r *Reader) (out []string) {
	tb.Helper()
	c := newCorpus(5, 300)
	for range 20 {
		query := c.word() + " " + c.word() + " " + c.word()[:4]
		found, err := r.Lexical(context.Background(), query, 12, nil)
		if err != nil {
			tb.Fatal(err)
		}
		for _, s := range found {
			rows, err := r.Rows(context.Background(), []Key{s.Key})
			if err != nil {
				tb.Fatal(err)
			}
			out = append(out, fmt.Sprintf("%s: %s %v", query, rows[0].ID, s.Score))
		}
	}
	rows, err := r.List(context.Background(), Filter{}, 50, 0)
	if err != nil {
		tb.Fatal(err)
	}
	for _, row := range rows {
		out = append(out, row.ID)
	}
	return out
}
