package centroids

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/palace/likeness"
	"github.com/reverie-memory/reverie/palace/tier"
)

// Numbers of what teaches a centroid.
const (
	Least  = 50  // drawers of a type; with fewer it is dormant
	Most   = 500 // the newest count
	Window = 90 * 24 * time.Hour
)

// A Sample is a drawer of which a model said the type.
type Sample struct {
	Drawer string
	Type   tier.Type
	At     time.Time
	Vector []float32
}

// A Centroid is the mean of the vectors of one type.
type Centroid struct {
	Type        tier.Type `json:"type"`
	Samples     int       `json:"sample_count"`
	Source      string    `json:"source_hash"` // of the drawers and their vectors' embedder: the same make the same centroid
	Fingerprint string    `json:"fingerprint"`
	At          time.Time `json:"computed_at"`
	Vector      []float32 `json:"vector"` // of unit length
}

// A Set is the centroids of one embedder, in the order of [tier.Types].
type Set []Centroid

// Train makes centroids of the samples as of now. One of before that rests on the same drawers is taken over as it is.
func Train(samples []Sample, fingerprint string, now time.Time, before Set) Set {
	var set Set
	for _, t := range tier.Types {
		list := chosen(samples, t, now)
		if len(list) < Least {
			continue
		}
		source := sourceOf(list, fingerprint)
		i := slices.IndexFunc(before, func(c Centroid) bool { return c.Type == t && c.Source == source })
		if i >= 0 {
			set = append(set, before[i])
			continue
		}
		set = append(set, Centroid{t, len(list), source, fingerprint, now.UTC().Truncate(time.Second), mean(list)})
	}
	return set
}

// Counts are how many of the samples would teach each type as of now.
func Counts(samples []Sample, now time.Time) map[tier.Type]int {
	counts := map[tier.Type]int{}
	for _, t := range tier.Types {
		counts[t] = len(chosen(samples, t, now))
	}
	return counts
}

// chosen are the samples that teach a type, the newest first.
func chosen(samples []Sample, t tier.Type, now time.Time) []Sample {
	list := slice.Keep(samples, func(s Sample) bool {
		return s.Type == t && now.Sub(s.At) <= Window && len(s.Vector) > 0
	})
	slices.SortFunc(list, func(a, b Sample) int { return cmp.Or(b.At.Compare(a.At), cmp.Compare(a.Drawer, b.Drawer)) })
	return list[:min(len(list), Most)]
}

func sourceOf(list []Sample, fingerprint string) string {
	ids := []string{fingerprint}
	for _, s := range list {
		ids = append(ids, s.Drawer)
	}
	slices.Sort(ids[1:])
	sum := sha256.Sum256([]byte(strings.Join(ids, "\n")))
	return base64.RawURLEncoding.EncodeToString(sum[:12])
}

func mean(list []Sample) []float32 {
	sums := make([]float64, len(list[0].Vector))
	for _, s := range list {
		for i := range min(len(sums), len(s.Vector)) {
			sums[i] += float64(s.Vector[i])
		}
	}
	length := 0.0
	for _, x := range sums {
		length += float64(x * x)
	}
	out := make([]float32, len(sums))
	if length = math.Sqrt(length); length > 0 {
		for i, x := range sums {
			out[i] = float32(x / length)
		}
	}
	return out
}

// Nearest is the type whose centroid is nearest to a vector, and how near that is on the scale of [likeness]; "" where none is.
func (s Set) Nearest(vector []float32) (t tier.Type, near float64) {
	for _, c := range s {
		if n := likeness.Of(c.Fingerprint).Likeness(likeness.Cosine(vector, c.Vector)); n > near {
			t, near = c.Type, n
		}
	}
	return t, near
}
