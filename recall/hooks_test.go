package recall_test

import (
	"encoding/json"
	"testing"

	"github.com/reverie-memory/reverie/recall"
)

// What hooks are handed reads in a log as it is documented.
func TestHooksInJSON(t *testing.T) {
	for want, handed := range map[string]any{
		`{"match":true,"ingest_model":"a","query_model":"b"}`: recall.ModelGuard{Match: true, IngestModel: "a", QueryModel: "b"},
		`{"candidates_before":["a","b"],"candidates_after":["b"],"wing_saturation_scores":{"work":1}}`: recall.CrossWing{
			CandidatesBefore: []string{"a", "b"}, CandidatesAfter: []string{"b"}, Saturation: map[string]float64{"work": 1},
		},
		`{"phase":"ltp","part":"ltp_boost","delta":0.5,"score":1.5,"reason":"r"}`: recall.ScoreEvent{
			Phase: "ltp", Part: "ltp_boost", Delta: 0.5, Score: 1.5, Reason: "r",
		},
		`{"candidates":["a"],"groups":[["a"]],"would_archive":1,"would_create_summaries":0}`: recall.CompactionPlan{
			Candidates: []string{"a"}, Groups: [][]string{{"a"}}, WouldArchive: 1,
		},
		`{"batch_index":2,"offset":10,"batch_size":5,"ltp_updates":3}`: recall.Batch{Index: 2, Offset: 10, Size: 5, LTPUpdates: 3},
	} {
		if got, err := json.Marshal(handed); err != nil || string(got) != want {
			t.Errorf("%s, want %s: %v", got, want, err)
		}
	}
}
