package main

import "fmt"

// count says how many there are: "1 fact", "2 facts".
func count(n int, unit string) string {
	if n == 1 {
		return "1 " + unit
	}
	return fmt.Sprintf("%d %ss", n, unit)
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// placeOf is a file with the line in it, where one is known.
func placeOf(file string, line int) string {
	if line == 0 {
		return oneLine(file, 500)
	}
	return fmt.Sprintf("%s:%d", oneLine(file, 500), line)
}

func waits(n int, unit string) string { return count(n, unit) + plural(n, " waits", " wait") }

func are(n int, unit string) string { return count(n, unit) + plural(n, " was", " were") }

func came(n int) string { return count(n, "fact") + " came" }

func edited(n int) string { return count(n, "page") + plural(n, " was edited", " were edited") }

func times(n int) string { return plural(n, "once", fmt.Sprintf("%d times", n)) }
