package recall_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	diffs "github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/recall"
	"github.com/reverie-memory/reverie/vault"
)

// A proof is a search in which a phase shows. Of a phase with a proof everything is tested that holds for all phases, see [kinds].
type proof struct {
	memory func(*testing.T) *recall.Searcher // nil: busy
	text   string                            // "": about Nadia
	k      int                               // 0: 7
	flags  map[string]any                    // besides the switch of the phase
	hook   string                            // that the phase alone calls, a field of recall.Hooks; "" for none
	// seen says whether an answer shows that the phase was at work. without is the answer of the same profile that lacks the phase; of a
	// phase that makes what others work on there is none, and without is empty.
	seen func(with, without *recall.Result) bool
}

const (
	bake    = "What does Nadia bake?"
	porto   = "When did the train to Porto leave in June 2026?"
	dentist = "Who is the dentist of Tobias?"
)

// whatever shows what was found, however weak.
var whatever = map[string]any{"min_score": 0}

// proofs has one for each phase of each profile.
var proofs = map[string]proof{
	"model_guard":          {memory: foreign, hook: "PostModelGuard", seen: warned},
	"gather":               {seen: func(with, _ *recall.Result) bool { return with.Trace.In > 0 }},
	"query_expansion":      {seen: details("query_expansion")},
	"fuse":                 {seen: books("lexical", "vector")},
	"similarity":           {seen: books("cosine_similarity")},
	"closets":              {memory: closeted, text: "Who repaired the yawl with Igor?", seen: books("closet")},
	"answers":              {seen: books("answer")},
	"cross_wing_balancing": {seen: details("cross_wing_balancing")},
	"entities":             {seen: books("graph")},
	"context":              {seen: books("neighbours", "session")},
	"guess_date":           {text: "Which train was late on 12 June 2026?", seen: readsOthers},
	"guess_speaker":        {text: dentist, seen: readsOthers},
	"read":                 {seen: func(with, _ *recall.Result) bool { return with.Hits[0].Row.Text != "" }},
	"statement":            {seen: books("length")},
	"speaker":              {text: dentist, seen: books("speaker")},
	"dates":                {text: porto, seen: books("date")},
	"recency":              {seen: books("recency")},
	"summaries":            {memory: compacted, seen: books("summary")},
	"ltp":                  {seen: books("ltp_boost")},
	"association":          {memory: together, seen: books("association_boost")},
	"tagging":              {flags: map[string]any{"tagging_hours": 240}, seen: books("tagging_boost")},
	"age_decay":            {seen: books("age_decay")},
	"pinned":               {seen: books("pinned_boost")},
	"importance":           {seen: books("importance")},
	"accessed":             {seen: books("accessed")},
	"same_agent":           {seen: books("same_agent")},
	"order":                {seen: sorted},
	"occasions":            {memory: wishful, text: "How was the lesson?", k: 50, flags: whatever, seen: books("occasion")},
	"absorb":               {memory: toldTwice, text: "violin lesson of Ines", seen: folds},
	"rerank":               {memory: reordered, text: "violin or bakery of Nadia", seen: books("rerank")},
	"supersede":            {flags: map[string]any{"supersede_action": "filter", "supersede_candidates": 200}, seen: drops("supersede")},
	"consolidation_view":   {memory: summedUp, text: "harvester gearbox", flags: whatever, seen: drops("consolidation_view")},
	"variety":              {k: 50, seen: books("variety")},
	"mmr":                  {hook: "PostCrossWing", seen: books("mmr_penalty")},
	"show":                 {seen: func(with, _ *recall.Result) bool { return len(with.Hits) == 7 }},
	"min_score":            {flags: map[string]any{"min_score": 1000}, seen: leavesOut},
}

// compacted is busy with drawers in which compactions summed others up.
func compacted(t *testing.T) *recall.Searcher {
	rows := chatRows(160)
	for i := range rows {
		rows[i].Past = rows[i].Source == catalog.DrawerText && i%2 == 0
	}
	return newSearcher(t, rows)
}

// kinds are what is tested of each phase.
var kinds = []struct {
	name string
	test func(*testing.T, *subject)
}{
	{"shows", shows},
	{"off is absent", offIsAbsent},
	{"timing", timing},
	{"trace", traced},
	{"dry run", dryRun},
	{"replay", replays},
	{"hook", hooked},
}

