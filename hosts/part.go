package hosts

// A part is what of Reverie goes into one file. Its functions give data back as it is where nothing is to be done, and fail where a
// file is not what the program would read.
type part interface {
	// add makes the part complete and right; what a person added to it stays.
	add(data []byte, l Launch) ([]byte, error)
	// remove takes everything of Reverie out.
	remove(data []byte) ([]byte, error)
	// find lists what of Reverie is there.
	find(data []byte) ([]Entry, error)
	// wants are the names of the entries that add leaves, each once.
	wants() []string
}

// Entry is something of Reverie in a file.
type Entry struct {
	Name    string   // "server", "hook stop", "command dream"
	Command []string // what it runs; nil where it runs nothing
	Foreign bool     // somebody else's, under the name that it would have
}
