package drawers

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

func TestParseEventIsStrict(t *testing.T) {
	const head = `"at":"2026-06-09T14:32:00Z","drawer":"d3k9x2m1qa"`
	for line, want := range map[string]string{
		`{"kind":"move",` + head + `,"day":"2026-06-09","wing":"home"}`:                             "",
		`{"kind":"move",` + head + `,"day":"2026-06-09","room":""}`:                                 "",
		`{"kind":"note",` + head + `,"type":"task","importance":0,"tier":"llm"}`:                    "",
		`{"kind":"cluster",` + head + `}`:                                                           "",
		`{"kind":"archive",` + head + `,"day":"2026-06-09","reason":"faded"}`:                       "",
		`{"kind":"restore",` + head + `}`:                                                           "day",
		`{"kind":"burn",` + head + `}`:                                                              "allowed are move",
		`{"kind":"note","drawer":"d3k9x2m1qa"}`:                                                     "no time",
		`{"kind":"note","at":"2026-06-09T14:32:00Z"}`:                                               "no id",
		`{"kind":"note","at":"2026-06-09T14:32:00Z","drawer":"a b"}`:                                "no id",
		`{"kind":"superseded",` + head + `,"into":"d3k9x2m1qa"}`:                                    "itself",
		`{"kind":"move",` + head + `,"wing":"home"}`:                                                "day",
		`{"kind":"move",` + head + `,"day":"2026-06-09"}`:                                           "nowhere",
		`{"kind":"move",` + head + `,"day":"2026-06-09","wing":"` + strings.Repeat("w", 201) + `"}`: "200 characters",
		`{"kind":"note",` + head + `,"type":"poem"}`:                                                "allowed are decision",
		`{"kind":"note",` + head + `,"state":"merged"}`:                                             "allowed are raw, processed",
		`{"kind":"note",` + head + `,"importance":5.1}`:                                             "0 to 5",
		`{"kind":"note",` + head + `,"entities":-1}`:                                                "entities",
		`{"kind":"reinforce",` + head + `,"by":-0.5}`:                                               "0 to 5",
		`{"kind":"archive",` + head + `,"day":"2026-06-09"}`:                                        "reason",
		`{"kind":"archive",` + head + `,"day":"2026-06-09","reason":"a\u0000b"}`:                    "reason",
		`{"kind":"note",` + head + `,"text":"what was said"}`:                                       "unknown field",
		`{"kind":"note",` + head + `}{}`:                                                            "more than one",
		`[]`:                                                                                        "cannot unmarshal",
	} {
		_, err := ParseEvent([]byte(line))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", line, err, want)
		}
	}
}

func FuzzParseEvent(f *testing.F) {
	f.Add([]byte(`{"kind":"note","at":"2026-06-09T14:32:00Z","drawer":"d3k9x2m1qa","importance":2.5,"entities":3}`))
	f.Add([]byte(`{"kind":"move","at":"2026-06-09T14:32:00Z","drawer":"d1","day":"2026-06-09","wing":"","hall":"h"}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		e, err := ParseEvent(line)
		if err != nil {
			return
		}
		out, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := ParseEvent(out); err != nil || !again.At.Equal(e.At) || again.Drawer != e.Drawer {
			t.Errorf("%s became %s: %v", line, out, err)
		}
		Fold(nil, append(out, '\n')).Of(e.Drawer).Importance(DefaultDecay, e.At.Add(time.Hour), e.At, time.Time{})
	})
}
