package workspace_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/config"
	"github.com/reverie-memory/reverie/operations"
	"github.com/reverie-memory/reverie/palace/drawers"
	"github.com/reverie-memory/reverie/vault"
)

// moment is a time as a request names it.
func moment(t *testing.T, at time.Time) *api.Moment {
	t.Helper()
	var m api.Moment
	if err := m.UnmarshalText([]byte(at.Format(time.RFC3339Nano))); err != nil {
		t.Fatal(err)
	}
	return &m
}

// then is what a search finds as the memory stood at a time.
func then(t *testing.T, w operations.Memory, q string, at time.Time, by string) []api.Hit {
	t.Helper()
	r, err := w.Search(t.Context(), api.Search{Query: q, AsOf: moment(t, at), AsOfBy: by, Flags: map[string]any{"min_score": 0}})
	if err != nil {
		t.Fatal(err)
	}
	return r.Hits
}

// livedTwice has two facts that a person wrote into logs, of which the second ended the first, each dreamt of before the next. Times
// lie between the two dreams and after both.
func livedTwice(t *testing.T) (w operations.Memory, between, after time.Time) {
	t.Helper()
	w = open(t, nil)
	write := func(day vault.Day, text string) {
		t.Helper()
		put(t, w, string(vault.LogPath(day)), "# Daily Log - "+string(day)+"\n\n- [personal] "+text+"\n")
		if _, err := w.Index.Sync(t.Context()); err != nil {
			t.Fatal(err)
		}
		if r := dreamNow(t, w); r.Facts != 1 {
			t.Fatalf("%+v", r)
		}
	}
	write("2026-06-01", "Alice lives in Hamburg.")
	between = time.Now()
	write("2026-06-08", "Alice moved to Lisbon.")
	return w, between, time.Now()
}

func TestThePastHasWhatDreamsTookToPages(t *testing.T) {
	w, between, after := livedTwice(t)
	early := time.Date(2026, 6, 3, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name           string
		at             time.Time
		hamburg, moved bool
		source         string // of a hit
	}{
		{"before the first dream", early, true, false, "archive_log"},
		{"between the dreams", between, true, true, "notebook"},
		{"after both", after, true, true, "notebook"},
		{"before all", early.AddDate(0, 0, -5), false, false, ""},
	} {
		hits := then(t, w, "Alice lives Hamburg moved Lisbon", c.at, "")
		if tells(hits, "lives in Hamburg") != c.hamburg || tells(hits, "Lisbon") != c.moved && c.name != "between the dreams" {
			t.Errorf("%s: %+v", c.name, hits)
		}
		if c.source != "" && !slices.ContainsFunc(hits, func(h api.Hit) bool { return h.SourceType == c.source }) {
			t.Errorf("%s: nothing of %s in %+v", c.name, c.source, hits)
		}
		if c.name == "between the dreams" && slices.ContainsFunc(hits, func(h api.Hit) bool {
			return h.SourceType == "notebook" && strings.Contains(h.Text, "Lisbon")
		}) {
			t.Errorf("%s: a page of later: %+v", c.name, hits)
		}
	}
	const teller, page = "3_Personal/The user.md", "3_Personal/Alice.md" // which the second dream makes, and where the first line went then
	for _, c := range []struct {
		page string
		at   time.Time
		want string // "" for no page
		not  string
	}{
		{teller, early, "", ""},
		{teller, between, "Hamburg", "Lisbon"},
		{teller, after, "#", "Hamburg"},
		{page, early, "", ""},
		{page, between, "", ""},
		{page, after, "Lisbon", "no such text"},
	} {
		p, err := w.Page(t.Context(), api.PageQuery{Path: c.page, AsOf: c.at.Format(time.RFC3339Nano)})
		if c.want == "" && err == nil || c.want != "" && (err != nil || !strings.Contains(p.Text, c.want) || strings.Contains(p.Text, c.not)) {
			t.Errorf("%s at %v: %q, %v", c.page, c.at, p.Text, err)
		}
	}
	block, err := w.Context(t.Context(), api.Context{AsOf: moment(t, between)})
	if err != nil || !strings.Contains(block.Text, "Hamburg") || strings.Contains(block.Layers["L0"], "Lisbon") {
		t.Errorf("%v: %s", err, block.Text)
	}
	if now, err := w.Context(t.Context(), api.Context{}); err != nil || !strings.Contains(now.Text, "Lisbon") {
		t.Errorf("%v: %s", err, now.Text)
	}
}

