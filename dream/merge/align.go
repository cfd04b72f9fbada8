package merge

import (
	"slices"
	"strings"
	"unicode"
)

// align gives for each line of a the line of b that it is, or -1: a longest common subsequence, found from the pairs of equal lines (Hunt
// and Szymanski). Of a line that a text is full of, such as an empty one, only places near each other are tried.
func align(a, b []string) []int {
	at := make(map[string][]int, len(b))
	for j, s := range b {
		at[s] = append(at[s], j)
	}
	type link struct {
		i, j int
		prev *link
	}
	var ends []*link // the pair with the least j that ends a common subsequence of each length
	for i, s := range a {
		places := at[s]
		if k, _ := slices.BinarySearch(places, i*len(b)/len(a)); len(places) > maxPlaces {
			k = min(max(k-maxPlaces/2, 0), len(places)-maxPlaces)
			places = places[k : k+maxPlaces]
		}
		for _, j := range slices.Backward(places) {
			n, found := slices.BinarySearchFunc(ends, j, func(l *link, want int) int { return l.j - want })
			if found {
				continue
			}
			l := &link{i: i, j: j}
			if n > 0 {
				l.prev = ends[n-1]
			}
			if n == len(ends) {
				ends = append(ends, l)
			} else {
				ends[n] = l
			}
		}
	}
	to := make([]int, len(a))
	for i := range to {
		to[i] = -1
	}
	if len(ends) > 0 {
		for l := ends[len(ends)-1]; l != nil; l = l.prev {
			to[l.i] = l.j
		}
	}
	return to
}

// maxPlaces bounds the work that a repeated line makes.
const maxPlaces = 64

// A side is what one side made of the base.
type side struct {
	lines  []string
	tokens []string
	to     []int   // for each line of the base: the line here that it is or became, or -1
	weak   []bool  // it became that line by its place alone: the two have little in common
	put    [][]int // lines here that were put in before each line of the base, and at its end
}

func newSide(base, lines, baseTokens, tokens []string) side {
	s := side{lines: lines, tokens: tokens, to: align(baseTokens, tokens), weak: make([]bool, len(base)), put: make([][]int, len(base)+1)}
	for i, next := 0, 0; i <= len(base); {
		j := i // base[i:j] went
		for j < len(base) && s.to[j] < 0 {
			j++
		}
		end := len(lines)
		if j < len(base) {
			end = s.to[j]
		}
		s.replaced(baseTokens, i, j, next, end)
		next = end + 1
		i = j + 1
	}
	return s
}

// replaced notes that lines[c:d] stand where base[a:b] stood.
func (s *side) replaced(base []string, a, b, c, d int) {
	pairs := pairUp(base[a:b], s.tokens[c:d])
	gap := a
	for j := c; j < d; j++ {
		if i := slices.Index(pairs, j-c); i >= 0 {
			s.to[a+i] = j
			gap = a + i + 1
			continue
		}
		s.put[gap] = append(s.put[gap], j)
	}
	if b-a != 1 || d-c != 1 || s.to[a] >= 0 || keyed(base[a]) || keyed(s.tokens[c]) {
		return
	}
	s.put[a], s.to[a], s.weak[a] = nil, c, true
}

// within tells whether a line put in before line i of the base stands in something that this side took away, or under it.
func (s *side) within(i int, line string) bool {
	gone := func(k int) bool { return k >= 0 && k < len(s.to) && s.to[k] < 0 }
	return gone(i-1) && (gone(i) || line != "" && strings.ContainsRune(" \t>", rune(line[0])))
}

// maxPairs bounds the work of pairUp; longer stretches without a line in common are taken as new.
const maxPairs = 1 << 16

// pairUp gives for each line of a the line of b that it was changed into, or -1, in the order of both.
func pairUp(a, b []string) []int {
	to := make([]int, len(a))
	for i := range to {
		to[i] = -1
	}
	if len(a) == 0 || len(b) == 0 || len(a)*len(b) > maxPairs {
		return to
	}
	wa, wb := make([][]string, len(a)), make([][]string, len(b))
	for i, s := range a {
		wa[i] = words(s)
	}
	for j, s := range b {
		wb[j] = words(s)
	}
	w := len(b) + 1
	like := make([]float64, len(a)*len(b))
	best := make([]float64, (len(a)+1)*w)
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			l := alike(wa[i], wb[j])
			like[i*len(b)+j] = l
			best[i*w+j] = max(best[(i+1)*w+j], best[i*w+j+1])
			if l > 0 {
				best[i*w+j] = max(best[i*w+j], l+best[(i+1)*w+j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		l := like[i*len(b)+j]
		switch {
		case l > 0 && best[i*w+j] == l+best[(i+1)*w+j+1]:
			to[i] = j
			i, j = i+1, j+1
		case best[i*w+j] == best[(i+1)*w+j]:
			i++
		default:
			j++
		}
	}
	return to
}

// words are the words of a line, sorted. A line that is known by its link has none: it is like no other.
func words(s string) []string {
	if keyed(s) {
		return nil
	}
	w := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
	slices.Sort(w)
	return w
}

// alike is the share of words that two sorted lists have in common (Dice's coefficient), 0 below one half.
func alike(a, b []string) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	n := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch strings.Compare(a[i], b[j]) {
		case 0:
			n++
			i, j = i+1, j+1
		case -1:
			i++
		default:
			j++
		}
	}
	d := 2 * float64(n) / float64(len(a)+len(b))
	if d < 0.5 {
		return 0
	}
	return d
}
