package hosts

import "slices"

// shape is how a program writes an MCP server in JSON: a member of the object at key, with these members around the command.
type shape struct {
	key    string
	before object
	// joined: the command is one list with its arguments; otherwise command and args are apart.
	joined bool
	after  object
}

// server is an entry of a list of servers; its command is nil where it is not a program.
type server struct {
	name string
	argv []string
}

// serverList is the list of MCP servers in an open file.
type serverList interface {
	list() []server
	create(argv []string) error
	set(name string, argv []string) error
	rename(from, to string) error
	cut(name string) error
}

// servers is the MCP server in a file whose list edit opens.
type servers struct {
	edit func(data []byte, change func(serverList) error) ([]byte, error)
}

func (p servers) wants() []string { return []string{"server"} }

func (p servers) add(data []byte, l Launch) ([]byte, error) {
	return p.edit(data, func(in serverList) error { return addServer(in, l) })
}

func (p servers) remove(data []byte) ([]byte, error) {
	return p.edit(data, func(in serverList) error {
		for _, s := range ownServers(in) {
			if err := in.cut(s.name); err != nil {
				return err
			}
		}
		return nil
	})
}

func (p servers) find(data []byte) (found []Entry, err error) {
	_, err = p.edit(data, func(in serverList) error {
		for _, s := range ownServers(in) {
			found = append(found, Entry{Name: "server", Command: s.argv})
		}
		return nil
	})
	return found, err
}

func ownServers(in serverList) []server {
	return slices.DeleteFunc(in.list(), func(s server) bool { return s.name != Name && !runs(s.argv, "mcp") })
}

// addServer leaves one server of Reverie, which runs what l says.
func addServer(in serverList, l Launch) error {
	own := ownServers(in)
	kept := slices.IndexFunc(own, func(s server) bool { return s.name == Name })
	kept = max(kept, 0)
	for i, s := range own {
		if i != kept || s.argv == nil {
			if err := in.cut(s.name); err != nil {
				return err
			}
		}
	}
	if len(own) == 0 || own[kept].argv == nil {
		return in.create(l.server())
	}
	s := own[kept]
	if s.name != Name {
		if err := in.rename(s.name, Name); err != nil {
			return err
		}
	}
	if argv := l.renew(s.argv, l.server()); !slices.Equal(argv, s.argv) {
		return in.set(Name, argv)
	}
	return nil
}

// jsonServer is the MCP server in a JSON file.
func jsonServer(s shape) part {
	return servers{func(data []byte, change func(serverList) error) ([]byte, error) {
		return edit(data, func(d *document) error { return change(jsonServers{s, d}) })
	}}
}

func edit(data []byte, change func(*document) error) ([]byte, error) {
	d, err := parseDocument(data)
	if err == nil {
		err = change(d)
	}
	if err != nil {
		return nil, err
	}
	return d.bytes(), nil
}

type jsonServers struct {
	shape
	d *document
}

func (j jsonServers) list() (all []server) {
	for _, name := range j.d.names(j.key) {
		s := server{name: name}
		args, _ := j.d.texts(j.key, name, "args")
		if command, ok := j.d.text(j.key, name, "command"); ok && !j.joined {
			s.argv = append([]string{command}, args...)
		}
		if argv, ok := j.d.texts(j.key, name, "command"); ok && j.joined && len(argv) > 0 {
			s.argv = argv
		}
		all = append(all, s)
	}
	return all
}

func (j jsonServers) create(argv []string) error {
	entry := slices.Concat(j.before, j.command(argv), j.after)
	return j.d.put(entry, j.key, Name)
}

func (j jsonServers) set(name string, argv []string) error {
	for _, m := range j.command(argv) {
		if err := j.d.put(m.value, j.key, name, m.key); err != nil {
			return err
		}
	}
	return nil
}

func (j jsonServers) command(argv []string) object {
	if j.joined {
		return object{{"command", argv}}
	}
	return object{{"command", argv[0]}, {"args", argv[1:]}}
}

func (j jsonServers) rename(from, to string) error { return j.d.rename(to, j.key, from) }
func (j jsonServers) cut(name string) error        { return j.d.cut(j.key, name) }
