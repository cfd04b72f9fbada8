package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/indexer/flat"
	"github.com/reverie-memory/reverie/llm"
	"github.com/reverie-memory/reverie/palace/drawers"
	"github.com/reverie-memory/reverie/palace/findings"
	"github.com/reverie-memory/reverie/project"
	"github.com/reverie-memory/reverie/reads"
	"github.com/reverie-memory/reverie/vault"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var at = time.Date(2026, 6, 9, 14, 32, 0, 0, time.UTC)

// A fake is a model that answers as a test says.
type fake struct {
	mu     sync.Mutex
	calls  [][]string  // the texts of each call about drawers
	pairs  [][2]string // that were asked about; the later ends the earlier where ends says so
	ends   func(earlier, later string) bool
	answer func(call int, texts []string) (string, error)
}

func (f *fake) Name() string { return "fake/m" }

func (f *fake) Complete(_ context.Context, req llm.Request) (llm.Answer, error) {
	_, data, _ := strings.Cut(req.Prompt, ":\n")
	if req.System == endsSystem {
		return f.judge(data)
	}
	var list []struct {
		Number int
		Text   struct{ Text string }
	}
	if err := json.Unmarshal([]byte(data), &list); err != nil || !json.Valid(req.Schema) {
		return llm.Answer{}, fmt.Errorf("the prompt is no JSON: %w", err)
	}
	var texts []string
	for _, l := range list {
		texts = append(texts, l.Text.Text)
	}
	f.mu.Lock()
	f.calls = append(f.calls, texts)
	n := len(f.calls)
	f.mu.Unlock()
	text, err := f.answer(n, texts)
	return llm.Answer{Text: text}, err
}

