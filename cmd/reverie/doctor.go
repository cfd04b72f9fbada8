package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/indexer/lance"
	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/llm"
	"github.com/reverie-memory/reverie/operations"
	"github.com/reverie-memory/reverie/vault"
	"github.com/reverie-memory/reverie/workspace"
)

// check is one thing that doctor looked at.
type check struct {
	Name   string `json:"name"`
	State  string `json:"state"` // ok, warn or fail
	Detail string `json:"detail"`
	Fix    string `json:"fix,omitempty"`
}

func ok(name, format string, args ...any) check {
	return check{Name: name, State: "ok", Detail: fmt.Sprintf(format, args...)}
}

func warn(name, fix, format string, args ...any) check {
	return check{Name: name, State: "warn", Detail: fmt.Sprintf(format, args...), Fix: fix}
}

func fail(name, fix, format string, args ...any) check {
	return check{Name: name, State: "fail", Detail: fmt.Sprintf(format, args...), Fix: fix}
}

func (a *app) doctorCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Look for every known trouble and say how to mend it",
		Long: `Doctor checks settings, vault, permissions, library, index, embedder, model, dreams, assistants, transcripts, disk space,
watch limits and clock.
It starts nothing and changes nothing. It exits with 1 when something is broken.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			checks := a.examine(cmd.Context())
			broken := slice.Count(checks, func(c check) bool { return c.State == "fail" })
			err := a.tell(checks, func() {
				for _, c := range checks {
					a.print("%-4s  %-11s %s\n", c.State, c.Name, c.Detail)
					if c.Fix != "" {
						a.print("      %-11s mend: %s\n", "", c.Fix)
					}
				}
			})
			if err == nil && broken > 0 {
				err = &codeError{exitFailed, fmt.Errorf("%d of %d checks failed", broken, len(checks))}
			}
			return err
		},
	}
}

// examine runs all checks; a broken settings file ends it, as nothing else can be judged then.
func (a *app) examine(ctx context.Context) []check {
	c, err := a.settings()
	if err != nil {
		return []check{fail("settings", "`reverie config default` prints a file with all settings", "%v", err)}
	}
	file := c.File
	file = cmp.Or(file, "none, defaults are used")
	out := []check{ok("settings", "file: %s", file)}
	for _, w := range c.Warnings {
		out = append(out, warn("settings", "", "%s", w))
	}
	out = append(out, checkVault(c)...)
	out = append(out, checkDataDir(c), checkVaults(c), a.checkForgotten(c))
	out = append(out, a.checkToken(c), checkLibrary(c))
	out = append(out, a.checkDaemon(ctx, c)...)
	out = append(out, checkEmbedder(ctx, c), a.checkModel(ctx, c))
	out = append(out, a.checkDreams(ctx, c)...)
	out = append(out, a.checkHosts(c)...)
	out = append(out, a.checkCapture(c)...)
	out = append(out, checkDisk("vault", c.Vault), checkDisk("data dir", c.DataDir), checkWatches(c), checkClock(c))
	return out
}

func checkVault(c config.Config) []check {
	if _, err := os.Stat(c.Vault); err != nil {
		return []check{fail("vault", "`reverie init --vault "+c.Vault+"`", "%v", err)}
	}
	out := []check{ok("vault", "%s", c.Vault)}
	if err := vault.Probe(c.Vault); err != nil {
		return append(out, fail("permissions", vault.Advice(err), "the vault cannot be written: %v", err))
	}
	return append(out, ok("permissions", "the vault can be written"))
}

// checkDataDir writes a file into the data folder, or where it is to be made, and removes it again.
func checkDataDir(c config.Config) check {
	const name = "data folder"
	err := tryWriting(existing(c.DataDir))
	if err != nil {
		mend := cmp.Or(vault.Advice(err), "name another folder: --data-dir, REVERIE_DATA_DIR or data_dir in the settings")
		return fail(name, mend, "%s cannot be written: %v", c.DataDir, err)
	}
	return ok(name, "%s can be written", c.DataDir)
}

func tryWriting(dir string) error {
	f, err := os.CreateTemp(dir, ".reverie-doctor-*")
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, 4096))
	return errors.Join(err, f.Sync(), f.Close(), os.Remove(f.Name()))
}

// existing is dir, or the innermost of its parents that is there.
func existing(dir string) string {
	for dir != filepath.Dir(dir) {
		if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
			break
		}
		dir = filepath.Dir(dir)
	}
	return dir
}

// checkVaults tells which of several vaults this is about, and finds those that were moved or deleted.
func checkVaults(c config.Config) check {
	const name = "vaults"
	v, err := config.LoadVaults()
	if err != nil {
		return fail(name, "correct or remove the file; `reverie vaults` lists what is known", "%v", err)
	}
	for _, k := range v.Known {
		if _, err := os.Stat(k.Path); errors.Is(err, os.ErrNotExist) {
			return warn(name, "`reverie vaults forget "+k.Path+"`; a vault that was moved is known again when a verb names it with --vault",
				"%s is not there any more", k.Path)
		}
	}
	if len(v.Known) > 1 {
		return ok(name, "%d are known, this is about %s; --vault names another, `reverie vaults default PATH` changes what is meant "+
			"without it", len(v.Known), c.Vault)
	}
	return ok(name, "no other vault is known")
}

// checkForgotten finds tombstones that are damaged or gone.
func (a *app) checkForgotten(c config.Config) check {
	const name = "forgotten"
	w, err := c.Workspace(a.flag.workspace)
	if err != nil {
		return fail(name, "", "%v", err)
	}
	stones, err := vault.ReadTombstones(w.Vault, w.DataDir)
	if errors.Is(err, os.ErrNotExist) {
		return ok(name, "nothing, as there is no vault")
	}
	if err != nil {
		return fail(name, "give your user access to "+filepath.Join(w.Vault, vault.StateDir), "%v", err)
	}
	problems := stones.Problems()
	for _, p := range problems {
		if stones.Lost() > 0 && p.Hint != "" {
			return fail(name, p.Hint, "%s: %s", p.Path, p.Reason)
		}
	}
	if len(problems) > 0 {
		return warn(name, "`reverie stop`, then `reverie status`: the start makes it whole", "%s: %s", problems[0].Path, problems[0].Reason)
	}
	return ok(name, "%d forgettings are kept", len(stones.Forgettings()))
}

func (a *app) checkToken(c config.Config) check {
	w, err := c.Workspace(a.flag.workspace)
	if err != nil {
		return fail("token", "", "%v", err)
	}
	_, err = readToken(w.TokenFile)
	switch {
	case errors.Is(err, os.ErrNotExist):
		if h, held := holder(w.DataDir); held {
			return fail("token", hintOf(stuck(h.PID, c, err)), "%s is gone, and the daemon (process %d) takes no other token", w.TokenFile, h.PID)
		}
		return ok("token", "will be made at the next start")
	case err != nil:
		return fail("token", hintOf(err), "%v", err)
	}
	return ok("token", "%s, readable by you alone", w.TokenFile)
}

func checkLibrary(c config.Config) check {
	switch err := lance.Load(); {
	case err == nil:
		return ok("library", "LanceDB is built in and its library loads")
	case lance.Built && c.Index.Engine == "lancedb":
		return fail("library", "`make lancedb`, or set index.engine to auto", "%v", err)
	case lance.Built:
		return warn("library", "`make lancedb`, or name the library in REVERIE_LANCEDB_LIB", "the flat engine stands in: %v", err)
	case c.Index.Engine == "lancedb":
		return fail("library", "`make lancedb build`, or set index.engine to auto", "index.engine is lancedb, which is not built in")
	}
	return ok("library", "LanceDB is not built in, the flat engine is used; `make lancedb build` adds it, which saves memory in vaults "+
		"of more than about 50,000 rows")
}

func (a *app) checkDaemon(ctx context.Context, c config.Config) []check {
	cl, err := a.running(ctx, c)
	var refused *codeError
	if errors.As(err, &refused) {
		return []check{fail("index", hintOf(err), "a daemon runs that cannot be asked: %v", err)}
	}
	if err != nil {
		w, werr := c.Workspace(a.flag.workspace)
		if h, held := holder(w.DataDir); werr == nil && held {
			return []check{fail("index", hintOf(stuck(h.PID, c, err)), "a daemon (process %d) runs that does not know this token: %v", h.PID, err)}
		}
		if _, statErr := os.Stat(filepath.Join(c.DataDir, vault.DaemonFile)); statErr == nil {
			return []check{warn("index", "`reverie status` starts it again", "the daemon ended without saying so: %v", err)}
		}
		if err := elsewhere(w.Vault, w.DataDir); werr == nil && err != nil && inUse(w.Vault) {
			return []check{fail("index", hintOf(err), "%v", err)}
		}
		return []check{ok("index", "no daemon is running; any verb starts it")}
	}
	s, err := operations.Status.Ask(ctx, cl, api.Nothing{})
	if err != nil {
		return []check{fail("index", "`reverie stop`, then `reverie status`", "the daemon does not answer: %v", err)}
	}
	var out []check
	s.Degraded = slices.DeleteFunc(s.Degraded, func(why string) bool {
		asks, found := strings.CutPrefix(why, operations.ProjectAsks)
		if found {
			out = append(out, warn("projects", "", "%s", asks))
		}
		return found
	})
	out = append(out, keptAsIs(s.Problems)...)
	if len(s.Degraded) > 0 {
		mend := "" // all but the index has a check of its own
		if why := strings.Join(s.Degraded, "; "); strings.Contains(why, vault.ErrMoved.Error()) {
			mend = vault.Advice(vault.ErrMoved)
		} else if slices.ContainsFunc(s.Degraded, func(why string) bool { return strings.HasPrefix(why, "index: ") }) {
			mend = "wait: the daemon mends what it can; where that does not help, `reverie reindex`"
		}
		return append(out, warn("index", mend, "%s", strings.Join(s.Degraded, "; ")))
	}
	return append(out, ok("index", "generation %d, engine %s, %d files to read", s.Index.Generation, s.Engine, s.Index.StaleFiles))
}

// keptAsIs names the first of what the files hold that is not understood, or not searched; nothing where all of it is.
func keptAsIs(problems []api.FileProblem) []check {
	if len(problems) == 0 {
		return nil
	}
	p, more := problems[0], ""
	if n := len(problems) - 1; n > 0 {
		more = fmt.Sprintf("; %d more are listed by `reverie status`", n)
	}
	return []check{warn("files", p.Hint, "%s: %s%s", placeOf(p.File, p.Line), oneLine(p.Reason, 300), more)}
}

func checkEmbedder(ctx context.Context, c config.Config) check {
	m, err := workspace.NewModels(c)
	if err != nil {
		return fail("embedder", "correct embedding.* or recall.rerank in the settings", "%v", err)
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	v, err := m.Embedder().Embed(ctx, []string{"probe"}, llm.Document)
	if err != nil {
		mend := "start the server of embedding.base_url"
		if c.Embedding.Provider == llm.ProviderLocal {
			mend = "bring the model's files back (reverie model list)"
		}
		return fail("embedder", mend+", or set embedding.provider to builtin; search is lexical until then", "%s: %v", m.Embedder().Name(), err)
	}
	detail := fmt.Sprintf("%s, %d dimensions", m.Embedder().Name(), len(v[0]))
	if r := m.Reranker(); r != nil {
		detail += fmt.Sprintf("; reranker %s, %s", r.Name(), r.Method())
	}
	return ok("embedder", "%s", detail)
}

// lowSpace is when a full disk is near enough to say so.
const lowSpace = 500 << 20

func checkDisk(name, dir string) check {
	free, err := freeSpace(existing(dir))
	if err != nil {
		return warn("disk", "", "cannot tell the free space of the %s: %v", name, err)
	}
	if free < lowSpace {
		return fail("disk", "free some space; nothing acknowledged is lost, but new turns will be refused", "only %d MB free for the %s",
			free>>20, name)
	}
	return ok("disk", "%.1f GB free for the %s", float64(free)/(1<<30), name)
}

func checkWatches(c config.Config) check {
	const name = "watches"
	if runtime.GOOS != "linux" {
		return ok(name, "no limit to check on %s", runtime.GOOS)
	}
	data, err := os.ReadFile("/proc/sys/fs/inotify/max_user_watches")
	if err != nil {
		return warn(name, "", "cannot read the inotify limit: %v", err)
	}
	limit, _ := strconv.Atoi(strings.TrimSpace(string(data)))
	dirs := 0
	_ = filepath.WalkDir(c.Vault, func(_ string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			dirs++
		}
		return nil
	})
	if dirs*2 > limit {
		return warn(name, "sudo sysctl fs.inotify.max_user_watches=524288", "the vault has %d folders, the system allows %d watches", dirs, limit)
	}
	return ok(name, "%d folders, %d watches allowed", dirs, limit)
}

// checkClock finds a clock that runs behind what is already written.
func checkClock(c config.Config) check {
	now := time.Now()
	newest := vault.Day("")
	for _, dir := range []string{vault.ArchiveDir, vault.DrawerDir} {
		entries, _ := os.ReadDir(filepath.Join(c.Vault, filepath.FromSlash(dir)))
		for _, e := range entries {
			if d, err := vault.ParseDay(strings.TrimSuffix(e.Name(), ".md")); err == nil && d > newest {
				newest = d
			}
		}
	}
	if newest > vault.DayOf(now.Add(24*time.Hour)) {
		return warn("clock", "set the clock, or correct the turns that were sent with a later time",
			"the newest log is of %s, but today is %s", newest, vault.DayOf(now))
	}
	if now.Year() < 2025 {
		return fail("clock", "set the clock", "the clock says %s", now.Format(time.DateOnly))
	}
	return ok("clock", "%s UTC", now.UTC().Format("2006-01-02 15:04"))
}
