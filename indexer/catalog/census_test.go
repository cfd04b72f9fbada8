package catalog

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"
)

// drawerRows are rows of drawers of several chunks, with facts that derive from them.
func drawerRows(n int) (rows []Row) {
	at := time.Date(2026, 6, 9, 12, 0, 0, 0, time.UTC)
	for i := range n {
		r := Row{
			File: "memory/drawers/2026-06-09.md", ID: fmt.Sprintf("d%03d", i), Drawer: fmt.Sprintf("d%03d", i), Source: DrawerText,
			Text: "tea", At: at.Add(time.Duration(i/3) * time.Second),
			Guessed: i%5 == 0, Wing: []string{"work", "home", ""}[i%3], Room: []string{"auth", ""}[i%2],
			Hall: []string{"", "events"}[i/2%2],
		}
		rows = append(rows, r)
		if i%4 == 0 {
			r.ID += ".2"
			rows = append(rows, r)
		}
		r.ID, r.Source = fmt.Sprintf("f%03d", i), ArchiveLog
		rows = append(rows, r)
	}
	return rows
}

// Places count each drawer once, whatever the index has of it.
func TestPlaces(t *testing.T) {
	_, g := mustCreate(t, t.TempDir())
	mustApply(t, g, Change{Path: "memory/drawers/2026-06-09.md", State: &FileState{Size: 1}, Insert: drawerRows(60)})
	want := map[string]int{}
	for i := range 60 {
		want[fmt.Sprint([]string{"work", "home", ""}[i%3], "/", []string{"auth", ""}[i%2], "/", []string{"", "events"}[i/2%2], i%5 == 0)]++
	}
	got := map[string]int{}
	for _, p := range g.Reader().Places(Filter{}) {
		got[fmt.Sprint(p.Wing, "/", p.Room, "/", p.Hall, p.Guessed)] += p.Drawers
	}
	if !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	of := 0
	for _, p := range g.Reader().Places(Filter{Wing: "home", Room: "auth"}) {
		of += p.Drawers
	}
	if of != 10 {
		t.Errorf("%d in one room", of)
	}
}

// Pages of drawers have each drawer once, the newest first, whatever is written between them.
func TestPagesOfDrawers(t *testing.T) {
	_, g := mustCreate(t, t.TempDir())
	rows := drawerRows(100)
	mustApply(t, g, Change{Path: "memory/drawers/2026-06-09.md", State: &FileState{Size: 1}, Insert: rows})
	for _, f := range []Filter{{}, {Wing: "home"}, {Wing: "nowhere"}} {
		for _, n := range []int{1, 7, 100, 200} {
			var want, got []string
			for _, r := range rows {
				if r.Source == DrawerText && r.ID == r.Drawer && (f.Wing == "" || f.Wing == r.Wing) {
					want = append(want, r.Drawer)
				}
			}
			var mark *Mark
			var late []Key
			for page := 0; page == 0 || mark != nil; page++ {
				ids, next, err := g.Reader().Drawers(context.Background(), f, mark, n)
				if err != nil || len(ids) > n || next != nil && len(ids) < n {
					t.Fatalf("%d of %d ids, %v, %v", len(ids), n, next, err)
				}
				got, mark = append(got, ids...), next
				if page == 0 { // what comes now is newer
					row := Row{
						File: "memory/drawers/2026-06-10.md", ID: "late", Drawer: "late", Source: DrawerText, Text: "tea", Wing: "home",
						At: rows[len(rows)-1].At.Add(time.Hour),
					}
					late = mustApply(t, g, Change{Path: "memory/drawers/2026-06-10.md", State: &FileState{Size: 1}, Insert: []Row{row}})[0]
				}
			}
			mustApply(t, g, Change{Path: "memory/drawers/2026-06-10.md", State: &FileState{Size: 1}, Delete: late})
			second := func(id string) int { return int(id[1]-'0')*100 + int(id[2]-'0')*10 + int(id[3]-'0') }
			if !slices.IsSortedFunc(got, func(a, b string) int { return cmp.Compare(second(b)/3, second(a)/3) }) {
				t.Errorf("not the newest first: %v", got)
			}
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("%+v by %d: %v, want %v", f, n, got, want)
			}
		}
	}
}
