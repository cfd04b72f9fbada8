package indexer

import (
	"sync"
	"time"
)

// embedState is what is known of the embedder's health. Preparing goroutines and the owner share it.
type embedState struct {
	mu     sync.Mutex
	down   bool
	retry  backoff
	reason string
}

func (s *embedState) failed(now time.Time, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.down, s.reason, s.retry = true, err.Error(), s.retry.failed(now, otherPause)
}

func (s *embedState) well() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.down, s.reason, s.retry = false, "", backoff{}
}

func (s *embedState) isDown() (reason string, down bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reason, s.down
}

// next is when the embedder may be asked again.
func (s *embedState) next() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.retry.at
}
