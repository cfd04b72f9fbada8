package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/operations"
	"github.com/reverie-memory/reverie/redact"
	"github.com/reverie-memory/reverie/server"
	"github.com/reverie-memory/reverie/vault"
	"github.com/reverie-memory/reverie/workspace"
)

// speedChild is the hidden verb that measures one phase in a process of its own.
const speedChild = "speed-child"

// How much is measured.
const (
	searches    = 400
	appends     = 200
	httpClients = 16
	httpTurns   = 4000
)

// child is one phase at one size.
type child struct {
	engine, dir string
	rows        int
	corpus      *corpus
	out         speedFigures
}

func runSpeedChild(ctx context.Context, args []string) error {
	fs := flag.NewFlagSet(speedChild, flag.ContinueOnError)
	c := &child{}
	phase := fs.String("phase", "", "build, serve or rebuild")
	fs.StringVar(&c.engine, "engine", "flat", "")
	fs.StringVar(&c.dir, "dir", "", "")
	fs.IntVar(&c.rows, "rows", 0, "")
	if err := fs.Parse(args); err != nil {
		return err
	}
	// The figures of earlier phases stay: only what this phase measures is printed.
	var err error
	switch *phase {
	case "build":
		err = c.build(ctx)
	case "serve":
		err = c.serve(ctx)
	case "rebuild":
		err = c.rebuild(ctx)
	}
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(nonZero(c.out))
}

// nonZero leaves out what a phase did not measure, so that it does not overwrite another's figure.
func nonZero(f speedFigures) map[string]any {
	data, _ := json.Marshal(f)
	var m map[string]any
	_ = json.Unmarshal(data, &m)
	for k, v := range m {
		if v == 0.0 || v == "" {
			delete(m, k)
		}
	}
	return m
}

func (c *child) vault() string { return filepath.Join(c.dir, "vault") }

func (c *child) open(ctx context.Context) (*operations.Memory, error) {
	cfg := config.Default()
	cfg.Index.Engine = c.engine
	return openMeasured(ctx, c.dir, cfg)
}

func (c *child) close(w *operations.Memory) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	return w.Close(ctx)
}

