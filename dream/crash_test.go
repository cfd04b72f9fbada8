package dream_test

import (
	"context"
	"errors"
	"flag"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/dream"
	"github.com/reverie-memory/reverie/dream/page"
	"github.com/reverie-memory/reverie/forget"
	"github.com/reverie-memory/reverie/vault"
)

// busyWorld is about to make a run that has all to do: pages to make and to change, an answer to carry out, something to forget.
func busyWorld(t *testing.T) *world {
	w := newWorld(t, "2026-06-10 03:00")
	w.write(alice, foreign)
	exampleFacts(w)
	if rep := w.run(); rep.Conflicts != 1 {
		t.Fatalf("%+v", rep)
	}
	w.edit("0_Inbox/Conflicts.md", "- [ ] [[Noor]]: birthday on 14 March", "- [x] [[Noor]]: birthday on 14 March")
	w.edit("memory/MEMORY.md", "# Memory\n", "# Memory\n\nA word of mine.\n")
	w.forget("The billing service runs on port 8443")
	w.tell("2026-06-10", "Alice", "c", "[personal] Alice moved to Lisbon #home", "[personal] Alice plays the cello", "[personal] Ok",
		"[decision] The search service uses Redis for queues #search", "[fact] The search service runs on port 9200 #search",
		"[personal] Alice's brother Omar lives in Cairo #family", "[personal] Omar has a dog", "[personal] Omar works as a nurse")
	w.tell("2026-06-09", "Alice", "late", "[personal] Alice speaks Portuguese")
	w.set("2026-06-11 03:00")
	return w
}

// drain runs until nothing is left to do.
func (w *world) drain() {
	w.t.Helper()
	for range 10 {
		rep, err := w.r.Run(w.t.Context(), dream.Request{Forced: true})
		if err != nil {
			w.t.Fatal(err)
		}
		if rep.Status == dream.NothingPending {
			return
		}
	}
	w.t.Fatal("the runs do not come to an end")
}

// points are steps at which to stop: all of them, or some.
func points(n int) []int {
	all := rand.Perm(n)
	if testing.Short() {
		return append(all[:15], 0, n-1)
	}
	return all
}

// Wherever a run is cut off, nothing is lost, and the next start makes the pages that an undisturbed run makes.
func TestCrash(t *testing.T) {
	start := busyWorld(t)
	calm := start.clone()
	calm.crashAt(1 << 30)
	calm.drain()
	calm.account()
	want, steps := calm.pages(), calm.steps
	if steps < 100 {
		t.Fatalf("only %d steps", steps)
	}
	for _, n := range points(steps) {
		w := start.clone()
		w.crashAt(n)
		_, err := w.r.Run(t.Context(), dream.Request{Forced: true})
		if err == nil && w.steps > n {
			t.Errorf("stopped at step %d, and nobody noticed", n)
		}
		w.restart()
		if _, err := w.r.Recover(t.Context()); err != nil {
			t.Fatalf("after a stop at step %d: %v", n, err)
		}
		w.drain()
		w.account()
		same(t, "after a stop at step "+strconv.Itoa(n), w.pages(), want)
		if t.Failed() {
			return
		}
		w.drop()
	}
}

// A run that is cut off again and again gets there.
func TestCrashAgainAndAgain(t *testing.T) {
	start := busyWorld(t)
	calm := start.clone()
	calm.drain()
	w := start.clone()
	for range 200 {
		w.crashAt(40 + rand.IntN(60))
		_, err := w.r.Run(t.Context(), dream.Request{Forced: true})
		if done := err == nil && !w.crashed(); done {
			break
		}
		w.restart()
	}
	w.restart()
	w.drain()
	w.account()
	same(t, "after many stops", w.pages(), calm.pages())
}

// The same with a person who edits a page between the crash and the next start.
func TestCrashThenEdit(t *testing.T) {
	start := busyWorld(t)
	calm := start.clone()
	calm.crashAt(1 << 30)
	calm.drain()
	all := points(calm.steps)
	for _, n := range all[:len(all)/4] {
		w := start.clone()
		w.crashAt(n)
		_, _ = w.r.Run(t.Context(), dream.Request{Forced: true})
		w.restart()
		w.edit(alice, "red door", "green door")
		w.write("1_Projects/Billing.md", w.read("1_Projects/Billing.md")+"\n## Mine\n- A word of mine\n")
		w.drain()
		w.account()
		w.survives(alice, strings.Replace(foreign, "red door", "green door", 1))
		w.has("1_Projects/Billing.md", "- A word of mine")
		for text := range calm.said() {
			if _, ok := w.said()[strings.Replace(text, "red door", "green door", 1)]; !ok {
				t.Errorf("step %d: %q is missing", n, text)
			}
		}
		for _, name := range []string{alice, "1_Projects/Billing.md", "3_Personal/Noor.md"} {
			w.saysOnce(name)
		}
		if t.Failed() {
			t.Fatalf("at step %d\n%s", n, w.dump())
		}
		w.drop()
	}
}

// saysOnce checks that no two statements of a page are the same.
func (w *world) saysOnce(name string) {
	w.t.Helper()
	seen := map[string]bool{}
	for _, st := range page.Parse(vault.Path(name), []byte(w.read(name))).Statements() {
		if seen[st.Text] {
			w.t.Errorf("%s says %q twice:\n%s", name, st.Text, w.read(name))
		}
		seen[st.Text] = true
	}
}

// Carrying a plan out twice is carrying it out once.
func TestPlanTwice(t *testing.T) {
	w := busyWorld(t)
	rep := w.run()
	want := w.pages()
	w.remove(".state/dreams/" + rep.Run + "/done")
	again, err := w.r.Recover(t.Context())
	if err != nil || again == nil || again.Status != dream.Consolidated || !again.Resumed || again.Run != rep.Run {
		t.Fatalf("%+v %v", again, err)
	}
	same(t, "carried out twice", w.pages(), want)
	w.account()
}

