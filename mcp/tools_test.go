package mcp_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/mcp"
	"github.com/reverie-memory/reverie/operations"
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

// What people read of the tools is what assistants get.
func TestDocumentedTools(t *testing.T) {
	const file, begin, end = "../docs/mcp.md", "<!-- tools -->\n", "<!-- end of tools -->\n"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	page := strings.ReplaceAll(string(data), "\r\n", "\n")
	before, rest, _ := strings.Cut(page, begin)
	_, after, found := strings.Cut(rest, end)
	if !found {
		t.Fatalf("%s has no place for the tools", file)
	}
	var core, others []string
	for _, o := range operations.All {
		s := o.About()
		if s.NoTool {
			continue
		}
		if s.Core {
			core = append(core, fmt.Sprintf("| `%s` | %s |\n", s.ToolName(), s.Summary))
		} else {
			others = append(others, fmt.Sprintf("| `%s` | %s |\n", s.ToolName(), s.Summary))
		}
	}
	slices.Sort(core)
	slices.Sort(others)
	want := before + begin + "| tool | what it does |\n|---|---|\n" + strings.Join(core, "") +
		"| **with all tools** | |\n" + strings.Join(others, "") + end + after
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if page != want {
		t.Errorf("%s is out of date; run go test ./mcp -update", file)
	}
}

// Every operation that needs to be led is a prompt.
func TestPromptsOfOperations(t *testing.T) {
	want, err := json.Marshal(operations.DreamPrompt)
	if err != nil {
		t.Fatal(err)
	}
	out := serve(t, mcp.Options{Memory: newAnswers()}, hello+`{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"dream"}}`)
	if !strings.Contains(out, string(want)) {
		t.Errorf("the prompt dream says %s", out)
	}
}

// A tool that shows its answer otherwise than HTTP does can read all of the answer.
func TestToolsReadTheAnswers(t *testing.T) {
	for tool, args := range map[string]string{
		"search": `{"query":"x"}`, "memory_search": `{"query":"x"}`, "fetch": `{"id":"f1"}`, "context": `{}`, "brief": `{}`,
		"status": `{}`,
	} {
		out := serve(t, mcp.Options{Memory: newAnswers(), All: true}, hello+call(1, tool, args))
		if !strings.Contains(out, `"structuredContent"`) || strings.Contains(out, `"isError":true`) {
			t.Errorf("%s: %s", tool, out)
		}
	}
}

// A search is asked by the profile and with the flags that an assistant names, and explains itself where it is asked to.
func TestSearchByAProfile(t *testing.T) {
	memory := newAnswers()
	explained := memory.known["search"].(api.SearchResult)
	explained.Hits[0].ScoreBreakdown = map[string]float64{"lexical": 0.25, "ltp_boost": 0.25}
	explained.Hits[0].ScoreEvents = []api.ScoreEvent{{Phase: "ltp", Part: "ltp_boost", Delta: 0.25, Score: 0.5, Reason: "× 2.000"}}
	explained.Hits[0].SupersededBy = "f2"
	asked := `{"query":"x","profile":"synapse","flags":{"ltp":true,"mmr_lambda":0.5},"explain":true,"as_of":"2026-06-09","as_of_by":"filed"}`
	out := serve(t, mcp.Options{Memory: memory}, hello+call(1, "search", asked))
	for _, want := range []string{
		`"score_breakdown":{"lexical":0.25,"ltp_boost":0.25}`, `"superseded_by":"f2"`,
		`"score_events":[{"phase":"ltp","part":"ltp_boost","delta":0.25,"score":0.5,"reason":"× 2.000"}]`,
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %s in %s", want, out)
		}
	}
	for _, want := range []string{
		`"profile":"synapse"`, `"ltp":true`, `"mmr_lambda":0.5`, `"explain":true`, `"as_of_by":"filed"`,
	} {
		if !strings.Contains(memory.asked["search"], want) {
			t.Errorf("no %s in %s", want, memory.asked["search"])
		}
	}
}

// Where something is not there, an assistant is told what to do about that, and not about something else.
func TestHintsFitTheTool(t *testing.T) {
	for _, c := range []struct{ tool, operation, args, want string }{
		{"fetch", "row", `{"id":"x"}`, "search"},
		{"read_page", "page", `{"path":"x"}`, "list_pages"},
		{"job", "job", `{"id":"x"}`, "jobs"},
		{"dream_report", "dream", `{"id":"x"}`, "dreams"},
		{"dream_cancel", "dreamCancel", `{}`, "nothing to stop"},
		{"kg_path", "graphPath", `{"from":"a","to":"b"}`, ""},
	} {
		memory := newAnswers()
		memory.fails[c.operation] = &api.Error{Code: api.NotFound, Detail: "x: not found"}
		out := serve(t, mcp.Options{Memory: memory, All: true}, hello+call(1, c.tool, c.args))
		_, hint, found := strings.Cut(out, "What to do: ")
		if found != (c.want != "") || !strings.Contains(hint, c.want) || c.tool != "fetch" && strings.Contains(hint, "results of search") {
			t.Errorf("%s: %s", c.tool, out)
		}
	}
}
