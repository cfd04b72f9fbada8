package forget

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestScannerKnowsForms(t *testing.T) {
	const text = "Zoë said \"5 * 3 <b>\" to me\nand left"
	s := newScanner([]needle{{text, false}, {"turn-7", true}})
	for _, c := range []struct {
		file string
		want int
	}{
		{text, 1},
		{`{"text":"Zoë said \"5 * 3 <b>\" to me\nand left"}`, 1},
		{`{"text":"Zoë said \"5 * 3 \u003cb\u003e\" to me\nand left"}`, 1},
		{`{"text":"Zo\u00eb said \"5 * 3 <b>\" to me\nand left"}`, 1},
		{"- Zoë said \"5 * 3 <b>\" to me and left ^f1", 1},
		{"Zoe\u0308 said \"5 \\* 3 \\<b\\>\" to me and left", 1},
		{strings.Repeat("x", 1<<20-10) + text, 1},
		{strings.Repeat("x", 1<<20+5) + "ZO\xc3\xab" + text[4:], 1},
		{"turn=turn-7 chat", 1},
		{"turn-77, xturn-7", 0},
		{"Zoë said \"5 * 3 <b>\" to you", 0},
		{"", 0},
	} {
		name := filepath.Join(t.TempDir(), "f")
		if err := os.WriteFile(name, []byte(c.file), 0o644); err != nil {
			t.Fatal(err)
		}
		if found, err := s.file(t.Context(), name); err != nil || len(found) != c.want {
			t.Errorf("in %.80q %q was found: %v", c.file, found, err)
		}
	}
}