// Forgetting wins: the past tells nothing of what was forgotten since.
func TestThePastHasNothingForgotten(t *testing.T) {
	w, between, _ := livedTwice(t)
	page := pagesWith(t, w, "Hamburg")[0]
	if _, err := w.Forget(t.Context(), api.Forget{Query: "Alice lives in Hamburg"}); err != nil {
		t.Fatal(err)
	}
	for _, at := range []time.Time{between, time.Date(2026, 6, 3, 0, 0, 0, 0, time.UTC)} {
		if hits := then(t, w, "Alice lives Hamburg", at, ""); tells(hits, "Hamburg") {
			t.Errorf("%v: %+v", at, hits)
		}
		block, err := w.Context(t.Context(), api.Context{AsOf: moment(t, at), Query: "Hamburg"})
		if err != nil || strings.Contains(block.Text, "Hamburg") {
			t.Errorf("%v: %v: %s", at, err, block.Text)
		}
	}
	if p, err := w.Page(t.Context(), api.PageQuery{Path: page, AsOf: between.Format(time.RFC3339Nano)}); err == nil &&
		strings.Contains(p.Text, "Hamburg") {
		t.Errorf("%q", p.Text)
	}
}

// What was said long ago and filed today was not known yesterday, neither the turn nor the facts of it.
func TestThePastByWhenThingsWereFiled(t *testing.T) {
	w := open(t, nil)
	say(t, w, "c1", "I work as a nurse at the Elbe clinic.")
	yesterday := time.Now().AddDate(0, 0, -1)
	if hits := then(t, w, "nurse clinic", yesterday, "said"); len(hits) == 0 || !tells(hits, "nurse") {
		t.Errorf("by what was said: %+v", hits)
	}
	if hits := then(t, w, "nurse clinic", yesterday, "filed"); tells(hits, "nurse") {
		t.Errorf("by what was filed: %+v", hits)
	}
	if hits := then(t, w, "nurse clinic", time.Now().Add(time.Second), "filed"); !tells(hits, "nurse") {
		t.Errorf("by what is filed now: %+v", hits)
	}
}

// A line that a person writes on a page is not told of the time before.
func TestThePastOfAPageByHand(t *testing.T) {
	w := open(t, nil)
	old := time.Now().AddDate(0, 0, -10)
	created := "---\ncreated: " + string(vault.DayOf(old)) + "\n---\n"
	put(t, w, "2_Wiki/Concepts/Tea.md", created+"# Tea\n\n- Sencha is brewed at 70 degrees.\n")
	if _, err := w.Index.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	dreamNow(t, w) // looks at what stands on pages
	file := filepath.Join(w.Options.Vault, "2_Wiki", "Concepts", "Tea.md")
	if err := os.Chtimes(file, old, old); err != nil {
		t.Fatal(err)
	}
	put(t, w, "2_Wiki/Concepts/Tea.md", created+"# Tea\n\n- Sencha is brewed at 70 degrees.\n- Sencha comes from Shizuoka.\n")
	if _, err := w.Index.Sync(context.Background()); err != nil {
		t.Fatal(err)
	}
	hits := then(t, w, "Sencha", time.Now().AddDate(0, 0, -5), "")
	if !tells(hits, "70 degrees") || tells(hits, "Shizuoka") {
		t.Errorf("%+v", hits)
	}
}

// The graph tells a context of the past neither what was said later nor that it ended, nor what nobody knows when it was written.
func TestThePastOfTheGraph(t *testing.T) {
	w := open(t, func(c *config.Config) { c.Graph.Context = true })
	for day, text := range map[vault.Day]string{"2026-06-01": "Bob works at Acme.", "2026-06-20": "Bob works at Globex."} {
		put(t, w, string(vault.LogPath(day)), "# Daily Log - "+string(day)+"\n\n- [personal] "+text+"\n")
	}
	put(t, w, "3_Personal/Bob.md", "# Bob\n\nEmployer: Initech\n")
	if _, err := w.Index.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	ask := func(at *api.Moment) string {
		r, err := w.Context(t.Context(), api.Context{Query: "Where was Bob working?", AsOf: at})
		if err != nil {
			t.Fatal(err)
		}
		return r.Layers["L3"]
	}
	if now := ask(nil); !strings.Contains(now, "Globex") || !strings.Contains(now, "Acme") ||
		!strings.Contains(now, "Bob works at Initech") {
		t.Errorf("now: %s", now)
	}
	if then := ask(moment(t, time.Date(2026, 6, 10, 0, 0, 0, 0, time.UTC))); strings.Contains(then, "Globex") ||
		!strings.Contains(then, "Acme") ||
		strings.Contains(then, "until") || strings.Contains(then, "2026-06-20") || strings.Contains(then, "Bob works at Initech") {
		t.Errorf("as of 10 June: %s", then)
	}
}

