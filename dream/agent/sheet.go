package agent

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/dream"
	"github.com/reverie-memory/reverie/extract"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/vault"
)

// Bounds are the most that a Caller is given at a time.
type Bounds struct {
	Facts int
	Chars int // of facts and pages together
}

// A Sheet is facts to propose for, with the pages that they seem to belong to.
type Sheet struct {
	Facts []SheetFact
	Pages []SheetPage
	Left  int // facts on later sheets
	First bool
}

// SheetFact is a fact with the page where it seems to belong.
type SheetFact struct {
	vault.Fact
	Page vault.Path
}

// SheetPage is a page as it will be when all that was taken so far is done.
type SheetPage struct {
	Path  vault.Path
	Title string
	Hash  string // "" for a page that has to be created
	Text  string // fenced; where it is cut, what has to do with the facts is there
}

const (
	perFact   = 140   // what a fact costs besides its text, in characters
	pageShare = 1_500 // for each page at least
)

func factCost(f vault.Fact) int { return perFact + extract.EscapedLen(f.Text) }

// pick chooses the facts of the next sheet, page by page. A fact that takes too much of a sheet, and one whose page only the rules
// may write, are left to the rules.
func (c *Caller) pick(ctx context.Context, r *run, groups []dream.Group) (ids []string) {
	left := c.bounds.Chars
	for _, g := range groups {
		if _, err := pagePath(string(g.Page)); err != nil {
			continue
		}
		head := perFact
		if d, err := r.page(ctx, g.Page); err == nil {
			head += min(pageShare, extract.EscapedLen(d.show()))
		}
		for _, f := range g.Facts {
			if !c.fits(r, f) || slices.Contains(ids, f.ID) {
				continue
			}
			cost := head + factCost(f)
			if len(ids) >= c.bounds.Facts || len(ids) > 0 && cost > left {
				return ids
			}
			ids, left, head = append(ids, f.ID), left-cost, 0
		}
	}
	return ids
}

// fits says whether a fact is for a sheet that was not given yet.
func (c *Caller) fits(r *run, f vault.Fact) bool {
	return f.ID != "" && !c.given[f.ID] && !r.done[f.ID] && factCost(f) <= c.bounds.Chars/4
}

// sheet shows the facts of the batch that are still open, and their pages within the room that is left.
func (c *Caller) sheet(ctx context.Context, r *run, groups []dream.Group) Sheet {
	s := Sheet{First: c.calls == 0}
	var pages []string // as they read
	room := c.bounds.Chars
	about := map[vault.Path][]string{}
	for _, g := range groups {
		if _, err := pagePath(string(g.Page)); err != nil {
			continue
		}
		for _, f := range g.Facts {
			if c.fits(r, f) {
				s.Left++
			}
			if !slices.Contains(c.batch, f.ID) || r.done[f.ID] {
				continue
			}
			s.Facts = append(s.Facts, SheetFact{f, g.Page})
			room -= factCost(f)
			if about[g.Page] == nil {
				p, text := SheetPage{Path: g.Page, Title: g.Title}, ""
				if d, err := r.page(ctx, g.Page); err == nil {
					text, p.Hash = d.show(), fmt.Sprintf("%.8x", vault.HashOf(d.data))
				}
				s.Pages, pages, room = append(s.Pages, p), append(pages, text), room-perFact
			}
			about[g.Page] = append(about[g.Page], f.Text)
		}
	}
	c.show(&s, pages, about, room)
	return s
}

// show puts the pages' texts into the sheet. The short ones are shown whole, so that the long ones share what is left.
func (c *Caller) show(s *Sheet, pages []string, about map[vault.Path][]string, room int) {
	order := make([]int, len(pages))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(len(pages[a]), len(pages[b])) })
	for n, i := range order {
		if pages[i] == "" {
			continue
		}
		text := excerpt(pages[i], about[s.Pages[i].Path], room/(len(order)-n))
		room -= utf8.RuneCountInString(text)
		s.Pages[i].Text = extract.Fence(text)
	}
}

// excerpt is a page in at most n characters or so: of one that is longer the lines that have most to do with the facts, below their
// headings. A word of the facts counts for more the fewer lines have it: everything on a page names whom it is about. "…" stands for what
// is left out.
func excerpt(text string, about []string, n int) string {
	if extract.EscapedLen(text) <= n {
		return text
	}
	lines := strings.Split(text, "\n")
	where := map[string][]int{} // the lines that have a word of the facts
	for _, t := range lexis.Terms(strings.Join(about, "\n")) {
		where[t] = []int{}
	}
	for i, l := range lines {
		for _, t := range lexis.Terms(l) {
			if at, asked := where[t]; asked && (len(at) == 0 || at[len(at)-1] != i) {
				where[t] = append(at, i)
			}
		}
	}
	score, order := make([]float64, len(lines)), make([]int, len(lines))
	for _, t := range slices.Sorted(maps.Keys(where)) { // sums in one order: the same page is cut the same way
		for _, i := range where[t] {
			score[i] += 1 / float64(len(where[t]))
		}
	}
	for i, l := range lines {
		order[i] = i
		if i == 0 || strings.HasPrefix(l, "#") || strings.HasPrefix(l, "Open conflict") {
			score[i] = math.Inf(1)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(score[b], score[a]) })
	const gap = 2 // "…" and its line break, before every line at worst
	keep := make([]bool, len(lines))
	for _, i := range order {
		if cost := extract.EscapedLen(lines[i]) + 1 + gap; cost <= n {
			keep[i], n = true, n-cost
		}
	}
	var out []string
	for i, l := range lines {
		switch {
		case keep[i]:
			out = append(out, l)
		case len(out) > 0 && out[len(out)-1] != "…":
			out = append(out, "…")
		}
	}
	return strings.Join(out, "\n")
}
