package llm

import (
	"encoding/json"
	"fmt"
	"strings"
)

// An envelope is what some assistants print around an answer: one JSON object (claude -p and gemini with --output-format json), or one
// in each line (codex exec --json). Only the fields that are read stand here.
type envelope struct {
	Type     string          `json:"type"`
	Result   *string         `json:"result"`   // Claude Code
	Response *string         `json:"response"` // Gemini CLI
	IsError  bool            `json:"is_error"`
	Error    json.RawMessage `json:"error"`
	Message  string          `json:"message"`
	Item     struct {
		Type string `json:"type"`
		Text string `json:"text"`
	} `json:"item"` // Codex
	Usage struct {
		Input   int `json:"input_tokens"`
		Written int `json:"cache_creation_input_tokens"` // Claude Code counts what went into or came from a cache by itself
		Read    int `json:"cache_read_input_tokens"`
		Output  int `json:"output_tokens"`
	} `json:"usage"`
	Stats struct {
		Models map[string]struct {
			Tokens struct {
				Prompt int `json:"prompt"`
				Total  int `json:"total"`
			} `json:"tokens"`
		} `json:"models"`
	} `json:"stats"`
}

// unwrap takes the answer and its cost out of its envelope. Without one the whole output is the answer, and the cost unknown.
func unwrap(out string) (Answer, error) {
	var a Answer
	var failed error
	found := false
	dec := json.NewDecoder(strings.NewReader(fromFirstObject(out)))
	for dec.More() {
		var e envelope
		if dec.Decode(&e) != nil {
			break
		}
		text, err, ok := e.read()
		if ok {
			found, failed = true, err // an error that an answer follows was mended
			if err == nil {
				a.Text = text
			}
		}
		a.add(e)
	}
	if !found {
		return Answer{Text: out}, nil
	}
	return a, failed
}

// fromFirstObject leaves out lines before the first that begins an object, such as greetings.
func fromFirstObject(out string) string {
	if i := strings.Index("\n"+out, "\n{"); i >= 0 {
		return out[i:]
	}
	return ""
}

// read returns the answer of an envelope, or the error that it tells; ok is false for other objects.
func (e envelope) read() (text string, err error, ok bool) {
	switch {
	case e.Type == "result" && e.Result != nil:
		text = *e.Result
	case e.Response != nil:
		text = *e.Response
	case e.Type == "item.completed" && e.Item.Type == "agent_message":
		text = e.Item.Text
	case e.Type == "result", e.Type == "error", e.Type == "turn.failed", e.Type == "" && len(e.Error) > 0 && e.Error[0] == '{':
		e.IsError = true
	default:
		return "", nil, false
	}
	if !e.IsError {
		return text, nil, true
	}
	words := marshal(map[string]any{"error": e.Error, "message": e.Message + text})
	return "", fmt.Errorf("the program answered with an error: %s", complaint(words)), true
}

// add counts what an envelope says that the answer cost.
func (a *Answer) add(e envelope) {
	a.InputTokens += e.Usage.Input + e.Usage.Written + e.Usage.Read
	a.OutputTokens += e.Usage.Output
	for _, m := range e.Stats.Models {
		a.InputTokens += m.Tokens.Prompt
		a.OutputTokens += max(0, m.Tokens.Total-m.Tokens.Prompt)
	}
}
