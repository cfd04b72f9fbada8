package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/palace/centroids"
	"github.com/reverie-memory/reverie/palace/drawers"
	"github.com/reverie-memory/reverie/palace/findings"
	"github.com/reverie-memory/reverie/vault"
)

// A clerk is a model that answers the workers of a palace by what their texts say, and remembers what it was paid for: all that it
// answered, but for the last answer before a kill.
type clerk struct {
	*httptest.Server
	calls chan struct{} // gets one for each call, as long as somebody listens

	mu    sync.Mutex
	paid  map[string]bool
	last  []string
	life  int            // of the daemon that asks, counted by kills
	asked map[string]int // how often, of each text and question
	twice []string       // what it was asked about again though it was paid
}

func newClerk(t *testing.T) *clerk {
	c := &clerk{calls: make(chan struct{}), paid: map[string]bool{}, asked: map[string]int{}}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case c.calls <- struct{}{}:
		default:
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the daemon was killed while it asked
		}
		var req struct {
			Messages []struct{ Role, Content string }
		}
		if err = json.Unmarshal(body, &req); err != nil || len(req.Messages) != 2 {
			t.Errorf("asked %s: %v", body, err)
			return
		}
		time.Sleep(10 * time.Millisecond) // as a model takes its time
		answer := c.answer(t, r.Header.Get("Authorization"), req.Messages[0].Content, req.Messages[1].Content)
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{
			"choices": []any{map[string]any{"finish_reason": "stop", "message": map[string]any{"role": "assistant", "content": answer}}},
			"usage":   map[string]int{"prompt_tokens": 10, "completion_tokens": 10},
		})
	}))
	t.Cleanup(c.Close)
	return c
}