// A new phase is tested as all are as soon as it stands in the table of profiles, and needs a proof.
func TestEachPhase(t *testing.T) {
	unused, made := maps.Clone(proofs), memories{}
	for _, name := range profileNames {
		p, err := recall.Profiles.Named(nil, name)
		must(t, err)
		for _, ph := range p.Phases {
			pr, ok := proofs[ph.Name]
			if !ok {
				t.Errorf("%s: nothing proves the phase %s", name, ph.Name)
				continue
			}
			delete(unused, ph.Name)
			s := newSubject(t, made, p, ph, pr)
			for _, kind := range kinds {
				t.Run(name+"/"+ph.Name+"/"+kind.name, func(t *testing.T) { kind.test(t, s) })
			}
		}
	}
	for name := range unused {
		t.Errorf("there is no phase %s to prove", name)
	}
}

// A subject is a phase of a profile with its proof, and the answers with and without it.
type subject struct {
	proof
	profile, lacking *recall.Profile
	phase            *recall.Phase
	s, anew          *recall.Searcher
	with, without    recall.Result // watched as closely as can be
}

// memories are made once for all subjects of a test, and once more to see that they answer alike.
type memories map[string]*recall.Searcher

func (m memories) of(t *testing.T, memory func(*testing.T) *recall.Searcher, time string) *recall.Searcher {
	at := fmt.Sprint(time, reflect.ValueOf(memory).Pointer())
	if m[at] == nil {
		m[at] = memory(t)
	}
	return m[at]
}

func newSubject(t *testing.T, made memories, p *recall.Profile, ph *recall.Phase, pr proof) *subject {
	if pr.memory == nil {
		pr.memory = busy
	}
	if pr.text == "" {
		pr.text = bake
	}
	if pr.k == 0 {
		pr.k = 7
	}
	s := &subject{proof: pr, profile: p, phase: ph, s: made.of(t, pr.memory, "first"), anew: made.of(t, pr.memory, "second")}
	s.with = s.ask(t, s.s, p, true, watching)
	if !ph.Makes {
		s.lacking = p.Lacking(func(other *recall.Phase) bool { return other == ph })
		s.without = s.ask(t, s.s, s.lacking, true, watching)
	}
	return s
}

func plainly(*recall.Query) {}

func watching(q *recall.Query) { q.Explain, q.CandidateTrace, q.DryRun = true, true, true }

// ask asks with the phase's switch on or off.
func (s *subject) ask(t *testing.T, from *recall.Searcher, p *recall.Profile, on bool, how func(*recall.Query)) recall.Result {
	t.Helper()
	q := recall.Query{Text: s.text, K: s.k, Profile: p.Name, Flags: maps.Clone(s.flags), Agent: "ada"}
	if q.Flags == nil {
		q.Flags = map[string]any{}
	}
	if s.phase.Switch != "" {
		q.Flags[s.phase.Switch] = on
	}
	how(&q)
	res, err := p.Search(t.Context(), from, q)
	must(t, err)
	return res
}

// bits are what may not differ between two answers that are the same: hits with ids, order and scores to the last bit.
func bits(t *testing.T, res recall.Result) string {
	t.Helper()
	hits := slices.Clone(res.Hits)
	for i := range hits {
		hits[i].Breakdown, hits[i].Events = nil, nil
	}
	out, err := json.MarshalIndent(struct {
		Hits               []recall.Hit
		Weak               int
		Degraded, Warnings []string
	}{hits, res.Weak, res.Degraded, res.Warnings}, "", " ")
	must(t, err)
	return string(out)
}

func same(t *testing.T, what string, a, b recall.Result) {
	t.Helper()
	if diff := diffs.Diff(bits(t, a), bits(t, b)); diff != "" {
		t.Errorf("%s:\n%s", what, diff)
	}
}

// shows: the phase does what it is there for.
func shows(t *testing.T, s *subject) {
	if !s.seen(&s.with, &s.without) {
		t.Errorf("nothing shows that it ran: hits %v, without it %v; detail %v", ids(s.with), ids(s.without), s.with.Trace.Detail)
	}
}

// offIsAbsent: a switch that is off is as if no phase had it, and nothing else asks for it. Folding alone begins before its phase: where
// candidates are made.
func offIsAbsent(t *testing.T, s *subject) {
	if s.phase.Switch == "" || s.phase.Switch == "fold" {
		return
	}
	absent := s.profile.Lacking(func(ph *recall.Phase) bool { return ph.Switch == s.phase.Switch })
	off, without := s.ask(t, s.s, s.profile, false, watching), s.ask(t, s.s, absent, true, watching)
	same(t, "switched off (-), and not there (+)", off, without)
	if diff := diffs.Diff(off.Trace.Candidates, without.Trace.Candidates); diff != "" {
		t.Errorf("candidates where it is switched off (-), and not there (+):\n%s", diff)
	}
	if diff := diffs.Diff(off.Trace.Phases, without.Trace.Phases); diff != "" {
		t.Errorf("stages where it is switched off (-), and not there (+):\n%s", diff)
	}
}

