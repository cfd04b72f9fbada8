package main

import "time"

// cpuTime is the time since the start: the processor's is not asked for here.
func cpuTime() time.Duration { return time.Since(started) }
