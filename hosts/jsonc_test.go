package hosts

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/tailscale/hujson"
)

func TestPutAndCut(t *testing.T) {
	for _, c := range []struct{ name, before, after string }{
		{"nothing", "", "{\n  \"s\": {\n    \"r\": {\n      \"c\": \"x\"\n    }\n  }\n}\n"},
		{"a comment alone", "// mine", "// mine\n{\n  \"s\": {\n    \"r\": {\n      \"c\": \"x\"\n    }\n  }\n}\n"},
		{"an empty object", "{}", "{\n  \"s\": {\n    \"r\": {\n      \"c\": \"x\"\n    }\n  }\n}"},
		{
			"tabs", "{\n\t\"s\": {\n\t\t\"a\": 1\n\t}\n}\n",
			"{\n\t\"s\": {\n\t\t\"a\": 1,\n\t\t\"r\": {\n\t\t\t\"c\": \"x\"\n\t\t}\n\t}\n}\n",
		},
		{
			"line ends of Windows, and a mark of the encoding", "\xef\xbb\xbf{\r\n    \"s\": {}\r\n}\r\n",
			"\xef\xbb\xbf{\r\n    \"s\": {\r\n        \"r\": {\r\n            \"c\": \"x\"\r\n        }\r\n    }\r\n}\r\n",
		},
		{
			"comments and a trailing comma", "{\n  \"s\": { // servers\n    \"a\": 1, // one\n    // two\n  },\n}\n",
			"{\n  \"s\": { // servers\n    \"a\": 1, // one\n    // two\n    \"r\": {\n      \"c\": \"x\"\n    },\n  },\n}\n",
		},
		{
			"a comment before the missing comma", "{\n  \"s\": {\n    \"a\": 1 // one\n  }\n}\n",
			"{\n  \"s\": {\n    \"a\": 1, // one\n    \"r\": {\n      \"c\": \"x\"\n    }\n  }\n}\n",
		},
		{"one line", `{"s":{"a":1},"b":2}`, `{"s":{"a":1, "r": {"c": "x"}},"b":2}`},
		{
			"a list on one line within", "{\n  \"b\": [1, 2], \"s\": {\"a\": 1}\n}",
			"{\n  \"b\": [1, 2], \"s\": {\"a\": 1, \"r\": {\"c\": \"x\"}}\n}",
		},
		{
			"a bracket beside the last value", "{\n  \"s\": {\n    \"a\": 1}}\n",
			"{\n  \"s\": {\n    \"a\": 1,\n    \"r\": {\n      \"c\": \"x\"\n    }\n  }}\n",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, err := parseDocument([]byte(c.before))
			if err != nil {
				t.Fatal(err)
			}
			if got := string(d.bytes()); got != c.before {
				t.Fatalf("a file that was only read is %q, was %q", got, c.before)
			}
			if err := d.put(object{{"c", "x"}}, "s", "r"); err != nil {
				t.Fatal(err)
			}
			if got := string(d.bytes()); got != c.after {
				t.Fatalf("put gave\n%s\nwant\n%s", got, c.after)
			}
			if err := d.cut("s", "r"); err != nil {
				t.Fatal(err)
			}
			if d.at("s", "r") != nil {
				t.Errorf("cut left it: %s", d.bytes())
			}
		})
	}
}

