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

// The zones, the folders in which dreams make pages, and those in Wiki, by their names.
const (
	Inbox      = "0_Inbox"
	Projects   = "1_Projects"
	Wiki       = "2_Wiki"
	Concepts   = Wiki + "/Concepts"
	Literature = Wiki + "/Literature"
	Syntheses  = Wiki + "/Syntheses"
	Entities   = Wiki + "/Entities"
	Personal   = "3_Personal"
	Assets     = "4_Assets"
	Archives   = "5_Archives"
)

// Zones are the zones.
func Zones() []string { return []string{Inbox, Projects, Wiki, Personal, Assets, Archives} }

// The names of pages that are no one's notes.
const (
	IndexPath     Path = "index.md"              // maps every page
	SchemaPath    Path = "schema.md"             // tells how the vault works
	ConflictsPath Path = Inbox + "/Conflicts.md" // questions for the person
)

// The core blocks, by their paths.
const (
	MemoryPath  Path = memoryDir + "MEMORY.md"
	PersonaPath Path = memoryDir + "persona.md"
	UserPath    Path = memoryDir + "user.md"
)

// CorePath is the path of the core block with that name, such as persona.
func CorePath(name string) Path { return Path(memoryDir + name + ".md") }

const memoryDir = "memory/"

// In says whether a path or name lies in one of the folders.
func (p Path) In(folders ...string) bool {
	return slices.ContainsFunc(folders, func(f string) bool { return strings.HasPrefix(string(p), f+"/") })
}

// IsPage says whether a file is one of the person's pages: Markdown outside the folders memory and .state, and none of the notebook's own.
func (l Layout) IsPage(p Path) bool {
	switch l.Name(p) {
	case IndexPath, JournalPath, SchemaPath:
		return false
	}
	return strings.EqualFold(path.Ext(string(p)), ".md") && !strings.HasPrefix(string(p), memoryDir) && !strings.HasPrefix(string(p), ".")
}

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
