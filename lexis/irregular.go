package lexis

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed irregular.txt
var irregularForms string

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
