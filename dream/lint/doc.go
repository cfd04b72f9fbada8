// Package lint tells what is wrong with the wiki: dead links, orphans, statements without their sources, old conflicts. The package only
// reads.
package lint
