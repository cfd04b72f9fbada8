package navigate

import (
	"iter"

	"github.com/reverie-memory/reverie/vault"
)

// The limits of MEMORY.md.
const (
	MemoryLines = 200
	MemoryBytes = 25000
)

// EmptyMemory is MEMORY.md where nothing is known: the file of the template.
const EmptyMemory = `# Memory

%% The short page that an assistant always sees. Nothing is known yet: it is filled by the first dream. %%
`

// A Question is an open conflict.
type Question struct {
	Page    string   // title of the page
	Text    string   // "When is Noor's birthday?"
	Options []string // "4 March", "14 March"
}

// MemoryInput is what MEMORY.md is made from. The order of pages and questions makes no difference.
type MemoryInput struct {
	Pages    iter.Seq[PageInfo]
	Open     []Question
	Owner    string    // name of the vault's owner; "": the person of 3_Personal with the most statements
	Today    vault.Day // for the weight of dates
	MaxLines int       // 0: MemoryLines
}

// Memory writes MEMORY.md.
func Memory(in MemoryInput) []byte { return nil }

// MergeMemory brings MEMORY.md together with a person's edits, within the limits: ours gives way. generated is the base of the
// next time. Only where the person's own text is longer than the limits is merged longer too.
func MergeMemory(base, theirs []byte, in MemoryInput) (merged, generated []byte, clashes []Clash) {
	return nil, nil, nil
}
