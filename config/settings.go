package config

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/reverie-memory/reverie/internal/slice"
)

// A setting describes one value of [Config]: its key, meaning and limits stand here and nowhere else.
type setting struct {
	Key   string // as in the file, such as "watcher.quiet_ms"; its parts are the toml tags of the fields
	Doc   string // one or two sentences; says what zero or empty means
	OneOf []string
	Min   int64 // Min and Max apply to numbers, both inclusive
	Max   int64
	Path  bool // a file or folder: ~ and relative paths are made absolute
	Flag  string

	check func(string) error
}

// env is the setting's environment variable.
func (s setting) env() string {
	return "REVERIE_" + strings.ToUpper(strings.ReplaceAll(s.Key, ".", "_"))
}

// field is a pointer to the setting's value in c.
func (s setting) field(c *Config) any {
	v := reflect.ValueOf(c).Elem()
	for name := range strings.SplitSeq(s.Key, ".") {
		v = v.FieldByIndex(tagged(v.Type(), name))
	}
	if v.Kind() == reflect.Int {
		return v.Addr().Convert(reflect.TypeFor[*int]()).Interface()
	}
	return v.Addr().Interface()
}

// tagged is the place of the field with that toml tag.
func tagged(t reflect.Type, tag string) []int {
	for f := range t.Fields() {
		if f.Tag.Get("toml") == tag {
			return f.Index
		}
	}
	panic("config: no field of " + t.Name() + " has the tag " + tag)
}

// shortEnv are the settings with a second, shorter name.
var shortEnv = map[string]string{"REVERIE_ADDR": "server.addr"}