func TestCutLeavesTheRest(t *testing.T) {
	for _, c := range []struct{ name, before, after string }{
		{"the last line", "{\n  \"a\": 1,\n  \"r\": {\n  }\n}\n", "{\n  \"a\": 1\n}\n"},
		{"the last line with a comma", "{\n  \"a\": 1,\n  \"r\": {\n  },\n}\n", "{\n  \"a\": 1,\n}\n"},
		{"the first line", "{\n  \"r\": 2,\n  \"a\": 1\n}\n", "{\n  \"a\": 1\n}\n"},
		{"with a comment behind", "{\n  \"r\": 2, // mine\n  \"a\": 1\n}\n", "{\n  // mine\n  \"a\": 1\n}\n"},
		{"comments around", "{\n  \"a\": 1, // one\n  // two\n  \"r\": 2\n  // three\n}\n", "{\n  \"a\": 1 // one\n  // two\n  // three\n}\n"},
		{"within a line", `{"a": 1, "r": 2, "b": 3}`, `{"a": 1, "b": 3}`},
		{"at the end of a line", `{"a": 1, "r": 2}`, `{"a": 1}`},
		{"twice", `{"r": 1, "a": 1, "r": 2}`, `{"a": 1}`},
		{"all", `{"r": 1}`, `{}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := edit([]byte(c.before), func(d *document) error { return d.cut("r") })
			if err != nil || string(got) != c.after {
				t.Errorf("got %q, %v; want %q", got, err, c.after)
			}
		})
	}
}

func TestWhatIsNotAnObjectIsRefused(t *testing.T) {
	deep := bytes.Repeat([]byte("["), 1<<20)
	for _, bad := range []string{"[]", "null", `"text"`, "{", "{} {}", `{"a" 1}`, "abc", `{"a": 'x'}`, string(deep)} {
		if _, err := parseDocument([]byte(bad)); err == nil {
			t.Errorf("%.20q was taken", bad)
		}
	}
}

// What is put is added to the file's value, every byte of the file stays, and cutting it gives the value back.
func FuzzPut(f *testing.F) {
	for _, s := range []string{
		"", "{}", "{ }", "{\n}", "// c", "{/* c */}", "{\n// c\n}", `{"s":{}}`, `{"s": {"a": 1,}}`, "{\"s\": {\r\n\"a\": 1 // x\r\n}}",
		`{"s": {"r": 1}}`, `{"s": 1}`, `{"s": []}`, `{"s": {"a": [1, {}]} /* c */ , }`, "\xef\xbb\xbf{\"a\": \"// no\"}",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		d, err := parseDocument(src)
		if err != nil || d.at("s", "r") != nil {
			return
		}
		before := value(t, d)
		if err := d.put(object{{"c", []string{"x", "\\"}}, {"o", []any{object{{"n", 1}}}}}, "s", "r"); err != nil {
			return
		}
		if !within(src, d.bytes()) {
			t.Fatalf("a byte of %q is not in %q", src, d.bytes())
		}
		added := map[string]any{"c": []any{"x", "\\"}, "o": []any{map[string]any{"n": 1.0}}}
		want := value(t, d)
		servers, _ := before["s"].(map[string]any)
		if servers == nil {
			servers = map[string]any{}
		}
		servers["r"] = added
		before["s"] = servers
		if !reflect.DeepEqual(before, want) {
			t.Fatalf("%q became %q", src, d.bytes())
		}
		if err := d.cut("s", "r"); err != nil {
			t.Fatal(err)
		}
		delete(servers, "r")
		after := value(t, d)
		if len(servers) == 0 { // whether the empty object stays depends on the comments in it
			delete(before, "s")
			delete(after, "s")
		}
		if !reflect.DeepEqual(before, after) {
			t.Fatalf("%q: cut gave %q", src, d.bytes())
		}
	})
}

func value(t *testing.T, d *document) map[string]any {
	t.Helper()
	data, err := hujson.Standardize(append([]byte{}, d.src...))
	if err != nil {
		data, err = hujson.Standardize(append(append([]byte{}, d.src...), '\n'))
	}
	v := map[string]any{}
	if err == nil {
		err = json.Unmarshal(data, &v)
	}
	if err != nil {
		t.Fatalf("%q: %v", d.src, err)
	}
	return v
}

// within tells that all bytes of a but blanks are in b, in their order.
func within(a, b []byte) bool {
	for _, c := range a {
		if c == ' ' || c == '\t' || c == '\r' || c == '\n' {
			continue
		}
		i := bytes.IndexByte(b, c)
		if i < 0 {
			return false
		}
		b = b[i+1:]
	}
	return true
}
