package workspace_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/llm/llmtest"
	"github.com/reverie-memory/reverie/mine"
	"github.com/reverie-memory/reverie/vault"
	"github.com/reverie-memory/reverie/workspace"
)

func TestMain(m *testing.M) {
	llmtest.Perform()
	if len(os.Args) == 2 && os.Args[1] == mine.PDFVerb {
		os.Exit(mine.PDFText(os.Stdin, os.Stdout))
	}
	// The connections of the HTTP clients to a test's server end by themselves after it is gone.
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("net/http.(*persistConn).readLoop"),
		goleak.IgnoreAnyFunction("net/http.(*persistConn).writeLoop"))
}

func TestAnEmptyWorkspaceAnswers(t *testing.T) {
	w := open(t, nil)
	r, err := w.Search(t.Context(), api.Search{Query: "anything at all"})
	if err != nil || r.Hits == nil || len(r.Degraded) > 0 || r.Receipt == "" {
		t.Errorf("result %+v: %v", r, err)
	}
	if _, err := w.Context(t.Context(), api.Context{Query: "anything"}); err != nil {
		t.Error(err)
	}
	if s, err := w.Status(t.Context()); err != nil || s.Engine == "" || len(s.Dream.Gate) == 0 {
		t.Errorf("status %+v: %v", s, err)
	}
	verified(t, w)
}

func TestAHitNamesItsSource(t *testing.T) {
	w := open(t, nil)
	say(t, w, "c1", "I moved to Berlin for my new job at the observatory.")
	hits := find(t, w, "where did Alice move")
	if len(hits) == 0 {
		t.Fatal("nothing was found")
	}
	h := hits[0]
	if h.ID == "" || h.SourceFile == "" || h.Line == 0 || h.Speaker != "Alice" || h.ChatID != "c1" || !strings.HasPrefix(h.Date,
		"2026-06-09") || len(h.Refs) != 1 || h.Refs[0] != "R1" {
		t.Errorf("hit %+v", h)
	}
	data, err := os.ReadFile(filepath.Join(w.Options.Vault, filepath.FromSlash(h.SourceFile)))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(data), "\n")
	near := strings.Join(lines[h.Line-1:min(len(lines), h.Line+3)], "\n")
	if !strings.Contains(near, h.Text) {
		t.Errorf("%s:%d does not hold %q but %q", h.SourceFile, h.Line, h.Text, near)
	}
}

func TestForgettingAFactTakesItsDrawer(t *testing.T) {
	w := open(t, nil)
	r := say(t, w, "c1", "I am allergic to peanuts.")
	say(t, w, "c1", "I bought a blue teapot.")
	if len(r.Facts) != 1 {
		t.Fatalf("facts %+v", r.Facts)
	}
	dry, err := w.Forget(t.Context(), api.Forget{IDs: []string{r.Facts[0].ID}, DryRun: true})
	if err != nil || len(dry.Forgotten) != 2 {
		t.Fatalf("dry run %+v: %v", dry, err)
	}
	if !tells(find(t, w, "peanuts"), "peanuts") {
		t.Fatal("a dry run forgot")
	}
	got, err := w.Forget(t.Context(), api.Forget{IDs: []string{r.Facts[0].ID}})
	if err != nil || !got.Verified || len(got.Forgotten) != 2 {
		t.Errorf("forget %+v: %v", got, err)
	}
	if tells(find(t, w, "peanuts"), "peanuts") {
		t.Error("it is still found")
	}
	if !tells(find(t, w, "teapot"), "teapot") {
		t.Error("more was forgotten than was asked for")
	}
	if _, err := w.Reindex(t.Context(), api.Reindex{ClearExisting: true, Wait: true}); err != nil {
		t.Fatal(err)
	}
	if tells(find(t, w, "peanuts"), "peanuts") {
		t.Error("a rebuild brought it back")
	}
	say(t, w, "c2", "I am allergic to peanuts.")
	if tells(find(t, w, "peanuts"), "peanuts") {
		t.Error("saying it again brought it back")
	}
	verified(t, w)
}

