package hosts

import (
	_ "embed"
	"path/filepath"
)

// All are the programs that Reverie knows. Paths and shapes are those of their own documentation, named at each. A further program is
// one more value here.
var All = []Host{claudeCode, claudeDesktop, codex, cursor, vscode, gemini, opencode, windsurf, zed}

// mcpServers is the shape that most programs share.
var mcpServers = shape{key: "mcpServers"}

// typed is the same with the kind of server, for programs whose documentation asks for it.
func typed(s shape) shape {
	s.before = object{{"type", "stdio"}}
	return s
}

// at is the function that gives the files of a folder.
func at(name string, parts ...part) func(Env, string) []File {
	return func(_ Env, folder string) []File { return []File{{Path: filepath.Join(folder, name), parts: parts}} }
}

//go:embed commands/dream.md
var dreamCommand string

//go:embed commands/recall.md
var recallCommand string

// Claude Code: https://code.claude.com/docs/en/mcp (servers of a person in .claude.json, of a project in .mcp.json),
// https://code.claude.com/docs/en/hooks (settings.json; a command with args is run without a shell, since 2.1.139),
// https://code.claude.com/docs/en/env-vars (CLAUDE_CONFIG_DIR), https://code.claude.com/docs/en/slash-commands.
var claudeCode = Host{
	Name: "claude-code", Title: "Claude Code", programs: []string{"claude"},
	folders: func(e Env) []string { return []string{e.or("CLAUDE_CONFIG_DIR", ".claude")} },
	files: func(e Env, folder string) []File {
		servers := e.home(".claude.json")
		if filepath.IsAbs(e.Getenv("CLAUDE_CONFIG_DIR")) {
			servers = filepath.Join(folder, ".claude.json")
		}
		return []File{
			{Path: servers, parts: []part{jsonServer(typed(mcpServers))}},
			{Path: filepath.Join(folder, "settings.json"), parts: []part{claudeHooks}},
			{Path: filepath.Join(folder, "commands", "dream.md"), parts: []part{ownFile{"command dream", dreamCommand, "dream"}}},
			{Path: filepath.Join(folder, "commands", "recall.md"), parts: []part{ownFile{"command recall", recallCommand, ""}}},
		}
	},
	project: []File{{Path: ".mcp.json", parts: []part{jsonServer(typed(mcpServers))}}},
	Next:    "start a new session of Claude Code",
}

var claudeHooks = hooks{
	host: "claude-code", direct: true, before: object{{"type", "command"}},
	events: []event{
		{"SessionStart", "session-start", 10},
		{"UserPromptSubmit", "prompt", 5},
		{"Stop", "stop", 10},
		{"PreCompact", "pre-compact", 10},
		{"SessionEnd", "session-end", 10},
	},
}

// Claude Desktop: https://modelcontextprotocol.io/docs/develop/connect-local-servers. The program does not start where a server has a type.
// As a package of Windows (MSIX) it reads a folder of its own instead of %APPDATA%.
var claudeDesktop = Host{
	Name: "claude-desktop", Title: "Claude Desktop",
	folders: func(e Env) []string {
		folders := []string{filepath.Join(e.config(), "Claude")}
		if e.OS == "windows" {
			packages := filepath.Join(e.or("LOCALAPPDATA", "AppData", "Local"), "Packages", "Claude_*", "LocalCache", "Roaming", "Claude")
			found, _ := filepath.Glob(packages)
			folders = append(folders, found...)
		}
		return folders
	},
	files: at("claude_desktop_config.json", jsonServer(mcpServers)),
	Next:  "quit Claude Desktop and open it again",
}

// Codex, the program and the extension alike: https://developers.openai.com/codex/mcp, https://developers.openai.com/codex/hooks (a
// line for the session's shell; a person has to trust each new or changed hook).
var codex = Host{
	Name: "codex", Title: "Codex", programs: []string{"codex"},
	folders: func(e Env) []string { return []string{e.or("CODEX_HOME", ".codex")} },
	files: func(_ Env, folder string) []File {
		return []File{
			{Path: filepath.Join(folder, "config.toml"), parts: []part{tomlServer("mcp_servers")}},
			{Path: filepath.Join(folder, "hooks.json"), parts: []part{codexHooks}},
		}
	},
	project: []File{{Path: ".codex/config.toml", parts: []part{tomlServer("mcp_servers")}}},
	Next:    "start a new session of Codex, and trust the hooks of Reverie with /hooks",
}

