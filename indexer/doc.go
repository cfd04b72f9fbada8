// Package indexer keeps the search index equal to the vault, and is the index's only writer.
//
// The package owns the catalog (rows, full text, cached vectors) and the vector engine of each workspace. [Indexer.Sync] is steady state,
// first run and recovery at once: it turns files into rows by pure functions, compares them with the rows it has, and writes the
// difference. Losing the index loses nothing but time. Readers get a [Reader], which has no method that writes.
package indexer
