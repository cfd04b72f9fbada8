package transcript

import (
	"bytes"
	"encoding/json"
	"errors"
	"path/filepath"
	"strconv"
	"strings"
)

// Claude is Claude Code.
type Claude struct{}

// Name implements [Host].
func (Claude) Name() string { return "claude-code" }

// Folders implements [Host].
func (Claude) Folders(home string) []string {
	return []string{filepath.Join(folder("CLAUDE_CONFIG_DIR", home, ".claude"), "projects")}
}

// Keeps implements [Host]. A session lies right in its project's folder; what sub-agents did lies deeper, or is called agent-….
func (Claude) Keeps(path string) bool {
	dir, name := filepath.Split(path)
	return filepath.Ext(name) == ".jsonl" && !strings.HasPrefix(name, "agent-") && !strings.ContainsAny(strings.TrimRight(dir, `/\`), `/\`)
}

// Reads implements [Host]. The first lines of a session may be of any type, but all name the session, save the summaries of others.
func (Claude) Reads(_ string, head []byte) bool {
	for i, line := range bytes.Split(head, []byte("\n")) {
		var l struct {
			Type      string `json:"type"`
			SessionID string `json:"sessionId"`
			LeafUUID  string `json:"leafUuid"`
			Kind      string `json:"projectHash"` // of Gemini CLI's first line
		}
		switch err := json.Unmarshal(line, &l); {
		case err != nil && i > 0: // cut off
			return false
		case err != nil:
			return bytes.Contains(line, []byte(`"sessionId"`)) && bytes.Contains(line, []byte(`"parentUuid"`))
		case l.Kind != "" || l.Type == "":
			return false
		case l.SessionID != "":
			return true
		case l.Type != "summary" && l.Type != "file-history-snapshot":
			return false
		}
	}
	return false
}

// claudeLine is a line as far as it is understood.
type claudeLine struct {
	Type        string `json:"type"`
	UUID        string `json:"uuid"`
	SessionID   string `json:"sessionId"`
	Timestamp   string `json:"timestamp"`
	CWD         string `json:"cwd"`
	Entrypoint  string `json:"entrypoint"`
	Source      string `json:"promptSource"`
	Sidechain   bool   `json:"isSidechain"`
	Meta        bool   `json:"isMeta"`
	Summary     bool   `json:"isCompactSummary"`
	Unsaid      bool   `json:"isVisibleInTranscriptOnly"`
	APIError    bool   `json:"isApiErrorMessage"`
	Interrupted string `json:"interruptedMessageId"`

	Origin struct {
		Kind string `json:"kind"`
	} `json:"origin"`
	ForkedFrom struct {
		SessionID   string `json:"sessionId"`
		MessageUUID string `json:"messageUuid"`
	} `json:"forkedFrom"`
	Message struct {
		Model   string          `json:"model"`
		Content json.RawMessage `json:"content"`
	} `json:"message"`
	Attachment struct {
		Type   string          `json:"type"`
		Mode   string          `json:"commandMode"`
		Prompt json.RawMessage `json:"prompt"`
		Origin struct {
			Kind string `json:"kind"`
		} `json:"origin"`
	} `json:"attachment"`
}

func (Claude) entries(raw []byte, _ *session) ([]entry, error) {
	var l claudeLine
	var odd *json.UnmarshalTypeError // a field that is not what it was: the rest may do
	if err := json.Unmarshal(raw, &l); err != nil && !errors.As(err, &odd) {
		return nil, err
	}
	if l.Sidechain || l.Meta || l.Summary || l.Unsaid || l.APIError || l.UUID == "" {
		return nil, nil
	}
	e := entry{chat: l.SessionID, id: l.UUID, dir: l.CWD, at: moment(l.Timestamp)}
	if f := l.ForkedFrom; f.SessionID != "" && f.MessageUUID != "" { // a copy, in a session that goes on from another one
		e.chat, e.id = f.SessionID, f.MessageUUID
	}
	switch l.Type {
	case "user":
		return l.asked(e), nil
	case "assistant":
		return l.answered(e), nil
	case "attachment":
		if a := l.Attachment; a.Type == "queued_command" && a.Mode != "task-notification" && human(a.Origin.Kind) {
			return l.typed(e, texts(a.Prompt)), nil
		}
	}
	return nil, nil
}

func human(kind string) bool { return kind == "" || kind == "human" }

// asked are a prompt, or the results of calls.
func (l claudeLine) asked(e entry) (out []entry) {
	parts := blocks(l.Message.Content)
	var said []string
	for _, b := range parts {
		switch b.Type {
		case "tool_result":
			r := e
			r.id, r.role, r.call, r.text = e.id+numbered(len(out)), tool, b.ToolUseID, without(texts(b.Content), claudeElements)
			out = append(out, r)
		case "text":
			said = append(said, b.Text)
		}
	}
	if len(out) > 0 { // what else stands beside results is a reminder
		return out
	}
	return l.typed(e, strings.Join(said, "\n"))
}

// typed is a prompt, if anybody's words are in it. One that a program sent is not a person's.
func (l claudeLine) typed(e entry, text string) []entry {
	if name := element(text, "command-name"); name != "" { // of a command, what the person added
		if args := element(text, "command-args"); args != "" {
			text = name + " " + args
		}
	}
	text = without(text, claudeElements)
	for _, mark := range claudeMarks {
		if strings.HasPrefix(text, mark) {
			return nil
		}
	}
	if text == "" {
		return nil
	}
	e.role, e.text, e.prompt = user, text, true
	if !human(l.Origin.Kind) || l.Source == "system" || strings.HasPrefix(l.Entrypoint, "sdk") {
		e.role = tool
	}
	return []entry{e}
}

// answered are what the assistant said, and its calls.
func (l claudeLine) answered(e entry) (out []entry) {
	if l.Message.Model == "<synthetic>" { // the program's own words
		return nil
	}
	said := 0
	for _, b := range blocks(l.Message.Content) {
		part := e
		switch {
		case b.Type == "tool_use":
			part.call, part.own = b.ID, ours(b.Input, b.Name)
		case b.Type == "text" && strings.TrimSpace(b.Text) != "":
			part.id, part.role, part.text = e.id+numbered(said), assistant, b.Text
			said++
		default:
			continue
		}
		out = append(out, part)
	}
	return out
}

// numbered tells the parts of one message apart.
func numbered(n int) string {
	if n == 0 {
		return ""
	}
	return "#" + strconv.Itoa(n)
}

// claudeElements are what the program writes into prompts and results; the person typed none of it.
var claudeElements = []string{
	"system-reminder", "local-command-caveat", "local-command-stdout", "local-command-stderr", "command-name", "command-message",
	"command-args", "command-contents", "bash-input", "bash-stdout", "bash-stderr", "task-notification", "ide_opened_file",
	"ide_selection", "ide_diagnostics", "user-prompt-submit-hook", "session-start-hook",
}

// claudeMarks begin what the program says in the person's place, where no field of the line tells.
var claudeMarks = []string{
	"[Request interrupted by user", "Caveat: The messages below were generated by the user while running local commands.",
}
