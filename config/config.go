package config

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/adrg/xdg"
)

// Config is every setting. [Default] fills it, [Load] reads it; its zero value is not valid.
type Config struct {
	Vault     string `toml:"vault"`
	DataDir   string `toml:"data_dir"`
	TokenFile string `toml:"token_file"` // "": token in DataDir

	Server        Server               `toml:"server"`
	Log           Log                  `toml:"log"`
	Index         Index                `toml:"index"`
	Embedding     Embedding            `toml:"embedding"`
	LLM           LLM                  `toml:"llm"`
	Intake        Intake               `toml:"intake"`
	Extraction    Extraction           `toml:"extraction"`
	Watcher       Watcher              `toml:"watcher"`
	Mine          Mine                 `toml:"mine"`
	Guard         Guard                `toml:"guard"`
	Hooks         Hooks                `toml:"hooks"`
	Capture       Capture              `toml:"capture"`
	Consolidation Consolidation        `toml:"consolidation"`
	Notebook      Notebook             `toml:"notebook"`
	Palace        Palace               `toml:"palace"`
	Compaction    Compaction           `toml:"compaction"`
	Tiers         Tiers                `toml:"tiers"`
	Recall        Recall               `toml:"recall"`
	Replay        Replay               `toml:"replay"`
	Graph         Graph                `toml:"graph"`
	Closets       Closets              `toml:"closets"`
	Workspaces    map[string]Workspace `toml:"workspaces"`

	// File is the settings file that was read, "" when there was none.
	File string `toml:"-"`
	// VaultSet and DataDirSet tell that file or environment name them.
	VaultSet, DataDirSet bool `toml:"-"`
	// Warnings are what Load found odd but could live with.
	Warnings []string `toml:"-"`
}

// Server is the HTTP side of the daemon.
type Server struct {
	Addr                   string `toml:"addr"`
	BodyLimit              int64  `toml:"body_limit"` // bytes
	ReadTimeoutSeconds     int    `toml:"read_timeout_seconds"`
	RequestTimeoutSeconds  int    `toml:"request_timeout_seconds"`
	ShutdownTimeoutSeconds int    `toml:"shutdown_timeout_seconds"`
	Tools                  string `toml:"tools"`
}

// ReadTimeout is how long a client may take to send a request.
func (s Server) ReadTimeout() time.Duration { return seconds(s.ReadTimeoutSeconds) }

// RequestTimeout is how long the daemon may take to answer.
func (s Server) RequestTimeout() time.Duration { return seconds(s.RequestTimeoutSeconds) }

// ShutdownTimeout is how long running work may take to end.
func (s Server) ShutdownTimeout() time.Duration { return seconds(s.ShutdownTimeoutSeconds) }

// Log says how the daemon logs.
type Log struct {
	Format string `toml:"format"` // text or json
	Level  string `toml:"level"`  // debug, info, warn or error
}

// Index chooses the vector engine.
type Index struct {
	Engine string `toml:"engine"` // auto, lancedb or flat
}

// Embedding chooses the model that makes vectors.
type Embedding struct {
	Provider       string `toml:"provider"` // builtin, local, openai or ollama
	BaseURL        string `toml:"base_url"`
	Model          string `toml:"model"`
	APIKey         Secret `toml:"api_key"`
	Dim            int    `toml:"dim"` // 0: as the model gives
	QueryPrefix    string `toml:"query_prefix"`
	DocumentPrefix string `toml:"document_prefix"`
	TimeoutSeconds int    `toml:"timeout_seconds"`
	BatchSize      int    `toml:"batch_size"`
}

// Timeout limits one call.
func (e Embedding) Timeout() time.Duration { return seconds(e.TimeoutSeconds) }

