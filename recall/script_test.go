package recall_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/llm"
	"github.com/reverie-memory/reverie/recall"
	"github.com/reverie-memory/reverie/vault"
)

var update = flag.Bool("update", false, "write the orders that the searches give into testdata")

// TestScripts runs testdata/*.test; the language is told in testdata/README.md.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.test")
	must(t, err)
	if len(files) == 0 {
		t.Fatal("no scripts")
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".test"), func(t *testing.T) {
			data, err := os.ReadFile(file)
			must(t, err)
			got := runScript(t, string(data))
			if *update {
				must(t, os.WriteFile(file, []byte(got), 0o644))
				return
			}
			if diff := cmp.Diff(string(data), got); diff != "" {
				t.Errorf("the answers differ from the script (-want +got), `go test -update` accepts them:\n%s", diff)
			}
		})
	}
}

// runScript returns the script with the answers that the searches gave.
func runScript(t *testing.T, text string) string {
	embed := llm.NewBuiltin()
	var rows []catalog.Row
	var s *recall.Searcher
	now := time.Date(2026, 6, 30, 12, 0, 0, 0, time.UTC)
	var out strings.Builder
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		out.WriteString(line + "\n")
		indented := func() bool { return i+1 < len(lines) && strings.HasPrefix(lines[i+1], "    ") }
		switch verb, rest, _ := strings.Cut(strings.TrimSpace(line), " "); {
		case verb == "" || verb == "#":
		case verb == "now":
			now = scriptTime(t, rest)
		case verb == "load":
			for indented() {
				i++
				out.WriteString(lines[i] + "\n")
				rows = append(rows, scriptRow(t, lines[i], rows))
			}
			s = &recall.Searcher{Index: newStoreIndex(t, rows, embed), Embed: embed, Now: func() time.Time { return now }}
		case verb == "eval":
			for indented() {
				i++ // the expected lines: what we write instead is compared with the file
			}
			out.WriteString(scriptAnswer(t, s, rest))
		default:
			t.Fatalf("line %d: unknown verb %q", i+1, verb)
		}
	}
	return out.String()
}

// scriptRow reads "id source key=value… | text".
func scriptRow(t *testing.T, line string, before []catalog.Row) catalog.Row {
	head, text, ok := strings.Cut(line, "|")
	fields := strings.Fields(head)
	if !ok || len(fields) < 2 {
		t.Fatalf("row %q: want \"id source key=value… | text\"", line)
	}
	var refs []string
	r := catalog.Row{ID: fields[0], Source: catalog.SourceType(fields[1]), Text: strings.TrimSpace(text), Origin: vault.OriginUser}
	for _, f := range fields[2:] {
		k, v, _ := strings.Cut(f, "=")
		switch k {
		case "chat":
			r.Chat = v
		case "at":
			r.At = scriptTime(t, v)
		case "speaker":
			r.Speaker, r.Context = v, v
		case "context":
			r.Context = strings.ReplaceAll(v, "_", " ")
		case "past":
			r.Past = true
		case "wing":
			r.Wing = v
		case "room":
			r.Room = v
		case "category":
			r.Category = v
		case "tags":
			r.Tags = strings.Split(v, ",")
		case "drawer":
			r.Drawer = v
		case "refs":
			refs = strings.Split(v, ",")
		case "origin":
			r.Origin = vault.Origin(v)
		default:
			t.Fatalf("row %q: unknown key %q", line, k)
		}
	}
	switch r.Source {
	case catalog.DrawerText:
		r.File, r.Drawer = "memory/drawers/x.md", r.ID
		r.Drawer, _, _ = strings.Cut(r.ID, ".") // d1.2 is the second chunk of d1
	case catalog.ArchiveLog:
		r.File = "memory/archive/x.md"
	default:
		r.File = vault.Path("2_Wiki/" + r.ID + ".md")
	}
	if r.Chat != "" {
		r.Session = r.Chat + "|" + r.At.Format(time.DateOnly)
		for _, b := range before {
			if b.Source == r.Source && b.Session == r.Session {
				r.Seq = b.Seq + 1
				if b.Drawer == r.Drawer && r.Source == catalog.DrawerText {
					r.Seq = b.Seq
				}
			}
		}
	}
	r.Refs = []string{r.ID}
	if r.Drawer != "" {
		r.Refs = []string{r.Drawer}
	}
	if refs != nil {
		r.Refs = refs
	}
	return r
}

func scriptTime(t *testing.T, s string) time.Time {
	for _, layout := range []string{"2006-01-02T15:04", "2006-01-02"} {
		if at, err := time.Parse(layout, s); err == nil {
			return at
		}
	}
	t.Fatalf("time %q: want 2006-01-02 or 2006-01-02T15:04", s)
	return time.Time{}
}

// scriptAnswer runs "key=value… | question" and writes one line for each hit.
func scriptAnswer(t *testing.T, s *recall.Searcher, line string) string {
	head, question, ok := strings.Cut(line, "|")
	if !ok || s == nil {
		t.Fatalf("eval %q: want \"key=value… | question\" after a load", line)
	}
	q := recall.Query{Text: strings.TrimSpace(question), K: 3, Flags: map[string]any{}}
	for _, f := range strings.Fields(head) {
		k, v, _ := strings.Cut(f, "=")
		switch k {
		case "k":
			q.K, _ = strconv.Atoi(v)
		case "source":
			q.Filter.Source = []catalog.SourceType{catalog.SourceType(v)}
		case "speaker":
			q.Filter.Speaker = v
		case "wing":
			q.Filter.Wing = v
		case "room":
			q.Filter.Room = v
		case "category":
			q.Filter.Category = v
		case "tags":
			q.Filter.Tags = strings.Split(v, ",")
		case "chat":
			q.Filter.Chat = v
		case "from":
			q.Filter.From = scriptTime(t, v)
		case "to":
			q.Filter.To = scriptTime(t, v)
		case "as_of":
			q.AsOf.Time = scriptTime(t, v)
		case "off":
			for f := range strings.SplitSeq(v, ",") {
				q.Flags[f] = false
			}
		default:
			t.Fatalf("eval %q: unknown key %q", line, k)
		}
	}
	res, err := s.Search(context.Background(), q)
	if err != nil {
		return fmt.Sprintf("    error: %v\n", err)
	}
	var b strings.Builder
	for _, h := range res.Hits {
		fmt.Fprintf(&b, "    %-8s %s", h.Row.ID, h.Via)
		if len(h.Also) > 0 {
			also := slices.Clone(h.Also)
			slices.Sort(also)
			fmt.Fprintf(&b, " also=%s", strings.Join(also, ","))
		}
		b.WriteByte('\n')
	}
	for _, w := range res.Warnings {
		fmt.Fprintf(&b, "    warning: %s\n", w)
	}
	for _, d := range res.Degraded {
		fmt.Fprintf(&b, "    degraded: %s\n", d)
	}
	return b.String()
}
