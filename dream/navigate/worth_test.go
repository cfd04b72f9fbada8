package navigate

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/dream/page"
)

func TestDueInWords(t *testing.T) {
	for text, want := range map[string]string{
		"with the van, the twenty-second of November": "2025-11-22",
		"the first of June":                           "2026-06-01",
		"the thirty-first of May":                     "2026-05-31",
		"on the thirtieth of March, a fortnight":      "2026-03-30",
		"the twelfth of March":                        "2026-03-12",
		"am 5. september was":                         "2026-09-05",
		"am 9. März":                                  "2026-03-09",
		"3 mails, 20 marks, 5 maybe":                  "",
		"3 Mar, 4. Dez. 2025":                         "2025-12-04",
	} {
		due, ok := Due(text, "2025-10-01")
		if got := due.Format(time.DateOnly); ok != (want != "") || ok && got != want {
			t.Errorf("%s: %s %v", text, got, ok)
		}
	}
}

// Of a quotation only what somebody wants to know is shown; what began on a day that is past goes on.
func TestMemoryShowsWhatIsWanted(t *testing.T) {
	got := memory(MemoryInput{Today: "2026-04-01", Pages: slices.Values([]PageInfo{{
		Path: "3_Personal/The user.md", Title: "The user", Type: "person", Lines: []Line{{
			Text:    `The user: "Always show me only the diff, not whole files. I keep losing the place in it"`,
			Section: "Preferences", At: "2026-03-01", Trusted: true, Sources: []page.Source{{Day: "2026-03-01", ID: "f1"}},
		}},
	}})})
	if !strings.Contains(string(got), "not whole files\"") || strings.Contains(string(got), "losing") {
		t.Errorf("%s", got)
	}
	if !begun().MatchString("the new job starts on 2 March") || begun().MatchString("the wedding is on 2 March") {
		t.Error("what begins")
	}
}
