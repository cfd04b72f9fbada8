package recall

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// A Phase is one step of a search. It reads and changes what the phases before it left in the search: candidates and their groups
// (search.pool), rows with their scores (search.rows), the order (search.ranked), hits (search.result). A new phase is a file that
// declares it and a line in a [Profile].
type Phase struct {
	Name   string
	Stage  string   // what trace and timings count it under; "" is its name. Neighbours in one stage are one entry
	Switch string   // a flag: the phase is left out where it is false; "" for a phase that always runs
	Flags  []Flag   // those that the phase brings; others may read them
	Parts  []string // the parts of a score that it books
	// Run is called once in a search, and never for an empty index. Its error ends the search.
	Run func(ctx context.Context, r *search) error
}

// A Profile is a way to rank: phases in the order in which they run.
type Profile struct {
	Name   string
	Phases []*Phase
	Flags  map[string]any // defaults that differ from the phases' own
}

// profiles are all that a query can name. A score is summed up in the order of the phases that book its parts. In the default profile,
// that of a row r of a group g (all rows of one drawer) is:
//
//	base(r)  = bm25(r) + vector·z(r) + closet(r)   z: cosine above the mean of the nearest, in standard deviations, ≥ 0
//	closet(r) = closet·(bm25 + vector·z of the closet)·share of the question's terms in its line; 0 where no closets are kept
//	top(g)   = max base of its rows
//	ctx(g)   = prev·top(g-1) + next·top(g+1) + far·(top(g-2)+top(g+2)) + session·mean(best 3 tops of its session)
//	           lone·top(g) for a group without a session (pages, core files)
//	score(r) = (base + ctx) · length · statement · (1+speaker) · (1+date) · (1+time) · (1+recency) · (1-history)
//
// A session that has filled varietyFree places of the answer gives variety of the score for each further one, so
// that an answer that lies in several sessions finds room.
//
// The factors look at the text, so they are taken only of the best groups by a first estimate that
// knows everything but the text.
//
// Known bad cases: a question that shares no word with its answer and has no model's vectors is found by its
// neighbours or not at all; a question about what somebody was asked suffers from statement; two people of one name are one.
var profiles = []*Profile{
	{Name: DefaultProfile, Phases: []*Phase{
		guard, gather, fuse, closets, surroundings, // candidates
		guessDate, guessSpeaker, read, // the rows worth reading
		statement, speaker, dates, recency, // scores
		order, absorb, variety, show, sufficient, // the answer
	}},
}

// DefaultProfile is the profile of queries that name none.
const DefaultProfile = "default"

// A ProfileError reports a profile that does not exist.
type ProfileError struct{ Profile string }

func (e *ProfileError) Error() string {
	var known []string
	for _, p := range profiles {
		known = append(known, fmt.Sprintf("%q", p.Name))
	}
	return fmt.Sprintf("profile %q: there is only %s", e.Profile, strings.Join(known, ", "))
}

// Check says what is wrong with a profile's name or with values for its flags: a ProfileError or a FlagError, as Search would return.
func Check(profile string, given map[string]any) error {
	p, err := profileNamed(profile)
	if err != nil {
		return err
	}
	_, err = p.values(given)
	return err
}

func profileNamed(name string) (*Profile, error) {
	if i := slices.IndexFunc(profiles, func(p *Profile) bool { return p.Name == name }); i >= 0 {
		return profiles[i], nil
	}
	return nil, &ProfileError{name}
}
