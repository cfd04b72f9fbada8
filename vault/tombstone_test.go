package vault

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var paraphrases = [][2]string{
	{"Alice is allergic to peanuts", "alice is allergic to peanuts."},
	{"Alice is allergic to peanuts", "Alice is  ALLERGIC to peanuts!"},
	{"Alice really likes green tea", "Alice likes green tea"},
	{"Alice likes green tea a lot", "Alice likes green tea"},
	{"The door code is 4711", "the code for the door is 4711"},
	{"The door code is 4711", "4711 is the door code"},
	{"The door code is 4711", "Remember that the door code is 4711"},
	{"The front door code is 4711", "The code of the front door is 4711"},
	{"Alice works in Berlin", "In Berlin, Alice works"},
	{"Alice works as a nurse in Berlin", "In Berlin Alice works as a nurse"},
	{"Noor's birthday is on 4 March", "On March 4th is Noor's birthday"},
	{"Noor's birthday is on 4 March", "The birthday of Noor is on the 4th of March"},
	{"Bob bought a bike yesterday", "Yesterday Bob bought a bike"},
	{"Alice isn't a vegetarian", "Alice is not a vegetarian"},
	{"Bob can't swim", "Bob cannot swim"},
	{"Bob has three cats", "Bob has 3 cats"},
	{"Bob drinks tea and coffee", "Bob drinks coffee and tea"},
	{"Alice and Bob like tea", "Bob and Alice like tea"},
	{"Alice is Bob's sister", "Bob's sister is Alice"},
	{"Alice currently lives in Paris", "Alice lives in Paris"},
	{"Alice’s flat is in Paris", "Alice's flat is in Paris"},
	{"My password hint is the dog", "So my password hint is the dog"},
	{"By the way, Bob moved house", "Bob moved house"},
	{"Ｂｏｂ moved house", "Bob moved house"},
	{"For her headaches Alice uses Zanzibarine", "Alice uses Zanzibarine for her headaches"},
}

// Ways in which Markdown and pages put a text; they are read when it is looked up.
var clothes = []string{
	"**%s**", "*%s*", "__%s__", "==%s==", "~~%s~~", "`%s`", "- %s", "%s (9 Jun)", "%s (since 9 Jun 2026)", "[%s](https://a.example/x)",
	"[[2026-06-09#^f1|%s]]",
	"%s ([[2026-06-09#^f7q2c81xk0|9 Jun 2026]])", "\u200b%s", "%s <!-- x -->",
	"> %s", "> > %s", "### %s", "1. %s", "2) %s", "- [ ] %s", "> - [x] %s", "| %s |", "• %s",
}

func TestTombstonesSeeThroughMarkdown(t *testing.T) {
	const text = "Alice uses Zanzibarine for her headaches"
	v := open(t, t.TempDir())
	if err := v.Forget(t.Context(), []Tombstone{{Text: text}}); err != nil {
		t.Fatal(err)
	}
	got, err := v.Tombstones()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range clothes {
		if _, ok := got.Match(strings.ReplaceAll(c, "%s", text)); !ok {
			t.Errorf("%q is remembered", c)
		}
	}
	for _, s := range []string{"Alice **uses** Zanzibarine for her *headaches*", "Alice uses [[Zanzibarine]] for her headaches"} {
		if _, ok := got.Match(s); !ok {
			t.Errorf("%q is remembered", s)
		}
	}
	for _, s := range []string{text + " (500)", "2 * 3 * 4", "snake_case_name", "Alice uses Zanzibarine_x for her headaches"} {
		if _, ok := got.Match(s); ok {
			t.Errorf("%q is forgotten", s)
		}
	}
}

