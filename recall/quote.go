package recall

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/trust"
	"github.com/reverie-memory/reverie/vault"
)

// A list is rows as a context shows them, and their ids.
type list struct {
	text string
	ids  []string
}

// A quota is how many rows a list has at most, in how many characters, and how many of one row it quotes.
type quota struct{ rows, size, clip int }

// inOrder lists the rows that tell something new and are admitted.
func inOrder(rows []catalog.Row, q quota, said *told, admit func(*catalog.Row) bool) (l list) {
	var b strings.Builder
	for i := range rows {
		r := &rows[i]
		if len(l.ids) == q.rows || said.has(r) || admit != nil && !admit(r) {
			continue
		}
		line := "- " + head(r) + clip(oneLine(r.Text), q.clip) + "\n"
		if q.size -= width(line); q.size < 0 {
			break
		}
		b.WriteString(line)
		said.add(r)
		l.ids = append(l.ids, r.ID)
	}
	l.text = strings.TrimSpace(b.String())
	return l
}

const moreInSearch = "... (more in L3 search)"

// byRoom lists the first rows that tell something new and are admitted, under their rooms or pages in the order of the alphabet.
func byRoom(rows []catalog.Row, q quota, said *told, admit func(*catalog.Row) bool) (l list) {
	q.size -= width(moreInSearch)
	rooms, more := map[string][]string{}, ""
	for i := range rows {
		r := &rows[i]
		if said.has(r) || admit != nil && !admit(r) {
			continue
		}
		room := cmp.Or(place(r), onPage(r))
		line := "- " + bracketed(when(r), trust.Label(r.Origin)) + clip(oneLine(r.Text), q.clip) + "\n"
		if rooms[room] == nil && room != "" {
			line = "[" + room + "]\n" + line
		}
		if q.size -= width(line); q.size < 0 || len(l.ids) == q.rows {
			more = moreInSearch
			break
		}
		rooms[room] = append(rooms[room], line)
		said.add(r)
		l.ids = append(l.ids, r.ID)
	}
	var b strings.Builder
	for _, room := range slices.SortedFunc(maps.Keys(rooms), func(a, b string) int {
		return cmp.Or(cmp.Compare(strings.ToLower(a), strings.ToLower(b)), cmp.Compare(a, b))
	}) {
		b.WriteString(strings.Join(rooms[room], ""))
	}
	if l.text = strings.TrimSpace(b.String()); l.text != "" && more != "" {
		l.text += "\n" + more
	}
	return l
}

// head says when, by whom and where a row was said. What bears no origin are the person's own words.
func head(r *catalog.Row) string {
	file := onPage(r)
	if file != "" {
		file = cmp.Or(label(string(r.File), ""), file)
	}
	return bracketed(when(r), trust.Label(r.Origin), label(r.Speaker, r.Origin), place(r), file)
}

// bracketed puts what is known of a row before its text. The origin comes before all that others may have worded.
func bracketed(parts ...string) string {
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	if len(parts) == 0 {
		return ""
	}
	return "[" + strings.Join(parts, " · ") + "] "
}

func when(r *catalog.Row) string {
	if r.At.IsZero() {
		return ""
	}
	return r.At.UTC().Format("2006-01-02")
}

// label is metadata of a row on one line, without the brackets that it stands between; "" for what is no name. Pages have the names that
// the person gives them.
func label(s string, origin vault.Origin) string {
	if s = oneLine(s); trust.Bar(trust.Said{Text: s, Origin: origin}, trust.Beside) != "" {
		return ""
	}
	return rounded.Replace(s)
}

var rounded = strings.NewReplacer("[", "(", "]", ")")

func place(r *catalog.Row) string {
	wing, room := label(r.Wing, r.Origin), label(r.Room, r.Origin)
	if wing == "" || room == "" {
		return wing + room
	}
	return cmp.Or(label(wing+"/"+room, r.Origin), wing)
}

// onPage is the name of the page on which a row stands, "" for a row of a log or of a conversation.
func onPage(r *catalog.Row) string {
	if r.Source != catalog.Notebook && r.Source != catalog.CoreFile {
		return ""
	}
	return label(strings.TrimSuffix(path.Base(string(r.File)), path.Ext(string(r.File))), "")
}
