package forget

import (
	"testing"
	"testing/synctest"

	"github.com/reverie-memory/reverie/vault"
)

func TestWhileEdited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, c := range []struct{ fails, tries int }{{0, 1}, {3, 4}, {100, edits + 1}} {
			n := 0
			err := whileEdited(t.Context(), func() error {
				if n++; n <= c.fails {
					return vault.ErrChanged
				}
				return nil
			})
			if n != c.tries || (err != nil) != (c.fails > edits) {
				t.Errorf("%d tries after %d failures: %v", n, c.fails, err)
			}
		}
	})
}
