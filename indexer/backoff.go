package indexer

import "time"

// backoff says when to try again: after a quarter of a second, then twice as long each time, at most five minutes.
// The zero value tries at once.
type backoff struct {
	wait time.Duration
	at   time.Time
}

const maxWait = 5 * time.Minute

func (b backoff) failed(now time.Time) backoff {
	wait := min(max(2*b.wait, time.Second/4), maxWait)
	return backoff{wait: wait, at: now.Add(wait)}
}

func (b backoff) reset() backoff { return backoff{} }

func (b backoff) ready(now time.Time) bool { return !now.Before(b.at) }
