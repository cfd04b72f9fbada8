package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/adrg/xdg"
	"github.com/aymanbagabas/go-udiff"
	"github.com/spf13/cobra"

	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/hosts"
	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/operations"
	"github.com/reverie-memory/reverie/redact"
	"github.com/reverie-memory/reverie/spool"
	"github.com/reverie-memory/reverie/vault"
)

// setup is one run of the verb.
type setup struct {
	*app
	cmd *cobra.Command

	env    hosts.Env
	launch hosts.Launch
	store  hosts.Store

	list, all, dryRun, undo, project, yes bool
	withModel                             string
}

func (a *app) setupCmd() *cobra.Command {
	s := &setup{app: a}
	c := &cobra.Command{
		Use:   "setup [PROGRAM...]",
		Short: "Give assistants their memory: write Reverie into their programs' settings, or take it out",
		Long: `Setup adds Reverie to the settings of programs that assistants run in, and shows what it changes. All else in the files stays as it
is, byte by byte. A second run changes nothing. As a file was before the first change, it is kept, and --undo gives it back; where
somebody has changed it since, --undo takes out what is Reverie's and leaves the rest. docs/setup.md tells what is written where.

Programs: ` + strings.Join(hostNames(), ", ") + `.`,
		Args: cobra.ArbitraryArgs,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return hostNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			s.cmd = cmd
			return s.run(args)
		},
	}
	f := c.Flags()
	f.BoolVar(&s.list, "list", false, "tell which programs are there and how they stand; changes nothing")
	f.BoolVar(&s.all, "all", false, "every program that is found")
	f.BoolVar(&s.dryRun, "dry-run", false, "show what would change, and write nothing")
	f.BoolVar(&s.undo, "undo", false, "take Reverie out of the settings again")
	f.BoolVar(&s.project, "project", false, "the settings of the project of this folder, which are shared, instead of your own")
	f.BoolVar(&s.yes, "yes", false, "ask nothing, and agree")
	f.StringVar(&s.withModel, "with-model", "", "propose a program that is found as the model: claude, codex, gemini or ollama:MODEL")
	f.Lookup("with-model").NoOptDefVal = anyModel
	c.MarkFlagsMutuallyExclusive("with-model", "project")
	return c
}

func hostNames() (names []string) {
	return slice.Map(hosts.All, func(h hosts.Host) string { return h.Name })
}

// assistants is what decides where programs keep their settings on this machine.
func assistants() (hosts.Env, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return hosts.Env{}, fmt.Errorf("find your home folder: %w", err)
	}
	return hosts.Env{OS: runtime.GOOS, Home: home, Getenv: os.Getenv, Look: exec.LookPath}, nil
}

// program is what became of one host, as --json prints it.
type program struct {
	Name     string         `json:"name"`
	Title    string         `json:"title"`
	Standing hosts.Standing `json:"standing"`
	Files    []programFile  `json:"files"`
	Next     string         `json:"next,omitempty"`
	Captured bool           `json:"captured,omitempty"` // its sessions are, from now on
}

type programFile struct {
	hosts.State
	Change string `json:"change,omitempty"` // none, written, restored, removed, deleted or failed; with --dry-run what it would be
	Diff   string `json:"diff,omitempty"`
	Kept   string `json:"kept,omitempty"` // as it was before the first change
	Error  string `json:"error,omitempty"`
	Hint   string `json:"hint,omitempty"`
}

// setupDone is the whole answer.
type setupDone struct {
	DryRun   bool       `json:"dry_run,omitempty"`
	Vault    string     `json:"vault_made,omitempty"`
	Programs []program  `json:"programs"`
	Skipped  []string   `json:"skipped,omitempty"`
	Model    *modelDone `json:"model,omitempty"`
}

func (s *setup) run(args []string) (err error) {
	if s.env, err = assistants(); err != nil {
		return err
	}
	// The store is of this person, not of one vault, and nothing in it can be made anew.
	s.store = hosts.Store{Dir: filepath.Join(xdg.StateHome, "reverie", "setup")}
	chosen, skipped, err := s.choose(args)
	if err != nil {
		return err
	}
	c, err := s.settings()
	if err != nil {
		return err
	}
	out := setupDone{DryRun: s.dryRun, Programs: []program{}, Skipped: skipped}
	writes := len(args) > 0 || s.all || s.withModel != ""
	if writes && !s.list && !s.undo && !s.dryRun {
		if out.Vault, err = s.firstVault(c); err != nil {
			return err
		}
	}
	if s.launch, err = s.launching(c); err != nil {
		return err
	}
	if s.list || !writes {
		return s.show(chosen)
	}
	var failed error
	if len(args) > 0 || s.all {
		out.Programs, failed = s.doAll(chosen)
	}
	if s.withModel != "" {
		out.Model, err = s.setModel(c)
		failed = errors.Join(failed, err)
	}
	if err := s.tell(out, func() { s.printEnd(out) }); err != nil {
		return err
	}
	return failed
}

