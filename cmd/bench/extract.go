package main

import (
	"context"
	"fmt"

	"github.com/reverie-memory/reverie/extract"
	"github.com/reverie-memory/reverie/extract/sample"
)

// runExtract prints precision and recall of the rules on the labelled sentences. The rules were made
// with the first part in sight; the second was held out.
func runExtract(ctx context.Context) error {
	r, err := sample.Evaluate(ctx, extract.Rules{})
	if err != nil {
		return err
	}
	fmt.Printf("%-10s %9s %8s %8s %10s %8s %9s\n", "part", "sentences", "expected", "found", "precision", "recall", "category")
	for _, p := range []struct {
		name string
		s    sample.Score
	}{{"dev", r.Dev}, {"held out", r.HeldOut}} {
		fmt.Printf("%-10s %9d %8d %8d %10.3f %8.3f %9.3f\n", p.name, p.s.Cases, p.s.Expected, p.s.Found, p.s.Precision(), p.s.Recall(),
			p.s.CategoryAccuracy())
	}
	return nil
}
