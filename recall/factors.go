package recall

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/reverie-memory/reverie/indexer/catalog"
)

// The phases of this file multiply the score of a row by what its past says. All but the last are off in the default profile. n is how
// often the row was read lately, see [Use]; co-reads are those together with the best rows of this answer.
//
//	ltp         1 + 0.3·ln(1+n), 1 to 2
//	association 1 + c·ln(1 + co-reads), 1 to its max
//	tagging     from its max down to 1, in a straight line over its hours
//	age_decay   halves with each half-life
//	accessed    1/(1 + days since it was read/30); 0.5 where it never was
//	importance  0 to 5
var (
	ltp = factor("ltp", "ltp_boost", "what was read often lately counts up to twice", func(r *search, row *scoredRow) float64 {
		return ltpBoost(r.use(&row.row).Lately)
	})

	tagging = factor("tagging", "tagging_boost", "what is new counts more", func(r *search, row *scoredRow) float64 {
		window := r.flags.number("tagging_hours")
		age := r.now.Sub(row.row.FiledAt()).Hours()
		if row.row.FiledAt().IsZero() || age < 0 || age >= window {
			return 1
		}
		return 1 + (r.flags.number("tagging_max")-1)*(1-age/window)
	},
		Flag{Name: "tagging_hours", Default: 24.0, Min: 1, Max: 24 * 365, Doc: "how long something is new"},
		Flag{Name: "tagging_max", Default: 1.5, Min: 1, Max: 10, Doc: "how much it counts at first"},
	)

	ageDecay = factor("age_decay", "age_decay", "what is old counts less", func(r *search, row *scoredRow) float64 {
		if row.row.At.IsZero() {
			return 1
		}
		return math.Exp2(-max(0, r.now.Sub(row.row.At).Hours()) / 24 / r.flags.number("age_half_life_days"))
	}, Flag{Name: "age_half_life_days", Default: 90.0, Min: 1, Max: 36500, Doc: "the age at which it counts half"})

	accessed = factor("accessed", "accessed", "what was read recently counts more", func(r *search, row *scoredRow) float64 {
		last := r.use(&row.row).Last
		if last.IsZero() {
			return 0.5
		}
		return 1 / (1 + max(0, r.now.Sub(last).Hours())/24/30)
	})

	importance = factor("importance", "importance", "what matters more counts more, as the palace weighs it",
		func(r *search, row *scoredRow) float64 {
			if r.s.Importance == nil {
				return defaultImportance
			}
			read := time.Time{}
			if r.s.Reads != nil {
				read = r.s.Reads.Use(r.now, row.row.ID).Last
			}
			return r.s.Importance(&row.row, r.now, read)
		})

	association = &Phase{
		Name: "association", Step: Scoring, Switch: "association", Parts: []string{"association_boost"},
		Flags: []Flag{
			{Name: "association", Default: false, Doc: "what was read together with the best rows of the answer counts more"},
			{Name: "association_weight", Default: 0.15, Max: 10, Doc: "c above"},
			{Name: "association_max", Default: 1.5, Min: 1, Max: 10, Doc: "the most that it counts"},
		},
		Run: associate,
	}

	sameAgent = &Phase{
		Name: "same_agent", Step: Scoring, Switch: "same_agent", Parts: []string{"same_agent"},
		Flags: []Flag{{Name: "same_agent", Default: false, Doc: "0.1 is added for the words of the agent that asks"}},
		Run: eachRow(func(r *search, row *scoredRow) {
			if r.q.Agent != "" && row.row.Agent == r.q.Agent {
				row.book("same_agent", 0.1)
			}
		}),
	}
)

// defaultImportance is that of what nobody weighed.
const defaultImportance = 3.0

// factor makes a phase that multiplies scores, with a switch of its own name.
func factor(name, part, doc string, by func(r *search, row *scoredRow) float64, flags ...Flag) *Phase {
	return &Phase{
		Name: name, Step: Scoring, Switch: name, Parts: []string{part},
		Flags: append([]Flag{{Name: name, Default: false, Doc: doc}}, flags...),
		Run:   eachRow(func(r *search, row *scoredRow) { row.scale(part, by(r, row)-1) }),
	}
}

// Use is how rows were read. Lately is a count that fades: a read counts 1 at once and 1/e after 30 days, so that n reads a day for long
// come to 30·n, which is what a window of 30 days would count.
type Use struct {
	Lately float64
	Last   time.Time          // zero for never
	With   map[string]float64 // reads together with other rows, by their ids, that fade as well; it must not be changed
}

