package config

import (
	"cmp"
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
	Addr            string  `toml:"addr"`
	BodyLimit       int64   `toml:"body_limit"`               // bytes
	ReadTimeout     Seconds `toml:"read_timeout_seconds"`     // how long a client may take to send a request
	RequestTimeout  Seconds `toml:"request_timeout_seconds"`  // how long the daemon may take to answer
	ShutdownTimeout Seconds `toml:"shutdown_timeout_seconds"` // how long running work may take to end
	Tools           string  `toml:"tools"`
}

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
	Provider       string  `toml:"provider"` // builtin, local, openai or ollama
	BaseURL        string  `toml:"base_url"`
	Model          string  `toml:"model"`
	APIKey         Secret  `toml:"api_key"`
	Dim            int     `toml:"dim"` // 0: as the model gives
	QueryPrefix    string  `toml:"query_prefix"`
	DocumentPrefix string  `toml:"document_prefix"`
	Timeout        Seconds `toml:"timeout_seconds"` // limits one call
	BatchSize      int     `toml:"batch_size"`
	Int8           bool    `toml:"int8"` // of local
}

// LLM chooses the chat model; no provider means that rules do the work.
type LLM struct {
	Provider         string   `toml:"provider"` // "", openai, ollama, anthropic, google or command
	BaseURL          string   `toml:"base_url"`
	Model            string   `toml:"model"`
	APIKey           Secret   `toml:"api_key"`
	DailyTokenBudget int      `toml:"daily_token_budget"`
	Timeout          Seconds  `toml:"timeout_seconds"` // limits one call
	Command          []string `toml:"command"`
	Env              []string `toml:"env"`
	Parallel         int      `toml:"parallel"`
	BatchTurns       int      `toml:"batch_turns"`  // 0: as the provider wants it
	Rest             Seconds  `toml:"rest_seconds"` // how long a conversation gets no turn before it counts as resting
}

// ProviderCommand is the provider that is a program on this machine.
const ProviderCommand = "command"

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

	TurnTimeout Seconds `toml:"turn_timeout_seconds"` // limits the extraction of one turn's facts
}

// Extraction says what the rules take for a fact.
type Extraction struct {
	WorthPercent int `toml:"worth_percent"`
}

// Mine bounds what is read of mined folders.
type Mine struct {
	MaxFileBytes int64  `toml:"max_file_bytes"`
	IgnoreFile   string `toml:"ignore_file"`
	Watch        bool   `toml:"watch"`
}

// Watcher sets the clocks of the vault's watcher.
type Watcher struct {
	Quiet   Millis  `toml:"quiet_ms"`      // how long a path must be left alone before it counts as saved
	MaxWait Millis  `toml:"max_wait_ms"`   // how long a path that is never left alone waits at most
	Sweep   Seconds `toml:"sweep_seconds"` // the time between two looks at the whole vault
}

// Guard names who leaves no trace.
type Guard struct {
	Platforms []string `toml:"platforms"`
}

// Hooks says what the hooks of assistants answer.
type Hooks struct {
	Brief      bool   `toml:"brief"`
	Compact    bool   `toml:"compact"`
	Answer     Millis `toml:"answer_ms"` // how long a hook may wait for the daemon
	PromptHits int    `toml:"prompt_hits"`
}

// Capture says what of the transcripts of assistants is taken in.
type Capture struct {
	Enabled   bool     `toml:"enabled"`
	Hosts     []string `toml:"hosts"`
	Folders   []string `toml:"folders"`
	Interval  Seconds  `toml:"interval_seconds"` // the time between two looks at the folders
	Settle    Seconds  `toml:"settle_seconds"`   // how long a session must rest for its last turn to be taken as it is
	ToolBytes int      `toml:"tool_bytes"`
}

// CaptureHosts are the programs whose transcripts can be read.
var CaptureHosts = []string{"claude-code", "codex", "gemini"}

// Consolidation sets the dream.
type Consolidation struct {
	Enabled        bool     `toml:"enabled"`
	MinHours       int      `toml:"min_hours"`
	MinFacts       int      `toml:"min_facts"`
	Interval       Seconds  `toml:"interval_seconds"` // the time between two looks at the gate
	Timeout        Seconds  `toml:"timeout_seconds"`  // limits one run of a model
	MaxDays        int      `toml:"max_days"`
	MaxRetries     int      `toml:"max_retries"`
	KeepRuns       int      `toml:"keep_runs"`
	KeepCopies     int      `toml:"keep_copies"`
	MemoryMaxLines int      `toml:"memory_max_lines"`
	Model          string   `toml:"model"` // "": as llm.model
	Tools          []string `toml:"tools"`

	StepTimeout Seconds `toml:"step_timeout_seconds"` // how long a dream in steps waits for the next one
	StepFacts   int     `toml:"step_facts"`
	StepChars   int     `toml:"step_chars"`
}

