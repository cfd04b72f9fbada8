package workspace_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/capture"
	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/importer"
	"github.com/reverie-memory/reverie/operations"
	"github.com/reverie-memory/reverie/spool"
	"github.com/reverie-memory/reverie/transcript"
	"github.com/reverie-memory/reverie/vault"
	"github.com/reverie-memory/reverie/workspace"
)

// capturing opens a vault as the daemon does, for transcripts in a folder of their own.
func capturing(t *testing.T) (operations.Memory, string) {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("CLAUDE_CONFIG_DIR", filepath.Join(dir, "claude"))
	t.Setenv("CODEX_HOME", filepath.Join(dir, "codex"))
	projects := filepath.Join(dir, "claude", "projects", "-tmp")
	if err := os.MkdirAll(projects, 0o700); err != nil {
		t.Fatal(err)
	}
	w := prepare(t, dir, func(c *config.Config) {
		c.Capture.Interval = 1
		c.Capture.Hosts = []string{"claude-code"}
		c.DataDir = filepath.Join(dir, "base")
	})
	opt := w.Options
	opt.Schedule, opt.Config.Consolidation.Enabled = true, false
	w = operations.Memory{Workspace: workspace.New(opt)}
	start(t, w)
	return w, projects
}

// stored are the drawers of the vault, without what differs by the moment.
func stored(t *testing.T, w operations.Memory) (out []vault.Drawer) {
	t.Helper()
	err := w.Vault.EachDrawer(t.Context(), nil, func(_ vault.Path, d *vault.Drawer) {
		d.Line, d.Filed, d.Source = 0, time.Time{}, "" // an import leaves its mark
		out = append(out, *d)
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(out, func(a, b vault.Drawer) int { return strings.Compare(a.ID, b.ID) })
	return out
}

// A transcript that comes by hooks, by the tail, by both or by import gives the same drawers.
func TestEveryWayInGivesTheSameDrawers(t *testing.T) {
	files, _ := filepath.Glob("../../shared/fixtures/chats/claude_code/*.jsonl")
	if len(files) == 0 {
		t.Log("the fixtures are not there; only our own transcript is tried")
	}
	files = append(files, filepath.Join("..", "transcript", "testdata", "claude.jsonl"))
	old := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	tell := func(t *testing.T, w operations.Memory, e spool.Event) {
		t.Helper()
		e.Host, e.At = "claude-code", old
		if err := spool.Append(capture.SpoolDir(w.Options.DataDir), e); err != nil {
			t.Fatal(err)
		}
	}
	ways := []struct {
		name string
		tell func(t *testing.T, w operations.Memory, path string)
	}{
		{"hook", func(t *testing.T, w operations.Memory, path string) {
			tell(t, w, spool.Event{Event: "stop", Transcript: path})
		}},
		{"tail", func(t *testing.T, w operations.Memory, _ string) { tell(t, w, spool.Event{Event: spool.Setup}) }},
		{"both", func(t *testing.T, w operations.Memory, path string) {
			tell(t, w, spool.Event{Event: spool.Setup})
			tell(t, w, spool.Event{Event: "stop", Transcript: path})
		}},
		{"import", func(t *testing.T, w operations.Memory, path string) { bring(t, w, path) }},
	}
	var want []vault.Drawer
	for _, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			w, projects := capturing(t)
			for _, f := range files {
				data, err := os.ReadFile(f)
				if err != nil {
					t.Fatal(err)
				}
				path := filepath.Join(projects, filepath.Base(f))
				if err := os.WriteFile(path, data, 0o600); err != nil {
					t.Fatal(err)
				}
				if err := os.Chtimes(path, time.Time{}, time.Now().Add(-time.Hour)); err != nil { // the session rests
					t.Fatal(err)
				}
				way.tell(t, w, path)
			}
			expected := 0
			for _, f := range files {
				expected += texts(t, f)
			}
			eventually(t, "the drawers", func() bool { return len(stored(t, w)) >= expected })
			got := stored(t, w)
			if want == nil {
				want = got
			}
			if diff := cmp.Diff(want, got); diff != "" || len(got) != expected {
				t.Errorf("%d drawers, want %d (-%s +%s):\n%s", len(got), expected, ways[0].name, way.name, diff)
			}
			if st, err := w.Status(t.Context()); err != nil || way.name != "import" && (len(st.Capture) != 1 || st.Capture[0].Since == "") {
				t.Errorf("status: %+v, %v", st.Capture, err)
			}
		})
	}
}

