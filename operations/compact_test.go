package operations

import (
	"fmt"
	"testing"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/palace/worker"
)

// A plan of any size is told in an answer of bounded size, which says how much it is in all.
func TestALongPlanIsToldInShort(t *testing.T) {
	var p worker.Plan
	for i := range 10_000 {
		id := fmt.Sprint("d", i)
		p.Candidates = append(p.Candidates, worker.Candidate{Drawer: id})
		p.Groups = append(p.Groups, worker.Group{Drawers: []string{id}, Text: "- it"})
	}
	var out api.Compacted
	planned(&out, &p, worker.DefaultCompaction, false)
	if len(out.Candidates) != mostCandidates || len(out.Groups) != mostGroups || out.WouldArchive != 10_000 ||
		out.WouldCreateSummaries != 10_000 {
		t.Errorf("%d drawers and %d groups of %d and %d", len(out.Candidates), len(out.Groups), out.WouldArchive, out.WouldCreateSummaries)
	}
	if last := out.Candidates[mostCandidates-1]; last.Action != "consolidate" {
		t.Errorf("the last one: %+v", last)
	}
}
