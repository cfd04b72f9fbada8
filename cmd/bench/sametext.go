package main

import (
	"fmt"
	"regexp"
	"time"
)

// started is when this program began.
var started = time.Now().UTC()

// unsteady is what differs between two runs of one program on one day, and what stands for it.
var unsteady = []struct {
	pattern *regexp.Regexp
	put     string
}{
	{ // A recording may begin before midnight and end after it.
		regexp.MustCompile(`(?:` + started.Format(time.DateOnly) + `|` + started.AddDate(0, 0, 1).Format(time.DateOnly) + `)` +
			`[T ]\d\d:\d\d(:\d\d(\.\d+)?)?Z?`), "<now>",
	},
	{regexp.MustCompile(`\b(\d{5})-[0-9a-f]{16}\.md`), "$1-<hash>.md"}, // pages kept for undo; hashes are of texts with times
	{regexp.MustCompile(`("(?:before|after)": ")[0-9a-f]{64}"`), "${1}<hash>\""},
	{regexp.MustCompile(`127\.0\.0\.1:[1-9]\d+`), "127.0.0.1:<port>"},
	{regexp.MustCompile(`\br_[0-9a-z]{16}\b`), "<receipt>"},
	{regexp.MustCompile(`\br-\d{8}-\d{4}(-\d+)?`), "<run>"},
	{regexp.MustCompile(`\b(pid|process|process id|daemon) \d+`), "$1 <n>"},
	{regexp.MustCompile(`("(?:pid|seconds|bytes)": ?)[\d.e-]+`), "$1<n>"},
	// Not of settings, such as quiet_ms.
	{
		regexp.MustCompile(`("(?:(?:elapsed|total|ltp_scan|avg_batch|batch_timings|consolidation_plan|supersede_check)_)?ms": ?)` +
			`(?:\[[^\]]*\]|[\d.e-]+)`), "$1<n>",
	},
	{regexp.MustCompile(`\b[\d.]+ ?(ms|s|µs|GB|MB|KB|watches allowed)\b`), "<n> $1"},
	// How many files a look finds changed depends on what the watcher has seen before.
	{regexp.MustCompile(`("done": ?)\d+(,\s*"total": ?)\d+`), "$1<n>$2<n>"},
	{regexp.MustCompile(`(?m)\b\d+ of \d+( files)?$`), "<n> of <n>$1"},
	{regexp.MustCompile(`(?m)^(# (HELP|TYPE) )?(go|process)_.*\n`), ""}, // metrics of the runtime; of ours the names stay
	{regexp.MustCompile(`(?m)^(reverie_.+) \S+$`), "$1 <n>"},
}

var (
	durations = regexp.MustCompile(`"(?:phase_timing_ms|phase_seconds)": ?\{[^}]*\}`)
	number    = regexp.MustCompile(`: ?[\d.e-]+`)
	anID      = regexp.MustCompile(`\b[defgjst][0-9a-hjkmnp-tv-z]{9}\b`) // of a drawer, entry, fact, forgetting, job, import or turn
)

// normal puts words for what is unsteady. Ids that are not known are numbered as they come.
func normal(text string, known map[string]bool) string {
	text = durations.ReplaceAllStringFunc(text, func(m string) string { return number.ReplaceAllString(m, ": <n>") })
	for _, u := range unsteady {
		text = u.pattern.ReplaceAllString(text, u.put)
	}
	numbers := map[string]int{}
	return anID.ReplaceAllStringFunc(text, func(id string) string {
		if known[id] {
			return id
		}
		if numbers[id] == 0 {
			numbers[id] = len(numbers) + 1
		}
		return fmt.Sprintf("<%c%d>", id[0], numbers[id])
	})
}
