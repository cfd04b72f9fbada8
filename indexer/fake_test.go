package indexer_test

import (
	"context"
	"fmt"
	"hash/fnv"
	"io/fs"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"sort"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.uber.org/goleak"

	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/indexer/flat"
	"github.com/reverie-memory/reverie/llm"
	"github.com/reverie-memory/reverie/vault"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience is how long a test waits for what must come: it guards against hanging, and says nothing about speed.
const patience = 2 * time.Minute

const fakeDim = 16

// fakeEmbedder hashes words; fail, where set, decides about each call.
type fakeEmbedder struct {
	mu    sync.Mutex
	dim   int
	print string
	calls int
	texts []string
	fail  func(call int, texts []string) ([][]float32, error)
}

func newEmbedder() *fakeEmbedder { return &fakeEmbedder{dim: fakeDim, print: "fake/1"} }

func (e *fakeEmbedder) Embed(ctx context.Context, texts []string, _ llm.Kind) ([][]float32, error) {
	e.mu.Lock()
	e.calls++
	e.texts = append(e.texts, texts...)
	fail, call, dim := e.fail, e.calls, e.dim
	e.mu.Unlock()
	if fail != nil {
		if v, err := fail(call, texts); v != nil || err != nil {
			return v, err
		}
	}
	out := make([][]float32, len(texts))
	for i, s := range texts {
		out[i] = fakeVector(s, dim)
	}
	return out, ctx.Err()
}

func fakeVector(s string, dim int) []float32 {
	v := make([]float32, dim)
	for _, w := range strings.Fields(strings.ToLower(s)) {
		h := fnv.New32a()
		h.Write([]byte(w))
		v[h.Sum32()%uint32(dim)]++
	}
	var sum float64
	for _, x := range v {
		sum += float64(x * x)
	}
	if sum > 0 {
		for i := range v {
			v[i] = float32(float64(v[i]) / math.Sqrt(sum))
		}
	}
	return v
}

func (e *fakeEmbedder) Dim() int            { e.mu.Lock(); defer e.mu.Unlock(); return e.dim }
func (e *fakeEmbedder) Name() string        { return "fake" }
func (e *fakeEmbedder) Fingerprint() string { e.mu.Lock(); defer e.mu.Unlock(); return e.print }

func (e *fakeEmbedder) set(change func(*fakeEmbedder)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	change(e)
}

func (e *fakeEmbedder) given() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.texts)
}

// world is a vault and its index.
type world struct {
	t     testing.TB
	dir   string
	index string
	v     *vault.Vault
	emb   *fakeEmbedder
	ix    *indexer.Indexer
	now   time.Time
	tweak func(*indexer.Options)
	wrap  func(indexer.RowStore) indexer.RowStore
	part  int // bytes of a part of a file that grew; 0: as it is
}

func newWorld(t testing.TB) *world {
	t.Helper()
	w := &world{t: t, dir: t.TempDir(), index: t.TempDir(), emb: newEmbedder(), now: time.Now()}
	v, err := vault.Open(w.dir)
	if err != nil {
		t.Fatal(err)
	}
	w.v = v
	t.Cleanup(func() {
		w.close()
		if err := v.Close(); err != nil {
			t.Error(err)
		}
	})
	return w
}

// newEngineWorld is an open world, with the engine of its index.
func newEngineWorld(t testing.TB) (w *world, engine indexer.Engine) {
	t.Helper()
	w = newWorld(t)
	w.tweak = func(o *indexer.Options) {
		o.OpenEngine = func(ctx context.Context, dir string, dim int) (_ indexer.Engine, err error) {
			engine, err = flat.Open(ctx, dir, dim)
			return engine, err
		}
	}
	w.open()
	return w, engine
}

func (w *world) options() indexer.Options {
	o := indexer.Options{
		Vault: w.v, Dir: w.index, Embedder: w.emb, OpenEngine: flat.Open, EngineName: "flat", ProbeDelay: -1,
	}
	if testing.Verbose() && os.Getenv("INDEXER_LOG") != "" {
		o.Log = slog.New(slog.NewTextHandler(os.Stderr, nil))
	}
	if w.tweak != nil {
		w.tweak(&o)
	}
	return o
}

func (w *world) tryOpen() error {
	w.ix = indexer.New(w.options())
	w.ix.SetWrap(w.wrap)
	w.ix.SetPart(w.part)
	return w.ix.Open(context.Background())
}

