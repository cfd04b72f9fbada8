package mine

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/internal/nasty"
	"github.com/reverie-memory/reverie/vault"
)

// rowsOf are the rows of a file of a folder that is filed under a wing.
func rowsOf(name string, data []byte, env indexer.Env) ([]indexer.Row, []vault.Problem) {
	if isPDF(name) {
		text := strings.Join(slices.Collect(pages(data)), pageEnd)
		if data = []byte(text + pageEnd); strings.TrimSpace(text) == "" {
			data = []byte(noText + noPDFText)
		}
	}
	env.Values = map[string]any{facet: map[string]place{"s1": {wing: "notes"}}}
	return rows(vault.Path(Dir+"/s1/"+name), data, env)
}

func utf16le(s string) []byte {
	out := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(s)) {
		out = append(out, byte(u), byte(u>>8))
	}
	return out
}

const key = "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA7bq3\nq2w3e4r5t6y7u8i9o0p1\n-----END RSA PRIVATE KEY-----\n"

func TestRowsOfAFile(t *testing.T) {
	long := strings.Repeat("Sentences go on about the pump and its valve here. ", 12)
	for _, tt := range []struct {
		name string
		data []byte
		want []string // line|context|text, where the text is a beginning
		why  string   // what is said
	}{
		{"a.md", []byte("# Garden\n\n" + long + "\n\n## Water\n\nThe blue valve.\n\n## Soil\n\nIt is clay.\n"), []string{
			"1|a.md > Garden|# Garden\n\nSentences", "5|a.md > Garden > Water|## Water\n\nThe blue valve.",
			"9|a.md > Garden > Soil|## Soil\n\nIt is clay.",
		}, ""},
		{"f.md", []byte("```sh\n# no heading\n```\ntext\n"), []string{"1|f.md|```sh\n# no heading\n```\ntext"}, ""},
		{"x.go", []byte("package x\n\n" + strings.Repeat("// a line of code that says what is done\n", 15) + "\nfunc B() {}\n\n" +
			strings.Repeat("// another line\n", 20)), []string{"1|x.go|package x", "21|x.go|// another line"}, ""},
		{
			"p.html", []byte("<html>\n<head><title>Pumps</title><style>x{}</style></head>\n<body>\n<nav>menu</nav><h2>Noon</h2>\n<p>The " +
				"pump\nruns &amp; hums.</p>\n" +
				"<script>if (a<b) {}</script><pre>one\n two</pre></body>"),
			[]string{"4|p.html > Pumps > Noon|## Noon\n\nThe pump runs & hums.\none\n two"},
			"",
		},
		{
			"p.pdf", nasty.PDF("The pump runs at noon.", "The valve is blue."),
			[]string{"1|p.pdf|The pump runs at noon.\n\nThe valve is blue."},
			"",
		},
		{"bad.pdf", []byte("%PDF-1.4\ngarbage"), nil, "no text can be read"},
		{"w.txt", utf16le("Grüße\r\naus Wien"), []string{"1|w.txt|Grüße\naus Wien"}, ""},
		{"l.txt", []byte("Gr\xfc\xdfe aus K\xf6ln"), []string{"1|l.txt|Grüße aus Köln"}, ""},
		{"torn.txt", []byte(strings.Repeat("Sätze. ", 300) + "\xff"), []string{
			"1|torn.txt|Sätze.", "1|torn.txt|Sätze.",
			"1|torn.txt|Sätze.",
		}, ""},
		{"bin.txt", []byte("a\x00b"), nil, ""},
		{"ctl.txt", []byte("\x01\x02\x03\x04abcdefgh"), nil, ""},
		{"empty.md", nil, nil, ""},
		{"blank.md", []byte(" \n\n"), nil, ""},
		{"k.txt", []byte("before the key\n" + key + strings.Repeat("\n", 3) + strings.Repeat("x y z ", 160) + "\n"), []string{
			"1|k.txt|before the key\n[redacted: private key]", "9|k.txt|z x y",
		}, ""},
		{"mostly.txt", []byte("key:\n" + key), nil, "little but secrets"},
	} {
		got, problems := rowsOf(tt.name, tt.data, indexer.Env{})
		for i, r := range got {
			line := fmt.Sprintf("%d|%s|%s", r.Line, r.Context, r.Text)
			if i >= len(tt.want) || !strings.HasPrefix(line, tt.want[i]) {
				t.Errorf("%s: row %d is %.300q", tt.name, i, line)
			}
			if r.Source != catalog.DrawerText || r.Origin != vault.OriginImport || r.Wing != "notes" || r.Turn != "" || r.Drawer != r.ID {
				t.Errorf("%s: row %+v", tt.name, r)
			}
		}
		if len(got) != len(tt.want) {
			t.Errorf("%s: %d rows, want %d", tt.name, len(got), len(tt.want))
		}
		said := ""
		if len(problems) > 0 {
			said = problems[0].Reason
		}
		if !strings.Contains(said, tt.why) || tt.why == "" && said != "" {
			t.Errorf("%s: said is %q, want %q", tt.name, said, tt.why)
		}
	}
	if got, _ := rowsOf("sub/deep/a.md", []byte("text"), indexer.Env{}); len(got) != 1 || got[0].Room != "sub" {
		t.Errorf("below a folder: %+v", got)
	}
	if got, problems := rowsOf("long.md", []byte(strings.Repeat("# a\n", maxRows+5)), indexer.Env{}); len(got) != maxRows ||
		len(problems) != 1 ||
		problems[0].Line != maxRows+1 {
		t.Errorf("of a very long file %d rows, %v", len(got), problems)
	}
}

