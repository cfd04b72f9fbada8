package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"

	"github.com/reverie-memory/reverie/vault"
)

// asDaemon in the environment makes this test binary behave as the program, so that tests can kill it.
const asDaemon = "REVERIE_TEST_AS_PROGRAM"

// raceOptions are those of the programs that tests start: with the race detector each would wait a second before it ends.
func raceOptions() string { return os.Getenv("GORACE") + " atexit_sleep_ms=10" }

func TestMain(m *testing.M) {
	if os.Getenv(asDaemon) != "" {
		os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	testscript.Main(m, map[string]func(){
		"reverie": func() {
			executable = func() (string, error) { return exec.LookPath(os.Args[0]) }
			main()
		},
		"scripted-model": scriptedModel,
		"tiny-model":     tinyModel,
	})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"),
		Condition: func(cond string) (bool, error) {
			switch cond {
			case "midnight": // what is said now may be of another day soon
				return vault.DayOf(time.Now()) != vault.DayOf(time.Now().Add(10*time.Minute)), nil
			case "fulldisk": // doctor has something to say
				free, err := freeSpace(os.TempDir())
				return free < 2*lowSpace, err
			}
			return false, fmt.Errorf("unknown condition %q", cond)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"eventually": eventually,
			// informed PROGRAM ARGS... asks again as long as the answer says that it does not know what changed just now: on a busy machine.
			"informed": func(ts *testscript.TestScript, _ bool, args []string) {
				for range 100 {
					ts.Check(ts.Exec(args[0], args[1:]...))
					if !strings.Contains(ts.ReadFile("stderr"), "are not read yet") {
						return
					}
				}
				ts.Fatalf("what changed is never read")
			},
			// exits CODE PROGRAM ARGS... wants exactly this exit code.
			"exits": func(ts *testscript.TestScript, _ bool, args []string) {
				got := 0
				var exit *exec.ExitError
				if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
					got = exit.ExitCode()
				} else {
					ts.Check(err)
				}
				if strconv.Itoa(got) != args[0] {
					ts.Fatalf("exit code %d, want %s", got, args[0])
				}
			},
		},
		Setup: func(e *testscript.Env) error {
			e.Setenv("GORACE", raceOptions())
			e.Setenv("HOME", e.WorkDir)
			e.Setenv("USERPROFILE", e.WorkDir)
			e.Setenv("XDG_CONFIG_HOME", filepath.Join(e.WorkDir, "config"))
			e.Setenv("XDG_DATA_HOME", filepath.Join(e.WorkDir, "xdg"))
			e.Setenv("XDG_STATE_HOME", filepath.Join(e.WorkDir, "state"))
			e.Setenv("APPDATA", filepath.Join(e.WorkDir, "appdata"))
			e.Setenv("LOCALAPPDATA", filepath.Join(e.WorkDir, "localappdata"))
			e.Setenv("REVERIE_VAULT", filepath.Join(e.WorkDir, "vault"))
			e.Setenv("REVERIE_DATA_DIR", filepath.Join(e.WorkDir, "data"))
			e.Setenv("REVERIE_ADDR", "127.0.0.1:0")
			// A script that fails half-way must not leave its daemon behind.
			e.Defer(func() {
				if d, err := readDaemon(filepath.Join(e.WorkDir, "data")); err == nil {
					if p, err := os.FindProcess(d.PID); err == nil {
						_ = p.Kill()
					}
				}
			})
			return nil
		},
	})
}

// A verb that is not tried would make `bench same record` fail after minutes.
func TestEveryVerbIsTried(t *testing.T) {
	tried, err := os.ReadFile(filepath.FromSlash("../bench/same/commands.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var look func(above string, c *cobra.Command)
	look = func(above string, c *cobra.Command) {
		for _, sub := range c.Commands() {
			name := above + sub.Name()
			if sub.IsAvailableCommand() && !strings.Contains(string(tried), "\n"+name+"\n") && !strings.Contains(string(tried), "\n"+name+" ") {
				t.Errorf("same/commands.txt does not try %q", name)
			}
			look(name+" ", sub)
		}
	}
	look("", (&app{}).root())
}