// doAll sets the hosts up, or takes them back. A file that fails does not keep it from the others.
func (s *setup) doAll(chosen []hosts.Host) (all []program, err error) {
	all = []program{}
	failed, files := 0, 0
	for _, h := range chosen {
		p := s.do(h)
		for _, f := range p.Files {
			files++
			if f.Change == "failed" {
				failed++
			}
		}
		all = append(all, p)
		if !s.flag.json {
			s.printProgram(p)
		}
	}
	if failed > 0 {
		err = &codeError{exitFailed, fmt.Errorf("%d of %d files could not be changed", failed, files)}
	}
	return all, err
}

// choose finds the hosts that are meant; skipped are those that --all leaves out.
func (s *setup) choose(args []string) (chosen []hosts.Host, skipped []string, err error) {
	if s.all && len(args) > 0 {
		return nil, nil, usageError("name programs, or say --all")
	}
	for _, name := range args {
		h, ok := hosts.Find(name)
		if !ok {
			return nil, nil, usageError("there is no program %q; known: %s", name, strings.Join(hostNames(), ", "))
		}
		if s.project && !h.HasProjects() {
			return nil, nil, usageError("%s has no settings for projects; leave out --project", h.Title)
		}
		chosen = append(chosen, h)
	}
	if len(args) > 0 {
		return chosen, nil, nil
	}
	for _, h := range hosts.All {
		wanted := !s.all || h.Found(s.env) || s.undo // undo reaches programs that are gone: their settings may have stayed
		if wanted && (!s.project || h.HasProjects()) {
			chosen = append(chosen, h)
		} else {
			skipped = append(skipped, h.Name)
		}
	}
	return chosen, skipped, nil
}

// firstVault makes the vault where there is none yet, and says where.
func (s *setup) firstVault(c config.Config) (string, error) {
	if folder, err := vault.Look(c.Vault); err != nil || folder.Vault {
		return "", err
	}
	if !s.yes && s.canAsk(s.cmd) {
		fmt.Fprintf(s.err, "There is no vault yet. Make one in %s? [Y/n] ", c.Vault)
		answer, _ := bufio.NewReader(s.cmd.InOrStdin()).ReadString('\n')
		if answer = strings.ToLower(strings.TrimSpace(answer)); answer != "" && answer[0] != 'y' {
			return "", &hintError{errors.New("nothing was changed: assistants need a vault to remember in"), "`reverie init --vault DIR` makes one"}
		}
	}
	if _, err := s.makeVault(s.cmd, c, ""); err != nil {
		return "", err
	}
	if !s.flag.json {
		s.print("Made the vault %s.\n\n", c.Vault)
	}
	return c.Vault, nil
}

// launching says how programs start Reverie: by a path that an update leaves, and with the flags without which it would find other
// settings than this call has, as it gets none of this call's environment.
func (a *app) launching(c config.Config) (hosts.Launch, error) {
	exe, err := executable()
	if err != nil {
		return hosts.Launch{}, fmt.Errorf("find this program: %w", err)
	}
	l := hosts.Launch{Binary: lasting(exe), OS: runtime.GOOS, Prompts: map[string]string{}}
	for _, o := range operations.All {
		l.Prompts[o.About().ToolName()] = o.About().Prompt
	}
	var bare app
	with := func(flag string, into *string, value string) {
		*into = value
		l.Flags = append(l.Flags, flag, value)
	}
	if cmp.Or(a.flag.config, os.Getenv(config.EnvConfig)) != "" {
		with("--config", &bare.flag.config, c.File)
	}
	if a.flag.workspace != "" {
		with("--workspace", &bare.flag.workspace, a.flag.workspace)
	}
	env := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "REVERIE_") })
	found, err := bare.settingsIn(env)
	if err == nil && found.Vault != c.Vault && !config.SameFolder(found.Vault, c.Vault) {
		with("--vault", &bare.flag.vault, c.Vault)
		found, err = bare.settingsIn(env)
	}
	if err == nil && found.DataDir != c.DataDir && !config.SameFolder(found.DataDir, c.DataDir) {
		with("--data-dir", &bare.flag.dataDir, c.DataDir)
	}
	return l, err
}

