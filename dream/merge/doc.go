// Package merge brings a generated file together with what a person made of it since, line by line.
//
// The base must be the text that was generated last time, not the merged file: else a person's edit would count as ours one dream later.
package merge