// crashAfterPages lets n pages of the zones take their place, and nothing happen after that until restart.
func (w *world) crashAfterPages(n int) {
	w.ask = func(op string, p vault.Path) error {
		if n == 0 {
			return errCrash
		}
		if zone, _, _ := strings.Cut(string(p), "_"); op == "rename" && len(zone) == 1 {
			n--
		}
		return nil
	}
}

// cutOff is a world whose run was cut off with the first of its pages written.
func cutOff(t *testing.T) *world {
	w := busyWorld(t)
	w.at("apply", func() { w.crashAfterPages(1) })
	if _, err := w.r.Run(t.Context(), dream.Request{Forced: true}); err == nil {
		t.Fatal("it was not cut off")
	}
	w.restart()
	return w
}

// What is forgotten while a plan lies there is not written by it.
func TestForgottenWhileCutOff(t *testing.T) {
	for name, do := range map[string]func(w *world) error{
		"recover":   func(w *world) error { _, err := w.r.Recover(t.Context()); return err },
		"run":       func(w *world) error { _, err := w.r.Run(t.Context(), dream.Request{Forced: true}); return err },
		"unmention": func(w *world) error { _, err := w.r.Unmention(t.Context()); return err },
		"purge": func(w *world) error {
			return w.r.Purge(t.Context(), &forget.Purge{Tells: func(text string) bool { return strings.Contains(text, "cello") }})
		},
	} {
		w := cutOff(t)
		w.forget("Alice plays the cello")
		if err := do(w); err != nil {
			t.Fatal(name, err)
		}
		w.clean("cello")
		w.drain()
		w.has(alice, "Lisbon")
		w.has("3_Personal/Omar.md", "nurse")
		w.account()
		if t.Failed() {
			t.Fatal(name)
		}
	}
}

// A plan that another version of the program made is planned again where its ops give another page.
func TestPlanOfAnotherVersion(t *testing.T) {
	calm := busyWorld(t)
	calm.drain()
	w := cutOff(t)
	runs, err := w.v.ListState("dreams")
	if err != nil {
		t.Fatal(err)
	}
	plan := ".state/dreams/" + runs[len(runs)-1] + "/plan.json"
	w.edit(plan, `"text":"Alice plays the cello"`, `"text":"Alice plays the viola"`)
	w.drain()
	w.account()
	same(t, "planned again", w.pages(), calm.pages(), "log.md")
}

// A cancelled run does no harm, and the next one gets there.
func TestCancel(t *testing.T) {
	start := busyWorld(t)
	calm := start.clone()
	var phases []string
	calm.during = func(p dream.Progress) {
		if !slices.Contains(phases, p.Phase) {
			phases = append(phases, p.Phase)
		}
	}
	calm.run()
	calm.during = nil
	calm.drain()
	if len(phases) < 6 {
		t.Fatal(phases)
	}
	for _, phase := range phases {
		w := start.clone()
		ctx, cancel := context.WithCancel(t.Context())
		w.at(phase, cancel)
		rep, err := w.r.Run(ctx, dream.Request{Forced: true})
		if err == nil && rep.Status != dream.Consolidated || err != nil && !errors.Is(err, dream.ErrCanceled) {
			t.Errorf("cancelled in %s: %v %+v", phase, err, rep)
		}
		w.during = nil
		w.drain()
		w.account()
		same(t, "cancelled in "+phase, w.pages(), calm.pages())
		if d, _ := w.r.Decide(t.Context(), true); strings.Contains(strings.Join(d.Reasons, " "), "failed") {
			t.Errorf("cancelled in %s: counted as a failure: %v", phase, d.Reasons)
		}
	}
}

const childEnv = "REVERIE_TEST_DREAM_CHILD"

// child is a program of its own, which kills itself at a step of the run.
func child(at string) {
	dir := os.Getenv(childEnv)
	n, err := strconv.Atoi(at)
	if err != nil {
		panic(err)
	}
	w := &world{dir: dir, now: time.Date(2026, 6, 11, 3, 0, 0, 0, time.UTC)}
	steps := 0
	w.ask = func(string, vault.Path) error {
		if steps++; steps > n {
			self, _ := os.FindProcess(os.Getpid())
			_ = self.Kill()
			select {}
		}
		return nil
	}
	v, err := vault.Open(dir, w.vaultOptions()...)
	if err != nil {
		panic(err)
	}
	w.wire(v)
	_, _ = w.r.Run(context.Background(), dream.Request{Forced: true})
	os.Exit(7) // it should not have lived
}

var kills = flag.Int("kills", 100, "how many programs TestKill kills")

// The same with programs that are really killed.
func TestKill(t *testing.T) {
	start := busyWorld(t)
	calm := start.clone()
	calm.crashAt(1 << 30)
	calm.run()
	steps := calm.steps
	calm.restart()
	calm.drain()
	times := *kills
	if testing.Short() {
		times = 2
	}
	for range times {
		n := 3 + rand.IntN(steps-3)
		w := start.clone()
		_ = w.v.Close()
		cmd := exec.CommandContext(t.Context(), os.Args[0])
		cmd.Env = append(os.Environ(), childEnv+"="+w.dir, childEnv+"_AT="+strconv.Itoa(n))
		out, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() == 7 || exit.ExitCode() == 2 {
			t.Fatalf("step %d: %v\n%s", n, err, out)
		}
		w.open()
		if _, err := w.r.Recover(t.Context()); err != nil {
			t.Fatal(n, err)
		}
		w.drain()
		w.account()
		same(t, "killed at step "+strconv.Itoa(n), w.pages(), calm.pages())
	}
}
