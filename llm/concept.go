package llm

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/reverie-memory/reverie/lexis"
)

//go:embed concepts.txt
var conceptText string

// concepts maps terms to the groups that they belong to. A group's id derives from its first words, so that
// a line may be added anywhere without moving the others.
var concepts = sync.OnceValue(func() map[string][]uint32 {
	out := make(map[string][]uint32, 4096)
	for line := range strings.Lines(conceptText) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		id := uint32(hash(line))
		seen := map[string]bool{}
		for word := range strings.FieldsSeq(line) {
			terms := lexis.Terms(word)
			if len(terms) == 0 {
				continue // a stop word
			}
			term := terms[len(terms)-1] // of a compound, the whole
			if !seen[term] {
				seen[term] = true
				out[term] = append(out[term], id)
			}
		}
	}
	return out
})
