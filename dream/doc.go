// Package dream consolidates the daily logs into the wiki, and proves that nothing was lost on the way.
//
// A [Gate] decides when. A [Runner] collects the facts of a batch, plans what becomes of each of them, saves the plan, carries it
// out page by page, asks for the facts again, and only then moves the watermark. A run that is cut off is continued from its plan
// or never happened. docs/dream.md tells it to the people whose notes these are.
package dream
