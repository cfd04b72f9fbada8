// Package dream consolidates the daily logs into the wiki.
//
// [Gate] decides when: it is pure, sees only counts and times, and gives its reasons in words.
package dream
