// Package start judges whether an assistant wants a statement whenever a conversation begins.
//
// The package holds two models that scripts/start fits on lines that readers marked: a linear one over hashed features of the words, and a
// small table of what its odds and the little else that is known of a statement count for.
package start

import (
	_ "embed"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/reverie-memory/reverie/dream/sense"
	"github.com/reverie-memory/reverie/extract/thread"
	"github.com/reverie-memory/reverie/extract/worth"
	"github.com/reverie-memory/reverie/internal/linear"
	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/lexis"
	"github.com/reverie-memory/reverie/vault"
)

// A Sight is what is known of a statement where it stands.
type Sight struct {
	Words      float64 `json:"-"`          // the odds that [Words] gives its text
	Keep       float64 `json:"keep"`       // those that [Keep] gives it
	Age        float64 `json:"age"`        // days since it was said
	Again      float64 `json:"again"`      // the share of its words that one later statement of the page has as well
	Yours      bool    `json:"yours"`      // it is about the one whose memory this is
	Quoted     bool    `json:"quoted"`     // it is somebody's own words
	Ahead      bool    `json:"ahead"`      // it names a day that is still to come
	Over       bool    `json:"over"`       // or one that is past
	Identifies bool    `json:"identifies"` // by its grammar it says who somebody is
	Signs      `json:"-"`
}

// Signs are what few words tell for certain, where weights of all words of a long statement would not notice them.
type Signs struct {
	Health  bool // what somebody has, takes or may not eat
	Rule    bool // how things are always to be done
	Version bool // of what something is built with
}

var (
	health = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)allerg|asthma|diabet|coeliac|celiac|arthriti|epilep|migr(?:ai|ä)n|gluten|lactos|laktos|` +
			`intoleran|zöliak|celíac|\b(?:vegetari(?:an|er)|vegan|vego|insulin|metformin|blood pressure|` +
			`hearing aids?|diagnosed|dyslexi|colou?r.?blind|adhd|autis|thyroid|rsi|copd|pacemaker)`)
	})
	forbidden = sync.OnceValue(func() *regexp.Regexp { // what somebody may not have, rather than a moment's "can't eat it all"
		return regexp.MustCompile(`(?i)\b(?:can(?:['’]?t|not)|may not|must(?:n['’]?t| not)) (?:have|eat|take|drink|tolerate) (?:any )?` +
			`([\p{L}-]+)(?: (?:any ?more|since|because)\b|[.,;"]|$)`)
	})
	version = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(?:postgres(?:ql)?|mysql|django|rails|react|python|go|node|php|kotlin|swift|flutter|rust|` +
			`ruby|java|redis|typescript|next(?:\.?js)?|vue|svelte(?:kit)?|angular|laravel|symfony|spring|docker|kafka|debian|ubuntu|` +
			`zephyr|esp-idf|gcc|dbt|airflow|oracle|c\+\+)[ -]?v?\d`)
	})
)

// SignsOf finds those of a statement.
func SignsOf(text string) Signs {
	text = spoken(text)
	no := forbidden().FindStringSubmatch(text)
	return Signs{
		Health: health().MatchString(text) || no != nil && !lexis.WordOf(strings.ToLower(no[1])).Stop,
		Rule:   rule().MatchString(text), Version: version().MatchString(text),
	}
}

// Terms are the numbers that the table has weights for; the first is always 1.
func (s Sight) Terms() [Terms]float64 {
	is := func(b bool) float64 {
		if b {
			return 1
		}
		return 0
	}
	return [Terms]float64{
		1, s.Words, s.Keep, math.Log1p(max(s.Age, 0)), s.Again, is(s.Yours), is(s.Quoted), is(s.Ahead), is(s.Over), is(s.Identifies),
		is(s.Health), is(s.Rule), is(s.Version),
	}
}

// Terms is how many there are.
const Terms = 13

// Odds are the logarithm of the odds that an assistant wants a statement at every start.
func (s Sight) Odds() (odds float64) {
	for i, x := range s.Terms() {
		odds += table[i] * x
	}
	return odds
}

// Buckets is how many features of words the first model tells apart.
const Buckets = 2 * linear.Buckets

// weights are those of words. `go generate ./dream/start` fits them and the table anew, to the same bytes.
//
//go:generate go run ../../scripts/start -scripts ../../scripts -o .
//go:embed weights.bin
var weights linear.Weights

// Words are the logarithm of the odds that the words of a statement alone give.
func Words(text string) float64 { return Read(weights, Features(text)) }

// Read is what weights say of words with these features.
func Read(w linear.Weights, features []uint32) float64 {
	return w.Scaled(features, Share(len(features)))
}

// Share is what the weights of so many features of a statement are multiplied by.
var Share = linear.Share(64)

// Features are the buckets of a statement: of what it is about, and of how its speaker says it.
func Features(text string) []uint32 {
	f := slices.Clone(sense.Features(text))
	own := slice.Map(worth.Features(spoken(text)), func(x uint32) uint32 { return linear.Buckets + x%linear.Buckets })
	slices.Sort(own)
	return append(f, slices.Compact(own)...)
}

// Keep are the logarithm of the odds that a careful person would keep a statement at all: those of its best sentence.
func Keep(text string) float64 {
	best := 0.0
	for message := range strings.SplitSeq(spoken(text), vault.Next) {
		var m thread.Message
		for _, s := range lexis.Sentences(message) {
			words := message[s.Start:s.End]
			m.Sentences = append(m.Sentences, thread.NewSentence(words, strings.HasSuffix(words, "?")))
		}
		for i := range m.Sentences {
			best = max(best, thread.Place{Message: &m, At: i}.Worth())
		}
	}
	best = min(max(best, 0.01), 0.99)
	return math.Log(best / (1 - best))
}

// spoken are the speaker's own words of a quotation, and those of a clause.
func spoken(text string) string {
	if _, words, ok := vault.CutQuote(text); ok {
		return words
	}
	return text
}