// texts counts the texts of a transcript.
func texts(t *testing.T, path string) (n int) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := transcript.Reader{Host: transcript.Claude{}, ToolBytes: transcript.ToolBytes}
	if _, err := r.Turns(t.Context(), f, func(turn transcript.Turn) error {
		for _, m := range turn.Messages {
			if m.Text != "" {
				n++
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return n
}

// bring imports a file, as the verb does.
func bring(t *testing.T, w operations.Memory, path string) {
	t.Helper()
	e, err := importer.Open(path, importer.All())
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	part := api.Import{Path: path, End: true}
	for m, err := range e.Messages() {
		if place := new(importer.PlaceError); errors.As(err, &place) { // some lines make no sense, and are told of
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		p, err := w.Project(t.Context(), api.Folder{Folder: m.Folder})
		if err != nil {
			t.Fatal(err)
		}
		m.Wing = p.Wing
		part.Messages = append(part.Messages, m.ImportMessage)
	}
	if _, err := w.Import(t.Context(), part); err != nil {
		t.Fatal(err)
	}
}

// What was captured is kept as other turns are: secrets never reach the disk, and what is forgotten does not come back with its file.
func TestCapturedTurnsAreKeptAsOthersAre(t *testing.T) {
	w, projects := capturing(t)
	path := filepath.Join(projects, "s1.jsonl")
	line := func(uuid, text string) string {
		return `{"type":"user","uuid":"` + uuid + `","sessionId":"s1","cwd":"` + filepath.ToSlash(projects) + `",` +
			`"timestamp":"2026-06-09T14:32:00Z",` +
			`"message":{"content":"` + text + `"}}` + "\n"
	}
	const key = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD"
	if err := os.WriteFile(path, []byte(line("u1", "The key is "+key+", keep it.")+line("u2", "I moved to Berlin.")), 0o600); err != nil {
		t.Fatal(err)
	}
	history := spool.Event{Event: spool.History, Host: "claude-code", At: time.Now()}
	if err := spool.Append(capture.SpoolDir(w.Options.DataDir), history); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, time.Time{}, time.Now().Add(-time.Hour)); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the drawers", func() bool { return len(stored(t, w)) == 2 })
	if files := filesWith(t, filepath.Dir(w.Options.Vault), key); len(files) != 1 || files[0] != path {
		t.Errorf("the key is in %q", files)
	}
	eventually(t, "the row", func() bool { return tells(find(t, w, "moved to Berlin"), "Berlin") })
	for _, d := range stored(t, w) {
		if d.ChatID != "s1" || d.Platform != "claude-code" || d.Wing != "tmp" || d.Origin != "user" {
			t.Errorf("drawer %+v", d)
		}
	}
	r, err := w.Forget(t.Context(), api.Forget{ChatID: "s1", Purge: true})
	if err != nil || !r.Verified {
		t.Fatalf("forget: %+v, %v", r, err)
	}
	if err := os.WriteFile(path, []byte(line("u1", "The key is "+key+", keep it.")+line("u2", "I moved to Berlin.")+line("u3",
		"A last word.")), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, e := range []spool.Event{history, {Event: "stop", Host: "claude-code", At: time.Now(), Transcript: path}} {
		if err := spool.Append(capture.SpoolDir(w.Options.DataDir), e); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "the new word", func() bool { return len(stored(t, w)) > 0 })
	if got := stored(t, w); len(got) != 1 || got[0].Text != "A last word." {
		t.Errorf("after the purge: %+v", got)
	}
}
