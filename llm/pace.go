package llm

import (
	"cmp"
	"sync"
	"time"
)

// A pace finds how many stored texts go into one request: as few as a server does in the time that a question may have to wait for it,
// where fewer are not slower. Of a server that does one thing after the other the last holds; of one that is far away it does not.
type pace struct {
	mu   sync.Mutex
	most int // texts in a request
	size int // of the next one; 0 before the first

	was   int     // the size before it became smaller; 0 where that is not to be judged
	rate  float64 // texts a second with that size
	still int     // requests until smaller ones are tried again
}

const (
	held   = 100 * time.Millisecond // how long a request may hold a question back
	slower = 0.8                    // of the texts a second: then smaller requests are not worth it
	again  = 100                    // requests after which they are tried again
)

// next is how many texts the next request has at most.
func (p *pace) next() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.size = cmp.Or(p.size, p.most)
	return p.size
}

// took notes how long a request with n texts took.
func (p *pace) took(n int, d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.still--; n != p.size || d <= 0 { // others say little of those with many texts
		return
	}
	rate := float64(n) / d.Seconds()
	if p.was > 0 && rate < slower*p.rate {
		p.size, p.was, p.still = p.was, 0, again
		return
	}
	p.was = 0
	fits := max(1, int(rate*held.Seconds()))
	switch {
	case fits < n && p.still <= 0:
		p.was, p.rate, p.size = n, rate, fits
	case fits >= 2*n:
		p.size = min(2*n, p.most)
	}
}
