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

func ownServers(in serverList) []server {
	return slices.DeleteFunc(in.list(), func(s server) bool { return s.name != Name && !isServer(s.argv) })
}

// addServer leaves one server of Reverie, which runs what l says.
func addServer(in serverList, l Launch) error {
	own := ownServers(in)
	kept := slices.IndexFunc(own, func(s server) bool { return s.name == Name })
	if kept < 0 {
		kept = 0
	}
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

func removeServers(in serverList) error {
	for _, s := range ownServers(in) {
		if err := in.cut(s.name); err != nil {
			return err
		}
	}
	return nil
}

func findServers(in serverList) (found []Entry) {
	for _, s := range ownServers(in) {
		found = append(found, Entry{Name: "server", Command: s.argv})
	}
	return found
}

// jsonServer is the MCP server in a JSON file.
type jsonServer struct{ shape }

func (p jsonServer) wants() []string { return []string{"server"} }

func (p jsonServer) add(data []byte, l Launch) ([]byte, error) {
	return edit(data, func(d *document) error { return addServer(jsonServers{p.shape, d}, l) })
}

func (p jsonServer) remove(data []byte) ([]byte, error) {
	return edit(data, func(d *document) error { return removeServers(jsonServers{p.shape, d}) })
}

func (p jsonServer) find(data []byte) (found []Entry, err error) {
	_, err = edit(data, func(d *document) error { found = findServers(jsonServers{p.shape, d}); return nil })
	return found, err
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
