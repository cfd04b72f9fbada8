// Package durable writes small files and makes folders so that a power cut leaves them whole, or not there at all.
package durable
