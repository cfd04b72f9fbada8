package config

import (
	"bytes"
	gocmp "cmp"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write golden files")

func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.ReplaceAll(string(want), "\r\n", "\n"), got); diff != "" {
		t.Errorf("%s is out of date; run go test ./config -update (-file +table):\n%s", path, diff)
	}
}

func TestSettingsPage(t *testing.T) {
	page := filepath.Join("..", "docs", "settings.md")
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	whole := strings.ReplaceAll(string(text), "\r\n", "\n")
	head, _, _ := strings.Cut(whole, "\n## Top of the file")
	_, tail, found := strings.Cut(whole, "\n## recall.flags")
	if !found {
		t.Fatal("no section recall.flags")
	}
	golden(t, page, head+tables()+"\n## recall.flags"+tail)
}

// tables are the sections of docs/settings.md that follow from the table of settings; the text around them is written by hand.
func tables() string {
	var b strings.Builder
	c := portableDefault()
	section := "-"
	for _, s := range settings {
		head, _, ok := strings.Cut(s.Key, ".")
		if !ok {
			head = ""
		}
		if head != section {
			section = head
			fmt.Fprintf(&b, "\n## %s\n\n| setting | default | allowed | meaning |\n|---|---|---|---|\n", gocmp.Or(head, "Top of the file"))
		}
		doc := s.Doc
		if s.Flag != "" {
			doc += fmt.Sprintf(" Flag: `%s`.", s.Flag)
		}
		fmt.Fprintf(&b, "| `%s` | `%s` | %s | %s |\n", s.Key, s.value(&c), s.allowed(), doc)
	}
	return b.String()
}

