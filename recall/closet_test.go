package recall_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/llm"
	"github.com/reverie-memory/reverie/palace/closet"
	"github.com/reverie-memory/reverie/project"
	"github.com/reverie-memory/reverie/recall"
	"github.com/reverie-memory/reverie/vault"
)

// harbour is a conversation of which only one closet knows that its chunk d2.2 is about Igor's yawl.
func harbour() []catalog.Row {
	var rows []catalog.Row
	for i, text := range []string{
		"Good morning, the sea is calm today.", "It is a fine old thing, and she still leaks.",
		"The mast came down in the storm of last week.",
		"We had soup at the quay.", "The gulls took the bread again.",
	} {
		at := noon.AddDate(0, 0, -5+i)
		rows = append(rows, catalog.Row{
			ID: fmt.Sprintf("d%d", i), Source: catalog.DrawerText, File: "memory/drawers/x.md", Text: text, Chat: "c", Wing: "boat",
			Drawer: fmt.Sprintf("d%d", i), Origin: vault.OriginUser, At: at, Session: fmt.Sprint("s", i), Seq: 1,
		})
	}
	second := rows[2]
	second.ID, second.Text = "d2.2", "The oakum is dry and the pitch is cold."
	return append(rows, second)
}

// withClosets is a searcher over rows with the closets of these texts.
func withClosets(t *testing.T, rows []catalog.Row, texts ...string) *recall.Searcher {
	t.Helper()
	s := newSearcher(t, rows)
	var kept []catalog.Row
	for i, text := range texts {
		kept = append(kept, catalog.Row{ID: fmt.Sprint("c", i), Source: catalog.Closet, Text: text, Wing: "boat", Chat: "c"})
	}
	s.Closets = newStoreIndex(t, kept, llm.NewBuiltin())
	return s
}

const yawl = "repaired the yawl|Igor;Ghent|→d2.2"

func ask(t *testing.T, s *recall.Searcher, q recall.Query) recall.Result {
	t.Helper()
	q.Flags = map[string]any{"min_score": 0, "closets": q.Flags["closets"] != false, "max_distance": q.Flags["max_distance"]}
	res, err := s.Search(t.Context(), q)
	must(t, err)
	return res
}

func hitOf(res recall.Result, id string) *recall.Hit {
	if i := slices.IndexFunc(res.Hits, func(h recall.Hit) bool { return h.Row.ID == id }); i >= 0 {
		return &res.Hits[i]
	}
	return nil
}

// TestMatchedVia: what a closet found says so and shows the line; the rest says how else it was found.
func TestMatchedVia(t *testing.T) {
	s := withClosets(t, harbour(), yawl+"\ngulls at the quay|Milla|→d4", "soup|Milla|→d9")
	res := ask(t, s, recall.Query{Text: "Who repaired the yawl with Igor?", Explain: true})
	h := &res.Hits[0]
	if h.Row.ID != "d2.2" || h.Via != recall.ViaCloset || h.Breakdown["closet"] <= 0 {
		t.Fatalf("%+v", h)
	}
	for _, other := range res.Hits[1:] {
		if other.Via == recall.ViaCloset || other.Preview != "" {
			t.Errorf("%+v", other)
		}
	}
	if h := hitOf(ask(t, s, recall.Query{Text: "Who repaired the yawl with Igor?", Flags: map[string]any{"closets": false}}),
		"d2.2"); h != nil &&
		h.Via == recall.ViaCloset {
		t.Errorf("switched off: %+v", h)
	}
}

// TestChunkLevelHits: a pointer names one chunk of a drawer, and that one is the hit.
func TestChunkLevelHits(t *testing.T) {
	res := ask(t, withClosets(t, harbour(), yawl), recall.Query{Text: "Igor yawl"})
	if hitOf(res, "d2.2") == nil || hitOf(res, "d2") != nil {
		t.Errorf("%q", ids(res))
	}
}

