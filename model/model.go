package model

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/reverie-memory/reverie/internal/slice"
	"github.com/reverie-memory/reverie/model/matrix"
)

// Info says what a model is.
type Info struct {
	Kind       string            `json:"kind"`
	Dim        int               `json:"dim,omitempty"` // of vectors; 0 for rerankers
	MaxTokens  int               `json:"max_tokens"`    // of a text; more are cut off
	Vocabulary int               `json:"vocabulary"`
	Layers     int               `json:"layers,omitempty"`
	Pooling    string            `json:"pooling,omitempty"`
	Bytes      int64             `json:"bytes"` // of the weights' file
	Digest     string            `json:"digest"`
	Int8       bool              `json:"int8,omitempty"` // its weights are rounded to 8 bits, see [Model.Round]
	Prompts    map[string]string `json:"-"`              // what its makers put before questions and texts, by their names for it
}

// A Model is one that can run. Its weights are read at the first use, and kept. A Model may be used from several goroutines.
type Model struct {
	folder *folder
	tokens *tokenizer
	info   Info
	pool   sync.Pool // of *scratch

	mu     sync.Mutex // guards what follows while it is read
	bert   *bert
	static *static
	broken error // what is wrong with the weights
}

// Open reads a model's description and checks its files, all but the values of its tensors.
func Open(dir string) (*Model, error) {
	f, err := readFolder(dir)
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", dir, err)
	}
	m := &Model{folder: f, pool: sync.Pool{New: func() any { return &scratch{} }}}
	if err := m.open(dir); err != nil {
		return nil, fmt.Errorf("model %s: %w", dir, err)
	}
	return m, nil
}

func (m *Model) open(dir string) error {
	f := m.folder
	raw, err := readFile(filepath.Join(f.at, Tokenizer))
	if err != nil {
		return err
	}
	if m.tokens, err = newTokenizer(raw, f.kind != KindStatic); err != nil {
		return fmt.Errorf("%s: %w", Tokenizer, err)
	}
	m.info = Info{Kind: f.kind, MaxTokens: f.maxTokens, Vocabulary: m.tokens.size, Prompts: f.prompts}
	err = m.withTensors(func(t *tensors, size int64) (err error) {
		m.info.Bytes = size
		switch f.kind {
		case KindStatic:
			m.info.Pooling = "mean"
			_, _, m.info.Dim, err = staticShape(t)
			return err
		case KindEncoder:
			m.info.Dim, m.info.Pooling = f.config.Hidden, "mean"
			if f.first {
				m.info.Pooling = "cls"
			}
		}
		m.info.Layers = f.config.Layers
		if m.tokens.size > f.config.Vocabulary {
			return fmt.Errorf("the tokenizer knows %d tokens, the model %d", m.tokens.size, f.config.Vocabulary)
		}
		return nil
	})
	if err != nil {
		return err
	}
	m.info.Digest, err = f.digest(dir)
	return err
}

func (m *Model) withTensors(use func(t *tensors, size int64) error) error {
	file, err := os.Open(filepath.Join(m.folder.at, Weights))
	if err != nil {
		return err
	}
	defer file.Close()
	stat, err := file.Stat()
	if err != nil {
		return err
	}
	t, err := readTensors(file, stat.Size())
	if err == nil {
		err = use(t, stat.Size())
	}
	if err != nil {
		return fmt.Errorf("%s: %w", Weights, err)
	}
	return nil
}

// Info says what the model is.
func (m *Model) Info() Info { return m.info }

// Round has the weights of layers rounded to 8 bits when they are read, and what they multiply as well. Round is called before the first
// use, and does nothing for static embeddings and where the processor has no instructions for that: Info says whether it did.
func (m *Model) Round() { m.info.Int8 = matrix.Rounds && m.folder.kind != KindStatic }

// Load reads the weights, if that has not been done. Callers need not call it before Embed and Score. Weights that are wrong are read once,
// and the error is the same from then on; after an error of the disk the next call reads them again.
func (m *Model) Load() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.bert != nil || m.static != nil || m.broken != nil {
		return m.broken
	}
	err := m.withTensors(func(t *tensors, _ int64) (err error) {
		if m.folder.kind == KindStatic {
			m.static, err = readStatic(t, m.tokens.size)
		} else {
			m.bert, err = readBert(t, &m.folder.config, m.folder.kind == KindReranker, m.info.Int8)
		}
		return err
	})
	if disk := (*fs.PathError)(nil); !errors.As(err, &disk) {
		m.broken = err
	}
	return err
}

