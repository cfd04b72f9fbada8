// Package sketch finds candidates for a nearest-neighbour search in memory, in a quarter of the
// space that the vectors take.
//
// Each vector has two codes. One bit a dimension, after a rotation that spreads every vector evenly,
// sorts out all but a few thousand rows at a popcount a word; eight bits a dimension rank those.
// The estimates come with an error of about a thousandth; who needs the exact distance asks the
// store that has the vectors.
package sketch