// timing: its stage is timed where it ran, and where it did not it is told to be left out.
func timing(t *testing.T, s *subject) {
	stage := s.phase.Counted()
	if ms, ok := s.with.Trace.TimingMS[stage]; !ok || ms < 0 || !slices.Contains(s.with.Trace.Phases, stage) {
		t.Errorf("stage %s: timings %v, phases %v", stage, s.with.Trace.TimingMS, s.with.Trace.Phases)
	}
	if s.with.Trace.TimingMS["total"] < s.with.Trace.TimingMS[stage] || slices.Contains(s.with.Trace.Skipped, s.phase.Name) {
		t.Errorf("timings %v, skipped %v", s.with.Trace.TimingMS, s.with.Trace.Skipped)
	}
	if s.phase.Switch == "" {
		return
	}
	off := s.ask(t, s.s, s.profile, false, plainly)
	shared := slices.ContainsFunc(s.profile.Phases, func(ph *recall.Phase) bool {
		return ph.Counted() == stage && !slices.Contains(off.Trace.Skipped, ph.Name)
	})
	if _, timed := off.Trace.TimingMS[stage]; timed != shared || !slices.Contains(off.Trace.Skipped, s.phase.Name) {
		t.Errorf("switched off: timings %v, skipped %v", off.Trace.TimingMS, off.Trace.Skipped)
	}
}

// traced: looking on changes nothing, tells of each candidate where it went, and adds up.
func traced(t *testing.T, s *subject) {
	plain := s.ask(t, s.s, s.profile, true, plainly)
	same(t, "plain (-), and watched (+)", plain, s.with)
	if len(plain.Trace.Candidates) > 0 || slices.ContainsFunc(plain.Hits, func(h recall.Hit) bool { return h.Breakdown != nil }) {
		t.Error("a plain answer explains itself")
	}
	tr, hits := &s.with.Trace, map[string]bool{}
	for _, h := range s.with.Hits {
		hits[h.Row.ID] = true
		if sum := addUp(h.Breakdown); math.Abs(sum-h.Score) > 1e-9 {
			t.Errorf("%s: parts add up to %v, score is %v", h.Row.ID, sum, h.Score)
		}
	}
	if tr.In != len(tr.Candidates) || tr.Out != len(s.with.Hits) {
		t.Errorf("%d of %d candidates, %d of %d hits", tr.In, len(tr.Candidates), tr.Out, len(s.with.Hits))
	}
	for _, c := range tr.Candidates {
		if hits[c.ID] != (c.Dropped == "") || math.Abs(addUp(c.Breakdown)-c.Score) > 1e-9 {
			t.Fatalf("candidate %+v; among the hits: %v", c, hits[c.ID])
		}
	}
}

// dryRun: it leaves nothing behind, where a search leaves one record.
func dryRun(t *testing.T, s *subject) {
	var left sink
	from := *s.s
	from.Sink = &left
	dry := s.ask(t, &from, s.profile, true, func(q *recall.Query) { q.DryRun = true })
	if len(left) > 0 {
		t.Errorf("left %+v", left)
	}
	wet := s.ask(t, &from, s.profile, true, plainly)
	same(t, "dry (-), and not (+)", dry, wet)
	if len(left) != 1 || left[0].Receipt != wet.Receipt || !slices.Equal(left[0].Rows, ids(wet)) {
		t.Errorf("left %+v", left)
	}
}

// replays: the same question with its flags, as a packet keeps them, asked of the same memory that was made anew, gives the same answer and
// the same parts of each score.
func replays(t *testing.T, s *subject) {
	res := s.ask(t, s.anew, s.profile, true, func(q *recall.Query) {
		watching(q)
		kept, err := json.Marshal(q.Flags)
		must(t, err)
		q.Flags = nil
		must(t, json.Unmarshal(kept, &q.Flags))
	})
	same(t, "then (-), and now (+)", s.with, res)
	for i := range min(len(res.Hits), len(s.with.Hits)) {
		if diff := diffs.Diff(s.with.Hits[i].Events, res.Hits[i].Events); diff != "" {
			t.Errorf("events of %s then (-), and now (+):\n%s", res.Hits[i].Row.ID, diff)
		}
	}
}