// settings is the table, in the order of the file. Workspaces and recall.flags, whose keys a person
// chooses, are not in it.
var settings = []setting{
	{
		Key: "vault", Flag: "--vault", Path: true,
		Doc: "Folder of the vault, opened in Obsidian. Not set: the default of `reverie vaults`, else this.",
	},
	{
		Key: "data_dir", Flag: "--data-dir", Path: true,
		Doc: "Folder of everything that can be rebuilt: indexes and tokens. It must lie outside the vault. Not set: one for each vault, " +
			"here or below it.",
	},
	{
		Key: "token_file", Flag: "--token-file", Path: true,
		Doc: "File of the token that opens the default workspace, mode 0600, at least 16 visible ASCII characters. Empty: `token` in " +
			"`data_dir`.",
	},

	{Key: "server.addr", Flag: "--addr", check: checkLoopback, Doc: "Where the daemon listens; loopback only. Port 0 takes a free one."},
	{Key: "server.body_limit", Min: 1 << 10, Max: 1 << 30, Doc: "Largest request, in bytes."},
	{
		Key: "server.read_timeout_seconds", Min: 1, Max: 3600,
		Doc: "How long a client may take to send the head of a request, and then its body.",
	},
	{
		Key: "server.request_timeout_seconds", Min: 1, Max: 3600,
		Doc: "How long an answer may take; event streams and jobs are not bound by it.",
	},
	{
		Key: "server.shutdown_timeout_seconds", Min: 1, Max: 60,
		Doc: "How long the end of the daemon may take after SIGTERM; requests that run get 1 s of it before they are cancelled.",
	},
	{
		Key: "server.tools", OneOf: []string{"core", "all"},
		Doc: "Which operations assistants have as tools at `/mcp`: those that most need, or all. `reverie mcp --tools` says it for one " +
			"assistant.",
	},

	{Key: "log.format", Flag: "--log-format", OneOf: []string{"text", "json"}, Doc: "Shape of the log on standard error."},
	{Key: "log.level", OneOf: []string{"debug", "info", "warn", "error"}, Doc: "Least level that is logged."},

	{
		Key: "index.engine", OneOf: []string{"auto", "lancedb", "flat"},
		Doc: "Vector engine. `auto` is LanceDB where its library is built in, else the pure-Go flat engine.",
	},

	{
		Key: "embedding.provider", OneOf: []string{"builtin", "local", "openai", "ollama"},
		Doc: "Who makes vectors. `builtin` needs no model and no network; `local` runs a model's files in this process; `openai` is any " +
			"server of that shape.",
	},
	{Key: "embedding.base_url", check: checkURL, Doc: "Address of the model server. Empty: the provider's own."},
	{
		Key: "embedding.model",
		Doc: "Name of the embedding model; of `local`, one of `reverie model list` or a folder's path. The built-in one has none.",
	},
	{Key: "embedding.api_key", Doc: "Key of the model server; `env:NAME` reads it from that environment variable."},
	{Key: "embedding.dim", Min: 0, Max: 8192, Doc: "Length of the vectors. 0: as the model gives."},
	{Key: "embedding.query_prefix", Doc: "Put before every question, for models that want it."},
	{Key: "embedding.document_prefix", Doc: "Put before every stored text, for models that want it."},
	{Key: "embedding.timeout_seconds", Min: 1, Max: 600, Doc: "Limit of one call."},
	{Key: "embedding.batch_size", Min: 1, Max: 2048, Doc: "Texts in one call."},
	{
		Key: "embedding.int8",
		Doc: "Whether models in this process, also that of `recall.rerank`, multiply in 8 bits where the processor has AVX-512 VNNI, which is " +
			"twice as fast.",
	},

	{
		Key: "llm.provider", OneOf: []string{"", "openai", "ollama", "anthropic", "google", "command"},
		Doc: "Who extracts facts and writes pages; `command` is a program on this machine, such as `claude -p`. Empty: rules, without any " +
			"model.",
	},
	{Key: "llm.base_url", check: checkURL, Doc: "Address of the model server. Empty: the provider's own."},
	{Key: "llm.model", Doc: "Name of the chat model. With `command`, what `{model}` in the command stands for, if anything."},
	{Key: "llm.api_key", Doc: "Key of the model server; `env:NAME` reads it from that environment variable."},
	{
		Key: "llm.daily_token_budget", Min: 0, Max: 1e12,
		Doc: "Tokens that may be spent in one UTC day. At the limit, models are not asked again until the next day. 0: never ask one.",
	},
	{Key: "llm.timeout_seconds", Min: 1, Max: 3600, Doc: "Limit of one call."},
	{
		Key: "llm.command",
		Doc: "Program and arguments of provider `command`. It reads a prompt on standard input and prints the answer; no shell is involved. " +
			"A name is looked up in `PATH`, anything else is an absolute path.",
	},
	{
		Key: "llm.env", check: checkEnvName,
		Doc: "Environment variables that the program gets besides `PATH`, `HOME` and the like.",
	},
	{Key: "llm.parallel", Min: 1, Max: 16, Doc: "Calls of the program at the same time."},
	{
		Key: "llm.batch_turns", Min: 0, Max: 100,
		Doc: "Turns of a conversation that a model reads in one call, once the conversation rests or ends. 1: each turn by itself and at " +
			"once. 0: 20 with `command`, else 1.",
	},
	{
		Key: "llm.rest_seconds", Min: 1, Max: 86_400,
		Doc: "A conversation rests when it got no turn for so long. Only where several turns are read in one call.",
	},

	{Key: "intake.workers", Min: 1, Max: 256, Doc: "Turns whose facts are extracted at the same time."},
	{Key: "intake.queue", Min: 1, Max: 1e6, Doc: "Turns that wait in memory; more are taken from the vault later, never lost."},
	{
		Key: "intake.turn_timeout_seconds", Min: 1, Max: 3600,
		Doc: "Limit of the extraction of one turn's facts; a model that reads it by itself may use half. What was found by then " +
			"stays, the rest is given up; the turn itself is kept.",
	},

	{
		Key: "extraction.worth_percent", Min: 1, Max: 99,
		Doc: "How probable it must be that a sentence lasts and is understood, by itself or with what is quoted of the messages before, so " +
			"that the rules make a fact of it. More: fewer and better facts. What is said stays searchable in any case.",
	},

	{Key: "watcher.quiet_ms", Min: 10, Max: 60_000, Doc: "A file counts as saved when it was left alone for so long."},
	{
		Key: "watcher.max_wait_ms", Min: 10, Max: 600_000,
		Doc: "A file that is never left alone is looked at after so long; not below `quiet_ms`.",
	},
	{Key: "watcher.sweep_seconds", Min: 5, Max: 86_400, Doc: "The whole vault is looked at after so long, whatever the system reported."},

	{Key: "mine.max_file_bytes", Min: 1 << 10, Max: 100 << 20, Doc: "Larger files of mined folders are left out."},
	{
		Key: "mine.ignore_file", check: checkFileName,
		Doc: "Name of the files that say, in the syntax of `.gitignore`, what mining leaves out in their folder; they count after " +
			"`.gitignore`.",
	},
	{Key: "mine.watch", Doc: "Whether a mined folder is followed at once, where `--watch` does not say."},

	{Key: "guard.platforms", Doc: "Turns from these platforms leave no trace."},

	{Key: "hooks.brief", Doc: "Whether a session begins with what is new since the assistant's last one in the project."},
	{Key: "hooks.compact", Doc: "Whether an assistant that shortens its context is told what of the memory to keep."},
	{
		Key: "hooks.answer_ms", Min: 5, Max: 5000,
		Doc: "How long a hook may wait for the daemon, counted from its start. What is not there by then is left out.",
	},
	{
		Key: "hooks.prompt_hits", Min: 0, Max: 3,
		Doc: "Hits that the hook of a prompt puts before it. 0: none.",
	},

	{Key: "capture.enabled", Doc: "Whether transcripts of assistants are read at all."},
	{
		Key: "capture.hosts", OneOf: CaptureHosts,
		Doc: "Assistants whose transcripts may be read. Those of an assistant are read from the moment on when it was set up or a hook of it " +
			"first ran.",
	},
	{
		Key: "capture.folders", check: checkFolders,
		Doc: "More folders with transcripts, each as `assistant=folder`. Those where assistants keep them by themselves are known.",
	},
	{Key: "capture.interval_seconds", Min: 1, Max: 3600, Doc: "Time between two looks at the folders, for what no hook has told."},
	{
		Key: "capture.settle_seconds", Min: 1, Max: 3600,
		Doc: "A session's last turn is taken once the session has rested for so long, where no hook says that the turn has ended.",
	},
	{
		Key: "capture.tool_bytes", Min: 0, Max: 1e6,
		Doc: "How much of each output of a tool is kept. 0: none.",
	},

	{Key: "consolidation.enabled", Doc: "Whether dreams start by themselves."},
	{Key: "consolidation.min_hours", Min: 0, Max: 8760, Doc: "Hours between two attempts. 0: no wait."},
	{Key: "consolidation.min_facts", Min: 0, Max: 1e6, Doc: "Pending facts that make a dream worth its cost. 0: any."},
	{Key: "consolidation.interval_seconds", Min: 10, Max: 86_400, Doc: "Time between two looks at the gate."},
	{Key: "consolidation.timeout_seconds", Min: 10, Max: 86_400, Doc: "Limit of one run of the model."},
	{
		Key: "consolidation.max_days", Min: 1, Max: 366,
		Doc: "Days in one batch; more pending days than this start catching up, one batch at each look.",
	},
	{Key: "consolidation.max_retries", Min: 1, Max: 100, Doc: "Failures after which a batch is skipped and listed for a person."},
	{
		Key: "consolidation.keep_runs", Min: 1, Max: 1e6,
		Doc: "Dreams that can be taken back. Of older ones the copies of pages are dropped; plan, ledger and report stay.",
	},
	{
		Key: "consolidation.keep_copies", Min: 0, Max: 1000,
		Doc: "How large those copies may be together, in multiples of the vault's Markdown. Beyond it the oldest are dropped, and their dreams " +
			"cannot be taken back any more; the newest 5 always can.",
	},
	{Key: "consolidation.memory_max_lines", Min: 10, Max: 200, Doc: "Most lines of MEMORY.md."},
	{Key: "consolidation.model", Doc: "Chat model for dreams. Empty: `llm.model`."},
	{
		Key: "consolidation.tools", OneOf: []string{"list_pages", "read_page", "search_memory", "propose"},
		Doc: "Tools that the model may use while it plans.",
	},
	{
		Key: "consolidation.step_timeout_seconds", Min: 10, Max: 86_400,
		Doc: "How long a dream that an assistant dreams step by step waits for the next step. Then it is dropped; nothing is lost.",
	},
	{Key: "consolidation.step_facts", Min: 1, Max: 100, Doc: "Most facts that one of its steps gives."},
	{Key: "consolidation.step_chars", Min: 4_000, Max: 200_000, Doc: "Most characters of facts and pages that one of its steps gives."},

	{Key: "palace.model", Doc: "Chat model that looks at drawers. Empty: `llm.model`."},
	{
		Key: "palace.batch", Min: 1, Max: 100,
		Doc: "Drawers that are taken up at a time. One call asks about 26 of them at most, since its answer has 8,000 tokens and each drawer " +
			"may need 300, and about fewer where they are long.",
	},
	{
		Key: "palace.budget_percent", Min: 0, Max: 100,
		Doc: "How much of `llm.daily_token_budget` that may cost, so that conversations and dreams keep theirs. 0: it is never asked.",
	},
	{Key: "palace.process_seconds", Min: 10, Max: 86_400, Doc: "Time between two looks for drawers whose words do not say what they are."},
	{Key: "palace.enrich_seconds", Min: 10, Max: 86_400, Doc: "Time between two looks for drawers without names."},
	{
		Key: "palace.maintain", check: checkTimes,
		Doc: "When drawers that faded are put away, in the five fields of cron, in UTC. A time that was missed is made up for once.",
	},
	{
		Key: "palace.centroids", check: checkTimes,
		Doc: "When it is learnt what each type of memory looks like, as `palace.maintain`.",
	},
	{Key: "palace.keep_min", Min: 0, Max: 1e9, Doc: "So many drawers are never put away for having faded."},
	{
		Key: "palace.topics",
		Doc: "Drawers for which nobody names a wing and a room hang in the wing `conversations`, in a room by their type, such as `decisions`. " +
			"Your own rules go first: `[palace.places]` names words by wing and room, such as `\"home/garden\" = [\"fern\", \"compost*\"]`.",
	},

	{
		Key: "compaction.enabled",
		Doc: "Whether drawers that others tell are [put away](palace.md#compaction) at night, after `palace.maintain`. Else only when asked for.",
	},
	{Key: "compaction.threshold", Min: 0, Max: 1, Doc: "Those whose score of reads is below it: 0 for not read lately, 1 for all the time."},
	{Key: "compaction.age_days", Min: 0, Max: 36_500, Doc: "And that were neither filed nor read nor " +
		"brought back for longer than so many days."},
	{Key: "compaction.decay_enabled", Doc: "Whether the score fades with the days since."},
	{Key: "compaction.decay_lambda", Min: 0, Max: 10, Doc: "By how much: e to the power of minus so much a day."},
	{Key: "compaction.batch_size", Min: 1, Max: 100_000, Doc: "Drawers that are scored at once."},
	{Key: "compaction.max_scan_depth", Min: 1, Max: 100_000_000, Doc: "Drawers that are scored in one run. The next one goes on behind them."},
	{Key: "compaction.trigger", Min: 0, Max: 1, Doc: "From this share of its context on, an assistant is told what to keep and what may go."},

	{
		Key: "tiers.heuristic_high", Min: 0, Max: 999,
		Doc: "From this confidence on, the words of a drawer decide alone what type it is; 999: never while there is a model.",
	},
	{
		Key: "tiers.heuristic_low", Min: 0, Max: 999,
		Doc: "From this confidence on, below the other, they decide together with the nearest centroid; 999 or the same as the other: " +
			"never.",
	},

	{Key: "notebook.dir", Path: true, Doc: "Another name for `vault`; set one of the two. Empty: not used."},

	{
		Key: "recall.profile",
		Doc: "By which profile searches are ranked that name none: one of docs/recall.md, or of `[recall.profiles]`. `[recall.flags]` sets " +
			"its flags.",
	},

	{
		Key: "recall.rerank",
		Doc: "Model that puts the best hits in order: a cross-encoder or an encoder, such as that of `embedding.model`, by its name in " +
			"`reverie model list` or its folder's path. Empty: none. The flags `rerank_candidates` and `rerank_budget_ms` bound it.",
	},

	{
		Key: "replay.enabled",
		Doc: "Whether each question is kept with its answer, so that `reverie why RECEIPT` can ask it again and tell what changed.",
	},
	{Key: "replay.keep_days", Min: 1, Max: 36500, Doc: "For how many days."},

	{
		Key: "graph.functional_predicates",
		Doc: "Predicates of the [knowledge graph](graph.md) that have one value at a time, besides those of its list. Empty: none.",
	},
	{Key: "graph.context", Doc: "Whether a context begins what it found for a question with what the [knowledge graph](graph.md) knows " +
		"of it."},

	{
		Key: "closets.enabled",
		Doc: "Whether closets are kept: an index of pointer lines, by which conversations and files vote for their drawers in searches.",
	},
	{Key: "closets.char_limit", Min: 200, Max: 10_000, Doc: "Most characters of the lines of one closet."},
	{Key: "closets.topics_per_5000", Min: 1, Max: 100, Doc: "Most topics of 5,000 characters of a conversation of one day, or of a file."},
	{Key: "closets.quotes", Max: 100, Doc: "Most quotes of a conversation of one day, or of a file."},
	{Key: "closets.entities", Max: 50, Doc: "Most names on a line."},
	{Key: "closets.refs", Min: 1, Max: 50, Doc: "Most drawers that a line points to."},
}

