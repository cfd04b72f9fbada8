// Package extract turns text into facts, types, entities and dates.
//
// The package reads no file and no clock: the same turn always gives the same facts. Rules do the work
// without any model; [Model] asks one, in one structured call a turn, and falls back to the rules.
package extract
