package dream_test

import (
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/dream"
	"github.com/reverie-memory/reverie/forget"
	"github.com/reverie-memory/reverie/vault"
)

// shapes are what people make of a line of ours, with the lines of their own that come of it. %% stands for our line without
// its marker.
var shapes = map[string]struct{ page, theirs string }{
	"lazy":                      {"- %%\nmine, lazily\n", "mine, lazily\n"},
	"lazy twice":                {"- %%\nmine, lazily\nand on\n\nText.\n", "mine, lazily\nand on\n\nText.\n"},
	"indented":                  {"- %%\n  mine, below it\n", "  mine, below it\n"},
	"paragraph":                 {"- %%\n\n  mine, apart\n", "  mine, apart\n"},
	"nested":                    {"- mine\n    - %%\n    - mine too\n", "- mine\n    - mine too\n"},
	"nested lazy":               {"- mine\n    - %%\nmine, lazily\n    - mine too\n", "- mine\nmine, lazily\n    - mine too\n"},
	"only child":                {"- mine\n    - %%\n", "- mine\n"},
	"parent":                    {"- %%\n    - mine\n      and on\n", "and on\n"},
	"parent lazy":               {"- %%\nmine, lazily\n    - mine\n", "mine, lazily\n"},
	"quote":                     {"> - %%\n> - mine\n", "> - mine\n"},
	"quote lazy":                {"> - %%\nmine, lazily\n", "mine, lazily\n"},
	"quoted twice":              {"> > - %%\n> > - mine\n", "> > - mine\n"},
	"callout":                   {"> [!note] My box\n> - %%\n> mine\n", "> [!note] My box\n> mine\n"},
	"callout alone":             {"> [!note] My box\n> - %%\n", "> [!note] My box\n"},
	"numbered":                  {"1. %%\n2. mine\n", "2. mine\n"},
	"task":                      {"- [x] %%\n- [ ] mine\n", "- [ ] mine\n"},
	"star":                      {"* %%\n* mine\n", "* mine\n"},
	"plus, heading":             {"+ %%\n# Mine\n", "# Mine\n"},
	"wrapped":                   {"- %% wrapped\n", ""},
	"wrapped, lazy":             {"- %% wrapped\nmine, lazily\n", "mine, lazily\n"},
	"bold":                      {"- **Alice** collects zithers %s\n- mine\n", "- mine\n"},
	"twice":                     {"- %%\n- %%\n- mine\n", "- mine\n"},
	"behind code":               {"```\nmine\n```\n- %%\n```\nmine\n```\n", "```\nmine\n```\n```\nmine\n```\n"},
	"before table":              {"- %%\n| a | b |\n|---|---|\n| 1 | 2 |\n", "| a | b |\n|---|---|\n| 1 | 2 |\n"},
	"underlined":                {"- %%\nmine\n---\nmine\n", "mine\n---\nmine\n"},
	"block id":                  {"- %% ^mine\n- mine\n", "- mine\n"},
	"comment":                   {"- %%\n<!-- mine -->\n", "<!-- mine -->\n"},
	"half edited":               {"- Alice collects zithers and banjos %s\n- mine\n", "- mine\n"},
	"other source":              {"- Alice collects zithers, see (%t)\nmine, lazily\n", "mine, lazily\n"},
	"in the list":               {"- mine\n- %%\n  - mine\n- mine\n", "- mine\n"},
	"no bullet":                 {"%%\n", ""},
	"no bullet, mine around it": {"Mine.\n\n%%\n\nMine.\n", "Mine.\n\nMine.\n"},
	"two in a paragraph":        {"%%\n%%\n", ""},
	"paragraph, mine below":     {"%%\nmine\n", "mine\n"},
	"heading":                   {"### %%\n\nmine\n", "mine\n"},
	"fence":                     {"```\nmine\n- %%\n```\n", "```\nmine\n```\n"},
	"quote without list":        {"> %%\n> mine\n", "> mine\n"},
	"table":                     {"| mine | b |\n|---|---|\n| %% | 2 |\n| 3 | 4 |\n", "| mine | b |\n|---|---|\n| 3 | 4 |\n"},
	"indented code":             {"Mine.\n\n        %%\n\nMine.\n", "Mine.\n\nMine.\n"},
}

