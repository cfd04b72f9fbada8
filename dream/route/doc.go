// Package route decides where a fact belongs in the wiki: its page, its section, the links in it, and how it reads there.
//
// The package is pure: the same facts and the same directory of pages give the same places, without a model, a clock or a file.
package route
