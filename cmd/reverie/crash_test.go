package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/vault"
	"github.com/reverie-memory/reverie/workspace"
)

// process is the program running as a daemon of its own, to be killed.
type process struct {
	cmd         *exec.Cmd
	base, token string
	log         *logBuffer
}

// logBuffer can be read while the daemon still writes to it.
type logBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *logBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *logBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// place is a temporary vault and data dir.
type place struct{ vault, data string }

func newPlace(t *testing.T) place {
	t.Helper()
	dir := t.TempDir()
	p := place{filepath.Join(dir, "vault"), filepath.Join(dir, "data")}
	if _, err := vault.Init(p.vault, workspace.Template()); err != nil {
		t.Fatal(err)
	}
	return p
}

// env is this environment without the settings of who runs the test.
func (p place) env(t *testing.T, extra ...string) []string {
	own := slices.DeleteFunc(os.Environ(), func(kv string) bool { return strings.HasPrefix(kv, "REVERIE_") })
	return append(append(own, asDaemon+"=1", "REVERIE_VAULT="+p.vault, "REVERIE_DATA_DIR="+p.data,
		"REVERIE_ADDR=127.0.0.1:0", "XDG_CONFIG_HOME="+t.TempDir(), "GORACE="+raceOptions()), extra...)
}

func (p place) start(t *testing.T, extra ...string) *process {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	d := &process{cmd: exec.Command(exe, "serve"), log: &logBuffer{}}
	d.cmd.Env, d.cmd.Stderr = p.env(t, extra...), d.log
	out, err := d.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := d.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.cmd.Process.Kill(); _ = d.cmd.Wait() })
	s := bufio.NewScanner(out)
	if !s.Scan() {
		t.Fatalf("the daemon did not start:\n%s", d.log)
	}
	d.base = strings.TrimPrefix(s.Text(), "listening on ")
	token, err := os.ReadFile(filepath.Join(p.data, "token"))
	if err != nil {
		t.Fatal(err)
	}
	d.token = strings.TrimSpace(string(token))
	return d
}

// kill ends the daemon as a power cut ends a process: at once.
func (d *process) kill() {
	_ = d.cmd.Process.Kill()
	_ = d.cmd.Wait()
}

func (d *process) send(ctx context.Context, method, path string, in, out any) (int, error) {
	body, err := json.Marshal(in)
	if err != nil {
		return 0, err
	}
	req, err := http.NewRequestWithContext(ctx, method, d.base+path, bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	req.Header.Set("Authorization", "Bearer "+d.token)
	req.Header.Set("Content-Type", "application/json")
	tr := &http.Transport{DisableKeepAlives: true}
	resp, err := (&http.Client{Transport: tr}).Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		return 0, err
	}
	if out != nil {
		err = json.Unmarshal(data, out)
	}
	return resp.StatusCode, err
}

// The daemon is killed at random moments while turns come in, rows are written and generations are
// switched. Whatever it acknowledged must be in the vault, and after a restart the index must equal the files.
func TestKilledAtAnyMomentLosesNothing(t *testing.T) {
	rounds := 100
	if testing.Short() {
		rounds = 8
	}
	p := newPlace(t)
	rng := rand.New(rand.NewPCG(42, 42))
	var mu sync.Mutex
	acknowledged := map[string]bool{}
	for round := range rounds {
		d := p.start(t)
		ctx, cancel := context.WithCancel(t.Context())
		landed := make(chan struct{}, 64) // acknowledged in this round
		var wg sync.WaitGroup
		for client := range 4 {
			wg.Add(1)
			go func() {
				defer wg.Done()
				for i := 0; ctx.Err() == nil; i++ {
					text := fmt.Sprintf("I visited town number %d-%d-%d with my sister last week.", round, client, i)
					turn := api.Turn{
						ChatID: fmt.Sprint("c", client), TurnID: fmt.Sprintf("t-%d-%d-%d", round, client, i),
						Messages: []api.Message{{Role: "user", Speaker: "Alice", Content: text}},
					}
					if i%3 == 2 {
						turn.Wait = "indexed"
					}
					var r api.TurnResult
					if status, err := d.send(ctx, "POST", "/memory/turns", turn, &r); err != nil || status != http.StatusAccepted {
						return
					}
					mu.Lock()
					acknowledged[text] = true
					mu.Unlock()
					select {
					case landed <- struct{}{}:
					default:
					}
				}
			}()
		}
		if round%4 == 3 { // half-way through the switch to a new generation
			_, _ = d.send(ctx, "POST", "/memory/reindex", api.Reindex{ClearExisting: true}, nil)
		}
		gone := make(chan struct{})
		go func() { wg.Wait(); close(gone) }()
		for range rng.IntN(8) { // so that slow machines test as much as fast ones
			select {
			case <-landed:
			case <-gone:
			}
		}
		// The moment of death is what the test varies; it waits for nothing.
		time.Sleep(time.Duration(rng.IntN(60)) * time.Millisecond)
		d.kill()
		cancel()
		wg.Wait()
	}
	d := p.start(t)
	var v api.VerifyResult
	if status, err := d.send(t.Context(), "POST", "/memory/verify", struct{}{}, &v); err != nil || status != http.StatusOK {
		t.Fatalf("verify: status %d: %v\n%s", status, err, d.log)
	}
	if !v.OK {
		t.Errorf("after %d kills the index differs from the files: %+v", rounds, v)
	}
	d.kill()
	stored := storedTexts(t, p.vault)
	for text := range acknowledged {
		if n := stored[text]; n != 1 {
			t.Errorf("acknowledged turn %q is in the vault %d times, want once", text, n)
		}
	}
	if len(acknowledged) < rounds {
		t.Errorf("only %d turns were acknowledged in %d rounds: the test did not test", len(acknowledged), rounds)
	}
	t.Logf("%d kills, %d acknowledged turns, %d rows", rounds, len(acknowledged), v.Rows)
}

