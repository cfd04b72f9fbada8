package workspace_test

import (
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/llm/llmtest"
	"github.com/reverie-memory/reverie/operations"
)

// withModel makes a workspace whose facts a scripted model takes out, over real HTTP.
func withModel(t *testing.T, daily int) (operations.Memory, *llmtest.Server) {
	t.Helper()
	s := llmtest.New(t)
	w := open(t, func(c *config.Config) {
		c.LLM.Provider, c.LLM.BaseURL, c.LLM.Model, c.LLM.DailyTokenBudget = "openai", s.URL+"/v1", "scripted", daily
	})
	return w, s
}

const moved = `{"facts":[{"message":1,"category":"milestone","text":"Alice moved to Oslo on 8 June ` +
	`2026","tags":["home"],"entities":["Oslo"],"quote":"moved to Oslo","about":"2026-06-08"}]}`

func TestModelTakesTheFacts(t *testing.T) {
	w, s := withModel(t, 100_000)
	s.Say(moved)
	r := say(t, w, "c1", "Yesterday I moved to Oslo, my key is AKIA"+"IOSFODNN7SAMPLES.")
	if len(r.Facts) != 1 || r.Facts[0].Content != "Alice moved to Oslo on 8 June 2026" || len(r.Degraded) > 0 {
		t.Errorf("result %+v", r)
	}
	for _, q := range s.Requests() {
		if strings.Contains(q.Prompt, "AKIA") {
			t.Error("a secret reached the model")
		}
	}
	u, err := w.Usage(t.Context())
	if err != nil || u.Today == 0 || len(u.Days) != 1 || u.Days[0].Purpose != "extract" || u.Days[0].Calls != 1 {
		t.Errorf("usage %+v: %v", u, err)
	}
}

func TestModelThatLiesFallsBackToRules(t *testing.T) {
	for name, reply := range map[string]string{
		"garbage":            "I would rather not.",
		"a quote of its own": strings.Replace(moved, "moved to Oslo\"", "moved to Rome\"", 1),
		"a message too many": strings.Replace(moved, `"message":1`, `"message":7`, 1),
	} {
		t.Run(name, func(t *testing.T) {
			w, s := withModel(t, 100_000)
			s.Say(reply, reply, reply, reply)
			r := say(t, w, "c1", "I moved to Oslo.")
			for _, f := range r.Facts {
				if strings.Contains(f.Content, "8 June") {
					t.Errorf("an unproven fact was taken: %+v", f)
				}
			}
			if !tells(find(t, w, "Oslo"), "Oslo") {
				t.Error("the message itself is not found")
			}
		})
	}
}

func TestBudgetFailsClosed(t *testing.T) {
	w, s := withModel(t, 1)
	r := say(t, w, "c1", "I moved to Oslo.")
	if n := len(s.Requests()); n > 0 {
		t.Errorf("the model was asked %d times beyond its budget", n)
	}
	if len(r.Facts) != 1 || len(r.Degraded) == 0 {
		t.Errorf("result %+v, want the rules' fact and a reason", r)
	}
	st, err := w.Status(t.Context())
	if err != nil || len(st.Degraded) == 0 {
		t.Errorf("status %+v: %v", st.Degraded, err)
	}
}
