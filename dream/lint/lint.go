package lint

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/vault"
)

// A Kind says what is wrong.
type Kind string

// The kinds of finding.
const (
	DeadLink      Kind = "dead_link"      // leads to no file, heading or block
	Orphan        Kind = "orphan"         // nothing leads to the page
	LostSource    Kind = "lost_source"    // the line of the daily log is gone
	ChangedSource Kind = "changed_source" // the line of the daily log reads otherwise than when it was filed
	Forgotten     Kind = "forgotten"      // says what was forgotten
	OldConflict   Kind = "old_conflict"   // waits for a person for too long
	DuplicateName Kind = "duplicate_name" // two pages have one title or alias
	Frontmatter   Kind = "frontmatter"    // cannot be read
	Unreadable    Kind = "unreadable"     // the file cannot be read, and was not checked
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
	Layout() vault.Layout
	Dir() string // where to look for attachments; "": only Stat is asked
	Walk(ctx context.Context, fn func(vault.Path, vault.FileInfo) error) ([]vault.Problem, error)
	ReadFile(p vault.Path) ([]byte, error)
	Stat(p vault.Path) (vault.FileInfo, error)
	Tombstones() (*vault.Tombstones, error)
	Accounted() (*vault.Accounts, error)
}

// conflictDays is how long a conflict may wait for a person.
const conflictDays = 30

// Check reads every page and tells what is wrong, sorted by path and line. Check holds the names of the files and the links to
// headings and blocks, and one file at a time: what is linked to is read a second time where a link asks for a part of it.
// The daily logs, drawers and diaries are not checked, only what the pages want of them. Where today is "", conflicts have no age.
func Check(ctx context.Context, v Vault, today vault.Day) ([]Finding, error) {
	stones, err := v.Tombstones()
	if err != nil {
		return nil, fmt.Errorf("reading what was forgotten: %w", err)
	}
	known, err := v.Accounted()
	if err != nil {
		return nil, fmt.Errorf("reading the ledgers: %w", err)
	}
	c := &checker{
		vault: v, today: today, stones: stones, known: known, files: files{vault: v},
		called: map[string]vault.Path{}, days: map[vault.Day]vault.Day{},
	}
	if _, err := v.Walk(ctx, func(p vault.Path, _ vault.FileInfo) error {
		c.files.paths = append(c.files.paths, p)
		return nil
	}); err != nil {
		return nil, fmt.Errorf("listing the pages: %w", err)
	}
	c.files.index()
	for i, p := range c.files.paths {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if checked(p) {
			c.page(i, p)
		}
		last := i == len(c.files.paths)-1
		if last || len(c.cites) >= held {
			if err := c.sources(ctx); err != nil { // can want parts
				return nil, err
			}
		}
		if last || len(c.wanted) >= held {
			if err := c.parts(ctx); err != nil {
				return nil, err
			}
		}
	}
	c.orphans()
	slices.SortStableFunc(c.found, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Text, b.Text))
	})
	return slices.Compact(c.found), nil
}

// checked leaves out what is verbatim (the daily logs, the drawers and the diaries) and templates, whose links and titles are
// those of the pages to come.
func checked(p vault.Path) bool {
	return !p.In(vault.ArchiveDir, vault.DrawerDir, vault.DiaryDir) && !template(p)
}

// template says whether a page lies in a folder of templates, such as Templates or Page Templates.
func template(p vault.Path) bool {
	dirs := strings.Split(strings.ToLower(string(p)), "/")
	return slices.ContainsFunc(dirs[:len(dirs)-1], func(dir string) bool {
		words := strings.Fields(dir)
		return len(words) > 0 && (words[len(words)-1] == "templates" || dir == "template")
	})
}

// wiki tells of pages that should be linked to and have a name of their own: not the files of the vault itself, not the inbox.
func wiki(l vault.Layout, p vault.Path) bool {
	name := l.Name(p)
	return checked(p) && l.IsPage(p) && name != "README.md" && !name.In(vault.Inbox)
}

type checker struct {
	vault  Vault
	today  vault.Day
	stones *vault.Tombstones
	known  *vault.Accounts
	files  files
	called map[string]vault.Path // the first page of each name
	days   map[vault.Day]vault.Day
	cites  []cite
	said   []said
	wanted []want // parts of files that links lead to
	found  []Finding
}

func (c *checker) add(k Kind, p vault.Path, line int, text, hint string) {
	c.found = append(c.found, Finding{Kind: k, Path: p, Line: line, Text: text, Hint: hint})
}

// read gives a file's bytes. One that is gone since is none of ours to tell of.
func (c *checker) read(p vault.Path) ([]byte, bool) {
	data, err := c.vault.ReadFile(p)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			c.add(Unreadable, p, 0, err.Error(), "")
		}
		return nil, false
	}
	return data, true
}

func (c *checker) orphans() {
	for i, p := range c.files.paths {
		if wiki(c.vault.Layout(), p) && !c.files.linked[i] {
			c.add(Orphan, p, 0, "nothing links to this page", "link to it from a page or from index.md, or delete it")
		}
	}
}
