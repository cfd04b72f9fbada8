// Package recall finds what the vault knows about a question, ranks it and cuts it to fit a prompt.
//
// The package reads the index and writes nothing: what it found is told to a [Sink]. Watching a search (explain, trace, timings) never
// changes its hits, their order or their scores. Memory text is data: [Searcher.Context] escapes and fences it.
package recall
