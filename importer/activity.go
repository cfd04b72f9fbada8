package importer

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"html"
	"iter"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/lexis"
)

// GeminiHTML reads My Activity of the Gemini app as Google Takeout exports it where nobody asks for JSON: a cell for each prompt with its
// answer.
var GeminiHTML = Importer{
	Name: Gemini.Name,
	Reads: func(name string, head []byte) bool {
		if !strings.HasSuffix(name, ".html") || !bytes.Contains(head, []byte("mdl-typography")) {
			return false
		}
		_, cells, begun := bytes.Cut(head, []byte(cellBegin))
		return ofGemini(name) || ofGemini(string(cells)) || !begun && strings.Contains(name, "ctivity") // behind much of a style
	},
	Read: func(f File, yield func(Message, error) bool) { readActivity(activity(f), yield) },
}

func ofGemini(s string) bool { return strings.Contains(s, "Gemini") || strings.Contains(s, "Bard") }

// cellBegin is how a cell of an activity begins.
const cellBegin = `<div class="outer-cell`

// activity yields the entries of a page of activities that are of Gemini.
func activity(f File) iter.Seq2[geminiEntry, error] {
	return func(yield func(geminiEntry, error) bool) {
		in := bufio.NewScanner(f.Reader)
		in.Buffer(nil, maxLine)
		in.Split(splitCells)
		line := 1
		for n := 0; in.Scan(); n++ { // before the first one stands the head of the page
			it := item{raw: in.Bytes(), line: line, n: n}
			line += bytes.Count(it.raw, []byte("\n"))
			if f.reach(it); n == 0 {
				continue
			}
			e, of, err := activityEntry(strings.ToValidUTF8(string(it.raw), "\ufffd"))
			if err != nil {
				err = it.place(f, err)
			}
			if of && !yield(e, err) {
				return
			}
		}
		f.reach(item{})
		if err := in.Err(); err != nil {
			yield(geminiEntry{}, &PlaceError{File: f.Name, Line: line, Err: err})
		}
	}
}

// splitCells cuts a page before each of its cells.
func splitCells(data []byte, end bool) (advance int, token []byte, err error) {
	if i := bytes.Index(data[min(1, len(data)):], []byte(cellBegin)); i >= 0 {
		return i + 1, data[:i+1], nil
	}
	if end && len(data) > 0 {
		return len(data), data, nil
	}
	return 0, nil, nil
}

var (
	cellTitle = regexp.MustCompile(`(?s)mdl-typography--title">(.*?)</p>`)
	cellBreak = regexp.MustCompile(`(?i)<br\s*/?>`)
)

const (
	cellBody = `mdl-typography--body-1">`
	cellNext = `<div class="content-cell`
)

// activityEntry reads a cell: what was done, when that was, and what Gemini answered, with a break between them. of says that the cell is
// one of Gemini.
func activityEntry(cell string) (e geminiEntry, of bool, err error) {
	if title := cellTitle.FindStringSubmatch(cell); title == nil || !ofGemini(title[1]) {
		return e, false, nil
	}
	_, body, _ := strings.Cut(cell, cellBody)
	body, about, _ := strings.Cut(body, cellNext)
	e.TitleURL = about // somewhere in it
	body = strings.TrimSuffix(strings.TrimSpace(body), "</div>")
	parts := cellBreak.FindAllStringIndex(body, -1)
	var title []string
	begin := 0
	for _, b := range append(parts, []int{len(body), len(body)}) {
		text := plainHTML(body[begin:b[0]])
		at, known, is := activityTime(text)
		switch {
		case is && !known:
			return e, true, fmt.Errorf("the time %q is written in a way that is not known", text)
		case is:
			e.Time, e.Title = at.UTC().Format(time.RFC3339), strings.TrimSpace(strings.Join(withoutFiles(title), "\n"))
			if answer := strings.TrimSpace(body[b[1]:]); answer != "" {
				e.Answers = []geminiAnswer{{answer}}
			}
			return e, true, nil
		}
		title = append(title, strings.ReplaceAll(text, "\u00a0", " "))
		begin = b[1]
	}
	return e, true, errors.New("no time stands in it")
}

// withoutFiles leaves out the names of files at the end, with the line that counts them.
func withoutFiles(rows []string) []string {
	n := len(rows)
	for n > 0 && strings.HasPrefix(rows[n-1], "-  ") {
		n--
	}
	if n < len(rows) && n > 1 {
		n--
	}
	return rows[:n]
}

