package recall

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/lexis"
)

func TestFindSpans(t *testing.T) {
	now := time.Date(2026, 6, 17, 15, 0, 0, 0, time.UTC) // a Wednesday
	cases := map[string][]string{
		"What happened in May 2023?":             {"2023-05-01..2023-05-31"},
		"What did we do on 3 May 2023?":          {"2023-05-03..2023-05-03"},
		"What did we do on May 3rd, 2023?":       {"2023-05-03..2023-05-03"},
		"Who called on the 3rd of May?":          {"05-03..05-03"},
		"notes of 2023-05-03":                    {"2023-05-03..2023-05-03"},
		"lunch on 03.05.2023":                    {"2023-05-03..2023-05-03"},
		"version 1.2.3 of 3.5":                   nil,
		"books of 2022":                          {"2022-01-01..2022-12-31"},
		"trips in July":                          {"07-01..07-31"},
		"in February 2024":                       {"2024-02-01..2024-02-29"},
		"May I ask who may march?":               nil,
		"what I said in may":                     {"05-01..05-31"},
		"yesterday":                              {"2026-06-16..2026-06-16"},
		"last week":                              {"2026-06-08..2026-06-14"},
		"this week":                              {"2026-06-15..2026-06-21"},
		"last weekend":                           {"2026-06-13..2026-06-14"},
		"last month":                             {"2026-05-01..2026-05-31"},
		"last year":                              {"2025-01-01..2025-12-31"},
		"last Wednesday":                         {"2026-06-10..2026-06-10"},
		"last Tuesday":                           {"2026-06-16..2026-06-16"},
		"two weeks ago":                          {"2026-05-31..2026-06-06"},
		"a year ago":                             {"2025-01-01..2025-12-31"},
		"between 1 March 2024 and 5 March 2024":  {"2024-03-01..2024-03-01", "2024-03-05..2024-03-05"},
		"room 2x, 31 people, version 12 12 1999": {"1999-01-01..1999-12-31"},
		"99 days":                                nil,
	}
	for text, want := range cases {
		var got []string
		spans, _ := findSpans(lexis.Words(text), now)
		for _, s := range spans {
			layout := "01-02"
			if s.year {
				layout = time.DateOnly
			}
			got = append(got, s.from.Format(layout)+".."+s.to.Format(layout))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

func TestClosenessFadesFasterBeforeThanAfter(t *testing.T) {
	at := func(s string) int64 {
		d, err := time.Parse(time.DateTime, s)
		if err != nil {
			t.Fatal(err)
		}
		return d.Unix()
	}
	may := span{date(2023, 5, 1), date(2023, 5, 31), true}
	if got := may.closeness(at("2023-05-31 23:59:59")); got != 1 {
		t.Errorf("last second of the span: %v", got)
	}
	if before, after := may.closeness(at("2023-04-26 12:00:00")), may.closeness(at("2023-06-05 12:00:00")); before >= after ||
		after >= 1 || before <= 0 {
		t.Errorf("five days before %v, five days after %v", before, after)
	}
	if got := may.closeness(0); got != 0 {
		t.Errorf("unknown time: %v", got)
	}
	december := span{date(2000, 12, 20), date(2000, 12, 31), false}
	if got := december.closeness(at("2025-01-01 10:00:00")); got < 0.8 {
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
			if c := s.closeness(1e9); c < 0 || c > 1 {
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
