// Package reads keeps the record of what was recalled, and how often each row was.
package reads
