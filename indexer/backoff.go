package indexer

import "time"

// backoff says when to try again: after a quarter of a second, then twice as long after each try that failed. The zero value tries
// at once.
type backoff struct {
	wait time.Duration
	at   time.Time
}

// The longest pauses. Files of our own are there again as soon as the fault is over; others are not to be pestered, and a rebuild
// costs more than a try.
const (
	filePause  = 5 * time.Second
	otherPause = time.Minute
)

// failed notes a failure. One that comes while a pause lasts is not of a try, and lengthens nothing.
func (b backoff) failed(now time.Time, longest time.Duration) backoff {
	if !b.ready(now) {
		return b
	}
	wait := min(max(2*b.wait, time.Second/4), longest)
	return backoff{wait: wait, at: now.Add(wait)}
}

func (b backoff) reset() backoff { return backoff{} }

func (b backoff) ready(now time.Time) bool { return !now.Before(b.at) }
