package calendar

import (
	"fmt"
	"time"
)

// Day is a UTC calendar day, "2006-01-02". Days compare as strings.
type Day string

// DayOf is the UTC day of t.
func DayOf(t time.Time) Day { return Day(t.UTC().Format(time.DateOnly)) }

// ParseDay checks that s is a calendar day.
func ParseDay(s string) (Day, error) {
	if _, err := time.Parse(time.DateOnly, s); err != nil {
		return "", fmt.Errorf("day %q: want YYYY-MM-DD", s)
	}
	return Day(s), nil
}

// Time is the day's first instant in UTC, or the zero time for an empty or malformed day.
func (d Day) Time() time.Time {
	t, err := time.Parse(time.DateOnly, string(d))
	if err != nil {
		return time.Time{}
	}
	return t
}