// LLM chooses the chat model; no provider means that rules do the work.
type LLM struct {
	Provider         string   `toml:"provider"` // "", openai, ollama, anthropic, google or command
	BaseURL          string   `toml:"base_url"`
	Model            string   `toml:"model"`
	APIKey           Secret   `toml:"api_key"`
	DailyTokenBudget int      `toml:"daily_token_budget"`
	TimeoutSeconds   int      `toml:"timeout_seconds"`
	Command          []string `toml:"command"`
	Env              []string `toml:"env"`
	Parallel         int      `toml:"parallel"`
	BatchTurns       int      `toml:"batch_turns"` // 0: as the provider wants it
	RestSeconds      int      `toml:"rest_seconds"`
}

// ProviderCommand is the provider that is a program on this machine.
const ProviderCommand = "command"

// Timeout limits one call.
func (l LLM) Timeout() time.Duration { return seconds(l.TimeoutSeconds) }

// Rest is how long a conversation gets no turn before it counts as resting.
func (l LLM) Rest() time.Duration { return seconds(l.RestSeconds) }

// Batch is how many turns of a conversation a model reads in one call. A program that takes seconds to start is given many.
func (l LLM) Batch() int {
	switch {
	case l.BatchTurns > 0:
		return l.BatchTurns
	case l.Provider == ProviderCommand:
		return 20
	}
	return 1
}

// Intake sizes the pool that turns stored turns into facts.
type Intake struct {
	Workers int `toml:"workers"`
	Queue   int `toml:"queue"`

	TurnTimeoutSeconds int `toml:"turn_timeout_seconds"`
}

// Extraction says what the rules take for a fact.
type Extraction struct {
	WorthPercent int `toml:"worth_percent"`
}

// TurnTimeout limits the extraction of one turn's facts.
func (i Intake) TurnTimeout() time.Duration { return seconds(i.TurnTimeoutSeconds) }

// Mine bounds what is read of mined folders.
type Mine struct {
	MaxFileBytes int64  `toml:"max_file_bytes"`
	IgnoreFile   string `toml:"ignore_file"`
	Watch        bool   `toml:"watch"`
}

// Watcher sets the clocks of the vault's watcher.
type Watcher struct {
	QuietMS      int `toml:"quiet_ms"`
	MaxWaitMS    int `toml:"max_wait_ms"`
	SweepSeconds int `toml:"sweep_seconds"`
}

// Quiet is how long a path must be left alone before it counts as saved.
func (w Watcher) Quiet() time.Duration { return time.Duration(w.QuietMS) * time.Millisecond }

// MaxWait is how long a path that is never left alone waits at most.
func (w Watcher) MaxWait() time.Duration { return time.Duration(w.MaxWaitMS) * time.Millisecond }

// Sweep is the time between two looks at the whole vault.
func (w Watcher) Sweep() time.Duration { return seconds(w.SweepSeconds) }

// Guard names who leaves no trace.
type Guard struct {
	Platforms []string `toml:"platforms"`
}

// Hooks says what the hooks of assistants answer.
type Hooks struct {
	Brief      bool `toml:"brief"`
	Compact    bool `toml:"compact"`
	AnswerMS   int  `toml:"answer_ms"`
	PromptHits int  `toml:"prompt_hits"`
}

// Answer is how long a hook may wait for the daemon.
func (h Hooks) Answer() time.Duration { return time.Duration(h.AnswerMS) * time.Millisecond }

// Capture says what of the transcripts of assistants is taken in.
type Capture struct {
	Enabled         bool     `toml:"enabled"`
	Hosts           []string `toml:"hosts"`
	Folders         []string `toml:"folders"`
	IntervalSeconds int      `toml:"interval_seconds"`
	SettleSeconds   int      `toml:"settle_seconds"`
	ToolBytes       int      `toml:"tool_bytes"`
}

// Interval is the time between two looks at the folders.
func (c Capture) Interval() time.Duration { return seconds(c.IntervalSeconds) }

// Settle is how long a session must rest for its last turn to be taken as it is.
func (c Capture) Settle() time.Duration { return seconds(c.SettleSeconds) }

// CaptureHosts are the programs whose transcripts can be read.
var CaptureHosts = []string{"claude-code", "codex", "gemini"}

