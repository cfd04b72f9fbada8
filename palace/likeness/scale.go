package likeness

import "strings"

// What likenesses mean.
const (
	Reinforces = 0.70 // something like it is said again
	Conflicts  = 0.75 // of the same matter; from here to Duplicates texts may say different things of it
	Clusters   = 0.85 // nearly the same words
	Duplicates = 0.90 // the same, but for spelling and punctuation
)

// A Scale turns cosines of one embedder into likenesses. The zero Scale leaves them as they are.
type Scale struct {
	points []point
	known  bool
}

type point struct{ cosine, likeness float64 }

// scales are those of embedders that were measured, by the beginning of their fingerprints. docs/settings.md has the table.
var scales = map[string]Scale{
	"builtin/2/": {known: true, points: []point{
		{-1, -1}, {0, 0}, {0.64, Reinforces}, {0.66, Conflicts}, {0.86, Clusters}, {0.93, Duplicates}, {1, 1},
	}},
	"openai/text-embedding-3-small/": {known: true},
}

// Of is the scale of the embedder with that fingerprint.
func Of(fingerprint string) Scale {
	for start, s := range scales {
		if strings.HasPrefix(fingerprint, start) {
			return s
		}
	}
	return Scale{}
}

// Known says whether the embedder was measured. Likenesses of others are their cosines, for which thresholds may be far off.
func (s Scale) Known() bool { return s.known }

// Likeness is what a cosine means.
func (s Scale) Likeness(cosine float64) float64 {
	for i := 1; i < len(s.points); i++ {
		if a, b := s.points[i-1], s.points[i]; cosine <= b.cosine {
			return a.likeness + (max(cosine, a.cosine)-a.cosine)/(b.cosine-a.cosine)*(b.likeness-a.likeness)
		}
	}
	return min(cosine, 1)
}

// Cosine is the least cosine that means a likeness.
func (s Scale) Cosine(like float64) float64 {
	for i := 1; i < len(s.points); i++ {
		if a, b := s.points[i-1], s.points[i]; like <= b.likeness {
			return a.cosine + (max(like, a.likeness)-a.likeness)/(b.likeness-a.likeness)*(b.cosine-a.cosine)
		}
	}
	return like
}

// Cosine is that of two vectors of unit length, or 0 where they have not the same number of values.
func Cosine(a, b []float32) (sum float64) {
	if len(a) != len(b) {
		return 0
	}
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}
