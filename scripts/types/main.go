// Command types trains the weights of package palace/tier from the labelled texts in scripts/types/data, and writes them. The same data
// give the same bytes, on any machine.
//
// With -check it trains on seven eighths of the texts and measures on the rest, in turn, and writes nothing. With -on FOLDER it measures
// the weights that the program has on the labelled texts of the files there, of which none may be among the data.
package main

import (
	"embed"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"os"
	"slices"

	"github.com/reverie-memory/reverie/internal/linear"
	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/palace/tier"
)

//go:embed data/*.jsonl
var data embed.FS

// An example is a text with its label.
type example struct {
	Text string    `json:"text"`
	Lang string    `json:"lang"`
	Type tier.Type `json:"type"`
	Sure *bool     `json:"sure"` // nil: yes. Of others another person might say another type.
}

func main() {
	log.SetFlags(0)
	out := flag.String("o", "weights.bin", "file of the weights")
	check := flag.Bool("check", false, "measure, and write nothing")
	on := flag.String("on", "", "measure on the labelled texts of another `folder`, and write nothing")
	flag.Parse()
	examples, err := load(data, "data")
	if err != nil {
		log.Fatal(err)
	}
	switch {
	case *on != "":
		others, err := load(os.DirFS(*on), ".")
		if err != nil {
			log.Fatal(err)
		}
		report(os.Stdout, judge(others, tier.Classify))
	case *check:
		report(os.Stdout, crossed(examples))
	default:
		if err := os.WriteFile(*out, train(examples), 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

// load reads the texts of the files of a folder, in the order of the files.
func load(from fs.FS, folder string) (out []example, err error) {
	err = linear.Labels(from, folder, func(e example) error {
		if !slices.Contains(tier.Types[:], e.Type) {
			return fmt.Errorf("there is no type %q", e.Type)
		}
		out = append(out, e)
		return nil
	})
	return out, err
}

// train returns the weights of all types, those of a bucket side by side.
func train(examples []example) []byte {
	features := slice.Map(examples, func(e example) []uint32 { return tier.Features(e.Text) })
	out := make([]byte, len(tier.Types)*(1+linear.Buckets))
	for t, name := range tier.Types {
		list := make([]linear.Example, len(examples))
		for i, e := range examples {
			list[i] = linear.Example{Features: features[i], Yes: e.Type == name, Weight: 1}
		}
		for i, w := range linear.Train(list, linear.Buckets) {
			out[i*len(tier.Types)+t] = w
		}
	}
	return out
}
