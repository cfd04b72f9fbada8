// Package graph is the temporal knowledge graph: who relates to what, and from when until when.
//
// What was said about it are events; [Build] makes of them entities and triples with an index, and the rest asks that. The package is pure:
// it reads no file and no clock.
package graph
