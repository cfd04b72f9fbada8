package hosts

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/reverie-memory/reverie/internal/slice"
)

// A member of an object that is written, in the order in which it is written.
type member struct {
	key   string
	value any // string, int, bool, []string, []any or object
}

type object []member

// maxDepth bounds how deep a file may be nested: the parser calls itself for each level.
const maxDepth = 1000

// document is a JSON file with comments and trailing commas, which is edited in its own bytes.
type document struct {
	bom, src []byte // src is parsed as root
	root     hujson.Value
	blank    []byte // what a file without any value holds; nil in others
}

var utf8BOM = []byte("\xef\xbb\xbf")

// parseDocument reads a file whose value is an object. An empty file, or one of comments, is an object without members.
func parseDocument(data []byte) (*document, error) {
	src, hasBOM := bytes.CutPrefix(data, utf8BOM)
	d := &document{bom: data[:len(data)-len(src)]}
	if !hasBOM {
		d.bom = nil
	}
	if tooDeep(src) {
		return nil, fmt.Errorf("it is nested more than %d levels deep", maxDepth)
	}
	err := d.parse(src)
	if err != nil {
		text := slices.Clone(src)
		if len(text) > 0 && text[len(text)-1] != '\n' {
			text = append(text, newline(src)...)
		}
		start := len(text)
		if d.parse(append(text, "{}"+newline(src)...)) != nil || d.root.StartOffset != start {
			return nil, errors.New(strings.TrimPrefix(err.Error(), "hujson: "))
		}
		d.blank = append([]byte{}, src...)
	}
	if d.root.Value.Kind() != '{' {
		return nil, errors.New("its value is not an object")
	}
	return d, nil
}

// parse takes src as the document's text. A comment of the last line may end with the file, which the parser does not allow.
func (d *document) parse(src []byte) error {
	root, err := hujson.Parse(append(slices.Clone(src), '\n'))
	if err == nil {
		d.src, d.root = src, root
	}
	return err
}

func tooDeep(src []byte) bool {
	depth := 0
	for _, c := range src {
		switch c {
		case '{', '[':
			if depth++; depth > maxDepth {
				return true
			}
		case '}', ']':
			depth--
		}
	}
	return false
}

// bytes is the file as it is now.
func (d *document) bytes() []byte {
	if d.blank != nil {
		return append(slices.Clone(d.bom), d.blank...)
	}
	return append(slices.Clone(d.bom), d.src...)
}

// change replaces src[from:to] by text, later places first.
func (d *document) change(edits ...splice) error {
	slices.SortStableFunc(edits, func(a, b splice) int { return b.from - a.from })
	src := slices.Clone(d.src)
	for _, e := range edits {
		src = slices.Replace(src, e.from, e.to, []byte(e.text)...)
	}
	if err := d.parse(src); err != nil {
		return fmt.Errorf("the edited file is not JSON: %w", err)
	}
	d.blank = nil
	return nil
}

type splice struct {
	from, to int
	text     string
}

// at is the value at a path of names and numbers, nil where there is none. Of members with the same name the last one counts, as it
// does for the programs that read the file.
func (d *document) at(path ...any) *hujson.Value {
	v := &d.root
	for _, step := range path {
		var next *hujson.Value
		switch c := v.Value.(type) {
		case *hujson.Object:
			if i := lastNamed(c, step); i >= 0 {
				next = &c.Members[i].Value
			}
		case *hujson.Array:
			if i, ok := step.(int); ok && i < len(c.Elements) {
				next = &c.Elements[i]
			}
		}
		if next == nil {
			return nil
		}
		v = next
	}
	return v
}

func lastNamed(o *hujson.Object, name any) int {
	for i, m := range slices.Backward(o.Members) {
		if m.Name.Value.(hujson.Literal).String() == name {
			return i
		}
	}
	return -1
}

