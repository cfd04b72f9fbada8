package recall

// A tally is a score and the parts that it is the sum of, in the order in which they were booked.
type tally struct {
	score float64
	parts []part
}

type part struct {
	name string
	by   float64
}

// tallies returns n empty tallies with room for the parts that most get.
func tallies(n int) []tally {
	const room = 2
	out, parts := make([]tally, n), make([]part, n*room)
	for i := range out {
		out[i].parts = parts[i*room : i*room : (i+1)*room]
	}
	return out
}

// book adds to the score under the name of a part.
func (t *tally) book(name string, by float64) {
	t.score += by
	t.parts = append(t.parts, part{name, by})
}

// scale multiplies the score so far by 1+by and books the difference.
func (t *tally) scale(name string, by float64) { t.book(name, t.score*by) }

// of is what was booked under a name; ok where anything was, 0 included.
func (t *tally) of(name string) (by float64, ok bool) {
	for _, p := range t.parts {
		if p.name == name {
			by, ok = by+p.by, true
		}
	}
	return by, ok
}

// breakdown is the parts by name, without those that neither add nor take anything.
func (t *tally) breakdown() map[string]float64 { return breakdown(t.parts) }

// breakdown is that of a tally in which lists of parts were booked one after the other.
func breakdown(lists ...[]part) map[string]float64 {
	out := map[string]float64{}
	for _, parts := range lists {
		for _, p := range parts {
			if p.by != 0 {
				out[p.name] += p.by
			}
		}
	}
	return out
}
