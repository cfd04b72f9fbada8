// Package importer reads conversations out of what other programs exported and groups them into turns; it sends nothing.
package importer
