package importer

import (
	"encoding/json"
	"errors"
	"iter"

	"github.com/reverie-memory/reverie/api"
)

// Reverie reads what `reverie export` writes: drawers and facts become the same drawers and facts. What else is there is told of by none of
// them, and is left out.
type Reverie struct{}

// Name implements [Importer].
func (Reverie) Name() string { return "Reverie" }

// Reads implements [Importer].
func (Reverie) Reads(_ string, head []byte) bool { return hasKeys(head, "reverie_export", "version") }

// Read implements [Importer].
func (Reverie) Read(f File) iter.Seq2[Message, error] {
	return func(yield func(Message, error) bool) {
		for it, err := range lines(f) {
			var r api.ExportRecord
			if err == nil {
				if err = json.Unmarshal(it.raw, &r); err == nil && r.Version > api.ExportVersion {
					err = errors.New("a newer version of Reverie wrote it")
				}
				if err != nil {
					err = it.place(f, err)
				}
			}
			m := Message{}
			switch {
			case err != nil:
			case r.Drawer != nil:
				m.ImportMessage = *r.Drawer
			case r.Fact != nil:
				m.ChatID, m.Facts = r.Fact.ChatID, []api.ImportFact{*r.Fact}
			default:
				continue
			}
			if !yield(m, err) {
				return
			}
		}
	}
}
