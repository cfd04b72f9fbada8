package indexer_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/palace/drawers"
	"github.com/reverie-memory/reverie/vault"
)

// editor makes random changes to a vault, as people, the daemon and folder syncs do.
type editor struct {
	*world
	r     *rand.Rand
	n     int
	ids   []vault.Fact
	pages []string
	runs  []string
	gone  []vault.Tombstone
}

var (
	nouns = strings.Fields("tea bicycle invoice Berlin attic kettle river Noor Alice database garden 東京 café")
	zones = []string{"0_Inbox", "1_Projects", "2_Wiki/Concepts", "3_Personal"}
)

func (e *editor) phrase() string {
	words := make([]string, 3+e.r.IntN(5))
	for i := range words {
		words[i] = nouns[e.r.IntN(len(nouns))]
	}
	return strings.Join(words, " ")
}

// link is one to a line of a daily log, mostly one that is there.
func (e *editor) link() string {
	if len(e.ids) == 0 || e.r.IntN(4) == 0 {
		return "[[2026-06-01#^f0k2m9x1aa|1 Jun]]"
	}
	f := e.ids[e.r.IntN(len(e.ids))]
	return fmt.Sprintf("[[%s#^%s|%s]]", f.Day, f.ID, f.Day)
}

func (e *editor) day() string { return fmt.Sprintf("2026-06-%02d", 1+e.r.IntN(4)) }

