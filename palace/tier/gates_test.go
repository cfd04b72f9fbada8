package tier

import "testing"

func TestDecider(t *testing.T) {
	for _, c := range []struct {
		gates            Gates
		confidence, near float64
		model            bool
		want             string
	}{
		{DefaultGates, 0.8, 0, true, Heuristic},
		{DefaultGates, 0.79, 0.86, true, Centroid},
		{DefaultGates, 0.79, 0.85, true, Model},
		{DefaultGates, 0.5, 0.86, false, Centroid},
		{DefaultGates, 0.49, 1, true, Model},
		{DefaultGates, 0.49, 1, false, Heuristic},
		{Gates{Off, 0.5}, 1, 0.86, true, Centroid},
		{Gates{Off, 0.5}, 1, 0, true, Model},
		{Gates{0.8, Off}, 0.79, 1, true, Model},
		{Gates{Off, Off}, 1, 1, true, Model},
		{Gates{0.8, 0.8}, 0.79, 1, true, Model},
		{Gates{0.8, 0.8}, 0.8, 0, true, Heuristic},
	} {
		if got := c.gates.Decider(c.confidence, c.near, c.model); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}