func TestPurgeTakesTheBytesOut(t *testing.T) {
	w := open(t, nil)
	say(t, w, "c1", "The safe code is hidden behind the narwhal painting.")
	say(t, w, "c1", "I bought a blue teapot.")
	page := filepath.Join(w.Options.Vault, "3_Personal", "Home.md")
	if err := os.WriteFile(page, []byte("# Home\n\n- The narwhal painting hangs in the hall\n- The teapot is blue\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Reindex(t.Context(), api.Reindex{Wait: true}); err != nil {
		t.Fatal(err)
	}
	find(t, w, "narwhal painting") // leaves a trace in the recall log
	got, err := w.Forget(t.Context(), api.Forget{Query: "narwhal", Purge: true})
	if err != nil || !got.Verified {
		t.Errorf("forget %+v: %v", got, err)
	}
	if files := inVault(t, w, "narwhal"); len(files) > 0 {
		t.Errorf("still in %v", files)
	}
	for _, file := range filesWith(t, w.Options.DataDir, "narwhal") {
		t.Errorf("still in the index: %s", file)
	}
	if data, _ := os.ReadFile(page); string(data) != "# Home\n\n- The teapot is blue\n" {
		t.Errorf("the page is %q", data)
	}
	if !tells(find(t, w, "teapot"), "teapot") {
		t.Error("more was forgotten than was asked for")
	}
	verified(t, w)
}

// What was forgotten without its bytes can be purged later, by id or by conversation.
func TestPurgeOfWhatIsForgotten(t *testing.T) {
	w := open(t, nil)
	first := say(t, w, "c1", "The okapi lives in the zoo of Antwerp.")
	say(t, w, "c2", "The tapir lives in the zoo of Ghent.")
	for _, f := range []api.Forget{{IDs: first.Drawers}, {ChatID: "c2"}} {
		if _, err := w.Forget(t.Context(), f); err != nil {
			t.Fatal(err)
		}
		f.Purge = true
		if got, err := w.Forget(t.Context(), f); err != nil || len(got.Forgotten) == 0 {
			t.Errorf("purge of what is forgotten: %+v: %v", got, err)
		}
	}
	if _, err := w.Forget(t.Context(), api.Forget{IDs: []string{"d000000000"}, Purge: true}); !errors.Is(err, api.NotFound) {
		t.Errorf("purge of an unknown id: %v", err)
	}
	if files := append(inVault(t, w, "okapi lives"), inVault(t, w, "tapir lives")...); len(files) > 0 {
		t.Errorf("still in %v", files)
	}
	verified(t, w)
}

func TestForgetByChat(t *testing.T) {
	w := open(t, nil)
	say(t, w, "secret", "I hid the xylophone in the attic.")
	say(t, w, "open", "I play the trombone.")
	if got, err := w.Forget(t.Context(), api.Forget{ChatID: "secret"}); err != nil || !got.Verified || len(got.Forgotten) == 0 {
		t.Errorf("forget %+v: %v", got, err)
	}
	if tells(find(t, w, "xylophone"), "xylophone") || !tells(find(t, w, "trombone"), "trombone") {
		t.Error("the wrong conversation is forgotten")
	}
}

func TestForgetAsksForOneWay(t *testing.T) {
	w := open(t, nil)
	for _, f := range []api.Forget{{}, {IDs: []string{"x"}, Query: "y"}} {
		if _, err := w.Forget(t.Context(), f); err == nil {
			t.Errorf("%+v was taken", f)
		}
	}
	if _, err := w.Forget(t.Context(), api.Forget{IDs: []string{"f000000000"}}); !errors.Is(err, api.NotFound) {
		t.Errorf("an unknown id: %v", err)
	}
	known := say(t, w, "c1", "I play the trombone.")
	got, err := w.Forget(t.Context(), api.Forget{IDs: []string{known.Drawers[0], "f000000000"}, DryRun: true})
	if err != nil || len(got.Unknown) != 1 || got.Unknown[0] != "f000000000" {
		t.Errorf("an unknown id among known ones: %+v: %v", got, err)
	}
}

func TestEditsArriveByTheWatcher(t *testing.T) {
	w := open(t, nil)
	events := w.Events(t.Context())
	page := filepath.Join(w.Options.Vault, "1_Projects", "New Folder", "Garden.md")
	if err := os.MkdirAll(filepath.Dir(page), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(page, []byte("# Garden\n\n- The rhubarb grows behind the shed\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	deadline := time.After(time.Minute)
	for !tells(find(t, w, "where does the rhubarb grow"), "rhubarb") {
		select {
		case <-events: // something was indexed
		case <-time.After(20 * time.Millisecond): // or the event was before we looked
		case <-deadline:
			t.Fatal("the page never arrived")
		}
	}
	verified(t, w)
}

// A server that is down, then back: turns are searchable by their words at once, said to be degraded, and get their vectors later.
func TestEmbedderDownAndBack(t *testing.T) {
	s := llmtest.New(t)
	var down atomic.Bool
	s.Default = func(llmtest.Request) llmtest.Reply {
		if down.Load() {
			return llmtest.Reply{Status: 400} // not worth a retry
		}
		return llmtest.Reply{}
	}
	w := open(t, func(c *config.Config) {
		c.Embedding.Provider, c.Embedding.BaseURL, c.Embedding.Model = "openai", s.URL+"/v1", "test-model"
	})
	down.Store(true)
	r := say(t, w, "c1", "I moved to Berlin for my new job.")
	hits, err := w.Search(t.Context(), api.Search{Query: "Berlin"})
	if err != nil || len(hits.Hits) == 0 {
		t.Errorf("lexical search with the embedder down: %d hits: %v", len(hits.Hits), err)
	}
	if len(hits.Degraded) == 0 {
		t.Errorf("nothing says that the embedder is down: turn %v, search %v", r.Degraded, hits.Degraded)
	}
	down.Store(false)
	if err := w.Settled(t.Context()); err != nil {
		t.Fatal(err)
	}
	after, err := w.Search(t.Context(), api.Search{Query: "Berlin"})
	if err != nil || len(after.Hits) == 0 || len(after.Degraded) > 0 {
		t.Errorf("search after the server is back: %+v: %v", after, err)
	}
	if st, err := w.Status(t.Context()); err != nil || st.Index.Pending > 0 || len(st.Degraded) > 0 {
		t.Errorf("status %+v: %v", st, err)
	}
	verified(t, w)
}

func TestEventsAndJobs(t *testing.T) {
	w := open(t, nil)
	events := w.Events(t.Context())
	say(t, w, "c1", "I moved to Berlin.")
	j, err := w.Reindex(t.Context(), api.Reindex{ClearExisting: true, Wait: true})
	if err != nil || j.State != "done" || j.Done != j.Total || j.Total == 0 {
		t.Errorf("job %+v: %v", j, err)
	}
	if _, err := w.Job(t.Context(), api.ByID{ID: "jnothing"}); !errors.Is(err, api.NotFound) {
		t.Errorf("unknown job: %v", err)
	}
	kinds := map[string]bool{}
	for len(events) > 0 {
		kinds[(<-events).Kind] = true
	}
	if !kinds["write"] || !kinds["job"] {
		t.Errorf("events of kinds %v, want write and job", kinds)
	}
}

func TestSecondWorkspaceOnTheSameVaultIsRefused(t *testing.T) {
	w := open(t, nil)
	second := workspace.New(workspace.Options{
		Name: "second", Vault: w.Options.Vault, DataDir: t.TempDir(), Config: w.Options.Config,
		Models: w.Options.Models,
	})
	err := second.Open(t.Context())
	var held *vault.HeldError
	if !errors.As(err, &held) || held.PID != os.Getpid() {
		t.Errorf("error %v, want one that names the holder", err)
	}
}

func TestMissingVaultSaysWhatToDo(t *testing.T) {
	c := config.Default()
	m, err := workspace.NewModels(c)
	if err != nil {
		t.Fatal(err)
	}
	err = workspace.New(workspace.Options{
		Vault: filepath.Join(t.TempDir(), "none"), DataDir: t.TempDir(), Config: c,
		Models: m,
	}).Open(t.Context())
	var e *vault.Error
	if !errors.As(err, &e) || !strings.Contains(e.Hint, "reverie init") {
		t.Errorf("error %v", err)
	}
}

func TestReadsAreCounted(t *testing.T) {
	w := open(t, nil)
	say(t, w, "c1", "I moved to Berlin.")
	for range 3 {
		find(t, w, "Berlin")
	}
	if _, err := w.Search(t.Context(), api.Search{Query: "Berlin", DryRun: true}); err != nil {
		t.Fatal(err)
	}
	// Erasing an unknown row writes what is buffered first.
	if err := w.Reads.Erase(t.Context(), map[string]bool{"unknown": true}, func(string) bool { return false }); err != nil {
		t.Fatal(err)
	}
	counts, err := w.Reads.Counts()
	if err != nil {
		t.Fatal(err)
	}
	most := 0
	for _, c := range counts {
		most = max(most, c.Count)
	}
	if most != 3 {
		t.Errorf("counts %v, want a row recalled three times (a dry run leaves no trace)", counts)
	}
}

// A vault that others wrote opens, is indexed whole, and is not changed.
func TestForeignVaults(t *testing.T) {
	root := filepath.Join("..", "..", "shared", "fixtures", "vaults")
	vaults, err := os.ReadDir(root)
	if err != nil {
		t.Skipf("the vaults of others are not here: %v", err)
	}
	for _, v := range vaults {
		t.Run(v.Name(), func(t *testing.T) {
			if testing.Short() && v.Name() != "kepano" {
				t.Skip("a short run opens one of them")
			}
			dir := t.TempDir()
			if err := os.CopyFS(filepath.Join(dir, "vault"), os.DirFS(filepath.Join(root, v.Name()))); err != nil {
				t.Fatal(err)
			}
			before := fingerprint(t, filepath.Join(dir, "vault"))
			w := reopen(t, dir, nil)
			verified(t, w)
			counts, _, _, _ := w.Index.Reader().Counts(t.Context())
			if counts[catalog.Notebook] == 0 {
				t.Errorf("no page was indexed: %v", counts)
			}
			after := fingerprint(t, filepath.Join(dir, "vault"))
			for f, want := range before {
				if after[f] != want {
					t.Errorf("%s was changed", f)
				}
			}
		})
	}
}

// fingerprint hashes every file of a folder.
func fingerprint(t *testing.T, dir string) map[string]vault.Hash {
	t.Helper()
	out := map[string]vault.Hash{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		out[path] = vault.HashOf(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Everything that goes over the wire has its lists as lists: a client must not meet null.
func TestAnswersHoldNoNull(t *testing.T) {
	w := open(t, nil)
	say(t, w, "c1", "I moved to Berlin.")
	search, err := w.Search(t.Context(), api.Search{Query: "Berlin", CandidateTrace: true, Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	ctx, err := w.Context(t.Context(), api.Context{Query: "Berlin"})
	if err != nil {
		t.Fatal(err)
	}
	status, err := w.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []any{search, ctx, status} {
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(data), "null") {
			t.Errorf("%s", data)
		}
	}
	var sum float64
	for _, part := range search.Hits[0].ScoreBreakdown {
		sum += part
	}
	if d := sum - search.Hits[0].Score; d > 1e-9 || d < -1e-9 {
		t.Errorf("score %v, parts add up to %v", search.Hits[0].Score, sum)
	}
}

// The clock goes backwards between two edits of the same length: the second one arrives all the same.
func TestClockGoingBackwards(t *testing.T) {
	w := open(t, nil)
	page := filepath.Join(w.Options.Vault, "3_Personal", "Clock.md")
	for _, edit := range []struct {
		text string
		at   time.Time
	}{
		{"- The heron nests in the reeds\n", time.Now().Add(48 * time.Hour)},
		{"- The stork nests in the reeds\n", time.Now().Add(-48 * time.Hour)},
	} {
		if err := os.WriteFile(page, []byte(edit.text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(page, edit.at, edit.at); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Reindex(t.Context(), api.Reindex{Wait: true}); err != nil {
			t.Fatal(err)
		}
	}
	if hits := find(t, w, "what nests in the reeds"); !tells(hits, "stork") || tells(hits, "heron") {
		t.Errorf("hits %+v", hits)
	}
	verified(t, w)
}
