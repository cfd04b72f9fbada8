package model

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/model/matrix"
)

// Reranks says whether the model can score texts by a question.
func (i Info) Reranks() bool { return i.Kind == KindReranker || i.Kind == KindEncoder }

// Score says how well each text answers the question: more is better. Of a reranker it is the model's bare number, of an encoder the late
// interaction of the tokens, from -1 to 1. Score is urgent work.
func (m *Model) Score(ctx context.Context, question string, texts []string) ([]float32, error) {
	if !m.info.Reranks() {
		return nil, fmt.Errorf("a model of kind %s does not rerank", m.info.Kind)
	}
	if err := m.Load(); err != nil {
		return nil, err
	}
	by := m.interaction
	if m.folder.kind == KindReranker {
		by = m.judgement
	}
	out, err := by(ctx, valid(question), texts)
	if err != nil {
		return nil, err
	}
	for _, v := range out {
		if v-v != 0 {
			return nil, errNotFinite
		}
	}
	return out, nil
}

// judgement has the model read the question together with each text.
func (m *Model) judgement(ctx context.Context, question string, texts []string) ([]float32, error) {
	out, seqs := make([]float32, len(texts)), make([]sequence, len(texts))
	asked := m.tokens.text(question, m.info.MaxTokens/2-2)
	for i, text := range texts {
		seqs[i] = m.sequence(asked, m.tokens.text(valid(text), m.info.MaxTokens-4-len(asked))...)
	}
	err := m.passes(ctx, seqs, true, true, func(pass []int, last []float32) {
		for j, v := range m.bert.logits(last, len(pass)) {
			out[pass[j]] = v
		}
	})
	return out, err
}

// interaction has the model read the question, then each text by itself. The score is the mean, over the tokens of the question, of the
// best cosine with a token of the text (MaxSim of ColBERT, Khattab and Zaharia 2020, by the length of the question). Special tokens count
// on neither side; without tokens on one side the score is 0.
func (m *Model) interaction(ctx context.Context, question string, texts []string) ([]float32, error) {
	asked := []sequence{m.alone(question)}
	out, n := make([]float32, len(texts)), len(asked[0].ids)-specials
	if n == 0 {
		return out, nil
	}
	var q *matrix.Weights
	err := m.passes(ctx, asked, false, true, func(_ []int, last []float32) {
		directions(last, m.info.Dim)
		q = matrix.NewWeights(last[m.info.Dim:][:n*m.info.Dim], nil, m.info.Dim, n)
	})
	if err != nil {
		return nil, err
	}
	seqs := slice.Map(texts, func(text string) sequence { return m.alone(valid(text)) })
	err = m.passes(ctx, seqs, false, true, func(pass []int, last []float32) {
		rows := len(last) / m.info.Dim
		directions(last, m.info.Dim)
		cosines := make([]float32, matrix.Pad(rows)*n)
		q.Mul(cosines, n, last[:matrix.Pad(rows)*m.info.Dim], m.info.Dim, rows) // a pass has room for padded rows
		for _, i := range pass {
			of := len(seqs[i].ids) * n
			out[i], cosines = meanOfBest(cosines[n:of-n], n), cosines[of:] // without the special tokens
		}
	})
	return out, err
}

// specials is how many special tokens stand around a text that is read by itself: one before it, one behind.
const specials = 2

// alone is a text that is read by itself.
func (m *Model) alone(text string) sequence {
	return m.sequence(m.tokens.text(text, m.info.MaxTokens-specials))
}

// directions scales each of the rows to length one.
func directions(rows []float32, dim int) {
	for ; len(rows) > 0; rows = rows[dim:] {
		if unit(rows[:dim]) != nil {
			rows[0] = float32(math.NaN()) // which reaches the score
		}
	}
}

// meanOfBest is the mean over n columns of the largest value in each; 0 without rows. NaN stays NaN.
func meanOfBest(rows []float32, n int) float32 {
	if len(rows) == 0 {
		return 0
	}
	best := slices.Clone(rows[:n])
	for rows = rows[n:]; len(rows) > 0; rows = rows[n:] {
		for j, v := range rows[:n] {
			best[j] = max(best[j], v)
		}
	}
	sum := float32(0)
	for _, v := range best {
		sum += v
	}
	return sum / float32(n)
}
