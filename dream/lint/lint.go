package lint

import (
	"context"

	"github.com/reverie-memory/reverie/vault"
)

// A Kind says what is wrong.
type Kind string

// The kinds of finding.
const (
	DeadLink      Kind = "dead_link"      // leads to no file, heading or block
	Orphan        Kind = "orphan"         // nothing leads to the page
	LostSource    Kind = "lost_source"    // the line of the daily log is gone
	Forgotten     Kind = "forgotten"      // says what was forgotten
	OldConflict   Kind = "old_conflict"   // waits for a person for too long
	DuplicateName Kind = "duplicate_name" // two pages have one title or alias
	Frontmatter   Kind = "frontmatter"    // cannot be read
)

// A Finding is one thing that is wrong.
type Finding struct {
	Kind Kind       `json:"kind"`
	Path vault.Path `json:"path"`
	Line int        `json:"line,omitempty"` // 1-based; 0 for the whole file
	Text string     `json:"text"`
	Hint string     `json:"hint,omitempty"`
}

// Vault is what a check reads.
type Vault interface {
	Dir() string // for the attachments; "": only Stat is asked
	Walk(ctx context.Context, fn func(vault.Path, vault.FileInfo) error) ([]vault.Problem, error)
	ReadFile(p vault.Path) ([]byte, error)
	Stat(p vault.Path) (vault.FileInfo, error)
	Tombstones() (*vault.Tombstones, error)
}

// Options change a check.
type Options struct {
	Today        vault.Day // "": conflicts have no age
	ConflictDays int       // 0: 30
}

// Check reads every page and tells what is wrong, sorted by path and line.
func Check(ctx context.Context, v Vault, o Options) ([]Finding, error) { return nil, nil }
