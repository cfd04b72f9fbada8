package hosts

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// tomlServer is the MCP server in a TOML file: a table below the one called key.
type tomlServer struct{ key string }

func (p tomlServer) wants() []string { return []string{"server"} }

func (p tomlServer) add(data []byte, l Launch) ([]byte, error) {
	return p.edit(data, func(f *tomlFile) error { return addServer(f, l) })
}

func (p tomlServer) remove(data []byte) ([]byte, error) {
	return p.edit(data, func(f *tomlFile) error { return removeServers(f) })
}

func (p tomlServer) find(data []byte) (found []Entry, err error) {
	_, err = p.edit(data, func(f *tomlFile) error { found = findServers(f); return nil })
	return found, err
}

func (p tomlServer) edit(data []byte, change func(*tomlFile) error) ([]byte, error) {
	src, _ := bytes.CutPrefix(data, utf8BOM)
	f := &tomlFile{key: p.key, src: src}
	if err := f.parse(); err != nil {
		return nil, err
	}
	if err := change(f); err != nil {
		return nil, err
	}
	return append(slices.Clone(data[:len(data)-len(src)]), f.src...), nil
}

// tomlFile is a TOML file that is edited in its own bytes. Every change is read again and has to give the wanted values.
type tomlFile struct {
	key    string
	src    []byte
	values map[string]any
	exprs  []expression
}

// An expression is a table's header or a key with its value.
type expression struct {
	header bool
	key    []string // the whole key, from the top
	names  []unstable.Range
	line   int // where its first line begins
}

func (f *tomlFile) parse() error {
	f.values, f.exprs = map[string]any{}, nil
	if err := toml.Unmarshal(f.src, &f.values); err != nil {
		var at *toml.DecodeError
		if errors.As(err, &at) {
			line, column := at.Position()
			return fmt.Errorf("line %d, column %d: %s", line, column, strings.TrimPrefix(at.Error(), "toml: "))
		}
		return err
	}
	f.dropEmpty(f.values)
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

// change takes text as the new file where it has the wanted values.
func (f *tomlFile) change(src []byte, want map[string]any) error {
	old := f.src
	f.src = src
	if err := f.parse(); err != nil || !reflect.DeepEqual(f.values, want) {
		f.src = old
		return errors.Join(errors.New("the server is written in a way that is not edited here"), f.parse())
	}
	return nil
}

// wanted is a copy of the values with another table of servers.
func (f *tomlFile) wanted(change func(servers map[string]any)) map[string]any {
	want := map[string]any{}
	_ = toml.Unmarshal(f.src, &want)
	servers, _ := want[f.key].(map[string]any)
	if servers == nil {
		servers = map[string]any{}
	}
	change(servers)
	want[f.key] = servers
	f.dropEmpty(want)
	return want
}

// dropEmpty makes a table without servers the same as none.
func (f *tomlFile) dropEmpty(values map[string]any) {
	if servers, ok := values[f.key].(map[string]any); ok && len(servers) == 0 {
		delete(values, f.key)
	}
}

func (f *tomlFile) list() (all []server) {
	servers, _ := f.values[f.key].(map[string]any)
	for name, v := range servers {
		s := server{name: name}
		entry, _ := v.(map[string]any)
		if command, ok := entry["command"].(string); ok {
			s.argv = []string{command}
			args, _ := entry["args"].([]any)
			for _, a := range args {
				s.argv = append(s.argv, fmt.Sprint(a))
			}
		}
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b server) int { return strings.Compare(a.name, b.name) })
	return all
}

func anys(argv []string) []any {
	out := make([]any, len(argv))
	for i, a := range argv {
		out[i] = a
	}
	return out
}

func (f *tomlFile) create(argv []string) error {
	nl := newline(f.src)
	src := slices.Clone(f.src)
	if len(src) > 0 {
		if src[len(src)-1] != '\n' {
			src = append(src, nl...)
		}
		src = append(src, nl...)
	}
	src = append(src, "["+f.key+"."+Name+"]"+nl+"command = "+tomlText(argv[0])+nl+"args = "+tomlList(argv[1:])+nl...)
	return f.change(src, f.wanted(func(servers map[string]any) {
		servers[Name] = map[string]any{"command": argv[0], "args": anys(argv[1:])}
	}))
}

