package llm

import (
	"testing"
	"time"
)

// A request has as few texts as keep the server as busy as many do.
func TestAPaceFitsItsServer(t *testing.T) {
	for name, c := range map[string]struct {
		each, call time.Duration // what a text takes, and what a request takes besides
		want       int
	}{
		"one thing after the other": {17 * time.Millisecond, time.Millisecond, 5},
		"far away":                  {time.Millisecond, 300 * time.Millisecond, 64},
		"quick":                     {time.Millisecond / 2, 2 * time.Millisecond, 64},
		"a text takes too long":     {time.Second, time.Millisecond, 1},
	} {
		p := pace{most: 64}
		run := func(requests int, each time.Duration) {
			for range requests {
				n := p.next()
				p.took(n, c.call+time.Duration(n)*each)
			}
		}
		if run(8, c.each); p.next() != c.want {
			t.Errorf("%s: %d texts in a request, want %d", name, p.next(), c.want)
		}
		p.took(1, time.Minute) // the rest of a batch
		if p.next() != c.want && c.want > 1 {
			t.Errorf("%s: %d texts after a small request", name, p.next())
		}
		if run(20, time.Millisecond/2); name == "one thing after the other" && p.next() != 64 {
			t.Errorf("%s: %d texts once it got quick", name, p.next())
		}
	}
	// Once smaller requests were slower, they are not tried at every other one; much later they are.
	p, small := pace{most: 64}, 0
	for range 4 * again {
		n := p.next()
		if n < 64 {
			small++
		}
		p.took(n, 300*time.Millisecond+time.Duration(n)*time.Millisecond)
	}
	if small == 0 || small > 5 {
		t.Errorf("%d of %d requests tried fewer texts", small, 4*again)
	}
}