// TestWhatIsForgottenGivesNoRow: also where a sentence would be cut in two.
func TestWhatIsForgottenGivesNoRow(t *testing.T) {
	const forgotten = "The blue valve feeds the greenhouse."
	for at := range 80 {
		for name, form := range map[string]struct{ before, between, after string }{
			"a.md": {"Pumps hum. ", " ", " Soil is clay."}, "a.csv": {"Pumps hum.\n", "\n", "Soil is clay.\n"},
		} {
			env := indexer.Env{Visible: func(s string) string {
				return strings.ReplaceAll(s, strings.ReplaceAll(forgotten, "valve ", "valve"+form.between), form.between)
			}}
			text := strings.Repeat(form.before, at) + strings.ReplaceAll(forgotten, "valve ", "valve"+form.between) +
				strings.Repeat(form.after, 60)
			got, _ := rowsOf(name, []byte(text), env)
			for _, r := range got {
				if strings.Contains(r.Text, "valve") || strings.Contains(r.Text, "feeds the") {
					t.Fatalf("%s with %d sentences before it: %q", name, at, r.Text)
				}
			}
		}
	}
}

// TestNamesAndHeadings: what stands above a text is indexed with it, so that it is hidden like the text, each name by itself.
func TestNamesAndHeadings(t *testing.T) {
	const forgotten = "My salary is 90k"
	env := indexer.Env{Visible: func(s string) string {
		if strings.Trim(strings.TrimSpace(s), "#. ") == forgotten {
			return ""
		}
		return s
	}}
	for name, text := range map[string]string{
		forgotten + "/" + forgotten + ".md": "# Notes\n\n## " + forgotten + "\n\n### Next\n\nThe pump hums.\n",
		"a.html":                            "<title>" + forgotten + "</title><p>The pump hums.</p>",
		"sk_live_4eC39HqLyjWDarjtT1zdp7dc/sk_live_4eC39HqLyjWDarjtT1zdp7dc.txt": "The pump hums.",
		"b.html": "<title>sk_live_4eC39HqLyjWDarjtT1zdp7dc</title><p>The pump hums.</p>",
	} {
		got, _ := rowsOf(name, []byte(text), env)
		if len(got) == 0 {
			t.Errorf("%s gives no row", name)
		}
		for _, r := range got {
			if shown := r.Context + r.Room; strings.Contains(shown, forgotten) || strings.Contains(shown, "4eC39") {
				t.Errorf("%s is shown as %q in room %q", name, r.Context, r.Room)
			}
		}
	}
}

// FuzzRows: no bytes break it, ids are unique, lines are those of the file, and nothing visible is lost of a short text.
func FuzzRows(f *testing.F) {
	f.Add("a.md", []byte("# A\n\ntext\n## B\n~~~\n# x\n~~~\n"))
	f.Add("a.html", []byte("<p>one<script></p>two</script><h1>x<br>y</h1><pre>\n\n"))
	f.Add("a.go", []byte("package a\n\n\nfunc b() {\n}\n"))
	f.Add("a.txt", []byte(key))
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		if isPDF(name) {
			return // see FuzzPDF
		}
		got, _ := rowsOf(name, data, indexer.Env{})
		ids := map[string]bool{}
		lines := strings.Count(newlines.Replace(string(data)), "\n") + 1
		for _, r := range got {
			if ids[r.ID] || strings.TrimSpace(r.Text) == "" {
				t.Errorf("row %+v", r)
			}
			ids[r.ID] = true
			if len(data) > 2 && data[0] < 0xfe && (r.Line < 1 || r.Line > lines) {
				t.Errorf("line %d of %d: %q", r.Line, lines, r.Text)
			}
		}
	})
}
