package recall

import (
	"time"

	"github.com/reverie-memory/reverie/indexer/catalog"
)

// Limits of a query.
const (
	DefaultK = 10
	MaxK     = 200
)

// A Query is a question with its conditions. The zero values of all fields but Text are sensible.
type Query struct {
	Text    string
	K       int            // how many hits; 0 is DefaultK
	Filter  catalog.Filter // rows outside it are never candidates
	Profile string         // "" and "default" are the same
	Agent   string         // who asks; "" for nobody that is known
	Flags   map[string]any // profile flags; an unknown one is a *FlagError
	AsOf    AsOf           // what came later does not exist

	Explain        bool // fills Hit.Breakdown
	CandidateTrace bool // fills Trace.Candidates, as Explain with DryRun does
	DryRun         bool // leaves no record in the Sink
}

// How a hit was found.
const (
	ViaLexical = "lexical"
	ViaVector  = "vector"
	ViaBoth    = "lexical+vector"
	ViaCloset  = "closet"  // by the line of a closet, and maybe otherwise as well
	ViaContext = "context" // by its neighbours or its session alone
)

// A Hit is one thing that answers the query: a row, and the rows that tell the same.
type Hit struct {
	Row          catalog.Row
	Key          catalog.Key
	Score        float64
	Cosine       float64 // 0 when the vectors did not find it
	Relevance    float64 // whether it answers at all: 1 where it just does
	Weak         bool    // it does not, and stands beside others that do
	Via          string
	Refs         []string           // refs of the row and of the rows folded into it, in order, each once
	Also         []string           // ids of the rows folded into this hit
	Preview      string             // the line of a closet that points to the row; "" for none, or one that the caller may not see
	SupersededBy string             // the id of a hit that was said later and is much the same
	Breakdown    map[string]float64 // with Explain: named parts; their sum is Score within 1e-9
	Events       []ScoreEvent       // with Explain: the same in order, phase by phase
}

// A Candidate is one row that was considered.
type Candidate struct {
	Key     catalog.Key
	ID      string
	Lexical float64 // BM25 as the full-text index gave it; 0 when not found there
	Vector  float64 // cosine; 0 when not found there
	Score   float64
	Rank    int    // 1-based among all candidates
	Dropped string // why it is no hit, "" when it is

	Drop      Drop               // where a phase left it out
	Breakdown map[string]float64 // with Explain: of Score, named parts
}

// A Trace says how an answer was made.
type Trace struct {
	Profile    string
	Engine     string
	Generation int
	Phases     []string
	Skipped    []string // phases that a flag left out
	In, Out    int      // candidates, and hits of them
	TimingMS   map[string]float64
	Detail     map[string]any // what phases did, by their names
	ModelGuard string         // MATCH or MISMATCH; "" where nothing was compared
	Candidates []Candidate
}

// A Result answers a query.
type Result struct {
	Hits     []Hit
	Weak     int    // hits that were left out because none of them answers
	Receipt  string // r_…
	Trace    Trace
	Degraded []string // why the answer is worse than usual
	Warnings []string
}

// A Record is what a search leaves in the recall log.
type Record struct {
	Time      time.Time `json:"time"`
	QueryHash string    `json:"query_hash"`
	Rows      []string  `json:"rows"`            // what was found; each counts as read
	Shown     []string  `json:"shown,omitempty"` // what a context told besides, unasked
	Receipt   string    `json:"receipt"`
	Snippet   string    `json:"snippet,omitempty"`
}

// A Sink takes the records of searches. A Sink must not block: it batches and writes on its own time.
type Sink interface {
	Record(Record)
}
