package watcher

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"
)

// cookies tell that all changes which were made before have been reported: the system reports in order, so that once the change of a
// cookie, a file of ours, has come, those before it have. The method is that of Watchman ("cookie files",
// https://facebook.github.io/watchman/docs/cookies). Without a folder, or where it cannot be watched, a cookie is never waited for.
type cookies struct {
	dir string // "": none

	mu      sync.Mutex
	at      string                   // dir as the system names it; "" where it is not watched
	free    []string                 // names of files that nobody waits for
	made    int                      // files
	waiting map[string]chan struct{} // by name; closed when the change has come
	missed  int                      // cookies in a row whose change did not come in time
}

const (
	// cookieWait is how long one is waited for. On Linux it takes well below a millisecond. Elsewhere the order between folders is not
	// promised, and the wait is a chance only.
	cookieWait = 100 * time.Millisecond
	// cookiesMissed is how many in a row may not come before nobody waits for them until the folder is watched anew.
	cookiesMissed = 5
)

// watch has n report the changes of cookies.
func (c *cookies) watch(n notifier) {
	if c.dir == "" {
		return
	}
	at, err := c.dir, os.MkdirAll(c.dir, 0o700)
	if err == nil {
		at, err = resolve(c.dir)
	}
	if err == nil {
		err = n.Add(at)
	}
	if err != nil {
		at = ""
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at, c.missed = at, 0
}

// seen is called with the name of each change, and tells whether it was a cookie's.
func (c *cookies) seen(name string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.at == "" || filepath.Dir(name) != c.at {
		return false
	}
	if came := c.waiting[name]; came != nil {
		delete(c.waiting, name)
		c.missed = 0
		close(came)
	}
	return true
}

// wait returns when what was changed before has been reported, after cookieWait, or when ctx ends.
func (c *cookies) wait(ctx context.Context) {
	name, came := c.take()
	if name == "" {
		return
	}
	defer c.giveBack(name)
	now := time.Now()
	if err := os.Chtimes(name, now, now); err != nil {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			return
		}
	}
	timer := time.NewTimer(cookieWait)
	defer timer.Stop()
	select {
	case <-came:
	case <-timer.C:
	case <-ctx.Done():
	}
}

// take gives a cookie that nobody else waits for; "" where cookies are not watched.
func (c *cookies) take() (name string, came chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.at == "" {
		return "", nil
	}
	if n := len(c.free); n > 0 {
		name, c.free = c.free[n-1], c.free[:n-1]
	} else {
		name = filepath.Join(c.at, strconv.Itoa(c.made))
		c.made++
	}
	if c.waiting == nil {
		c.waiting = map[string]chan struct{}{}
	}
	came = make(chan struct{})
	c.waiting[name] = came
	return name, came
}

// giveBack ends a wait. A cookie whose change did not come is not used again: it may come while somebody else waits.
func (c *cookies) giveBack(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.waiting[name] == nil {
		c.free = append(c.free, name)
	} else {
		delete(c.waiting, name)
		if c.missed++; c.missed >= cookiesMissed {
			c.at = ""
		}
	}
}
