// Command start fits what package dream/start knows, and writes it: the weights of words, from statements that were labelled with whether
// a session should start with them (scripts/sense/data), lines that are not even understood or lasting (scripts/threads/lines), and lines
// that readers marked where they stood (scripts/start/data); and the table, from these last ones. The same data gives the same bytes.
//
// With -check it leaves out a fourth of the authors in turn and tells how many of the lines above each bar are wanted.
package main

import (
	"flag"
	"log"
	"os"
	"path/filepath"
)

func main() {
	log.SetFlags(0)
	scripts := flag.String("scripts", "scripts", "folder of the data")
	out := flag.String("o", "dream/start", "folder for weights.bin and table.go")
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
	words, table := all.train()
	if err := os.WriteFile(filepath.Join(*out, "weights.bin"), words, 0o644); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(*out, "table.go"), source(table), 0o644); err != nil {
		log.Fatal(err)
	}
}
