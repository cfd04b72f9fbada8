package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/reverie-memory/reverie/llm"
	"github.com/reverie-memory/reverie/model"
	"github.com/reverie-memory/reverie/workspace"
)

func (a *app) modelCmd() *cobra.Command {
	c := &cobra.Command{
		Use:   "model",
		Short: "Embedding models and rerankers that run in this program, from files",
		Long: "Embedding models and rerankers that run in this program, from files: folders with config.json, tokenizer.json and\n" +
			"model.safetensors, as their makers publish them. docs/models.md tells which ones fit.",
		Example: "  reverie model add ~/Downloads/all-MiniLM-L6-v2",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	c.AddCommand(a.modelAddCmd(), a.modelListCmd(), a.modelCheckCmd())
	return c
}

func (a *app) modelAddCmd() *cobra.Command {
	var name string
	c := &cobra.Command{
		Use:   "add PATH",
		Short: "Check a model's folder and copy it into the data folder",
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			c, err := a.settings()
			if err != nil {
				return err
			}
			e, err := model.Add(workspace.ModelsFolder(c), args[0], name)
			if err != nil {
				return modelError(err)
			}
			return a.tell(e, func() {
				a.printModelEntry(e)
				if e.Info.Dim > 0 {
					a.print("Use it: embedding.provider = \"local\" and embedding.model = %q in the settings.\n", e.Name)
				}
				if e.Info.Reranks() {
					a.print("Rerank with it: recall.rerank = %q in the settings.\n", e.Name)
				}
			})
		},
	}
	c.Flags().StringVar(&name, "name", "", "name of the model (default that of the folder)")
	return c
}

// modelError gives a model's error the code and the hint that a person needs.
func modelError(err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &hintError{
			&codeError{exitNotFound, err}, "a model is a folder with config.json, tokenizer.json and model.safetensors; see docs/models.md",
		}
	case errors.Is(err, model.ErrExists):
		return &hintError{err, "give it another one with --name, or remove the folder of the old one"}
	}
	return err
}

func (a *app) modelListCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "Show the models in the data folder",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			c, err := a.settings()
			if err != nil {
				return err
			}
			list, err := model.List(workspace.ModelsFolder(c))
			if err != nil {
				return err
			}
			return a.tell(list, func() {
				if len(list) == 0 {
					a.print("No models in %s.\n", workspace.ModelsFolder(c))
				}
				for _, e := range list {
					a.printModelEntry(e)
				}
			})
		},
	}
}

func (a *app) printModelEntry(e model.Entry) {
	if e.Problem != "" {
		a.print("%s: not usable: %s\n", e.Name, oneLine(e.Problem, 500))
		return
	}
	a.print("%s: %s, %s; licence: %s\n", e.Name, e.Info.Kind, describeModel(e.Info), cmp.Or(e.Licence, "no file of one"))
}

func describeModel(i model.Info) string {
	var parts []string
	if i.Dim > 0 {
		parts = append(parts, count(i.Dim, "dimension"))
	}
	if i.Layers > 0 {
		parts = append(parts, count(i.Layers, "layer"))
	}
	if i.Pooling != "" {
		parts = append(parts, "pooled by "+i.Pooling)
	}
	use := "embeds"
	switch {
	case i.Reranks() && i.Dim > 0:
		use = "embeds and reranks"
	case i.Reranks():
		use = "reranks"
	}
	if i.Int8 {
		use += " in 8 bits"
	}
	return strings.Join(append(parts, fmt.Sprintf("reads %d tokens of a text, knows %d", i.MaxTokens, i.Vocabulary),
		fmt.Sprintf("%.0f MB", math.Ceil(float64(i.Bytes)/1e6)), use), ", ")
}

// modelChecked is what a check found, as --json prints it.
type modelChecked struct {
	Name      string       `json:"name"`
	Info      model.Info   `json:"info"`
	LoadMS    float64      `json:"load_ms"`
	Reference *referenced  `json:"reference,omitempty"`
	Speed     []modelSpeed `json:"speed"`
	RerankMS  float64      `json:"rerank_ms,omitempty"` // for reranked texts on all cores; 0: it cannot
}

// reranked is of how many texts of 60 words a check tells how long reranking takes.
const reranked = 30

// referenced compares with values that another program gave.
type referenced struct {
	Texts    int     `json:"texts"`
	Farthest float64 `json:"farthest"` // of all values
	Allowed  float64 `json:"allowed"`
}

// How far a value of unit vectors may lie from the reference. In 8 bits the farthest of 1,140 messages by all-MiniLM-L6-v2 is 0.033.
const (
	tolerance     = 1e-3
	toleranceInt8 = 0.05
)

type modelSpeed struct {
	Cores  int     `json:"cores"`
	Batch  int     `json:"batch"`
	Texts  float64 `json:"texts_per_second"`
	Millis float64 `json:"batch_ms"`
}

