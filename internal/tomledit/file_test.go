package tomledit

import (
	"errors"
	"reflect"
	"testing"

	"github.com/pelletier/go-toml/v2"
)

func TestSet(t *testing.T) {
	for _, c := range []struct {
		name, before string
		value        any
		path         []string
		after        string
	}{
		{"into nothing", "", "x", []string{"a", "b"}, "[a]\nb = \"x\"\n"},
		{"at the top, before tables", "# mine\nz = 1 # z\n\n[t]\nb = 2\n", "x", []string{"b"}, "# mine\nz = 1 # z\nb = \"x\"\n\n[t]\nb = 2\n"},
		{
			"below a table's last key", "[a]\nx = [\n 1, # one\n]\n# end\n\n[c]\n", "x",
			[]string{"a", "b"},
			"[a]\nx = [\n 1, # one\n]\nb = \"x\"\n# end\n\n[c]\n",
		},
		{"below a table's name", "[a] # mine\n[c]\n", "x", []string{"a", "b"}, "[a] # mine\nb = \"x\"\n[c]\n"},
		{"in place of a value", "[a]\nb = 'y' # mine\n", "x", []string{"a", "b"}, "[a]\nb = \"x\" # mine\n"},
		{
			"in place of a list", "[a]\nb = [\n 'y', # ]\n] # mine\n",
			[]string{"x", `C:\x`},
			[]string{"a", "b"},
			"[a]\nb = [\"x\", 'C:\\x'] # mine\n",
		},
		{"beside dotted keys", "a.c = 1\n", "x", []string{"a", "b"}, "a.c = 1\na.b = \"x\"\n"},
		{"a name in quotes", "[a]\n", "x", []string{"b c", "d"}, "[a]\n\n[\"b c\"]\nd = \"x\"\n"},
		{"what is there already", "a = 'x'", "x", []string{"a"}, "a = 'x'"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := Parse([]byte(c.before))
			if err == nil {
				err = f.Set(c.value, c.path...)
			}
			if err != nil || string(f.Bytes()) != c.after {
				t.Errorf("%v\n%s\nwant\n%s", err, f.Bytes(), c.after)
			}
		})
	}
}

func TestFormsThatAreNotEdited(t *testing.T) {
	for _, text := range []string{"a = { c = 1 }\n", "a = 1\n", "[[a]]\nb = 1\n", "[t]\nz = 1\n[a.b]\n"} {
		f, err := Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Set("x", "a", "b"); !errors.Is(err, ErrForm) || string(f.Bytes()) != text {
			t.Errorf("%q became %q, %v", text, f.Bytes(), err)
		}
	}
	if _, err := Parse([]byte("a = 1\nb = \n")); err == nil || err.Error()[:6] != "line 2" {
		t.Errorf("a broken file: %v", err)
	}
}

// Setting changes one value and no other, and cutting it gives the others back.
func FuzzSet(f *testing.F) {
	for _, s := range []string{
		"", "b = 1", "[a]\n", "[a.b]\n",
		"[a]\nc = '''\n[a]\nb = 1'''\n", "a.c = 1\r\n", "[x]\n[a]\n#\n", "a = {b = [[1]]}", "\xef\xbb\xbf[a]\nb=\"\"\"\"\"\"",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		file, err := Parse(src)
		if err != nil {
			return
		}
		want := file.copy()
		if file.Set([]string{"x", "y"}, "a", "b") != nil {
			return
		}
		put(want, []string{"a", "b"}, []string{"x", "y"})
		got := map[string]any{}
		if err := toml.Unmarshal(file.src, &got); err != nil || !reflect.DeepEqual(full(got), full(want)) {
			t.Fatalf("%q became %q: %v", src, file.Bytes(), err)
		}
		if err := file.Cut("a", "b"); err != nil {
			t.Fatalf("%q: %v", file.Bytes(), err)
		}
		delete(want["a"].(map[string]any), "b")
		if !same(file.values, want) {
			t.Fatalf("%q: cut gave %q", src, file.Bytes())
		}
	})
}
