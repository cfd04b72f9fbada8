package redact

import (
	"strings"
	"testing"
)

// Each word of the list is found as what it is listed for, also one that ends as numbered words and possessives do.
func TestEveryCueIsFound(t *testing.T) {
	for line := range strings.Lines(cueList) {
		for _, w := range strings.Fields(line[1:]) {
			if got := cues().of(w, 0, len(w)); got != cue(line[0]) {
				t.Errorf("%s: %q, want %q", w, got, line[0])
			}
		}
	}
}

// Where a script without blanks meets a Latin one, a word ends.
func TestScriptsWithoutBlanksEndWords(t *testing.T) {
	for _, text := range []string{"密码是Tiger", "パスワードTiger", "비밀번호Tiger", "รหัสผ่านTiger", "ລະຫັດຜ່ານTiger"} {
		ts, _ := terms(text)
		if last := ts[len(ts)-1]; text[last.from:last.to] != "Tiger" {
			t.Errorf("%s: the last word is %s", text, text[last.from:last.to])
		}
	}
}