// step changes something and returns the paths that a watcher would name.
func (e *editor) step() []string {
	e.n++
	switch e.r.IntN(14) {
	case 0, 1, 2:
		day := e.day()
		e.ids = append(e.ids, e.facts(day, fmt.Sprintf("c%d", e.r.IntN(3)), e.phrase(), e.phrase())...)
		return []string{"memory/archive/" + day + ".md"}
	case 12: // a drawer is moved, put away or brought back
		p := "memory/drawers/" + e.day() + ".md"
		stored := vault.ParseDrawers(vault.Path(p), []byte(e.read(p))).Drawers
		if len(stored) == 0 {
			return nil
		}
		d := stored[e.r.IntN(len(stored))]
		ev := drawers.Event{At: d.At, Drawer: d.ID, Day: vault.DayOf(d.At)}
		switch ev.Kind = []string{drawers.Move, drawers.Archive, drawers.Restore}[e.r.IntN(3)]; ev.Kind {
		case drawers.Move:
			ev.Wing = &[]string{"", "travel", "home"}[e.r.IntN(3)]
		case drawers.Archive:
			ev.Reason = "faded"
		}
		if err := e.v.AppendState(context.Background(), drawers.FileName, ev); err != nil {
			e.t.Fatal(err)
		}
		return []string{string(drawers.File)}
	case 3:
		day := e.day()
		_, err := e.v.AppendDrawers(context.Background(), []vault.Drawer{{
			At: vault.Day(day).Time().Add(time.Duration(e.r.IntN(86400)) * time.Second), ChatID: fmt.Sprintf("c%d", e.r.IntN(3)),
			Speaker: "Alice", Text: strings.Repeat(e.phrase()+". ", 1+e.r.IntN(30)), Ref: fmt.Sprint("r", e.n),
		}})
		if err != nil {
			e.t.Fatal(err)
		}
		return []string{"memory/drawers/" + day + ".md"}
	case 4: // a line by hand, sometimes one that is there already, or on another day
		p := "memory/archive/" + e.day() + ".md"
		text := e.read(p)
		line := "- [note] " + e.phrase() + "\n"
		if lines := strings.SplitAfter(text, "\n"); e.r.IntN(2) == 0 && len(lines) > 4 {
			line = lines[len(lines)-2]
			if e.r.IntN(2) == 0 {
				p = "memory/archive/" + e.day() + ".md"
				text = e.read(p)
			}
		}
		if text == "" {
			text = "# Daily Log\n\n## 09:00 — hand\n"
		}
		e.write(p, text+line)
		return []string{p}
	case 5: // a line goes
		p := "memory/archive/" + e.day() + ".md"
		lines := strings.SplitAfter(e.read(p), "\n")
		if len(lines) < 5 {
			return nil
		}
		i := e.r.IntN(len(lines))
		e.write(p, strings.Join(append(lines[:i:i], lines[i+1:]...), ""))
		return []string{p}
	case 6, 7:
		p := fmt.Sprintf("%s/page %d.md", zones[e.r.IntN(len(zones))], e.r.IntN(5))
		if i := e.r.IntN(8); i < 2 {
			p = [2]string{"0_Inbox/Conflicts.md", "memory/MEMORY.md"}[i]
		}
		e.pages = append(e.pages, p)
		e.write(p, fmt.Sprintf("---\ntags: [t%d]\ntype: note\n---\n# %s\n\n%s\n\n- %s (%s)\n- %s (%s, %s)\n\n## %s\n%s\n",
			e.r.IntN(3), e.phrase(), e.phrase(), e.phrase(), e.link(), e.phrase(), e.link(), e.link(), e.phrase(),
			strings.Repeat(e.phrase()+". ", e.r.IntN(40))))
		return []string{p}
	case 8: // a page is renamed
		if len(e.pages) == 0 {
			return nil
		}
		from := e.pages[e.r.IntN(len(e.pages))]
		to := fmt.Sprintf("5_Archives/moved %d.md", e.n)
		if os.MkdirAll(e.path("5_Archives"), 0o755) != nil || os.Rename(e.path(from), e.path(to)) != nil {
			return nil
		}
		e.pages = append(e.pages, to)
		return []string{from, to}
	case 9: // a page or a folder is deleted
		p := zones[e.r.IntN(len(zones))]
		if len(e.pages) > 0 && e.r.IntN(3) > 0 {
			p = e.pages[e.r.IntN(len(e.pages))]
		}
		if err := os.RemoveAll(e.path(p)); err != nil {
			e.t.Fatal(err)
		}
		return []string{p}
	case 11: // a person corrects a line, or takes the correction back
		p := "memory/archive/" + e.day() + ".md"
		if text := e.read(p); e.r.IntN(2) == 0 {
			e.write(p, strings.ReplaceAll(text, " tea", " coffee"))
		} else {
			e.write(p, strings.ReplaceAll(text, " coffee", " tea"))
		}
		return []string{p}
	case 10: // something is forgotten, or taken back
		rows := e.rows()
		if len(rows) == 0 || e.r.IntN(3) > 0 {
			return nil
		}
		var err error
		if n := len(e.gone); n > 0 && e.r.IntN(3) == 0 {
			_, err = e.v.Unforget(context.Background(), e.gone[n-1].ID, []string{e.gone[n-1].Text})
			e.gone = e.gone[:n-1]
		} else {
			e.gone = append(e.gone, vault.Tombstone{Text: rows[e.r.IntN(len(rows))].Text, Reason: "asked", ID: fmt.Sprint("g", e.n)})
			err = e.v.Forget(context.Background(), e.gone[n:])
		}
		if err != nil {
			e.t.Fatal(err)
		}
		return []string{".state/tombstones.jsonl"}
	default: // a dream moves the watermark, or is undone
		run := fmt.Sprintf("r-%d", e.n)
		if len(e.runs) > 0 && e.r.IntN(4) == 0 {
			p := ".state/dreams/" + e.runs[e.r.IntN(len(e.runs))] + "/undone"
			e.write(p, "")
			return []string{p}
		}
		e.runs = append(e.runs, run)
		var ledger strings.Builder
		for _, f := range e.ids {
			switch e.r.IntN(4) {
			case 0: // as ledgers were before they knew the lines
				fmt.Fprintf(&ledger, "{\"fact\":%q,\"outcome\":\"kept\",\"run\":%q}\n", f.ID, run)
			case 1, 2:
				fmt.Fprintf(&ledger, "{\"fact\":%q,\"day\":%q,\"outcome\":\"kept\",\"run\":%q,\"page\":\"0_Inbox/page "+
					"1.md\",\"drawer\":\"d%d\",\"ref\":%q,\"chat\":%q,\"at\":%q,\"version\":%q}\n",
					f.ID, f.Day, run, e.r.IntN(9), f.ID, f.Section.ChatID, f.Section.At.Format(time.RFC3339), f.Version())
			}
		}
		e.write(".state/dreams/"+run+"/ledger.jsonl", ledger.String())
		e.write(".state/dreams/"+run+"/done", "")
		e.write("log.md", fmt.Sprintf("# Log\n\n## 2026-06-10 03:00 — dream %s\nwatermark=2026-06-%02d\n", run, 1+e.r.IntN(4)))
		return []string{"log.md", ".state/dreams/" + run + "/done"}
	}
}

