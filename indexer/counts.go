package indexer

import (
	"maps"
	"strconv"
)

// counts gives out ids that are unique within a file and places within a chat. counts can lie on
// another that it leaves as it is, so that a follower can try a tail more than once.
type counts struct {
	under *counts
	ids   map[string]int
	seqs  map[string]int
}

func newCounts(under *counts) *counts {
	return &counts{under: under, ids: map[string]int{}, seqs: map[string]int{}}
}

// id returns id where it is new in this file, else "id~2", "id~3", …
func (c *counts) id(id string) string {
	n := c.seen(id) + 1
	c.ids[id] = n
	if n == 1 {
		return id
	}
	return id + "~" + strconv.Itoa(n)
}

func (c *counts) seen(id string) int {
	n, ok := c.ids[id]
	if !ok && c.under != nil {
		return c.under.seen(id)
	}
	return n
}

// next is the next place in the chat: 1, 2, …
func (c *counts) next(chat string) int {
	n := c.place(chat) + 1
	c.seqs[chat] = n
	return n
}

func (c *counts) place(chat string) int {
	n, ok := c.seqs[chat]
	if !ok && c.under != nil {
		return c.under.place(chat)
	}
	return n
}

// take adds what was counted over c.
func (c *counts) take(over *counts) {
	maps.Copy(c.ids, over.ids)
	maps.Copy(c.seqs, over.seqs)
}

// again says whether an id was met that had been there before.
func (c *counts) again() bool {
	for _, n := range c.ids {
		if n > 1 {
			return true
		}
	}
	return false
}
