package centroids

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/palace/tier"
)

var now = time.Date(2026, 6, 9, 3, 0, 0, 0, time.UTC)

// list makes samples of a type around one direction, the first the oldest.
func list(t tier.Type, n, axis int, oldest time.Duration) []Sample {
	var out []Sample
	for i := range n {
		v := []float32{0, 0, 0, 0}
		v[axis], v[3] = 0.96, 0.28
		if i%2 == 1 {
			v[3] = -0.28
		}
		out = append(out, Sample{fmt.Sprintf("%s%d", t, i), t, now.Add(-oldest + time.Duration(i)*time.Second), v})
	}
	return out
}

func TestTrain(t *testing.T) {
	samples := append(list(tier.Task, 50, 0, time.Hour), list(tier.Problem, 49, 1, time.Hour)...)
	samples = append(samples, list(tier.Decision, 600, 2, time.Hour)...)
	samples = append(samples, list(tier.Emotional, 60, 1, Window+time.Hour)...)
	set := Train(samples, "other/1", now, nil)
	if len(set) != 2 || set[0].Type != tier.Decision || set[0].Samples != Most || set[1].Type != tier.Task || set[1].Samples != 50 {
		t.Fatalf("%+v", set)
	}
	want := map[tier.Type]int{"decision": 500, "preference": 0, "milestone": 0, "problem": 49, "emotional": 0, "task": 50, "fact": 0}
	if d := cmp.Diff(want, Counts(samples, now)); d != "" {
		t.Error(d)
	}
	if got := Dormant(want); got != "centroids: dormant below 50 drawers of a type that a model told: preference 0, milestone 0, problem "+
		"49, emotional 0, fact 0" {
		t.Error(got)
	}
	if got, near := set.Nearest([]float32{1, 0, 0, 0}); got != tier.Task || near < 0.999 {
		t.Errorf("%s %v", got, near)
	}
	if got, near := set.Nearest([]float32{0, -1, 0, 0}); got != "" || near != 0 {
		t.Errorf("what is far from all: %s %v", got, near)
	}
	if got, _ := Set(nil).Nearest([]float32{1, 0, 0, 0}); got != "" {
		t.Error(got)
	}
}

func TestTheSameDrawersMakeTheSameCentroid(t *testing.T) {
	samples := list(tier.Task, 50, 0, time.Hour)
	set := Train(samples, "other/1", now, nil)
	later := now.Add(24 * time.Hour)
	samples[3], samples[7] = samples[7], samples[3]
	if d := cmp.Diff(set, Train(samples, "other/1", later, set)); d != "" {
		t.Error(d)
	}
	more := append(samples, Sample{"new", tier.Task, now, []float32{1, 0, 0, 0}})
	if got := Train(more, "other/1", later, set); got[0].Samples != 51 || !got[0].At.Equal(later) {
		t.Errorf("%+v", got)
	}
	if got := Train(samples, "other/2", later, set); got[0].Source == set[0].Source {
		t.Error("another embedder has the same centroids")
	}
	if got := Train(samples, "other/1", now.Add(Window), set); len(got) != 0 {
		t.Errorf("of drawers that are too old: %+v", got)
	}
}
