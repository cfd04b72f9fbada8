package closet_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/reverie-memory/reverie/palace/closet"
)

// build makes the closets of texts, which are chunks d1, d2, … of a source.
func build(l closet.Limits, texts ...string) []closet.Closet {
	return closet.Build(source(texts...), l)
}

func source(texts ...string) closet.Source {
	s := closet.Source{Wing: "garden", Room: "notes", Stem: "2026-06 plan"}
	for i, text := range texts {
		s.Chunks = append(s.Chunks, closet.Chunk{ID: fmt.Sprintf("d%d", i+1), Text: text})
	}
	return s
}

func lines(closets []closet.Closet) (out []closet.Line) {
	for _, c := range closets {
		out = append(out, c.Lines...)
	}
	return out
}

// line is the one that has the topic.
func line(t *testing.T, all []closet.Line, topic string) closet.Line {
	t.Helper()
	i := slices.IndexFunc(all, func(l closet.Line) bool { return l.Topic == topic })
	if i < 0 {
		t.Fatalf("no line for %q in %v", topic, all)
	}
	return all[i]
}

func TestPointerShape(t *testing.T) {
	got := build(closet.Defaults(), `We decided to move the archive to Ghent. Igor said "not before the roof is mended".`,
		"Milla and Igor fixed the pump.")
	want := "decided to move the archive to Ghent|Igor;Ghent|→d1\n" +
		"fixed the pump|Igor;Milla|→d2\n" +
		"Igor|Ghent;Milla|→d1,d2\n" +
		`"not before the roof is mended"|Igor;Ghent|→d1`
	if len(got) != 1 || got[0].Text() != want {
		t.Errorf("got\n%s\nwant\n%s", got[0].Text(), want)
	}
}

func TestHeaderExtraction(t *testing.T) {
	got := lines(build(closet.Defaults(), "# The cold frame\n\ntext\n\n## Seeds for spring ##\n### Oats\n#### Too deep a level\n#tag and "+
		"more\n# "+
		strings.Repeat("long ", 20)+"\n"))
	var topics []string
	for _, l := range got {
		topics = append(topics, l.Topic)
	}
	if want := []string{"The cold frame", "Seeds for spring"}; !slices.Equal(topics, want) {
		t.Errorf("got %q, want %q", topics, want)
	}
}

func TestStopList(t *testing.T) {
	got := lines(build(closet.Defaults(), "When it rained, When it rained. After lunch, After all. The end of The story. On Monday the "+
		"User asked the Assistant. "+
		"Wenn Danach, am Montag. Cuando, Después el Lunes. Quand, Ensuite Lundi. Quando, Dopo Lunedì. It was March and Juni and Gennaio."))
	for _, l := range got {
		if len(l.Names) > 0 || l.Topic != "garden/notes/2026-06 plan" {
			t.Errorf("%v", l)
		}
	}
}

func TestRealNamesStay(t *testing.T) {
	got := lines(build(closet.Defaults(), "Igor came. We saw Milla with Anna Weber's dog in PostgreSQL class.",
		"Milla left, and Igor’s car too. Когда пришла Ольга?"))
	if l := line(t, got, "Igor"); !slices.Equal(l.IDs, []string{"d1", "d2"}) {
		t.Errorf("Igor: %v", l)
	}
	l := line(t, got, "Milla")
	for _, name := range []string{"Igor", "Anna Weber", "PostgreSQL", "Ольга"} {
		if !slices.Contains(l.Names, name) {
			t.Errorf("%q is not among %q", name, l.Names)
		}
	}
}

