package vault

import (
	"errors"
	"path"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func TestAgentName(t *testing.T) {
	for given, want := range map[string]string{
		"claude-code": "claude-code", "Claude Code": "claude-code", " CLAUDE  code ": "claude-code", "gpt-5.1": "gpt-5.1", "ｃｌａｕｄｅ": "claude",
		"../../etc/passwd": "etc-passwd", "..": "", "a/b": "a-b", `a\b`: "a-b", "C:": "c", ".hidden": "hidden", "x.": "x", "": "", "///": "",
		"CON": "_con", "nul.txt": "_nul.txt", "com1": "_com1", "console": "console", "名前": "名前", "a\x00b\n": "a-b",
		"CLAUDE_CODE": "claude-code", "_con": "_con", strings.Repeat("ab ", 60): strings.TrimSuffix(strings.Repeat("ab-", 60), "-"),
	} {
		if got := AgentName(given); got != want {
			t.Errorf("%q: %q, want %q", given, got, want)
		}
	}
}

func FuzzAgentName(f *testing.F) {
	for _, s := range []string{"Claude Code", "../x", "con", "İ.", "ﬁ--.-", "_.a"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, given string) {
		name := AgentName(given)
		if name == "" || utf8.RuneCountInString(name) > MaxAgent {
			return
		}
		p := DiaryPath(name, "2026-06-09")
		if clean, err := ParsePath(string(p)); err != nil || clean != p || path.Dir(path.Dir(string(p))) != DiaryDir || name[0] == '.' ||
			strings.HasSuffix(name, ".") || !utf8.ValidString(name) || AgentName(name) != name {
			t.Errorf("%q: %q, again %q", given, name, AgentName(name))
		}
	})
}

// Two agents never share a diary for having long names.
func TestLongAgentName(t *testing.T) {
	v, long := open(t, t.TempDir()), strings.Repeat("a", MaxAgent)
	entry := []SectionFacts{{Section: Section{Origin: OriginAgent}, Facts: []Fact{{Text: "x"}}}}
	if _, err := v.AppendDiary(t.Context(), long, entry); err != nil {
		t.Error(err)
	}
	if _, err := v.AppendDiary(t.Context(), long+"b", entry); !errors.Is(err, ErrInvalid) {
		t.Errorf("a name that is too long: %v", err)
	}
}

func TestAppendDiary(t *testing.T) {
	v, at := open(t, t.TempDir()), time.Date(2026, 6, 9, 14, 32, 0, 0, time.UTC)
	entry := func(id, text string) []SectionFacts {
		return []SectionFacts{{Section: Section{At: at, Filed: at, Origin: OriginAgent, Agent: "claude", Wing: "work"}, Facts: []Fact{{
			ID:   id,
			Text: text, Category: "mood",
		}}}}
	}
	for _, text := range []string{"The user was\nin a hurry", "The user was in a hurry again"} { // the second of that id is the first
		if _, err := v.AppendDiary(t.Context(), "Claude", entry("e000000001", text)); err != nil {
			t.Fatal(err)
		}
	}
	data, err := v.ReadFile("memory/diary/claude/2026-06-09.md")
	const want = "# Diary - 2026-06-09\n\n## 14:32\n<!-- origin=agent agent=claude wing=work -->\n- [mood] The user was in a hurry " +
		"^e000000001\n"
	if err != nil || string(data) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, data, want)
	}
	if _, err := v.AppendDiary(t.Context(), "../..", entry("", "x")); err == nil {
		t.Error("an agent without a name has a diary")
	}
	var got []string
	if err := v.EachEntry(t.Context(), nil, func(p Path, f *Fact) { got = append(got, string(p)+" "+f.Text) }); err != nil || len(got) != 1 {
		t.Errorf("entries %q: %v", got, err)
	}
}
