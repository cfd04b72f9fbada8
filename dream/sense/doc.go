// Package sense tells which side of life a statement is about.
//
// The package is a linear model over hashed features, trained by scripts/sense from sentences that we wrote and labelled.
package sense
