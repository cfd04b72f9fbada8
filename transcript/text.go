package transcript

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/internal/slice"
)

// shorten cuts a text to so many bytes, and says how much is missing.
func shorten(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	if limit <= 0 {
		return ""
	}
	cut := limit
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return fmt.Sprintf("%s\n[… %d more bytes]", text[:cut], len(text)-cut)
}

// without cuts out the elements that a program puts into prompts, with what they hold: <name …>…</name>. One that does not end stays.
func without(text string, names []string) string {
	for _, name := range names {
		text = withoutElement(text, "<"+name, "</"+name+">")
	}
	return strings.TrimSpace(text)
}

func withoutElement(text, open, end string) string {
	var b strings.Builder
	kept := 0
	for at := 0; ; {
		i := strings.Index(text[at:], open)
		if i < 0 {
			break
		}
		begin := at + i
		at = begin + len(open)
		if at < len(text) && strings.IndexByte("> \t\r\n", text[at]) < 0 {
			continue // a longer name
		}
		j := strings.Index(text[at:], end)
		if j < 0 {
			break
		}
		b.WriteString(text[kept:begin])
		at += j + len(end)
		kept = at
	}
	if kept == 0 {
		return text
	}
	return b.String() + text[kept:]
}

// element is what an element of a text holds.
func element(text, name string) string {
	_, rest, _ := strings.Cut(text, "<"+name+">")
	inner, _, found := strings.Cut(rest, "</"+name+">")
	if !found {
		return ""
	}
	return strings.TrimSpace(inner)
}

// shell finds our program among the commands of a line for a shell.
var shell = regexp.MustCompile(`(?:^|[;&|(\s/\\])reverie(?:\.exe)?(?:\s|$)`)

// ours tells whether a call is of a tool of ours, by the name of our server within the tool's or in its input, or by our program in a
// command line.
func ours(input json.RawMessage, names ...string) bool {
	for _, name := range names {
		for part := range strings.FieldsFuncSeq(strings.ToLower(name), func(r rune) bool {
			return (r < 'a' || r > 'z') && (r < '0' || r > '9')
		}) {
			if part == "reverie" {
				return true
			}
		}
	}
	var in struct {
		Server  any `json:"server"`
		Command any `json:"command"`
		Cmd     any `json:"cmd"`
	}
	_ = json.Unmarshal(input, &in)
	return fmt.Sprint(in.Server) == "reverie" || shell.MatchString(line(in.Command)) || shell.MatchString(line(in.Cmd))
}

// line is a command as one line: a text, or a list of words.
func line(command any) string {
	switch c := command.(type) {
	case string:
		return c
	case []any:
		return strings.Join(slice.Map(c, func(w any) string { return fmt.Sprint(w) }), " ")
	}
	return ""
}

// moment reads a time; zero where it is none, or none that a file of the vault can be named after.
func moment(text string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil || t.UTC().Year() < 1970 || t.UTC().Year() > 9999 {
		return time.Time{}
	}
	return t
}

// A block is a part of a message, in whichever of the forms hosts use.
type block struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	ID        string          `json:"id"`          // of a call
	Name      string          `json:"name"`        // of a tool
	Input     json.RawMessage `json:"input"`       // of a call
	ToolUseID string          `json:"tool_use_id"` // of a result
	Content   json.RawMessage `json:"content"`     // of a result
}

// blocks reads a message's content: a text, one part, or a list of parts and texts.
func blocks(content json.RawMessage) []block {
	var text string
	if json.Unmarshal(content, &text) == nil {
		return []block{{Type: "text", Text: text}}
	}
	var list []json.RawMessage
	if json.Unmarshal(content, &list) != nil {
		list = []json.RawMessage{content}
	}
	var out []block
	for _, raw := range list {
		var b block
		if json.Unmarshal(raw, &text) == nil {
			b = block{Type: "text", Text: text}
		} else if json.Unmarshal(raw, &b) != nil {
			continue
		}
		out = append(out, b)
	}
	return out
}

// texts are the texts of a content, one below the other.
func texts(content json.RawMessage) string {
	var out []string
	for _, b := range blocks(content) {
		if b.Text != "" {
			out = append(out, b.Text)
		}
	}
	return strings.Join(out, "\n")
}