// names are those of the object at a path, in their order, each once; nil where there is no object.
func (d *document) names(path ...any) (names []string) {
	v := d.at(path...)
	if v == nil {
		return nil
	}
	if o, ok := v.Value.(*hujson.Object); ok {
		for _, m := range o.Members {
			if n := m.Name.Value.(hujson.Literal).String(); !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
	}
	return names
}

// length is that of the array at a path, 0 where there is none.
func (d *document) length(path ...any) int {
	if v := d.at(path...); v != nil {
		if a, ok := v.Value.(*hujson.Array); ok {
			return len(a.Elements)
		}
	}
	return 0
}

// text is the string at a path.
func (d *document) text(path ...any) (string, bool) {
	if v := d.at(path...); v != nil {
		if l, ok := v.Value.(hujson.Literal); ok && l.Kind() == '"' {
			return l.String(), true
		}
	}
	return "", false
}

// texts are the strings of the array at a path; false where anything else is there.
func (d *document) texts(path ...any) ([]string, bool) {
	v := d.at(path...)
	if v == nil {
		return nil, false
	}
	a, ok := v.Value.(*hujson.Array)
	if !ok {
		return nil, false
	}
	out := make([]string, len(a.Elements))
	for i := range a.Elements {
		if out[i], ok = d.text(append(slices.Clone(path), i)...); !ok {
			return nil, false
		}
	}
	return out, true
}

// put sets the value at a path and makes the objects that are missing on the way. A number that is an array's length appends to it.
func (d *document) put(value any, path ...any) error {
	if v := d.at(path...); v != nil {
		return d.change(splice{v.StartOffset, v.EndOffset, d.render(value, d.indentAt(v.StartOffset), !d.oneLine())})
	}
	n := len(path) - 1
	for n > 0 && d.at(path[:n]...) == nil {
		value = object{{path[n].(string), value}}
		n--
	}
	parent := d.at(path[:n]...)
	switch c := parent.Value.(type) {
	case *hujson.Object:
		name, ok := path[n].(string)
		if !ok {
			break
		}
		var first, last *hujson.Value
		if k := len(c.Members); k > 0 {
			first, last = &c.Members[0].Name, &c.Members[k-1].Value
		}
		return d.insert(parent, first, last, func(indent string, lines bool) string {
			return quote(name) + ": " + d.render(value, indent, lines)
		})
	case *hujson.Array:
		if path[n] != len(c.Elements) {
			break
		}
		var first, last *hujson.Value
		if k := len(c.Elements); k > 0 {
			first, last = &c.Elements[0], &c.Elements[k-1]
		}
		return d.insert(parent, first, last, func(indent string, lines bool) string { return d.render(value, indent, lines) })
	}
	return fmt.Errorf("%s is not what this program's settings should have there", pathName(path[:n]))
}

// insert adds what text gives as the last element of an object or array, whose first and last element are nil where it has none.
func (d *document) insert(in, first, last *hujson.Value, text func(indent string, lines bool) string) error {
	shut := in.EndOffset - 1
	body := in.StartOffset + 1
	if last != nil {
		body = last.EndOffset
	}
	comma := last != nil && last.AfterExtra != nil // a trailing one
	if comma {
		body += len(last.AfterExtra) + 1
	}
	end := body + len(bytes.TrimRight(d.src[body:shut], " \t\r\n")) // comments may stand before it
	lines := bytes.ContainsRune(d.src[in.StartOffset:shut], '\n')
	if last == nil {
		lines = lines || !d.oneLine()
	} else if lines {
		lines = bytes.ContainsRune(d.src[in.StartOffset:first.StartOffset], '\n') || bytes.ContainsRune(d.src[body:shut], '\n')
	}
	outer := d.indentAt(in.StartOffset)
	indent := outer + d.unit()
	if first != nil && bytes.ContainsRune(d.src[in.StartOffset:first.StartOffset], '\n') {
		indent = d.indentAt(first.StartOffset)
	}
	lead, tail := "", ""
	switch {
	case lines:
		lead = newline(d.src) + indent
		if !bytes.ContainsRune(d.src[end:shut], '\n') {
			tail = newline(d.src) + outer
		}
	case last != nil:
		lead = " "
	}
	var edits []splice
	if last != nil && !comma {
		edits = append(edits, splice{last.EndOffset, last.EndOffset, ","})
	}
	out := lead + text(indent, lines)
	if comma {
		out += ","
	}
	to := end
	if tail != "" {
		to = shut // blanks before the bracket
	}
	// Where both are at one place, the comma stands first: edits are done from the last one on.
	return d.change(append([]splice{{end, to, out + tail}}, edits...)...)
}

// cut removes the value at a path with its name, and the objects and arrays that this leaves empty.
func (d *document) cut(path ...any) error {
	for d.at(path...) != nil {
		if err := d.cutOne(path); err != nil {
			return err
		}
		if _, number := path[len(path)-1].(int); number {
			break
		}
	}
	parent := d.at(path[:len(path)-1]...)
	if len(path) > 1 && parent != nil && len(bytes.TrimSpace(d.src[parent.StartOffset+1:parent.EndOffset-1])) == 0 {
		return d.cut(path[:len(path)-1]...)
	}
	return nil
}

func (d *document) cutOne(path []any) error {
	step := path[len(path)-1]
	var from, to, previous *hujson.Value // start and end of what goes, and the value before
	var left int
	switch c := d.at(path[:len(path)-1]...).Value.(type) {
	case *hujson.Object:
		i := lastNamed(c, step)
		from, to, left = &c.Members[i].Name, &c.Members[i].Value, len(c.Members)-1-i
		if i > 0 {
			previous = &c.Members[i-1].Value
		}
	case *hujson.Array:
		i := step.(int)
		from, to, left = &c.Elements[i], &c.Elements[i], len(c.Elements)-1-i
		if i > 0 {
			previous = &c.Elements[i-1]
		}
	}
	start, end := from.StartOffset, to.EndOffset
	comma := left > 0 || to.AfterExtra != nil
	if comma {
		end += len(to.AfterExtra) + 1
	}
	var edits []splice
	if !comma && previous != nil {
		at := previous.EndOffset + len(previous.AfterExtra)
		edits = append(edits, splice{at, at + 1, ""})
	}
	before := len(bytes.TrimRight(d.src[:start], " \t"))
	after := len(d.src) - len(bytes.TrimLeft(d.src[end:], " \t\r"))
	ownLine := before > 0 && d.src[before-1] == '\n' && after < len(d.src) && d.src[after] == '\n'
	switch {
	case ownLine:
		start, end = before, after+1
	case left > 0:
		end = after
	default:
		start = before
	}
	return d.change(append([]splice{{start, end, ""}}, edits...)...)
}

// rename gives the last member of that name another one.
func (d *document) rename(to string, path ...any) error {
	o := d.at(path[:len(path)-1]...).Value.(*hujson.Object)
	name := o.Members[lastNamed(o, path[len(path)-1])].Name
	return d.change(splice{name.StartOffset, name.EndOffset, quote(to)})
}

// oneLine tells that the file is written without line breaks.
func (d *document) oneLine() bool {
	o, _ := d.root.Value.(*hujson.Object)
	return o != nil && len(o.Members) > 0 && !bytes.ContainsRune(d.src[d.root.StartOffset:d.root.EndOffset], '\n')
}

// unit is one level of the file's indentation.
func (d *document) unit() string {
	if o, _ := d.root.Value.(*hujson.Object); o != nil && len(o.Members) > 0 {
		if first := o.Members[0].Name; bytes.ContainsRune(first.BeforeExtra, '\n') {
			if indent := d.indentAt(first.StartOffset); indent != "" {
				return indent
			}
		}
	}
	return "  "
}

// indentAt is the white space that the line of a place begins with.
func (d *document) indentAt(place int) string {
	line := d.src[bytes.LastIndexByte(d.src[:place], '\n')+1 : place]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

func newline(src []byte) string {
	if i := bytes.IndexByte(src, '\n'); i > 0 && src[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// render writes a value that begins on a line of that indentation. Lists of strings stay on one line.
func (d *document) render(v any, indent string, lines bool) string {
	var items []string
	open, shut := "[", "]"
	inner := indent
	if lines {
		inner += d.unit()
	}
	switch v := v.(type) {
	case object:
		open, shut = "{", "}"
		for _, m := range v {
			items = append(items, quote(m.key)+": "+d.render(m.value, inner, lines))
		}
	case []any:
		for _, e := range v {
			items = append(items, d.render(e, inner, lines))
		}
	case []string:
		for _, s := range v {
			items = append(items, quote(s))
		}
		lines = false
	case string:
		return quote(v)
	default:
		return fmt.Sprint(v) // numbers and truth values
	}
	if !lines || len(items) == 0 {
		return open + strings.Join(items, ", ") + shut
	}
	nl := newline(d.src)
	return open + nl + inner + strings.Join(items, ","+nl+inner) + nl + indent + shut
}

func quote(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s)
	return strings.TrimSuffix(b.String(), "\n")
}

func pathName(path []any) string {
	if len(path) == 0 {
		return "the file"
	}
	return strings.Join(slice.Map(path, func(p any) string { return fmt.Sprint(p) }), ".")
}
