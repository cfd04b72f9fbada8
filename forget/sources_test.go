package forget

import (
	"strings"
	"testing"
)

func TestWithoutTelling(t *testing.T) {
	tells := func(s string) bool { return strings.Contains(s, "Glimmer") }
	for in, want := range map[string]string{
		`{"id":"s1","path":"/a/Glimmer.zip","messages":2}`:      `{"id":"s1","messages":2}`,
		`{"id":"s1", "path":"/a/b.zip"}`:                        `{"id":"s1", "path":"/a/b.zip"}`,
		`{"id":"s1","kind":"mine","wing":"Glimmer","room":"x"}`: `{"id":"s1","kind":"mine","room":"x"}`,
		`{"id":"s1","kind":"mine","path":"/a/Glimmer"}`:         `{"id":"s1","kind":"mine","path":"/a/Glimmer"}`,
	} {
		if got := string(withoutTelling([]byte(in), tells)); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}
