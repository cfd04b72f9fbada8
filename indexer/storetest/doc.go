// Package storetest is the conformance suite of [indexer.Engine]: what every vector engine must do,
// whatever it is made of.
package storetest