// TestNoWholeFileText: neither a closet nor what else its source says is a hit, and a hit's text is that of its chunk.
func TestNoWholeFileText(t *testing.T) {
	rows := harbour()
	res := ask(t, withClosets(t, rows, yawl+"\nsoup at the quay|Igor|→d3"), recall.Query{Text: "Igor yawl soup"})
	for _, h := range res.Hits {
		i := slices.IndexFunc(rows, func(r catalog.Row) bool { return r.ID == h.Row.ID })
		if i < 0 || h.Row.Text != rows[i].Text || h.Row.Source == catalog.Closet {
			t.Errorf("%+v", h.Row)
		}
	}
	if len(res.Hits) < 2 {
		t.Errorf("%q", ids(res))
	}
}

// TestMaxDistance: what is farther from the question gets no vote, whatever the closets say.
func TestMaxDistance(t *testing.T) {
	s := withClosets(t, harbour(), "the sea and the yawl of Igor|Igor|→d0,d2.2")
	q := recall.Query{Text: "How calm is the sea today for the yawl of Igor?", Explain: true}
	via := func(most float64) (out []string) {
		q.Flags = map[string]any{"max_distance": most}
		for _, h := range ask(t, s, q).Hits {
			if h.Via == recall.ViaCloset {
				out = append(out, h.Row.ID)
			}
		}
		slices.Sort(out)
		return out
	}
	for most, want := range map[float64][]string{0: {"d0", "d2.2"}, 2: {"d0", "d2.2"}, 0.8: {"d0"}, 0.01: nil} {
		if got := via(most); !slices.Equal(got, want) {
			t.Errorf("within %v: %q, want %q", most, got, want)
		}
	}
	s.Embed = nil
	q.Flags = map[string]any{"max_distance": 0.5}
	if res := ask(t, s, q); len(res.Warnings) != 1 || !strings.Contains(res.Warnings[0], "max_distance") ||
		res.Hits[0].Via != recall.ViaCloset {
		t.Errorf("without vectors: %+v", res)
	}
}

