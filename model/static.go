package model

import "fmt"

// static holds a vector for each token.
type static struct {
	vectors []float32
	dim     int
	weights []float32 // of tokens; nil: all the same
}

// staticShape finds the tensor of vectors and its dimensions.
func staticShape(t *tensors) (name string, rows, dim int, err error) {
	for _, name := range []string{"embeddings", "embedding.weight"} {
		if e, ok := t.at[name]; ok && len(e.Shape) == 2 {
			if e.Shape[0] < 1 || e.Shape[0] > maxVocabulary || e.Shape[1] < 1 || e.Shape[1] > 4*maxHidden {
				return "", 0, 0, fmt.Errorf("tensor %q is of shape %v", name, e.Shape)
			}
			return name, int(e.Shape[0]), int(e.Shape[1]), nil
		}
	}
	return "", 0, 0, fmt.Errorf("there is no tensor %q or %q with two dimensions", "embeddings", "embedding.weight")
}

// readStatic reads the vectors; tokens is how many the tokenizer knows.
func readStatic(t *tensors, tokens int) (*static, error) {
	name, rows, dim, err := staticShape(t)
	if err != nil {
		return nil, err
	}
	if t.has("mapping") {
		return nil, fmt.Errorf("tensor %q: vocabularies that share vectors are not supported", "mapping")
	}
	if rows < tokens {
		return nil, fmt.Errorf("%d vectors for %d tokens", rows, tokens)
	}
	s := &static{dim: dim}
	if s.vectors, err = t.floats(name, rows, dim); err != nil {
		return nil, err
	}
	if t.has("weights") {
		if s.weights, err = t.floats("weights", rows); err != nil {
			return nil, err
		}
	}
	if err := t.rest(); err != nil {
		return nil, err
	}
	return s, nil
}

// vector is the mean of the tokens' vectors, zero where there are none.
func (s *static) vector(ids []int32) []float32 {
	v := make([]float32, s.dim)
	for _, id := range ids {
		w := float32(1)
		if s.weights != nil {
			w = s.weights[id]
		}
		for j, x := range s.vectors[int(id)*s.dim:][:s.dim] {
			v[j] += w * x
		}
	}
	if len(ids) > 0 {
		for j := range v {
			v[j] /= float32(len(ids))
		}
	}
	return v
}
