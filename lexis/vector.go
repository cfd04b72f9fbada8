package lexis

import (
	_ "embed"
	"sort"
	"strings"
	"sync"
)

// VectorDim is how many numbers the vector of a term has.
const VectorDim = 96

// vectorTable has 20,000 terms of English by how often they are said, those of other languages that stand in the table of concepts, and a
// vector of each. The vectors are made of GloVe's (Pennington, Socher and Manning, 2014; in the public domain by the PDDL 1.0) and of what
// all-MiniLM-L6-v2 (Apache-2.0) says of short texts in which the terms stand; scripts/vectors tells how, and makes them anew.
//
//go:embed vectors.bin
var vectorTable string

// Vector returns what an index term means: with which other terms it stands, and what texts that have it say, as [VectorDim] numbers of a
// direction and a length; nil for a term that the table does not hold.
func Vector(term string) []int8 {
	t := vectors()
	at, ok := sort.Find(len(t.starts)-1, func(i int) int { return strings.Compare(term, t.term(i)) })
	if !ok {
		return nil
	}
	out := make([]int8, VectorDim)
	for i := range out {
		out[i] = int8(t.numbers[at*VectorDim+i])
	}
	return out
}

// vectorsOf are terms in rising order, each on a line, with the places where the lines start, and the numbers of all.
type vectorsOf struct {
	names   string
	starts  []uint32
	numbers string
}

func (t *vectorsOf) term(i int) string { return t.names[t.starts[i] : t.starts[i+1]-1] }

var vectors = sync.OnceValue(func() *vectorsOf {
	names, numbers, _ := strings.Cut(vectorTable, "\n\n")
	t := &vectorsOf{names: names + "\n", numbers: numbers, starts: make([]uint32, 1, len(numbers)/VectorDim+1)}
	for i := range len(t.names) {
		if t.names[i] == '\n' {
			t.starts = append(t.starts, uint32(i+1))
		}
	}
	return t
})
