package operations_test

import (
	"net/http"
	"testing"

	"github.com/reverie-memory/reverie/operations"
)

func TestSpecs(t *testing.T) {
	seen := map[string]bool{}
	for _, o := range operations.All {
		s := o.About()
		if s.Name == "" || s.Summary == "" || seen[s.Name] || seen[s.Method+s.Path] {
			t.Errorf("%+v", s)
		}
		seen[s.Name], seen[s.Method+s.Path] = true, true
		if s.Method == http.MethodGet && !s.ReadOnly || s.ReadOnly && (s.Destructive || s.Idempotent) {
			t.Errorf("%s: what a GET asks changes nothing, and what changes nothing takes nothing away: %+v", s.Name, s)
		}
	}
}
