package vault

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// A Layout says where Reverie's own pages lie in a vault: the zones, index.md, log.md and schema.md stand in the folder Root, or at
// the vault's top where Root is "". The folders memory and .state are always at the top. Everywhere else in the program these
// files go by their names, their paths from Root.
type Layout struct{ Root Path }

// Zones are the folders in which dreams make pages.
func Zones() []string {
	return []string{"0_Inbox", "1_Projects", "2_Wiki", "3_Personal", "4_Assets", "5_Archives"}
}

// SchemaPath is the name of the page that tells how the vault works.
const SchemaPath Path = "schema.md"

// At is the path of the file or folder of that name.
func (l Layout) At(name Path) Path { return Path(path.Join(string(l.Root), string(name))) }

// Name is the name of what lies at the path, "" for what is not under the root.
func (l Layout) Name(p Path) Path {
	if l.Root == "" {
		return p
	}
	name, ok := strings.CutPrefix(string(p), string(l.Root)+"/")
	if !ok {
		return ""
	}
	return Path(name)
}

// InZone says whether the path is that of a page in a zone.
func (l Layout) InZone(p Path) bool {
	zone, rest, ok := strings.Cut(string(l.Name(p)), "/")
	if !ok || rest == "" || !slices.Contains(Zones(), zone) || !strings.EqualFold(path.Ext(rest), ".md") {
		return false
	}
	clean, err := ParsePath(string(p))
	return err == nil && clean == p && !strings.Contains(string(p), "/.")
}

// IsJournal says whether the path is one at which the journal may stand.
func (l Layout) IsJournal(p Path) bool { return p == l.At(JournalPath) || p == InnerJournalPath }

// rootFile holds the root of the vault's layout, so that every program that opens the vault agrees about it.
const rootFile = StateDir + "/notebook-root"

// ReadLayout reads the layout of a vault. read is [Vault.ReadFile], or reads from the vault's folder as it does.
func ReadLayout(read func(Path) ([]byte, error)) (Layout, error) {
	data, err := read(rootFile)
	if errors.Is(err, fs.ErrNotExist) {
		return Layout{}, nil
	}
	if err != nil {
		return Layout{}, err
	}
	return ParseLayout(strings.TrimSpace(string(data)))
}

// ParseLayout takes the root as a person writes it: a folder inside the vault, "" or "." for the vault's top.
func ParseLayout(root string) (Layout, error) {
	if root == "" || root == "." {
		return Layout{}, nil
	}
	p, err := ParsePath(strings.TrimSuffix(root, "/"))
	if err != nil {
		return Layout{}, err
	}
	first, _, _ := strings.Cut(string(p), "/")
	if strings.HasPrefix(string(p), ".") || strings.Contains(string(p), "/.") || strings.EqualFold(first, "memory") ||
		strings.ContainsAny(string(p), "[]|#^\r\n") {
		return Layout{}, fmt.Errorf("%q cannot be the folder of the notebook: take one that is not hidden, not in memory, and that a "+
			"link can name", root)
	}
	return Layout{Root: p}, nil
}
