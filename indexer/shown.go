package indexer

import (
	"strings"
	"unicode"

	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/markdown"
	"github.com/reverie-memory/reverie/vault"
)

// What of a page was forgotten is decided here, for its rows and for whoever reads the page: by blocks, and in a block by lines.

// lines is what may be shown of a block's text. Besides what goes of any text, each line goes that was forgotten by itself, however short:
// an edit of another line of a table or of code must not bring it back.
func (e Env) lines(text string) string {
	text = e.visible(text)
	if !strings.Contains(text, "\n") {
		return text
	}
	all, cut := strings.Split(text, "\n"), false
	for i, line := range all {
		if shown := e.visible(line); shown != line && strings.TrimSpace(line) != "" {
			all[i], cut = shown, true
		}
	}
	says := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	if text = strings.Join(all, "\n"); cut && !strings.ContainsFunc(text, says) {
		return ""
	}
	return text
}

// shown is what the rows of a block's text show together, in as many lines, or "".
func (e Env) shown(text string) string {
	text = e.lines(text)
	var kept []lexis.Piece
	chunks := lexis.Chunk(text, chunkSize, chunkOverlap)
	for _, c := range chunks {
		if e.lines(c.Text) == c.Text {
			kept = append(kept, c)
		}
	}
	if len(kept) == len(chunks) {
		return text
	}
	if len(kept) == 0 {
		return ""
	}
	var out strings.Builder
	at := 0
	for _, c := range append(kept, lexis.Piece{Start: len(text), End: len(text)}) {
		if c.Start > at {
			out.WriteString(strings.Repeat("\n", strings.Count(text[at:c.Start], "\n")))
			at = c.Start
		}
		out.WriteString(text[at:max(at, c.End)])
		at = max(at, c.End)
	}
	return out.String()
}

// ShownBody is the body of a page with what search shows of it, and nothing else: a line goes with all that it tells, and of a paragraph of
// which only a part was forgotten the rest stands as a reader sees it. Comments stay. Of a page that is longer than what is searched the
// end is missing.
func ShownBody(body []byte, visible func(string) string) []byte {
	body = body[:cutPoint(body, maxPage)]
	raw := strings.SplitAfter(string(body), "\n")
	bare := strings.SplitAfter(string(markdown.BlankComments(body)), "\n")
	s := shownLines{
		env: Env{Visible: visible}, raw: bare, told: make([]string, len(raw)), known: make([]bool, len(raw)), frame: map[int]bool{},
	}
	pieces(body, func(p *piece) bool {
		s.piece(p)
		return true
	})
	var out strings.Builder
	for i, line := range raw {
		told, framed := s.frame[i]
		switch {
		case s.known[i] && s.told[i] == bare[i], !s.known[i] && (framed && told || !framed && s.env.visible(bare[i]) == bare[i]),
			strings.TrimSpace(bare[i]) == "":
			out.WriteString(line)
			continue
		case s.known[i]:
			out.WriteString(s.told[i])
		case !framed:
			out.WriteString(s.env.visible(bare[i]))
		}
		out.WriteString(commentsOf(line, bare[i]))
	}
	return []byte(out.String())
}

// commentsOf are the comments of a line, which may go on in the next; bare is the line with spaces in their place.
func commentsOf(line, bare string) string {
	from := 0
	for from < len(line) && line[from] == bare[from] {
		from++
	}
	to := len(line)
	for to > from && line[to-1] == bare[to-1] {
		to--
	}
	if from == to {
		return ""
	}
	return line[from:to] + "\n"
}

// shownLines tells of each line of a body what is shown of it.
type shownLines struct {
	env   Env
	raw   []string     // the lines without comments
	told  []string     // what is shown of lines that pieces tell of
	known []bool       // that they tell of them
	frame map[int]bool // lines around them, such as fences: whether anything between them is shown
}

func (s *shownLines) piece(p *piece) {
	text := s.env.shown(p.Text)
	lines, was := strings.Split(text, "\n"), strings.Split(p.Text, "\n")
	for i := p.first; i <= p.last; i++ {
		s.frame[i] = s.frame[i] || text != ""
	}
	switch {
	case text == p.Text:
		for i := p.first; i <= p.last && p.rows == nil; i++ {
			s.tell(i, s.raw[i])
		}
		for _, i := range p.rows {
			s.tell(i, s.raw[i])
		}
	case len(p.rows) == len(was) && len(lines) == len(was):
		for n, i := range p.rows {
			switch lines[n] {
			case was[n]:
				s.tell(i, s.raw[i])
			case "":
				s.tell(i, "")
			default:
				s.tell(i, lines[n]+"\n")
			}
		}
	default:
		for i := p.first; i <= p.last && p.rows == nil; i++ {
			s.tell(i, "")
		}
		for _, i := range p.rows {
			s.tell(i, "")
		}
		if text != "" {
			marks := s.raw[p.first][:min(p.from, len(s.raw[p.first]))] // of a heading, a quotation or an item
			text = strings.ReplaceAll(strings.TrimSpace(text), "\n", " ")
			if strings.HasSuffix(marks, "] ") && (strings.HasPrefix(text, "[ ] ") || strings.HasPrefix(text, "[x] ")) {
				text = text[len("[ ] "):] // the box is among the marks
			}
			s.told[p.first] = marks + text + "\n"
		}
	}
}

// tell notes what is shown of a line. The head of a long table is told of by each of its pieces, and shown where one shows it.
func (s *shownLines) tell(line int, text string) {
	if !s.known[line] || s.told[line] == "" {
		s.told[line], s.known[line] = text, true
	}
}

// lineNumbers gives the lines of the file of each line of a row, counted from 1, where the row is of code or a table, by the row's first
// line and its text.
func lineNumbers(p vault.Path, data []byte, visible func(string) string) func(line int, text string) []int {
	type key struct {
		line int
		text string
	}
	of := map[key][]int{}
	b := newPageBuilder(p, data, Env{Visible: visible}, Row{})
	env := b.env
	pieces(b.page.Body[:cutPoint(b.page.Body, maxPage)], func(p *piece) bool {
		text, line, at := env.lines(p.Text), b.page.BodyLine+p.line-1, 0
		if len(p.rows) == 0 || len(p.rows) != strings.Count(text, "\n")+1 {
			return true
		}
		for _, c := range lexis.Chunk(text, chunkSize, chunkOverlap) {
			line += strings.Count(text[at:c.Start], "\n")
			at = c.Start
			from := strings.Count(text[:c.Start], "\n")
			rows := slice.Map(p.rows[from:from+strings.Count(c.Text, "\n")+1], func(i int) int { return b.page.BodyLine + i })
			of[key{line, env.lines(c.Text)}] = rows
		}
		return true
	})
	return func(line int, text string) []int { return of[key{line, text}] }
}
