package lexis

import (
	"strings"
	"sync"
)

// irregular maps English forms that no rule of endings reaches to their base form.
var irregular = sync.OnceValue(func() map[string]string {
	m := make(map[string]string, 512)
	for line := range strings.SplitSeq(irregularForms, "\n") {
		base, forms, _ := strings.Cut(line, ":")
		for f := range strings.FieldsSeq(forms) {
			m[f] = base
		}
	}
	return m
})

const irregularForms = `go:went gone goes
buy:bought
child:children
`