// hooked: hooks see each event that an answer tells, with the phase that made it, and may spoil what they are handed.
func hooked(t *testing.T, s *subject) {
	var seen []recall.ScoreEvent
	called := map[string]int{}
	from := *s.s
	from.Hooks = recall.Hooks{
		PostModelGuard: func(recall.ModelGuard) { called["PostModelGuard"]++ },
		PostCrossWing: func(c recall.CrossWing) {
			called["PostCrossWing"]++
			clear(c.Saturation)
			clear(c.CandidatesBefore)
			clear(c.CandidatesAfter)
		},
		PostScoreEvent: func(e recall.ScoreEvent) { seen = append(seen, e) },
	}
	res := s.ask(t, &from, s.profile, true, watching)
	same(t, "without hooks (-), and with (+)", s.with, res)
	var told []recall.ScoreEvent
	for _, h := range s.with.Hits {
		told = append(told, h.Events...)
	}
	if res.Weak == 0 {
		if diff := diffs.Diff(told, seen); diff != "" {
			t.Errorf("events that are told (-), and seen (+):\n%s", diff)
		}
	}
	for _, e := range seen {
		if slices.Contains(s.phase.Parts, e.Part) && e.Phase != s.phase.Name {
			t.Errorf("%+v is of %s", e, s.phase.Name)
		}
	}
	if s.hook == "" {
		return
	}
	if called[s.hook] != 1 {
		t.Errorf("%s was called %d times", s.hook, called[s.hook])
	}
	if clear(called); s.lacking != nil {
		if s.ask(t, &from, s.lacking, true, watching); called[s.hook] != 0 {
			t.Errorf("%s was called without the phase", s.hook)
		}
	}
}

// Every phase off is the profile without all those that can be off; every phase on, looked at or not, gives the same to the last bit.
func TestAllPhasesOffAndOn(t *testing.T) {
	s := busy(t)
	for _, name := range profileNames {
		p, err := recall.Profiles.Named(nil, name)
		must(t, err)
		bare := p.Lacking(func(ph *recall.Phase) bool { return ph.Switch != "" && ph.Switch != "fold" })
		off := map[string]any{}
		for _, ph := range p.Phases {
			if ph.Switch != "" && ph.Switch != "fold" {
				off[ph.Switch] = false
			}
		}
		for _, text := range questions {
			q := recall.Query{Text: text, K: 7, Profile: name, Flags: off}
			a, err := p.Search(t.Context(), s, q)
			must(t, err)
			q.Flags = nil
			b, err := bare.Search(t.Context(), s, q)
			must(t, err)
			same(t, fmt.Sprintf("%s, %q: all off (-), and bare (+)", name, text), a, b)
			for _, flags := range []map[string]any{nil, off, allOn(t, name)} {
				sameWatched(t, s, s, recall.Query{Text: text, K: 7, Profile: name, Flags: flags})
			}
		}
	}
}

// What may be seen of a phase.

// parts are those that an answer tells of any hit or candidate.
func parts(res *recall.Result) map[string]bool {
	out := map[string]bool{}
	for _, h := range res.Hits {
		for part := range h.Breakdown {
			out[part] = true
		}
	}
	for _, c := range res.Trace.Candidates {
		for part := range c.Breakdown {
			out[part] = true
		}
	}
	return out
}

func books(names ...string) func(with, without *recall.Result) bool {
	return func(with, without *recall.Result) bool {
		has, had := parts(with), parts(without)
		return !slices.ContainsFunc(names, func(part string) bool { return !has[part] || had[part] })
	}
}

func drops(at string) func(with, without *recall.Result) bool {
	dropped := func(res *recall.Result) bool {
		return slices.ContainsFunc(res.Trace.Candidates, func(c recall.Candidate) bool {
			return c.Drop.At == at && c.Dropped == c.Drop.Reason
		})
	}
	return func(with, without *recall.Result) bool { return dropped(with) && !dropped(without) }
}

func details(phase string) func(with, without *recall.Result) bool {
	return func(with, without *recall.Result) bool {
		return with.Trace.Detail[phase] != nil && without.Trace.Detail[phase] == nil
	}
}

func warned(with, without *recall.Result) bool {
	detail, ok := with.Trace.Detail["model_guard"].(map[string]any)
	return ok && detail["action"] == "warn" && with.Trace.ModelGuard == "MISMATCH" && without.Trace.ModelGuard == "" &&
		len(with.Warnings) == 1 && strings.Contains(with.Warnings[0], "results may be unreliable") && len(without.Warnings) == 0
}