// lasting is the path by which the shell finds the program, where it leads to the same file: package managers keep that one, and
// remove what it leads to with every update.
func lasting(exe string) string {
	if found, err := exec.LookPath(filepath.Base(exe)); err == nil {
		if found, err = filepath.Abs(found); err == nil && config.RealPath(found) == config.RealPath(exe) {
			return found
		}
	}
	return exe
}

// files are those of a host that this run is about, with how they start Reverie.
func (s *setup) files(h hosts.Host) ([]hosts.File, hosts.Launch, error) {
	if !s.project {
		return h.Files(s.env), s.launch, nil
	}
	top, err := os.Getwd()
	if err != nil {
		return nil, s.launch, err
	}
	for dir := top; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if exists(filepath.Join(dir, ".git")) {
			top = dir
			break
		}
	}
	return h.ProjectFiles(top), hosts.Launch{Binary: hosts.Name, OS: runtime.GOOS}, nil
}

// do sets one host up, or takes it back.
func (s *setup) do(h hosts.Host) program {
	p := program{Name: h.Name, Title: h.Title, Files: []programFile{}}
	files, l, err := s.files(h)
	if err != nil {
		p.Files = append(p.Files, programFile{Change: "failed", Error: err.Error()})
		return p
	}
	if s.undo {
		slices.Reverse(files) // the folder that setup has made for one is empty when it is that one's turn
	}
	for _, f := range files {
		var result programFile
		for range 3 { // a program may write its settings at the same time
			if s.undo {
				result, err = s.takeBack(f)
			} else {
				result, err = s.add(f, l)
			}
			if !errors.Is(err, hosts.ErrChanged) {
				break
			}
		}
		result.State = f.Look(l)
		if err != nil {
			result.Change, result.Error, result.Hint = "failed", err.Error(), hintOf(err)
		}
		if result.Change == "written" && !s.dryRun {
			p.Next = h.Next
		}
		p.Files = append(p.Files, result)
	}
	p.Standing = hosts.Stand(h.Found(s.env), states(p.Files))
	s.capture(h, &p)
	return p
}

// capture has the sessions of a program captured from now on, or not any more, where all of its files are as they should be.
func (s *setup) capture(h hosts.Host, p *program) {
	failed := slices.ContainsFunc(p.Files, func(f programFile) bool { return f.Change == "failed" })
	if failed || s.dryRun || s.project || !slices.Contains(config.CaptureHosts, h.Name) {
		return
	}
	event := spool.Setup
	if s.undo {
		event = spool.Undo
	}
	err := s.tellCapture(h.Name, event)
	p.Captured = err == nil && !s.undo
	if err != nil {
		fmt.Fprintf(s.err, "warning: %s: %v\n", h.Title, err)
	}
}

func states(files []programFile) (all []hosts.State) {
	return slice.Map(files, func(f programFile) hosts.State { return f.State })
}

func (s *setup) add(f hosts.File, l hosts.Launch) (programFile, error) {
	e, err := f.Add(l)
	if err != nil || !e.Changes() {
		return programFile{Change: "none"}, err
	}
	out := programFile{Change: "written", Diff: diff(e, false)}
	if !s.dryRun {
		if err = s.store.Write(e); err == nil && exists(s.store.Kept(e.Real)) {
			out.Kept = s.store.Kept(e.Real)
		}
	}
	return out, err
}

func (s *setup) takeBack(f hosts.File) (programFile, error) {
	u, err := s.store.Undo(f)
	if err != nil {
		return programFile{}, err
	}
	out := programFile{Change: "none", Diff: diff(u.Edit, u.Delete)}
	switch {
	case u.Delete:
		out.Change = "deleted"
	case u.Exact:
		out.Change = "restored"
	case u.Changes():
		out.Change = "removed"
	}
	if !s.dryRun {
		err = s.store.Revert(u)
	}
	return out, err
}

// diff shows an edit without the secrets of the lines around it.
func diff(e hosts.Edit, gone bool) string {
	from, to := e.Path, e.Path
	if !e.Exists {
		from = os.DevNull
	}
	if gone {
		to = os.DevNull
	}
	clean, _ := redact.Redact(udiff.Unified(from, to, string(e.Before), string(e.After)))
	var b strings.Builder
	for text := range strings.Lines(clean) {
		if line := []rune(strings.TrimRight(text, "\r\n")); len(line) > longLine {
			text = string(line[:longLine]) + "…\n"
		}
		b.WriteString(text)
	}
	return b.String()
}

// longLine is where a line of a diff ends: some programs keep all their settings in one.
const longLine = 300
