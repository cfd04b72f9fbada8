package recall

import (
	"context"
	"slices"
)

// A message is one that rows derive from: callers' ids are theirs within a chat.
type message struct{ chat, ref string }

// absorb makes one hit of a statement that rests on several messages and of what tells nothing but those messages. The hit stands where the
// better of them stood. absorb expects r.ranked best first.
var absorb = &Phase{
	Name: "absorb", Step: Ranking, Stage: "rank", Switch: "fold",
	Run: func(_ context.Context, r *search) error {
		told := make([][]message, len(r.ranked))
		var wide []int // groups with a row of several messages
		for i := range r.ranked {
			several := false
			for _, row := range r.ranked[i].rows {
				several = several || len(row.row.Refs) > 1 && fromLog(&row.row)
				for _, ref := range row.row.Refs {
					if m := (message{row.row.Chat, ref}); !slices.Contains(told[i], m) {
						told[i] = append(told[i], m)
					}
				}
			}
			if several {
				wide = append(wide, i)
			}
		}
		gone := make([]bool, len(r.ranked))
		for _, w := range wide {
			for i := range r.ranked {
				if i == w || gone[i] || gone[w] || len(told[i]) == 0 || !covers(told[w], told[i]) {
					continue
				}
				into, from := min(i, w), max(i, w)
				r.ranked[into].rows = append(r.ranked[into].rows, r.ranked[from].rows...)
				slices.SortStableFunc(r.ranked[into].rows, compareRows)
				told[into], gone[from], w = told[w], true, into
			}
		}
		kept := r.ranked[:0]
		for i, g := range r.ranked {
			if !gone[i] {
				kept = append(kept, g)
			}
		}
		r.ranked = kept
		return nil
	},
}

func covers(all, some []message) bool {
	return !slices.ContainsFunc(some, func(m message) bool { return !slices.Contains(all, m) })
}
