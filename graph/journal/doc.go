// Package journal keeps the graph of an open vault: it writes what is asserted, folds that with what facts say into a state of the index's
// projections, and gives each caller the graph as far as he may see it.
package journal
