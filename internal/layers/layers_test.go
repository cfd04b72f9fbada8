package layers

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

const module = "github.com/reverie-memory/reverie/"

// rules: no package from reaches a package to, directly or by way of others. A name stands for its subpackages as well.
var rules = []struct{ from, to string }{
	{"palace", "api"},
	{"dream", "api"},
	{"dreams", "api"},
	{"reads", "api"},
	{"activity", "api"},
	{"capture", "api"},
	{"mine", "api"},
	{"imports", "api"},
	{"workspace", "api"},
	{"hosts", "config"},
	{"hosts", "vault"},
	{"mcp", "workspace"},
	{"mcp", "recall"},
	{"mcp", "palace"},
	{"mcp", "indexer"},
	{"server", "recall"},
	{"server", "palace"},
	{"forget", "api"},
	{"forget", "dream"},
	{"forget", "palace"},
	{"forget", "indexer"},
}

// writers are the names by which an index is made and changed, and the packages that may use them.
var writers = []struct {
	pkg   string
	names []string
	may   []string
}{
	{"indexer", []string{"New", "Indexer", "Options", "OpenPair", "Pair"}, []string{"workspace", "cmd"}},
	{"indexer/catalog", []string{"Open", "Clear", "Catalog", "Generation", "Change"}, []string{"indexer", "cmd"}},
}

func TestPackagesKeepTheirLayers(t *testing.T) {
	imports := graph(parse(t))
	for _, r := range rules {
		for from := range imports {
			if !within(from, r.from) {
				continue
			}
			if way := reach(imports, from, r.to, map[string]bool{}); way != nil {
				t.Errorf("%s must not reach %s: %s", r.from, r.to, strings.Join(way, " → "))
			}
		}
	}
}

func TestOnlyItsOwnerWritesTheIndex(t *testing.T) {
	files := parse(t)
	for _, w := range writers {
		if _, there := files[w.pkg]; !there {
			t.Errorf("there is no package %s", w.pkg)
		}
	}
	for pkg, parsed := range files {
		for _, w := range writers {
			if pkg == w.pkg || slices.ContainsFunc(w.may, func(owner string) bool { return within(pkg, owner) }) {
				continue
			}
			for _, f := range parsed {
				for _, used := range selected(f, w.pkg) {
					if slices.Contains(w.names, used) {
						t.Errorf("%s must not use %s.%s", pkg, w.pkg, used)
					}
				}
			}
		}
	}
}

