// Package sketch finds candidates for a nearest-neighbour search in memory, in a twentieth of the
// space that the vectors take.
//
// The code of a vector is one bit a dimension, after a rotation that spreads every vector evenly. The package sorts out all but the
// thousand rows or so that may be the nearest, at a popcount a word; who asks measures those by their vectors, which come with a checksum.
package sketch
