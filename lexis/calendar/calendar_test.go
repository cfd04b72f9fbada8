package calendar_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/lexis/calendar"
)

func TestFind(t *testing.T) {
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
		"the twenty-second of November 2025":     {"2025-11-22..2025-11-22"},
		"on the thirtieth of March, a fortnight": {"03-30..03-30"},
		"the thirty-first of May":                {"05-31..05-31"},
		"the first of them, the twenty of us":    nil,
		"am 9. Okt. 2025, 3. Mär":                {"2025-10-09..2025-10-09", "03-03..03-03"},
		"a Mar, the Jun, next Sep":               {"09-01..09-30"},
		"the week before 20 May 2026":            {"2026-05-13..2026-05-19"},
		"the day after 2026-05-20":               {"2026-05-21..2026-05-21"},
		"two weeks before 3 May 2026":            {"2026-04-19..2026-05-02"},
		"the days after 3 May 2026":              {"2026-05-04..2026-05-06"},
		"the month before July":                  {"06-01..06-30"},
		"the year before 2024":                   {"2023-01-01..2023-12-31"},
		"a week before the party":                nil,
	}
	for text, want := range cases {
		var got []string
		spans, _ := calendar.Find(lexis.Words(text), now)
		for _, s := range spans {
			layout := "01-02"
			if s.Year {
				layout = time.DateOnly
			}
			got = append(got, s.From.Format(layout)+".."+s.To.Format(layout))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}
