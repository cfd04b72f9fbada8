package forget

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/reverie-memory/reverie/vault"
)

// Sources are the records of imports and mined folders. Their paths and names may tell what is purged: those go, the record stays. The
// path of a mined folder stays as well, and is told as what is left: it is a name on the person's disk, and the folder is mined until they
// end it.
func Sources(v *vault.Vault) Kind {
	return Kind{
		Name: "source",
		Owns: Files(vault.StateDir + "/" + vault.SourcesFile),
		Purge: func(_ context.Context, p *Purge) error {
			_, err := v.EditState(vault.SourcesFile, func(raw []byte) []byte { return withoutTelling(raw, p.Tells) })
			return err
		},
	}
}

// withoutTelling is a JSON object without those of its texts that tell something.
func withoutTelling(raw []byte, tells func(string) bool) []byte {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		return raw
	}
	keep := []string{"id", "kind"}
	if string(fields["kind"]) == strconv.Quote(vault.SourceMine) {
		keep = append(keep, "path")
	}
	cut := false
	for name, value := range fields {
		var text string
		if !slices.Contains(keep, name) && json.Unmarshal(value, &text) == nil && tells(text) {
			delete(fields, name)
			cut = true
		}
	}
	if !cut {
		return raw
	}
	out, err := json.Marshal(fields)
	if err != nil {
		return raw
	}
	return out
}