func (f *tomlFile) set(name string, argv []string) error {
	if err := f.setValue(tomlText(argv[0]), argv[0], name, "command"); err != nil {
		return err
	}
	return f.setValue(tomlList(argv[1:]), anys(argv[1:]), name, "args")
}

// setValue replaces a value of a server, or adds it on the line below its command.
func (f *tomlFile) setValue(text string, value any, name, key string) error {
	want := f.wanted(func(servers map[string]any) { servers[name].(map[string]any)[key] = value })
	if reflect.DeepEqual(f.values, want) {
		return nil
	}
	for _, e := range f.exprs {
		if slices.Equal(e.key, []string{f.key, name, key}) {
			from, to := f.value(e)
			return f.change(slices.Replace(slices.Clone(f.src), from, to, []byte(text)...), want)
		}
	}
	for _, e := range f.exprs {
		if slices.Equal(e.key, []string{f.key, name, "command"}) {
			last := int(e.names[len(e.names)-1].Offset)
			at := f.end(e)
			added := string(f.src[e.line:last]) + key + " = " + text + newline(f.src)
			if at > 0 && f.src[at-1] != '\n' {
				added = newline(f.src) + added
			}
			return f.change(slices.Insert(slices.Clone(f.src), at, []byte(added)...), want)
		}
	}
	return f.change(f.src, want) // fails: the server is one value
}

// value is the place of the value of a key: its end is the first one with which the expression can be read.
func (f *tomlFile) value(e expression) (from, to int) {
	last := e.names[len(e.names)-1]
	from = int(last.Offset + last.Length)
	from += bytes.IndexByte(f.src[from:], '=') + 1
	from += len(f.src[from:]) - len(bytes.TrimLeft(f.src[from:], " \t"))
	for to = from + 1; to < len(f.src); to++ {
		if readable(f.src[e.line:to]) {
			break
		}
	}
	return from, to
}

// end is where the line after an expression begins: at the first line break with which it can be read.
func (f *tomlFile) end(e expression) int {
	last := e.names[len(e.names)-1]
	for at := int(last.Offset + last.Length); at < len(f.src); at++ {
		if f.src[at] == '\n' && (e.header || readable(f.src[e.line:at+1])) {
			return at + 1
		}
	}
	return len(f.src)
}

func readable(text []byte) bool {
	var v map[string]any
	return toml.Unmarshal(text, &v) == nil
}

// of tells whether an expression belongs to the server of that name.
func (f *tomlFile) of(e expression, name string) bool {
	return len(e.key) > 1 && e.key[0] == f.key && e.key[1] == name
}

func (f *tomlFile) rename(from, to string) error {
	src := slices.Clone(f.src)
	for _, e := range slices.Backward(f.exprs) {
		if !f.of(e, from) {
			continue
		}
		if own := len(e.names) - len(e.key) + 1; own >= 0 { // the table's header has said the name otherwise
			at := e.names[own]
			src = slices.Replace(src, int(at.Offset), int(at.Offset+at.Length), []byte(to)...)
		}
	}
	return f.change(src, f.wanted(func(servers map[string]any) {
		servers[to] = servers[from]
		delete(servers, from)
	}))
}

func (f *tomlFile) cut(name string) error {
	src := slices.Clone(f.src)
	for _, e := range slices.Backward(f.exprs) {
		if f.of(e, name) {
			src = slices.Delete(src, e.line, f.end(e))
		}
	}
	if last := len(f.exprs) - 1; f.of(f.exprs[last], name) && len(bytes.TrimSpace(f.src[f.end(f.exprs[last]):])) == 0 {
		if src = bytes.TrimRight(src, " \t\r\n"); len(src) > 0 {
			src = append(src, newline(f.src)...)
		}
	}
	return f.change(src, f.wanted(func(servers map[string]any) { delete(servers, name) }))
}

// tomlText writes a string, without escapes where it can.
func tomlText(s string) string {
	if strings.Contains(s, `\`) && !strings.ContainsFunc(s, func(r rune) bool { return r == '\'' || r < ' ' }) {
		return "'" + s + "'"
	}
	return quote(s)
}

func tomlList(items []string) string {
	texts := make([]string, len(items))
	for i, s := range items {
		texts[i] = tomlText(s)
	}
	return "[" + strings.Join(texts, ", ") + "]"
}
