package probe

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

func TestSign(t *testing.T) {
	for _, c := range []struct {
		wins, losses int
		want         float64
	}{{0, 0, 1}, {5, 5, 1}, {1, 0, 1}, {5, 0, 0.0625}, {0, 6, 0.03125}, {8, 2, 0.109375}} {
		if got := Sign(c.wins, c.losses); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%d wins, %d losses: %v, want %v", c.wins, c.losses, got, c.want)
		}
	}
}

// Values of one session are one witness: the interval of the same values is as wide as their sessions are few.
func TestMeanDrawsWholeGroups(t *testing.T) {
	var values []float64
	var alone, together []string
	for i := range 100 {
		values = append(values, float64(i/50))
		alone, together = append(alone, fmt.Sprint(i)), append(together, fmt.Sprint(i/25))
	}
	one, four := Mean(values, alone), Mean(values, together)
	if one.Mean != 0.5 || four.Mean != 0.5 || one.N != 100 {
		t.Errorf("%+v, %+v", one, four)
	}
	if one.Low < 0.35 || one.High > 0.65 || four.Low > 0.1 || four.High < 0.9 {
		t.Errorf("alone %+v, in four groups %+v", one, four)
	}
	if again := Mean(values, alone); again != one {
		t.Errorf("%+v, then %+v", one, again)
	}
	var uneven []float64
	var of []string
	for i := range 60 {
		uneven, of = append(uneven, float64(i%7)), append(of, fmt.Sprint(i*i%11))
	}
	was := Mean(uneven, of)
	slices.Reverse(uneven)
	slices.Reverse(of)
	if now := Mean(uneven, of); now != was {
		t.Errorf("%+v, the other way about %+v", was, now)
	}
	if none := Mean(nil, nil); none != (Figure{}) {
		t.Errorf("of none: %+v", none)
	}
}

func scored(name string, values ...float64) *Scores {
	s := &Scores{groups: map[string][]string{}, of: map[string][]float64{}}
	for i, v := range values {
		s.add(name, fmt.Sprint(i), v)
	}
	return s
}

func repeat(n int, v ...float64) (out []float64) {
	for range n {
		out = append(out, v...)
	}
	return out
}

func lacking(s *Scores, n int) *Scores {
	s.Asked, s.Lacking = 40, n
	return s
}

func TestVerdicts(t *testing.T) {
	worse := func(s *Scores, name string) *Scores {
		for i := range 40 {
			s.add(name, fmt.Sprint(i), 1)
		}
		return s
	}
	less := func(s *Scores, name string) *Scores {
		for i := range 40 {
			s.add(name, fmt.Sprint(i), 0)
		}
		return s
	}
	for name, c := range map[string]struct {
		tried, set *Scores
		want       string
	}{
		"it wins":            {scored(MRR, repeat(40, 1)...), scored(MRR, repeat(40, 0.5)...), Better},
		"it loses":           {scored(MRR, repeat(40, 0.5)...), scored(MRR, repeat(40, 1)...), Worse},
		"alike":              {scored(MRR, repeat(40, 1)...), scored(MRR, repeat(40, 1)...), NoOther},
		"it ran out of time": {lacking(scored(MRR, repeat(40, 1)...), 21), scored(MRR, repeat(40, 1)...), Untried},
		"a few went without": {lacking(scored(MRR, repeat(40, 1)...), 20), scored(MRR, repeat(40, 1)...), NoOther},
		"both went without": {
			lacking(scored(MRR, repeat(40, 1)...), 40), lacking(scored(MRR, repeat(40, 1)...), 40), NoOther,
		},
		"as often as not":         {scored(MRR, repeat(20, 1, 0)...), scored(MRR, repeat(20, 0, 1)...), NoOther},
		"too few":                 {scored(MRR, 1, 1, 1), scored(MRR, 0, 0, 0), NoOther},
		"nothing was asked":       {scored(Junk, 1), scored(Junk, 1), NoOther},
		"it wins, with more junk": {worse(scored(MRR, repeat(40, 1)...), Junk), less(scored(MRR, repeat(40, 0.5)...), Junk), NoOther},
		"it wins, and tells what is past": {
			worse(scored(MRR, repeat(40, 1)...), StaleLeak), less(scored(MRR, repeat(40, 0.5)...), StaleLeak), NoOther,
		},
	} {
		if got := c.tried.Against(c.set); got.Verdict != c.want {
			t.Errorf("%s: %+v, want %s", name, got, c.want)
		}
	}
}
