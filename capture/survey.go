package capture

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/transcript"
)

// A Host is how the capture of an assistant stands.
type Host struct {
	Name     string
	Folders  []string // those that are there
	Files    int
	Since    time.Time // zero: it was not set up, and nothing is read
	LastHook time.Time
	Newest   time.Time // when a transcript last changed

	// Behind counts the transcripts with something that was not captured and is older than [Lag], and Oldest is when the first of them
	// changed.
	Behind int
	Oldest time.Time

	Refused string // the folder of a file that a hook named lately and that is not read, as it lies outside of Folders; "" for none

	Broken int    // lines that make no sense
	Where  string // the first of them, or the folder that cannot be read
	Err    error
}

// Lag is how long a transcript may have something new before that is worth telling.
const Lag = 10 * time.Minute

// Silence is how long transcripts may change without a hook.
const Silence = 24 * time.Hour

// Memorable is how long a refused file is told of.
const Memorable = 7 * 24 * time.Hour

// A Problem is something that keeps transcripts from being captured, with what mends it.
type Problem struct{ Text, Mend string }

// Problems are what is wrong with a host. running: a daemon is there to capture.
func (h Host) Problems(running bool) (out []Problem) {
	if h.Since.IsZero() {
		return nil
	}
	setup := "`reverie setup " + h.Name + "`"
	if h.Err != nil {
		out = append(out, Problem{
			fmt.Sprintf("%s: %s cannot be captured: %v", h.Name, h.Where, h.Err),
			"mend what the message names: it is tried again and again; or take " + h.Name + " out of capture.hosts",
		})
	}
	if h.Behind > 0 {
		p := Problem{
			fmt.Sprintf("%s: %d transcripts are not captured, the oldest has waited since %s", h.Name, h.Behind, day(h.Oldest)),
			"`reverie status` starts the daemon, which takes them in",
		}
		if running {
			p.Mend = "wait while the daemon is reading; where the number does not fall, its log says why"
		}
		out = append(out, p)
	}
	if h.Refused != "" {
		out = append(out, Problem{
			fmt.Sprintf("%s: a hook named a file in %q, which is no folder with its transcripts: it is not read", h.Name, h.Refused),
			fmt.Sprintf("add %q to capture.folders if %s keeps its transcripts there; else look who changed its hooks", h.Name+"="+h.Refused,
				h.Name),
		})
	}
	if h.Broken > 0 {
		out = append(out, Problem{
			fmt.Sprintf("%s: %d lines of its transcripts make no sense, the first is at %s", h.Name, h.Broken, h.Where),
			"nothing, where the program crashed while it wrote; where there are more each day, it writes a form that this version does not know",
		})
	}
	if h.Newest.Sub(h.LastHook) > Silence && h.Newest.Sub(h.Since) > Silence {
		heard := "no hook has ever run"
		if !h.LastHook.IsZero() {
			heard = "no hook has run since " + day(h.LastHook)
		}
		out = append(out, Problem{h.Name + ": " + heard + ", while its transcripts have grown; they are read all the same, later", setup})
	}
	return out
}

func day(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }

// Survey tells how the capture of each host stands that the settings allow, from the files alone. Survey may be called while a daemon runs,
// and while none does.
func Survey(o Options) []Host {
	s := load(o.stateDir())
	var out []Host
	for _, h := range transcript.Hosts() {
		if o.wants(h.Name()) {
			st, _ := survey(o, s, h)
			out = append(out, st)
		}
	}
	return out
}

// A found transcript, with something that was not read, or a turn that waits.
type found struct {
	path string
	host transcript.Host
	info fs.FileInfo
	pos  position
}

// survey looks at the folders of one host, and finds what is to be read, the newest first.
func survey(o Options, s *state, h transcript.Host) (st Host, todo []found) {
	b := s.begun[h.Name()]
	st = Host{Name: h.Name(), Since: b.Since, LastHook: b.Hook}
	if _, allowed := o.within(h, b.Refused); !allowed && o.now().Sub(b.RefusedAt) < Memorable {
		st.Refused = b.Refused
	}
	for _, dir := range o.folders(h) {
		if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		st.Folders = append(st.Folders, dir)
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				st.fail(path, err)
				return nil
			}
			rel, _ := filepath.Rel(dir, path)
			if !d.Type().IsRegular() || !h.Keeps(rel) {
				return nil
			}
			info, err := d.Info()
			if err != nil {
				return nil //nolint:nilerr // it is gone by now
			}
			st.Files++
			if info.ModTime().After(st.Newest) {
				st.Newest = info.ModTime()
			}
			if f := (found{path, h, info, s.files[path]}); st.see(f, o.now()) {
				todo = append(todo, f)
			}
			return nil
		})
		if err != nil {
			st.fail(dir, err)
		}
	}
	slices.SortFunc(todo, func(a, b found) int { return b.info.ModTime().Compare(a.info.ModTime()) })
	return st, todo
}

func (h *Host) fail(path string, err error) {
	if h.Err == nil {
		h.Where, h.Err = path, err
	}
}

// see counts a transcript, and tells whether there is something to read.
func (h *Host) see(f found, now time.Time) bool {
	if h.Since.IsZero() || f.info.ModTime().Before(h.Since) {
		return false
	}
	if f.pos.Broken > 0 {
		if h.Broken == 0 && h.Err == nil {
			h.Where = fmt.Sprintf("byte %d of %s", f.pos.At, f.path)
		}
		h.Broken += f.pos.Broken
	}
	if !f.changed() && !f.pos.Open {
		return false
	}
	if now.Sub(f.info.ModTime()) > Lag {
		h.Behind++
		if f.pos.Why != "" {
			h.fail(f.path, errors.New(f.pos.Why))
		}
		if h.Oldest.IsZero() || f.info.ModTime().Before(h.Oldest) {
			h.Oldest = f.info.ModTime()
		}
	}
	return true
}

// changed tells whether a file is another one than it was when it was read.
func (f found) changed() bool {
	return f.pos.Size != f.info.Size() || !f.pos.Mod.Equal(f.info.ModTime())
}

// folders are those of a host: its own, and those of the settings.
func (o Options) folders(h transcript.Host) []string {
	out := h.Folders(o.Home)
	for _, f := range o.Folders {
		if name, dir, _ := strings.Cut(f, "="); name == h.Name() && !slices.Contains(out, dir) {
			out = append(out, dir)
		}
	}
	return out
}

// within gives the path under which the tail finds a file or folder, whose own path is without links. false: it lies in no folder of the
// host.
func (o Options) within(h transcript.Host, target string) (string, bool) {
	for _, dir := range o.folders(h) {
		if root, err := filepath.EvalSymlinks(dir); err == nil {
			if rel, err := filepath.Rel(root, target); err == nil && filepath.IsLocal(rel) {
				return filepath.Join(dir, rel), true
			}
		}
	}
	return "", false
}
