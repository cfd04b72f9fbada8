// Package lexis turns text into terms: normal form, words, stems, CJK bigrams, stop words and word frequencies.
//
// The full-text index, the built-in embedder and extraction all see words through it, so that a
// question and a stored line are cut the same way. It is pure and independent of any vault.
package lexis
