// Package modeltest makes small models with weights by chance, for tests.
package modeltest
