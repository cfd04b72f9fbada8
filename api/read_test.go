package api

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestScoreBreakdown: who asks to have a score explained gets its parts, also where there are none; who does not ask gets no field.
func TestScoreBreakdown(t *testing.T) {
	for _, v := range []any{Hit{ScoreBreakdown: map[string]float64{}}, Candidate{ScoreBreakdown: map[string]float64{}}} {
		if data, err := json.Marshal(v); err != nil || !strings.Contains(string(data), `"score_breakdown":{}`) {
			t.Errorf("%s, %v", data, err)
		}
	}
	for _, v := range []any{Hit{}, Candidate{}} {
		if data, err := json.Marshal(v); err != nil || strings.Contains(string(data), "score_breakdown") {
			t.Errorf("%s, %v", data, err)
		}
	}
}
