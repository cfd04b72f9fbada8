// Package importer reads conversations, facts and notes out of what other programs exported. The package sends nothing and writes nothing.
package importer