// answer says something of each text: of some only when it is asked once more.
func (c *clerk) answer(t *testing.T, key, system, prompt string) string {
	_, list, _ := strings.Cut(prompt, "\n")
	var texts []struct {
		Number int
		Text   struct {
			Text           string
			Earlier, Later struct{ Text string }
		}
	}
	if err := json.Unmarshal([]byte(list), &texts); err != nil {
		t.Errorf("asked %s: %v", prompt, err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if key != "Bearer "+c.key() { // who asked is dead
		return ""
	}
	c.settle()
	var answers []any
	for _, it := range texts {
		about := cmp.Or(it.Text.Text, it.Text.Earlier.Text+" and then "+it.Text.Later.Text)
		if !strings.Contains(system, "- importance") { // of process
			about = "enrich: " + about
		}
		if c.paid[about] {
			c.twice = append(c.twice, about)
		}
		if c.asked[about]++; c.asked[about] == 1 && it.Number%4 == 0 {
			continue
		}
		c.last = append(c.last, about)
		answers = append(answers, map[string]any{
			"number": it.Number, "type": []string{"fact", "task"}[len(about)%2],
			"importance": map[bool]float64{true: 0.05, false: 0.7}[strings.Contains(about, "gravel")],
			"summary":    "In short: " + it.Text.Text, "entities": []string{}, "triples": []any{},
			"ends": strings.Contains(it.Text.Later.Text, "Porto"),
		})
	}
	out, err := json.Marshal(map[string]any{"answers": answers})
	if err != nil {
		t.Error(err)
	}
	return string(out)
}

// settle counts the last answer as paid. c.mu is held.
func (c *clerk) settle() {
	for _, about := range c.last {
		c.paid[about] = true
	}
	c.last = nil
}

// killed says that whoever asked last may not have written the answer down.
func (c *clerk) killed() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last = nil
	c.life++
}

// key tells the daemons apart.
func (c *clerk) key() string { return fmt.Sprint("life-", c.life) }

// settings make a daemon have this model, and start no worker by itself.
func (c *clerk) settings() []string {
	return []string{
		"REVERIE_LLM_PROVIDER=openai", "REVERIE_LLM_MODEL=clerk", "REVERIE_LLM_API_KEY=" + c.key(),
		"REVERIE_LLM_BASE_URL=" + c.URL + "/v1",
		"REVERIE_PALACE_BATCH=4", "REVERIE_PALACE_PROCESS_SECONDS=86400", "REVERIE_PALACE_ENRICH_SECONDS=86400",
	}
}

// palaceToKill imports what workers have something to do about: texts whose words say what they are and others, texts that say the same,
// and later ones that end earlier ones.
func palaceToKill(t *testing.T, d *process, now time.Time) (ids []string) {
	t.Helper()
	goods := []string{"gravel", "linen", "copper", "pepper", "timber", "marble"}
	verbs := []string{"arrived at", "was weighed in", "stood beside", "went past", "was counted near"}
	things := strings.Fields("bicycle violin teapot tractor umbrella telescope cupboard lantern saddle anchor compass kettle wardrobe " +
		"ladder blanket whistle hammock chessboard mirror trumpet barrel kennel sundial greenhouse printer canoe accordion fireplace " +
		"staircase loom")
	im := api.Import{End: true}
	for i := range 360 {
		text := fmt.Sprintf("The %s of lot %d %s gate %d%s.", goods[i%6], i*7919%1000, verbs[i%5], i*31%97, strings.Repeat("!", i%3))
		switch thing := things[i/12]; i % 6 {
		case 1:
			text = fmt.Sprintf("I decided to use method %d instead of plan %d because it costs less.", i*7919%1000, i)
		case 2: // the second ends the first
			text = fmt.Sprintf("The %s stands in %s.", thing, []string{"Oslo", "Porto"}[i/6%2])
		case 3: // the second says the same
			text = fmt.Sprintf("Remember that we painted the %s green for the winter fair.", thing)
		}
		at := now.AddDate(-1, 0, 0).Add(time.Duration(i) * time.Hour)
		filed := at
		if i%6 == 1 { // enrich looks at what matters still
			filed = now.Add(-time.Duration(i) * time.Minute)
		}
		im.Messages = append(im.Messages, api.ImportMessage{
			ID: fmt.Sprintf("d%09d", i), ChatID: fmt.Sprint("c", i%7), TurnID: fmt.Sprint("t", i), Role: "user", Speaker: "Alice", Content: text,
			At: &at, FiledAt: &filed, Told: true,
		})
		ids = append(ids, im.Messages[i].ID)
	}
	if status, err := d.send(t.Context(), "POST", "/memory/import", im, nil); err != nil || status >= http.StatusBadRequest {
		t.Fatalf("import: status %d: %v\n%s", status, err, d.log)
	}
	verifyOK(t, d) // all rows have their vectors
	return ids
}

// work has a worker work until nothing is left, or the daemon is killed.
func (d *process) work(t *testing.T, name string) error {
	var j api.Job
	for {
		status, err := d.send(t.Context(), "POST", "/memory/palace/run", api.PalaceRun{Worker: name}, &j)
		if err != nil {
			return err
		}
		if status == http.StatusAccepted {
			break
		}
		time.Sleep(5 * time.Millisecond) // the index is not ready
	}
	for {
		status, err := d.send(t.Context(), "GET", "/memory/jobs/"+j.ID, nil, &j)
		if err != nil || status != http.StatusOK {
			return fmt.Errorf("job: status %d: %w", status, err)
		}
		switch j.State {
		case "done":
			return nil
		case "failed":
			t.Errorf("%s failed: %+v", name, j)
			return nil
		}
		time.Sleep(5 * time.Millisecond) // polls another process
	}
}

// Each worker of a palace is killed at random moments, and asked for again each time. No model is paid twice for what it answered; in the
// end the palace is in the state of one whose workers nobody killed, and a rebuild gives the same.
func TestKilledWorkers(t *testing.T) {
	rounds := 20
	if testing.Short() {
		rounds = 3
	}
	whole, p, now := newPlace(t), newPlace(t), time.Now().UTC().Truncate(time.Second)
	untouched, model := newClerk(t), newClerk(t)
	d := whole.start(t, untouched.settings()...)
	ids := palaceToKill(t, d, now)
	took := map[string]time.Duration{}
	workers := []string{"process", "enrich", "maintain", "centroids"}
	for _, name := range workers {
		began := time.Now()
		if err := d.work(t, name); err != nil {
			t.Fatal(err)
		}
		took[name] = time.Since(began)
	}
	want := whole.palace(t)
	d.kill()

	d = p.start(t, model.settings()...)
	palaceToKill(t, d, now)
	d.kill()
	rng := rand.New(rand.NewPCG(7, 12))
	for _, name := range workers {
		cut := 0
		for range rounds {
			d := p.start(t, model.settings()...)
			ended := make(chan error, 1)
			go func() { ended <- d.work(t, name) }()
			var err error
			wait := time.Duration(rng.Int64N(int64(took[name])))
			if name == "process" || name == "enrich" { // so that slow machines test as much as fast ones
				wait = time.Duration(rng.IntN(20)) * time.Millisecond
				for range 1 + rng.IntN(4) {
					select {
					case <-model.calls:
					case err = <-ended:
						ended <- err
					}
				}
			}
			time.Sleep(wait) // the moment of death is what the test varies; it waits for nothing
			d.kill()
			model.killed()
			if err = <-ended; err != nil {
				cut++
			}
		}
		d := p.start(t, model.settings()...)
		if err := d.work(t, name); err != nil {
			t.Fatal(err)
		}
		verifyOK(t, d)
		d.kill()
		model.killed()
		if cut == 0 {
			t.Errorf("%s was never cut off: the test did not test", name)
		}
		t.Logf("%s: %d of %d kills cut it off", name, cut, rounds)
	}
	got := p.palace(t)
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("(-never killed +killed):\n%s", diff)
	}
	for _, about := range model.twice {
		t.Errorf("paid twice: %s", about)
	}
	d = p.start(t, model.settings()...)
	before := d.drawers(t, ids)
	if status, err := d.send(t.Context(), "POST", "/memory/reindex", api.Reindex{ClearExisting: true}, nil); err != nil || status >= 300 {
		t.Fatalf("reindex: status %d: %v", status, err)
	}
	verifyOK(t, d)
	if diff := gocmp.Diff(before, d.drawers(t, ids)); diff != "" {
		t.Errorf("a rebuild (-before +after):\n%s", diff)
	}
	for _, id := range ids {
		k, is := want[id], before[id]
		if k.State != "" && k.State != is.State || (k.Archived != 0) != (is.ArchivedAt != "") || k.Cluster != is.ClusterID ||
			k.SupersededBy != is.SupersededBy {
			t.Errorf("%s is told as %+v, and is %+v", id, is, k)
		}
	}
}

