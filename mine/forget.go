package mine

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"sort"

	"github.com/reverie-memory/reverie/forget"
	"github.com/reverie-memory/reverie/vault"
)

// Kind is the mined files as a kind of record. Tombstones hide what they tell, and their bytes are the person's: a purge says where they
// are left. Of copies it takes them.
func (r *Room) Kind() forget.Kind {
	return forget.Kind{
		Name: "mined file", Owns: forget.Files(forget.Data+Unread, CopyDir+"/*"), Look: r.look, Purge: r.purge,
	}
}

// look reads the files as their rows do, so that a PDF is looked through as well. What cannot be reached may hold anything.
func (r *Room) look(ctx context.Context, see func(file, text string, lineAt func(int) int)) (unseen []forget.Found, err error) {
	for _, f := range r.Folders() {
		missed := func(file string, err error) {
			unseen = append(unseen, forget.Found{SourceFile: file, Text: "not looked through: " + err.Error()})
		}
		_, err := f.Walk(ctx, func(p vault.Path, _ vault.FileInfo) error {
			if err := ctx.Err(); err != nil {
				return err
			}
			data, err := f.ReadFile(p)
			if err == nil && isPDF(string(p)) {
				data, err = r.pdfs.text(ctx, data)
			}
			if err != nil {
				missed(f.Real(p), err)
				return nil
			}
			if d, ok, _ := read(f.rel(p), data); ok {
				names := f.rel(p) + "\n" + d.title + "\n"
				at := d.lineAt()
				see(f.Real(p), names+d.body, func(offset int) int { return at(max(0, offset-len(names))) })
			}
			return nil
		})
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if _, gone := os.Stat(f.Path); err != nil && (f.copy == nil || !errors.Is(gone, fs.ErrNotExist)) {
			missed(f.Path, err)
		}
	}
	return unseen, nil
}

// lineAt gives the line of an offset of the body.
func (d *document) lineAt() func(offset int) int {
	var starts []int // of the lines but the first; made when asked for
	return func(offset int) int {
		if starts == nil {
			for i, c := range []byte(d.body) {
				if c == '\n' {
					starts = append(starts, i+1)
				}
			}
		}
		return d.line(sort.SearchInts(starts, offset+1))
	}
}