func (w *world) open() *world {
	w.t.Helper()
	if err := w.tryOpen(); err != nil {
		w.t.Fatal(err)
	}
	return w
}

// waitQueued returns when so many callers wait that the owner has not heard of.
func (w *world) waitQueued(n int) {
	for w.ix.Queued() < n {
		runtime.Gosched()
	}
}

func (w *world) close() {
	if w.ix == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := w.ix.Close(ctx); err != nil {
		w.t.Error(err)
	}
	w.ix = nil
}

func (w *world) path(p string) string { return filepath.Join(w.dir, filepath.FromSlash(p)) }

// write puts a file as a person's editor would.
func (w *world) write(p, text string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(w.path(p)), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(w.path(p), []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) read(p string) string {
	data, err := os.ReadFile(w.path(p))
	if err != nil && !os.IsNotExist(err) {
		w.t.Fatal(err)
	}
	return string(data)
}

func (w *world) sync(paths ...string) indexer.Stats {
	w.t.Helper()
	s, err := w.ix.Sync(context.Background(), vaultPaths(paths)...)
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

func vaultPaths(paths []string) []vault.Path {
	var out []vault.Path
	for _, p := range paths {
		out = append(out, vault.Path(p))
	}
	return out
}

func (w *world) settle() {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := w.ix.Settle(ctx); err != nil {
		w.t.Fatalf("%v; degraded: %v", err, w.ix.Degraded())
	}
}

// verified checks that the index equals the files, by its own word.
func (w *world) verified() indexer.Verification {
	w.t.Helper()
	v, err := w.ix.Verify(context.Background())
	if err != nil {
		w.t.Fatal(err)
	}
	if !v.OK() {
		w.t.Fatalf("the index differs from the files: %+v", v)
	}
	return v
}

// rows are all rows that a search can reach, by file and id.
func (w *world) rows() []indexer.Row {
	w.t.Helper()
	rows, err := w.ix.Reader().List(context.Background(), catalog.Filter{}, 1_000_000, 0)
	if err != nil {
		w.t.Fatal(err)
	}
	sort.Slice(rows, func(i, j int) bool {
		if rows[i].File != rows[j].File {
			return rows[i].File < rows[j].File
		}
		return rows[i].ID < rows[j].ID
	})
	return rows
}

// wanted are the rows that the pure functions give for the files as they are.
func (w *world) wanted() []indexer.Row {
	w.t.Helper()
	rows, err := indexer.New(w.options()).Wanted(context.Background())
	if err != nil {
		w.t.Fatal(err)
	}
	sort.Slice(rows, func(i, j int) bool {
		if rows[i].File != rows[j].File {
			return rows[i].File < rows[j].File
		}
		return rows[i].ID < rows[j].ID
	})
	return rows
}

// diff is [cmp.Diff] of rows; most are equal, which is told faster.
func diff(want, got []indexer.Row) string {
	if reflect.DeepEqual(want, got) {
		return ""
	}
	return cmp.Diff(want, got, cmpopts.EquateEmpty())
}

// equal checks that the index has exactly the rows that the files give.
func (w *world) equal() {
	w.t.Helper()
	if d := diff(w.wanted(), w.rows()); d != "" {
		w.t.Fatalf("rows of the files (-) and of the index (+):\n%s", d)
	}
}

func (w *world) texts() []string {
	var out []string
	for _, r := range w.rows() {
		out = append(out, r.Text)
	}
	sort.Strings(out)
	return out
}

// facts appends facts to the vault, as the daemon does.
func (w *world) facts(day, chat string, texts ...string) []vault.Fact {
	w.t.Helper()
	at, err := time.Parse("2006-01-02 15:04", day+" 10:00")
	if err != nil {
		w.t.Fatal(err)
	}
	var facts []vault.Fact
	for _, s := range texts {
		facts = append(facts, vault.Fact{Category: "fact", Text: s})
	}
	out, err := w.v.AppendFacts(context.Background(), []vault.SectionFacts{{
		Section: vault.Section{At: at, ChatID: chat, Origin: vault.OriginUser}, Facts: facts,
	}})
	if err != nil {
		w.t.Fatal(err)
	}
	return out
}

func eventually(t testing.TB, what string, fn func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(25 * time.Millisecond) {
		if fn() {
			return
		}
	}
	t.Fatalf("not in time: %s", what)
}

var errFault = fmt.Errorf("injected fault: %w", fs.ErrInvalid)
