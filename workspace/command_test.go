package workspace_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/llm/llmtest"
	"github.com/reverie-memory/reverie/operations"
)

// withProgram makes a workspace whose model is a scripted program, and in which nothing rests by itself.
func withProgram(t *testing.T, change func(*config.Config), acts ...llmtest.Act) (operations.Memory, *llmtest.Program) {
	t.Helper()
	p := llmtest.NewProgram(t, acts...)
	return open(t, func(c *config.Config) {
		c.DataDir = filepath.Join(t.TempDir(), "data")
		c.LLM.Provider, c.LLM.Command, c.LLM.Rest = config.ProviderCommand, p.Command(), 86_400
		if change != nil {
			change(c)
		}
	}), p
}

// tell files a turn and does not wait for its facts.
func tell(t *testing.T, w operations.Memory, chat, text string) {
	t.Helper()
	at := time.Date(2026, 6, 9, 14, 32, 0, 0, time.UTC)
	r, err := w.Remember(t.Context(), api.Turn{ChatID: chat, Messages: []api.Message{{
		Role: "user", Speaker: "Alice", Content: text,
		At: &at,
	}}})
	if err != nil || r.Status != "accepted" {
		t.Fatalf("%+v: %v", r, err)
	}
}

// extracted ends a conversation and waits for its facts.
func extracted(t *testing.T, w operations.Memory, chat string) {
	t.Helper()
	w.Intake.EndChat(chat)
	eventually(t, "the facts", func() bool { c := w.Intake.Counts(); return c.Deferred+c.Resting+c.Queued == 0 })
}

const twoTurns = `{"turns":[{"turn":1,"facts":[{"message":1,"category":"milestone","text":"Alice moved to Oslo on 8 June 2026","tags":[],` +
	`"entities":["Oslo"],"quote":"moved to Oslo","about":"2026-06-08"}]},{"turn":2,"facts":[{"message":2,"category":"fact",` +
	`"text":"Alice owns a kayak","tags":[],"entities":[],"quote":"kayak","about":""}]}]}`

func TestAProgramReadsAConversation(t *testing.T) {
	w, p := withProgram(t, nil, llmtest.Act{Out: "Here you are:\n```json\n" + twoTurns + "\n```\n"})
	tell(t, w, "c1", "Yesterday I moved to Oslo, my key is AKIA"+"IOSFODNN7SAMPLES.")
	tell(t, w, "c1", "And I bought a kayak.")
	eventually(t, "the drawers", func() bool { return tells(find(t, w, "kayak"), "bought a kayak") })
	st, err := w.Status(t.Context())
	if err != nil || st.Intake.Resting != 2 || len(p.Runs()) > 0 || len(inVault(t, w, "Alice owns a kayak")) > 0 {
		t.Fatalf("before the conversation ends: %+v, %d calls, %v", st.Intake, len(p.Runs()), err)
	}
	extracted(t, w, "c1")
	eventually(t, "the facts", func() bool { return tells(find(t, w, "kayak"), "Alice owns a kayak") })
	if st, err = w.Status(t.Context()); err != nil || len(st.Degraded) > 0 || len(p.Runs()) != 1 {
		t.Errorf("%d calls, degraded %v, %v", len(p.Runs()), st.Degraded, err)
	}
	r := p.Runs()[0]
	if strings.Contains(r.Input, "AKIA") || !strings.Contains(strings.Join(r.Env, " "), "REVERIE_INSIDE=1") || len(r.Files) > 0 {
		t.Errorf("the program was given %q in %v with %v", r.Input, r.Files, r.Env)
	}
	if m := st.Model; m == nil || !strings.HasPrefix(m.Name, "command/") || m.Program == "" || m.Problem != "" || m.Today == 0 ||
		m.Daily == 0 {
		t.Errorf("the status says %+v", m)
	}
	u, err := w.Usage(t.Context())
	if err != nil || len(u.Days) != 1 || u.Days[0].Provider != "command" || u.Days[0].Calls != 1 {
		t.Errorf("usage %+v: %v", u, err)
	}
	verified(t, w)
}

