package mine

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/durable"
	"github.com/reverie-memory/reverie/forget"
	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/redact"
	"github.com/reverie-memory/reverie/vault"
)

// CopyDir holds, in a folder named by its id, what was copied of each mined folder that is copied. Each file is a document as it was
// read: without secrets, and without what was forgotten.
const CopyDir = vault.StateDir + "/mined"

// copyMark begins a copy. The rest of the line is its head, as JSON; the text follows.
const copyMark = "reverie-copy/1 "

// A head tells of a copy what its text does not.
type head struct {
	Size  int64     `json:"size"` // of the file that it was made of
	Mod   time.Time `json:"mod"`
	Cut   string    `json:"cut,omitempty"` // by which tombstones something is missing
	Title string    `json:"title,omitempty"`
	Form  form      `json:"form,omitempty"`
	Lines []int     `json:"lines,omitempty"`
	Why   string    `json:"why,omitempty"` // nothing of it is read
}

// encode is the copy of a document, of which h tells how its file looked.
func (d *document) encode(h head) ([]byte, error) {
	h.Title, h.Form, h.Lines = d.title, d.form, d.lines
	line, err := json.Marshal(h)
	return append(append([]byte(copyMark), line...), "\n"+d.body...), err
}

// copied reads a copy; ok is false for what is none.
func copied(data []byte) (d document, h head, ok bool) {
	line, body, _ := bytes.Cut(data, []byte("\n"))
	rest, ok := bytes.CutPrefix(line, []byte(copyMark))
	if !ok || json.Unmarshal(rest, &h) != nil {
		return d, head{}, false
	}
	if len(h.Lines) == 0 { // also of a file that only claims to be a copy
		h.Lines = nil
	}
	return document{body: strings.ToValidUTF8(string(body), "\uFFFD"), lines: h.Lines, title: h.Title, form: h.Form}, h, true
}

// folderOf is a folder as it is registered. Of one that is copied the index reads the copies.
func (r *Room) folderOf(s vault.Source) *Folder {
	f := &Folder{Source: s, limits: r.limits}
	if s.Copy {
		c := s
		c.Path = filepath.Join(r.o.Dir, filepath.FromSlash(CopyDir), s.ID)
		f.copy = &Folder{Source: c, limits: limits{max: math.MaxInt32}, bare: true}
	}
	return f
}

// tree is what the index reads.
func (f *Folder) tree() indexer.Tree {
	if f.copy != nil {
		return f.copy
	}
	return f
}

// goneFor is how long nothing more of a folder goes before the copies of what went do.
const goneFor = time.Second

