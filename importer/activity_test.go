package importer

import (
	"strings"
	"testing"
	"time"
)

// activities is a page of activities as Google Takeout writes it: of each the product, what it is, and its conversation, if any.
func activities(cells ...string) string {
	page := "<html><head><title>My Activity History</title><style>.mdl-typography--title{font-size:20px}</style></head>" +
		"<body><div class=\"mdl-grid\">"
	for _, cell := range cells {
		part := strings.Split(cell, "|")
		about := ""
		if part[2] != "" {
			about = "<b>Details:</b><br>&emsp;<a href=\"https://gemini.google.com/app/" + part[2] + "\">Chat</a><br>"
		}
		page += `<div class="outer-cell mdl-cell mdl-cell--12-col mdl-shadow--2dp"><div class="mdl-grid"><div class="header-cell ` +
			`mdl-cell mdl-cell--12-col"><p class="mdl-typography--title">` + part[0] + `<br></p></div><div class="content-cell mdl-cell ` +
			`mdl-cell--6-col mdl-typography--body-1">` + part[1] + `</div><div class="content-cell mdl-cell mdl-cell--6-col ` +
			`mdl-typography--body-1 mdl-typography--text-right"></div><div class="content-cell mdl-cell mdl-cell--12-col ` +
			`mdl-typography--caption"><b>Products:</b><br>&emsp;` + part[0] + `<br>` + about + `</div></div></div>`
	}
	return page + "</div></body></html>"
}

// Times stand there as people of each country write them.
func TestTimesOfActivities(t *testing.T) {
	for text, want := range map[string]string{
		"Nov 5, 2025, 1:34:47\u202fAM CEST":        "2025-11-04T23:34:47Z",
		"Nov 5, 2025, 12:34:47 PM UTC":             "2025-11-05T12:34:47Z",
		"Nov 5, 2025, 12:34:47 AM UTC":             "2025-11-05T00:34:47Z",
		"18 Sept 2025, 12:02:52 CET":               "2025-09-18T11:02:52Z",
		"4 juli 2025 09:15:00 CEST":                "2025-07-04T07:15:00Z",
		"6 juin 2025, 09:15:00 GMT+02:00":          "2025-06-06T07:15:00Z",
		"10 de mai. de 2025, 03:46:09 BRT":         "2025-05-10T06:46:09Z",
		"5. nov. 2025, 01:34:47 CEST":              "2025-11-04T23:34:47Z",
		"05.11.2025, 10:32:11 MEZ":                 "2025-11-05T09:32:11Z",
		"2025年6月19日 12:23:08 CST":                  "2025-06-19T04:23:08Z",
		"2025/06/19 12:23:08 JST":                  "2025-06-19T03:23:08Z",
		"May 19, 2025, 7:07:02\u202fPM GMT-03:30":  "2025-05-19T22:37:02Z",
		"5. brumaire 2025, 01:34:47 CEST":          "?",
		"On 5 November 2025 we met at ten":         "",
		"I was born in 1984, call me at 10:15":     "",
		"Version 2025.11.5 was built at 10:15:20.": "",
	} {
		at, known, is := activityTime(text)
		got := ""
		switch {
		case known:
			got = at.UTC().Format(time.RFC3339)
		case is:
			got = "?"
		}
		if got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// A cell without a time that is known is named, and the others are read.
func TestAnActivityWithoutATimeIsNamed(t *testing.T) {
	page := activities("Gemini Apps|Prompted&nbsp;One<br>5. brumaire 2025, 01:34:47 CEST<br><p>A</p>|",
		"Gemini Apps|Prompted&nbsp;Two<br>Nov 5, 2025, 1:34:47 AM UTC<br><p>B</p>|", "Gemini Apps|Used an Assistant feature|")
	var said, wrong []string
	for m, err := range GeminiHTML.messages(File{Name: "a.html", Reader: strings.NewReader(page)}) {
		if err != nil {
			wrong = append(wrong, err.Error())
		} else {
			said = append(said, m.Content)
		}
	}
	if got := strings.Join(said, ","); got != "Two,B" {
		t.Errorf("read: %s", got)
	}
	if got := strings.Join(wrong, "; "); !strings.Contains(got, `a.html:1 (entry 1): the time "5. brumaire`) ||
		!strings.Contains(got, "(entry 3)") {
		t.Errorf("named: %s", got)
	}
}
