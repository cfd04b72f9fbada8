package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/reverie-memory/reverie/indexer/catalog"
)

// A subject is a vault with its data folder, and the program that works on it.
type subject struct {
	run               *sameRun
	name, vault, data string
	env               []string
	daemon            *exec.Cmd // nil while none runs
	base              string    // of the daemon
}

// newSubject is a vault without an index: a copy of from, or a new one.
func (r *sameRun) newSubject(name, from string) (*subject, error) {
	dir := filepath.Join(r.work, name)
	if err := os.Mkdir(dir, 0o755); err != nil {
		return nil, err
	}
	s := &subject{run: r, name: name, vault: filepath.Join(dir, "vault"), data: filepath.Join(dir, "data")}
	for _, kv := range os.Environ() { // a person's own settings must not leak in
		if !strings.HasPrefix(kv, "REVERIE_") {
			s.env = append(s.env, kv)
		}
	}
	s.env = append(
		s.env, "REVERIE_CONFIG="+filepath.Join(dir, "settings.toml"), "REVERIE_VAULT="+s.vault, "REVERIE_DATA_DIR="+s.data,
		"REVERIE_ADDR=127.0.0.1:0", "XDG_CONFIG_HOME="+dir, "XDG_DATA_HOME="+dir,
		"REVERIE_CONSOLIDATION_ENABLED=false", "REVERIE_INDEX_ENGINE=flat", "REVERIE_LOG_LEVEL=error", "REVERIE_INTAKE_WORKERS=1",
	)
	// Without what depends on the hour of the question, scores are the same to the last digit.
	if err := os.WriteFile(filepath.Join(dir, "settings.toml"), []byte("[recall.flags]\nrecency = false\n"), 0o644); err != nil {
		return nil, err
	}
	if from == "" {
		return s, nil
	}
	return s, os.CopyFS(s.vault, os.DirFS(from))
}

// exec runs the program and gives what it prints and its exit code.
func (s *subject) exec(ctx context.Context, stdin string, args ...string) (text string, code int, err error) {
	cmd := exec.CommandContext(ctx, s.run.program, args...)
	cmd.Env, cmd.Dir, cmd.Stdin = s.env, filepath.Dir(s.vault), strings.NewReader(stdin)
	var out, fault bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &fault
	err = cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = nil
	}
	text = out.String()
	if fault.Len() > 0 {
		text += "--- stderr\n" + fault.String()
	}
	return text, cmd.ProcessState.ExitCode(), err
}

// must runs the program, which may not fail.
func (s *subject) must(ctx context.Context, args ...string) (string, error) {
	text, code, err := s.exec(ctx, "", args...)
	if err == nil && code != 0 {
		err = fmt.Errorf("reverie %s: exit code %d: %s", args[0], code, text)
	}
	return text, err
}

// fill makes the vault out of conversations. Whoever speaks in one without roles counts as the person. Each session is imported by
// itself: sessions of one import are stored in any order.
func (s *subject) fill(ctx context.Context, talk []byte) (err error) {
	if _, err := s.must(ctx, "init"); err != nil {
		return err
	}
	if err := s.serve(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.stop(ctx)) }()
	type session struct {
		lines []byte
		flags []string
	}
	var sessions []session
	last := ""
	for line := range bytes.Lines(talk) {
		var t struct {
			turn
			Role string `json:"role"`
		}
		if err := json.Unmarshal(line, &t); err != nil {
			return err
		}
		if name := fmt.Sprint(t.Conversation, t.Session); name != last {
			sessions, last = append(sessions, session{}), name
		}
		e := &sessions[len(sessions)-1]
		if e.lines = append(e.lines, line...); t.Role == "" && !slices.Contains(e.flags, t.Speaker) {
			e.flags = append(e.flags, "--me", t.Speaker)
		}
	}
	file := filepath.Join(filepath.Dir(s.vault), "session.jsonl")
	for _, e := range sessions {
		if err := os.WriteFile(file, e.lines, 0o644); err != nil {
			return err
		}
		if _, err := s.must(ctx, append([]string{"import", file}, e.flags...)...); err != nil {
			return err
		}
	}
	page := "# Balcony\n\n- The tomatoes on the balcony need water every second evening\n"
	return os.WriteFile(filepath.Join(s.vault, "1_Projects", "Balcony.md"), []byte(page), 0o644)
}

