// Package tier decides by its words of what type a memory is, and how sure that is, and says whether that is enough.
//
// The package is a linear model over hashed features, trained by scripts/types from texts that we wrote and labelled.
package tier
