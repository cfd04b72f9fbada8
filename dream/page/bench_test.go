package page

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// shapes are pages of n statements, by how they stand to each other.
var shapes = map[string]func(b *strings.Builder, i int){
	"plain": func(b *strings.Builder, i int) { fmt.Fprintf(b, "- Item %d is here%s\n", i, tail(i)) },
	"parents": func(b *strings.Builder, i int) {
		fmt.Fprintf(b, "- Item %d is here%s\n  - a part of %d\n  - and another of %d\n", i, tail(i), i, i)
	},
	"equal children": func(b *strings.Builder, i int) { fmt.Fprintf(b, "- Item %d is here%s\n  - a part\n", i, tail(i)) },
	"children": func(b *strings.Builder, i int) {
		fmt.Fprintf(b, "- Parent %d\n  - Item %d is here%s\n", i, i, tail(i))
	},
	"one parent": func(b *strings.Builder, i int) {
		if i == 0 {
			b.WriteString("- Parent\n")
		}
		fmt.Fprintf(b, "  - Item %d is here%s\n", i, tail(i))
	},
	"two lines": func(b *strings.Builder, i int) {
		fmt.Fprintf(b, "- Item %d is\n  here%s\n", i, tail(i))
	},
}

func tail(i int) string { return fmt.Sprintf(" ([[2026-06-09#^f%d|9 Jun 2026]])", i) }

func shaped(shape string, n int) (*Doc, []string) {
	var b strings.Builder
	b.WriteString("# Page\n\n## Facts\n")
	for i := range n {
		shapes[shape](&b, i)
	}
	b.WriteString("\n## Notes\n- mine\n")
	d := Parse("a.md", []byte(b.String()))
	var ids []string
	for _, st := range d.Statements() {
		if strings.HasPrefix(st.Text, "Item ") {
			ids = append(ids, st.ID)
		}
	}
	return d, ids
}

// What one edit of a long page costs: ns/item should not grow with the items.
func BenchmarkEdits(b *testing.B) {
	for _, edit := range []string{"retire", "remove"} {
		for _, shape := range []string{"plain", "parents", "children", "one parent", "two lines", "equal children"} {
			for _, n := range []int{250, 1000} {
				b.Run(fmt.Sprintf("%s/%s/%d", edit, shape, n), func(b *testing.B) {
					for range b.N {
						d, ids := shaped(shape, n)
						for _, id := range ids {
							ok := false
							if edit == "remove" {
								ok = d.Remove(id)
							} else {
								_, ok = d.Retire(id, "until 9 Jun 2026")
							}
							if !ok {
								b.Fatal("refused")
							}
						}
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/item")
				})
			}
		}
	}
}

// What an edit reads again is the item, not the page.
func TestEditsReadTheirItem(t *testing.T) {
	for _, shape := range []string{"plain", "parents", "children", "two lines"} {
		cost := func(n int) float64 {
			d, ids := shaped(shape, n)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for _, id := range ids {
				if !d.Remove(id) {
					t.Fatalf("%s: refused", shape)
				}
			}
			runtime.ReadMemStats(&after)
			return float64(after.TotalAlloc-before.TotalAlloc) / float64(n)
		}
		if few, many := cost(100), cost(1000); many > 3*few+1000 {
			t.Errorf("%s: %.0f bytes an item of 100, %.0f of 1000", shape, few, many)
		}
	}
}