// serve starts the daemon and returns when the index is up to date.
func (s *subject) serve(ctx context.Context) error {
	if _, err := s.must(ctx, "reindex", "--no-daemon"); err != nil {
		return err
	}
	cmd := exec.Command(s.run.program, "serve")
	cmd.Env, cmd.Dir = s.env, filepath.Dir(s.vault)
	var log bytes.Buffer
	cmd.Stderr = &log
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	line := bufio.NewScanner(out)
	if !line.Scan() {
		_ = cmd.Wait()
		return fmt.Errorf("the daemon did not start: %s", log.String())
	}
	s.daemon, s.base = cmd, strings.TrimPrefix(line.Text(), "listening on ")
	_, err = s.must(ctx, "reindex", "--clear-existing=false")
	return err
}

// stop ends the daemon, unless a request or a verb has done so.
func (s *subject) stop(ctx context.Context) error {
	_, _, err := s.exec(ctx, "", "stop")
	return errors.Join(err, s.daemon.Wait())
}

// rows records a line for each row of the index, in the order of ids: id, digest of all fields but when it was filed, hash of the
// text, and where it stands.
func (s *subject) rows(ctx context.Context, name string) (err error) {
	if _, err := s.must(ctx, "reindex", "--no-daemon"); err != nil {
		return err
	}
	c, err := catalog.Open(ctx, filepath.Join(s.data, "default"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	info, _ := c.Current()
	g, err := c.OpenGeneration(ctx, info.ID)
	if err != nil {
		return err
	}
	rows, err := g.Reader().Rows(ctx, g.Reader().Keys(catalog.Filter{}))
	if err != nil {
		return err
	}
	slices.SortFunc(rows, func(a, b catalog.Row) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	var b strings.Builder
	for i := range rows {
		w := &rows[i]
		w.Filed = w.At // else it is the time of the recording
		digest, text := catalog.Digest(w), catalog.TextHash(w.Context, w.Text)
		fmt.Fprintln(&b, w.ID, hex.EncodeToString(digest[:]), hex.EncodeToString(text[:]), w.File, w.Line)
	}
	return s.run.note(b.String(), "rows", name)
}

// maxDreams bounds the dreams that are recorded of one vault.
const maxDreams = 3

// dreams records the rows of a vault, what dreams make of it, and what is left when the last one is taken back.
func (r *sameRun) dreams(ctx context.Context, from *subject) error {
	s, err := r.newSubject("dreams-"+from.name, from.vault)
	if err != nil {
		return err
	}
	if err := s.rows(ctx, from.name+".txt"); err != nil {
		return err
	}
	for i := range maxDreams {
		said, err := s.must(ctx, "dream", "run", "--no-daemon", "--json")
		if err != nil {
			return err
		}
		if strings.Contains(said, `"nothing_pending"`) {
			break
		}
		if err := s.files(said, fmt.Sprintf("%d", i+1)); err != nil {
			return err
		}
	}
	if err := s.rows(ctx, from.name+"-dreamt.txt"); err != nil {
		return err
	}
	said, err := s.must(ctx, "dream", "undo", "--no-daemon", "--json")
	if err != nil {
		return err
	}
	return s.files(said, "undone")
}

// files records what the program said and every file of the vault.
func (s *subject) files(said, step string) error {
	if err := s.run.note(said, s.name, step, "said.json"); err != nil {
		return err
	}
	return s.each(func(path, text string) error { return s.run.note(text, s.name, step, "vault", normal(path, s.run.ids)) })
}

// each reads every file of the vault but the locks.
func (s *subject) each(fn func(path, text string) error) error {
	return filepath.WalkDir(s.vault, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, ".lock") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(s.vault, path)
		if err != nil {
			return err
		}
		return fn(rel, string(data))
	})
}
