package dream_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/dream"
)

// However many values an attribute has had, one of them stands.
func TestManyValues(t *testing.T) {
	w := newWorld(t, "2026-06-10 03:00")
	day := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, -120)
	n := 0
	tell := func(values int) {
		for range values {
			w.tell(day.Format(time.DateOnly), "Alice", "a", fmt.Sprintf("[health] Alice's weight is %d kg", 300-n))
			day, n = day.AddDate(0, 0, 1), n+1
		}
		for w.run().Status == dream.Consolidated {
		}
	}
	for _, values := range []int{60, 1, 1} {
		tell(values)
	}
	said := w.said()
	for what, section := range said {
		if last := fmt.Sprintf("is %d kg", 300-n+1); strings.Contains(what, "weight") && (section == "History") == strings.Contains(what, last) {
			t.Errorf("%s: %s", section, what)
		}
	}
	if len(said) != n {
		t.Errorf("%d statements of %d values", len(said), n)
	}
}