func TestVisible(t *testing.T) {
	v := open(t, t.TempDir())
	if err := v.Forget(t.Context(), []Tombstone{{Text: "I keep a Fjordlamp in the cellar."}, {Text: "Bob sings. He plays the drums " +
		"too."}, {Text: "Thanks"}}); err != nil {
		t.Fatal(err)
	}
	got, err := v.Tombstones()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][2]string{
		{"I keep a Fjordlamp in the cellar.", ""},
		{"Hello there. I keep a Fjordlamp in the cellar. The weather is nice.", "Hello there. The weather is nice."},
		{"Hello there. **I keep a Fjordlamp in the cellar.** The weather is nice.", "Hello there. The weather is nice."},
		{"One line.\n- I keep a Fjordlamp in the cellar\n- I own a boat", "One line.\n\n- I own a boat"},
		{"First. Bob sings. He plays the drums too. Last.", "First. Last."},
		{"First. Bob sings. He plays the flute. Last.", "First. Bob sings. He plays the flute. Last."},
		{"It was good. Thanks. See you.", "It was good. Thanks. See you."},
		{"- I keep a Fjordlamp in the cellar.\n- !", ""},
		{"We talked.\n\n> I keep a Fjordlamp in the cellar\n\nThen we left.", "We talked.\n\n\n\nThen we left."},
		{"The list\n1. I keep a Fjordlamp in the cellar\n2. bread", "The list\n\n2. bread"},
		{"Talk of the day: I keep a Fjordlamp in the cellar.", "Talk of the day: "},
		{"We met (I keep a Fjordlamp in the cellar) yesterday.", "We met () yesterday."},
		{"We talked — I keep a Fjordlamp in the cellar — and left.", "We talked — — and left."},
		{"He said - I keep a Fjordlamp in the cellar", "He said - "},
		{"| name | note |\n|---|---|\n| x | I keep a Fjordlamp in the cellar |", "| name | note |\n|---|---|\n| x | |"},
		{"```\nx\nI keep a Fjordlamp in the cellar\n```\nthat is all", "```\nx\n\n```\nthat is all"},
		{"She asked: \"Do I keep a Fjordlamp in the cellar?\"", "She asked: \"Do I keep a Fjordlamp in the cellar?\""},
		{"I keep (for Bob: he collects) a Fjordlamp in the cellar.", "I keep (for Bob: he collects) a Fjordlamp in the cellar."},
		{"", ""},
	} {
		if is := got.Visible(c[0]); is != c[1] {
			t.Errorf("of %q %q is shown, not %q", c[0], is, c[1])
		}
	}
	var none *Tombstones
	if none.Visible("x") != "x" {
		t.Error("no tombstones hide something")
	}
}

var strangers = [][2]string{
	{"The door code is 4711", "The door code is 4712"},
	{"The door code is 4711", "The gate code is 4711"},
	{"Noor's birthday is on 4 March", "Noor's birthday is on 14 March"},
	{"Noor's birthday is on 4 March", "Noor's birthday is on 4 May"},
	{"Noor's birthday is on 4 March 2020", "Noor's birthday is on 4 March 2021"},
	{"The meeting is at 10:30", "The meeting is at 10:45"},
	{"The fee is 4.5 %", "The fee is 45 %"},
	{"The fee is 5%", "The fee is 5"},
	{"It was 5 degrees", "It was -5 degrees"},
	{"Bob owes $5", "Bob owes €5"},
	{"Alice lives in Paris", "Alice lives in Berlin"},
	{"Alice lives in Paris", "Noor lives in Paris"},
	{"Alice lives in Paris", "Alice lived in Paris"},
	{"Alice was in Paris", "Alice is in Paris"},
	{"Alice's car is red", "Alice's car is blue"},
	{"Alice's red car is fast", "Alice's green car is fast"},
	{"Alice is vegetarian", "Alice is not vegetarian"},
	{"Alice is vegetarian", "Alice isn't vegetarian"},
	{"Alice eats meat", "Alice never eats meat"},
	{"Alice drinks coffee with milk", "Alice drinks coffee without milk"},
	{"Alice beats Bob", "Bob beats Alice"},
	{"alice beats bob", "bob beats alice"},
	{"Alice moved from Berlin to Paris", "Alice moved from Paris to Berlin"},
	{"Alice prefers tea over coffee", "Alice prefers coffee over tea"},
	{"Paris is bigger than London", "London is bigger than Paris"},
	{"Alice, not Bob, is vegetarian", "Bob, not Alice, is vegetarian"},
	{"Alice, not Bob, is vegetarian", "Bob is vegetarian, Alice not"},
	{"Alice works in Berlin, Bob in Paris", "In Berlin Bob, in Paris Alice works"},
	{"Tea costs 1 and coffee 2", "Tea costs 2 and coffee 1"},
	{"Alice likes Bob and Tom hates Eve", "Alice likes Tom and Bob hates Eve"},
	{"Adam called", "Adams called"},
	{"Alice met Do Nguyen", "Alice met Nguyen"},
	{"Jose called Maria", "José called Maria"},
	{"His car is red", "Her car is red"},
	{"Bob has two cats", "Bob has three cats"},
	{"Alice has a car", "Alice is a car"},
	{"The key is on the table", "The key is under the table"},
	{"Call Alice before Bob", "Call Bob before Alice"},
	{"Alice likes tea", "Alice likes coffee"},
	{"Alice sings well", "Alice sings"},
	{"Alice", "Bob"},
	{"昨日公園に行った", "昨日学校に行った"},
	{"Is Alice in Paris?", "Alice is in Paris"},
}