// Whatever the program does, the rules' facts are there, none that is not in the turn, and the reason is told.
func TestProgramsThatAreNoGoodModel(t *testing.T) {
	lie := strings.NewReplacer("moved to Oslo\"", "moved to Rome\"", `"kayak"`, `"yacht"`).Replace(twoTurns)
	elsewhere := strings.NewReplacer(`"turn":1`, `"turn":7`, `"message":2`, `"message":1`).Replace(twoTurns)
	for _, tt := range []struct {
		name  string
		act   llmtest.Act
		daily int
		calls int
		says  string
	}{
		{"lies", llmtest.Act{Out: lie}, 1e6, 2, "no fact rests on its messages"},
		{"wrong numbers", llmtest.Act{Out: elsewhere}, 1e6, 2, "turn 1"},
		{"prose", llmtest.Act{Out: "I would rather not."}, 1e6, 2, "not the JSON"},
		{"half an answer", llmtest.Act{Out: twoTurns[:60]}, 1e6, 2, "not the JSON"},
		{"silent", llmtest.Act{}, 1e6, 2, "answered nothing"},
		{"exit code", llmtest.Act{Exit: 1, Err: "please log in"}, 1e6, 1, "please log in"},
		{"too slow", llmtest.Act{Hang: true}, 1e6, 1, "took too long"},
		{"endless", llmtest.Act{Flood: true}, 1e6, 1, "printed too much"},
		{"too expensive", llmtest.Act{Out: twoTurns}, 10, 0, "daily token budget"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w, p := withProgram(t, func(c *config.Config) {
				c.LLM.DailyTokenBudget, c.LLM.Timeout = tt.daily, 10
				if tt.act.Hang {
					c.LLM.Timeout = 1
				}
			}, tt.act)
			tell(t, w, "c1", "I moved to Oslo.")
			tell(t, w, "c1", "I bought a kayak in May.")
			extracted(t, w, "c1")
			if n := len(p.Runs()); n != tt.calls {
				t.Errorf("%d calls, want %d", n, tt.calls)
			}
			for text, want := range map[string]int{"8 June": 0, "owns a kayak": 0, "Alice moved to Oslo": 1, "Alice bought a kayak": 1} {
				if n := len(inVault(t, w, text)); n != want {
					t.Errorf("%q is in %d files", text, n)
				}
			}
			st, err := w.Status(t.Context())
			if told := strings.Join(st.Degraded, "; "); err != nil || !strings.Contains(told, tt.says) || !strings.Contains(told,
				"extraction by rules") {
				t.Errorf("degraded: %q, %v", told, err)
			}
			verified(t, w)
		})
	}
}

// The program is asked no more after a few failures in a row: each may take minutes.
func TestAProgramThatFailsIsLeftAlone(t *testing.T) {
	w, p := withProgram(t, nil, llmtest.Act{Exit: 1, Err: "usage limit reached"})
	for i := range 5 {
		tell(t, w, fmt.Sprint("c", i), fmt.Sprintf("I bought lamp %d.", i))
		extracted(t, w, fmt.Sprint("c", i))
	}
	if n := len(p.Runs()); n != 3 {
		t.Errorf("%d calls", n)
	}
	st, err := w.Status(t.Context())
	if err != nil || st.Model == nil || !strings.Contains(st.Model.Problem, "usage limit reached") {
		t.Errorf("the status says %+v, %v", st.Model, err)
	}
}

