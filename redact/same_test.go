package redact

import "testing"

func TestSame(t *testing.T) {
	const hidden = "My key is [redacted: api key], and the code [redacted:password#s7q2] too."
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"", "", true},
		{"a  b\n", "a b", true},
		{"a b", "a c", false},
		{hidden, "My key is sk-12, and the code 4711 too.", true},
		{hidden, hidden, true},
		{hidden, "My key is sk-12, and the code 4711.", false},
		{hidden, "My key is gone.", false},
		{"[redacted: password]", "hunter2", true},
		{"ab [redacted: x] b", "ab", false},
	} {
		if got := Same(tt.a, tt.b); got != tt.want || Same(tt.b, tt.a) != tt.want {
			t.Errorf("%q and %q: %t", tt.a, tt.b, got)
		}
	}
}
