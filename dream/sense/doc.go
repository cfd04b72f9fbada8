// Package sense tells which side of life a statement is about, and whether an assistant would want it whenever a conversation begins.
//
// It is a linear model over hashed features, trained by scripts/sense from sentences that we wrote and labelled.
package sense
