package main

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const sharedBench = "../../../shared/bench"

// python runs one of the reference scripts, or skips.
func python(t *testing.T, script string, args ...string) []byte {
	t.Helper()
	py, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not here; the reference scripts cannot run")
	}
	path := filepath.Join(sharedBench, script)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("the reference scripts are not here: %v", err)
	}
	cmd := exec.Command(py, append([]string{"-B", path}, args...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", script, err)
	}
	return out
}

// reference is what score.py says of a run, by category.
func reference(t *testing.T, data, run string) map[string]figures {
	var scores map[string]map[string]float64
	if err := json.Unmarshal(python(t, "score.py", "--data", data, "--run", run, "--json"), &scores); err != nil {
		t.Fatal(err)
	}
	out := map[string]figures{}
	for name, s := range scores {
		out[name] = figures{s["t_R@5"], s["t_R@10"], s["t_MRR@10"], s["s_R@5"]}
	}
	return out
}

func sameFigures(t *testing.T, want map[string]figures, got map[string]qualityScore) {
	t.Helper()
	for name, w := range want {
		g := got[name]
		for i, v := range []float64{g.TurnR5, g.TurnR10, g.MRR10, g.SessionR5} {
			if math.Abs(v-w[i]) > 0.1 {
				t.Errorf("%s: %s %.2f, reference %.2f", name, figureNames[i], v, w[i])
			}
		}
	}
	if len(want) != len(got) {
		t.Errorf("%d categories, reference %d", len(got), len(want))
	}
}

func TestBM25AndScoresEqualTheReference(t *testing.T) {
	for _, set := range []string{"locomo", "realtalk"} {
		t.Run(set, func(t *testing.T) {
			data := filepath.Join(sharedBench, set)
			if _, err := os.Stat(data); err != nil {
				t.Skipf("the conversations are not here: %v", err)
			}
			convs, err := loadConversations(data, 0)
			if err != nil {
				t.Fatal(err)
			}
			ours := filepath.Join(t.TempDir(), "ours.jsonl")
			ranked := runBM25(convs)
			if err := writeRun(ours, convs, "ranked", ranked); err != nil {
				t.Fatal(err)
			}
			got := table(scoreRuns(convs, ranked))
			sameFigures(t, reference(t, data, ours), got) // our scores of our run are score.py's of it
			theirs := filepath.Join(t.TempDir(), "theirs.jsonl")
			python(t, "bm25.py", "--data", data, "--run", theirs, "--stem")
			sameFigures(t, reference(t, data, theirs), got) // and our BM25 is bm25.py's
		})
	}
}

func TestScoreCountsWhatIsMissing(t *testing.T) {
	sessions := map[string]int{"a": 1, "b": 1, "c": 2, "d": 3}
	q := &query{Evidence: []string{"a", "d"}}
	cases := map[string]struct {
		ranked []string
		want   figures
	}{
		"nothing found":         {nil, figures{}},
		"all at the top":        {[]string{"a", "d"}, figures{1, 1, 1, 1}},
		"half, second":          {[]string{"c", "a"}, figures{0.5, 0.5, 0.5, 0.5}},
		"a session's other row": {[]string{"b"}, figures{0, 0, 0, 0.5}},
		"beyond ten":            {[]string{"x", "x", "x", "x", "x", "x", "x", "x", "x", "x", "a"}, figures{0, 0, 0, 0.5}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, scoreOne(q, c.ranked, sessions)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Contexts are asked with what the graph knows and without, and hold what the questions are about.
func TestContextsOfASmallConversation(t *testing.T) {
	var printed bytes.Buffer
	r := qualityRun{data: "testdata/quality", embedder: "builtin", k: 5, graph: true, json: true, stdout: &printed}
	if err := r.run(context.Background()); err != nil {
		t.Fatal(err)
	}
	var reps []contextReport
	if err := json.Unmarshal(printed.Bytes(), &reps); err != nil || len(reps) != len(contextBudgets) {
		t.Fatal(err, printed.String())
	}
	rep := reps[0]
	if rep.N != 3 || rep.Without["evidence"] < 99 || rep.Without["thousand characters"] <= 0 || rep.Diff["evidence"].Mean != 0 {
		t.Errorf("%+v", rep)
	}
}

// The whole way: vault, index, questions, scores, files.
func TestQualityOfASmallConversation(t *testing.T) {
	out := t.TempDir()
	var printed bytes.Buffer
	r := qualityRun{
		data: "testdata/quality", out: out, embedder: "builtin", k: 5, json: true, stdout: &printed,
		watched: map[string]*watched{}, moment: new(atomic.Int64),
	}
	if err := r.run(context.Background()); err != nil {
		t.Fatal(err)
	}
	var rep qualityReport
	if err := json.Unmarshal(printed.Bytes(), &rep); err != nil {
		t.Fatal(err)
	}
	all := rep.Scores["all"]
	if all.N != 3 || all.TurnR5 < 99 || all.SessionR5 < 99 {
		t.Errorf("scores %+v", all)
	}
	if len(rep.Degraded) > 0 {
		t.Errorf("degraded: %v", rep.Degraded)
	}
	if len(rep.Watched) < 4 {
		t.Errorf("watched by %d profiles", len(rep.Watched))
	}
	for profile, w := range rep.Watched {
		if w.Questions != 4 || w.Other != 0 {
			t.Errorf("%s: %d of %d answers were others when watched", profile, w.Other, w.Questions)
		}
	}
	ranked := map[string][]string{}
	err := readLines(filepath.Join(out, "run.jsonl"), func(l struct {
		QID    string   `json:"qid"`
		Ranked []string `json:"ranked"`
	},
	) {
		ranked[l.QID] = l.Ranked
	})
	if err != nil {
		t.Fatal(err)
	}
	convs, err := loadConversations("testdata/quality", 0)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(rep.Scores, table(scoreRuns(convs, ranked))); diff != "" {
		t.Errorf("run.jsonl does not give the scores that were printed:\n%s", diff)
	}
}