// drawers are how drawers are told.
func (d *process) drawers(t *testing.T, ids []string) map[string]api.Drawer {
	t.Helper()
	out := map[string]api.Drawer{}
	for _, id := range ids {
		var one api.Drawer
		if status, err := d.send(t.Context(), "GET", "/memory/drawers/"+id, nil, &one); err != nil || status != http.StatusOK {
			t.Fatalf("%s: status %d: %v\n%s", id, status, err, d.log)
		}
		out[id] = one
	}
	return out
}

// palace is what came of drawers, as their events say, but for the times at which that was; what was found out and learnt is under names
// of its own. Each line of each file must be whole.
func (p place) palace(t *testing.T) drawers.State {
	t.Helper()
	state, told := drawers.State{}, map[string]int{}
	for _, name := range []string{drawers.FileName, findings.FileName, centroids.FileName} {
		data, err := os.ReadFile(filepath.Join(p.vault, vault.StateDir, name))
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			if strings.TrimSpace(line) == "" {
				continue
			}
			if !json.Valid([]byte(line)) {
				t.Errorf("%s: %q is no line", name, line)
			}
			switch name {
			case drawers.FileName:
				state = drawers.Fold(state, []byte(line))
			case findings.FileName:
				// Which pairs are asked about hangs on which were compared before: on the order in which drawers were decided.
				if f, err := findings.Parse([]byte(line)); err == nil && f.Ends == nil {
					f.At = time.Time{}
					told["finding "+f.ID+" "+f.Key()]++
				}
			default:
				told[name]++
			}
		}
	}
	for _, id := range slices.Collect(maps.Keys(state)) {
		k := *state[id]
		if k.Weighed, k.Again = 0, nil; k.Archived != 0 {
			k.Archived, k.Reason = 1, ""
		}
		state[id] = &k
	}
	for what, n := range told {
		state[what] = &drawers.Known{Tries: n}
	}
	return state
}