// TestFallbackWhenEmpty: where no closet is left that points to anything, the answer is the one without closets.
func TestFallbackWhenEmpty(t *testing.T) {
	q := recall.Query{Text: "Who mended the yawl when the sea was calm?", Explain: true}
	want := ask(t, newSearcher(t, harbour()), q)
	for name, texts := range map[string][]string{
		"no closets": nil, "nothing asked for": {"apple trees|Milla|→d2.2"}, "pointers to nothing": {"the yawl at sea|Igor|→d77,d78"},
		"lines that are none": {"the yawl at sea", "yawl||→"},
	} {
		got := ask(t, withClosets(t, harbour(), texts...), q)
		if d := cmp.Diff(want, got, cmpopts.IgnoreFields(recall.Result{}, "Receipt"),
			cmpopts.IgnoreFields(recall.Trace{}, "TimingMS")); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	s := withClosets(t, harbour(), "the yawl at sea|Igor|→d2.2")
	q.Filter = catalog.Filter{Wing: "garden"}
	if got := ask(t, s, q); len(got.Hits) > 0 {
		t.Errorf("of another wing: %q", ids(got))
	}
	q.Filter = catalog.Filter{From: noon.AddDate(0, 0, -5), To: noon.AddDate(0, 0, -4)}
	if got := ask(t, s, q); hitOf(got, "d2.2") != nil {
		t.Errorf("of another time: %q", ids(got))
	}
}

// TestClosetsThatAreSwitchedOffChangeNothing: whatever lines are kept, a question without them has the answer of a vault that has none.
func TestClosetsThatAreSwitchedOffChangeNothing(t *testing.T) {
	without, kept := newSearcher(t, harbour()), withClosets(t, harbour(), yawl+"\ngulls at the quay|Milla|→d4")
	for _, profile := range profileNames {
		if p, err := recall.Profiles.Named(nil, profile); err != nil || !slices.ContainsFunc(p.Phases, func(ph *recall.Phase) bool {
			return ph.Switch == "closets"
		}) {
			continue
		}
		answer := func(s *recall.Searcher, on bool) recall.Result {
			res, err := s.Search(t.Context(), recall.Query{
				Text: "Who repaired the yawl with Igor?", Profile: profile, Explain: true, DryRun: true,
				Flags: map[string]any{"min_score": 0, "closets": on},
			})
			must(t, err)
			return res
		}
		differ := func(a, b recall.Result) string {
			return cmp.Diff(a, b, cmpopts.IgnoreFields(recall.Result{}, "Receipt"), cmpopts.IgnoreFields(recall.Trace{}, "TimingMS"))
		}
		if d := differ(answer(without, false), answer(kept, false)); d != "" {
			t.Errorf("%s: %s", profile, d)
		}
		if differ(answer(kept, false), answer(kept, true)) == "" {
			t.Errorf("%s: these closets change nothing where they are on", profile)
		}
	}
}

// TestLineOfWhatIsHiddenIsNotShown: a line that names what the caller may not see votes for the rest, and its words stay away.
func TestLineOfWhatIsHiddenIsNotShown(t *testing.T) {
	rows := harbour()
	rows[3].Wing = "secret"
	s := withClosets(t, rows, "repaired the yawl|Igor;Ghent|→d2.2,d3")
	view := catalog.View{Wing: "boat", Isolated: project.Isolation{"secret"}}
	s.Index = recall.As(view, s.Index)
	res := ask(t, s, recall.Query{Text: "Who repaired the yawl with Igor?"})
	h := hitOf(res, "d2.2")
	if h == nil || h.Via != recall.ViaCloset || h.Preview != "" || hitOf(res, "d3") != nil {
		t.Errorf("%q: %+v", ids(res), h)
	}
}

// TestPreviewIsWhatItsRowsSay: a line of which a row no longer says all, as something was forgotten or edited, votes, and is not shown.
func TestPreviewIsWhatItsRowsSay(t *testing.T) {
	rows := harbour()
	rows[5].Speaker = "Igor"
	for line, shown := range map[string]bool{
		"oakum is dry|Igor|→d2.2":                true,
		`"The OAKUM  is dry"||→d2.2`:             true,
		"boat//c|Igor|→d2.2":                     true,
		"mast came down in the storm||→d2,d2.2":  true,
		"oakum is dry|Igor;Ghent|→d2.2":          false,
		"bought the oakum from Ophelia||→d2.2":   false,
		"the sea is calm today|Ana|→d0":          false,
		"oakum is dry, mast came down||→d2,d2.2": false,
	} {
		l := closet.Parse(line)[0]
		s := withClosets(t, rows, line)
		res := ask(t, s, recall.Query{Text: "Is the oakum dry? Igor, Ophelia, Ana, boat//c, mast came down, calm sea", K: 50})
		h := hitOf(res, l.IDs[len(l.IDs)-1])
		if h == nil || h.Via != recall.ViaCloset || h.Preview != "" != shown || shown && h.Preview != l.String() {
			t.Errorf("%s: %+v", line, h)
		}
	}
}

type brokenClosets struct{ recall.Index }

func (brokenClosets) LexicalTerms(
	context.Context, []catalog.WeightedTerm, catalog.Ranking, int, func(catalog.Key) bool,
) ([]catalog.Scored, error) {
	return nil, errors.New("the closet is locked")
}

// TestBrokenClosetsLeaveTheAnswer: it is given without their words, and says so.
func TestBrokenClosetsLeaveTheAnswer(t *testing.T) {
	s := withClosets(t, harbour(), yawl)
	s.Closets = brokenClosets{s.Closets}
	res := ask(t, s, recall.Query{Text: "calm sea"})
	if len(res.Hits) == 0 || len(res.Degraded) != 1 || !strings.Contains(res.Degraded[0], "the closet is locked") {
		t.Errorf("%+v", res)
	}
}
