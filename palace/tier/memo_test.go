package tier

import (
	"fmt"
	"testing"
)

// TestWhatIsRememberedIsWhatWordsSay: also where more texts are told than are remembered.
func TestWhatIsRememberedIsWhatWordsSay(t *testing.T) {
	says := []string{
		"We decided to use %d boxes.", "I prefer %d cups of tea.", "The build fails with code %d!",
		"Remind me to call %d people.",
	}
	n := len(judgements) + len(judgements)/2
	if testing.Short() {
		n = 2000
	}
	for range 2 {
		for i := range n {
			text := fmt.Sprintf(says[i%len(says)], i)
			of, sure := Classify(text)
			if want, how := Judge(weights, text); of != want || sure != how {
				t.Fatalf("%q: %s %v, want %s %v", text, of, sure, want, how)
			}
		}
	}
}
