package navigate

import "iter"

// EmptyIndex is the map of a vault without pages: the file of the template.
const EmptyIndex = `# Index

The map of this vault: each page with one line about it. It is empty until the first dream, which reads the daily logs and
writes the first pages. How the vault works: [[schema]].
`

// Index is the map of the pages, by zone and title. It keeps a title and a gloss of each page, nothing more.
func Index(pages iter.Seq[PageInfo]) []byte { return nil }

// Gloss says in at most max runes what a page is about, from its newest and most telling statements. names are the page's title
// and other names: as the subject of a statement they are left out.
func Gloss(lines []Line, max int, names ...string) string { return "" }
