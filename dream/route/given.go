package route

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed given.txt
var givenText string

var given = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for line := range strings.Lines(givenText) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		for _, name := range strings.Fields(line) {
			out[key(name)] = true
		}
	}
	return out
})

// isGiven tells whether a key begins with a common given name: Hana, Hana Sato. What goes on like a thing's name (Ben & Jerry's,
// Victor 3) is not decided here.
func isGiven(k string) bool {
	first, _, _ := strings.Cut(k, " ")
	return given()[first]
}