// A daemon that is asked to end while turns come in finishes what it accepted, and ends with exit code 0.
func TestEndsCleanlyUnderLoad(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no SIGTERM for a process without a console")
	}
	p := newPlace(t)
	d := p.start(t)
	var mu sync.Mutex
	var acknowledged []string
	var wg sync.WaitGroup
	enough := make(chan struct{})
	for client := range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := 0; ; i++ {
				text := fmt.Sprintf("I repaired clock number %d-%d in Ghent.", client, i)
				turn := api.Turn{ChatID: "c", Messages: []api.Message{{Role: "user", Speaker: "Alice", Content: text}}}
				if status, err := d.send(t.Context(), "POST", "/memory/turns", turn, nil); err != nil || status != http.StatusAccepted {
					return
				}
				mu.Lock()
				if acknowledged = append(acknowledged, text); len(acknowledged) == 100 {
					close(enough)
				}
				mu.Unlock()
			}
		}()
	}
	<-enough
	if err := d.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := d.cmd.Wait(); err != nil {
		t.Errorf("the daemon ended with %v\n%s", err, d.log)
	}
	wg.Wait()
	stored := storedTexts(t, p.vault)
	for _, text := range acknowledged {
		if stored[text] != 1 {
			t.Errorf("%q is stored %d times", text, stored[text])
		}
	}
	if _, err := os.Stat(filepath.Join(p.data, vault.DaemonFile)); err == nil {
		t.Error("daemon.json is still there")
	}
}

// storedTexts counts the texts of all drawers.
func storedTexts(t *testing.T, dir string) map[string]int {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(vault.DrawerDir), "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]int{}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range vault.ParseDrawers(vault.Path("memory/drawers/"+filepath.Base(f)), data).Drawers {
			out[d.Text]++
		}
	}
	return out
}

// Turns that were stored but whose facts were not extracted when the daemon died are taken up by the next one.
func TestExtractionIsTakenUpAfterAKill(t *testing.T) {
	p := newPlace(t)
	day := time.Date(2026, 6, 9, 14, 32, 0, 0, time.UTC)
	v, err := vault.Open(p.vault)
	if err != nil {
		t.Fatal(err)
	}
	// What a daemon leaves that dies between the drawer and its facts.
	_, err = v.AppendDrawers(t.Context(), []vault.Drawer{{
		ID: vault.DeriveID('d', "t1", "0"), At: day, ChatID: "c", Origin: vault.OriginUser, Turn: "t1", Speaker: "Alice",
		Text: "I decided to move the billing service to PostgreSQL.",
	}})
	if err != nil {
		t.Fatal(err)
	}
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	d := p.start(t)
	deadline := time.Now().Add(time.Minute)
	for time.Now().Before(deadline) {
		var r api.SearchResult
		req := api.Search{Query: "what did Alice decide about billing", Filters: &api.Filters{SourceType: []string{"archive_log"}}}
		if _, err := d.send(t.Context(), "POST", "/memory/search", req, &r); err != nil {
			t.Fatal(err)
		}
		if len(r.Hits) > 0 && strings.Contains(r.Hits[0].Text, "PostgreSQL") {
			return
		}
		time.Sleep(20 * time.Millisecond) // polls another process
	}
	t.Fatalf("the facts were never extracted\n%s", d.log)
}

