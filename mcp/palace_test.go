package mcp_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/mcp"
	"github.com/reverie-memory/reverie/operations"
)

// palaceTools are the tools by which agents know palaces elsewhere: what each takes, "!" for what it needs, with its limits, and what kind
// of deed it is.
var palaceTools = map[string]struct {
	takes string
	deed  string // reads, adds, sets (twice is once) or takes (away)
}{
	"memory_status":          {"", "reads"},
	"memory_list_wings":      {"", "reads"},
	"memory_list_rooms":      {"wing", "reads"},
	"memory_get_taxonomy":    {"", "reads"},
	"memory_search":          {"query! limit=5≤50 wing room hall explain", "reads"},
	"memory_check_duplicate": {"content! threshold=0.9≤1", "reads"},
	"memory_traverse":        {"start_room! max_hops=3≤5", "reads"},
	"memory_find_tunnels":    {"wing_a wing_b", "reads"},
	"memory_graph_stats":     {"", "reads"},
	"memory_add_drawer":      {"wing! room! hall content!#10000 source_file added_by", "adds"},
	"memory_delete_drawer":   {"drawer_id!", "takes"},
	"memory_set_identity":    {"content!#2000", "takes"},
	"memory_kg_query":        {"entity! as_of direction=both", "reads"},
	"memory_kg_add":          {"subject! predicate! object! valid_from source_closet", "adds"},
	"memory_kg_invalidate":   {"subject! predicate! object! ended", "sets"},
	"memory_kg_timeline":     {"entity", "reads"},
	"memory_kg_stats":        {"", "reads"},
	"memory_diary_write":     {"agent_name! entry!#10000 topic", "adds"},
	"memory_diary_read":      {"agent_name! last_n=10≤100", "reads"},
}

// offeredTool is a tool as tools/list has it.
type offeredTool struct {
	Name        string
	Description string
	InputSchema struct {
		Properties map[string]struct {
			Default   any
			Maximum   *float64
			MaxLength *int
		}
		Required             []string
		AdditionalProperties any
	}
	Annotations struct {
		ReadOnlyHint, IdempotentHint bool
		DestructiveHint              *bool
	}
}

func offered(t *testing.T, all bool) map[string]offeredTool {
	t.Helper()
	memory := newAnswers()
	out := serve(t, mcp.Options{Memory: memory, Operations: operations.All, All: all},
		hello+`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	_, line, _ := strings.Cut(out, "\n")
	var list struct {
		Result struct{ Tools []offeredTool }
	}
	if err := json.Unmarshal([]byte(line), &list); err != nil {
		t.Fatal(err)
	}
	tools := map[string]offeredTool{}
	for _, tool := range list.Result.Tools {
		tools[tool.Name] = tool
	}
	return tools
}

// With all tools there are those of a palace, no more and no less, with the parameters that agents know.
func TestToolsOfAPalace(t *testing.T) {
	tools := offered(t, true)
	for name := range tools {
		if _, known := palaceTools[name]; strings.HasPrefix(name, "memory_") && !known {
			t.Errorf("%s is no tool of a palace", name)
		}
	}
	for name, want := range palaceTools {
		tool, there := tools[name]
		if !there {
			t.Errorf("there is no %s", name)
			continue
		}
		checkParameters(t, tool, want.takes)
		a := tool.Annotations
		destructive := a.DestructiveHint != nil && *a.DestructiveHint
		if a.ReadOnlyHint != (want.deed == "reads") || destructive != (want.deed == "takes") || want.deed == "sets" && !a.IdempotentHint {
			t.Errorf("%s %s: %+v", name, want.deed, a)
		}
		if tool.Description == "" {
			t.Errorf("%s says nothing of itself", name)
		}
		out := serve(t, mcp.Options{Memory: newAnswers(), Operations: operations.All, All: true}, hello+call(1, name, `{"bogus":1}`))
		if !strings.Contains(out, "unknown parameter `bogus`") {
			t.Errorf("%s takes what it does not know: %s", name, out)
		}
	}
}

func checkParameters(t *testing.T, tool offeredTool, takes string) {
	t.Helper()
	var names []string
	for _, p := range strings.Fields(takes) {
		name, _, _ := strings.Cut(strings.NewReplacer("!", " ", "=", " ", "#", " ").Replace(p), " ")
		names = append(names, name)
		is := tool.InputSchema.Properties[name]
		said := name
		if slices.Contains(tool.InputSchema.Required, name) {
			said += "!"
		}
		if is.Default != nil {
			said += "=" + value(is.Default)
		}
		if is.Maximum != nil {
			said += "≤" + value(*is.Maximum)
		}
		if is.MaxLength != nil && strings.Contains(p, "#") {
			said += "#" + value(*is.MaxLength)
		}
		if said != p {
			t.Errorf("%s takes %s, want %s", tool.Name, said, p)
		}
	}
	slices.Sort(names)
	if got := slices.Sorted(maps.Keys(tool.InputSchema.Properties)); !slices.Equal(got, names) {
		t.Errorf("%s takes %q, want %q", tool.Name, got, names)
	}
}

func value(v any) string {
	b, _ := json.Marshal(v)
	return strings.Trim(string(b), `"`)
}

// None of them but those that everybody needs stands before every conversation.
func TestFewToolsOfAPalaceAreOfferedUnasked(t *testing.T) {
	for name := range offered(t, false) {
		if strings.HasPrefix(name, "memory_") && name != "memory_kg_query" && name != "memory_add_drawer" {
			t.Errorf("%s is offered unasked", name)
		}
	}
}
