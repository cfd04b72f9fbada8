package nearest

import "strings"

// Name gives the candidate with the fewest edits, at most a third of the word away, or "". Upper case and the marks between the words of
// a name count for nothing. The order of candidates does not matter, and it is kept.
func Name(word string, candidates []string) string {
	word = plain(word)
	best, fewest := "", min(max(1, len(word)/3)+1, max(1, len(word)))
	for _, c := range candidates {
		if d := Distance([]byte(word), []byte(plain(c)), fewest); d < fewest || d == fewest && best != "" && c < best {
			best, fewest = c, d
		}
	}
	return best
}

var marks = strings.NewReplacer("_", "", "-", "", ".", "")

func plain(s string) string { return marks.Replace(strings.ToLower(s)) }

// Distance is how many elements must be put in, left out or changed, or pairs of neighbours be swapped, to make b of a. What is more than
// most is not counted to the end.
func Distance[E comparable](a, b []E, most int) int {
	if d := len(a) - len(b); max(d, -d) > most {
		return most + 1
	}
	var room [3 * 64]int
	rows := room[:]
	if n := len(b) + 1; 3*n > len(rows) {
		rows = make([]int, 3*n)
	}
	before, last, row := rows[:len(b)+1], rows[len(b)+1:2*len(b)+2], rows[2*len(b)+2:3*len(b)+3]
	for j := range last {
		last[j] = j
	}
	fewest := 0
	for i := range a {
		fewestBefore := fewest
		row[0] = i + 1
		fewest = row[0]
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(last[j+1]+1, row[j]+1, last[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
			fewest = min(fewest, row[j+1])
		}
		if min(fewest, fewestBefore) > most {
			return most + 1
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
