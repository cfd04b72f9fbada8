package llm

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/reverie-memory/reverie/model"
)

// A Reranker scores texts by a question with a model that runs in this process, and knows how long that takes. A Reranker may be used from
// several goroutines.
type Reranker struct {
	model *model.Model
	name  string
	trial singleflight.Group

	mu    sync.Mutex
	tried bool    // the weights are read, and speed is that of this machine
	speed float64 // nanoseconds for a byte of question and text, as it was lately; 0 before the first time
}

// NewReranker opens the model of that name in the folder models, or at that path: a cross-encoder, or an encoder, which reranks by late
// interaction; int8 is as of [OpenModel]. Where beside embeds with the same folder, both share one model in memory, as beside has it. The
// weights are read at the first question.
func NewReranker(models, name string, int8 bool, beside Embedder) (*Reranker, error) {
	if e, ok := beside.(*local); ok && samePath(e.dir, modelPath(models, name)) {
		return newReranker(e.model, name)
	}
	m, err := OpenModel(models, name, int8)
	if err != nil {
		return nil, err
	}
	return newReranker(m, name)
}

func newReranker(m *model.Model, name string) (*Reranker, error) {
	if info := m.Info(); !info.Reranks() {
		return nil, fmt.Errorf("the model %s cannot rerank, it is of kind %s; encoders and cross-encoders can", name, info.Kind)
	}
	return &Reranker{model: m, name: filepath.Base(name)}, nil
}

// samePath says whether both are one folder, by whatever path.
func samePath(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

// Name is for people.
func (r *Reranker) Name() string { return ProviderLocal + "/" + r.name }

// crossEncoder says whether the model reads the question anew with each text.
func (r *Reranker) crossEncoder() bool { return r.model.Info().Kind == model.KindReranker }

// Method is for people: how the model compares.
func (r *Reranker) Method() string {
	if r.crossEncoder() {
		return "cross-encoder"
	}
	return "late interaction"
}

// Weight is the share that the scores have in the order of a search, beside the search's own. Late interaction knows words by their
// meaning, but was not trained to tell answers: it has the smaller one.
func (r *Reranker) Weight() float64 {
	if r.crossEncoder() {
		return 0.7
	}
	return 0.4
}

// size is how many bytes are read for the texts. Of long ones the model reads the beginning; a token has some four letters.
func (r *Reranker) size(question string, texts []string) (n int) {
	most, again := 4*r.model.Info().MaxTokens, len(question)
	if !r.crossEncoder() {
		n, again = min(len(question), most), 0 // it is read once
	}
	for _, t := range texts {
		n += min(again+len(t), most)
	}
	return n
}

// forgive is what a refusal leaves of the measured time, so that a moment in which the machine had other work does not count for ever.
const forgive = 0.9

// sample is the question and the text of the trial.
const sample = "The boat left the harbour in the morning, and nobody on the quay could tell whether it would be back before the evening."

// Cost is how long Rerank is going to take. The first time, the weights are read and a sample is tried. The trial goes on where ctx ends
// before it is done: then Cost is an error, and a later question finds the model ready.
func (r *Reranker) Cost(ctx context.Context, question string, texts []string) (time.Duration, error) {
	if err := r.warm(ctx); err != nil {
		return 0, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	cost := time.Duration(r.speed * float64(r.size(question, texts)))
	r.speed *= forgive // what is asked now is measured again
	return cost, nil
}

// warm has the model tried, unless it was, and waits for that as long as ctx lasts.
func (r *Reranker) warm(ctx context.Context) error {
	r.mu.Lock()
	tried := r.tried
	r.mu.Unlock()
	if tried {
		return nil
	}
	trial := r.trial.DoChan("", func() (any, error) {
		if err := r.model.Load(); err != nil { // which is no time of a text
			return nil, fmt.Errorf("reading %s: %w", r.Name(), err)
		}
		_, err := r.Rerank(context.WithoutCancel(ctx), sample, []string{sample})
		r.mu.Lock()
		defer r.mu.Unlock()
		r.tried = err == nil
		return nil, err
	})
	select {
	case t := <-trial:
		return t.Err
	case <-ctx.Done():
		return fmt.Errorf("%s is still being read: %w", r.Name(), ctx.Err())
	}
}

// Rerank scores the texts, and notes how long that took.
func (r *Reranker) Rerank(ctx context.Context, question string, texts []string) ([]float32, error) {
	begun := time.Now()
	scores, err := r.model.Score(ctx, question, texts)
	r.mu.Lock()
	r.speed = float64(time.Since(begun)) / float64(max(1, r.size(question, texts))) // at least, where the time ran out
	r.mu.Unlock()
	if err != nil {
		return nil, fmt.Errorf("reranking with %s: %w", r.Name(), err)
	}
	return scores, nil
}
