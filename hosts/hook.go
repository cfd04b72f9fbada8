package hosts

import (
	"fmt"
	"slices"

	"github.com/reverie-memory/reverie/internal/slice"
)

// hooks are the commands that a program runs at moments of a chat: an object of events, each a list of groups, each with a list of
// commands.
type hooks struct {
	host   string // as `reverie hook --host` knows the program
	events []event
	// direct: the program runs a command and its args itself; otherwise a shell gets one line.
	direct bool
	before object // members of each command before the command itself
}

// An event is the program's name of a moment, and the hook that runs then.
type event struct {
	name, hook string
	limit      int // of its time, in the program's unit
}

func (h hooks) wants() (names []string) {
	return slice.Map(h.events, func(e event) string { return "hook " + e.hook })
}

// placed is a hook of Reverie and where it stands.
type placed struct {
	event        string
	group, index int
	argv         []string
}

func (p placed) path(more ...any) []any {
	return append([]any{"hooks", p.event, p.group, "hooks", p.index}, more...)
}

// own are the hooks of Reverie in an event.
func (h hooks) own(d *document, event string) (own []placed) {
	for g := range d.length("hooks", event) {
		for i := range d.length("hooks", event, g, "hooks") {
			p := placed{event: event, group: g, index: i}
			command, _ := d.text(p.path("command")...)
			if args, ok := d.texts(p.path("args")...); ok {
				p.argv = append([]string{command}, args...)
			} else {
				p.argv = words(command)
			}
			if runs(p.argv, "hook") {
				own = append(own, p)
			}
		}
	}
	return own
}

func (h hooks) add(data []byte, l Launch) ([]byte, error) {
	return edit(data, func(d *document) error {
		for _, name := range d.names("hooks") {
			known := slices.ContainsFunc(h.events, func(e event) bool { return e.name == name })
			if err := h.cut(d, name, !known); err != nil {
				return err
			}
		}
		for _, e := range h.events {
			if err := h.set(d, e, l); err != nil {
				return err
			}
		}
		return nil
	})
}

// cut takes the hooks of Reverie out of an event: all, or all but the first.
func (h hooks) cut(d *document, event string, all bool) error {
	own := h.own(d, event)
	if !all && len(own) > 0 {
		own = own[1:]
	}
	for _, p := range slices.Backward(own) {
		path := p.path()
		if d.length(path[:4]...) == 1 {
			path = path[:3] // a group of nothing but it
		}
		if err := d.cut(path...); err != nil {
			return err
		}
	}
	return nil
}

func (h hooks) set(d *document, e event, l Launch) error {
	want := append([]string{l.Binary, "hook", e.hook, "--host", h.host}, l.Flags...)
	own := h.own(d, e.name)
	if len(own) == 0 {
		entry := slices.Concat(h.before, h.command(want, l), object{{"timeout", e.limit}})
		group := object{{"hooks", []any{entry}}}
		if d.at("hooks", e.name) == nil {
			return d.put([]any{group}, "hooks", e.name)
		}
		return d.put(group, "hooks", e.name, d.length("hooks", e.name))
	}
	argv := want
	if hookName(own[0].argv) == e.hook {
		argv = l.renew(own[0].argv, want)
	}
	_, split := d.texts(own[0].path("args")...)
	if slices.Equal(argv, own[0].argv) && split == h.direct {
		return nil
	}
	for _, m := range h.command(argv, l) {
		if err := d.put(m.value, own[0].path(m.key)...); err != nil {
			return err
		}
	}
	if split && !h.direct {
		return d.cut(own[0].path("args")...)
	}
	return nil
}

func (h hooks) command(argv []string, l Launch) object {
	if h.direct {
		return object{{"command", argv[0]}, {"args", argv[1:]}}
	}
	return object{{"command", line(l.OS, argv)}}
}

func (h hooks) remove(data []byte) ([]byte, error) {
	return edit(data, func(d *document) error {
		for _, name := range d.names("hooks") {
			if err := h.cut(d, name, true); err != nil {
				return err
			}
		}
		return nil
	})
}

func (h hooks) find(data []byte) (found []Entry, err error) {
	_, err = edit(data, func(d *document) error {
		if v := d.at("hooks"); v != nil && v.Value.Kind() != '{' {
			return fmt.Errorf("its hooks are not an object")
		}
		for _, name := range d.names("hooks") {
			for _, p := range h.own(d, name) {
				found = append(found, Entry{Name: "hook " + hookName(p.argv), Command: p.argv})
			}
		}
		return nil
	})
	return found, err
}

// hookName is the word after "hook".
func hookName(argv []string) string {
	if i := slices.Index(argv, "hook"); i+1 < len(argv) {
		return argv[i+1]
	}
	return ""
}

// EventName is what a program calls the moment at which a hook runs; "" where it has none.
func EventName(host, hook string) string {
	return named(host, func(e event) (string, string) { return e.hook, e.name }, hook)
}

// HookOf is the hook that runs at what a program calls an event; "" where none does.
func HookOf(host, name string) string {
	return named(host, func(e event) (string, string) { return e.name, e.hook }, name)
}

func named(host string, pair func(event) (from, to string), name string) string {
	for _, h := range []hooks{claudeHooks, codexHooks, geminiHooks} {
		for _, e := range h.events {
			if from, to := pair(e); h.host == host && from == name {
				return to
			}
		}
	}
	return ""
}