// Consolidation sets the dream.
type Consolidation struct {
	Enabled         bool     `toml:"enabled"`
	MinHours        int      `toml:"min_hours"`
	MinFacts        int      `toml:"min_facts"`
	IntervalSeconds int      `toml:"interval_seconds"`
	TimeoutSeconds  int      `toml:"timeout_seconds"`
	MaxDays         int      `toml:"max_days"`
	MaxRetries      int      `toml:"max_retries"`
	KeepRuns        int      `toml:"keep_runs"`
	KeepCopies      int      `toml:"keep_copies"`
	MemoryMaxLines  int      `toml:"memory_max_lines"`
	Model           string   `toml:"model"` // "": as llm.model
	Tools           []string `toml:"tools"`

	StepTimeoutSeconds int `toml:"step_timeout_seconds"`
	StepFacts          int `toml:"step_facts"`
	StepChars          int `toml:"step_chars"`
}

// StepTimeout is how long a dream in steps waits for the next one.
func (c Consolidation) StepTimeout() time.Duration { return seconds(c.StepTimeoutSeconds) }

// Interval is the time between two looks at the gate.
func (c Consolidation) Interval() time.Duration { return seconds(c.IntervalSeconds) }

// Timeout limits one run of a model.
func (c Consolidation) Timeout() time.Duration { return seconds(c.TimeoutSeconds) }

// Notebook is the older name of the vault's settings.
type Notebook struct {
	Dir string `toml:"dir"` // another name for Config.Vault
}

// Recall sets how searches that say nothing else are ranked.
type Recall struct {
	Profile  string                    `toml:"profile"`
	Rerank   string                    `toml:"rerank"`   // a model's name or path; "": none
	Flags    map[string]any            `toml:"flags"`    // of Profile
	Profiles map[string]map[string]any `toml:"profiles"` // people's own. Recall checks all three: it knows phases and flags
}

// Replay sets whether questions are kept with their answers, to be asked again.
type Replay struct {
	Enabled  bool `toml:"enabled"`
	KeepDays int  `toml:"keep_days"`
}

// Days is for how many days they are kept; 0: not at all.
func (r Replay) Days() int {
	if !r.Enabled {
		return 0
	}
	return r.KeepDays
}

// Graph sets how the knowledge graph is read.
type Graph struct {
	FunctionalPredicates []string `toml:"functional_predicates"`
	Context              bool     `toml:"context"`
}

// Closets sets whether pointer lines are kept of conversations and files, and how much they hold.
type Closets struct {
	Enabled       bool `toml:"enabled"`
	CharLimit     int  `toml:"char_limit"`
	TopicsPer5000 int  `toml:"topics_per_5000"`
	Quotes        int  `toml:"quotes"`
	Entities      int  `toml:"entities"`
	Refs          int  `toml:"refs"`
}

// Workspace is one vault with its own data folder and token.
type Workspace struct {
	Vault     string `toml:"vault"`
	DataDir   string `toml:"data_dir"`   // "": the workspace's name under Config.DataDir
	TokenFile string `toml:"token_file"` // "": token in its data folder
}

// DefaultWorkspace is the name of the workspace that the top-level settings describe.
const DefaultWorkspace = "default"