var codexHooks = hooks{
	host: "codex", before: object{{"type", "command"}},
	events: []event{
		{"SessionStart", "session-start", 10}, {"UserPromptSubmit", "prompt", 5}, {"Stop", "stop", 10}, {"PreCompact", "pre-compact", 10},
	},
}

// Cursor: https://cursor.com/docs/mcp.
var cursor = Host{
	Name: "cursor", Title: "Cursor", programs: []string{"cursor"},
	folders: func(e Env) []string { return []string{e.home(".cursor")} },
	files:   at("mcp.json", jsonServer(typed(mcpServers))),
	project: []File{{Path: ".cursor/mcp.json", parts: []part{jsonServer(typed(mcpServers))}}},
	Next:    "switch the server on in Cursor's settings, under MCP, where it is off",
}

// Visual Studio Code with its sister editions: https://code.visualstudio.com/docs/copilot/reference/mcp-configuration.
var vscode = Host{
	Name: "vscode", Title: "Visual Studio Code", programs: []string{"code", "code-insiders", "codium"},
	folders: func(e Env) (folders []string) {
		for _, edition := range []string{"Code", "Code - Insiders", "VSCodium"} {
			folders = append(folders, filepath.Join(e.config(), edition, "User"))
		}
		return folders
	},
	files:   at("mcp.json", jsonServer(typed(shape{key: "servers"}))),
	project: []File{{Path: ".vscode/mcp.json", parts: []part{jsonServer(typed(shape{key: "servers"}))}}},
	Next:    "start the server with \"MCP: List Servers\", where the editor asks for it",
}

// Gemini CLI: https://geminicli.com/docs/tools/mcp-server, https://geminicli.com/docs/hooks/reference (a line for sh or PowerShell; limits
// in milliseconds).
var gemini = Host{
	Name: "gemini", Title: "Gemini CLI", programs: []string{"gemini"},
	folders: func(e Env) []string { return []string{e.home(".gemini")} },
	files:   at("settings.json", jsonServer(mcpServers), geminiHooks),
	project: []File{{Path: ".gemini/settings.json", parts: []part{jsonServer(mcpServers)}}},
	Next:    "start a new session of Gemini CLI",
}

var geminiHooks = hooks{
	host: "gemini", before: object{{"name", Name}, {"type", "command"}},
	events: []event{
		{"SessionStart", "session-start", 10_000},
		{"BeforeAgent", "prompt", 5000},
		{"AfterAgent", "stop", 10_000},
		{"PreCompress", "pre-compact", 10_000},
		{"SessionEnd", "session-end", 10_000},
	},
}

// OpenCode: https://opencode.ai/docs/config, https://opencode.ai/docs/mcp-servers.
var opencode = Host{
	Name: "opencode", Title: "OpenCode", programs: []string{"opencode"},
	folders: func(e Env) []string { return []string{filepath.Join(e.xdg(), "opencode")} },
	files: func(_ Env, folder string) []File {
		path := existing(filepath.Join(folder, "opencode.jsonc"), filepath.Join(folder, "opencode.json"))
		return []File{{Path: path, parts: []part{jsonServer(opencodeServers)}}}
	},
	project: []File{{Path: "opencode.json", parts: []part{jsonServer(opencodeServers)}}},
	Next:    "start OpenCode again",
}

var opencodeServers = shape{key: "mcp", before: object{{"type", "local"}}, joined: true, after: object{{"enabled", true}}}

// Windsurf: https://docs.windsurf.com/windsurf/cascade/mcp.
var windsurf = Host{
	Name: "windsurf", Title: "Windsurf", programs: []string{"windsurf"},
	folders: func(e Env) []string { return []string{e.home(".codeium", "windsurf")} },
	files:   at("mcp_config.json", jsonServer(mcpServers)),
	Next:    "refresh the servers in Windsurf's Cascade",
}

// Zed: https://zed.dev/docs/ai/mcp, https://zed.dev/docs/configuring-zed. Older versions want the source.
var zed = Host{
	Name: "zed", Title: "Zed", programs: []string{"zed", "zeditor"},
	folders: func(e Env) []string {
		switch e.OS {
		case "windows":
			return []string{filepath.Join(e.config(), "Zed")}
		case "darwin":
			return []string{e.home(".config", "zed")}
		}
		return []string{filepath.Join(e.xdg(), "zed")}
	},
	files:   at("settings.json", jsonServer(zedServers)),
	project: []File{{Path: ".zed/settings.json", parts: []part{jsonServer(zedServers)}}},
}

var zedServers = shape{key: "context_servers", before: object{{"source", "custom"}}}
