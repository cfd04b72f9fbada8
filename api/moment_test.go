package api

import (
	"encoding/json"
	"testing"
	"time"
)

func TestMoment(t *testing.T) {
	for text, want := range map[string]struct{ first, last string }{
		`"2026-06-09"`:                {"2026-06-09T00:00:00Z", "2026-06-09T23:59:59Z"},
		`"2026-06-09T14:32:00Z"`:      {"2026-06-09T14:32:00Z", "2026-06-09T14:32:00Z"},
		`"2026-06-09T14:32:00+02:00"`: {"2026-06-09T14:32:00+02:00", "2026-06-09T14:32:00+02:00"},
		`"9 June"`:                    {},
		`"2026-06-31"`:                {},
		`""`:                          {},
		`20260609`:                    {},
	} {
		var m Moment
		if err := json.Unmarshal([]byte(text), &m); (err != nil) != (want.first == "") {
			t.Errorf("%s: %v", text, err)
		}
		if want.first == "" {
			continue
		}
		if f, l := m.First().Format(time.RFC3339), m.Last().Format(time.RFC3339); f != want.first || l != want.last {
			t.Errorf("%s: from %s to %s", text, f, l)
		}
		if back, err := json.Marshal(m); err != nil || string(back) != text {
			t.Errorf("%s became %s: %v", text, back, err)
		}
	}
}