// readsOthers: the texts of other candidates are read.
func readsOthers(with, without *recall.Result) bool {
	below := func(res *recall.Result) (ids []string) {
		for _, c := range res.Trace.Candidates {
			if c.Dropped == "below the first cut" {
				ids = append(ids, c.ID)
			}
		}
		return slices.Sorted(slices.Values(ids))
	}
	return !slices.Equal(below(with), below(without))
}

func sorted(with, _ *recall.Result) bool {
	return slices.IsSortedFunc(with.Hits, func(a, b recall.Hit) int { return cmp.Compare(b.Score, a.Score) })
}

func leavesOut(with, without *recall.Result) bool { return with.Weak > without.Weak }

func folds(with, without *recall.Result) bool {
	also := func(res *recall.Result) (n int) {
		for _, h := range res.Hits {
			n += len(h.Also)
		}
		return n
	}
	return also(with) > also(without)
}

// Memories in which phases show.

// foreign has an index of another embedder.
func foreign(t *testing.T) *recall.Searcher {
	s := busy(t)
	s.Index.(*storeIndex).print = "another/model"
	return s
}

func closeted(t *testing.T) *recall.Searcher { return withClosets(t, harbour(), yawl) }

// together has rows that were all read with the first.
func together(t *testing.T) *recall.Searcher {
	s, reads := busy(t), uses{}
	for _, row := range chatRows(160) {
		reads[row.ID] = recall.Use{With: map[string]float64{"d032": 3}}
	}
	s.Reads = reads
	return s
}

// wishful has a wish for what is asked about a lesson.
func wishful(t *testing.T) *recall.Searcher {
	return newSearcher(t, append(chatRows(48), catalog.Row{
		ID: "wish", Source: catalog.DrawerText, File: "memory/drawers/x.md", Text: "Always give the price when I ask about a lesson.",
		Context: "Mira", Speaker: "Mira", Chat: "w", Drawer: "wish", Origin: vault.OriginUser, At: noon.AddDate(0, 0, -90),
		Refs: []string{"rwish"}, Session: "w", Seq: 1,
	}))
}

// toldTwice has a fact that rests on two messages.
func toldTwice(t *testing.T) *recall.Searcher {
	return newSearcher(t, append(chatRows(24), catalog.Row{
		ID: "both", Source: catalog.ArchiveLog, File: "memory/archive/x.md", Text: "Ines: the violin lesson went well and the teacher smiled",
		Speaker: "Ines", Chat: "c", Origin: vault.OriginUser, At: noon.AddDate(0, 0, -2), Refs: []string{"rd000", "rd012"}, Category: "fact",
	}))
}

// summedUp has a statement that rests on two facts.
func summedUp(t *testing.T) *recall.Searcher {
	row := func(id, text string, cites ...string) catalog.Row {
		return catalog.Row{ID: id, Source: catalog.Notebook, File: "2_Wiki/x.md", Text: text, At: noon, Cites: cites}
	}
	return newSearcher(t, []catalog.Row{
		row("a", "The harvester broke its gearbox in June"), row("b", "The gearbox of the harvester was mended in July"),
		row("sum", "The harvester lost its gearbox for a month", "a", "b"), row("d", "Margarethe sings on Sundays"),
	})
}

// reordered has a reranker.
func reordered(t *testing.T) *recall.Searcher {
	s := newSearcher(t, chatRows(60))
	s.Rerank = &fond{word: "walnuts"}
	return s
}

// Summaries stand in the place of what they sum up, unless a flag says otherwise.
func TestConsolidationView(t *testing.T) {
	s := summedUp(t)
	for _, c := range []struct {
		summaries, sources bool
		want               []string
	}{
		{true, false, []string{"sum"}}, {true, true, []string{"a", "b", "sum"}}, {false, true, []string{"a", "b"}}, {false, false, nil},
	} {
		res, err := s.Search(t.Context(), recall.Query{Text: "harvester gearbox", K: 3, Profile: "synapse", Flags: map[string]any{
			"consolidation_view": true, "include_consolidated_summaries": c.summaries, "include_consolidated_sources": c.sources,
			"min_score": 0, "fold": false,
		}})
		must(t, err)
		got := slices.DeleteFunc(slices.Sorted(slices.Values(ids(res))), func(id string) bool { return id == "d" })
		if !slices.Equal(got, c.want) {
			t.Errorf("summaries %v, sources %v: %v, want %v", c.summaries, c.sources, got, c.want)
		}
	}
}
