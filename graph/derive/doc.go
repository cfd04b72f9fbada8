// Package derive reads facts as events of the graph: who lives, works and studies where, who is what to whom, what is used, owned and led,
// and since when. The package is pure. How sure a statement is, and where its clauses begin, is decided by dream/claim; what each relation
// is called is in frames.txt.
package derive
