// Package graph is the temporal knowledge graph: who relates to what, and from when until when.
//
// What was said about it are events in .state/graph.jsonl; [Project] turns them into triples, and the rest asks
// them. It is pure: it reads no file and no clock.
package graph
