package dream

import (
	"bytes"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/forget"
	"github.com/reverie-memory/reverie/vault"
)

// Kinds are the kinds of records that dreams write: pages, and what runs keep.
func (r *Runner) Kinds() []forget.Kind {
	return []forget.Kind{
		{
			Name: "page",
			Owns: func(file string) bool {
				return !strings.HasPrefix(file, ".") && path.Ext(file) == ".md" && !vault.IsDaily(vault.Path(file))
			},
			Rests: r.rests, Sweep: r.sweep, Purge: r.purgePages,
		},
		{Name: "run", Owns: forget.Files(vault.StateDir + "/dream*"), Purge: r.Purge, Restore: r.reviveFiled},
	}
}

// rests are the facts that the statement on a line rests on.
func (r *Runner) rests(file vault.Path, line int) (out []page.Source, err error) {
	data, err := r.o.Vault.ReadFile(file)
	if err != nil {
		return nil, forget.UnlessGone(err)
	}
	for _, st := range page.Parse(file, data).Statements() {
		if st.Line == line {
			out = append(out, st.Sources...)
		}
	}
	return out, nil
}

// sweep leaves it to the run under way, where there is one.
func (r *Runner) sweep(ctx context.Context) ([]vault.Path, error) {
	if _, running := r.Running(); running {
		return nil, nil
	}
	return r.Unmention(ctx)
}

func (r *Runner) purgePages(ctx context.Context, p *forget.Purge) error {
	if err := r.learn(ctx, p); err != nil {
		return err
	}
	changed, err := r.Unmention(ctx)
	if p.Changed = append(p.Changed, changed...); err != nil {
		return err
	}
	return p.CutLines()
}

// learn reads in what words pages tell the facts, and which rows do.
func (r *Runner) learn(ctx context.Context, p *forget.Purge) error {
	_, err := r.o.Vault.Walk(ctx, func(name vault.Path, _ vault.FileInfo) error {
		if vault.IsDaily(name) {
			return nil
		}
		data, err := r.o.Vault.ReadFile(name)
		if err != nil || !slices.ContainsFunc(p.Facts, func(f page.Source) bool { return bytes.Contains(data, []byte("#^"+f.ID)) }) {
			return forget.UnlessGone(err)
		}
		lines := map[int]bool{}
		for _, t := range page.Parse(name, data).Tellings() {
			text, src := t.Told()
			if slices.ContainsFunc(src, func(s page.Source) bool { return slices.Contains(p.Facts, s) }) {
				p.Texts, lines[t.Line] = append(p.Texts, text), true
			}
		}
		p.RowsOn(name, data, lines)
		return nil
	})
	return err
}

// reviveFiled makes facts pending again that had been filed on pages.
func (r *Runner) reviveFiled(ctx context.Context, back *forget.Restoring) error {
	known, err := r.o.Vault.Accounted()
	if err != nil {
		return err
	}
	pending := map[page.Source]bool{}
	for _, t := range back.Targets {
		if t.Fact == nil {
			continue
		}
		if _, filed := known.FindOn(t.Fact.Day, t.ID); filed {
			pending[page.Source{Day: t.Fact.Day, ID: t.ID}] = true
		}
	}
	if len(pending) == 0 {
		return nil
	}
	return r.Revive(ctx, pending)
}
