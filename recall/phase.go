package recall

import (
	"cmp"
	"context"
)

// A Phase is one step of a search. A Phase reads and changes what the phases before it left in the search: candidates and their groups
// (search.pool), rows with their scores (search.rows), the order (search.ranked), hits (search.result). A new phase is a file that declares
// it and a line in a [Profile].
type Phase struct {
	Name   string
	Step   Step
	Makes  bool     // it begins its step: it makes what the others of the step work on
	Stage  string   // what trace and timings count it under; "" is its name. Neighbours in one stage are one entry
	Switch string   // a flag: the phase is left out where it is false; "" for a phase that always runs
	Flags  []Flag   // those that the phase brings; others may read them
	Parts  []string // the parts of a score that it books
	// Run is called once in a search, and never for an empty index. Its error ends the search.
	Run func(ctx context.Context, r *search) error
}

// Counted is the stage that trace and timings count the phase under.
func (ph *Phase) Counted() string { return cmp.Or(ph.Stage, ph.Name) }

// A Step is a part of a search. A profile has its phases in the order of their steps, and each step but Asking begins with the one phase
// of it that makes what the others work on.
type Step int

// The steps.
const (
	Asking  Step = iota // the query; nothing was looked for yet
	Finding             // what full text and vectors found
	Pooling             // candidates and their groups
	Scoring             // rows, read, with their scores
	Ranking             // groups of rows, the best first
	Showing             // hits
)

// A Profile is a way to rank: phases in the order in which they run.
type Profile struct {
	Name   string
	Doc    string
	Phases []*Phase
	Flags  map[string]any // defaults that differ from the phases' own
}

// profiles are all that a query can name. A score is summed up in the order of the phases that book its parts. In the default profile,
// that of a row r of a group g (all rows of one drawer) is:
//
//	base(r)  = bm25(r) + vector·z(r) + closet(r)   z: cosine above the mean of the nearest, in standard deviations, ≥ 0
//	closet(r) = closet·(bm25 + vector·z of the closet)·share of the question's terms in its line; 0 where no closets are kept
//	top(g)   = max base of its rows
//	ctx(g)   = prev·top(g-1) + next·top(g+1) + farPrev·top(g-2) + farNext·top(g+2) + session·mean(best 3 tops of its session)
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
var profiles = Profiles{
	{Name: DefaultProfile, Doc: "full text, vectors and what was said around, for questions to a memory of conversations", Phases: []*Phase{
		guard, gather, expansion, fuse, closets, answers, crossWing, surroundings, // candidates
		guessDate, guessSpeaker, read, // the rows worth reading
		statement, speaker, dates, recency, summaries, ltp, association, tagging, ageDecay, pinned, // scores
		order, occasions, absorb, rerank, supersede, consolidated, variety, mmr, show, sufficient, // the answer
	}},
	{
		Name: "palace", Doc: "importance × recency of reading × the larger of nearness and 1 for what the graph knows, and " +
			"0.1 for the same agent",
		Phases: []*Phase{
			guard, gather, similarity, entities, read, summaries, importance, accessed, sameAgent, order, absorb, show, sufficient,
		}, Flags: map[string]any{"entities": true, "importance": true, "accessed": true, "same_agent": true},
	},
	{Name: "synapse", Doc: "nearness × age × what was read lately × what was read together × what is new", Phases: []*Phase{
		guard, gather, expansion, similarity, crossWing, read, summaries, ageDecay, ltp, association, tagging, pinned,
		order, absorb, supersede, consolidated, mmr, show, sufficient,
	}, Flags: map[string]any{"age_decay": true, "ltp": true, "association": true, "tagging": true}},
	{Name: "cosine", Doc: "the nearness of vectors and nothing else, to compare with", Phases: []*Phase{
		guard, gather, similarity, read, order, show, sufficient,
	}, Flags: map[string]any{"lexical": false, "min_score": 0.0}},
}