func TestDefaultFile(t *testing.T) {
	var b bytes.Buffer
	if err := WriteDefault(&b); err != nil {
		t.Fatal(err)
	}
	golden(t, filepath.Join("testdata", "default.toml"), b.String())

	t.Run("as written it changes nothing", func(t *testing.T) {
		got, err := Load(write(t, b.String()), nil)
		if err != nil {
			t.Fatal(err)
		}
		got.File = ""
		if diff := cmp.Diff(Default(), got); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("every line taken in gives the defaults", func(t *testing.T) {
		var lines []string
		for line := range strings.Lines(b.String()) {
			if strings.HasPrefix(line, "#[workspaces") {
				break
			}
			if strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "# ") {
				line = line[1:]
			}
			lines = append(lines, line)
		}
		got, err := Load(write(t, strings.Join(lines, "")), []string{"HOME=/home/ann"})
		if err != nil {
			t.Fatal(err)
		}
		want := Default()
		want.VaultSet, want.DataDirSet = true, true
		got.File, want.Vault, want.DataDir = "", "/home/ann/Reverie", "/home/ann/.local/share/reverie"
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}

// Each field has its line in the table, and each line its field.
func TestTableIsComplete(t *testing.T) {
	c := Default()
	want := map[string]bool{}
	var walk func(prefix string, v reflect.Value)
	walk = func(prefix string, v reflect.Value) {
		for i := range v.NumField() {
			f := v.Type().Field(i)
			key := f.Tag.Get("toml")
			if key == "-" || f.Type.Kind() == reflect.Map {
				continue
			}
			if f.Type.Kind() == reflect.Struct {
				walk(prefix+key+".", v.Field(i))
				continue
			}
			want[prefix+key] = true
			s, ok := find(prefix + key)
			if !ok {
				t.Errorf("%s is not in the table", prefix+key)
				continue
			}
			if got := reflect.ValueOf(s.field(&c)).Pointer(); got != v.Field(i).Addr().Pointer() {
				t.Errorf("%s points at another field", s.Key)
			}
		}
	}
	walk("", reflect.ValueOf(&c).Elem())
	for _, s := range settings {
		if !want[s.Key] {
			t.Errorf("%s has no field", s.Key)
		}
		if s.Doc == "" || !strings.HasSuffix(s.Doc, ".") {
			t.Errorf("%s: doc %q is no sentence", s.Key, s.Doc)
		}
	}
}

func TestDesignDefaults(t *testing.T) {
	c := Default()
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, s := range settings {
		got[s.Key] = s.value(&c)
	}
	for key, want := range map[string]string{
		"consolidation.enabled": "true", "consolidation.min_hours": "24", "consolidation.min_facts": "20",
		"consolidation.interval_seconds": "1800", "consolidation.timeout_seconds": "600", "consolidation.max_days": "14",
		"consolidation.max_retries": "3", "consolidation.memory_max_lines": "200", "consolidation.model": `""`,
		"intake.workers": "16", "intake.queue": "1024", "palace.model": `""`, "palace.batch": "50", "palace.process_seconds": "60",
		"palace.enrich_seconds": "600", "palace.maintain": `"0 0 * * *"`, "tiers.heuristic_high": "0.8",
		"tiers.heuristic_low": "0.5",
		"watcher.quiet_ms":    "200", "watcher.max_wait_ms": "2000", "watcher.sweep_seconds": "300",
		"guard.platforms": `["dream", "subagent", "subagent_wakeup"]`, "server.addr": `"127.0.0.1:7431"`, "index.engine": `"auto"`,
	} {
		if got[key] != want {
			t.Errorf("%s = %s, want %s", key, got[key], want)
		}
	}
	if filepath.Base(c.Vault) != "Reverie" || filepath.Base(c.DataDir) != "reverie" {
		t.Errorf("folders %s and %s", c.Vault, c.DataDir)
	}
	if c.Watcher.Quiet.Duration() != 200*time.Millisecond || c.Consolidation.Interval.Duration() != 30*time.Minute {
		t.Error("durations disagree with their fields")
	}
}

func TestTurnsInOneCall(t *testing.T) {
	for _, tt := range []struct {
		llm  LLM
		want int
	}{
		{LLM{}, 1},
		{LLM{Provider: "ollama"}, 1},
		{LLM{Provider: ProviderCommand}, 20},
		{LLM{Provider: ProviderCommand, BatchTurns: 1}, 1},
		{LLM{Provider: "openai", BatchTurns: 7}, 7},
	} {
		if got := tt.llm.Batch(); got != tt.want {
			t.Errorf("%+v: %d turns, want %d", tt.llm, got, tt.want)
		}
	}
}

func TestLayers(t *testing.T) {
	path := write(t, `
vault = "~/notes"
data_dir = "data"
[watcher]
quiet_ms = 300
sweep_seconds = 60
[recall.flags]
recency_half_life = 30
[recall.profiles.near]
base = "cosine"
phases = ["gather", "read"]
[embedding]
api_key = "env:MY_KEY"
`)
	c, err := Load(path, []string{
		"HOME=/home/ann", "REVERIE_WATCHER_QUIET_MS=400", "MY_KEY=sk-1", "REVERIE_GUARD_PLATFORMS=a, b,", "REVERIE_LOG_FORMAT=json",
		"REVERIE_CONSOLIDATION_ENABLED=false", "REVERIE_SERVER_ADDR=127.0.0.1:1", "REVERIE_ADDR=[::1]:0", "REVERIE_INTAKE_WORKERS=",
	})
	if err != nil {
		t.Fatal(err)
	}
	want := Default()
	want.VaultSet, want.DataDirSet = true, true
	want.File, want.Vault, want.DataDir = path, "/home/ann/notes", filepath.Join(filepath.Dir(path), "data")
	want.Watcher = Watcher{Quiet: 400, MaxWait: 2000, Sweep: 60}
	want.Recall.Flags = map[string]any{"recency_half_life": int64(30)}
	want.Recall.Profiles = map[string]map[string]any{"near": {"base": "cosine", "phases": []any{"gather", "read"}}}
	want.Embedding.APIKey = "sk-1"
	want.Guard.Platforms = []string{"a", "b"}
	want.Log.Format = "json"
	want.Consolidation.Enabled = false
	want.Server.Addr = "[::1]:0"
	if diff := cmp.Diff(want, c); diff != "" {
		t.Error(diff)
	}

	if err := c.Set("server.addr", "localhost:9"); err != nil || c.Server.Addr != "localhost:9" {
		t.Errorf("Set: %v, %s", err, c.Server.Addr)
	}
	if err := c.Set("server.adr", "localhost:9"); err == nil {
		t.Error("Set took an unknown key")
	}
	if err := c.Set("intake.workers", "0"); err == nil {
		t.Error("Set took a value out of range")
	}
}

func TestFileByEnvironment(t *testing.T) {
	path := write(t, "[intake]\nworkers = 3\n")
	c, err := Load("", []string{EnvConfig + "=" + path})
	if err != nil || c.Intake.Workers != 3 || c.File != path {
		t.Fatalf("workers %d from %s: %v", c.Intake.Workers, c.File, err)
	}
	other := write(t, "[intake]\nworkers = 4\n")
	if c, err = Load(other, []string{EnvConfig + "=" + path}); err != nil || c.Intake.Workers != 4 {
		t.Fatalf("the given path must win: workers %d: %v", c.Intake.Workers, err)
	}
	if _, err := Load(path+".gone", nil); err == nil || !strings.Contains(err.Error(), path+".gone") {
		t.Fatalf("missing file: %v", err)
	}
	if c, err := Load(write(t, "\xef\xbb\xbfvault = '/v'\r\n"), nil); err != nil || c.Vault != "/v" {
		t.Fatalf("byte order mark: %v", err)
	}
}

func TestWarnings(t *testing.T) {
	c, err := Load(write(t, `[llm]
api_key = "env:NOT_THERE"`), []string{
		"REVERIE_WATCHER_QUITE_MS=4", "REVERIE_LANCEDB_LIB=/x", "REVERIE_LANCEDB_URL=x",
		"REVERIE_ZZZ=1", "REVERIE_WORKSPACE=w", "OTHER=1",
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"environment variable REVERIE_WATCHER_QUITE_MS is not a setting and was ignored; did you mean REVERIE_WATCHER_QUIET_MS?",
		"environment variable REVERIE_ZZZ is not a setting and was ignored",
		"llm.api_key is env:NOT_THERE, and that environment variable is empty",
	}
	if diff := cmp.Diff(want, c.Warnings); diff != "" {
		t.Error(diff)
	}
	if c.LLM.APIKey != "" {
		t.Errorf("key %q", string(c.LLM.APIKey))
	}
}

func TestErrors(t *testing.T) {
	for _, tt := range []struct {
		name, file string
		env        []string
		want       []string // all must occur
	}{
		{
			"unknown key", "[consolidation]\nenabled = true\nmin_hour = 3\n", nil,
			[]string{`config.toml:3: unknown key "consolidation.min_hour"`, `did you mean "consolidation.min_hours"?`},
		},
		{"unknown section", "[watchers]\nquiet_ms = 3\n", nil, []string{`config.toml:1: unknown key "watchers"`, `did you mean "watcher"?`}},
		{
			"right key, wrong section", "[intake]\nquiet_ms = 3\n", nil,
			[]string{`unknown key "intake.quiet_ms"`, `did you mean "watcher.quiet_ms"?`},
		},
		{"two unknown keys", "a_b = 1\n\n[log]\nlevl = 'x'\n", nil, []string{`:1: unknown key "a_b"`, `:4: unknown key "log.levl"`}},
		{"unknown key far from any", "[log]\nqqqqqqq = 1\n", nil, []string{`unknown key "log.qqqqqqq"`}},
		{
			"unknown key of a workspace", "[workspaces.w]\nvalt = '/x'\n", nil,
			[]string{`unknown key "workspaces.w.valt"`, `"workspaces.w.vault"?`},
		},
		{"type", "[intake]\nworkers = 'many'\n", nil, []string{"config.toml:2", "intake.workers", "whole number"}},
		{"syntax", "[intake\nworkers = 1\n", nil, []string{"config.toml:1"}},
		{"range", "[intake]\n\nworkers = 0\n", nil, []string{"config.toml:3", "intake.workers", "1 to 256"}},
		{"one of", "[index]\nengine = 'lance'\n", nil, []string{"config.toml:2", "index.engine", `"lance"`, `"auto", "lancedb", "flat"`}},
		{"list one of", "[consolidation]\ntools = ['shell']\n", nil, []string{"consolidation.tools", `"shell"`}},
		{"not loopback", "[server]\naddr = '0.0.0.0:7431'\n", nil, []string{"server.addr", "loopback"}},
		{"any address", "[server]\naddr = ':7431'\n", nil, []string{"server.addr", "loopback"}},
		{"no port", "[server]\naddr = '127.0.0.1'\n", nil, []string{"server.addr", "host:port"}},
		{"port", "[server]\naddr = '127.0.0.1:70000'\n", nil, []string{"server.addr", "0 to 65535"}},
		{"a setting that is none", "[tears]\nheuristic_low = 0.5\n", nil, []string{`unknown key "tears"`}},
		{"a gate beyond all", "[tiers]\nheuristic_low = 1000\n", nil, []string{"tiers.heuristic_low", "0 to 999"}},
		{"a gate that is no number", "", []string{"REVERIE_TIERS_HEURISTIC_HIGH=NaN"}, []string{"tiers.heuristic_high", "0 to 999"}},
		{"clocks crossed", "[watcher]\nquiet_ms = 3000\n", nil, []string{"watcher.max_wait_ms", "watcher.quiet_ms (3000)"}},
		{"url", "[llm]\nbase_url = 'localhost:11434'\n", nil, []string{"llm.base_url", "http"}},
		{"password in url", "[llm]\nbase_url = 'http://u:hunter2@h/'\n", nil, []string{"llm.base_url", "api_key"}},
		{"no model", "[llm]\nprovider = 'ollama'\n", nil, []string{"llm.model", "must be set"}},
		{"no command", "[llm]\nprovider = 'command'\n", nil, []string{"llm.command", "must be set"}},
		{
			"command by a relative path", "[llm]\nprovider = 'command'\ncommand = ['bin/claude', '-p']\n", nil,
			[]string{"llm.command", `"bin/claude"`, "absolute path"},
		},
		{
			"command wants a model", "[llm]\nprovider = 'command'\ncommand = ['ollama', 'run', '{model}']\n", nil,
			[]string{"llm.model", "{model}"},
		},
		{
			"model of dreams without a place in the command",
			"[llm]\nprovider = 'command'\ncommand = ['claude', '-p']\n[consolidation]\nmodel = 'opus'\n", nil,
			[]string{"consolidation.model", "{model}"},
		},
		{
			"model of drawers without a place in the command",
			"[llm]\nprovider = 'command'\ncommand = ['claude', '-p']\n[palace]\nmodel = 'opus'\n", nil,
			[]string{"palace.model", "{model}"},
		},
		{"time that never comes", "[palace]\nmaintain = '0 0 30 2 *'\n", nil, []string{"palace.maintain", "never comes"}},
		{"time by name", "[palace]\nmaintain = '@hourly'\n", nil, []string{"palace.maintain", "five fields"}},
		{"time of no clock", "[palace]\nmaintain = 'at midnight'\n", nil, []string{"palace.maintain", `"at midnight"`, "cron"}},
		{"own variable", "[llm]\nenv = ['PATH', 'Reverie_Token']\n", nil, []string{"llm.env", `"Reverie_Token"`, "never handed on"}},
		{"no variable", "[llm]\nenv = ['A=b']\n", nil, []string{"llm.env", `"A=b"`}},
		{"no embedding model", "[embedding]\nprovider = 'openai'\n", nil, []string{"embedding.model", "must be set"}},
		{"memory lines", "[consolidation]\nmemory_max_lines = 201\n", nil, []string{"consolidation.memory_max_lines", "10 to 200"}},
		{"two vaults", "vault = '/a'\n[notebook]\ndir = '/b'\n", nil, []string{"notebook.dir", "/a", "/b"}},
		{
			"environment type", "",
			[]string{"REVERIE_INTAKE_WORKERS=many"},
			[]string{"environment", "REVERIE_INTAKE_WORKERS", `"many"`, "whole number"},
		},
		{
			"environment range", "",
			[]string{"REVERIE_WATCHER_QUIET_MS=1"},
			[]string{"REVERIE_WATCHER_QUIET_MS", "watcher.quiet_ms", "10 to 60000"},
		},
		{"environment bool", "", []string{"REVERIE_CONSOLIDATION_ENABLED=maybe"}, []string{"true or false"}},
		{"workspace name", "[workspaces.Work]\nvault = '/w'\n", nil, []string{"workspaces.Work", "a-z, 0-9 and -"}},
		{"workspace without vault", "[workspaces.w]\n", nil, []string{"workspaces.w.vault", "must be set"}},
		{"workspace default", "[workspaces.default]\nvault = '/w'\n", nil, []string{"workspaces.default", "at the top"}},
		{"vault in vault", "vault = '/v'\n[workspaces.w]\nvault = '/v/sub'\n", nil, []string{"workspaces.w.vault", "/v/sub", "must not overlap"}},
		{
			"same data", "vault = '/v'\ndata_dir = '/d'\n[workspaces.w]\nvault = '/w'\ndata_dir = '/d/default'\n", nil,
			[]string{"workspaces.w.data_dir", "must not overlap"},
		},
		{
			"same token", "vault = '/v'\ndata_dir = '/d'\n[workspaces.w]\nvault = '/w'\ntoken_file = '/d/token'\n", nil,
			[]string{"workspaces.w.token_file", "must differ"},
		},
		{"data in vault", "vault = '/v'\ndata_dir = '/v/data'\n", nil, []string{"data_dir", "must lie outside"}},
		{
			"data in another vault", "vault = '/v'\ndata_dir = '/d'\n[workspaces.w]\nvault = '/w'\ndata_dir = '/v/x'\n", nil,
			[]string{"workspaces.w.data_dir", "must lie outside"},
		},
		{"vault in data", "vault = '/d/default/v'\ndata_dir = '/d'\n", nil, []string{"vault", "must lie outside"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Load(write(t, tt.file), tt.env)
			if err == nil {
				t.Fatal("no error")
			}
			for _, w := range tt.want {
				if !strings.Contains(filepath.ToSlash(err.Error()), w) {
					t.Errorf("error lacks %q:\n%v", w, err)
				}
			}
			if strings.Contains(err.Error(), "hunter2") {
				t.Error("the error tells the password")
			}
		})
	}
}

func TestNotebookDirIsTheVault(t *testing.T) {
	file := write(t, "[notebook]\ndir = '/n'\n")
	if c, err := Load(file, nil); err != nil || c.Vault != "/n" {
		t.Errorf("vault %q, %v", c.Vault, err)
	}
	if c, err := Load(file, []string{"REVERIE_VAULT=/e"}); err != nil || c.Vault != "/e" {
		t.Errorf("the environment must win: vault %q, %v", c.Vault, err)
	}
	if c, err := Load(write(t, "vault = '/v'\n"), []string{"REVERIE_NOTEBOOK_DIR=/e"}); err != nil || c.Vault != "/e" {
		t.Errorf("the environment must win: vault %q, %v", c.Vault, err)
	}
}

func TestWorkspaces(t *testing.T) {
	c, err := Load(write(t, "vault = '/v'\ndata_dir = '/d'\n[workspaces.work]\nvault = '/w'\n[workspaces.a]\nvault = '/a'\ndata_dir = "+
		"'/ad'\ntoken_file = '/t'\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"default", "a", "work"}, c.WorkspaceNames()); diff != "" {
		t.Error(diff)
	}
	for name, want := range map[string]Workspace{
		"":        {"/v", "/d/default", "/d/token"},
		"default": {"/v", "/d/default", "/d/token"},
		"work":    {"/w", "/d/work", "/d/work/token"},
		"a":       {"/a", "/ad", "/t"},
	} {
		got, err := c.Workspace(name)
		if err != nil {
			t.Fatal(err)
		}
		got.DataDir, got.TokenFile = filepath.ToSlash(got.DataDir), filepath.ToSlash(got.TokenFile)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", name, diff)
		}
	}
	if _, err := c.Workspace("nope"); err == nil || !strings.Contains(err.Error(), "default, a, work") {
		t.Errorf("unknown workspace: %v", err)
	}
	for name, ok := range map[string]bool{
		"a": true, "a-1": true, strings.Repeat("x", 40): true, strings.Repeat("x", 41): false,
		"": false, "A": false, "a/b": false, "..": false, "ä": false,
	} {
		if err := CheckWorkspaceName(name); (err == nil) != ok {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestSecretsAreNeverShown(t *testing.T) {
	c := Default()
	c.LLM.APIKey, c.Embedding.APIKey = "sk-hidden-1", "sk-hidden-2"
	var logs bytes.Buffer
	slog.New(slog.NewJSONHandler(&logs, nil)).Info("settings", "key", c.LLM.APIKey, "llm", c.LLM)
	js, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"String": c.String(), "%v": fmt.Sprint(c.LLM), "%+v": fmt.Sprintf("%+v", c.LLM), "%#v": fmt.Sprintf("%#v", c.LLM),
		"%s": fmt.Sprint(c.LLM.APIKey), "%q": fmt.Sprintf("%q", c.LLM.APIKey), "json": string(js), "slog": logs.String(),
	} {
		if strings.Contains(text, "hidden") {
			t.Errorf("%s shows the key: %s", name, text)
		}
		if !strings.Contains(text, masked) {
			t.Errorf("%s does not say that there is a key: %s", name, text)
		}
	}
	if string(c.LLM.APIKey) != "sk-hidden-1" {
		t.Error("the key is lost")
	}
}

// What String shows can be read back, but for the secrets.
func TestStringRoundTrip(t *testing.T) {
	c := Default()
	c.Vault, c.DataDir = "/v \"q\" \\ ü\t", "/d"
	c.VaultSet, c.DataDirSet = true, true
	c.Recall.Flags = map[string]any{"mmr": true, "weight": 0.25, "name": "x\"y"}
	c.Workspaces = map[string]Workspace{"w": {Vault: "/w", DataDir: "/wd", TokenFile: "/wt"}}
	got, err := Load(write(t, c.String()), nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, c)
	}
	got.File = ""
	if diff := cmp.Diff(c, got); diff != "" {
		t.Error(diff)
	}
}

func FuzzLoad(f *testing.F) {
	f.Add("[intake]\nworkers = 0x10\n")
	f.Add("watcher.quiet_ms = 20\n[workspaces.w]\nvault='/x'")
	f.Add("[recall.flags]\na = [1, {b = 2}]\n")
	f.Add("[recall.profiles.x]\nbase = \"cosine\"\nphases = [\"a\", \"b\"]\nmin_score = 0.5\n")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Load(write(t, text), nil)
		if err == nil {
			if err := c.Validate(); err != nil {
				t.Fatalf("Load let pass what Validate refuses: %v", err)
			}
			_ = c.String()
		}
	})
}