// shaped writes the line of ours as the shape has it.
func shaped(shape, line string) string {
	i := strings.Index(line, " ([[")
	text, src := line[:i], line[i+1:]
	shape = strings.ReplaceAll(shape, "%% wrapped", strings.Replace(text, " ", "\n  ", 1)+"\n  "+src)
	shape = strings.ReplaceAll(shape, "%%", line)
	shape = strings.ReplaceAll(shape, "%s", src)
	return strings.ReplaceAll(shape, "%t", strings.Trim(src, "()"))
}

// zithers is a world with a page of Alice's, and the line of it that is going to be forgotten, without its marker.
func zithers(t *testing.T) (w *world, line string) {
	w = newWorld(t, "2026-06-10 03:00")
	w.tell("2026-06-09", "Alice", "c", "[personal] Alice plays the cello",
		"[personal] Alice collects zithers", "[personal] Alice speaks Danish")
	w.run()
	_, rest, _ := strings.Cut(w.read(alice), "- Alice collects zithers")
	rest, _, _ = strings.Cut(rest, "\n")
	w.set("2026-06-11 03:00")
	return w, "Alice collects zithers" + rest
}

// purge forgets a text and takes its bytes out of pages, logs and what runs keep.
func (w *world) purge(text string) {
	w.t.Helper()
	w.forget(text)
	if _, err := w.r.Unmention(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
	for _, f := range w.facts() {
		if f.Text == text {
			name := string(vault.LogPath(f.Day))
			var kept strings.Builder
			for l := range strings.Lines(w.read(name)) {
				if !strings.Contains(l, text) {
					kept.WriteString(l)
				}
			}
			w.write(name, kept.String())
		}
	}
	tombs, err := w.v.Tombstones()
	if err != nil {
		w.t.Fatal(err)
	}
	if err := w.r.Purge(w.t.Context(), &forget.Purge{Tells: func(text string) bool { _, ok := tombs.Match(text); return ok }}); err != nil {
		w.t.Fatal(err)
	}
}

// Whatever a person made of a line of ours, it leaves the page when it is forgotten; what they wrote around it stays.
func TestForgottenInAnyShape(t *testing.T) {
	for name, shape := range shapes {
		for _, where := range []string{"in place", "alone", "windows", "without end", "mine before", "purge"} {
			t.Run(name+" "+where, func(t *testing.T) {
				w, line := zithers(t)
				name, text, theirs := alice, w.read(alice), shape.theirs
				put := shaped(shape.page, line)
				switch where {
				case "mine before":
					put, theirs = "- mine first\n"+put, "- mine first\n"+theirs
					fallthrough
				case "in place", "windows", "purge":
					text = strings.Replace(text, "- "+line+"\n", put, 1)
				case "alone":
					name = "2_Wiki/Concepts/Mine.md"
					w.dropLine(alice, "- "+line)
					text = "# Mine\n\n" + put
				case "without end":
					text = strings.Replace(text, "- "+line+"\n", "", 1) + strings.TrimSuffix(put, "\n")
					theirs = strings.TrimSuffix(theirs, "\n")
				}
				if where == "windows" {
					text, theirs = strings.ReplaceAll(text, "\n", "\r\n"), strings.ReplaceAll(theirs, "\n", "\r\n")
				}
				w.write(name, text)
				var rep dream.Report
				if where == "purge" {
					w.tell("2026-06-10", "Alice", "d", "[personal] Alice swims on Mondays")
					w.run() // which saves the page as it was
					w.purge("Alice collects zithers")
				} else {
					w.forget("Alice collects zithers")
					rep = w.run()
				}
				w.clean("zither", line[strings.Index(line, "#^")+2:strings.Index(line, "|")])
				if left := w.grep("zither"); where == "purge" && len(left) > 0 {
					t.Errorf("zithers are left in %v", left)
				}
				w.survives(name, theirs)
				w.has(alice, "Danish")
				w.account()
				before := w.pages()
				if rep := w.run(); rep.Status != dream.NothingPending {
					t.Errorf("once more: %+v", rep)
				}
				same(t, "once more", w.pages(), before)
				if t.Failed() {
					t.Logf("%+v\nbefore:\n%s\nafter:\n%s", rep.Notes, text, w.read(name))
				}
			})
		}
	}
}
