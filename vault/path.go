package vault

import (
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/lexis/calendar"
)

// Path names a file of the vault: relative to its root, with forward slashes, cleaned, never
// leaving the root. Only [ParsePath] makes one from outside text.
type Path string

// ErrPath reports a path that is empty, absolute, holds a NUL or leaves the vault.
var ErrPath = errors.New("not a path inside the vault")

// ParsePath checks s and returns it as a Path. Backslashes are taken as separators, so that a path
// from a Windows program means the same file.
func ParsePath(s string) (Path, error) {
	p := path.Clean(strings.ReplaceAll(s, `\`, "/"))
	switch {
	case s == "" || p == "." || path.IsAbs(p) || p == ".." || strings.HasPrefix(p, "../") || strings.ContainsRune(p, 0),
		len(p) >= 2 && p[1] == ':':
		return "", fmt.Errorf("path %q: %w", s, ErrPath)
	}
	return Path(p), nil
}

// Day is a UTC calendar day: daily files are named by it.
type Day = calendar.Day

// DayOf is the UTC day of t.
func DayOf(t time.Time) Day { return calendar.DayOf(t) }

// ParseDay checks that s is a calendar day.
func ParseDay(s string) (Day, error) { return calendar.ParseDay(s) }

// Where the daily files live.
const (
	ArchiveDir = memoryDir + "archive" // daily fact logs
	DrawerDir  = memoryDir + "drawers" // verbatim turns
	DiaryDir   = memoryDir + "diary"   // one folder an agent
	StateDir   = ".state"
)

// LogPath is the daily log of a day.
func LogPath(d Day) Path { return Path(ArchiveDir + "/" + string(d) + ".md") }

// DiaryPath is the diary of a day, of the agent with that [AgentName].
func DiaryPath(agent string, d Day) Path {
	return Path(DiaryDir + "/" + agent + "/" + string(d) + ".md")
}

// DrawerPath is the drawer file of a day.
func DrawerPath(d Day) Path { return Path(DrawerDir + "/" + string(d) + ".md") }

// ahead is by how much clocks may differ, with their time zones.
const ahead = 24 * time.Hour

// Sayable tells whether something can have been said at a time: since 1970, and no more than a day ahead of the clock. What stood under a
// later day would count as newer than all that is said until then.
func Sayable(at, now time.Time) bool {
	return at.UTC().Year() >= 1970 && at.Sub(now) <= ahead
}
