package workspace_test

import (
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/api"
)

// Who wants to dream of what was said today is told that it waits, and not that nothing is there.
func TestAStepTellsOfTodaysFacts(t *testing.T) {
	w := open(t, nil)
	for _, want := range []string{"no facts wait", "until the day ends (UTC): 1"} {
		got, err := w.DreamStep(t.Context(), api.DreamStep{Step: api.StepNext})
		if err != nil || got.Run != "" || !strings.Contains(got.Hint, want) {
			t.Errorf("%+v, %v; want %q", got, err, want)
		}
		if _, err := w.WriteFacts(t.Context(), api.Facts{Wait: "indexed", Facts: []api.NewFact{{Content: "Alice likes tea"}}}); err != nil {
			t.Fatal(err)
		}
	}
}
