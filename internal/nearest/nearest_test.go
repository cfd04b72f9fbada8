package nearest

import (
	"strings"
	"testing"
)

func TestName(t *testing.T) {
	names := []string{"query", "filters", "chat_id", "k", "as_of"}
	for word, want := range map[string]string{
		"qurey": "query", "Query": "query", "chatId": "chat_id", "filter": "filters", "limit": "", "asof": "as_of", "": "", "q": "",
		"asoff":                        "as_of",
		strings.Repeat("query", 1<<16): "",
	} {
		if got := Name(word, names); got != want {
			t.Errorf("%.20q: %q, want %q", word, got, want)
		}
	}
}
