package mcp_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/mcp"
)

// The tools stand before every conversation of an assistant: they may cost 2,500 tokens, of about four bytes each.
func TestToolsCostLittle(t *testing.T) {
	const limit = 2500 * 4
	out := serve(t, mcp.Options{Memory: newAnswers()}, hello+`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	_, line, _ := strings.Cut(out, "\n")
	var list struct {
		Result struct{ Tools []json.RawMessage }
	}
	if err := json.Unmarshal([]byte(line), &list); err != nil {
		t.Fatal(err)
	}
	size := len(list.Result.Tools) + 1 // commas and brackets
	for _, tool := range list.Result.Tools {
		size += len(tool)
	}
	t.Logf("%d tools, %d bytes", len(list.Result.Tools), size)
	if len(list.Result.Tools) < 7 || size > limit {
		t.Errorf("%d tools cost %d bytes; at most %d are allowed", len(list.Result.Tools), size, limit)
	}
}