func (a *app) modelCheckCmd() *cobra.Command {
	var reference string
	var int8 bool
	c := &cobra.Command{
		Use:   "check NAME",
		Short: "Compare a model with reference vectors and measure its speed",
		Long: "Compare a model with reference vectors and measure its speed with texts of 60 words, on one core and on all.\n\n" +
			"The reference is a JSON file [{\"text\": …, \"vector\": […]}, …], and for what reranks [{\"query\": …, \"text\": …, \"score\": …}, …].",
		Example: "  reverie model check all-MiniLM-L6-v2 --reference vectors.json",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := a.settings()
			if err != nil {
				return err
			}
			m, err := llm.OpenModel(workspace.ModelsFolder(c), args[0], int8)
			if err != nil {
				return modelError(err)
			}
			if int8 && !m.Info().Int8 {
				a.warnings([]string{"the model runs as it is: 8 bits are for encoders and cross-encoders, where there is AVX-512 VNNI"})
			}
			begun := time.Now()
			if err := m.Load(); err != nil {
				return err
			}
			out := modelChecked{Name: filepath.Base(args[0]), Info: m.Info(), LoadMS: millis(time.Since(begun))}
			if reference != "" {
				if out.Reference, err = compareModel(cmd.Context(), m, reference); err != nil {
					return err
				}
			}
			if out.Speed, err = measureModel(cmd.Context(), m); err != nil {
				return err
			}
			if out.RerankMS, err = measureRerank(cmd.Context(), m); err != nil {
				return err
			}
			return errors.Join(a.printModelCheck(out), out.Reference.failed())
		},
	}
	c.Flags().StringVar(&reference, "reference", "", "JSON file of texts with the vectors or scores that another program gave")
	c.Flags().BoolVar(&int8, "int8", false, "multiply in 8 bits, as embedding.int8 has it")
	return c
}

func (r *referenced) failed() error {
	if r != nil && !(r.Farthest <= r.Allowed) {
		return fmt.Errorf("a value lies %.2g from the reference, where %g is allowed", r.Farthest, r.Allowed)
	}
	return nil
}

func (a *app) printModelCheck(m modelChecked) error {
	return a.tell(m, func() {
		a.print("%s: %s, %s\n", m.Name, m.Info.Kind, describeModel(m.Info))
		a.print("read in %.0f ms\n", m.LoadMS)
		if r := m.Reference; r != nil {
			a.print("%s compared: the farthest value lies %.2g from the reference\n", count(r.Texts, "text"), r.Farthest)
		}
		for _, s := range m.Speed {
			a.print("%s, batches of %d: %.0f texts/s, %.1f ms a batch\n", count(s.Cores, "core"), s.Batch, s.Texts, s.Millis)
		}
		if m.RerankMS > 0 {
			a.print("reranking %d of these texts: %.0f ms on all cores\n", reranked, m.RerankMS)
		}
	})
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// compareModel holds the model against a file of reference values.
func compareModel(ctx context.Context, m *model.Model, path string) (*referenced, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the reference: %w", err)
	}
	var refs []struct {
		Text, Query string
		Vector      []float32
		Score       float32
	}
	if err := json.Unmarshal(raw, &refs); err != nil {
		return nil, fmt.Errorf("read the reference %s: %w", path, err)
	}
	out := &referenced{Texts: len(refs), Allowed: tolerance}
	if m.Info().Int8 {
		out.Allowed = toleranceInt8
	}
	for i, r := range refs {
		got, want := []float32(nil), r.Vector
		if want == nil {
			got, err = m.Score(ctx, r.Query, []string{r.Text})
			want = []float32{r.Score}
		} else {
			got, err = embedOne(ctx, m, r.Text)
		}
		if err != nil {
			return nil, err
		}
		if len(got) != len(want) {
			return nil, fmt.Errorf("text %d of the reference has %d values, the model gives %d", i+1, len(want), len(got))
		}
		for j := range got {
			out.Farthest = max(out.Farthest, math.Abs(float64(got[j]-want[j])))
		}
	}
	return out, nil
}

func embedOne(ctx context.Context, m *model.Model, text string) ([]float32, error) {
	v, err := m.Embed(ctx, []string{text}, true)
	if err != nil {
		return nil, err
	}
	return v[0], nil
}

// measureModel runs the model for half a second at each size, with texts of 60 words.
func measureModel(ctx context.Context, m *model.Model) (speed []modelSpeed, err error) {
	all := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(all)
	cores := []int{1, all}
	if all == 1 {
		cores = cores[:1]
	}
	for _, n := range cores {
		runtime.GOMAXPROCS(n)
		for _, batch := range []int{1, 64} {
			texts := sixtyWords(batch)
			run := func() error {
				if m.Info().Dim == 0 {
					_, err := m.Score(ctx, sample, texts)
					return err
				}
				_, err := m.Embed(ctx, texts, true)
				return err
			}
			begun, rounds := time.Now(), 0
			for rounds == 0 || time.Since(begun) < time.Second/2 {
				if err := run(); err != nil {
					return nil, err
				}
				rounds++
			}
			took := time.Since(begun)
			speed = append(speed, modelSpeed{
				Cores: n, Batch: batch, Texts: float64(rounds*batch) / took.Seconds(), Millis: millis(took) / float64(rounds),
			})
		}
	}
	return speed, nil
}

// sample is a question to measure with.
const sample = "When does she want to sail?"

// sixtyWords are n texts to measure with.
func sixtyWords(n int) []string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = fmt.Sprint(strings.Repeat("we spoke of the boat that she wants to sail in ", 5), "summer ", i, " of these years here")
	}
	return texts
}

// measureRerank is the least time of three, in milliseconds; 0 where the model cannot rerank.
func measureRerank(ctx context.Context, m *model.Model) (least float64, err error) {
	for range 3 {
		if !m.Info().Reranks() {
			break
		}
		begun := time.Now()
		if _, err := m.Score(ctx, sample, sixtyWords(reranked)); err != nil {
			return 0, err
		}
		if took := millis(time.Since(begun)); least == 0 || took < least {
			least = took
		}
	}
	return least, nil
}
