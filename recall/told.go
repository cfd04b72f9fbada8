package recall

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/lexis"
)

// A told knows what an answer has told already: by the facts that lines rest on, by drawers, and by words.
type told struct {
	ids   map[string]bool // of rows, of facts that they rest on, and of drawers
	lines int
	in    map[string][]int // the lines that have a term
}

func newTold() *told { return &told{ids: map[string]bool{}, in: map[string][]int{}} }

// has says whether a row tells nothing that is not told already: a line has all of its terms. One term that no line has may be the value
// that holds now. A message is told where a fact out of it is.
func (t *told) has(r *catalog.Row) bool {
	if t.ids[r.ID] || slices.ContainsFunc(r.Cites, func(id string) bool { return t.ids[id] }) || !fromLog(r) && t.ids[r.Drawer] {
		return true
	}
	terms := termsTold(r.Text)
	count := map[int]int{}
	for _, term := range terms {
		for _, line := range t.in[term] {
			if count[line]++; count[line] == len(terms) {
				return true
			}
		}
	}
	return false
}

// add notes that a row is told.
func (t *told) add(r *catalog.Row) {
	t.ids[r.ID] = true
	if r.Drawer != "" {
		t.ids[r.Drawer] = true
	}
	for _, id := range r.Cites {
		t.ids[id] = true
	}
	t.say(r.Text)
}

// block is a link to a line of a log, as statements end with.
var block = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`#\^([A-Za-z0-9-]+)`) })

// addPage notes that the lines of a page are told.
func (t *told) addPage(text string) {
	for line := range strings.Lines(text) {
		for _, m := range block().FindAllStringSubmatch(line, -1) {
			t.ids[m[1]] = true
		}
		t.say(line)
	}
}

func (t *told) say(text string) {
	t.lines++
	for _, term := range termsTold(text) {
		t.in[term] = append(t.in[term], t.lines)
	}
}

var denials = sync.OnceValue(func() map[string]bool {
	return lexis.Set("not no never none without nicht kein keine keinen nie niemals ohne pas jamais sans nunca sin")
})

// termsTold are the terms of a text, each once, and whether it denies something: "no tea" is not told by "tea".
func termsTold(text string) []string {
	denied := ""
	if slices.ContainsFunc(lexis.Words(text), func(w string) bool { return denials()[w] }) {
		denied = "\x00"
	}
	terms := lexis.Terms(text)
	for i := range terms {
		terms[i] += denied
	}
	slices.Sort(terms)
	return slices.Compact(terms)
}