// judge answers about pairs.
func (f *fake) judge(data string) (llm.Answer, error) {
	var list []struct {
		Text struct{ Earlier, Later struct{ Text string } }
	}
	if err := json.Unmarshal([]byte(data), &list); err != nil {
		return llm.Answer{}, fmt.Errorf("the prompt is no JSON: %w", err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	var said []string
	for i, l := range list {
		pair := [2]string{l.Text.Earlier.Text, l.Text.Later.Text}
		f.pairs = append(f.pairs, pair)
		said = append(said, fmt.Sprintf(`{"number":%d,"ends":%t}`, i+1, f.ends != nil && f.ends(pair[0], pair[1])))
	}
	return llm.Answer{Text: `{"answers":[` + strings.Join(said, ",") + `]}`}, nil
}

func (f *fake) asked() (n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, c := range f.calls {
		n += len(c)
	}
	return n
}

// verdicts answers about the texts of which which says so.
func verdicts(texts []string, which func(text string) bool) string {
	var list []string
	for i, text := range texts {
		if which(text) {
			list = append(list, fmt.Sprintf(`{"number":%d,"type":"decision","importance":0.8,"summary":"sum of `+
				`%s","entities":["Mara","Nobody"],`+
				`"triples":[{"subject":"Mara","predicate":"owns","object":"boat","from":"","to":""}]}`, i+1,
				strings.ReplaceAll(text, `"`, "")))
		}
	}
	return `{"answers":[` + strings.Join(list, ",") + `]}`
}

func all(string) bool { return true }

func obliging() *fake {
	return &fake{answer: func(_ int, texts []string) (string, error) { return verdicts(texts, all), nil }}
}

// A rig is a room over a real vault and index.
type rig struct {
	*Room
	t     *testing.T
	dir   string
	data  string
	now   time.Time
	fault func(op string, p vault.Path) error
	vault *vault.Vault
	index *indexer.Indexer
	reads map[string]reads.Count
	chat  llm.Chat
	embed llm.Embedder
	left  int
	close func()
}

func (r *rig) Counts() (map[string]reads.Count, error) { return r.reads, nil }

func newRig(t *testing.T, chat llm.Chat) *rig {
	t.Helper()
	r := &rig{t: t, dir: t.TempDir(), data: t.TempDir(), now: at, chat: chat, embed: llm.NewBuiltin(), left: -1}
	if _, err := vault.Init(r.dir, os.DirFS(t.TempDir())); err != nil {
		t.Fatal(err)
	}
	r.open()
	t.Cleanup(func() { r.close() })
	return r
}

// open opens the vault and all over it, as a start of the daemon does.
func (r *rig) open() {
	r.t.Helper()
	v, err := vault.Open(r.dir, vault.WithClock(func() time.Time { return r.now }), vault.WithFaults(func(op string, p vault.Path) error {
		if r.fault != nil {
			return r.fault(op, p)
		}
		return nil
	}))
	if err != nil {
		r.t.Fatal(err)
	}
	known := &indexer.Projection[drawers.State, drawers.State]{
		Name: "drawers", Version: drawers.FoldVersion, Match: func(p vault.Path) bool { return p == drawers.File },
		Fold: func(before drawers.State, _ vault.Path, lines []byte) drawers.State {
			return drawers.Fold(before, lines)
		}, Join: drawers.Join,
	}
	ix := indexer.New(indexer.Options{
		Vault: v, Dir: r.data, Embedder: r.embed, OpenEngine: flat.Open, EngineName: "flat", ProbeDelay: -1,
		Mounts: []indexer.Mount{indexer.StateFiles(v, drawers.FileName)}, Projections: []indexer.Projector{known},
	})
	if err := ix.Open(context.Background()); err != nil {
		r.t.Fatal(err)
	}
	sync := func(ctx context.Context, paths ...vault.Path) error {
		_, err := ix.Sync(ctx, paths...)
		return err
	}
	if err := sync(context.Background()); err != nil {
		r.t.Fatal(err)
	}
	r.vault, r.index = v, ix
	r.Room = New(Options{
		Vault: v, Reader: ix.Reader, Journal: &drawers.Journal{Vault: v, Sync: sync, Known: known.State},
		Findings: findings.Store{Vault: v, Index: &findings.Index{}},
		Reads:    r, Dir: r.data, Chat: r.chat, Share: func(context.Context) (Share, error) { return Share{Tokens: r.left}, nil }, Batch: 3,
		High:  0.8,
		Decay: drawers.DefaultDecay, Fading: DefaultFading,
		When: map[string]When{
			Process: {Every: time.Minute}, Enrich: {Every: 10 * time.Minute}, Maintain: {At: midnight},
			Centroids: {At: midnight},
		},
		Fingerprint: llm.NewBuiltin().Fingerprint,
		Isolated:    func() (project.Isolation, error) { return project.Isolation{"secret"}, nil },
	})
	r.settle()
	r.close = func() { _, _ = ix.Close(context.Background()), v.Close() }
}

// restart is a crash and the start after it.
func (r *rig) restart() {
	r.t.Helper()
	fading := r.opt.Fading
	r.close()
	r.open()
	r.opt.Fading = fading
}

// say files drawers and returns their ids.
func (r *rig) say(texts ...string) (ids []string) {
	r.t.Helper()
	var list []vault.Drawer
	for i, text := range texts {
		list = append(list, vault.Drawer{
			At: r.now.Add(time.Duration(i) * time.Second), ChatID: "c1", Turn: fmt.Sprint("t", i), Origin: vault.OriginUser, Text: text,
		})
	}
	stored, err := r.vault.AppendDrawers(context.Background(), list)
	if err != nil {
		r.t.Fatal(err)
	}
	r.sync()
	for _, d := range stored {
		ids = append(ids, d.ID)
	}
	return ids
}

// written are the newest findings of drawers.
func (r *rig) written(ids []string) (map[string]findings.Finding, error) {
	of := map[string]findings.Finding{}
	for _, id := range ids {
		f, ok, err := r.opt.Findings.OfID(id, func(f findings.Finding) bool { return f.Ends == nil })
		if err != nil {
			return nil, err
		}
		if ok {
			of[id] = f
		}
	}
	return of, nil
}

func (r *rig) work(name string) (int, error) {
	return r.Work(context.Background(), name, func(int) {})
}

// vague are texts whose words do not say what they are.
func vague(n int) (out []string) {
	for i := range n {
		out = append(out, fmt.Sprintf("%05d Mara sailed her boat along the quiet river %d times", i, i*i+7))
	}
	return out
}

func TestProcessNotesWhatTheModelSays(t *testing.T) {
	chat := obliging()
	r := newRig(t, chat)
	ids := r.say(append(vague(4), "ok", vague(1)[0])...)
	if n, err := r.work(Process); n != 5 || err != nil || len(chat.calls) != 2 || chat.asked() != 4 {
		t.Fatalf("%d done in %d calls of %d texts: %v", n, len(chat.calls), chat.asked(), err)
	}
	of, err := r.written(ids)
	if err != nil || len(of) != 5 {
		t.Fatalf("%d findings: %v", len(of), err)
	}
	for i, id := range ids {
		k, f := r.opt.Journal.State().Of(id), of[id]
		if i == 4 {
			if k.State != "" {
				t.Errorf("a greeting became %+v", k)
			}
			continue
		}
		want := drawers.Processed
		if i == 5 { // it says what the first says
			want = drawers.Merged
		}
		if k.State != want || k.Tier != drawers.LLM || k.Type != "decision" || k.Weight != 4 || k.Entities != 1 ||
			k.Triples != 1 {
			t.Errorf("%s became %+v", id, k)
		}
		if !strings.HasPrefix(f.Summary, "sum of 0000") || len(f.Entities) != 1 || len(f.Triples) != 1 || f.By != "fake/m" {
			t.Errorf("found %+v", f)
		}
	}
	if n, err := r.work(Process); n != 0 || err != nil || len(chat.calls) != 2 {
		t.Errorf("again: %d, %d calls: %v", n, len(chat.calls), err)
	}
	c, err := r.Room.Count(context.Background())
	if err != nil || c.States[drawers.Processed] != 4 || c.States[drawers.Merged] != 1 || c.States[drawers.Raw] != 1 ||
		c.Tiers[drawers.LLM] != 5 {
		t.Errorf("counts %+v: %v", c, err)
	}
}

// The answer is never trusted: what it leaves out or gets wrong is asked for once more, and then by itself; what stays wrong fails.
func TestProcessOfUselessAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		answer func(call int, texts []string) (string, error)
		calls  int
		done   int
		tries  int // of those that are not done
	}{
		"garbage": {func(int, []string) (string, error) { return "I am sorry", nil }, 5, 0, 1},
		"garbage, once": {func(n int, texts []string) (string, error) {
			return map[bool]string{true: "{", false: verdicts(texts, all)}[n == 1], nil
		}, 2, 3, 0},
		"half the array": {func(_ int, texts []string) (string, error) { return verdicts(texts[:1], all), nil }, 3, 3, 0},
		"half, always": {func(_ int, texts []string) (string, error) {
			return verdicts(texts, func(text string) bool { return !strings.HasPrefix(text, "00002") }), nil
		}, 3, 2, 1},
		"a type of its own": {func(_ int, texts []string) (string, error) {
			return strings.ReplaceAll(verdicts(texts, all), "decision", "poem"), nil
		}, 5, 0, 1},
		"too important": {func(_ int, texts []string) (string, error) {
			return strings.ReplaceAll(verdicts(texts, all), "0.8", "8"), nil
		}, 5, 0, 1},
		"numbers of nobody": {func(_ int, texts []string) (string, error) {
			return strings.ReplaceAll(verdicts(texts, all), `"number":`, `"number":1`), nil
		}, 5, 0, 1},
		"down":   {func(int, []string) (string, error) { return "", errors.New("connection refused") }, 1, 0, 0},
		"budget": {func(int, []string) (string, error) { return "", llm.ErrBudget }, 1, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			chat := &fake{answer: c.answer}
			r := newRig(t, chat)
			ids := r.say(vague(3)...)
			done, err := r.work(Process)
			failed := c.tries == 0 && c.done == 0
			if done != c.done || (err != nil) != failed || len(chat.calls) != c.calls {
				t.Errorf("%d done in %d calls: %v", done, len(chat.calls), err)
			}
			for _, id := range ids {
				k := r.opt.Journal.State().Of(id)
				if k.State == drawers.Processed {
					c.done--
				} else if k.Tries != c.tries || c.tries > 0 && k.State != drawers.Raw {
					t.Errorf("%s became %+v", id, k)
				}
			}
			if c.done != 0 {
				t.Errorf("%d too few are processed", c.done)
			}
			chat.answer = obliging().answer
			if _, err := r.work(Process); err != nil || r.opt.Journal.State().Of(ids[2]).State != drawers.Processed {
				t.Errorf("when the model is well again: %+v: %v", r.opt.Journal.State().Of(ids[2]), err)
			}
		})
	}
}