// build writes the vault and indexes it for the first time. Rows are found by their words before all vectors are there, and of a large
// vault long before.
func (c *child) build(ctx context.Context) error {
	if _, err := vault.Init(c.vault(), workspace.Template()); err != nil {
		return err
	}
	text, err := newCorpus(1).fill(c.vault(), c.rows)
	if err != nil {
		return err
	}
	start := time.Now()
	w, err := c.open(ctx)
	if err != nil {
		return err
	}
	if err := w.Follower.WaitReady(ctx); err != nil {
		return err
	}
	c.out.IndexSeconds = time.Since(start).Seconds()
	st, err := w.Status(ctx)
	for ; err == nil && st.Index.Pending > 0; st, err = w.Status(ctx) {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
	if err != nil {
		return err
	}
	c.out.VectorSeconds = time.Since(start).Seconds()
	if err := c.close(w); err != nil {
		return err
	}
	size, err := diskUsage(filepath.Join(c.dir, "data"))
	c.out.Disk = float64(size) / 1e6
	c.out.DiskRatio = float64(size) / (float64(text) + float64(c.rows*st.Embedder.Dim*4))
	return err
}

// serve opens the index as a daemon does after a restart, and asks, appends and ingests.
func (c *child) serve(ctx context.Context) error {
	c.corpus = newCorpus(2)
	start := time.Now()
	w, err := c.open(ctx)
	if err != nil {
		return err
	}
	if _, err := w.Search(ctx, api.Search{Query: c.corpus.question()}); err != nil {
		return err
	}
	c.out.Start = since(start)
	if err := w.Follower.WaitReady(ctx); err != nil {
		return err
	}
	debug.FreeOSMemory()
	c.out.RSSIdle = rss()
	for _, step := range []func(context.Context, *operations.Memory) error{c.search, c.append, c.baseline, c.ingest} {
		if err := step(ctx, w); err != nil {
			return err
		}
	}
	return c.close(w)
}

func (c *child) search(ctx context.Context, w *operations.Memory) error {
	var took []float64
	for i := range searches {
		start := time.Now()
		if _, err := w.Search(ctx, api.Search{Query: c.corpus.question(), K: 10}); err != nil {
			return err
		}
		if i >= searches/10 { // the first ones warm caches
			took = append(took, since(start))
		}
	}
	c.out.SearchP50, c.out.SearchP95, c.out.SearchP99 = quantile(took, .5), quantile(took, .95), quantile(took, .99)
	c.out.RSS = rss()
	return nil
}

func (c *child) append(ctx context.Context, w *operations.Memory) error {
	base, stop, err := c.http(ctx, w)
	if err != nil {
		return err
	}
	defer stop()
	var took []float64
	for i := range appends {
		turn := api.Turn{ChatID: "append", Wait: "indexed", Messages: []api.Message{{
			Role: "user", Speaker: "Alice", Content: fmt.Sprintf("I moved to the city of Nova%d because of my job as %s in team %d.", i,
				c.corpus.word(), i),
		}}}
		start := time.Now()
		if err := send(ctx, base, turn); err != nil {
			return err
		}
		took = append(took, since(start))
	}
	c.out.AppendP50, c.out.AppendP95 = quantile(took, .5), quantile(took, .95)
	return nil
}

// ingest sends turns from many clients and then looks for each of them in the files, as redaction leaves the made-up words.
func (c *child) ingest(ctx context.Context, w *operations.Memory) error {
	base, stop, err := c.http(ctx, w)
	if err != nil {
		return err
	}
	defer stop()
	at := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	texts := make([]string, httpTurns)
	for i := range texts {
		texts[i] = fmt.Sprintf("turn %d: %s", i, c.corpus.fact())
	}
	var next atomic.Int64
	errs := make(chan error, httpClients)
	var wg sync.WaitGroup
	start := time.Now()
	for client := range httpClients {
		wg.Go(func() {
			for i := next.Add(1) - 1; i < httpTurns; i = next.Add(1) - 1 {
				turn := api.Turn{
					ChatID:   "ingest-" + strconv.Itoa(client),
					Messages: []api.Message{{Role: "user", Speaker: "Alice", Content: texts[i], At: &at}},
				}
				if err := send(ctx, base, turn); err != nil {
					errs <- err
					return
				}
			}
		})
	}
	wg.Wait()
	c.out.TurnsPerSecond = httpTurns / time.Since(start).Seconds()
	select {
	case err := <-errs:
		return err
	default:
	}
	data, err := os.ReadFile(filepath.Join(c.vault(), filepath.FromSlash(string(vault.DrawerPath(vault.DayOf(at))))))
	if err != nil {
		return err
	}
	stored := slice.SetOf(vault.ParseDrawers("", data).Drawers, func(d vault.Drawer) string { return d.Text })
	for _, t := range texts {
		if clean, _ := redact.Redact(t); !stored[clean] {
			c.out.TurnsLost++
		}
	}
	return nil
}

// rebuild makes the index anew from cached vectors, and asks all the while.
func (c *child) rebuild(ctx context.Context) error {
	c.corpus = newCorpus(3)
	w, err := c.open(ctx)
	if err != nil {
		return err
	}
	if err := w.Follower.WaitReady(ctx); err != nil {
		return err
	}
	asking, stop := context.WithCancel(ctx)
	var answered atomic.Int64
	var wg sync.WaitGroup
	wg.Go(func() {
		for asking.Err() == nil {
			if r, err := w.Search(asking, api.Search{Query: c.corpus.question()}); err == nil && len(r.Hits) > 0 {
				answered.Add(1)
			}
			select {
			case <-asking.Done():
			case <-time.After(100 * time.Millisecond): // a person, not a load test
			}
		}
	})
	start := time.Now()
	job, err := w.Reindex(ctx, api.Reindex{ClearExisting: true, Wait: true})
	c.out.RebuildSeconds = time.Since(start).Seconds()
	stop()
	wg.Wait()
	if err != nil {
		return err
	}
	if job.State != "done" {
		return fmt.Errorf("rebuild: %s", job.Error)
	}
	c.out.SearchBeside = int(answered.Load())
	return c.close(w)
}

// http puts a real server before the workspace.
func (c *child) http(ctx context.Context, w *operations.Memory) (base string, stop func(), err error) {
	s := server.New(server.Options{
		Addr: "127.0.0.1:0", Operations: operations.All,
		Tenants: []server.Tenant{{Name: "bench", Token: benchToken, Memory: *w}},
	})
	if err := s.Open(ctx); err != nil {
		return "", nil, err
	}
	return "http://" + s.Addr(), func() { _ = s.Close(ctx) }, nil
}

const benchToken = "benchbenchbenchbench"

var benchClient = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: httpClients}}

func send(ctx context.Context, base string, t api.Turn) error {
	body, err := json.Marshal(t)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, base+"/memory/turns", bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+benchToken)
	req.Header.Set("Content-Type", "application/json")
	resp, err := benchClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	if resp.StatusCode != http.StatusAccepted {
		return fmt.Errorf("a turn was answered %s: %s", resp.Status, answer)
	}
	return nil
}

func since(start time.Time) float64 { return float64(time.Since(start).Microseconds()) / 1000 }

// quantile is the nearest-rank quantile of values.
func quantile(values []float64, q float64) float64 {
	if len(values) == 0 {
		return 0
	}
	s := slices.Sorted(slices.Values(values))
	return s[min(len(s)-1, int(q*float64(len(s))))]
}

// rss is the resident memory of this process in MB; 0 where the system does not tell.
func rss() float64 { return memory("VmRSS:") }

// memory is a figure of this process in MB, 0 where the system does not tell.
func memory(name string) float64 {
	data, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(line, name); ok {
			kb, _ := strconv.ParseFloat(strings.Fields(rest)[0], 64)
			return kb * 1024 / 1e6
		}
	}
	return 0
}

func diskUsage(dir string) (int64, error) {
	var n int64
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			n += info.Size()
		}
		return err
	})
	return n, err
}
