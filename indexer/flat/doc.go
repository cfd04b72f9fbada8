// Package flat is the vector engine that needs nothing: exact cosine over vectors held in memory.
//
// The engine answers every search exactly, so it is the reference for other engines. Vectors are kept in
// append-only files of fixed-size, checksummed records beside it; see engine.go for the format.
package flat
