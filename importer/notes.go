package importer

import (
	"bytes"
	"cmp"
	"io"
	"path"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/internal/slice"
)

// maxNote is how many bytes a note has at most.
const maxNote = 4 << 20

// note reads a file that is one note.
func note(f File) (string, error) {
	data, err := io.ReadAll(io.LimitReader(f.Reader, maxNote+1))
	switch {
	case err != nil:
		return "", &PlaceError{File: f.Name, Err: err}
	case len(data) > maxNote:
		return "", &PlaceError{File: f.Name, Err: errLongNote}
	}
	return strings.ReplaceAll(strings.TrimPrefix(string(data), "\ufeff"), "\r\n", "\n"), nil
}

// invalid is the line of the first byte that is no UTF-8; 0 where all are.
func invalid(text string) int {
	for n, rest := 1, text; rest != ""; n++ {
		line, after, _ := strings.Cut(rest, "\n")
		if !utf8.ValidString(line) {
			return n
		}
		rest = after
	}
	return 0
}

// BasicMemory reads notes of basic-memory: Markdown with front matter, observations (- [category] text #tag) and relations
// (- works on [[Page]]).
var BasicMemory = Importer{
	Name: "basic-memory",
	Reads: func(name string, head []byte) bool {
		front, body, ok := bytes.Cut(bytes.TrimPrefix(bytes.TrimPrefix(head, []byte("\ufeff")), []byte("---")), []byte("\n---"))
		return strings.HasSuffix(name, ".md") && ok && (bytes.Contains(front, []byte("\npermalink:")) ||
			bytes.Contains(front, []byte("\ntitle:")) && ownNote.Match(body))
	},
	Read: func(f File, yield func(Message, error) bool) {
		text, err := note(f)
		if err != nil {
			yield(Message{}, err)
			return
		}
		if line := invalid(text); line > 0 && !yield(Message{}, item{line: line}.place(f, errNoUTF8)) {
			return
		}
		front, body, _ := strings.Cut(strings.TrimPrefix(text, "---\n"), "\n---")
		said := map[string]string{}
		for _, m := range frontLine.FindAllStringSubmatch(front, -1) {
			said[m[1]] = m[2]
		}
		title := cmp.Or(said["title"], strings.TrimSuffix(path.Base(f.Name), ".md"))
		when := cmp.Or(timestamp(said["created"]), timestamp(said["date"]), at(f.Mod))
		body = strings.TrimSpace(strings.TrimPrefix(body, "\n"))
		m := noted("basic-memory", cmp.Or(said["permalink"], f.Name), derived(body), body, when)
		m.Title = title
		for row := range strings.Lines(body) {
			row = strings.TrimRight(row, "\n")
			if o := observation.FindStringSubmatch(row); o != nil {
				tags := slice.Map(hashTag.FindAllStringSubmatch(o[2], -1), func(t []string) string { return t[1] })
				m.fact(o[1], strings.TrimSpace(hashTag.ReplaceAllString(o[2], "")), tags)
			} else if r := relationRow.FindStringSubmatch(row); r != nil {
				t := api.ImportTriple{Subject: title, Predicate: r[1], Object: r[2]}
				m.fact("", relation(t), nil)
				m.Triples = append(m.Triples, t)
			}
		}
		if body != "" {
			yield(m, nil)
		}
	},
}

var (
	frontLine = regexp.MustCompile(`(?m)^(title|permalink|created|date): *['"]?([^'"\n]*?)['"]? *$`)
	// ownNote is in a note without a permalink that is one all the same.
	ownNote     = regexp.MustCompile(`(?m)^(?:\s*[-*] \[[^\[\]()]{2,50}\] +\S|## (?:Observations|Relations)\r?$)`)
	observation = regexp.MustCompile(`^\s*[-*] \[([^\[\]()]{2,50})\] +(\S.*)$`)
	relationRow = regexp.MustCompile(`^\s*[-*] ([^\[\]]{1,80}?) *\[\[([^\[\]]+)\]\]`)
	hashTag     = regexp.MustCompile(`(?:^|\s)#([\pL\pN_/-]+)`)
)

// MemPalace reads the Markdown that MemPalace exports: a folder for each wing with a file for each room, whose drawers are quoted under
// their ids.
var MemPalace = Importer{
	Name: "MemPalace",
	Reads: func(name string, head []byte) bool {
		first, _, _ := bytes.Cut(head, []byte("\n"))
		return strings.HasSuffix(name, ".md") && palaceRoom.Match(bytes.TrimRight(first, "\r")) &&
			bytes.Contains(head, []byte("| Field | Value |"))
	},
	Read: func(f File, yield func(Message, error) bool) {
		var wing, room string
		var m *Message
		var quoted []string
		var began item
		done := func() bool {
			if m == nil {
				return true
			}
			f.reach(began)
			m.Content = strings.Join(quoted, "\n")
			ok := strings.TrimSpace(m.Content) == "" || yield(*m, nil)
			m, quoted = nil, nil
			return ok
		}
		for it, err := range lines(f) {
			row := string(it.raw)
			if err != nil {
				if !yield(Message{}, err) {
					return
				}
				continue
			}
			if top := palaceRoom.FindStringSubmatch(row); top != nil && m == nil {
				wing, room = top[1], top[2]
				continue
			}
			if id, ok := strings.CutPrefix(row, "## "); ok {
				if !done() {
					return
				}
				began = it
				m = &Message{Others: true} // nobody knows who said it
				m.ChatID, m.Platform, m.Wing, m.Room, m.Ref = "mempalace-"+wing+"-"+room, "mempalace", wing, room, id
				continue
			}
			if field := palaceField.FindStringSubmatch(row); field != nil && m != nil {
				switch value := field[2]; {
				case value == "unknown":
				case field[1] == "Filed":
					m.At = timestamp(value)
				case field[1] == "Source":
					m.SourceFile = value
				default:
					m.AddedBy = value
				}
			} else if text, ok := strings.CutPrefix(row, ">"); ok && m != nil {
				quoted = append(quoted, strings.TrimPrefix(text, " "))
			}
		}
		done()
	},
}

var (
	palaceRoom  = regexp.MustCompile(`^# (.+?) / (.+)$`)
	palaceField = regexp.MustCompile(`^\| (Source|Filed|Added by) \| (.*) \|$`)
)