// set parses text into the setting. Lists are separated by commas.
func (s setting) set(c *Config, text string) error {
	var err error
	switch p := s.field(c).(type) {
	case *string:
		*p = text
	case *Secret:
		*p = Secret(text)
	case *bool:
		*p, err = strconv.ParseBool(text)
	case *int:
		*p, err = strconv.Atoi(text)
	case *int64:
		*p, err = strconv.ParseInt(text, 10, 64)
	case *float64:
		*p, err = strconv.ParseFloat(text, 64)
	case *[]string:
		*p = nil
		for _, item := range strings.Split(text, ",") {
			if item = strings.TrimSpace(item); item != "" {
				*p = append(*p, item)
			}
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %q is not %s", s.Key, text, s.kind())
	}
	return s.validate(c)
}

// validate checks the one value, without looking at others.
func (s setting) validate(c *Config) error {
	switch p := s.field(c).(type) {
	case *string:
		return s.allows(*p)
	case *[]string:
		for _, item := range *p {
			if err := s.allows(item); err != nil {
				return err
			}
		}
	case *int:
		return s.inRange(int64(*p))
	case *int64:
		return s.inRange(*p)
	case *float64:
		if !(*p >= float64(s.Min) && *p <= float64(s.Max)) {
			return fmt.Errorf("%s: %v is out of range, allowed are %d to %d", s.Key, *p, s.Min, s.Max)
		}
	}
	return nil
}

// allows checks a text.
func (s setting) allows(text string) error {
	if s.OneOf != nil && !slices.Contains(s.OneOf, text) {
		return fmt.Errorf("%s: %q is not one of %s", s.Key, text, quoted(s.OneOf))
	}
	if s.check != nil {
		if err := s.check(text); err != nil {
			return fmt.Errorf("%s: %w", s.Key, err)
		}
	}
	return nil
}

func (s setting) inRange(v int64) error {
	if v < s.Min || v > s.Max {
		return fmt.Errorf("%s: %d is out of range, allowed are %d to %d", s.Key, v, s.Min, s.Max)
	}
	return nil
}

// kind names the type for people.
func (s setting) kind() string {
	switch s.field(new(Config)).(type) {
	case *bool:
		return "true or false"
	case *int, *int64:
		return "a whole number"
	case *float64:
		return "a number"
	case *[]string:
		return "a list of texts"
	}
	return "a text"
}

// value gives the setting as TOML; secrets are masked.
func (s setting) value(c *Config) string {
	switch p := s.field(c).(type) {
	case *string:
		return tomlString(*p)
	case *Secret:
		return tomlString(p.String())
	case *bool:
		return strconv.FormatBool(*p)
	case *int:
		return strconv.Itoa(*p)
	case *int64:
		return strconv.FormatInt(*p, 10)
	case *float64:
		return strconv.FormatFloat(*p, 'f', -1, 64)
	case *[]string:
		return "[" + strings.Join(slice.Map(*p, tomlString), ", ") + "]"
	}
	return ""
}

// allowed names the limits for people, "" where there are none.
func (s setting) allowed() string {
	switch {
	case s.OneOf != nil:
		return quoted(s.OneOf)
	case s.Max > 0:
		return fmt.Sprintf("%d to %d", s.Min, s.Max)
	}
	return ""
}

func quoted(values []string) string {
	return strings.Join(slice.Map(values, strconv.Quote), ", ")
}

// checkLoopback refuses addresses that other machines could reach.
func checkLoopback(addr string) error {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("%q is not host:port, such as 127.0.0.1:7431", addr)
	}
	if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
		return fmt.Errorf("port %q is out of range, allowed are 0 to 65535", port)
	}
	ip, err := netip.ParseAddr(host)
	if host != "localhost" && (err != nil || !ip.IsLoopback()) {
		return fmt.Errorf("%q is not a loopback address; allowed are 127.0.0.1, [::1] and localhost", host)
	}
	return nil
}

