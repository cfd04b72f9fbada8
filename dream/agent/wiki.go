package agent

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/dream/navigate"
	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/dream/route"
	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/vault"
)

// zones are the folders of the wiki. Nothing else of a vault is shown or written.
var zones = vault.Zones()

var errOutside = errors.New("outside the wiki: only pages (.md) in " +
	strings.Join(zones, ", ") + " can be used, by their path from the vault's top")

// pagePath takes a path only as we would write it ourselves: what has to be cleaned first is refused.
func pagePath(s string) (vault.Path, error) {
	p, err := vault.ParsePath(s)
	zone, rest, _ := strings.Cut(string(p), "/")
	if err != nil || string(p) != s || !utf8.ValidString(s) || len(s) > 400 || strings.ContainsRune(s, '\\') ||
		strings.ContainsFunc(s, unicode.IsControl) || !slices.Contains(zones, zone) || !strings.EqualFold(path.Ext(rest), ".md") {
		return "", errOutside
	}
	for part := range strings.SplitSeq(s, "/") {
		if strings.HasPrefix(part, ".") || part == "" {
			return "", errOutside
		}
	}
	return p, nil
}

// newPagePath takes a path for a page that does not exist yet: its name must be good on every system.
func newPagePath(s string) (vault.Path, error) {
	p, err := pagePath(s)
	if err != nil || path.Ext(s) != ".md" {
		return "", errOutside
	}
	for part := range strings.SplitSeq(strings.TrimSuffix(s, ".md"), "/") {
		if strings.ContainsAny(part, `<>:"|?*#^[]%`) || strings.TrimSpace(part) != part || strings.HasSuffix(part, ".") || len(part) > 120 {
			return "", fmt.Errorf("%q is no good name for a file", part)
		}
	}
	dir, name := path.Split(strings.TrimSuffix(s, ".md"))
	if new(route.Directory).Free(dir, name) != p { // a device of Windows, or what links to logs and lists go by
		return "", fmt.Errorf("%q is no good name for a page", name)
	}
	return p, nil
}

func isList(p vault.Path) bool {
	for list := range navigate.Lists {
		if strings.EqualFold(string(list), string(p)) {
			return true
		}
	}
	return false
}

// What follows lets nothing pass that is outside the zones, whatever the wiki behind it would do. The errors are for the model: they hold
// no path of the machine.

// list names the pages of a zone.
func (r *run) list(ctx context.Context, zone string) (string, error) {
	zone = strings.TrimSuffix(zone, "/")
	if !slices.Contains(zones, zone) {
		return "", fmt.Errorf("there is no zone of that name, only %s", strings.Join(zones, ", "))
	}
	all, err := r.wiki.ListPages(ctx, zone)
	if err != nil {
		return "", errors.New("the zone cannot be listed")
	}
	var out strings.Builder
	for _, p := range all {
		if _, err := pagePath(string(p)); err == nil && strings.HasPrefix(string(p), zone+"/") {
			out.WriteString(string(p) + "\n")
		}
	}
	return out.String(), nil
}

// show gives a page with the ids of its statements.
func (r *run) show(ctx context.Context, path string) (string, error) {
	d, err := r.page(ctx, vault.Path(path))
	if err != nil {
		return "", err
	}
	return d.show(), nil
}

// search gives what the memory has on a question.
func (r *run) search(ctx context.Context, query string) (string, error) {
	found, err := r.wiki.Search(ctx, clip(query, 300), 8)
	if err != nil {
		return "", errors.New("the search failed")
	}
	lines := make([]string, len(found))
	for i, f := range found {
		lines[i] = fmt.Sprintf("%d. %s", i+1, clip(strings.TrimSpace(f), 1_000))
	}
	return strings.Join(lines, "\n"), nil
}

// A doc is a page as the run sees it.
type doc struct {
	data    []byte
	doc     *page.Doc
	visible func(text string) string
}

// page reads a page, once until an op of it is taken.
func (r *run) page(ctx context.Context, p vault.Path) (doc, error) {
	if d, ok := r.docs[p]; ok {
		return d, nil
	}
	p, err := pagePath(string(p))
	if err != nil {
		return doc{}, err
	}
	data, err := r.wiki.ReadPage(ctx, p)
	if err != nil {
		return doc{}, errors.New("there is no such page")
	}
	d := doc{data, page.Parse(p, data), r.wiki.Visible}
	r.docs[p] = d
	return d, nil
}

// show is the page with the ids of its statements in place of their sources: "- {id} text (2026-06-09)". What was forgotten and a person
// keeps on the page is left out.
func (d doc) show() string {
	raw := strings.Split(strings.ReplaceAll(string(d.data), "\r\n", "\n"), "\n")
	lines := slice.Map(raw, d.visible)
	for _, s := range d.doc.Statements() {
		if d.visible(s.Text) != s.Text {
			lines[s.Line-1] = ""
			continue
		}
		old, box, days := raw[s.Line-1], "", []string(nil)
		switch {
		case s.Done:
			box = "[x] "
		case s.Task:
			box = "[ ] "
		}
		for _, src := range s.Sources {
			if !slices.Contains(days, string(src.Day)) {
				days = append(days, string(src.Day))
			}
		}
		lead := old[:len(old)-len(strings.TrimLeft(old, " \t>"))]
		lines[s.Line-1] = fmt.Sprintf("%s- {%s} %s%s", lead, s.ID, box, s.Text)
		if len(days) > 0 {
			lines[s.Line-1] += " (" + strings.Join(days, ", ") + ")"
		}
	}
	out := "Page " + string(d.doc.Path()) + "\n" + strings.Join(lines, "\n")
	for _, c := range d.doc.Conflicts() {
		out += fmt.Sprintf("\nOpen conflict {%s}: %s", c.ID, c.Question)
	}
	return out
}
