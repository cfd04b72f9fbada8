// Package drawers keeps what becomes of drawers after they were filed: where they hang now, what they turned out to be, how much they
// matter, which were put away.
//
// A drawer's file is never rewritten. Each thing that happens is a line of one journal, an [Event], and what is known is those lines
// folded into a [State]. A drawer of which nothing was said has neither a line nor an entry.
package drawers