// An item of several lines that a person wrote later is left out whole; a filter by source holds for what is told of the past.
func TestThePastIsFiltered(t *testing.T) {
	w, _, _ := livedTwice(t)
	early := time.Date(2026, 6, 3, 0, 0, 0, 0, time.UTC)
	r, err := w.Search(t.Context(), api.Search{
		Query: "Alice lives Hamburg", AsOf: moment(t, early), Flags: map[string]any{"min_score": 0},
		Filters: &api.Filters{SourceType: []string{"notebook"}},
	})
	if err != nil || slices.ContainsFunc(r.Hits, func(h api.Hit) bool { return h.SourceType != "notebook" }) {
		t.Errorf("%+v, %v", r.Hits, err)
	}
	put(t, w, "2_Wiki/Concepts/Tea.md", "# Tea\n\n- Sencha is brewed at 70 degrees.\n- Sencha comes\n  from Shizuoka.\n")
	if _, err := w.Index.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	if hits := then(t, w, "Sencha Shizuoka", time.Now().AddDate(0, 0, -5), ""); tells(hits, "Shizuoka") {
		t.Errorf("%+v", hits)
	}
}

// Facts of an assistant, and lines that a person wrote into a log, were not known before they were filed, whatever day they tell of.
func TestThePastByWhenFactsWereFiled(t *testing.T) {
	w := open(t, nil)
	before := time.Now().Add(-2 * time.Second)
	march := time.Date(2026, 3, 6, 9, 0, 0, 0, time.UTC)
	if _, err := w.WriteFacts(t.Context(), api.Facts{Wait: "indexed", Facts: []api.NewFact{
		{Content: "Marlene rows for the club called Bluebell.", At: &march, Category: "personal"},
	}}); err != nil {
		t.Fatal(err)
	}
	put(t, w, "memory/archive/2026-03-02.md", "# Daily Log - 2026-03-02\n\n- [personal] Alice lives in Hamburg.\n")
	if _, err := w.Index.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	dreamNow(t, w)
	put(t, w, "memory/archive/2026-03-04.md", "# Daily Log - 2026-03-04\n\n- [personal] Bob works at Initech.\n")
	if _, err := w.Index.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	later := time.Now().Add(time.Minute)
	for _, c := range []struct {
		text, by string
		at       time.Time
		want     bool
	}{
		{"Bluebell", "said", march.AddDate(0, 0, 4), true},
		{"Bluebell", "filed", march.AddDate(0, 0, 4), false},
		{"Bluebell", "filed", before, false},
		{"Bluebell", "filed", later, true},
		{"Initech", "said", march, true},
		{"Initech", "filed", before, false}, // no look at the logs had seen it
		{"Initech", "filed", later, true},
		{"Hamburg", "filed", march, true}, // it stood there at the first look: nobody knows since when
	} {
		for _, consumed := range []string{"", " after another dream"} {
			if consumed != "" && c.text == "Hamburg" {
				continue
			}
			if hits := then(t, w, c.text, c.at, c.by); tells(hits, c.text) != c.want {
				t.Errorf("%s by %s as of %v%s: %+v", c.text, c.by, c.at, consumed, hits)
			}
		}
	}
	if r := dreamNow(t, w); r.Facts != 1 {
		t.Fatalf("%+v", r)
	}
	if hits := then(t, w, "Initech", before, "filed"); tells(hits, "Initech") {
		t.Errorf("after another dream: %+v", hits)
	}
	if hits := then(t, w, "Initech", march, "said"); !tells(hits, "Initech") {
		t.Errorf("after another dream, by what was said: %+v", hits)
	}
}

