package importer

import (
	"archive/zip"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/vault"
)

// GroupSize is how many messages of a chat make one turn.
const GroupSize = 20

const (
	maxProblems = 100      // places of a file that are not understood, before the rest of it is left
	bombFrom    = 64 << 20 // bytes from which a file of an archive may be no more than bombRatio times its packed size
	bombRatio   = 100
)

// An Export is what was found at a path: a file, or those files of a folder or a zip archive whose form is known. In a folder, archives are
// looked into as well.
type Export struct {
	Path     string
	Forms    []string // of its files, each once
	Size     int64    // of its files, in bytes
	Whose    Whose    // set before the messages are read
	files    []found
	problems []*PlaceError // what could not be looked at
	closes   []io.Closer
	read     int64
}

type found struct {
	tree *tree
	name string
	size int64
	by   Importer
}

// A tree is a folder or an archive.
type tree struct {
	fs.FS
	name string // in the folder that it lies in, with a slash behind it; "" at the top
	most int64  // bytes that an archive may give in all; 0: it is none
	left int64
}

// Open looks at what lies at a path. The error is [ErrForm] where nothing of a known form does. What cannot be read is among the problems
// that [Export.Messages] yields.
func Open(path string, by []Importer) (e *Export, err error) {
	e = &Export{Path: path}
	defer func() {
		if err != nil {
			err = errors.Join(err, e.Close())
		}
	}()
	if path, err = filepath.EvalSymlinks(path); err != nil { // a link that a person names is meant
		return e, err
	}
	switch info, err := os.Stat(path); {
	case err != nil:
		return e, err
	case info.IsDir():
		err = e.openFolder(path, ".", by)
		if err != nil {
			return e, err
		}
	case !info.Mode().IsRegular():
		return e, errors.New("neither a file nor a folder")
	case isZip(path):
		z, err := zip.OpenReader(path)
		if err != nil {
			return e, err
		}
		e.closes = append(e.closes, z)
		e.walk(archive(&z.Reader, "", info.Size()), ".", by)
	default:
		if err := e.openFolder(filepath.Dir(path), filepath.Base(path), by); err != nil {
			return e, err
		}
	}
	switch {
	case len(e.files) > 0:
	case len(e.problems) > 0:
		err = fmt.Errorf("%w; %w", ErrForm, e.problems[0])
	default:
		err = ErrForm
	}
	return e, err
}

// openFolder looks at what lies in a folder under a name. Links do not lead out of the folder.
func (e *Export) openFolder(path, name string, by []Importer) error {
	root, err := os.OpenRoot(path)
	if err != nil {
		return err
	}
	e.closes = append(e.closes, root)
	e.walk(&tree{FS: root.FS()}, name, by)
	return nil
}

// archive is an archive of so many bytes.
func archive(z *zip.Reader, name string, size int64) *tree {
	return &tree{FS: z, name: name, most: bombFrom + bombRatio*size}
}

func isZip(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	var head [4]byte
	_, err = io.ReadFull(f, head[:])
	return err == nil && bytes.Equal(head[:], []byte("PK\x03\x04"))
}

// walk looks at the files of a tree.
func (e *Export) walk(t *tree, top string, by []Importer) {
	_ = fs.WalkDir(t, top, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			err = e.look(t, name, d, by)
		}
		if err == nil {
			return nil
		}
		if len(e.problems) < maxProblems {
			e.problems = append(e.problems, &PlaceError{File: t.name + name, Err: err})
		}
		if d != nil && d.IsDir() {
			return fs.SkipDir
		}
		return nil
	})
}

// look takes a file in whose form is known.
func (e *Export) look(t *tree, name string, d fs.DirEntry, by []Importer) error {
	info, err := d.Info()
	if err != nil {
		return err
	}
	if h, ok := info.Sys().(*zip.FileHeader); ok && h.Flags&1 != 0 {
		return errors.New("it is encrypted")
	}
	f, err := t.Open(name)
	if err != nil {
		return err
	}
	if strings.EqualFold(path.Ext(name), ".zip") {
		return e.lookInto(t, name, f, info.Size(), by)
	}
	defer f.Close()
	head := make([]byte, HeadSize)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	for _, i := range by {
		if i.Reads(name, head[:n]) {
			e.files = append(e.files, found{t, name, info.Size(), i})
			e.Size += info.Size()
			if !slices.Contains(e.Forms, i.Name) {
				e.Forms = append(e.Forms, i.Name)
			}
			break
		}
	}
	return nil
}