func TestFallbackLine(t *testing.T) {
	for _, text := range []string{"nothing of note here", "何もない日だった。", "", strings.Repeat("so it goes ", 600)} {
		s := source(text)
		got := lines(closet.Build(s, closet.Defaults()))
		if len(got) == 0 || got[0].Topic != "garden/notes/2026-06 plan" || !slices.Equal(got[0].IDs, []string{"d1"}) {
			t.Errorf("%.20q: %v", text, got)
		}
		s.Stem = strings.Repeat("x", 100)
		if got := lines(closet.Build(s, closet.Defaults())); got[0].Topic != "garden/notes/"+strings.Repeat("x", 40) {
			t.Errorf("a long stem gives %q", got[0].Topic)
		}
	}
	if got := closet.Build(closet.Source{}, closet.Defaults()); got != nil {
		t.Errorf("nothing gives %v", got)
	}
}

func TestRefSlicing(t *testing.T) {
	texts := slices.Repeat([]string{"We saw Milla and then we saw Milla."}, 6)
	for refs, want := range map[int][]string{1: {"d1"}, 3: {"d1", "d2", "d3"}, 9: {"d1", "d2", "d3", "d4", "d5", "d6"}} {
		l := closet.Defaults()
		l.Refs = refs
		if got := line(t, lines(build(l, texts...)), "Milla"); !slices.Equal(got.IDs, want) {
			t.Errorf("%d refs: %q", refs, got.IDs)
		}
	}
}

func TestPackingWithoutSplitting(t *testing.T) {
	var texts []string
	for i := range 40 {
		texts = append(texts, fmt.Sprintf("We built the garden shed number %d with Igor and Milla of Ghent. ", i)+
			strings.Repeat("words and words ", 20))
	}
	for _, most := range []int{80, 200, 1500} {
		l := closet.Defaults()
		l.Chars = most
		closets := build(l, texts...)
		var all []string
		for _, c := range closets {
			if n := utf8.RuneCountInString(c.Text()); n > most && len(c.Lines) > 1 {
				t.Errorf("a closet of %d lines has %d characters, at most %d are allowed", len(c.Lines), n, most)
			}
			all = append(all, c.Text())
		}
		if got, want := closet.Parse(strings.Join(all, "\n")), lines(closets); !cmp.Equal(got, want) {
			t.Errorf("lines are not whole: %s", cmp.Diff(want, got))
		}
	}
	if a, b := build(closet.Defaults(), texts...), closet.Defaults(); len(lines(a)) <= b.Topics {
		t.Errorf("%d lines: the end of the source has no topics", len(lines(a)))
	}
}

