package llm

import "time"

// Providers of embeddings and chat.
const (
	ProviderBuiltin   = "builtin"
	ProviderLocal     = "local"  // a folder with a model's files, run in this process
	ProviderOpenAI    = "openai" // any server that speaks OpenAI's protocol
	ProviderOllama    = "ollama"
	ProviderAnthropic = "anthropic"
	ProviderGoogle    = "google"
	ProviderCommand   = "command" // a program on this machine
)

// NoPrefix, as a prefix in EmbedderOptions, switches off the prefix that the model is known to want.
const NoPrefix = "none"

// EmbedderOptions say which embedder to use. The zero value is the built-in one.
type EmbedderOptions struct {
	Provider       string // builtin (or ""), local, openai, ollama
	BaseURL        string // "" is the provider's own
	Model          string
	APIKey         string
	Dim            int           // 0: whatever the model answers; otherwise checked
	QueryPrefix    string        // "": what the model is known to want; NoPrefix: nothing
	DocumentPrefix string        // the same for stored texts
	Timeout        time.Duration // of one request; 0 is 60 s
	BatchSize      int           // texts in one request; 0 is 32
	Models         string        // of local: the folder in which models lie by their names
	Int8           bool          // of local: see [OpenModel]
	AllowPlainHTTP bool          // plain http to public addresses, which is refused otherwise
}

// ChatOptions say which chat model to use. An empty Provider means none.
type ChatOptions struct {
	Provider       string // openai, ollama, anthropic, google, command
	BaseURL        string
	Model          string // of command: what {model} in its arguments stands for, may be ""
	APIKey         string
	ContextTokens  int           // Ollama's num_ctx; 0 is 8192
	Timeout        time.Duration // of one request; 0 is 120 s
	AllowPlainHTTP bool

	// The rest is for command.
	Command  []string // the program and its arguments
	Env      []string // environment variables that it gets besides the usual ones
	Dir      string   // a folder of its own, whose subfolders it is run in; they are emptied before each call
	Parallel int      // calls at the same time; 0 is 1
}
