package recall

import (
	"testing"

	"github.com/reverie-memory/reverie/indexer/catalog"
)

// What differs in one value is told by itself, however long it is; the same words in another order are not.
func TestAnotherValueIsNotTold(t *testing.T) {
	said := newTold()
	said.add(&catalog.Row{ID: "a", Text: "The weekly planning meeting of the harbour team takes place in room Pine on Thursdays"})
	for text, want := range map[string]bool{
		"The weekly planning meeting of the harbour team takes place in room Birch on Thursdays": false,
		"The weekly planning meeting of the harbour team takes place in room Pine with Noor":     false,
		"On Thursdays the weekly planning meeting of the harbour team takes place in room Pine":  true,
		"the harbour team meeting in room Pine":                                                  true,
	} {
		if got := said.has(&catalog.Row{ID: "b", Text: text}); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