func TestAProgramThatIsNotThere(t *testing.T) {
	w, _ := withProgram(t, func(c *config.Config) { c.LLM.Command = []string{"no-such-program", "-p"} })
	tell(t, w, "c1", "I moved to Oslo.")
	extracted(t, w, "c1")
	st, err := w.Status(t.Context())
	if err != nil || st.Model == nil || !strings.Contains(st.Model.Problem, "no no-such-program in PATH") || st.Model.Today != 0 {
		t.Errorf("the status says %+v, %v", st.Model, err)
	}
	if len(inVault(t, w, "Alice moved to Oslo")) == 0 {
		t.Error("the rules' fact is missing")
	}
}

// A program can only print text: a dream gives it each batch in one prompt, and corrects it once.
func TestAProgramDreams(t *testing.T) {
	var ids [2]string
	w, p := withProgram(t, nil, llmtest.Act{Out: "{}"})
	at := time.Date(2026, 6, 9, 14, 32, 0, 0, time.UTC)
	f, err := w.WriteFacts(t.Context(), api.Facts{Wait: "indexed", Facts: []api.NewFact{
		{Content: "Alice repairs clocks in Ghent", At: &at}, {Content: "Alice repairs old clocks in Ghent", At: &at},
	}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range ids {
		ids[i] = f.Facts[i].ID
	}
	e, err := w.Consolidate(t.Context(), api.Consolidate{Estimate: true})
	if err != nil || e.Estimate == nil || e.Estimate.Calls != 2 || len(p.Runs()) > 0 {
		t.Fatalf("estimate %+v: %v", e.Estimate, err)
	}
	plan, err := w.Consolidate(t.Context(), api.Consolidate{DryRun: true})
	if err != nil || len(plan.Pages) == 0 {
		t.Fatalf("%+v: %v", plan, err)
	}
	page := plan.Pages[0].Path
	ops := func(list ...map[string]any) llmtest.Act {
		out, err := json.Marshal(map[string]any{"ops": list})
		if err != nil {
			t.Fatal(err)
		}
		return llmtest.Act{Out: "My proposal:\n" + string(out) + "\n"}
	}
	create := map[string]any{"op": "create_page", "page": page, "title": "Alice", "facts": []string{}}
	add := func(text string) map[string]any {
		return map[string]any{"op": "add", "page": page, "section": "Work", "text": text, "facts": ids}
	}
	before := len(p.Runs())
	p.Then(ops(create, add("Alice repairs old watches in Gent")), ops(create, add("Alice repairs old clocks in Ghent")))
	r, err := w.Consolidate(t.Context(), api.Consolidate{})
	if err != nil || r.Status != "consolidated" || r.Model == nil || r.Model.Accepted == 0 || len(r.Model.Refused) == 0 ||
		r.Ledger.Merged == 0 {
		t.Fatalf("%+v %+v: %v", r, r.Model, err)
	}
	runs := p.Runs()[before:]
	if len(runs) != 2 || !strings.Contains(runs[0].Input, "Alice repairs clocks in Ghent") || !strings.Contains(runs[1].Input, "corrections") {
		t.Errorf("%d calls: %+v", len(runs), runs)
	}
	if len(pagesWith(t, w, "Alice repairs old clocks in Ghent ([[")) == 0 {
		t.Error("the page lacks what was proposed")
	}
	verified(t, w)
}

// A model behind an address reads turns together as well, where the settings say so.
func TestAServerReadsTurnsTogether(t *testing.T) {
	s := llmtest.New(t)
	w := open(t, func(c *config.Config) {
		c.LLM.Provider, c.LLM.BaseURL, c.LLM.Model, c.LLM.BatchTurns, c.LLM.Rest = "openai", s.URL+"/v1", "scripted", 2, 86_400
	})
	s.Say(twoTurns)
	tell(t, w, "c1", "Yesterday I moved to Oslo.")
	tell(t, w, "c1", "And I bought a kayak.") // which fills a call
	eventually(t, "the facts", func() bool { return tells(find(t, w, "kayak"), "Alice owns a kayak") })
	if n := len(s.Requests()); n != 1 {
		t.Errorf("%d calls", n)
	}
}
