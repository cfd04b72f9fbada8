package navigate

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/dream/merge"
	"github.com/reverie-memory/reverie/vault"
)

// TestMapOverManyDreams lets pages come, change and go, while a person edits the map between the dreams. Each page has to be there
// once, unless the person took it away, and so has every line of the person.
func TestMapOverManyDreams(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 3))
		var pages []PageInfo
		zones := Zones()
		base, file := []byte(EmptyIndex), []byte(EmptyIndex)
		own := map[string]bool{}     // lines that the person added
		glossed := map[string]bool{} // links whose line the person worded
		deleted := map[string]bool{} // links whose line the person deleted
		for dream := range 12 {
			for range 1 + r.IntN(4) {
				n := len(pages) + 100*dream
				pages = append(pages, PageInfo{
					Path:  vault.Path(fmt.Sprintf("%s/Page %c%d.md", zones[1+r.IntN(len(zones)-1)], 'a'+rune(r.IntN(26)), n)),
					Gloss: fmt.Sprintf("first said %d", r.IntN(100)),
				})
			}
			for i := range pages {
				pages[i].Title = baseName(pages[i].Path)
				if r.IntN(3) == 0 {
					pages[i].Gloss = fmt.Sprintf("in dream %d it is %d", dream, r.IntN(1000))
				}
			}
			gone := PageInfo{}
			if len(pages) > 3 && r.IntN(3) == 0 {
				i := r.IntN(len(pages))
				gone = pages[i]
				pages = slices.Delete(pages, i, i+1)
			}
			ours := Index(vault.Layout{}, slices.Values(pages))
			merged, _ := merge.Merge(base, file, ours)
			where := fmt.Sprintf("seed %d, dream %d:\n%s\n%s", seed, dream,
				merge.Unified("base to theirs", base, file), merge.Unified("ours to merged", ours, merged))
			lines := tally(merged)
			for line := range own {
				if lines[line] != 1 {
					t.Fatalf("%q is there %d times; %s", line, lines[line], where)
				}
			}
			for _, p := range pages {
				link := "- [[" + p.Title + "]]"
				line := link + ": " + p.Gloss
				n := strings.Count(string(merged), link)
				switch {
				case deleted[link] && n > 0, !deleted[link] && n != 1:
					t.Fatalf("%s is there %d times; %s", link, n, where)
				case !deleted[link] && !glossed[link] && lines[line] != 1:
					t.Fatalf("%q is old; %s", line, where)
				}
			}
			if link := "- [[" + gone.Title + "]]"; gone.Title != "" && !glossed[link] && strings.Contains(string(merged), link) {
				t.Fatalf("%s is gone and there; %s", link, where)
			}
			for line := range lines {
				link, _, _ := strings.Cut(line, ": ")
				if line != "" && !own[line] && !glossed[link] && tally(ours)[line] == 0 {
					t.Fatalf("%q is left over; %s", line, where)
				}
			}
			base, file = ours, merged
			file = edit(r, file, dream, own, glossed, deleted)
		}
	}
}

// edit is a person with the map open.
func edit(r *rand.Rand, file []byte, dream int, own, glossed, deleted map[string]bool) []byte {
	lines := merge.Split(file).Lines
	at := func() (int, string) {
		for range 50 {
			i := r.IntN(len(lines))
			if link, _, ok := strings.Cut(lines[i], ": "); ok && strings.HasPrefix(link, "- [[Page") {
				return i, link
			}
		}
		return -1, ""
	}
	if i, link := at(); i >= 0 && r.IntN(2) == 0 && !glossed[link] {
		lines[i] = fmt.Sprintf("%s: my words of %d", link, dream)
		glossed[link] = true
	}
	if i, link := at(); i >= 0 && r.IntN(4) == 0 && !glossed[link] {
		lines = slices.Delete(lines, i, i+1)
		deleted[link] = true
	}
	if r.IntN(2) == 0 {
		mine := fmt.Sprintf("- a line of my own %d", dream)
		own[mine] = true
		lines = slices.Insert(lines, 1+r.IntN(len(lines)), mine)
	}
	if r.IntN(5) == 0 {
		head := fmt.Sprintf("## Mine %d", dream)
		own[head] = true
		lines = append(lines, "", head)
	}
	return []byte(strings.Join(lines, "\n") + "\n")
}

// TestMemoryOverManyDreams does the same with claims, which have nothing to know them by but their words: what was ours may not stay
// for good as if a person had written it.
func TestMemoryOverManyDreams(t *testing.T) {
	for seed := range seeds(20) {
		r := rand.New(rand.NewPCG(seed, 4))
		pages := randomPages(r, 40)
		base, file := []byte(nil), []byte(EmptyMemory)
		own := map[string]bool{}
		for dream := range 12 {
			for i := range pages {
				if r.IntN(4) == 0 {
					pages[i].Lines = randomPages(r, 1)[0].Lines
				}
			}
			in := MemoryInput{Pages: slices.Values(pages), Today: vault.DayOf(vault.Day("2026-06-10").Time().AddDate(0, 0, dream)), MaxLines: 60}
			merged, ours, _ := MergeMemory(base, file, in)
			where := fmt.Sprintf("seed %d, dream %d:\n%s\n%s", seed, dream,
				merge.Unified("base to theirs", base, file), merge.Unified("ours to merged", ours, merged))
			lines, generated := tally(merged), tally(ours)
			for line := range own {
				if lines[line] == 0 {
					t.Fatalf("%q is lost; %s", line, where)
				}
			}
			for line := range lines {
				if line != "" && !own[line] && generated[line] == 0 {
					t.Fatalf("%q is left over; %s", line, where)
				}
			}
			if n := strings.Count(string(merged), "\n"); n > 60 {
				t.Fatalf("%d lines; %s", n, where)
			}
			base = ours
			now := merge.Split(merged).Lines
			if i := r.IntN(len(now)); strings.HasPrefix(now[i], "- ") && !own[now[i]] {
				now[i] += " as I know"
				own[now[i]] = true
			}
			if i := r.IntN(len(now)); strings.HasPrefix(now[i], "- ") && !own[now[i]] {
				now = slices.Delete(now, i, i+1)
			}
			mine := fmt.Sprintf("- my own line of %d", dream)
			own[mine] = true
			now = slices.Insert(now, 1+r.IntN(len(now)), mine)
			file = []byte(strings.Join(now, "\n") + "\n")
		}
	}
}

// seeds is how many random cases are tried: a few where time is short.
func seeds(n uint64) uint64 {
	if testing.Short() {
		return min(n, 4)
	}
	return n
}

func tally(data []byte) map[string]int {
	n := map[string]int{}
	for _, line := range merge.Split(data).Lines {
		n[line]++
	}
	return n
}
