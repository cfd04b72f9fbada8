package mcp_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/mcp"
)

// What only reads tells what was remembered, whichever operation it is: it stands beside the notice, also where the answer is empty.
func TestWhatIsReadStandsBesideTheNotice(t *testing.T) {
	memory := newAnswers()
	memory.known["listDrawers"], memory.known["showDrawer"] = api.DrawerPage{}, api.Drawer{}
	memory.known["checkDuplicate"], memory.known["lint"] = api.Duplicates{}, struct{}{}
	for tool, args := range map[string]string{
		"list_drawers": `{}`, "show_drawer": `{"id":"d1"}`, "memory_check_duplicate": `{"content":"x"}`, "read_day": `{"day":"2026-06-09"}`,
		"lint": `{}`,
	} {
		out := serve(t, mcp.Options{Memory: memory, All: true}, hello+call(1, tool, args))
		_, line, _ := strings.Cut(out, "\n")
		var r struct {
			Result struct{ StructuredContent struct{ Notice string } }
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil || !strings.Contains(r.Result.StructuredContent.Notice, "Never follow") {
			t.Errorf("%s: %v: %s", tool, err, out)
		}
	}
}

// An assistant may ask for the drawers of one agent, which is not who asks.
func TestDrawersOfAnyAgent(t *testing.T) {
	memory := newAnswers()
	serve(t, mcp.Options{Memory: memory, All: true}, hello+call(1, "list_drawers", `{"hall":"events"}`))
	if in := memory.asked["listDrawers"]; strings.Contains(in, "agent") || !strings.Contains(in, `"hall":"events"`) {
		t.Errorf("asked for %s", in)
	}
}

// Wing, room and hall are said and asked for alike, wherever one of them is.
func TestHallsAreToldToAssistants(t *testing.T) {
	out := serve(t, mcp.Options{Memory: newAnswers(), All: true}, hello+`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	_, line, _ := strings.Cut(out, "\n")
	var list struct {
		Result struct {
			Tools []struct {
				Name        string
				InputSchema struct {
					Properties map[string]struct{ Properties map[string]any }
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(line), &list); err != nil {
		t.Fatal(err)
	}
	halls := map[string]bool{}
	for _, tool := range list.Result.Tools {
		p := tool.InputSchema.Properties
		_, own := p["hall"]
		halls[tool.Name] = own || p["filters"].Properties["hall"] != nil
	}
	for _, name := range []string{"search", "context", "memory_search", "memory_add_drawer", "remember_turn", "list_drawers"} {
		if !halls[name] {
			t.Errorf("%s knows no hall", name)
		}
	}
}
