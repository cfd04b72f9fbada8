// Command trust fits the weights by which package trust knows notes that would have an assistant run, fetch, send, install or trust
// something, and writes them. The same data gives the same bytes.
//
// With -check it leaves out each author in turn, and tells how many of the notes that would, and of those that would not, are found.
package main

import (
	"flag"
	"log"
	"os"
)

func main() {
	log.SetFlags(0)
	scripts := flag.String("scripts", "scripts", "folder of the data")
	out := flag.String("o", "trust/weights.bin", "where the weights go")
	check := flag.Bool("check", false, "measure on authors left out, and write nothing")
	flag.Parse()
	all, err := load(os.DirFS(*scripts))
	if err != nil {
		log.Fatal(err)
	}
	if *check {
		all.measure(os.Stdout)
		return
	}
	if err := os.WriteFile(*out, fit(all), 0o644); err != nil {
		log.Fatal(err)
	}
}
