// Package layers holds the test of which package may use which.
package layers
