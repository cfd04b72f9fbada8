package claim

// A Relation is what a later statement is to an earlier one.
type Relation int

// The relations.
const (
	Unrelated  Relation = iota // both may stand
	Duplicate                  // they say the same
	Narrower                   // new says less than old and nothing else
	Wider                      // new says all of old and more
	Correction                 // new says that old was wrong
	Change                     // old was true until new
	Conflict                   // they cannot both be true, and nothing tells which is
)

var relationNames = [...]string{"unrelated", "duplicate", "narrower", "wider", "correction", "change", "conflict"}

func (r Relation) String() string {
	if r < 0 || int(r) >= len(relationNames) {
		return "relation?"
	}
	return relationNames[r]
}

// Compare tells what new, said at or after old, is to old. In doubt they are
// Unrelated.
func Compare(old, new *Claim) Relation { return Unrelated }
