package operations_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"net/http"
	"slices"
	"testing"

	"github.com/reverie-memory/reverie/operations"
)

func TestSpecs(t *testing.T) {
	seen, tools := map[string]bool{}, map[string]bool{}
	for _, o := range operations.All {
		s := o.About()
		if s.Name == "" || s.Summary == "" || seen[s.Name] || seen[s.Method+s.Path] {
			t.Errorf("%+v", s)
		}
		seen[s.Name], seen[s.Method+s.Path] = true, true
		if tools[s.ToolName()] {
			t.Errorf("two operations are the tool %s", s.ToolName())
		}
		tools[s.ToolName()] = true
		if s.Method == http.MethodGet && !s.ReadOnly || s.ReadOnly && (s.Destructive || s.Idempotent) {
			t.Errorf("%s: what a GET asks changes nothing, and what changes nothing takes nothing away: %+v", s.Name, s)
		}
	}
}

// Each operation that the list declares is in All, in the same order: one that is missing there would have no route.
func TestAllNamesEachOperation(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "list.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var declared, all []string
	ast.Inspect(file, func(n ast.Node) bool {
		v, ok := n.(*ast.ValueSpec)
		if !ok || len(v.Values) != 1 {
			return true
		}
		switch value := v.Values[0].(type) {
		case *ast.CallExpr:
			declared = append(declared, v.Names[0].Name)
		case *ast.CompositeLit:
			for _, e := range value.Elts {
				all = append(all, e.(*ast.Ident).Name)
			}
		}
		return true
	})
	if len(all) == 0 || !slices.Equal(declared, all) {
		t.Errorf("list.go declares %v, All has %v", declared, all)
	}
}
