package indexer

import (
	"github.com/reverie-memory/reverie/vault"
)

// A Follower gives the rows of a growing file without parsing all of it again. It belongs to one
// file, one Env and one goroutine.
type Follower interface {
	// Next takes the whole file, whose earlier bytes are those of the call before. It returns how
	// many rows at the start are as they were, and the rows after them. ok is false where only
	// [Source.Rows] can tell; the follower is then of no more use.
	Next(data []byte, env Env) (keep int, rows []Row, problems []vault.Problem, ok bool)
}
