// Package worth judges whether a sentence is worth a line of memory: whether it lasts, and whether it stands alone.
//
// The package is a linear model over hashed features, trained by scripts/worth from sentences that we wrote and labelled.
package worth
