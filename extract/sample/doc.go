// Package sample measures an extractor on sentences that were labelled by hand.
//
// The first 60 % of the sentences were there to work on the rules with, the rest was held out. All of
// them are invented.
package sample