// checkEnvName refuses what is no name of an environment variable, and ours, which may hold keys and tokens.
func checkEnvName(name string) error {
	switch {
	case name == "" || strings.ContainsAny(name, "=\x00 "):
		return fmt.Errorf("%q is not the name of an environment variable", name)
	case strings.HasPrefix(strings.ToUpper(name), "REVERIE_"):
		return fmt.Errorf("%q is one of Reverie's own and is never handed on", name)
	}
	return nil
}

// checkFileName takes a name without a folder.
func checkFileName(name string) error {
	if name == "" || name == "." || name == ".." || strings.ContainsAny(name, "/\\\x00") {
		return fmt.Errorf("%q is not the name of a file", name)
	}
	return nil
}

// checkFolders takes one folder with transcripts.
func checkFolders(text string) error {
	host, folder, ok := strings.Cut(text, "=")
	if !ok || !slices.Contains(CaptureHosts, host) || !filepath.IsAbs(folder) {
		return fmt.Errorf("%q is not assistant=folder, where the folder is an absolute path and the assistant one of %s", text,
			quoted(CaptureHosts))
	}
	return nil
}

func checkURL(text string) error {
	if text == "" {
		return nil
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return fmt.Errorf("%q is not an http or https address", text)
	}
	if u.User != nil {
		return fmt.Errorf("the address holds a password; put it into api_key")
	}
	return nil
}