// lookInto looks at the files of an archive that lies in a folder.
func (e *Export) lookInto(t *tree, name string, f fs.File, size int64, by []Importer) error {
	e.closes = append(e.closes, f)
	at, ok := f.(io.ReaderAt)
	if !ok {
		return errors.New("an archive in an archive is not opened")
	}
	z, err := zip.NewReader(at, size)
	if err != nil {
		return err
	}
	e.walk(archive(z, t.name+name+"/", size), ".", by)
	return nil
}

// Close closes what Open opened.
func (e *Export) Close() error {
	var err error
	for _, c := range e.closes {
		err = errors.Join(err, c.Close())
	}
	return err
}

// Files is how many files of a known form there are.
func (e *Export) Files() int { return len(e.files) }

// Read is how many bytes of Size were read.
func (e *Export) Read() int64 { return e.read }

// Found is a message with the form of its file.
type Found struct {
	Message
	Form string
}

// Messages yields the messages of all files, in turns: those of a chat that are read together share a turn id. A file that was yielded
// again, or has grown, gives the same ids. What is not understood is yielded as a [*PlaceError], and the rest goes on.
func (e *Export) Messages() iter.Seq2[Found, error] {
	return func(yield func(Found, error) bool) {
		for _, p := range e.problems {
			if !yield(Found{}, p) {
				return
			}
		}
		for _, file := range e.files {
			file.tree.left = file.tree.most
		}
		for _, file := range e.files {
			if !e.file(file, yield) {
				return
			}
		}
	}
}

// open opens a file with the bounds that are its.
func (e *Export) open(file found) (f File, done func(), err error) {
	f = File{Name: file.tree.name + file.name, FS: file.tree, at: &item{}}
	in, err := file.tree.Open(file.name)
	if err != nil {
		return f, nil, &PlaceError{File: f.Name, Err: err}
	}
	f.Reader = &counter{in: in, read: &e.read, limit: e.read + limitOf(in), tree: file.tree}
	if info, err := in.Stat(); err == nil {
		f.Mod = info.ModTime()
	}
	before := e.read + file.size
	return f, func() { _, e.read = in.Close(), before }, nil
}

// file yields what is in one file, false when no more is wanted.
func (e *Export) file(file found, yield func(Found, error) bool) bool {
	f, done, err := e.open(file)
	if err != nil {
		return yield(Found{}, err)
	}
	defer done()
	turns := newTurns(e.Whose)
	problems := 0
	for m, err := range file.by.messages(f) {
		if err == nil {
			err = turns.fit(&m, f)
		}
		if err != nil {
			if !errors.Is(err, ErrBeside) {
				problems++
			}
			if problems > maxProblems {
				return yield(Found{}, &PlaceError{File: f.Name, Err: errors.New("too much of it is not understood: the rest is left out")})
			}
			if !yield(Found{}, err) {
				return false
			}
			continue
		}
		if !yield(Found{m, file.by.Name}, nil) {
			return false
		}
	}
	return true
}

// limitOf is how many bytes a file may give: of an archive, not many times what it takes there.
func limitOf(f fs.File) int64 {
	const most = 1 << 50
	info, err := f.Stat()
	if err != nil {
		return most
	}
	if h, ok := info.Sys().(*zip.FileHeader); ok {
		return max(bombFrom, bombRatio*int64(h.CompressedSize64))
	}
	return most
}

// A counter counts the bytes that are read, and ends where they are too many for the file or for its archive.
type counter struct {
	in    io.Reader
	read  *int64
	limit int64
	tree  *tree
}

func (c *counter) Read(b []byte) (int, error) {
	if *c.read >= c.limit || c.tree.most > 0 && c.tree.left <= 0 {
		return 0, fmt.Errorf("it unpacks to more than %d times its size, and is not read on", bombRatio)
	}
	n, err := c.in.Read(b)
	*c.read += int64(n)
	c.tree.left -= int64(n)
	return n, err
}

// turns gives the messages of a file their ids, and puts them into turns of at most [GroupSize].
type turns struct {
	count  map[string]int    // chat → its messages
	turn   map[string]string // chat → the turn that goes on
	equals map[string]int    // id → how many messages nothing tells apart
	whose  Whose
}

func newTurns(w Whose) turns {
	return turns{map[string]int{}, map[string]string{}, map[string]int{}, w}
}

// name gives a message the id that it has in every file which holds it: by its own reference, else by what it is. Where it stands in the
// file says nothing, but among messages that are equal in all.
func (t *turns) name(m *Message) {
	if m.Ref != "" {
		own := []string{"import", m.Platform, m.ChatID, m.Ref}
		if m.Edit != "" {
			own = append(own, m.Edit)
		}
		m.ID = vault.DeriveID('d', own...)
	} else {
		when := ""
		if m.At != nil {
			when = m.At.UTC().Format(time.RFC3339Nano)
		}
		base := vault.DeriveID('d', "import", m.Platform, m.ChatID, when, cmp.Or(m.Speaker, m.Role), m.Content)
		m.ID = vault.DeriveID('d', base, strconv.Itoa(t.equals[base]))
		t.equals[base]++
	}
	if t.count[m.ChatID]%GroupSize == 0 {
		t.turn[m.ChatID] = vault.DeriveID('t', "import", m.ID)
	}
	t.count[m.ChatID]++
	m.TurnID = t.turn[m.ChatID]
}