// LatelyDays is the time in which a read fades to 1/e.
const LatelyDays = 30

// use is that of a row and of the facts that it rests on.
func (r *search) use(row *catalog.Row) Use { return r.s.use(row, r.now) }

func (s *Searcher) use(row *catalog.Row, now time.Time) Use {
	if s.Reads == nil {
		return Use{}
	}
	return s.Reads.Use(now, append([]string{row.ID}, row.Cites...)...)
}

func ltpBoost(n float64) float64 { return min(2, 1+0.3*math.Log1p(n)) }

// LTPScore is what the boost comes to between 0, for what was not read lately, and 1.
func LTPScore(n float64) float64 { return ltpBoost(n) - 1 }

// seeds are how many of the best rows lend their associations.
const seeds = 5

func associate(_ context.Context, r *search) error {
	best := make([]*scoredRow, len(r.rows))
	for i := range r.rows {
		best[i] = &r.rows[i]
	}
	slices.SortFunc(best, compareRows)
	with := map[string]float64{}
	for _, row := range best[:min(seeds, len(best))] {
		for id, n := range r.use(&row.row).With {
			with[id] += n
		}
	}
	c, most := r.flags.number("association_weight"), r.flags.number("association_max")
	for i := range r.rows {
		row := &r.rows[i]
		row.scale("association_boost", min(most, 1+c*math.Log1p(with[row.row.ID]))-1)
	}
	return nil
}

// pinned lifts the few rows that are read all the time. The pin score is the boost of ltp times 1 + 0.2 for each wing that the row and what
// is read with it hang in.
var pinned = &Phase{
	Name: "pinned", Step: Scoring, Switch: "pinned", Parts: []string{"pinned_boost"},
	Flags: []Flag{
		{Name: "pinned", Default: false, Doc: "the few rows that are read all the time count more"},
		{Name: "pinned_ltp", Default: 1.5, Min: 1, Max: 2, Doc: "the boost of ltp from which a row is one of them"},
		{Name: "pinned_items", Default: 5.0, Max: 100, Doc: "how many they are at most"},
		{Name: "pinned_tokens", Default: 2000.0, Max: 100_000, Doc: "how long they are together at most, four characters a token"},
		{Name: "include_tagged", Default: true, Doc: "what is at most 48 hours old may be one of them as well"},
		{Name: "pinned_weight", Default: 0.05, Max: 10, Doc: "the share of its score that a pin score of 1 adds"},
	},
	Run: func(ctx context.Context, r *search) error {
		pins, err := r.pins(ctx)
		if err != nil {
			return fmt.Errorf("wings of pinned rows: %w", err)
		}
		items, room := int(r.flags.number("pinned_items")), r.flags.number("pinned_tokens")
		for _, p := range pins {
			tokens := float64(len(p.row.row.Text)) / 4
			if items == 0 || tokens > room {
				continue
			}
			items, room = items-1, room-tokens
			p.row.scale("pinned_boost", r.flags.number("pinned_weight")*p.score)
		}
		return nil
	},
}

type pin struct {
	row   *scoredRow
	score float64
}

// pins are the rows that may be pinned, those with the highest score first.
func (r *search) pins(ctx context.Context) (pins []pin, _ error) {
	for i := range r.rows {
		row := &r.rows[i]
		p, ok, err := r.s.pin(ctx, &row.row, r.now, r.flags.number("pinned_ltp"), r.flags.on("include_tagged"))
		if err != nil {
			return nil, err
		}
		if ok {
			pins = append(pins, pin{row, p.Score})
		}
	}
	slices.SortFunc(pins, func(a, b pin) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.row.row.ID, b.row.row.ID))
	})
	return pins, nil
}

// wings counts those of a row and of the rows that are read with it.
func (s *Searcher) wings(ctx context.Context, row *catalog.Row, use Use) (int, error) {
	seen := map[string]bool{row.Wing: true}
	keys, err := s.Index.KeysByID(ctx, slices.Collect(maps.Keys(use.With)))
	if err != nil {
		return 0, err
	}
	rows, err := s.Index.Rows(ctx, keys)
	for i := range rows {
		seen[rows[i].Wing] = true
	}
	delete(seen, "")
	return len(seen), err
}
