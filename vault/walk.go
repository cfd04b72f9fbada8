package vault

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/cases"
)

// Walk calls fn with each Markdown file of the vault, sorted by path. Folders and files that start with a dot, conflict
// copies of folder syncs and links are left out. What a person should know of is reported: links that leave the vault or lead
// nowhere, names that differ in case alone, names that no other program can be told, conflict copies.
func (v *Vault) Walk(ctx context.Context, fn func(Path, FileInfo) error) ([]Problem, error) {
	w := walker{vault: v}
	if err := w.folder(ctx, "."); err != nil {
		return w.problems, failed("walking over", Path(w.at), err)
	}
	slices.SortFunc(w.files, func(a, b walked) int { return cmp.Compare(a.path, b.path) })
	w.twins()
	for _, f := range w.files {
		if err := ctx.Err(); err != nil {
			return w.problems, err
		}
		if err := fn(f.path, f.info); err != nil {
			return w.problems, err
		}
	}
	return w.problems, nil
}

// conflictCopy matches the names that sync programs give to a second version of a file: Syncthing, Dropbox, Nextcloud, ownCloud,
// Synology Drive, pCloud.
var conflictCopy = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\.sync-conflict-|conflicted copy|\(case conflict|[_ -]conflict-?\d{6}|_conflict\.md$|\[conflicted`)
})

// IsConflictCopy says whether a file of this name (without folders) was left by a sync program beside the file that it could not
// merge. A conflict copy is no page: read, it would say everything twice.
func IsConflictCopy(name string) bool { return conflictCopy().MatchString(name) }

// ConflictCopy is the problem of a file whose name is a conflict copy's.
func ConflictCopy(p Path) Problem {
	return Problem{
		Path: p, Reason: "a conflict copy of a folder sync: not read", Hint: "move what is missing into the file beside it, then delete this one",
	}
}

type walked struct {
	path Path
	info FileInfo
}

type walker struct {
	vault    *Vault
	at       string
	files    []walked
	problems []Problem
}

func (w *walker) report(name, reason, hint string) {
	w.problems = append(w.problems, Problem{Path: Path(name), Reason: reason, Hint: hint})
}

func (w *walker) folder(ctx context.Context, dir string) error {
	w.at = dir
	if err := ctx.Err(); err != nil {
		return err
	}
	entries, err := w.vault.disk.readDir(dir)
	if err != nil {
		if dir == "." {
			return err
		}
		if !errors.Is(err, fs.ErrNotExist) {
			w.report(dir, "the folder cannot be read: "+err.Error(), "check its permissions")
		}
		return nil
	}
	for _, e := range entries {
		if err := w.entry(ctx, path.Join(dir, e.Name()), e); err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) entry(ctx context.Context, name string, e fs.DirEntry) error {
	markdown := strings.EqualFold(path.Ext(name), ".md")
	switch {
	case strings.HasPrefix(e.Name(), "."):
		return nil
	case e.Type()&fs.ModeSymlink != 0:
		w.link(name)
		return nil
	case e.IsDir():
		return w.folder(ctx, name)
	case !e.Type().IsRegular() || !markdown:
		return nil
	case IsConflictCopy(e.Name()):
		w.problems = append(w.problems, ConflictCopy(Path(name)))
		return nil
	}
	p, err := ParsePath(name)
	if err != nil || string(p) != name {
		w.report(name, "the name holds a character that is not portable: not read", "rename the file")
		return nil
	}
	fi, err := e.Info()
	if errors.Is(err, fs.ErrNotExist) {
		return nil // gone meanwhile
	}
	if err != nil {
		w.report(name, "cannot be looked at: "+err.Error(), "")
		return nil
	}
	w.files = append(w.files, walked{p, FileInfo{fi.Size(), fi.ModTime(), changed(fi)}})
	return nil
}

// link reports a link that does not stay inside. What one inside points to is found at its own place.
func (w *walker) link(name string) {
	_, err := w.vault.disk.stat(name)
	switch {
	case err == nil:
	case errors.Is(err, fs.ErrNotExist):
		w.report(name, "a link that leads nowhere", "")
	default:
		w.report(name, "a link that leaves the vault: not followed", "put the files themselves into the vault")
	}
}

// twins reports files whose names differ in case alone: on other systems they are one.
func (w *walker) twins() {
	fold := cases.Fold()
	seen := make(map[string]Path, len(w.files))
	for _, f := range w.files {
		key := fold.String(string(f.path))
		if first, ok := seen[key]; ok {
			w.report(string(f.path), "its name differs only in case from "+string(first), "rename one: on Windows and macOS they cannot both exist")
			continue
		}
		seen[key] = f.path
	}
}
