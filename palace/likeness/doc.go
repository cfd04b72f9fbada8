// Package likeness puts the nearness of vectors on one scale for all embedders.
//
// Each embedder spreads texts in its own way: what one puts at 0.8 another puts at 0.4. Thresholds are meant for text-embedding-3-small;
// for each other embedder that was measured, a table says which of its cosines mean the same.
package likeness