var (
	errNoChat = errors.New("a message names no conversation")
	errLong   = fmt.Errorf("a message has more than %d characters, and is left out", api.MaxText)
)

// fit gives a message its ids, and makes of its names what may stand in the vault.
func (t *turns) fit(m *Message, f File) error {
	if m.ChatID == "" && m.ID == "" && m.Content != "" {
		return f.wrong(errNoChat)
	}
	if len(m.Content) > api.MaxText && utf8.RuneCountInString(m.Content) > api.MaxText {
		return f.wrong(errLong)
	}
	m.Content = strings.ToValidUTF8(m.Content, "\ufffd")
	m.ChatID, m.Ref, m.TurnID = name(m.ChatID), name(m.Ref), name(m.TurnID)
	m.Title, m.Speaker, m.Platform = label(m.Title, 500), label(m.Speaker, 200), label(m.Platform, 100)
	m.SourceFile, m.AddedBy = label(m.SourceFile, 1000), label(m.AddedBy, 200)
	m.Wing, m.Room, m.Hall = label(m.Wing, 100), label(m.Room, 100), label(m.Hall, 100)
	if m.TurnID == "" && m.ID == "" {
		t.name(m)
	}
	m.Role = t.whose.role(m)
	for i := range m.Triples {
		r := &m.Triples[i]
		r.Subject, r.Predicate, r.Object = label(r.Subject, 200), label(r.Predicate, 100), label(r.Object, 200)
	}
	m.Triples = slices.DeleteFunc(m.Triples, func(r api.ImportTriple) bool { return r.Subject == "" || r.Predicate == "" || r.Object == "" })
	m.fitFacts(f, t.whose)
	for i := range m.Assertions {
		if a := &m.Assertions[i]; t.whose.Others && a.Origin != tool {
			a.Origin = others
		}
	}
	return nil
}

// fitFacts gives the facts of a message what they share with it.
func (m *Message) fitFacts(f File, w Whose) {
	now := time.Now()
	for i := range m.Facts {
		fact := &m.Facts[i]
		fact.Content = strings.TrimSpace(strings.ToValidUTF8(fact.Content, "\ufffd"))
		if m.Content != "" || strings.ContainsFunc(fact.Content, unseen) { // what was a line of a log stays as it was
			fact.Content = strings.Join(strings.Fields(fact.Content), " ")
		}
		fact.Category = label(fact.Category, 50)
		fact.Tags = fact.Tags[:min(len(fact.Tags), 50)]
		for j, tag := range fact.Tags {
			fact.Tags[j] = label(tag, 100)
		}
		if m.Content == "" { // it stands for itself
			if w.Others && fact.Role != tool {
				fact.Role = others
			}
			continue
		}
		fact.ChatID, fact.Role, fact.Speaker, fact.Ref = m.ChatID, m.Role, m.Speaker, m.Ref
		fact.Wing, fact.Room, fact.Hall = m.Wing, m.Room, m.Hall
		fact.At = *cmp.Or(m.At, at(f.Mod), &now)
		fact.Drawer, fact.ID = m.ID, cmp.Or(fact.ID, vault.DeriveID('f', "import", m.Platform, m.ChatID, fact.Content))
	}
	m.Facts = slices.DeleteFunc(m.Facts, func(f api.ImportFact) bool { return f.Content == "" })
}

// name makes an id of what an export calls something. Two of them stay two.
func name(s string) string {
	const most = 180
	clean := strings.TrimSpace(strings.Map(func(r rune) rune {
		if unseen(r) {
			return '_'
		}
		return r
	}, s))
	if utf8.RuneCountInString(clean) > most {
		clean = string([]rune(clean)[:most])
	}
	if clean != s {
		clean += "-" + derived(s)
	}
	return clean
}

// label makes one line of a text, and cuts it.
func label(s string, most int) string {
	s = strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if unseen(r) {
			return ' '
		}
		return r
	}, s)), " ")
	if utf8.RuneCountInString(s) > most {
		s = strings.TrimSpace(string([]rune(s)[:most]))
	}
	return s
}

func unseen(r rune) bool {
	return unicode.IsControl(r) || r == unicode.ReplacementChar || r == '\u2028' || r == '\u2029' || r == '\ufeff'
}