func TestThreeTriesAreEnough(t *testing.T) {
	chat := &fake{answer: func(int, []string) (string, error) { return "no", nil }}
	r := newRig(t, chat)
	id := r.say(vague(1)...)[0]
	for range 5 {
		if _, err := r.work(Process); err != nil {
			t.Fatal(err)
		}
	}
	if k := r.opt.Journal.State().Of(id); k.State != drawers.Gone || k.Tries != drawers.MaxTries || len(chat.calls) != 2*drawers.MaxTries {
		t.Errorf("%+v after %d calls", k, len(chat.calls))
	}
}

// TestKilledAnywhere: whatever write fails, after a restart everything is processed, nothing was asked about twice that was answered, and
// each drawer has one event.
func TestKilledAnywhere(t *testing.T) {
	for kill := 1; kill < 40; kill++ {
		chat := obliging()
		r := newRig(t, chat)
		ids := r.say(vague(5)...)
		n := 0
		r.fault = func(op string, p vault.Path) error {
			if p != findings.File && p != drawers.File {
				return nil
			}
			if n++; n >= kill {
				return errors.New("killed")
			}
			return nil
		}
		_, err := r.work(Process)
		killed := err != nil
		r.fault = nil
		lost := 0
		if of, err := r.written(ids); err == nil && killed {
			lost = chat.asked() - len(of) // answers that had not been written down
		}
		r.restart()
		if _, err := r.work(Process); err != nil {
			t.Fatal(err)
		}
		if extra := chat.asked() - len(ids); extra > lost || lost > 3 {
			t.Errorf("write %d: asked about %d texts of %d, %d answers were lost", kill, chat.asked(), len(ids), lost)
		}
		events := map[string]int{}
		if _, err := r.vault.ReadState(drawers.FileName, func(_ int, raw []byte) error {
			e, err := drawers.ParseEvent(raw)
			if e.State != "" {
				events[e.Drawer]++
			}
			return err
		}); err != nil {
			t.Error(err)
		}
		for _, id := range ids {
			if events[id] != 1 || r.opt.Journal.State().Of(id).State != drawers.Processed {
				t.Errorf("write %d: %d events, %+v", kill, events[id], r.opt.Journal.State().Of(id))
			}
		}
		if !killed {
			return
		}
	}
	t.Error("no round went through")
}

