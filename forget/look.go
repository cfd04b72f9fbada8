package forget

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/vault"
)

// look looks for what was purged in every file of the vault and the data folder, whatever it is, and lists where it is left.
func (p *Purge) look(ctx context.Context) ([]Found, error) {
	needles, err := p.needles(ctx)
	if err != nil {
		return nil, err
	}
	out := append([]Found{}, p.Left...)
	s := newScanner(needles)
	for _, dir := range []struct{ path, prefix string }{{p.room.o.Dir, ""}, {p.room.o.Data, Data}} {
		err := filepath.WalkDir(dir.path, func(name string, d fs.DirEntry, err error) error {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil || !d.Type().IsRegular() {
				return UnlessGone(err)
			}
			rel, err := filepath.Rel(dir.path, name)
			if err != nil {
				return err
			}
			rel = dir.prefix + filepath.ToSlash(rel)
			texts, err := s.file(ctx, name)
			for _, text := range texts {
				out = append(out, Found{SourceFile: rel, Text: text})
			}
			if UnlessGone(err) != nil && !p.room.silent(rel) {
				out = append(out, Found{SourceFile: rel, Text: "not looked through: " + err.Error()})
			}
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("looking for what is left of it: %w", err)
		}
	}
	for _, k := range p.room.o.Kinds {
		if k.Look == nil || s.most == 0 {
			continue
		}
		unseen, err := k.Look(ctx, func(file, text string, lineAt func(int) int) {
			s.data(lower([]byte(text)), func(of needle, at int) {
				f := Found{SourceFile: fmt.Sprintf("%s:%d", file, lineAt(at)), Text: of.text}
				if !slices.Contains(out, f) {
					out = append(out, f)
				}
			})
		})
		if err != nil {
			return nil, fmt.Errorf("looking for what is left of it in every %s: %w", k.Name, err)
		}
		out = append(out, unseen...)
	}
	return out, nil
}

// UnlessGone is an error, but for that a file is not there.
func UnlessGone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// silent says whether a file is of a kind that tells nothing of anybody.
func (r *Room) silent(file string) bool {
	return slices.ContainsFunc(r.o.Kinds, func(k Kind) bool { return k.Purge == nil && k.Owns != nil && k.Owns(file) })
}

// needles are the texts that say enough to be looked for, the words of the query that nothing else holds, and the ids of
// conversations, turns and messages that are gone altogether.
func (p *Purge) needles(ctx context.Context) ([]needle, error) {
	var out []needle
	for _, t := range p.Texts {
		if !distinct(t) {
			continue
		}
		if len(t) <= maxNeedle {
			out = append(out, needle{t, false})
			continue
		}
		for _, s := range lexis.Sentences(t) {
			if part := t[s.Start:s.End]; len(part) >= minPart {
				out = append(out, needle{strings.ToValidUTF8(part[:min(len(part), maxNeedle)], ""), false})
			}
		}
	}
	all := lexis.Terms(p.request.Query)
	between := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	for _, word := range strings.FieldsFunc(norm.NFC.String(p.request.Query), between) { // as it is spelt: lexis drops accents
		terms := lexis.Terms(word)
		if len(terms) == 0 {
			continue
		}
		used, err := p.room.o.Uses(ctx, terms)
		if err != nil {
			return nil, err
		}
		if !used || len(all) == 1 { // whatever tells the only word of a query was meant
			out = append(out, needle{word, true})
		}
	}
	names, err := p.names(ctx)
	return append(out, names...), err
}

// names are the ids of conversations, turns and messages that no record has any more.
func (p *Purge) names(ctx context.Context) ([]needle, error) {
	gone := map[string]bool{p.request.ChatID: true}
	for _, t := range p.Targets {
		switch {
		case t.Fact != nil:
			gone[t.Fact.Section.ChatID], gone[t.Fact.Section.Turn], gone[t.Fact.Section.Ref] = true, true, true
		case t.Drawer != nil:
			gone[t.Drawer.ChatID], gone[t.Drawer.Turn], gone[t.Drawer.Ref] = true, true, true
		}
	}
	maps.DeleteFunc(gone, func(name string, _ bool) bool { return len(name) < minName })
	look := func(_ vault.Path, data []byte) error {
		maps.DeleteFunc(gone, func(name string, _ bool) bool { return bytes.Contains(data, []byte(name)) })
		return nil
	}
	err := errors.Join(p.room.o.Vault.EachDay(ctx, vault.DrawerDir, look), p.room.o.Vault.EachDay(ctx, vault.ArchiveDir, look))
	return slice.Map(slices.Sorted(maps.Keys(gone)), func(name string) needle { return needle{name, true} }), err
}
