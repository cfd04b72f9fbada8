package vault

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func accounted(t testing.TB, v *Vault) *Accounts {
	t.Helper()
	a, err := v.Accounted()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestAccounted(t *testing.T) {
	v := open(t, t.TempDir())
	if a := accounted(t, v); a.Len() != 0 || a.Version() != "" {
		t.Errorf("nothing was dreamt: %d facts, version %q", a.Len(), a.Version())
	}
	ledger := `{"fact":"f1","outcome":"kept","run":"r"}` + "\n" + `{"fact":"f2","outcome":"dropped","run":"r"}` + "\n{torn"
	for _, run := range []string{"r1", "r2", "r3"} {
		write(t, v, Path(".state/dreams/"+run+"/ledger.jsonl"), strings.ReplaceAll(ledger, `:"f`, `:"`+run))
	}
	write(t, v, ".state/dreams/r1/done", "")
	write(t, v, ".state/dreams/r3/done", "")
	write(t, v, ".state/dreams/r3/undone", "")
	for range 2 {
		got := map[string]string{}
		for id, c := range accounted(t, v).All() {
			got[id] = c.Outcome
		}
		if diff := cmp.Diff(map[string]string{"r11": "kept", "r12": "dropped"}, got); diff != "" {
			t.Error(diff)
		}
	}
	if first, again := accounted(t, v), accounted(t, v); first != again {
		t.Error("nothing changed, and the ledgers were put together again")
	}
	if a := accounted(t, v); !a.Has("r11") || a.Has("r31") || a.Has("f1") {
		t.Error("Has")
	}
	var none *Accounts
	if _, ok := none.FindOn("2026-06-09", "f1"); ok || none.Has("f1") || none.Len() != 0 ||
		none.Version()+none.DayVersion("2026-06-09") != "" {
		t.Error("nil has something")
	}
}

func TestAccountsKnowTheLine(t *testing.T) {
	v := open(t, t.TempDir())
	write(t, v, ".state/dreams/r1/ledger.jsonl", `{"fact":"f1","day":"2026-06-09","outcome":"kept","category":"home","run":"r1",`+
		`"page":"3_Personal/Alice.md","drawer":"d1","ref":"D1:3","speaker":"Alice","chat":"c1","origin":"user",`+
		`"turn":"t1","agent":"claude","wing":"home","room":"kitchen","at":"2026-06-09T16:32:00+02:00","reason":"new"}
{"fact":"f2","day":"2026-06-09","outcome":"dropped","run":"r1"}
`)
	write(t, v, ".state/dreams/r1/done", "")
	a := accounted(t, v)
	want := Account{
		Day: "2026-06-09", Outcome: "kept", Category: "home", Page: "3_Personal/Alice.md", Drawer: "d1", Ref: "D1:3", Turn: "t1",
		Speaker: "Alice",
		ChatID:  "c1", Origin: OriginUser, Agent: "claude", Wing: "home", Room: "kitchen", At: time.Date(2026, 6, 9, 14, 32, 0, 0, time.UTC),
	}
	got, ok := a.Find("f1")
	if diff := cmp.Diff(want, got); diff != "" || !ok {
		t.Error(diff)
	}
	if got, ok := a.FindOn("2026-06-09", "f2"); !ok || got.Outcome != "dropped" || got.Drawer != "" || !got.At.IsZero() {
		t.Errorf("%+v %v", got, ok)
	}
	if _, ok := a.FindOn("2026-06-08", "f1"); ok {
		t.Error("found on another day")
	}
}

// A ledger covers the words that it consumed; one that did not keep them covers any.
func TestAccountsCoverAVersion(t *testing.T) {
	v := open(t, t.TempDir())
	f := Fact{ID: "f1", Day: "2026-06-09", Text: "Alice lives in Paris"}
	changed := f
	changed.Text = "Alice lives in Lyon"
	for _, tt := range []struct {
		version string
		covers  bool
	}{{"", true}, {f.Version(), false}, {changed.Version(), true}} {
		write(t, v, ".state/dreams/r1/ledger.jsonl",
			fmt.Sprintf(`{"fact":"f1","day":"2026-06-09","outcome":"kept","version":%q}`+"\n", tt.version))
		write(t, v, ".state/dreams/r1/done", "")
		a := accounted(t, v)
		if got := a.Covers(&changed); got != tt.covers {
			t.Errorf("version %q: %v", tt.version, got)
		}
		if got := a.Covers(&f); got != (tt.version != changed.Version()) {
			t.Errorf("version %q, as told: %v", tt.version, got)
		}
	}
}

// TestDayVersionNamesItsDay: what FindOn tells of a day changes only together with the day's version, whatever other runs do.
func TestDayVersionNamesItsDay(t *testing.T) {
	dir := t.TempDir()
	v := open(t, dir)
	line := func(fact, day, page string) string {
		return fmt.Sprintf(`{"fact":%q,"day":%q,"outcome":"kept","page":%q}`+"\n", fact, day, page)
	}
	versions := func(a *Accounts) [2]string { return [2]string{a.DayVersion("2026-06-01"), a.DayVersion("2026-06-02")} }
	write(t, v, ".state/dreams/r1/ledger.jsonl", line("f1", "2026-06-01", "A.md"))
	write(t, v, ".state/dreams/r1/done", "")
	one := accounted(t, v)

	write(t, v, ".state/dreams/r2/ledger.jsonl", line("f1", "2026-06-02", "B.md")) // the line was moved to another day
	write(t, v, ".state/dreams/r2/done", "")
	two := accounted(t, v)
	if versions(one)[0] != versions(two)[0] || versions(two)[1] == "" || one.Version() == two.Version() {
		t.Error(versions(one), versions(two))
	}
	if c, _ := two.FindOn("2026-06-01", "f1"); c.Page != "A.md" {
		t.Errorf("its first day forgot it: %+v", c)
	}
	if c, _ := two.Find("f1"); c.Page != "B.md" {
		t.Errorf("the later run does not stand: %+v", c)
	}

	write(t, v, ".state/dreams/r3/ledger.jsonl", line("f1", "2026-06-01", "C.md"))
	write(t, v, ".state/dreams/r3/done", "")
	three := accounted(t, v)
	if versions(three)[0] == versions(two)[0] || versions(three)[1] != versions(two)[1] {
		t.Error(versions(two), versions(three))
	}
	if c, _ := three.FindOn("2026-06-02", "f1"); c.Page != "B.md" {
		t.Errorf("its other day forgot it: %+v", c)
	}
	if again := accounted(t, open(t, dir)); again.Version() != three.Version() || versions(again) != versions(three) {
		t.Error("another start gives other versions")
	}
	write(t, v, ".state/dreams/r3/undone", "")
	if a := accounted(t, v); a.Version() != two.Version() || versions(a) != versions(two) {
		t.Error("an undone run leaves its versions")
	}
}

func TestAccountsAreSmall(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a while")
	}
	v := open(t, t.TempDir())
	const runs, facts = 20, 5000
	for r := range runs {
		var b strings.Builder
		for i := range facts {
			n := r*facts + i
			fmt.Fprintf(&b, `{"fact":"f%09d","day":"2026-06-%02d","outcome":"kept","run":"r%d","page":"2_Wiki/Page %d.md",`+
				`"reason":"new","by":"rules","drawer":"d%09d","ref":"D%d:%d","speaker":"Alice","chat":"chat-%d",`+
				`"origin":"user","turn":"t%09d","wing":"home","at":"2026-06-09T14:32:00Z"}`+"\n",
				n, 1+r, r, n%500, n, n/20, n%20, n/50, n)
		}
		write(t, v, Path(fmt.Sprintf(".state/dreams/r%02d/ledger.jsonl", r)), b.String())
		write(t, v, Path(fmt.Sprintf(".state/dreams/r%02d/done", r)), "")
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	start := time.Now()
	a := accounted(t, v)
	first := time.Since(start)
	runtime.GC()
	runtime.ReadMemStats(&after)
	start = time.Now()
	if accounted(t, v) != a || a.Len() != runs*facts {
		t.Error(a.Len())
	}
	mb := float64(after.HeapAlloc-before.HeapAlloc) / 1e6
	t.Logf("%d facts: %.1f MB, read in %v, again in %v", a.Len(), mb, first, time.Since(start))
	if mb > 25 {
		t.Errorf("%.1f MB", mb)
	}
	runtime.KeepAlive(a)
}

// TestAnIdOnSeveralDays: a line copied into another day's log keeps its id, and is another fact.
func TestAnIdOnSeveralDays(t *testing.T) {
	v := open(t, t.TempDir())
	for run, line := range map[string]string{
		"r1": `{"fact":"f1","day":"2026-06-08","outcome":"kept"}`, "r2": `{"fact":"f1","day":"2026-06-09","outcome":"dropped"}`,
		"r3": `{"fact":"f1","day":"2026-06-08","outcome":"merged"}`, "r4": `{"fact":"f2","outcome":"kept"}`,
	} {
		write(t, v, Path(".state/dreams/"+run+"/ledger.jsonl"), line+"\n")
		write(t, v, Path(".state/dreams/"+run+"/done"), "")
	}
	a := accounted(t, v)
	got := map[string]bool{}
	for id, c := range a.All() {
		got[id+" "+string(c.Day)+" "+c.Outcome] = true
	}
	if diff := cmp.Diff(map[string]bool{"f1 2026-06-08 merged": true, "f1 2026-06-09 dropped": true, "f2  kept": true}, got); diff != "" {
		t.Error(diff)
	}
	if c, ok := a.FindOn("2026-06-07", "f2"); !ok || c.Outcome != "kept" {
		t.Error("a ledger without days means any day")
	}
	before := a.DayVersion("2026-06-07")
	write(t, v, ".state/dreams/r4/undone", "")
	if now := accounted(t, v).DayVersion("2026-06-07"); before == "" || now == before {
		t.Errorf("the version does not follow a ledger without days: %q, %q", before, now)
	}
}