// TestIncrementalEqualsRebuild: whatever happens to the vault, in whatever order it is told, the
// index has the rows that a rebuild from nothing gives.
func TestIncrementalEqualsRebuild(t *testing.T) {
	seeds := uint64(6)
	if testing.Short() {
		seeds = 3
	}
	for seed := range seeds {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			w := newWorld(t)
			if seed%2 == 0 {
				w.part = 200 // so that growing files are read in parts
			}
			switch seed % 3 {
			case 1: // with what later parts add
				w.tweak = func(o *indexer.Options) { withTriples(o); withClosets(o) }
			case 2: // the index of closets
				w.tweak = closetsOnly
			}
			w.open()
			e := &editor{world: w, r: rand.New(rand.NewPCG(seed, 1))}
			var told []string
			for range 60 {
				told = append(told, e.step()...)
				switch e.r.IntN(4) {
				case 0: // late, doubled and out of order
					e.r.Shuffle(len(told), func(i, j int) { told[i], told[j] = told[j], told[i] })
					if len(told) > 0 {
						w.sync(append(told, told[0])...)
					}
					told = nil
					w.equal()
				case 1:
					if e.r.IntN(4) == 0 { // restart; what was not told is found
						w.close()
						w.open()
						w.sync()
						told = nil
						w.equal()
					}
				}
			}
			w.sync()
			w.equal()
			w.settle()
			w.verified()
			before := w.rows()
			if err := w.ix.Rebuild(context.Background(), nil); err != nil {
				t.Fatal(err)
			}
			if d := diff(before, w.rows()); d != "" {
				t.Fatalf("before (-) and after (+) a rebuild:\n%s", d)
			}
			w.settle()
			w.verified()
		})
	}
}

// TestFollowerEqualsRows: parsing the tail gives what parsing the whole gives.
func TestFollowerEqualsRows(t *testing.T) {
	seeds := uint64(20)
	if testing.Short() {
		seeds = 4
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 2))
		for _, kind := range []struct {
			src indexer.Source
			p   vault.Path
			add func() string
		}{
			{indexer.LogSource(), "memory/archive/2026-06-09.md", func() string { return logText(r) }},
			{indexer.DrawerSource(), "memory/drawers/2026-06-09.md", func() string { return drawerText(r) }},
		} {
			follower := kind.src.Follow(kind.p)
			text := "# Head\n\n"
			var rows []indexer.Row
			for step := range 25 {
				text += kind.add()
				keep, tail, _, ok := follower.Next([]byte(text), indexer.Env{})
				if !ok {
					follower = kind.src.Follow(kind.p)
					if keep, tail, _, ok = follower.Next([]byte(text), indexer.Env{}); !ok || keep != 0 {
						t.Fatalf("a new follower refuses: keep %d", keep)
					}
				}
				rows = append(rows[:keep:keep], tail...)
				want, _ := kind.src.Rows(kind.p, []byte(text), indexer.Env{})
				if d := diff(want, rows); d != "" {
					t.Fatalf("seed %d step %d: whole (-) and followed (+):\n%s\n%s", seed, step, d, text)
				}
			}
		}
	}
}

func logText(r *rand.Rand) string {
	switch r.IntN(9) {
	case 0:
		return "- a line by hand\n"
	case 1:
		return "- [fact] copied ^f0k2m9x1aa\n"
	case 2:
		return "\nfree text, and\n```\n## not a head\n```\n"
	case 3:
		return "## 11:00 — empty\n"
	case 4:
		return fmt.Sprintf("- [fact] torn line %d", r.IntN(5))
	case 5:
		return "## bad head\n- lost\n"
	}
	f := vault.Fact{ID: vault.NewID('f'), Category: "fact", Text: fmt.Sprintf("fact %d", r.IntN(100)), Tags: []string{"a"}}
	s := vault.Section{At: vault.Day("2026-06-09").Time(), ChatID: fmt.Sprintf("c%d", r.IntN(3)), Speaker: "Alice"}
	return "\n" + string(vault.FormatSection(s, []vault.Fact{f, {ID: vault.NewID('f'), Text: "twin"}}))
}

func drawerText(r *rand.Rand) string {
	switch r.IntN(8) {
	case 0:
		return "\n## 10:00 — c1 ^d0k2m9x1aa\n```drawer wing=w\ncopied\n```\n"
	case 1:
		return "\nfree text\n\n## 10:00 — no fence\n"
	case 2:
		return "\n```\n## 10:00 — c1 ^d0k2m9x1ab\n"
	}
	return "\n" + string(vault.FormatDrawer(vault.Drawer{
		ID: vault.NewID('d'), At: vault.Day("2026-06-09").Time(), ChatID: fmt.Sprintf("c%d", r.IntN(3)), Ref: "r",
		Text: strings.Repeat("## 10:00 — text\n```\nsome words. ", 1+r.IntN(40)),
	}))
}
