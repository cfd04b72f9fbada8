package tomledit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/reverie-memory/reverie/internal/slice"
)

// ErrForm says that a value is written in a way that is not edited: as a part of another value on one line, for instance.
var ErrForm = errors.New("this is written in a way that is not edited here")

// File is an open TOML file. Every change of it is read again and has to give the wanted values; otherwise it fails with [ErrForm] and
// leaves the file as it was.
type File struct {
	bom, src []byte
	values   map[string]any
	exprs    []expression
}

// An expression is a table's header or a key with its value.
type expression struct {
	header bool
	key    []string         // the whole key, from the top
	names  []unstable.Range // where its last parts are written
	line   int              // where its first line begins
}

var utf8BOM = []byte("\xef\xbb\xbf")

// Parse reads a file. An error names line and column.
func Parse(data []byte) (*File, error) {
	src, _ := bytes.CutPrefix(data, utf8BOM)
	f := &File{bom: slices.Clone(data[:len(data)-len(src)]), src: src}
	return f, f.parse()
}

func (f *File) parse() error {
	f.values, f.exprs = map[string]any{}, nil
	if err := toml.Unmarshal(f.src, &f.values); err != nil {
		var at *toml.DecodeError
		if errors.As(err, &at) {
			line, column := at.Position()
			return fmt.Errorf("line %d, column %d: %s", line, column, strings.TrimPrefix(at.Error(), "toml: "))
		}
		return err
	}
	var p unstable.Parser
	p.Reset(f.src)
	var table []string
	for p.NextExpression() {
		node := p.Expression()
		e := expression{header: node.Kind != unstable.KeyValue}
		if !e.header {
			e.key = slices.Clone(table)
		}
		for it := node.Key(); it.Next(); {
			e.key = append(e.key, string(it.Node().Data))
			e.names = append(e.names, it.Node().Raw)
		}
		if e.header {
			table = e.key
		}
		e.line = bytes.LastIndexByte(f.src[:e.names[0].Offset], '\n') + 1
		f.exprs = append(f.exprs, e)
	}
	return p.Error()
}

// Bytes is the file as it is now.
func (f *File) Bytes() []byte { return slices.Concat(f.bom, f.src) }

// Value is what stands at a path: a string, []any, map[string]any and so on, nil where nothing does.
func (f *File) Value(path ...string) any { return at(f.values, path) }

func at(values map[string]any, path []string) any {
	var v any = values
	for _, name := range path {
		table, _ := v.(map[string]any)
		v = table[name]
	}
	return v
}

// Set gives the key at a path a value: a string or []string. A key that is not there is added below its neighbours, or in a table at
// the end of the file; at the top of the file only below neighbours.
func (f *File) Set(value any, path ...string) error {
	want := f.copy()
	if !put(want, path, value) {
		return ErrForm
	}
	if same(f.values, want) {
		return nil
	}
	parent, name := path[:len(path)-1], path[len(path)-1]
	var beside *expression
	for _, e := range f.exprs {
		switch {
		case !e.header && slices.Equal(e.key, path):
			from, to := f.value(e)
			return f.change(slices.Replace(slices.Clone(f.src), from, to, []byte(text(value))...), want)
		case !e.header && len(e.key) == len(path) && slices.Equal(e.key[:len(parent)], parent), e.header && slices.Equal(e.key, parent):
			beside = &e
		}
	}
	nl := newline(f.src)
	if beside == nil {
		return f.change(f.after(len(f.src), "["+dotted(parent)+"]"+nl+key(name)+" = "+text(value)+nl, true), want)
	}
	prefix := ""
	if !beside.header {
		prefix = string(f.src[beside.line:beside.names[len(beside.names)-1].Offset])
	}
	return f.change(f.after(f.end(*beside), prefix+key(name)+" = "+text(value)+nl, false), want)
}

// after is the file with a text on lines of its own at a place, behind an empty line where it is apart.
func (f *File) after(place int, text string, apart bool) []byte {
	nl := newline(f.src)
	if apart && place > 0 {
		text = nl + text
	}
	if place > 0 && f.src[place-1] != '\n' {
		text = nl + text
	}
	return slices.Insert(slices.Clone(f.src), place, []byte(text)...)
}