func TestTombstonesKnowParaphrases(t *testing.T) {
	v := open(t, t.TempDir())
	padding := strings.Repeat(" and the long story goes on with many more words than anybody reads", 3)
	for _, p := range paraphrases {
		if !forgottenAs(t, p[0], p[1]) || !forgottenAs(t, p[1], p[0]) {
			t.Errorf("%q is not recognised as %q: %v, %v", p[1], p[0], canonical(p[0]), canonical(p[1]))
		}
		if !SameWords(p[0], p[1]) || Turned(p[0], p[1]) {
			t.Errorf("%q has not the words of %q", p[1], p[0])
		}
	}
	for _, p := range strangers {
		for _, more := range []string{"", padding} {
			if forgottenAs(t, p[0]+more, p[1]+more) || forgottenAs(t, p[1]+more, p[0]+more) {
				t.Errorf("%q is taken for %q: %v, %v", p[1]+more, p[0], canonical(p[0]+more), canonical(p[1]+more))
			}
			if SameWords(p[0]+more, p[1]+more) {
				t.Errorf("%q has the words of %q", p[1]+more, p[0])
			}
		}
	}
	if !Turned("Alice beats Bob", "Bob beats Alice") || Turned("Alice beats Bob", "Alice beats Tom") {
		t.Error("it is not told whether words were turned")
	}
	// And the same through the files.
	var stones []Tombstone
	for _, p := range paraphrases {
		stones = append(stones, Tombstone{Text: p[0], Reason: "a person asked", Scope: "fact"})
	}
	empty, err := v.Tombstones()
	if err != nil {
		t.Fatal(err)
	}
	if err := v.Forget(t.Context(), stones); err != nil {
		t.Fatal(err)
	}
	got, err := v.Tombstones()
	if err != nil || len(got.Problems()) > 0 || got.Version() == empty.Version() {
		t.Fatal(err, got.Problems())
	}
	for _, p := range paraphrases {
		if _, ok := got.Match(p[1]); !ok {
			t.Errorf("%q is remembered", p[1])
		}
	}
	if reason, ok := got.Match("Bob moved house"); !ok || reason == "" {
		t.Error("no reason")
	}
	if _, ok := empty.Match("Bob moved house"); ok {
		t.Error("an older picture changed")
	}
	for _, text := range []string{"", "?", "Noor lives in Rome"} {
		if _, ok := got.Match(text); ok {
			t.Errorf("%q is forgotten", text)
		}
	}
	file := read(t, v, ".state/tombstones.jsonl")
	for _, word := range []string{"allergic", "peanut", "Noor"} { // no digits alone: a hash may hold any
		if strings.Contains(file, word) {
			t.Errorf("the file holds %q", word)
		}
	}
}

var testKey = []byte("a key for tests, thirty-two byte")

func forgottenAs(t *testing.T, text, other string) bool {
	t.Helper()
	if exactHash(testKey, text) == exactHash(testKey, other) {
		return true
	}
	s := sketch(testKey, text)
	return s != "" && s == sketch(testKey, other)
}

func TestTombstoneKey(t *testing.T) {
	v := open(t, t.TempDir())
	if err := v.Forget(t.Context(), []Tombstone{{Text: " \n"}}); err == nil {
		t.Error("an empty text was taken")
	}
	if err := v.Forget(t.Context(), []Tombstone{{Text: "secret"}}); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(v.dir, filepath.FromSlash(TombstoneKey))
	if fi, err := os.Stat(name); err != nil || fi.Mode().Perm()&0o077 != 0 {
		t.Errorf("%v %v", fi.Mode(), err)
	}
	if strings.Contains(read(t, v, ".state/tombstones.jsonl"), "secret") {
		t.Error("the text is in the file")
	}
	var none *Tombstones
	if _, ok := none.Match("x"); ok {
		t.Error("no tombstones match")
	}
}

func FuzzSketch(f *testing.F) {
	for _, p := range append(paraphrases, strangers...) {
		f.Add(p[0])
	}
	f.Fuzz(func(t *testing.T, text string) {
		if sketch(testKey, text) != sketch(testKey, text+" ") {
			t.Fatal("a space changes the sketch")
		}
	})
}
