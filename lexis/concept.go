package lexis

import (
	_ "embed"
	"strings"
	"sync"
)

// ConceptTable is the text that [Concepts] reads: groups of words that stand for one everyday concept, one group a line.
//
//go:embed concepts.txt
var ConceptTable string

// Concepts returns the groups of everyday words that an index term or a stem belongs to: sister is among the siblings and in the family.
// The slice is shared and may not be changed.
func Concepts(term string) []uint32 { return concepts()[term] }

// concepts maps terms to groups. A group's id derives from its line, so that a line may be added anywhere without moving the others.
var concepts = sync.OnceValue(func() map[string][]uint32 {
	out := make(map[string][]uint32, 4096)
	for line := range strings.Lines(ConceptTable) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		id := uint64(14695981039346656037) // FNV-1a
		for i := range len(line) {
			id = (id ^ uint64(line[i])) * 1099511628211
		}
		seen := map[string]bool{}
		for word := range strings.FieldsSeq(line) {
			terms := Terms(word)
			if len(terms) == 0 {
				continue // a stop word
			}
			term := terms[len(terms)-1] // of a compound, the whole
			if !seen[term] {
				seen[term] = true
				out[term] = append(out[term], uint32(id))
			}
		}
	}
	return out
})