// What a dream had put on a page by then is told as the page told it, once, and what it had ended is told as ended.
func TestThePastAfterADreamIsWhatTheDreamMade(t *testing.T) {
	w, _, after := livedTwice(t)
	q := api.Search{Query: "Where does Alice live? Hamburg Lisbon", Flags: map[string]any{"min_score": 0}}
	now, err := w.Search(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	for _, by := range []string{"said", "filed"} {
		hits := then(t, w, q.Query, after, by)
		ids := func(hits []api.Hit) (out []string) {
			for _, h := range hits {
				out = append(out, h.SourceType+" "+h.Text)
			}
			slices.Sort(out)
			return out
		}
		if diff := cmp.Diff(ids(now.Hits), ids(hits)); diff != "" {
			t.Errorf("by %s (-now +then):\n%s", by, diff)
		}
		if slices.ContainsFunc(hits, func(h api.Hit) bool { return h.SourceType == "archive_log" }) {
			t.Errorf("by %s the line of a log is back: %+v", by, hits)
		}
	}
	block, err := w.Context(t.Context(), api.Context{AsOf: moment(t, after), Query: "Where does Alice live?"})
	if err != nil || strings.Contains(block.Layers["L1"], "Hamburg") {
		t.Errorf("%v: L1 %s", err, block.Layers["L1"])
	}
}

// What was put away since was there, and what was put away then and came back was not.
func TestThePastHasWhatWasPutAwaySince(t *testing.T) {
	w := open(t, nil)
	id := say(t, w, "c1", "The boiler in the cellar needs a new filter every spring.").Drawers[0]
	mark := func(kind string, at time.Time) {
		t.Helper()
		e := drawers.Event{Kind: kind, At: at, Drawer: id, Day: "2026-06-09"}
		if kind == drawers.Archive {
			e.Reason = "faded"
		}
		if err := w.Drawers.Append(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	found := func(at time.Time, want bool) {
		t.Helper()
		r, err := w.Search(t.Context(), api.Search{
			Query: "boiler cellar filter", AsOf: moment(t, at), Flags: map[string]any{"min_score": 0},
			Filters: &api.Filters{SourceType: []string{"drawer"}},
		})
		if err != nil || tells(r.Hits, "boiler") != want {
			t.Errorf("as of %v: %+v, %v", at, r.Hits, err)
		}
	}
	day := func(d int) time.Time { return time.Date(2026, 7, d, 12, 0, 0, 0, time.UTC) }
	mark(drawers.Archive, day(10))
	found(day(9), true)
	found(day(11), false)
	found(time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC), false) // nobody had said it
	mark(drawers.Restore, day(20))
	found(day(15), false)
	found(day(21), true)
}

// A page that a person made is not told of the time before it, whatever its file says; by when things were filed no page is that a dream
// saw first later.
func TestThePastOfANewPage(t *testing.T) {
	w := open(t, nil)
	write := func(path, text string, age int) {
		t.Helper()
		put(t, w, path, text)
		if old := time.Now().AddDate(0, 0, -age); age > 0 {
			if err := os.Chtimes(filepath.Join(w.Options.Vault, filepath.FromSlash(path)), old, old); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := w.Index.Sync(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	told := func(name, text string, days int, by string, want bool) {
		t.Helper()
		at := time.Now().AddDate(0, 0, -days)
		if hits := then(t, w, name+" "+text, at, by); tells(hits, text) != want || !want && tells(hits, name) {
			t.Errorf("%s of %d days ago by %s: %+v", name, days, by, hits)
		}
		p, err := w.Page(t.Context(), api.PageQuery{
			Path: "2_Wiki/Concepts/" + name + ".md", AsOf: at.Format(time.RFC3339Nano), AsOfBy: by,
		})
		if (err == nil && strings.Contains(p.Text, text)) != want {
			t.Errorf("page %s of %d days ago by %s: %+v, %v", name, days, by, p, err)
		}
	}
	write("2_Wiki/Concepts/Sencha.md", "# Sencha\n\nIt is steamed.\n", 0)
	write("2_Wiki/Concepts/Oolong.md", "# Oolong\n\nIt is rolled.\n", 20)
	told("Sencha", "steamed", 5, "said", false) // before any dream
	for range 2 {
		told("Sencha", "steamed", 5, "filed", false)
		told("Oolong", "rolled", 5, "said", true) // the file has not changed since
		told("Oolong", "rolled", 5, "filed", false)
		told("Oolong", "rolled", 25, "said", false)
		dreamNow(t, w)
	}
	write("2_Wiki/Concepts/Gyokuro.md", "# Gyokuro\n\nIt is shaded.\n", 20)
	told("Gyokuro", "shaded", 5, "said", false) // the dreams had not seen it
	dreamNow(t, w)
	told("Gyokuro", "shaded", 5, "said", false)
	told("Gyokuro", "shaded", 0, "said", true)
	write("memory/user.md", "# You\n\n- I moved the hives to Bruges.\n", 0)
	for days, want := range map[int]bool{5: false, 0: true} {
		r, err := w.Context(t.Context(), api.Context{AsOf: moment(t, time.Now().AddDate(0, 0, -days))})
		if err != nil || strings.Contains(r.Text, "Bruges") != want {
			t.Errorf("user.md of %d days ago: %v\n%s", days, err, r.Text)
		}
	}
}

// The graph by a clock is that of what had been said, or filed, by then: neither what came later nor that something ended since.
func TestThePastOfTheGraphByClocks(t *testing.T) {
	w := open(t, func(c *config.Config) { c.Graph.Context = true })
	for day, text := range map[vault.Day]string{"2026-03-02": "Bob works at Acme.", "2026-06-20": "Bob works at Globex."} {
		put(t, w, string(vault.LogPath(day)), "# Daily Log - "+string(day)+"\n\n- [personal] "+text+"\n")
	}
	if _, err := w.Index.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	canoe := api.GraphAdd{Subject: "Bob", Predicate: "owns", Object: "red canoe", ValidFrom: "2026-01-01"}
	if _, err := w.GraphAdd(t.Context(), canoe); err != nil {
		t.Fatal(err)
	}
	march := time.Date(2026, 3, 6, 9, 0, 0, 0, time.UTC)
	if _, err := w.Remember(t.Context(), api.Turn{ChatID: "c", Wait: "indexed", Messages: []api.Message{{
		Role: "user", Speaker: "Alice", Content: "My sister Clara works at Initech.", At: &march,
	}}}); err != nil {
		t.Fatal(err)
	}
	told := func(entity, by string) string {
		t.Helper()
		r, err := w.GraphQuery(t.Context(), api.GraphQuery{Entity: entity, AsOf: "2026-03-10", AsOfBy: by, Limit: 9})
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, tr := range r.Triples {
			out = append(out, strings.TrimSpace(tr.Object+" "+tr.ValidTo))
			if by != "" && !tr.Current {
				t.Errorf("by %s: %+v", by, tr)
			}
		}
		slices.Sort(out)
		return strings.Join(out, ", ")
	}
	for _, c := range []struct{ entity, by, want string }{
		{"Bob", "", "Acme 2026-06-20, red canoe"},
		{"Bob", "said", "Acme"},
		{"Bob", "filed", "Acme"},
		{"Clara", "said", "Initech"},
		{"Clara", "filed", ""},
	} {
		if got := told(c.entity, c.by); !strings.Contains(got, c.want) || c.by != "" && strings.Contains(got, "canoe") ||
			c.want == "" && got != "" || c.by != "" && strings.Contains(got, "2026-06") {
			t.Errorf("%s by %q: %s, want %s", c.entity, c.by, got, c.want)
		}
	}
	if _, err := w.GraphQuery(t.Context(), api.GraphQuery{Entity: "Bob", AsOfBy: "filed"}); err == nil {
		t.Error("a clock without a time is let through")
	}
	for by, want := range map[string]bool{"said": true, "filed": false} {
		r, err := w.Context(t.Context(), api.Context{
			Query: "Where does Clara work?", AsOf: moment(t, time.Date(2026, 3, 10, 0, 0, 0, 0, time.UTC)), AsOfBy: by,
		})
		if err != nil || strings.Contains(r.Layers["L3"], "Initech") != want {
			t.Errorf("by %s: %v, %s", by, err, r.Layers["L3"])
		}
	}
	if p, err := w.GraphPath(t.Context(), api.GraphPath{From: "Bob", To: "red canoe", AsOf: "2026-03-10", AsOfBy: "said"}); err != nil ||
		len(p.Triples) > 0 {
		t.Errorf("%+v, %v", p, err)
	}
	then := api.Then{AsOf: "2026-03-10"}
	for by, want := range map[string]int{"": 2, "said": 2, "filed": 1} { // Acme and Initech; the canoe was asserted today
		then.AsOfBy = by
		line, err := w.GraphTimeline(t.Context(), api.GraphTimeline{Then: then, Limit: 99})
		stats, serr := w.GraphStats(t.Context(), api.GraphCount{Then: then})
		if err != nil || serr != nil || len(line.Triples) < want || stats.Triples != len(line.Triples) || stats.ExpiredFacts > 0 ||
			strings.Contains(fmt.Sprint(line.Triples), "canoe") || strings.Contains(fmt.Sprint(line.Triples), "Initech") != (want == 2) {
			t.Errorf("by %q: %+v, %+v, %v, %v", by, line.Triples, stats, err, serr)
		}
		asked, err := w.GraphAsk(t.Context(), api.GraphQuestion{ThenAsked: api.ThenAsked(then), Question: "Where does Clara work?"})
		if err != nil || len(asked.Triples) > 0 != (want == 2) {
			t.Errorf("by %q: %+v, %v", by, asked, err)
		}
	}
	if _, err := w.GraphStats(t.Context(), api.GraphCount{Then: api.Then{AsOfBy: "filed"}}); err == nil {
		t.Error("a clock without a time is let through")
	}
}

// Where the copies of dreams are gone, no later state is told: MEMORY.md and pages that a dream changed are left out and named, a few
// of them each; a page that a dream made was not there before it.
func TestThePastWithoutCopies(t *testing.T) {
	w := open(t, func(c *config.Config) { c.Consolidation.KeepCopies = 0 })
	begun := time.Now()
	dreamOf := func(day vault.Day, texts ...string) {
		t.Helper()
		put(t, w, string(vault.LogPath(day)), "# Daily Log - "+string(day)+"\n\n- [personal] "+strings.Join(texts, "\n- [personal] ")+"\n")
		if _, err := w.Index.Sync(t.Context()); err != nil {
			t.Fatal(err)
		}
		dreamNow(t, w)
	}
	var lives []string
	people := []string{"Alice", "Bruno", "Clara", "Dora", "Emil", "Frieda", "Gustav", "Hedda", "Ines", "Jonas"}
	for _, name := range people {
		lives = append(lives, name+" lives in Hamburg.", name+" works as a baker.", name+" plays the cello.")
	}
	dreamOf("2026-06-01", lives...)
	first := time.Now()
	for i, name := range people {
		lives[i] = name + " moved to Lisbon."
	}
	dreamOf("2026-06-02", lives[:len(people)]...)
	for i := range 5 { // the newest keep theirs
		dreamOf(vault.Day(fmt.Sprintf("2026-06-%02d", i+3)), fmt.Sprintf("Alice likes tea number %d.", i))
	}
	for _, c := range []struct {
		at   time.Time
		lost int // pages that are named
	}{{begun, 1}, {first, 6}} {
		r, err := w.Search(t.Context(), api.Search{Query: "Alice lives Lisbon Hamburg", AsOf: moment(t, c.at)})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Warnings) < c.lost || len(r.Warnings) > 6 || !strings.Contains(strings.Join(r.Warnings, "\n"), "are gone") {
			t.Errorf("%v", r.Warnings)
		}
		for _, h := range r.Hits {
			if h.SourceType != "archive_log" {
				t.Errorf("of a time before: %+v", h)
			}
		}
		p, err := w.Page(t.Context(), api.PageQuery{Path: "memory/MEMORY.md", AsOf: c.at.Format(time.RFC3339Nano)})
		if err == nil || !strings.Contains(err.Error(), "copies of run") {
			t.Errorf("MEMORY.md: %q, %v", p.Text, err)
		}
		_, err = w.Page(t.Context(), api.PageQuery{Path: "3_Personal/Alice.md", AsOf: c.at.Format(time.RFC3339Nano)})
		if named := err != nil && strings.Contains(err.Error(), "copies of run"); err == nil || named != (c.at == first) {
			t.Errorf("the page of Alice: %v", err)
		}
	}
}