// Default is the configuration of someone who set nothing.
func Default() Config {
	_, dataDir := Dirs()
	return Config{
		Vault:   filepath.Join(xdg.Home, "Reverie"),
		DataDir: dataDir,
		Server: Server{
			Addr: "127.0.0.1:7431", BodyLimit: 32 << 20,
			ReadTimeoutSeconds: 30, RequestTimeoutSeconds: 60, ShutdownTimeoutSeconds: 3, Tools: "core",
		},
		Log:        Log{Format: "text", Level: "info"},
		Index:      Index{Engine: "auto"},
		Embedding:  Embedding{Provider: "builtin", TimeoutSeconds: 30, BatchSize: 64},
		LLM:        LLM{DailyTokenBudget: 500_000, TimeoutSeconds: 120, Command: []string{}, Env: []string{}, Parallel: 1, RestSeconds: 300},
		Intake:     Intake{Workers: 16, Queue: 1024, TurnTimeoutSeconds: 240},
		Extraction: Extraction{WorthPercent: 40},
		Watcher:    Watcher{QuietMS: 200, MaxWaitMS: 2000, SweepSeconds: 300},
		Mine:       Mine{MaxFileBytes: 10 << 20, IgnoreFile: ".reverieignore"},
		Guard:      Guard{Platforms: []string{"dream", "subagent", "subagent_wakeup"}},
		Hooks:      Hooks{Brief: true, Compact: true, AnswerMS: 25},
		Capture: Capture{
			Enabled: true, Hosts: slices.Clone(CaptureHosts), Folders: []string{}, IntervalSeconds: 30, SettleSeconds: 60, ToolBytes: 2000,
		},
		Consolidation: Consolidation{
			Enabled: true, MinHours: 24, MinFacts: 20, IntervalSeconds: 1800, TimeoutSeconds: 600,
			MaxDays: 14, MaxRetries: 3, KeepRuns: 90, KeepCopies: 2, MemoryMaxLines: 200,
			Tools:              []string{"list_pages", "read_page", "search_memory", "propose"},
			StepTimeoutSeconds: 900, StepFacts: 20, StepChars: 12_000,
		},
		Palace: Palace{
			Batch: 50, BudgetPercent: 25, ProcessSeconds: 60, EnrichSeconds: 600, Maintain: "0 0 * * *", Centroids: "0 3 * * 0",
			KeepMin: 100,
		},
		Compaction: Compaction{Threshold: 0.3, AgeDays: 30, DecayLambda: 0.01, BatchSize: 5000, MaxScanDepth: 50_000, Trigger: 0.8},

		Tiers:  Tiers{HeuristicHigh: 0.8, HeuristicLow: 0.5},
		Recall: Recall{Profile: "default"},
		Replay: Replay{KeepDays: 30},
		Graph:  Graph{FunctionalPredicates: []string{}},

		Closets: Closets{CharLimit: 1500, TopicsPer5000: 12, Quotes: 3, Entities: 5, Refs: 3},
	}
}

// Dirs gives the settings file and the data folder that are used where nothing else is said, by the
// XDG rules and their counterparts on macOS and Windows.
func Dirs() (file, dataDir string) {
	return filepath.Join(xdg.ConfigHome, "reverie", "config.toml"), filepath.Join(xdg.DataHome, "reverie")
}

// Workspace gives the workspace of that name ("" is the default one) with every path filled in.
//
// The default workspace keeps its index in <data_dir>/default and its token in <data_dir>/token.
func (c Config) Workspace(name string) (Workspace, error) {
	if name == "" || name == DefaultWorkspace {
		w := Workspace{Vault: c.Vault, DataDir: filepath.Join(c.DataDir, DefaultWorkspace), TokenFile: c.TokenFile}
		if w.TokenFile == "" {
			w.TokenFile = filepath.Join(c.DataDir, "token")
		}
		return w, nil
	}
	w, ok := c.Workspaces[name]
	if !ok {
		return Workspace{}, fmt.Errorf("workspace %q is not in the settings; known: %s", name, strings.Join(c.WorkspaceNames(), ", "))
	}
	if w.DataDir == "" {
		w.DataDir = filepath.Join(c.DataDir, name)
	}
	if w.TokenFile == "" {
		w.TokenFile = filepath.Join(w.DataDir, "token")
	}
	return w, nil
}

// WorkspaceNames lists the workspaces, the default one first.
func (c Config) WorkspaceNames() []string {
	names := make([]string, 0, len(c.Workspaces)+1)
	for name := range c.Workspaces {
		if name != DefaultWorkspace { // Validate refuses it
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return append([]string{DefaultWorkspace}, names...)
}

func seconds(n int) time.Duration { return time.Duration(n) * time.Second }
