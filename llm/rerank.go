package llm

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"github.com/reverie-memory/reverie/model"
)

// A Reranker scores texts by a question with a model that runs in this process, and knows how long that takes. It may be used from
// several goroutines.
type Reranker struct {
	model *model.Model
	name  string

	mu    sync.Mutex
	speed float64 // nanoseconds for a byte of question and text, as it was lately; 0 before the first time
}

// NewReranker opens the model of that name in the folder models, or at that path. Its weights are read at the first question.
func NewReranker(models, name string) (*Reranker, error) {
	m, err := OpenModel(models, name)
	if err != nil {
		return nil, err
	}
	if kind := m.Info().Kind; kind != model.KindReranker {
		return nil, fmt.Errorf("the model %s is no reranker, it is of kind %s", name, kind)
	}
	return &Reranker{model: m, name: filepath.Base(name)}, nil
}

// Name is for people.
func (r *Reranker) Name() string { return ProviderLocal + "/" + r.name }

// size is how many bytes are read for the texts. Of long ones the model reads the beginning; a token has some four letters.
func (r *Reranker) size(question string, texts []string) (n int) {
	for _, t := range texts {
		n += min(len(question)+len(t), 4*r.model.Info().MaxTokens)
	}
	return n
}

// forgive is what a refusal leaves of the measured time, so that a moment in which the machine had other work does not count for ever.
const forgive = 0.9

// Cost is how long Rerank is going to take. The first time, it reads the weights and tries one text.
func (r *Reranker) Cost(ctx context.Context, question string, texts []string) (time.Duration, error) {
	r.mu.Lock()
	known := r.speed > 0
	r.mu.Unlock()
	if !known && len(texts) > 0 {
		if err := r.model.Load(); err != nil {
			return 0, err
		}
		if _, err := r.Rerank(ctx, question, texts[:1]); err != nil {
			return 0, err
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	cost := time.Duration(r.speed * float64(r.size(question, texts)))
	r.speed *= forgive // what is asked now is measured again
	return cost, nil
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