var (
	clockTime = regexp.MustCompile(`^(.{6,30}?)[,\s]+(\d{1,2})[:.](\d\d)[:.](\d\d)(?:\s*([AaPp])\.?\s?[Mm]\.?)?(?:\s+(\S{1,12}))?$`)
	digits    = regexp.MustCompile(`\d+`)
	monthWord = regexp.MustCompile(`\pL[\pL\pM]+`)
	offset    = regexp.MustCompile(`^(?:GMT|UTC)?([+-])(\d{1,2})(?::?(\d\d))?$`)
)

// activityTime reads a time as Google writes it for people, such as "Nov 5, 2025, 1:34:47 AM CET". is says that it looks like one, known
// that it could be read. A zone that is not known counts as UTC.
func activityTime(s string) (t time.Time, known, is bool) {
	s = strings.Join(strings.Fields(html.UnescapeString(s)), " ") // blanks of all kinds stand there
	m := clockTime.FindStringSubmatch(s)
	if m == nil {
		return t, false, false
	}
	day, ok, is := activityDay(m[1])
	if !ok {
		return t, false, is
	}
	clock := [3]int{}
	for i, part := range m[2:5] {
		clock[i], _ = strconv.Atoi(part)
	}
	if half := strings.ToLower(m[5]); half != "" {
		if clock[0] %= 12; half == "p" {
			clock[0] += 12
		}
	}
	t = day.Add(time.Duration(clock[0])*time.Hour + time.Duration(clock[1])*time.Minute + time.Duration(clock[2])*time.Second)
	return t.Add(-zone(m[6], m[1])), sayable(t), true
}

// activityDay reads a day: its month is a word, or the numbers are in the order of the year, or begin with the day.
func activityDay(s string) (day time.Time, known, is bool) {
	var n []int
	year := -1
	for i, text := range digits.FindAllString(s, -1) {
		v, err := strconv.Atoi(text)
		if err != nil {
			return day, false, false
		}
		if n = append(n, v); len(text) == 4 {
			year = i
		}
	}
	var month time.Month
	for _, word := range monthWord.FindAllString(s, -1) {
		if m := monthOf(word); m != 0 {
			month = m
		}
	}
	switch {
	case year < 0 || len(n) < 2 || len(n) > 3:
		return day, false, false
	case len(n) == 2 && month != 0:
		day = time.Date(n[year], month, n[1-year], 0, 0, 0, 0, time.UTC)
	case len(n) == 3 && year == 0:
		day = time.Date(n[0], time.Month(n[1]), n[2], 0, 0, 0, 0, time.UTC)
	case len(n) == 3 && year == 2:
		day = time.Date(n[2], time.Month(n[1]), n[0], 0, 0, 0, 0, time.UTC)
	default:
		return day, false, true
	}
	return day, sayable(day), true
}

// monthOf is the month that a word names in one of the languages of Europe's west, north and south; 0 for none.
func monthOf(word string) time.Month {
	word = lexis.Fold(word)
	for i, begins := range [...]string{
		"jan ene gen", "feb fev", "mar mrt mrz maa", "apr abr avr", "may mai maj mei mag", "jun juin giu", "jul juil lug", "aug aou ago avg",
		"sep set", "oct okt ott out", "nov", "dec dez dic des",
	} {
		for begin := range strings.FieldsSeq(begins) {
			if strings.HasPrefix(word, begin) {
				return time.Month(i + 1)
			}
		}
	}
	return 0
}

// zones are the names of zones in hours; those that several have are of the most people who write so.
var zones = map[string]float64{
	"WET": 0, "WEST": 1, "BST": 1, "CET": 1, "MEZ": 1, "CEST": 2, "MESZ": 2, "HNEC": 1, "HAEC": 2, "EET": 2, "OEZ": 2, "EEST": 3, "OESZ": 3,
	"MSK": 3, "SAST": 2, "IST": 5.5, "JST": 9, "KST": 9, "AEST": 10, "AEDT": 11, "ACST": 9.5, "ACDT": 10.5, "AWST": 8, "NZST": 12, "NZDT": 13,
	"EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7, "AKST": -9, "AKDT": -8, "HST": -10, "BRT": -3,
	"ART": -3,
}

// zone is how far a zone is from UTC, in a time whose day is written like that.
func zone(name, day string) time.Duration {
	if o := offset.FindStringSubmatch(strings.ReplaceAll(name, "\u2212", "-")); o != nil {
		hours, _ := strconv.Atoi(o[2])
		minutes, _ := strconv.Atoi(o[3])
		d := time.Duration(hours)*time.Hour + time.Duration(minutes)*time.Minute
		if o[1] == "-" {
			d = -d
		}
		return d
	}
	if name == "CST" && strings.Contains(day, "年") {
		return 8 * time.Hour
	}
	return time.Duration(zones[name] * float64(time.Hour))
}