// A damaged or missing index is noticed, rebuilt, and said.
func TestDamagedIndexIsRebuilt(t *testing.T) {
	for _, damage := range []string{"deleted", "catalog flipped", "rows flipped", "vectors flipped", "truncated"} {
		t.Run(damage, func(t *testing.T) {
			p := newPlace(t)
			d := p.start(t)
			for i := range 40 {
				turn := api.Turn{
					ChatID: "c", Wait: "indexed",
					Messages: []api.Message{{Role: "user", Speaker: "Alice", Content: fmt.Sprintf("I bought lamp number %d in Oslo.", i)}},
				}
				if status, err := d.send(t.Context(), "POST", "/memory/turns", turn, nil); err != nil || status != http.StatusAccepted {
					t.Fatalf("status %d: %v", status, err)
				}
			}
			d.kill()
			hurt(t, filepath.Join(p.data, "default"), damage)

			d = p.start(t)
			var v api.VerifyResult
			if status, err := d.send(t.Context(), "POST", "/memory/verify", struct{}{}, &v); err != nil || status != http.StatusOK {
				t.Fatalf("verify: status %d: %v\n%s", status, err, d.log)
			}
			if !v.OK { // what a start cannot notice cheaply, verify finds and a rebuild mends
				t.Logf("verify found: %+v", v)
				var job api.Job
				if status, err := d.send(t.Context(), "POST", "/memory/reindex", api.Reindex{ClearExisting: true, Wait: true},
					&job); err != nil || status != http.StatusOK {
					t.Fatalf("reindex: status %d: %v\n%s", status, err, d.log)
				}
				if _, err := d.send(t.Context(), "POST", "/memory/verify", struct{}{}, &v); err != nil || !v.OK {
					t.Fatalf("after the rebuild: %+v: %v\n%s", v, err, d.log)
				}
			}
			var r api.SearchResult
			if _, err := d.send(t.Context(), "POST", "/memory/search", api.Search{Query: "lamp number 7 Oslo"}, &r); err != nil || len(r.Hits) == 0 {
				t.Errorf("search after the damage: %d hits: %v", len(r.Hits), err)
			}
		})
	}
}

func hurt(t *testing.T, dir, how string) {
	t.Helper()
	if how == "deleted" {
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		return
	}
	want := map[string]func(string) bool{
		"catalog flipped": func(n string) bool { return n == "catalog.db" },
		"rows flipped":    func(n string) bool { return n == "rows.db" },
		"truncated":       func(n string) bool { return n == "rows.db" },
		"vectors flipped": func(n string) bool { return !strings.HasSuffix(n, ".db") && !strings.Contains(n, ".db-") },
	}[how]
	hit := 0
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || !want(e.Name()) {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil || len(data) < 200 {
			return err
		}
		hit++
		if how == "truncated" {
			return os.Truncate(path, int64(len(data)/2))
		}
		for i := 100; i < len(data); i += max(1, len(data)/50) {
			data[i] ^= 0xff
		}
		return os.WriteFile(path, data, 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
	if hit == 0 {
		t.Skipf("nothing to hurt for %q in this index", how)
	}
}

// Several programs ask at once while no daemon runs: one daemon comes up, and all get their answer.
func TestManyClientsStartOneDaemon(t *testing.T) {
	p := newPlace(t)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	env := p.env(t)
	t.Cleanup(func() { // a failed test must not leave its daemon behind
		if d, err := readDaemon(p.data); err == nil {
			if proc, err := os.FindProcess(d.PID); err == nil {
				_ = proc.Kill()
			}
		}
	})
	var wg sync.WaitGroup
	failures := make(chan string, 8)
	for i := range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			cmd := exec.Command(exe, "fact", fmt.Sprintf("The parcel number %d arrived", i))
			cmd.Env = env
			if out, err := cmd.CombinedOutput(); err != nil {
				failures <- fmt.Sprintf("%v: %s", err, out)
			}
		}()
	}
	wg.Wait()
	close(failures)
	for f := range failures {
		t.Error(f)
	}
	d, err := readDaemon(p.data)
	if err != nil {
		t.Fatal(err)
	}
	stop := exec.Command(exe, "stop")
	stop.Env = env
	if out, err := stop.CombinedOutput(); err != nil {
		t.Fatalf("stop process %d: %v: %s", d.PID, err, out)
	}
	files, err := filepath.Glob(filepath.Join(p.vault, filepath.FromSlash(vault.ArchiveDir), "*.md"))
	if err != nil || len(files) == 0 {
		t.Fatalf("logs %v: %v", files, err)
	}
	found := 0
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		found += strings.Count(string(data), "The parcel number")
	}
	if found != 8 {
		t.Errorf("%d facts are in the log, want 8", found)
	}
}