// What is forgotten before it is asked about is not sent; what is forgotten while the model reads it leaves nothing behind.
func TestForgottenDrawersAreNotSent(t *testing.T) {
	texts := vague(3)
	chat := obliging()
	r := newRig(t, chat)
	ids := r.say(texts...)
	forget := func(text string) {
		if err := r.vault.Forget(context.Background(), []vault.Tombstone{{Text: text}}); err != nil {
			t.Error(err)
		}
	}
	forget(texts[0])
	answer := chat.answer
	chat.answer = func(n int, texts []string) (string, error) {
		forget(texts[0])
		return answer(n, texts)
	}
	if n, err := r.work(Process); err != nil || n != 1 {
		t.Errorf("%d done: %v", n, err)
	}
	for _, call := range chat.calls {
		if strings.Contains(strings.Join(call, "\n"), "00000") {
			t.Errorf("the model was shown %q", call)
		}
	}
	if of, err := r.written(ids); err != nil || len(of) != 1 || of[ids[2]].ID == "" {
		t.Errorf("found %+v: %v", of, err)
	}
}

func TestEnrichLooksAtWhatMattersOldestFirst(t *testing.T) {
	chat := &fake{answer: func(_ int, texts []string) (string, error) { return verdicts(texts, all), nil }}
	r := newRig(t, chat)
	sureOf := func(n int) string {
		return fmt.Sprintf("%05d We decided to go with Mara's boat: the decision is final, we agreed on it and we chose it", n)
	}
	r.now = at.AddDate(0, 0, 1)
	young := r.say(sureOf(1))
	r.now = at
	old := r.say(sureOf(2), sureOf(3), "00004 "+vague(1)[0])
	zero := 1.0
	if err := r.opt.Journal.Append(context.Background(), drawers.Event{Kind: drawers.Note, Drawer: old[1], Importance: &zero}); err != nil {
		t.Fatal(err)
	}
	n, err := r.work(Enrich)
	if err != nil || n != 2 || len(chat.calls) != 1 || len(chat.calls[0]) != 2 || !strings.HasPrefix(chat.calls[0][0], "00002") {
		t.Fatalf("%d, asked %q: %v", n, chat.calls, err)
	}
	for _, id := range []string{young[0], old[0]} {
		if k := r.opt.Journal.State().Of(id); k.Entities != 1 || k.Triples != 1 || k.Tier != "" || k.State != "" {
			t.Errorf("%+v", k)
		}
	}
	r.restart()
	if n, err := r.work(Enrich); n != 0 || err != nil || len(chat.calls) != 1 {
		t.Errorf("again: %d, %d calls: %v", n, len(chat.calls), err)
	}
}

