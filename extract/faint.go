package extract

import (
	"strings"
	"sync"

	"github.com/reverie-memory/reverie/lexis"
)

// faint holds the stems of words that say little by themselves.
var faint = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(`see like love think know hope feel say tell thing sometime really lot way good great nice cool get go come make take want need try let look sound seem guess bet wish mean
		agree understand appreciate believe sure idea time day bit kind sort stuff anything something everything nothing anyone someone everyone people thank sorry glad happy awesome amazing wonderful
		well right true maybe probably actually honestly much many little more most again later soon now always never ever keep give put use help talk ask answer question point case fact reason
		interesting fun best better fine okay perfect exactly absolutely definitely totally pretty quite still already even though yet else wait hear work out back`) {
		m[lexis.Stem(w)] = true
	}
	return m
})
