package llmtest

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// An Act is what a scripted program does at one call. The zero value reads everything and prints nothing.
type Act struct {
	Out   string // printed on standard output, when everything was read
	Err   string // printed on standard error
	Exit  int    // exit code
	Deaf  bool   // standard input is not read
	Flood bool   // prints without end
	Dial  string // connects to this address, and the connection stays open for as long as the process lives
	Child *Act   // starts a process that does this, with the same standard output, and goes on when that has connected
	Hang  bool   // does not end by itself
}

// A Run is one call as the program saw it.
type Run struct {
	Input string
	Env   []string
	Dir   string
	Files []string // in Dir
}

// A Program is a scripted program: the test binary itself, which does what it is told when it is started by [Program.Command].
// TestMain must call [Perform] first.
type Program struct {
	t    testing.TB
	dir  string
	acts int
}

// performer is the argument by which a test binary knows that it is a scripted program.
const performer = "perform-as-scripted-program"

// NewProgram returns a program that does one act at each call, and the last one again and again.
func NewProgram(t testing.TB, acts ...Act) *Program {
	p := &Program{t: t, dir: t.TempDir()}
	p.play(acts)
	return p
}

// Then has the program go on with other acts at the next call.
func (p *Program) Then(acts ...Act) {
	p.acts = len(p.Runs())
	p.play(acts)
}

func (p *Program) play(acts []Act) {
	for _, a := range acts {
		p.acts++
		data, err := json.Marshal(a)
		if err != nil {
			p.t.Fatal(err)
		}
		if err := os.WriteFile(p.act(p.acts), data, 0o600); err != nil {
			p.t.Fatal(err)
		}
	}
}

func (p *Program) act(n int) string { return filepath.Join(p.dir, fmt.Sprintf("act-%d.json", n)) }

// Command is the program and its arguments.
func (p *Program) Command() []string {
	exe, err := os.Executable()
	if err != nil {
		p.t.Fatal(err)
	}
	return []string{exe, performer, p.dir}
}

// Runs are the calls so far, in order.
func (p *Program) Runs() []Run {
	p.t.Helper()
	var runs []Run
	for {
		data, err := os.ReadFile(filepath.Join(p.dir, fmt.Sprintf("run-%d.json", len(runs)+1)))
		if err != nil {
			return runs
		}
		var r Run
		if err := json.Unmarshal(data, &r); err != nil {
			p.t.Fatal(err)
		}
		runs = append(runs, r)
	}
}

// Perform plays the program and does not return, where the process was started as one. Other processes it leaves alone.
func Perform() {
	if len(os.Args) < 3 || os.Args[1] != performer {
		return
	}
	dir := os.Args[2]
	var a Act
	if len(os.Args) > 3 { // a child
		must(json.Unmarshal([]byte(os.Args[3]), &a))
		a.perform()
	}
	var in []byte
	n := claim(dir)
	for i := n; i > 0; i-- {
		data, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("act-%d.json", i)))
		if err == nil {
			must(json.Unmarshal(data, &a))
			break
		}
	}
	if !a.Deaf {
		in, _ = io.ReadAll(os.Stdin)
	}
	wd, err := os.Getwd()
	must(err)
	entries, err := os.ReadDir(wd)
	must(err)
	run := Run{Input: string(in), Env: os.Environ(), Dir: wd}
	for _, e := range entries {
		run.Files = append(run.Files, e.Name())
	}
	data, err := json.Marshal(run)
	must(err)
	file := filepath.Join(dir, fmt.Sprintf("run-%d.json", n))
	must(os.WriteFile(file+".new", data, 0o600))
	must(os.Rename(file+".new", file))
	a.perform()
}

// claim numbers a call.
func claim(dir string) int {
	for n := 1; ; n++ {
		f, err := os.OpenFile(filepath.Join(dir, fmt.Sprintf("claim-%d", n)), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err == nil {
			must(f.Close())
			return n
		}
		if !os.IsExist(err) {
			must(err)
		}
	}
}

func (a Act) perform() {
	if a.Child != nil {
		a.Child.start()
	}
	if a.Dial != "" {
		c, err := net.Dial("tcp", a.Dial)
		must(err)
		defer c.Close()
		fmt.Fprintln(os.Stderr, "connected")
	}
	fmt.Fprint(os.Stderr, a.Err)
	fmt.Fprint(os.Stdout, a.Out)
	for a.Flood {
		if _, err := os.Stdout.WriteString(strings.Repeat("flood ", 1000)); err != nil {
			break
		}
	}
	for a.Hang {
		time.Sleep(time.Hour)
	}
	os.Exit(a.Exit)
}

// start runs a child and waits until it has connected.
func (a Act) start() {
	data, err := json.Marshal(a)
	must(err)
	cmd := exec.Command(os.Args[0], performer, os.Args[2], string(data))
	cmd.Stdin, cmd.Stdout = os.Stdin, os.Stdout
	said, err := cmd.StderrPipe()
	must(err)
	must(cmd.Start())
	_, err = io.ReadFull(said, make([]byte, len("connected")))
	must(err)
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "scripted program:", err)
		os.Exit(99)
	}
}
