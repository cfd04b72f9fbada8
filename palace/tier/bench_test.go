package tier

import (
	"strings"
	"testing"
)

func BenchmarkClassify(b *testing.B) {
	for name, text := range map[string]string{
		"sentence": "I passed my driving test, for the first time in my life!",
		"message":  strings.Repeat("We looked at three vans and bought the oldest one because the engine is the best. ", 8),
		"long":     strings.Repeat("The report is due on Friday and nobody picks up the phone. ", 20_000),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				Judge(weights, text)
			}
		})
	}
}
