// Package claim decides what two statements of a memory are to each other: the same, one part of the other, a correction, a
// change, a contradiction, or nothing. Its rules are pure text; no model is asked.
package claim
