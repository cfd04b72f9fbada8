package op_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/op"
)

type part struct {
	Text string     `json:"text" minLength:"1"`
	At   *time.Time `json:"at,omitempty"`
	Own  string     `json:"own" mcp:"-"`
}

type asked struct {
	K     int    `json:"k,omitempty" minimum:"1" maximum:"9"`
	Part  *part  `json:"part,omitempty" doc:"One of them."`
	Parts []part `json:"parts" minItems:"1"`
	Trace bool   `json:"trace,omitempty" mcp:"-"`
}

var ask = &op.Op[asked, api.Nothing]{Spec: op.Spec{Name: "ask", Method: "POST", Path: "/ask"}}

func TestInputSchema(t *testing.T) {
	got, err := json.Marshal(ask.InputSchema())
	if err != nil {
		t.Fatal(err)
	}
	part := `"properties":{"at":{"type":"string","format":"date-time"},"text":{"type":"string","minLength":1}},` +
		`"additionalProperties":false,"required":["text"]`
	want := `{"type":"object","properties":{"k":{"type":"integer","minimum":1,"maximum":9},` +
		`"part":{"type":"object","description":"One of them.",` + part + `},` +
		`"parts":{"type":"array","items":{"type":"object",` + part + `},"minItems":1}},` +
		`"additionalProperties":false,"required":["parts"]}`
	if !sameJSON(t, got, []byte(want)) {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// What tools don't offer, programs may still send.
func TestCheckTakesWhatToolsDoNotOffer(t *testing.T) {
	if err := ask.Check([]byte(`{"parts":[{"text":"x","own":"y"}],"trace":true}`)); err != nil {
		t.Error(err)
	}
	if err := ask.Check([]byte(`{"parts":[{"text":"x","own":"y"}],"k":10}`)); api.CodeOf(err) != api.Invalid {
		t.Errorf("k of 10: %v", err)
	}
}

func sameJSON(t *testing.T, a, b []byte) bool {
	t.Helper()
	var x, y any
	if err := json.Unmarshal(a, &x); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &y); err != nil {
		t.Fatal(err)
	}
	p, _ := json.Marshal(x)
	q, _ := json.Marshal(y)
	return string(p) == string(q)
}

func TestToolName(t *testing.T) {
	for want, s := range map[string]op.Spec{"dream_undo": {Name: "dreamUndo"}, "fetch": {Name: "row", Tool: "fetch"}} {
		if got := s.ToolName(); got != want {
			t.Errorf("%+v is the tool %s, want %s", s, got, want)
		}
	}
}