// Embed gives a vector of unit length for each text; a text without a known word may have the zero vector. Work that is not urgent
// lets urgent work go first.
func (m *Model) Embed(ctx context.Context, texts []string, urgent bool) ([][]float32, error) {
	if m.folder.kind == KindReranker {
		return nil, errors.New("a reranker makes no vectors")
	}
	if err := m.Load(); err != nil {
		return nil, err
	}
	out := make([][]float32, len(texts))
	if m.static != nil {
		for i, text := range texts {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			ids := slices.DeleteFunc(m.tokens.text(valid(text), maxTokens), func(id int32) bool { return id == m.tokens.unknown })
			out[i] = m.static.vector(ids)
		}
	} else {
		seqs := slice.Map(texts, func(text string) sequence { return m.alone(valid(text)) })
		err := m.passes(ctx, seqs, m.folder.first, urgent, func(pass []int, last []float32) {
			for _, i := range pass {
				n := m.info.Dim
				if !m.folder.first {
					n *= len(seqs[i].ids)
				}
				out[i], last = m.pooled(last[:n]), last[n:]
			}
		})
		if err != nil {
			return nil, err
		}
	}
	for _, v := range out {
		if err := unit(v); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// sequence puts the special tokens around one text, or around a question and a text.
func (m *Model) sequence(first []int32, second ...int32) sequence {
	t := m.tokens
	ids := append(append([]int32{t.cls}, first...), t.sep)
	s := sequence{ids: ids, second: len(ids)}
	if m.folder.kind != KindReranker {
		return s
	}
	if t.twice {
		ids = append(ids, t.sep)
	}
	s.ids = append(append(ids, second...), t.sep)
	return s
}

// passTokens is about how many tokens run through the model at once: enough for whole blocks of rows, few enough for a core's cache
// and for urgent work to come soon.
const passTokens = 192

// passes runs the model over all sequences, in passes of similar length on all cores, and gives take the sequences of each and its last
// layer, or only its first token of each sequence. take may change what it is given until it returns.
func (m *Model) passes(ctx context.Context, seqs []sequence, first, urgent bool, take func(pass []int, last []float32)) error {
	pause := func() error { return cores.Rest(ctx) }
	if urgent {
		defer cores.Urgent()()
		pause = func() error { return ctx.Err() }
	}
	passes := parts(seqs)
	return each(ctx, len(passes), func(ctx context.Context, n int) error {
		sc := m.pool.Get().(*scratch)
		defer m.pool.Put(sc)
		last, err := m.bert.run(sc, slice.Map(passes[n], func(i int) sequence { return seqs[i] }), first, pause)
		if err == nil {
			take(passes[n], last)
		}
		return err
	})
}

// parts cuts the sequences into passes, the longest first.
func parts(seqs []sequence) (passes [][]int) {
	order := make([]int, len(seqs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(len(seqs[b].ids), len(seqs[a].ids)) })
	tokens := passTokens
	for _, i := range order {
		if n := len(seqs[i].ids); tokens+n > passTokens {
			passes, tokens = append(passes, []int{i}), n
			continue
		}
		tokens += len(seqs[i].ids)
		passes[len(passes)-1] = append(passes[len(passes)-1], i)
	}
	return passes
}

// pooled makes one vector of what counts of the last layer of a text.
func (m *Model) pooled(last []float32) []float32 {
	v := slices.Clone(last[:m.info.Dim])
	for at := m.info.Dim; at < len(last); at += m.info.Dim {
		for j, x := range last[at : at+m.info.Dim] {
			v[j] += x
		}
	}
	return v // its length does not matter
}

var errNotFinite = errors.New("the model gave NaN or infinity")

// unit scales v to length one, unless it is zero.
func unit(v []float32) error {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum-sum != 0 {
		return errNotFinite
	}
	if sum == 0 {
		return nil
	}
	factor := 1 / math.Sqrt(sum)
	for i, x := range v {
		v[i] = float32(float64(x) * factor)
	}
	return nil
}

func valid(s string) string { return strings.ToValidUTF8(s, "") }
