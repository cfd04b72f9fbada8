package navigate

import (
	"math/bits"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/reverie-memory/reverie/vault"
)

// The score of a claim is the sum of
//
//	what it is   your name 100, your home 64, health 45, task 40, preference 36, who you are 35, decision of a
//	             project 35, who others are 32, what else is about you 27, other decisions 25, anything else 10; an open question 50
//	recency      of its newest source before today: a week 20, a month 15, a quarter 10, a year 5, older or unknown 0;
//	             name and home do not age
//	recall       4 for each doubling of how often it was read, up to 24: a few reads more change nothing
//	due          a task with a date in the next 30 days, or missed by up to 30: 15; missed for longer: -20
//
// Below minScore a claim stays on its page: that is a plain fact which nobody asked for.
const (
	minScore      = 31
	scoreName     = 100
	scoreHome     = 64
	scoreQuestion = 50
	scoreHealth   = 45
	scoreTask     = 40
	scoreYou      = 35
	scoreProject  = 35
	scorePrefer   = 36
	scoreOthers   = 32
	scoreMain     = 31
	scoreDecision = 25
	scoreYours    = 27
	scorePlain    = 10
)

func recency(at, today vault.Day) int {
	if at == "" || today == "" {
		return 0
	}
	switch age := int(today.Time().Sub(at.Time()).Hours() / 24); {
	case age <= 7:
		return 20
	case age <= 30:
		return 15
	case age <= 90:
		return 10
	case age <= 365:
		return 5
	}
	return 0
}

func recalled(reads int) int {
	if reads <= 0 {
		return 0
	}
	return min(24, 4*bits.Len(uint(reads)))
}

func urgency(l Line, today vault.Day) int {
	due, ok := dueDate(l.Text, l.At)
	if !ok || today == "" {
		return 0
	}
	switch days := int(due.Sub(today.Time()).Hours() / 24); {
	case days > 30:
		return 0
	case days >= -30:
		return 15
	}
	return -20
}

var dates = sync.OnceValue(func() *regexp.Regexp {
	month := `(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?`
	return regexp.MustCompile(`(?i)\b(\d{4}-\d\d-\d\d)\b|\b(\d{1,2})(?:st|nd|rd|th)?(?: of)? ` + month +
		`(?:,? (\d{4}))?\b|\b` + month + ` (\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4}))?\b`)
})

// dueDate is the last date that a task names. One without a year is the first that comes after the task was said.
func dueDate(text string, said vault.Day) (time.Time, bool) {
	all := dates().FindAllStringSubmatch(text, -1)
	if len(all) == 0 {
		return time.Time{}, false
	}
	m := all[len(all)-1]
	if m[1] != "" {
		t, err := time.Parse(time.DateOnly, m[1])
		return t, err == nil
	}
	day, month, year := m[2]+m[6], m[3]+m[5], m[4]+m[7]
	mon, err := time.Parse("Jan", strings.ToUpper(month[:1])+strings.ToLower(month[1:3]))
	d, _ := strconv.Atoi(day)
	y, _ := strconv.Atoi(year)
	if err != nil || d < 1 || d > 31 || y == 0 && said == "" {
		return time.Time{}, false
	}
	if y > 0 {
		return time.Date(y, mon.Month(), d, 0, 0, 0, 0, time.UTC), true
	}
	from := said.Time()
	t := time.Date(from.Year(), mon.Month(), d, 0, 0, 0, 0, time.UTC)
	if t.Before(from) {
		t = t.AddDate(1, 0, 0)
	}
	return t, true
}
