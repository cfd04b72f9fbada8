package config

import (
	"fmt"
	"math"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// A Setting describes one setting: the single place that knows its name, meaning and limits.
type Setting struct {
	Key   string // as in the file, such as "watcher.quiet_ms"
	Doc   string // one or two sentences; says what zero or empty means
	OneOf []string
	Min   float64 // Min and Max apply to numbers, both inclusive
	Max   float64
	Path  bool // a file or folder: ~ and relative paths are made absolute
	Flag  string

	field func(*Config) any // pointer to the value
	check func(string) error
}

// Env is the setting's environment variable.
func (s Setting) Env() string {
	return "REVERIE_" + strings.ToUpper(strings.ReplaceAll(s.Key, ".", "_"))
}

// Secret says that the value is never shown.
func (s Setting) Secret() bool {
	_, ok := s.field(new(Config)).(*Secret)
	return ok
}

// shortEnv are the settings with a second, shorter name.
var shortEnv = map[string]string{"REVERIE_ADDR": "server.addr"}

// Settings is the table, in the order of the file. Workspaces and recall.flags, whose keys a person
// chooses, are not in it.
func Settings() []Setting {
	str := func(key, doc string, f func(*Config) *string) Setting {
		return Setting{Key: key, Doc: doc, field: func(c *Config) any { return f(c) }}
	}
	num := func(key string, lo, hi float64, doc string, f func(*Config) any) Setting {
		return Setting{Key: key, Doc: doc, Min: lo, Max: hi, field: f}
	}
	list := func(key, doc string, f func(*Config) *[]string) Setting {
		return Setting{Key: key, Doc: doc, field: func(c *Config) any { return f(c) }}
	}
	secret := func(key, doc string, f func(*Config) *Secret) Setting {
		return Setting{Key: key, Doc: doc, field: func(c *Config) any { return f(c) }}
	}
	path := func(s Setting) Setting { s.Path = true; return s }
	oneOf := func(s Setting, values ...string) Setting { s.OneOf = values; return s }
	flag := func(s Setting, name string) Setting { s.Flag = name; return s }
	check := func(s Setting, fn func(string) error) Setting { s.check = fn; return s }

	return []Setting{
		flag(path(str("vault", "Folder of the vault, opened in Obsidian. Not set: the default of `reverie vaults`, else this.", func(c *Config) *string { return &c.Vault })), "--vault"),
		flag(path(str("data_dir", "Folder of everything that can be rebuilt: indexes and tokens. It must lie outside the vault. Not set: one for each vault, here or below it.", func(c *Config) *string { return &c.DataDir })), "--data-dir"),
		flag(path(str("token_file", "File of the token that opens the default workspace, mode 0600, at least 16 visible ASCII characters. Empty: `token` in `data_dir`.", func(c *Config) *string { return &c.TokenFile })), "--token-file"),

		flag(check(str("server.addr", "Where the daemon listens; loopback only. Port 0 takes a free one.", func(c *Config) *string { return &c.Server.Addr }), checkLoopback), "--addr"),
		num("server.body_limit", 1<<10, 1<<30, "Largest request, in bytes.", func(c *Config) any { return &c.Server.BodyLimit }),
		num("server.read_timeout_seconds", 1, 3600, "How long a client may take to send the head of a request, and then its body.", func(c *Config) any { return &c.Server.ReadTimeoutSeconds }),
		num("server.request_timeout_seconds", 1, 3600, "How long an answer may take; event streams and jobs are not bound by it.", func(c *Config) any { return &c.Server.RequestTimeoutSeconds }),
		num("server.shutdown_timeout_seconds", 1, 60, "How long the end of the daemon may take after SIGTERM; requests that run get 1 s of it before they are cancelled.", func(c *Config) any { return &c.Server.ShutdownTimeoutSeconds }),

		flag(oneOf(str("log.format", "Shape of the log on standard error.", func(c *Config) *string { return &c.Log.Format }), "text", "json"), "--log-format"),
		oneOf(str("log.level", "Least level that is logged.", func(c *Config) *string { return &c.Log.Level }), "debug", "info", "warn", "error"),

		oneOf(str("index.engine", "Vector engine. `auto` is LanceDB where its library is built in, else the pure-Go flat engine.", func(c *Config) *string { return &c.Index.Engine }), "auto", "lancedb", "flat"),

		oneOf(str("embedding.provider", "Who makes vectors. `builtin` needs no model and no network; `openai` is any server of that shape.", func(c *Config) *string { return &c.Embedding.Provider }), "builtin", "openai", "ollama"),
		check(str("embedding.base_url", "Address of the model server. Empty: the provider's own.", func(c *Config) *string { return &c.Embedding.BaseURL }), checkURL),
		str("embedding.model", "Name of the embedding model. The built-in one has none.", func(c *Config) *string { return &c.Embedding.Model }),
		secret("embedding.api_key", "Key of the model server; `env:NAME` reads it from that environment variable.", func(c *Config) *Secret { return &c.Embedding.APIKey }),
		num("embedding.dim", 0, 8192, "Length of the vectors. 0: as the model gives.", func(c *Config) any { return &c.Embedding.Dim }),
		str("embedding.query_prefix", "Put before every question, for models that want it.", func(c *Config) *string { return &c.Embedding.QueryPrefix }),
		str("embedding.document_prefix", "Put before every stored text, for models that want it.", func(c *Config) *string { return &c.Embedding.DocumentPrefix }),
		num("embedding.timeout_seconds", 1, 600, "Limit of one call.", func(c *Config) any { return &c.Embedding.TimeoutSeconds }),
		num("embedding.batch_size", 1, 2048, "Texts in one call.", func(c *Config) any { return &c.Embedding.BatchSize }),

		oneOf(str("llm.provider", "Who extracts facts and writes pages. Empty: rules, without any model.", func(c *Config) *string { return &c.LLM.Provider }), "", "openai", "ollama", "anthropic", "google"),
		check(str("llm.base_url", "Address of the model server. Empty: the provider's own.", func(c *Config) *string { return &c.LLM.BaseURL }), checkURL),
		str("llm.model", "Name of the chat model.", func(c *Config) *string { return &c.LLM.Model }),
		secret("llm.api_key", "Key of the model server; `env:NAME` reads it from that environment variable.", func(c *Config) *Secret { return &c.LLM.APIKey }),
		num("llm.daily_token_budget", 0, 1e12, "Tokens that may be spent in one UTC day. At the limit, models are not asked again until the next day. 0: never ask one.", func(c *Config) any { return &c.LLM.DailyTokenBudget }),
		num("llm.timeout_seconds", 1, 3600, "Limit of one call.", func(c *Config) any { return &c.LLM.TimeoutSeconds }),

		num("intake.workers", 1, 256, "Turns whose facts are extracted at the same time.", func(c *Config) any { return &c.Intake.Workers }),
		num("intake.queue", 1, 1e6, "Turns that wait in memory; more are taken from the vault later, never lost.", func(c *Config) any { return &c.Intake.Queue }),
		num("intake.turn_timeout_seconds", 1, 3600, "Limit of the extraction of one turn's facts; a model may use half of it. What was found by then stays, the rest is given up; the turn itself is kept.", func(c *Config) any { return &c.Intake.TurnTimeoutSeconds }),

		num("watcher.quiet_ms", 10, 60_000, "A file counts as saved when it was left alone for so long.", func(c *Config) any { return &c.Watcher.QuietMS }),
		num("watcher.max_wait_ms", 10, 600_000, "A file that is never left alone is looked at after so long; not below `quiet_ms`.", func(c *Config) any { return &c.Watcher.MaxWaitMS }),
		num("watcher.sweep_seconds", 5, 86_400, "The whole vault is looked at after so long, whatever the system reported.", func(c *Config) any { return &c.Watcher.SweepSeconds }),

		list("guard.platforms", "Turns from these platforms leave no trace.", func(c *Config) *[]string { return &c.Guard.Platforms }),

		{Key: "consolidation.enabled", Doc: "Whether dreams start by themselves.", field: func(c *Config) any { return &c.Consolidation.Enabled }},
		num("consolidation.min_hours", 0, 8760, "Hours between two attempts. 0: no wait.", func(c *Config) any { return &c.Consolidation.MinHours }),
		num("consolidation.min_facts", 0, 1e6, "Pending facts that make a dream worth its cost. 0: any.", func(c *Config) any { return &c.Consolidation.MinFacts }),
		num("consolidation.interval_seconds", 10, 86_400, "Time between two looks at the gate.", func(c *Config) any { return &c.Consolidation.IntervalSeconds }),
		num("consolidation.timeout_seconds", 10, 86_400, "Limit of one run of the model.", func(c *Config) any { return &c.Consolidation.TimeoutSeconds }),
		num("consolidation.max_days", 1, 366, "Days in one batch; more pending days than this start catching up, one batch at each look.", func(c *Config) any { return &c.Consolidation.MaxDays }),
		num("consolidation.max_retries", 1, 100, "Failures after which a batch is skipped and listed for a person.", func(c *Config) any { return &c.Consolidation.MaxRetries }),
		num("consolidation.keep_runs", 1, 1e6, "Dreams that can be taken back. Of older ones the copies of pages are dropped; plan, ledger and report stay.", func(c *Config) any { return &c.Consolidation.KeepRuns }),
		num("consolidation.memory_max_lines", 10, 200, "Most lines of MEMORY.md.", func(c *Config) any { return &c.Consolidation.MemoryMaxLines }),
		str("consolidation.model", "Chat model for dreams. Empty: `llm.model`.", func(c *Config) *string { return &c.Consolidation.Model }),
		oneOf(list("consolidation.tools", "Tools that the model may use while it plans.", func(c *Config) *[]string { return &c.Consolidation.Tools }), "list_pages", "read_page", "search_memory", "propose"),

		path(str("notebook.dir", "Another name for `vault`; set one of the two. Empty: not used.", func(c *Config) *string { return &c.Notebook.Dir })),

		oneOf(str("recall.profile", "How searches that name no profile are ranked. `[recall.flags]` sets its flags.", func(c *Config) *string { return &c.Recall.Profile }), "default"),
	}
}

// set parses text into the setting. Lists are separated by commas.
func (s Setting) set(c *Config, text string) error {
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
func (s Setting) validate(c *Config) error {
	switch p := s.field(c).(type) {
	case *string:
		if s.OneOf != nil && !slices.Contains(s.OneOf, *p) {
			return fmt.Errorf("%s: %q is not one of %s", s.Key, *p, quoted(s.OneOf))
		}
		if s.check != nil {
			if err := s.check(*p); err != nil {
				return fmt.Errorf("%s: %w", s.Key, err)
			}
		}
	case *[]string:
		for _, item := range *p {
			if s.OneOf != nil && !slices.Contains(s.OneOf, item) {
				return fmt.Errorf("%s: %q is not one of %s", s.Key, item, quoted(s.OneOf))
			}
		}
	case *int:
		return s.inRange(float64(*p))
	case *int64:
		return s.inRange(float64(*p))
	case *float64:
		if err := s.inRange(*p); err != nil {
			return err
		}
		if s.check != nil {
			if err := s.check(formatNumber(*p)); err != nil {
				return fmt.Errorf("%s: %w", s.Key, err)
			}
		}
	}
	return nil
}

func (s Setting) inRange(v float64) error {
	if math.IsNaN(v) || v < s.Min || v > s.Max {
		return fmt.Errorf("%s: %s is out of range, allowed are %s to %s", s.Key, formatNumber(v), formatNumber(s.Min), formatNumber(s.Max))
	}
	return nil
}

// kind names the type for people.
func (s Setting) kind() string {
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
func (s Setting) value(c *Config) string {
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
		return formatNumber(*p)
	case *[]string:
		return "[" + strings.Join(mapStrings(*p, tomlString), ", ") + "]"
	}
	return ""
}

// allowed names the limits for people, "" where there are none.
func (s Setting) allowed() string {
	switch {
	case s.OneOf != nil:
		return quoted(s.OneOf)
	case s.Max > 0:
		return formatNumber(s.Min) + " to " + formatNumber(s.Max)
	}
	return ""
}

func formatNumber(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

func quoted(values []string) string {
	return strings.Join(mapStrings(values, strconv.Quote), ", ")
}

func mapStrings(in []string, fn func(string) string) []string {
	out := make([]string, len(in))
	for i, s := range in {
		out[i] = fn(s)
	}
	return out
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