// Copy makes the copies of a folder equal to its files, where it is copied. Files that look as they did when they were copied are not read.
// What cannot be reached or read keeps its copies; the error tells of the first file that cannot be read, and the others are copied all the
// same. Of files that are gone the copies go once nothing more goes, be it of what is ignored: a folder that is being taken away keeps
// them. Whoever calls it has the index follow. Copy may be called again, and after any end.
func (r *Room) Copy(ctx context.Context, f *Folder) error {
	f.copies.Lock()
	defer f.copies.Unlock()
	for gone, left := -1, 0; f.copy != nil; {
		seen := map[string]bool{}
		failed, err := r.copyFiles(ctx, f, seen)
		var away *indexer.UnreachableError
		if f.Unreachable() != "" || errors.As(err, &away) {
			return failed
		}
		var names []string
		if err == nil {
			err = f.copy.eachCopy(func(name string) error {
				if !seen[name] {
					names = append(names, name)
				}
				return nil
			})
		}
		if err != nil {
			return err
		}
		now := 0
		if len(names) > 0 {
			if now = remaining(ctx, f.Path); ctx.Err() != nil {
				return ctx.Err()
			}
		}
		if len(names) == 0 || len(names) == gone && now >= left {
			return errors.Join(failed, r.held(f, func() error {
				for _, name := range names {
					if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
						return err
					}
				}
				return nil
			}))
		}
		gone, left = len(names), now
		select {
		case <-time.After(goneFor):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// remaining counts what lies in a folder, ignored or not, as far as it can be read, and until ctx ends.
func remaining(ctx context.Context, dir string) (n int) {
	_ = filepath.WalkDir(dir, func(string, fs.DirEntry, error) error { n++; return ctx.Err() })
	return n
}

// held calls do while no copies are purged and no folders come or go, unless the folder was removed, or registered anew, meanwhile.
func (r *Room) held(f *Folder, do func() error) error {
	r.copying.Lock()
	defer r.copying.Unlock()
	if !slices.Contains(r.Folders(), f) {
		return nil
	}
	return do()
}

// copyFiles copies what is not copied yet, one file at a time, so that a purge need not wait for all. seen are the copies that stay.
func (r *Room) copyFiles(ctx context.Context, f *Folder, seen map[string]bool) (failed, err error) {
	stones := r.tombstones()
	_, err = f.Walk(ctx, func(p vault.Path, info vault.FileInfo) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return r.held(f, func() error {
			stones, err := stones()
			if err != nil || namesWhatIsHidden(f.rel(p), stones) {
				return err
			}
			to := f.copy.file(f.rel(p))
			if seen[to] = true; isCopyOf(to, info, stones.Version()) {
				return nil
			}
			d, why, err := r.document(ctx, f, p)
			if err != nil && ctx.Err() == nil {
				if _, gone := f.Stat(p); errors.Is(gone, fs.ErrNotExist) { // and not the program that reads PDFs
					seen[to] = false
					return nil
				}
				failed = cmp.Or(failed, fmt.Errorf("copy %s: %w", f.Real(p), err))
				return nil
			}
			if err != nil {
				return err
			}
			data, err := d.without(p, head{Size: info.Size, Mod: info.ModTime, Why: why}, stones)
			if err == nil {
				err = f.copy.makeRoom(to)
			}
			if err == nil {
				err = durable.MkdirAll(filepath.Dir(to), 0o700)
			}
			if err == nil {
				err = durable.WriteFile(to, data, 0o600)
			}
			if err != nil {
				return fmt.Errorf("copy %s: %w", f.Real(p), err)
			}
			return nil
		})
	})
	return failed, err
}

// tombstones gives those that there are at each call, and reads them again only where their files look otherwise.
func (r *Room) tombstones() func() (*vault.Tombstones, error) {
	var known *vault.Tombstones
	var looks [2]vault.FileInfo
	return func() (*vault.Tombstones, error) {
		var now [2]vault.FileInfo
		for i, p := range []vault.Path{vault.TombstonesPath, vault.TombstoneKey} {
			var err error
			if now[i], err = r.o.Vault.Stat(p); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
		}
		if known != nil && now == looks {
			return known, nil
		}
		stones, err := r.o.Vault.Tombstones()
		if err == nil {
			known, looks = stones, now
		}
		return stones, err
	}
}

// document reads a file of a folder as its rows do; why says what is worth knowing of one of which nothing is read.
func (r *Room) document(ctx context.Context, f *Folder, p vault.Path) (d document, why string, err error) {
	data, err := f.ReadFile(p)
	if err == nil && isPDF(string(p)) {
		data, err = r.pdfs.text(ctx, data)
	}
	if err != nil {
		return d, "", err
	}
	d, ok, why := read(f.rel(p), data)
	if ok {
		if d, ok = redacted(d); !ok {
			why = mostlySecrets
		}
	}
	return d, why, nil
}

// isCopyOf says whether a copy is of a file that looks so, and what is missing of it is still forgotten.
func isCopyOf(name string, info vault.FileInfo, stones string) bool {
	file, err := os.Open(name)
	if err != nil {
		return false
	}
	defer file.Close()
	line, err := bufio.NewReader(file).ReadBytes('\n')
	_, h, ok := copied(line)
	return err == nil && ok && h.Size == info.Size && h.Mod.Equal(info.ModTime) && (h.Cut == "" || h.Cut == stones)
}

// without is the copy of a document without what was forgotten: sentences, and pieces that are hidden as a whole. Its lines stay where they
// are.
func (d document) without(p vault.Path, h head, stones *vault.Tombstones) ([]byte, error) {
	if stones.Empty() {
		return d.encode(h)
	}
	whole := len(d.body) + len(d.title)
	d.body, d.title = stones.Cut(d.body), stones.Cut(d.title)
	data, err := d.encode(h)
	if err != nil {
		return nil, err
	}
	rows(p, data, indexer.Env{Visible: func(text string) string {
		shown := stones.Cut(text)
		if strings.TrimSpace(shown) == "" && strings.TrimSpace(text) != "" {
			d.body = strings.ReplaceAll(d.body, text, strings.Repeat("\n", strings.Count(text, "\n")))
		}
		return shown
	}})
	if len(d.body)+len(d.title) < whole {
		h.Cut = stones.Version()
	}
	return d.encode(h)
}

// namesWhatIsHidden says whether a file's name tells a secret, or what was forgotten: a copy would tell it again.
func namesWhatIsHidden(name string, stones *vault.Tombstones) bool {
	clean, _ := redact.Redact(name)
	return clean != name || slices.ContainsFunc(strings.Split(name, "/"), func(part string) bool {
		return stones.Cut(part) == "" || stones.Cut(strings.TrimSuffix(part, path.Ext(part))) == ""
	})
}

// file is where the copy of a file lies.
func (f *Folder) file(name string) string { return filepath.Join(f.Path, filepath.FromSlash(name)) }

// makeRoom takes the copies away that are where a copy goes: of a folder that is a file now, or of a file that is a folder.
func (f *Folder) makeRoom(to string) error {
	for dir := filepath.Dir(to); len(dir) > len(f.Path); dir = filepath.Dir(dir) {
		if info, err := os.Lstat(dir); err == nil && !info.IsDir() {
			return os.Remove(dir)
		}
	}
	if info, err := os.Lstat(to); err == nil && info.IsDir() {
		return os.RemoveAll(to)
	}
	return nil
}

// eachCopy calls fn with the files below a folder of copies, as the system names them.
func (f *Folder) eachCopy(fn func(name string) error) error {
	err := filepath.WalkDir(f.Path, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		return fn(name)
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// dropCopies takes the copies of a folder away, if there are any. The caller holds copying.
func (r *Room) dropCopies(f *Folder) error {
	if f.copy == nil {
		return nil
	}
	return os.RemoveAll(f.copy.Path)
}

// purge takes what is purged out of the copies, also of those whose folder is known no more, and has the list of folders read again.
func (r *Room) purge(_ context.Context, p *forget.Purge) error {
	if err := r.reload(); err != nil { // what the list of folders lost
		return err
	}
	r.copying.Lock()
	defer r.copying.Unlock()
	stones, err := r.o.Vault.Tombstones()
	if err != nil {
		return err
	}
	all := &Folder{Source: vault.Source{Path: filepath.Join(r.o.Dir, filepath.FromSlash(CopyDir))}}
	return all.eachCopy(func(name string) error {
		rel, err := filepath.Rel(all.Path, name)
		if err != nil {
			return err
		}
		at := vault.Path(Dir + "/" + filepath.ToSlash(rel))
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if p.Tells(filepath.ToSlash(rel)) {
			p.Changed = append(p.Changed, at)
			return os.Remove(name)
		}
		d, h, ok := copied(data)
		if !ok {
			return nil // which look names
		}
		whole := len(d.body)
		for _, text := range p.Texts {
			d.body = strings.ReplaceAll(d.body, text, strings.Repeat("\n", strings.Count(text, "\n")))
		}
		if len(d.body) < whole {
			h.Cut = stones.Version()
		}
		now, err := d.without(at, h, stones)
		if err != nil || bytes.Equal(now, data) {
			return err
		}
		p.Changed = append(p.Changed, at)
		return durable.WriteFile(name, now, 0o600)
	})
}