func TestPointerParsing(t *testing.T) {
	got := closet.Parse("a topic|Igor;Milla|→d1,d1.2\n" + "\"words of Igor\"||→d2\r\n" +
		"no pointer|Igor|\n|Igor|→d3\none part→d4\nx|y|z|→d5\nno ids||→\nspaces||→ d6,d 7,,d8\nlast||→d9")
	want := []closet.Line{
		{Topic: "a topic", Names: []string{"Igor", "Milla"}, IDs: []string{"d1", "d1.2"}},
		{Topic: `"words of Igor"`, IDs: []string{"d2"}},
		{Topic: "spaces", IDs: []string{"d8"}},
		{Topic: "last", IDs: []string{"d9"}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestDedup(t *testing.T) {
	if got := closet.Parse("a||→d2,d1,d2\n"); len(got) != 1 || !slices.Equal(got[0].IDs, []string{"d2", "d1"}) {
		t.Errorf("a line that names an id twice: %v", got)
	}
	got := lines(build(closet.Defaults(), "We fixed the old pump.", "They FIXED THE OLD PUMP again.", "We fixed the old pump."))
	if len(got) != 2 || !slices.Equal(got[0].IDs, []string{"d1", "d3"}) {
		t.Errorf("topics: %v", got)
	}
}

// TestAppendChangesTheLastStretchAlone: what was said before keeps its closets.
func TestAppendChangesTheLastStretchAlone(t *testing.T) {
	var texts []string
	for i := range 60 {
		texts = append(texts, fmt.Sprintf("On that day %d we built a wall with Igor%d and Milla. ", i, i%7)+
			strings.Repeat("and so on ", 30))
	}
	before := build(closet.Defaults(), texts[:40]...)
	after := build(closet.Defaults(), texts...)
	last := before[len(before)-1].First
	for i, c := range before {
		if c.First < last && !cmp.Equal(c, after[i]) {
			t.Errorf("closet %d changed: %s", i, cmp.Diff(c, after[i]))
		}
	}
	if last == 0 || len(after) <= len(before) {
		t.Fatalf("the test has but one stretch: %d and %d closets", len(before), len(after))
	}
}

// TestSourceHasAMostOfTopics: a source of a megabyte does not make thousands of lines.
func TestSourceHasAMostOfTopics(t *testing.T) {
	texts := slices.Repeat([]string{strings.Repeat("We built a hut. We sold a cow to Igor. We met Milla and Igor. ", 12)}, 1400)
	for i := range texts {
		texts[i] = strings.ReplaceAll(texts[i], "a hut", fmt.Sprintf("hut number %d", i))
	}
	all := lines(build(closet.Defaults(), texts...))
	topics := slices.DeleteFunc(all, func(l closet.Line) bool { return strings.HasPrefix(l.Topic, "garden/") })
	if len(topics) > 240 || len(topics) < 200 {
		t.Errorf("%d topics", len(topics))
	}
}

// TestLinesOfFiveLanguages: what was done is a topic in each.
func TestLinesOfFiveLanguages(t *testing.T) {
	for text, topic := range map[string]string{
		"Yesterday I migrated the billing database, at last.": "migrated the billing database",
		"Gestern habe ich den alten Server aktualisiert.":     "Gestern habe ich den alten Server aktualisiert",
		"Ayer visité el museo de Bilbao.":                     "visité el museo de Bilbao",
		"Nous avons décidé de partir en avril.":               "décidé de partir en avril",
		"Ieri ho comprato una bicicletta rossa.":              "comprato una bicicletta rossa",
	} {
		line(t, lines(build(closet.Defaults(), text)), topic)
	}
}

// TestWhatMayNotBeShownIsOnNoLine: neither as a topic nor as a quote nor as a name.
func TestWhatMayNotBeShownIsOnNoLine(t *testing.T) {
	s := source(`We built the hut. Igor said "the key lies under the pot". We met Igor and Milla.`, "Milla and Igor wrote it down.")
	secrets := []string{"built the hut", "the key lies under the pot", "Igor"}
	s.Shows = func(text string) bool { return !slices.Contains(secrets, text) }
	all := lines(closet.Build(s, closet.Defaults()))
	for _, l := range all {
		for _, secret := range secrets[:2] {
			if strings.Contains(l.String(), secret) {
				t.Errorf("%q", l)
			}
		}
		if l.Topic == "Igor" || slices.Contains(l.Names, "Igor") {
			t.Errorf("%q", l)
		}
	}
	line(t, all, "Milla")
}

// FuzzLines: lines that were parsed are written as they are read, whatever stood around them; and any text has lines that can be read.
func FuzzLines(f *testing.F) {
	for _, s := range []string{
		"", "a|b;c|→d1,d2", `"q"||→d1`, "a|→|→x", "→|;,\n\r",
		"# Head|er\nIgor → built a|b;c \"quoted words; and|more\"", "a|b|→\u2028,\u00a0",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		written := func(all []closet.Line) string { return closet.Closet{Lines: all}.Text() }
		parsed := closet.Parse(text)
		if again := closet.Parse(written(parsed)); written(again) != written(parsed) {
			t.Errorf("%q\nbecomes %q", written(parsed), written(again))
		}
		for _, l := range parsed {
			if slices.ContainsFunc(l.IDs, func(id string) bool { return id == "" || strings.ContainsAny(id, ",|\n") }) {
				t.Errorf("ids %q", l.IDs)
			}
		}
		if !utf8.ValidString(text) {
			return
		}
		all := lines(closet.Build(source(text, text), closet.Defaults()))
		if d := cmp.Diff(all, closet.Parse(written(all))); d != "" || len(all) == 0 {
			t.Errorf("%d lines of a text are read otherwise: %s", len(all), d)
		}
	})
}