// Cut removes what stands at a path: a key, or a table with all of its keys and tables.
func (f *File) Cut(path ...string) error {
	want := f.copy()
	if parent, ok := at(want, path[:len(path)-1]).(map[string]any); ok {
		delete(parent, path[len(path)-1])
	}
	src := slices.Clone(f.src)
	last := false
	for i, e := range slices.Backward(f.exprs) {
		if len(e.key) >= len(path) && slices.Equal(e.key[:len(path)], path) {
			end := f.end(e)
			src = slices.Delete(src, e.line, end)
			last = last || i == len(f.exprs)-1 && len(bytes.TrimSpace(f.src[end:])) == 0
		}
	}
	if last { // without the empty lines before it
		if src = bytes.TrimRight(src, " \t\r\n"); len(src) > 0 {
			src = append(src, newline(f.src)...)
		}
	}
	return f.change(src, want)
}

// Rename gives the last name of a path another one, wherever the file says it.
func (f *File) Rename(to string, path ...string) error {
	n := len(path)
	want := f.copy()
	if parent, ok := at(want, path[:n-1]).(map[string]any); ok {
		parent[to] = parent[path[n-1]]
		delete(parent, path[n-1])
	}
	src := slices.Clone(f.src)
	for _, e := range slices.Backward(f.exprs) {
		if len(e.key) < n || !slices.Equal(e.key[:n], path) {
			continue
		}
		if own := n - 1 - (len(e.key) - len(e.names)); own >= 0 { // otherwise the table's header has said the name
			name := e.names[own]
			src = slices.Replace(src, int(name.Offset), int(name.Offset+name.Length), []byte(key(to))...)
		}
	}
	return f.change(src, want)
}

// change takes src as the new file where it has the wanted values.
func (f *File) change(src []byte, want map[string]any) error {
	changed := File{src: src}
	if err := changed.parse(); err != nil || !same(changed.values, want) {
		return ErrForm
	}
	f.src, f.values, f.exprs = changed.src, changed.values, changed.exprs
	return nil
}

// value is the place of the value of a key: it ends at the first place up to which the expression can be read.
func (f *File) value(e expression) (from, to int) {
	last := e.names[len(e.names)-1]
	from = int(last.Offset + last.Length)
	from += bytes.IndexByte(f.src[from:], '=') + 1
	from += len(f.src[from:]) - len(bytes.TrimLeft(f.src[from:], " \t"))
	for to = from + 1; to < len(f.src) && !readable(f.src[e.line:to]); {
		to++
	}
	return from, to
}

// end is where the line after an expression begins: behind the first line break up to which it can be read.
func (f *File) end(e expression) int {
	last := e.names[len(e.names)-1]
	for place := int(last.Offset + last.Length); place < len(f.src); place++ {
		if f.src[place] == '\n' && (e.header || readable(f.src[e.line:place+1])) {
			return place + 1
		}
	}
	return len(f.src)
}

func readable(text []byte) bool {
	var v map[string]any
	return toml.Unmarshal(text, &v) == nil
}

func (f *File) copy() map[string]any {
	values := map[string]any{}
	_ = toml.Unmarshal(f.src, &values)
	return values
}

// put sets a value and makes the tables that are missing on the way; false where something else is in the way.
func put(values map[string]any, path []string, value any) bool {
	for _, name := range path[:len(path)-1] {
		if values[name] == nil {
			values[name] = map[string]any{}
		}
		next, ok := values[name].(map[string]any)
		if !ok {
			return false
		}
		values = next
	}
	if list, ok := value.([]string); ok {
		value = slice.Map(list, func(s string) any { return s })
	}
	values[path[len(path)-1]] = value
	return true
}

// same compares values; a table without any is the same as none.
func same(a, b map[string]any) bool { return reflect.DeepEqual(full(a), full(b)) }

func full(values map[string]any) map[string]any {
	out := map[string]any{}
	for name, v := range values {
		if table, ok := v.(map[string]any); ok {
			table = full(table)
			if v = table; len(table) == 0 {
				continue
			}
		}
		out[name] = v
	}
	return out
}

func newline(src []byte) string {
	if i := bytes.IndexByte(src, '\n'); i > 0 && src[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// text writes a string or a list of strings, without escapes where that can be.
func text(value any) string {
	if list, ok := value.([]string); ok {
		return "[" + strings.Join(slice.Map(list, func(s string) string { return text(s) }), ", ") + "]"
	}
	s := value.(string)
	if strings.Contains(s, `\`) && !strings.ContainsFunc(s, func(r rune) bool { return r == '\'' || r < ' ' }) {
		return "'" + s + "'"
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a basic string of TOML has the same escapes
	return strings.TrimSuffix(b.String(), "\n")
}

func dotted(path []string) string {
	return strings.Join(slice.Map(path, key), ".")
}

// key writes a name bare where TOML allows it.
func key(name string) string {
	bare := name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' && r != '-'
	})
	if bare {
		return name
	}
	return text(name)
}
