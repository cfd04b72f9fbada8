package vault

import (
	"errors"
	"strings"
	"testing"
)

func TestManaged(t *testing.T) {
	for _, page := range []string{"", "x", "# You\n\nI am Alice.\n", "a\r\nb\r\n", "---\ntitle: x\n---\n", "\n", "%% a note", "```\nopen"} {
		one, err := SetManaged([]byte(page), "Alice likes tea", false)
		if err != nil || !strings.HasPrefix(string(one), page) {
			t.Fatalf("%q: %q, %v", page, one, err)
		}
		after := append(one, "A line behind.\n"...) // of a person
		two, err := SetManaged(after, "Alice likes coffee\nand tea ", false)
		if err != nil || !strings.HasPrefix(string(two), page) || !strings.HasSuffix(string(two),
			"A line behind.\n") || strings.Count(string(two), "reverie:") != 2 {
			t.Errorf("%q: %q, %v", page, two, err)
		}
		if text, _, _, err := Managed(two); err != nil || text != "Alice likes coffee\nand tea" {
			t.Errorf("%q: %q, %v", page, text, err)
		}
		if gone, err := SetManaged(two, "", false); err != nil || string(gone) != page+"A line behind.\n" {
			t.Errorf("%q: taken away it is %q, %v", page, gone, err)
		}
		if same, err := SetManaged(after, "Alice likes tea", false); err != nil || string(same) != string(after) {
			t.Errorf("%q: set twice: %q, %v", page, same, err)
		}
		edited := strings.Replace(string(two), "and tea", "and water", 1)
		if _, err := SetManaged([]byte(edited), "x", false); !errors.Is(err, ErrBlockEdited) {
			t.Errorf("%q: an edit is not seen: %v", page, err)
		}
		if forced, err := SetManaged([]byte(edited), "", true); err != nil || string(forced) != page+"A line behind.\n" {
			t.Errorf("%q: %q, %v", page, forced, err)
		}
		for _, mark := range []string{"%% reverie:begin", "%% reverie:end"} {
			damaged := strings.Replace(string(two), mark, "%%", 1)
			if _, err := SetManaged([]byte(damaged), "x", true); !errors.Is(err, ErrBlockDamaged) {
				t.Errorf("%q: without %s: %v", page, mark, err)
			}
		}
		if _, err := SetManaged(append(two, two...), "x", true); !errors.Is(err, ErrBlockDamaged) {
			t.Errorf("%q: two blocks: %v", page, err)
		}
	}
}

func FuzzManaged(f *testing.F) {
	f.Add("# You\n", "Alice likes tea")
	f.Add("a\n%% reverie:begin 000000000000 %%\n%% reverie:end %%", "x\r\ny")
	f.Fuzz(func(t *testing.T, page, text string) {
		if strings.Contains(text, "%%") || strings.Contains(text, "\r") || strings.TrimSpace(text) == "" {
			return
		}
		one, err := SetManaged([]byte(page), text, true)
		if err != nil {
			return
		}
		got, start, _, err := Managed(one)
		if err != nil || got != strings.TrimSpace(text) || start < 0 {
			t.Fatalf("%q, %q: %q, %d, %v", page, text, got, start, err)
		}
		_, had, _, _ := Managed([]byte(page))
		if back, err := SetManaged(one, "", false); err != nil || had < 0 && string(back) != page {
			t.Fatalf("%q: %q, %v", page, back, err)
		}
	})
}
