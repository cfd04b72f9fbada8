// Package linear is logistic regression over hashed features, small enough to be part of the program: a weight is one signed byte.
package linear