// Notebook is the older name of the vault's settings.
type Notebook struct {
	Dir string `toml:"dir"` // another name for Config.Vault
}

// Recall sets how searches that say nothing else are ranked.
type Recall struct {
	Profile  string                    `toml:"profile"`
	Rerank   string                    `toml:"rerank"`   // a reranker's or encoder's name or path; "": none
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

// TokenName is the file of a data folder that holds its token, where token_file names no other.
const TokenName = "token"

// Default is the configuration of someone who set nothing.
func Default() Config {
	_, dataDir := Dirs()
	return Config{
		Vault:   filepath.Join(xdg.Home, "Reverie"),
		DataDir: dataDir,
		Server: Server{
			Addr: "127.0.0.1:7431", BodyLimit: 32 << 20,
			ReadTimeout: 30, RequestTimeout: 60, ShutdownTimeout: 3, Tools: "core",
		},
		Log:        Log{Format: "text", Level: "info"},
		Index:      Index{Engine: "auto"},
		Embedding:  Embedding{Provider: "builtin", Timeout: 30, BatchSize: 64},
		LLM:        LLM{DailyTokenBudget: 500_000, Timeout: 120, Command: []string{}, Env: []string{}, Parallel: 1, Rest: 300},
		Intake:     Intake{Workers: 16, Queue: 1024, TurnTimeout: 240},
		Extraction: Extraction{WorthPercent: 40},
		Watcher:    Watcher{Quiet: 200, MaxWait: 2000, Sweep: 300},
		Mine:       Mine{MaxFileBytes: 10 << 20, IgnoreFile: ".reverieignore"},
		Guard:      Guard{Platforms: []string{"dream", "subagent", "subagent_wakeup"}},
		Hooks:      Hooks{Brief: true, Compact: true, Answer: 25},
		Capture: Capture{
			Enabled: true, Hosts: slices.Clone(CaptureHosts), Folders: []string{}, Interval: 30, Settle: 60, ToolBytes: 2000,
		},
		Consolidation: Consolidation{
			Enabled: true, MinHours: 24, MinFacts: 20, Interval: 1800, Timeout: 600,
			MaxDays: 14, MaxRetries: 3, KeepRuns: 90, KeepCopies: 2, MemoryMaxLines: 200,
			Tools:       []string{"list_pages", "read_page", "search_memory", "propose"},
			StepTimeout: 900, StepFacts: 20, StepChars: 12_000,
		},
		Palace: Palace{
			Batch: 50, BudgetPercent: 25, Process: 60, Enrich: 600, Maintain: "0 0 * * *", Centroids: "0 3 * * 0",
			KeepMin: 100,
		},
		Compaction: Compaction{Threshold: 0.3, AgeDays: 30, DecayLambda: 0.01, BatchSize: 5000, MaxScanDepth: 50_000, Trigger: 0.8},

		Tiers:  Tiers{HeuristicHigh: 0.8, HeuristicLow: 0.5},
		Recall: Recall{Profile: "default"},
		Replay: Replay{KeepDays: 30},
		Graph:  Graph{FunctionalPredicates: []string{}, Context: true},

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
		w.TokenFile = cmp.Or(w.TokenFile, filepath.Join(c.DataDir, TokenName))
		return w, nil
	}
	w, ok := c.Workspaces[name]
	if !ok {
		return Workspace{}, fmt.Errorf("workspace %q is not in the settings; known: %s", name, strings.Join(c.WorkspaceNames(), ", "))
	}
	w.DataDir = cmp.Or(w.DataDir, filepath.Join(c.DataDir, name))
	w.TokenFile = cmp.Or(w.TokenFile, filepath.Join(w.DataDir, TokenName))
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

// Seconds and Millis are lengths of time as the settings give them.
type (
	Seconds int
	Millis  int
)

// Duration is the length of time.
func (s Seconds) Duration() time.Duration { return time.Duration(s) * time.Second }

// Duration is the length of time.
func (m Millis) Duration() time.Duration { return time.Duration(m) * time.Millisecond }
