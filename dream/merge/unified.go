package merge

import (
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// Unified is the unified diff from a to b, "" where they are equal. nil stands for a file that does not exist.
func Unified(name string, a, b []byte) string {
	name = strings.NewReplacer("\n", " ", "\r", " ", "\t", " ").Replace(name)
	from, to := "a/"+name, "b/"+name
	if a == nil {
		from = "/dev/null"
	}
	if b == nil {
		to = "/dev/null"
	}
	return udiff.Unified(from, to, string(a), string(b))
}
