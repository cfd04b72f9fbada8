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

	"github.com/reverie-memory/reverie/dream"
	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/dream/route"
	"github.com/reverie-memory/reverie/vault"
)

// zones are the folders of the wiki. Nothing else of a vault is shown or written.
var zones = vault.Zones()

// lists are the pages that only we and their owner write.
var lists = []string{"0_inbox/conflicts.md", "0_inbox/unfiled.md", "0_inbox/skipped.md"}

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

func isList(p vault.Path) bool { return slices.Contains(lists, strings.ToLower(string(p))) }

// confined lets nothing pass that is outside the zones, whatever the wiki behind it would do. Its errors are for the model: they
// hold no path of the machine.
type confined struct{ wiki dream.Wiki }

func (c confined) list(ctx context.Context, zone string) ([]vault.Path, error) {
	zone = strings.TrimSuffix(zone, "/")
	if !slices.Contains(zones, zone) {
		return nil, fmt.Errorf("there is no zone of that name, only %s", strings.Join(zones, ", "))
	}
	all, err := c.wiki.ListPages(ctx, zone)
	if err != nil {
		return nil, errors.New("the zone cannot be listed")
	}
	return slices.DeleteFunc(slices.Clone(all), func(p vault.Path) bool {
		_, err := pagePath(string(p))
		return err != nil || !strings.HasPrefix(string(p), zone+"/")
	}), nil
}

func (c confined) read(ctx context.Context, s string) ([]byte, vault.Path, error) {
	p, err := pagePath(s)
	if err != nil {
		return nil, "", err
	}
	data, err := c.wiki.ReadPage(ctx, p)
	if err != nil {
		return nil, p, errors.New("there is no such page")
	}
	return data, p, nil
}

func (c confined) search(ctx context.Context, query string) ([]string, error) {
	found, err := c.wiki.Search(ctx, query, 8)
	if err != nil {
		return nil, errors.New("the search failed")
	}
	return found, nil
}

// A doc is a page as the run sees it.
type doc struct {
	path vault.Path
	data []byte
	doc  *page.Doc
}

// page reads a page, once until an op of it is taken.
func (r *run) page(ctx context.Context, p vault.Path) (doc, error) {
	if d, ok := r.docs[string(p)]; ok {
		return d, nil
	}
	data, p, err := r.wiki.read(ctx, string(p))
	if err != nil {
		return doc{}, err
	}
	d := doc{p, data, page.Parse(p, data)}
	r.docs[string(p)] = d
	return d, nil
}

// show is the page with the ids of its statements in place of their sources: "- {id} text (2026-06-09)".
func (d doc) show() string {
	lines := strings.Split(strings.ReplaceAll(string(d.data), "\r\n", "\n"), "\n")
	for _, s := range d.doc.Statements() {
		if s.Line < 1 || s.Line > len(lines) {
			continue
		}
		old := lines[s.Line-1]
		lead := old[:len(old)-len(strings.TrimLeft(old, " \t>"))]
		box := map[bool]string{true: "[x] ", false: "[ ] "}[s.Done]
		if !s.Task {
			box = ""
		}
		lines[s.Line-1] = fmt.Sprintf("%s- {%s} %s%s%s", lead, s.ID, box, s.Text, days(s.Sources))
	}
	out := "Page " + string(d.path) + "\n" + strings.Join(lines, "\n")
	for _, c := range d.doc.Conflicts() {
		out += fmt.Sprintf("\nOpen conflict {%s}: %s", c.ID, c.Question)
	}
	return out
}

func days(sources []page.Source) string {
	var out []string
	for _, s := range sources {
		if d := string(s.Day); !slices.Contains(out, d) {
			out = append(out, d)
		}
	}
	if len(out) == 0 {
		return ""
	}
	return " (" + strings.Join(out, ", ") + ")"
}
