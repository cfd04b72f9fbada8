package llm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/reverie-memory/reverie/model"
)

// localVersion counts changes of what vectors are made of the same files.
const localVersion = 1

// A local embeds with a model that runs in this process.
type local struct {
	model           *model.Model
	dir, name       string
	query, document string // prefixes
}

func newLocal(o EmbedderOptions) (*local, error) {
	m, err := OpenModel(o.Models, o.Model, o.Int8)
	if err != nil {
		return nil, err
	}
	info := m.Info()
	switch {
	case info.Dim == 0:
		return nil, fmt.Errorf("the model %s reranks, it makes no vectors", o.Model)
	case o.Dim != 0 && o.Dim != info.Dim:
		return nil, fmt.Errorf("the model %s has %d dimensions, not %d", o.Model, info.Dim, o.Dim)
	}
	o.QueryPrefix = cmp.Or(o.QueryPrefix, info.Prompts["query"])
	o.DocumentPrefix = cmp.Or(o.DocumentPrefix, info.Prompts["document"], info.Prompts["passage"])
	l := &local{model: m, dir: modelPath(o.Models, o.Model), name: filepath.Base(o.Model)}
	o.Model = l.name
	l.query, l.document = prefixes(o)
	return l, nil
}

// OpenModel opens a model of that name in the folder models, or at that path. int8 has it multiply in 8 bits, where the processor can.
func OpenModel(models, name string, int8 bool) (*model.Model, error) {
	m, err := model.Open(modelPath(models, name))
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w; `reverie model list` shows those that are there, `reverie model add` takes in others", err)
	}
	if err == nil && int8 {
		m.Round()
	}
	return m, err
}

func modelPath(models, name string) string {
	if filepath.Base(name) == name {
		return filepath.Join(models, name)
	}
	return name
}

func (l *local) Name() string { return ProviderLocal + "/" + l.name }
func (l *local) Dim() int     { return l.model.Info().Dim }

func (l *local) Fingerprint() string {
	print := fmt.Sprintf("%s/%s/%d/%q/%q/%d", ProviderLocal, l.model.Info().Digest, l.Dim(), l.query, l.document, localVersion)
	if l.model.Info().Int8 {
		print += "/int8"
	}
	return print
}

// Embed lets questions go before stored texts.
func (l *local) Embed(ctx context.Context, texts []string, kind Kind) ([][]float32, error) {
	prefix := l.document
	if kind == Query {
		prefix = l.query
	}
	full := make([]string, len(texts))
	for i, text := range texts {
		if strings.TrimSpace(text) != "" {
			full[i] = prefix + text
		}
	}
	vectors, err := l.model.Embed(ctx, full, kind == Query)
	if err != nil {
		return nil, fmt.Errorf("embedding with %s: %w", l.Name(), err)
	}
	for i := range full {
		if full[i] == "" { // some models make something of nothing
			clear(vectors[i])
		}
	}
	return vectors, nil
}