func TestEveryPackageIsInTheArchitecture(t *testing.T) {
	doc, err := os.ReadFile(filepath.Join("..", "..", "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	for pkg := range parse(t) {
		if within(pkg, "scripts") || strings.HasSuffix(pkg, "test") && pkg != "indexer/storetest" {
			continue // tools of whoever works on Reverie, and helpers of tests
		}
		if !strings.Contains(string(doc), "`"+pkg+"`") {
			t.Errorf("docs/architecture.md does not say what %s is", pkg)
		}
	}
}

// widest is how many characters a line of Go may have.
const widest = 140

func TestLinesAreNotTooWide(t *testing.T) {
	walk(t, func(file string) error {
		data, err := os.ReadFile(file)
		n := 0
		for line := range strings.Lines(string(data)) {
			if n++; utf8.RuneCountInString(strings.TrimRight(line, "\n")) > widest {
				t.Errorf("%s:%d has more than %d characters", file, n, widest)
			}
		}
		return err
	})
}

// No parameter has the name of a function of Go's own; real is for complex numbers, of which there are none.
func TestParametersHideNothing(t *testing.T) {
	for pkg, files := range parse(t) {
		for _, f := range files {
			ast.Inspect(f, func(n ast.Node) bool {
				fn, is := n.(*ast.FuncType)
				if !is {
					return true
				}
				for _, p := range fn.Params.List {
					for _, name := range p.Names {
						if _, is := types.Universe.Lookup(name.Name).(*types.Builtin); is && name.Name != "real" {
							t.Errorf("a function of %s has a parameter %s", pkg, name.Name)
						}
					}
				}
				return true
			})
		}
	}
}

// No struct keeps a context, whose end would outlive the call that it is of. A request of the vault lives for one call.
func TestNoStructKeepsAContext(t *testing.T) {
	for pkg, files := range parse(t) {
		for _, f := range files {
			ast.Inspect(f, func(n ast.Node) bool {
				spec, is := n.(*ast.TypeSpec)
				if !is || pkg == "vault" && spec.Name.Name == "request" {
					return true
				}
				ast.Inspect(spec.Type, func(n ast.Node) bool {
					s, is := n.(*ast.StructType)
					if !is {
						return true
					}
					for _, field := range s.Fields.List {
						if kind, is := field.Type.(*ast.SelectorExpr); is && kind.Sel.Name == "Context" && fmt.Sprint(kind.X) == "context" {
							t.Errorf("%s.%s keeps a context", pkg, spec.Name)
						}
					}
					return true
				})
				return true
			})
		}
	}
}

// The checks must be able to fail.
func TestChecksFindWhatBreaksARule(t *testing.T) {
	imports := map[string]map[string]bool{"server": {"a": true}, "a": {"b": true}, "b": {"recall/deep": true}}
	if way := reach(imports, "server", "recall", map[string]bool{}); len(way) != 4 {
		t.Errorf("a way of three imports was found as %q", way)
	}
	source := "package p\nimport ix \"" + module + "indexer\"\nvar x *ix.Indexer\nvar y = ix.New(ix.Options{})\n"
	f, err := parser.ParseFile(token.NewFileSet(), "", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(selected(f, "indexer"), " "); got != "Indexer New Options" {
		t.Errorf("names used of the indexer: %q", got)
	}
}

// parse reads the module's files but for tests, by package.
func parse(t *testing.T) map[string][]*ast.File {
	t.Helper()
	packages := map[string][]*ast.File{}
	walk(t, func(file string) error {
		if strings.HasSuffix(file, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, filepath.Dir(file))
		pkg := filepath.ToSlash(rel)
		packages[pkg] = append(packages[pkg], f)
		return err
	})
	if len(packages) < 20 {
		t.Fatalf("read %d packages", len(packages))
	}
	return packages
}

var root = filepath.Join("..", "..")

// walk goes through the module's files of Go.
func walk(t *testing.T, each func(file string) error) {
	t.Helper()
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && file != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata"):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(file, ".go"):
			return nil
		}
		return each(file)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// graph is what each package imports of the module.
func graph(packages map[string][]*ast.File) map[string]map[string]bool {
	g := map[string]map[string]bool{}
	for pkg, files := range packages {
		g[pkg] = map[string]bool{}
		for _, f := range files {
			for _, i := range f.Imports {
				if p, ok := strings.CutPrefix(imported(i), module); ok {
					g[pkg][p] = true
				}
			}
		}
	}
	return g
}

func imported(i *ast.ImportSpec) string {
	p, _ := strconv.Unquote(i.Path.Value)
	return p
}

// reach is a way of imports from a package to one within another; nil where there is none.
func reach(g map[string]map[string]bool, from, to string, seen map[string]bool) []string {
	if within(from, to) {
		return []string{from}
	}
	if seen[from] {
		return nil
	}
	seen[from] = true
	for _, next := range slices.Sorted(maps.Keys(g[from])) {
		if way := reach(g, next, to, seen); way != nil {
			return append([]string{from}, way...)
		}
	}
	return nil
}

func within(pkg, parent string) bool { return pkg == parent || strings.HasPrefix(pkg, parent+"/") }

// selected are the names that a file uses of a package, in their order.
func selected(f *ast.File, pkg string) (names []string) {
	local := ""
	for _, i := range f.Imports {
		if imported(i) == module+pkg {
			if local = path.Base(pkg); i.Name != nil {
				local = i.Name.Name
			}
		}
	}
	if local == "" {
		return nil
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && x.Name == local {
				names = append(names, s.Sel.Name)
			}
		}
		return true
	})
	return names
}
