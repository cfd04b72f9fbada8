// Package lexis turns text into terms: normal form, words, stems, CJK bigrams, stop words, word frequencies and vectors of what words
// mean; and into sentences and chunks.
//
// The full-text index, the built-in embedder and extraction all see words through it, so that a
// question and a stored line are cut the same way. The functions are pure and know of no vault.
package lexis
