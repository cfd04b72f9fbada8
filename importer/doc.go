// Package importer reads conversations, facts and notes out of what other programs exported. It sends nothing and writes nothing.
package importer
