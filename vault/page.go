package vault

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"

	"github.com/reverie-memory/reverie/markdown"
)

// History is the heading over what is no longer true.
const History = "History"

// Page is a parsed page. Front and Body together are the file, byte for byte.
type Page struct {
	Path             Path
	Title            string // of the frontmatter, else the first heading, else the file's name
	Aliases, Tags    []string
	Type             string
	Created, Updated string
	Front            []byte // with its fences, as it stands; empty when there is none
	Body             []byte
	BodyLine         int // 1-based line where Body starts
	Problems         []Problem
}

// maxFront bounds the frontmatter that is given to the YAML parser.
const maxFront = 64 << 10

// ParsePage reads a page. ParsePage never fails: a page with broken frontmatter keeps its text and has a problem.
func ParsePage(p Path, data []byte) *Page {
	front, yamlText, closed := cutFront(data)
	pg := &Page{Path: p, Front: front, Body: data[len(front):], BodyLine: 1 + bytes.Count(front, []byte{'\n'})}
	if !closed {
		pg.problem(1, "the frontmatter is opened and never closed", "add a line with --- after it")
	}
	if len(bytes.TrimSpace(yamlText)) > 0 {
		pg.properties(yamlText)
	}
	if pg.Title == "" {
		pg.Title = markdown.Title(pg.Body)
	}
	if pg.Title == "" {
		name := path.Base(string(p))
		pg.Title = strings.TrimSuffix(name, path.Ext(name))
	}
	return pg
}

func (pg *Page) problem(line int, reason, hint string) {
	pg.Problems = append(pg.Problems, Problem{Path: pg.Path, Line: line, Reason: reason, Hint: hint})
}

// Front is the frontmatter of a page as it stands, with its fences; empty when there is none. See [Page].
func Front(data []byte) []byte {
	front, _, _ := cutFront(data)
	return front
}

// cutFront finds the frontmatter: front with its fences and a BOM, and the YAML between them. closed is false
// when a file starts with a fence that nothing closes.
func cutFront(data []byte) (front, yamlText []byte, closed bool) {
	start := 0
	if bytes.HasPrefix(data, bom) {
		start = len(bom)
	}
	fence := func(line []byte) bool { return string(bytes.TrimRight(line, " \t\r\n")) == "---" }
	if start >= len(data) || !fence(lineAt(data, start)) {
		return data[:start], nil, true
	}
	from := start + len(lineAt(data, start))
	for pos := from; pos < len(data); {
		line := lineAt(data, pos)
		if fence(line) {
			return data[:pos+len(line)], data[from:pos], true
		}
		pos += len(line)
	}
	return data[:start], nil, false
}

// yamlAlias finds references to anchors. Few are fine; many make a small text grow without bound.
var yamlAlias = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)(^|[\s\[,:{-])\*[^\s*,\]}]`) })

const maxAliases = 8

// properties reads the keys that we know. YAML that does not parse is a problem, not an error.
func (pg *Page) properties(text []byte) {
	if len(text) > maxFront || bytes.IndexByte(text, '*') >= 0 && len(yamlAlias().FindAllIndex(text, maxAliases+1)) > maxAliases {
		pg.problem(1, "the frontmatter is too large to read", "")
		return
	}
	m, ok := plainYAML(text)
	var err error
	if !ok {
		m, err = decodeYAML(text)
	}
	if err != nil {
		first, _, _ := strings.Cut(yaml.FormatError(err, false, false), "\n")
		pg.problem(1, "the frontmatter is not YAML: "+strings.TrimSpace(first), "values with a colon or a bracket want quotes")
		return
	}
	pg.Title = scalar(m["title"])
	pg.Type = scalar(m["type"])
	pg.Created, pg.Updated = scalar(m["created"]), scalar(m["updated"])
	pg.Aliases = append(list(m["aliases"], ","), list(m["alias"], ",")...)
	for _, t := range append(list(m["tags"], ", "), list(m["tag"], ", ")...) {
		if t = strings.TrimLeft(t, "#"); t != "" {
			pg.Tags = append(pg.Tags, t)
		}
	}
}

// decodeYAML turns a crash of the parser into an error: the text is a stranger's.
func decodeYAML(text []byte) (m map[string]any, err error) {
	defer func() {
		if r := recover(); r != nil {
			m, err = nil, fmt.Errorf("the YAML parser gave up: %v", r)
		}
	}()
	err = yaml.Unmarshal(text, &m)
	return m, err
}

func scalar(v any) string {
	switch v := v.(type) {
	case nil, map[string]any, []any:
		return ""
	case string:
		return strings.TrimSpace(v)
	default:
		return fmt.Sprint(v)
	}
}

// list reads a YAML list, or a string with separators as Obsidian takes it too.
func list(v any, separators string) []string {
	var out []string
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			if s := scalar(item); s != "" {
				out = append(out, s)
			}
		}
	case string:
		for s := range strings.FieldsFuncSeq(v, func(r rune) bool { return strings.ContainsRune(separators, r) }) {
			if s = strings.TrimSpace(s); s != "" {
				out = append(out, s)
			}
		}
	case nil, map[string]any:
	default:
		out = append(out, scalar(v))
	}
	return out
}
