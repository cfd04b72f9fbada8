package palace

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/reverie-memory/reverie/forget"
	"github.com/reverie-memory/reverie/project"
	"github.com/reverie-memory/reverie/vault"
)

// isolatedFile, in the vault's state, keeps which wings are isolated, so that they stay it without their projects' folders. The last line
// of a wing counts.
const isolatedFile = "isolated.jsonl"

type isolatedLine struct {
	Wing     string `json:"wing"`
	Isolated bool   `json:"isolated"`
}

// Isolated lists the isolated wings, sorted.
func Isolated(v *vault.Vault) (project.Isolation, error) {
	names := map[string]bool{}
	err := vault.Records[isolatedLine]{Name: isolatedFile}.Each(v, func(l isolatedLine) {
		if names[l.Wing] = true; !l.Isolated || l.Wing == "" {
			delete(names, l.Wing)
		}
	})
	if err != nil {
		return nil, fmt.Errorf("read which projects are isolated: %w", err)
	}
	return slices.Sorted(maps.Keys(names)), nil
}

// Isolate has a wing keep to itself, or ends that. Isolate returns after that is safe on disk; doing it twice is doing it once.
func Isolate(ctx context.Context, v *vault.Vault, wing string, isolated bool) error {
	names, err := Isolated(v)
	if err != nil || slices.Contains(names, wing) == isolated {
		return err
	}
	if err := v.AppendState(ctx, isolatedFile, isolatedLine{wing, isolated}); err != nil {
		return fmt.Errorf("note that %s is isolated: %w", wing, err)
	}
	return nil
}

// ProjectKind is what is noted of projects as a kind of record. ProjectKind tells of no memory.
func ProjectKind() forget.Kind {
	return forget.Kind{Name: "note of a project", Owns: forget.Files(vault.StateDir+"/"+isolatedFile, vault.StateDir+"/"+foldersFile)}
}
