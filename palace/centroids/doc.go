// Package centroids learns where the vectors of each type of memory lie, from drawers of which a model said the type, and tells the type of
// others by that.
//
// Nothing else teaches it: a type that words or centroids decided would only confirm itself. Below a number of drawers a type has no
// centroid; such a type is dormant.
package centroids
