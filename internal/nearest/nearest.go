package nearest

import (
	"slices"
	"strings"
)

// Name gives the candidate with the fewest edits, at most a third of the word away, or "". Upper case and the marks between the words of
// a name count for nothing. The order of candidates does not matter, and it is kept.
func Name(word string, candidates []string) string {
	plain := func(s string) string {
		return strings.NewReplacer("_", "", "-", "", ".", "").Replace(strings.ToLower(s))
	}
	word = plain(word)
	best, fewest := "", min(max(1, len(word)/3)+1, max(1, len(word)))
	for _, c := range slices.Sorted(slices.Values(candidates)) {
		if d := distance(word, plain(c)); d < fewest {
			best, fewest = c, d
		}
	}
	return best
}

// distance is how many bytes must be put in, left out or changed, or pairs of neighbours be swapped, to make b of a; names are ASCII.
func distance(a, b string) int {
	if d := len(a) - len(b); max(d, -d) > max(1, len(a)/3) {
		return max(d, -d) // too far in any case, and a may be of any length
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(last[j+1]+1, row[j]+1, last[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