func TestMaintainPutsAwayWhatFaded(t *testing.T) {
	r := newRig(t, nil)
	r.opt.Fading.Keep = 2
	ids := r.say(vague(5)...)
	r.reads = map[string]reads.Count{
		ids[0]:        {Row: ids[0], Count: 2, Last: at.Format(time.RFC3339)},
		ids[0] + ".2": {Row: ids[0] + ".2", Count: 1, Last: at.Format(time.RFC3339)},
		ids[1]:        {Row: ids[1], Count: 1, Last: at.AddDate(0, 0, 199).Format(time.RFC3339)},
	}
	if n, err := r.work(Maintain); n != 0 || err != nil {
		t.Fatalf("on the first day %d were put away: %v", n, err)
	}
	low := 1.0
	if err := r.opt.Journal.Append(context.Background(), drawers.Event{Kind: drawers.Note, Drawer: ids[4], Importance: &low}); err != nil {
		t.Fatal(err)
	}
	r.now = at.AddDate(0, 0, 200)
	for range 2 { // a night that comes twice does nothing the second time
		if _, err := r.work(Maintain); err != nil {
			t.Fatal(err)
		}
		away := ""
		for i, id := range ids {
			if r.opt.Journal.State().Archived(id) {
				away += fmt.Sprint(i, " ")
			}
		}
		if away != "2 3 4 " {
			t.Errorf("put away are %s", away)
		}
	}
	if why := r.opt.Journal.State().Of(ids[4]).Reason; why != "faded: importance 0.30, read 0 times" {
		t.Error(why)
	}
	c, err := r.Room.Count(context.Background())
	if err != nil || c.Archived != 3 {
		t.Errorf("%+v: %v", c, err)
	}
	r.opt.Fading.Keep = 2
	if err := r.opt.Journal.Append(context.Background(), drawers.Event{
		Kind: drawers.Restore, Drawer: ids[3],
		Day: vault.DayOf(at),
	}); err != nil {
		t.Fatal(err)
	}
	if n, err := r.work(Maintain); n != 0 || err != nil {
		t.Errorf("what was brought back is put away again: %d, %v", n, err)
	}
}

func TestAFullDiskLosesNothing(t *testing.T) {
	r := newRig(t, obliging())
	r.say(vague(2)...)
	if err := os.Mkdir(filepath.Join(r.data, TableFile), 0o755); err != nil { // so that it cannot be written
		t.Fatal(err)
	}
	if n, err := r.work(Process); n != 2 || err == nil {
		t.Errorf("%d done: %v", n, err)
	}
	if err := os.Remove(filepath.Join(r.data, TableFile)); err != nil {
		t.Fatal(err)
	}
	if n, err := r.work(Process); n != 0 || err != nil {
		t.Errorf("then %d done: %v", n, err)
	}
}

func TestCentroidsSayWhatIsDormant(t *testing.T) {
	r := newRig(t, obliging())
	r.say(vague(3)...)
	if _, err := r.work(Process); err != nil {
		t.Fatal(err)
	}
	for _, s := range r.Status() { // before it first ran
		if s.Name == Centroids && (!s.Run.Last.IsZero() || !strings.Contains(s.Run.Note, "decision 3, preference 0")) {
			t.Errorf("%+v", s)
		}
	}
	n, err := r.work(Centroids)
	if note := r.table[Centroids].Note; err != nil || n != 3 || !strings.Contains(note, "decision 3") {
		t.Errorf("%d drawers, %q: %v", n, note, err)
	}
	r.restart()
	for _, s := range r.Status() {
		if s.Name == Centroids && !strings.Contains(s.Run.Note, "decision 3") {
			t.Errorf("after a restart: %+v", s)
		}
	}
}
