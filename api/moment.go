package api

import (
	"fmt"
	"time"
)

// A Moment is a point in time, written as RFC 3339, or a whole day of UTC, written as YYYY-MM-DD.
type Moment struct {
	at  time.Time
	day bool
}

// First is when the moment begins: a day begins at midnight.
func (m Moment) First() time.Time { return m.at }

// Last is its last second: that of a day is 23:59:59.
func (m Moment) Last() time.Time {
	if m.day {
		return m.at.Add(24*time.Hour - time.Second)
	}
	return m.at
}

// MarshalText writes what UnmarshalText reads.
func (m Moment) MarshalText() ([]byte, error) {
	if m.day {
		return []byte(m.at.Format(time.DateOnly)), nil
	}
	return m.at.MarshalText()
}

// UnmarshalText implements encoding.TextUnmarshaler, by which JSON reads strings.
func (m *Moment) UnmarshalText(text []byte) error {
	at, err := time.Parse(time.DateOnly, string(text))
	day := err == nil
	if !day {
		if at, err = time.Parse(time.RFC3339, string(text)); err != nil {
			return fmt.Errorf("%q is neither a day, YYYY-MM-DD, nor a time, such as 2026-06-09T14:32:00Z", text)
		}
	}
	*m = Moment{at, day}
	return nil
}
