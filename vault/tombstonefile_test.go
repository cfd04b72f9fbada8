package vault

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

const secretText = "the spare key lies under the third pot"

// forgetful is a vault with several tombstones and a folder for the copies.
func forgetful(t *testing.T) (dir, data string) {
	t.Helper()
	dir, data = t.TempDir(), t.TempDir()
	v := open(t, dir, WithCopies(data))
	for _, text := range []string{"Bob owes 500 to Alice", secretText, "Noor was born in Lisbon"} {
		if err := v.Forget(t.Context(), []Tombstone{{Text: text, Scope: "fact"}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	return dir, data
}

// Whatever happens to the files, what was forgotten is still recognised, or nothing is shown at all.
func TestDamagedTombstonesForgetNothing(t *testing.T) {
	const (
		file = ".state/tombstones.jsonl"
		key  = ".state/tombstone.key"
		copy = ".state/tombstones.copy.jsonl"
	)
	gone := func(names ...string) func(string, string) error {
		return func(dir, data string) error {
			for _, n := range names {
				where := dir
				if n == "data" {
					where, n = data, "tombstones.copy.jsonl"
				}
				if err := os.Remove(filepath.Join(where, n)); err != nil {
					return err
				}
			}
			return nil
		}
	}
	edit := func(name string, change func([]byte) []byte) func(string, string) error {
		return func(dir, _ string) error {
			data, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(dir, name), change(data), 0o600)
		}
	}
	half := func(b []byte) []byte { return b[:len(b)/2] }
	garble := func(b []byte) []byte {
		lines := strings.SplitAfter(string(b), "\n")
		lines[1] = "{\"hash\": oops\n"
		return []byte(strings.Join(lines, ""))
	}
	without := func(b []byte) []byte {
		lines := strings.SplitAfter(string(b), "\n")
		return []byte(strings.Join(slices.Delete(lines, 1, 2), ""))
	}
	last := func(b []byte) []byte {
		lines := strings.SplitAfter(strings.TrimSuffix(string(b), "\n"), "\n")
		return []byte(strings.Join(lines[:len(lines)-1], ""))
	}
	editData := func(change func([]byte) []byte) func(string, string) error {
		return func(_, data string) error { return edit("tombstones.copy.jsonl", change)(data, "") }
	}
	other := func([]byte) []byte { return []byte(strings.Repeat("ab", 32) + "\n") }
	short := func([]byte) []byte { return []byte("short") }
	all := func(list ...func(string, string) error) func(string, string) error {
		return func(dir, data string) error {
			for _, f := range list {
				if err := f(dir, data); err != nil {
					return err
				}
			}
			return nil
		}
	}
	for name, c := range map[string]struct {
		damage func(dir, data string) error
		lost   bool
	}{
		"file gone":                    {gone(file), false},
		"key gone":                     {gone(key), false},
		"file and key gone":            {gone(file, key), false},
		"truncated":                    {edit(file, half), false},
		"one line damaged":             {edit(file, garble), false},
		"one line deleted":             {edit(file, without), false},
		"another key":                  {edit(key, other), false},
		"broken key":                   {edit(key, short), false},
		"everything in the vault gone": {gone(file, key, copy), false},
		"old backup of the vault":      {all(edit(file, half), edit(copy, half)), false},
		"data folder gone":             {gone("data"), false},
		"data folder and file gone":    {gone("data", file), false},
		"data folder and key gone":     {gone("data", key), false},
		"no copy, key gone":            {gone("data", copy, key), true},
		"no copy, file gone":           {gone("data", copy, file), true},
		"no copy, a line deleted":      {all(gone("data", copy), edit(file, without)), true},
		"no copy, a line damaged":      {all(gone("data", copy), edit(file, garble)), true},
		"no copy, truncated":           {all(gone("data", copy), edit(file, half)), true},
		"no copy, another key":         {all(gone("data", copy), edit(key, other)), true},
		"every place and key gone":     {gone("data", copy, file, key), true},
		"every place truncated":        {all(edit(file, half), edit(copy, half), editData(half)), true},
		"the last line of every place": {all(edit(file, last), edit(copy, last), editData(last)), true},
	} {
		t.Run(name, func(t *testing.T) {
			dir, data := forgetful(t)
			if err := c.damage(dir, data); err != nil {
				t.Fatal(err)
			}
			v := open(t, dir, WithCopies(data))
			look := func() *Tombstones {
				t.Helper()
				got, err := v.Tombstones()
				if err != nil {
					t.Fatal(err)
				}
				if got.Visible(secretText) != "" || got.Visible("Hello you. "+secretText+". Bye.") == "Hello you. "+secretText+". Bye." {
					t.Error("it is shown")
				}
				return got
			}
			before := look()
			if len(before.Problems()) == 0 || c.lost != (before.Lost() > 0) {
				t.Errorf("lost %d, problems %v", before.Lost(), before.Problems())
			}
			if _, err := v.MendTombstones(t.Context()); err != nil {
				t.Fatal(err)
			}
			after := look()
			if !c.lost {
				if len(after.Problems()) > 0 || after.Version() != before.Version() || after.Visible("Alice swims") != "Alice swims" {
					t.Errorf("mended: %v", after.Problems())
				}
				return
			}
			if after.Lost() == 0 || after.Visible("Alice swims") != "" {
				t.Errorf("lost %d after mending, though nothing could be mended", after.Lost())
			}
			if n, err := v.GiveUpLost(t.Context()); err != nil || n == 0 {
				t.Fatal(n, err)
			}
			given, err := v.Tombstones()
			if err != nil || given.Lost() > 0 || len(given.Problems()) > 0 || given.Visible("Alice swims") != "Alice swims" {
				t.Errorf("given up: %d lost, %v, %v", given.Lost(), given.Problems(), err)
			}
			if err := v.Forget(t.Context(), []Tombstone{{Text: secretText}}); err != nil {
				t.Fatal(err)
			}
			look()
		})
	}
}

func TestUnforget(t *testing.T) {
	dir, data := forgetful(t)
	v := open(t, dir, WithCopies(data))
	forgotten := func(text string) bool {
		t.Helper()
		got, err := v.Tombstones()
		if err != nil || len(got.Problems()) > 0 {
			t.Fatal(err, got.Problems())
		}
		_, ok := got.Match(text)
		return ok
	}
	if n, err := v.Unforget(t.Context(), "", []string{"**" + secretText + "**"}); err != nil || n != 1 || forgotten(secretText) {
		t.Fatalf("took %d back: %v", n, err)
	}
	if !forgotten("Bob owes 500 to Alice") {
		t.Error("something else was taken back")
	}
	if err := v.Forget(t.Context(), []Tombstone{{Text: secretText, ID: "g1"}, {Text: "Bob is here", ID: "g1"}}); err != nil {
		t.Fatal(err)
	}
	if !forgotten(secretText) {
		t.Error("it cannot be forgotten again")
	}
	got, _ := v.Tombstones()
	if list := got.Forgettings(); len(list) == 0 || !slices.ContainsFunc(list, func(f Forgetting) bool {
		return f.ID == "g1" &&
			f.Count == 2
	}) {
		t.Errorf("%+v", list)
	}
	if n, err := v.Unforget(t.Context(), "g1", nil); err != nil || n != 2 || forgotten("Bob is here") || forgotten(secretText) {
		t.Errorf("took %d back: %v", n, err)
	}
	if n, err := v.Unforget(t.Context(), "g1", nil); err != nil || n != 0 {
		t.Errorf("twice: %d, %v", n, err)
	}
}

func TestEraseReasons(t *testing.T) {
	dir, data := t.TempDir(), t.TempDir()
	v := open(t, dir, WithCopies(data))
	if err := v.Forget(t.Context(), []Tombstone{{Text: "a b c", Reason: "Hrothgar asked"}, {
		Text:   "d e f",
		Reason: "a person asked",
	}}); err != nil {
		t.Fatal(err)
	}
	if err := v.EraseReasons(t.Context(), func(r string) bool { return strings.Contains(r, "Hrothgar") }); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{filepath.Join(dir, ".state", "tombstones.jsonl"), filepath.Join(dir, ".state",
		"tombstones.copy.jsonl"), filepath.Join(data, "tombstones.copy.jsonl")} {
		text, err := os.ReadFile(name)
		if err != nil || strings.Contains(string(text), "Hrothgar") || !strings.Contains(string(text), "a person asked") {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
	}
	got, err := v.Tombstones()
	if reason, ok := got.Match("a b c"); err != nil || !ok || reason != "" {
		t.Errorf("%q %v %v", reason, ok, err)
	}
}

// A second holds many forgettings, and they are listed as those of many seconds are.
func TestForgettingsAreListedNewestFirst(t *testing.T) {
	clock := time.Date(2026, 6, 9, 14, 32, 0, 0, time.UTC)
	v := open(t, t.TempDir(), WithClock(func() time.Time { return clock }))
	want := []string{}
	for i, id := range []string{"gb", "ga", "gd", "gc", "ge"} {
		if clock = clock.Add(200 * time.Millisecond); i == 3 {
			clock = clock.Add(time.Second)
		}
		if err := v.Forget(t.Context(), []Tombstone{{Text: "a thing that is called " + id, ID: id}, {
			Text: id + " is its name",
			ID:   id,
		}}); err != nil {
			t.Fatal(err)
		}
		want = slices.Insert(want, 0, id)
	}
	stones, err := v.Tombstones()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range stones.Forgettings() {
		got = append(got, f.ID)
	}
	if !slices.Equal(got, want) {
		t.Errorf("listed as %q, forgotten as %q", got, want)
	}
}
