// Command threads trains the weights of package extract/thread from whole conversations, and writes them: the conversations in
// scripts/threads/data were written as people talk, and what a careful person would keep of them is marked; scripts/threads/lines has lines
// that the rules wrote of them, with the marks of readers. The same data gives the same bytes.
//
// With -check it trains on all authors but one and measures on that one, in turn. With neither it tells how much of what is worth a line
// gives a fact.
package main

import (
	"context"
	"embed"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/reverie-memory/reverie/extract"
	"github.com/reverie-memory/reverie/internal/linear"
)

//go:embed data/*.jsonl
var data embed.FS

// A turn is a line of a conversation.
type turn struct {
	ID      string    `json:"id"`
	Session string    `json:"session"`
	Time    time.Time `json:"time"`
	Speaker string    `json:"speaker"` // "user" and "assistant" where one talks to an assistant
	Text    string    `json:"text"`
	Keep    []keep    `json:"keep"` // what is worth a line of it
}

// A keep is one thing that is worth a line.
type keep struct {
	Needs []string `json:"needs"` // earlier turns without which the quote is not understood
	Quote string   `json:"quote"` // the words of the turn that tell it
	Fact  string   `json:"fact"`  // how a careful person would write it
}

// A tally counts, over the turns of people.
type tally struct{ turns, marked, told, facts, kept int }

func main() {
	log.SetFlags(0)
	out := flag.String("o", "", "train, and write the weights to this file")
	check := flag.Bool("check", false, "train on all authors but one and measure on that one, in turn")
	flag.Parse()
	names, err := fs.Glob(data, "data/*.jsonl")
	if err == nil {
		err = run(context.Background(), names, *out, *check)
	}
	if err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, names []string, out string, check bool) error {
	if out == "" && !check {
		return tell(ctx, names)
	}
	all, err := learnt(names)
	switch {
	case err != nil:
		return err
	case check:
		measure(os.Stdout, all)
		return nil
	}
	return os.WriteFile(out, train(all), 0o644)
}

// tell prints how many of the marked turns give a fact.
func tell(ctx context.Context, names []string) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "conversation\tturns\tmarked\tgive a fact\tfacts\tof a marked turn\t")
	var all tally
	for _, name := range names {
		turns, err := read(name)
		if err != nil {
			return err
		}
		t, err := count(ctx, turns)
		if err != nil {
			return fmt.Errorf("extract the facts of %s: %w", name, err)
		}
		t.print(w, strings.TrimSuffix(strings.TrimPrefix(name, "data/"), ".jsonl"))
		all = tally{all.turns + t.turns, all.marked + t.marked, all.told + t.told, all.facts + t.facts, all.kept + t.kept}
	}
	all.print(w, "all")
	return w.Flush()
}

func (t tally) print(w *tabwriter.Writer, name string) {
	share := func(n, of int) string { return fmt.Sprintf("%d (%.0f %%)", n, 100*float64(n)/float64(max(of, 1))) }
	fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%d\t%s\t\n", name, t.turns, t.marked, share(t.told, t.marked), t.facts, share(t.kept, t.facts))
}

// read returns the turns of a conversation, in order.
func read(name string) (turns []turn, err error) {
	err = linear.Lines(data, name, func(t turn) error {
		turns = append(turns, t)
		return nil
	})
	return turns, err
}

// count extracts each turn as it arrives, behind the ten before it.
func count(ctx context.Context, turns []turn) (c tally, err error) {
	for i, t := range turns {
		if t.Speaker == "assistant" {
			continue
		}
		facts, err := extract.Rules{}.Extract(ctx, talkOf(turns[:i+1]))
		if err != nil {
			return c, err
		}
		c.turns++
		c.facts += len(facts)
		if len(t.Keep) > 0 {
			c.marked++
			c.kept += len(facts)
			if len(facts) > 0 {
				c.told++
			}
		}
	}
	return c, nil
}

func (t turn) message() extract.Message {
	role := "user"
	if t.Speaker == "assistant" {
		role = t.Speaker
	}
	return extract.Message{Drawer: t.ID, Role: role, Speaker: t.Speaker, Text: t.Text, At: t.Time}
}
