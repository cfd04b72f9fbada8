package tier

// Off is the gate that nothing passes.
const Off = 999

// near is how near a centroid must be to decide, on the scale of package likeness.
const near = 0.85

// Gates are how sure words must be of a type. From High on they decide alone; from Low on they decide where a centroid is near; what is
// left is for a model. Where Low is High, or High and Low are [Off], there is nothing between.
type Gates struct{ High, Low float64 }

// DefaultGates are as the settings are when nobody changed them.
var DefaultGates = Gates{High: 0.8, Low: 0.5}

// The deciders of a type.
const (
	Heuristic = "heuristic" // its words
	Centroid  = "centroid"  // its nearness to drawers whose type a model told
	Model     = "llm"       // a model, which is still to be asked
)

// Decider says who decides on the type of a text, of which words are so sure and to which the nearest centroid is so near. Without a model
// to ask, that is the words.
func (g Gates) Decider(confidence, nearness float64, model bool) string {
	switch {
	case confidence >= g.High:
		return Heuristic
	case confidence >= g.Low && nearness > near:
		return Centroid
	case !model:
		return Heuristic
	}
	return Model
}
