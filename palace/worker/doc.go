// Package worker does what the palace leaves for later: it has a model look at drawers whose words do not say what they are, finds what
// says the same or otherwise, puts away what faded, and learns what each type of memory looks like.
//
// There are four workers. A [Room] runs them by the clock, one at a time, and whenever somebody asks. Workers write findings and events,
// never rows or drawers, so that each may be cut off anywhere and run again: what a model said is written down before anything rests on it,
// and found there by the hash of the text.
package worker
