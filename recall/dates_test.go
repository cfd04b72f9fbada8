package recall

import (
	"testing"
	"time"

	"github.com/reverie-memory/reverie/lexis/calendar"
)

func TestClosenessFadesFasterBeforeThanAfter(t *testing.T) {
	at := func(s string) int64 {
		d, err := time.Parse(time.DateTime, s)
		if err != nil {
			t.Fatal(err)
		}
		return d.Unix()
	}
	date := func(s string) time.Time { return time.Unix(at(s+" 00:00:00"), 0).UTC() }
	may := calendar.Span{From: date("2023-05-01"), To: date("2023-05-31"), Year: true}
	if got := closeness(may, at("2023-05-31 23:59:59")); got != 1 {
		t.Errorf("last second of the span: %v", got)
	}
	if before, after := closeness(may, at("2023-04-26 12:00:00")), closeness(may, at("2023-06-05 12:00:00")); before >= after ||
		after >= 1 || before <= 0 {
		t.Errorf("five days before %v, five days after %v", before, after)
	}
	if got := closeness(may, 0); got != 0 {
		t.Errorf("unknown time: %v", got)
	}
	december := calendar.Span{From: date("2000-12-20"), To: date("2000-12-31")}
	if got := closeness(december, at("2025-01-01 10:00:00")); got < 0.8 {
		t.Errorf("the day after a yearly span: %v", got)
	}
}

func FuzzQuestion(f *testing.F) {
	for _, s := range []string{
		"When did I go in May 2023?", "3 of", "last", "may", "two weeks ago", "31 february 2023 31", "2023 13 45",
		"你好吗？",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		q := parseQuestion(text, time.Unix(1e9, 0))
		for _, s := range q.spans {
			if c := closeness(s, 1e9); c < 0 || c > 1 {
				t.Errorf("%q: closeness %v", text, c)
			}
		}
		if share := asksBack(text); share < 0 || share > 1 {
			t.Errorf("%q: asks back %v", text, share)
		}
		tellsTime(q.words)
		if n := len([]rune(clip(text, 20))); n > 20 {
			t.Errorf("%q: clipped to %d", text, n)
		}
		if n := len([]rune(clipLines(text, 20))); n > 20 {
			t.Errorf("%q: lines clipped to %d", text, n)
		}
	})
}
