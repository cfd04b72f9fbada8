// Command sense trains the weights of package dream/sense from the labelled statements in scripts/sense/data, and writes them.
// The same data give the same bytes, on any machine.
//
// With -check it trains on four fifths of the conversations and measures on the rest, in turn, and writes nothing; with -check -authors it
// leaves out one author after the other.
package main

import (
	"embed"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"os"

	"github.com/reverie-memory/reverie/dream/sense"
	"github.com/reverie-memory/reverie/internal/linear"
)

//go:embed data/*.jsonl
var data embed.FS

// An example is a statement with its labels.
type example struct {
	Conv  string   `json:"conv"` // author/conversation
	Lang  string   `json:"lang"`
	Text  string   `json:"text"`
	Names []string `json:"side"` // the best first

	sides    []sense.Side
	features []uint32
}

func main() {
	log.SetFlags(0)
	out := flag.String("o", "weights.bin", "file of the weights")
	check := flag.Bool("check", false, "measure, and write nothing")
	authors := flag.Bool("authors", false, "measure each author's statements by what the others' teach")
	flag.Parse()
	examples, err := load(data, "data")
	if err != nil {
		log.Fatal(err)
	}
	if *check {
		measure(os.Stdout, examples, *authors)
		return
	}
	if err := os.WriteFile(*out, train(examples), 0o644); err != nil {
		log.Fatal(err)
	}
}

// load reads the statements of a folder, in the order of the files.
func load(files fs.FS, folder string) (out []example, err error) {
	err = linear.Labels(files, folder, func(e example) error {
		for _, name := range e.Names {
			side, ok := sense.Named(name)
			if !ok {
				return fmt.Errorf("there is no side %q", name)
			}
			e.sides = append(e.sides, side)
		}
		e.features = sense.Features(e.Text)
		out = append(out, e)
		return nil
	})
	return out, err
}
