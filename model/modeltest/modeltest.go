package modeltest

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
)

// A Tensor is values in the shape that they have.
type Tensor struct {
	Shape  []int
	Values []float32
}

// A Model says what is made. The zero value of a number is a small one.
type Model struct {
	Kind                         string // static, encoder or reranker
	Hidden, Heads, Inner, Layers int
	First                        bool // pooled is the first token
	Seed                         uint64
}

// Tokens of every model, before the letters: the ids are their places.
var Tokens = []string{
	"[PAD]", "[UNK]", "[CLS]", "[SEP]", "boat", "harbour", "sail", "##ing", "##s", "the", "a", "climb", "walk", "ale", "##x", ",", ".", "?",
	"北",
}

// Vocabulary are all tokens by their ids.
func Vocabulary() []string {
	all := slices.Clone(Tokens)
	for r := 'b'; r <= 'y'; r++ {
		all = append(all, string(r))
		if r != 's' && r != 'x' {
			all = append(all, "##"+string(r))
		}
	}
	return all
}

const positions = 64

// Write makes the model's folder and gives its tensors.
func (m Model) Write(dir string) (map[string]Tensor, error) {
	for _, n := range []struct {
		at    *int
		usual int
	}{{&m.Hidden, 24}, {&m.Heads, 3}, {&m.Inner, 40}, {&m.Layers, 2}} {
		if *n.at == 0 {
			*n.at = n.usual
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	config := map[string]any{
		"architectures": []string{"BertModel"}, "model_type": "bert", "hidden_size": m.Hidden, "num_hidden_layers": m.Layers,
		"num_attention_heads": m.Heads, "intermediate_size": m.Inner, "hidden_act": "gelu", "layer_norm_eps": 1e-12,
		"max_position_embeddings": positions, "type_vocab_size": 2, "vocab_size": len(Vocabulary()),
	}
	var t map[string]Tensor
	switch m.Kind {
	case "static":
		config = map[string]any{"model_type": "model2vec", "architectures": []string{"StaticModel"}, "normalize": true}
		t = map[string]Tensor{"embeddings": m.tensor(m.random(), 1, len(Vocabulary()), m.Hidden)}
	case "reranker":
		config["architectures"] = []string{"BertForSequenceClassification"}
		t = m.bert("bert.")
	default:
		t = m.bert("")
		if err := writeJSON(dir, "1_Pooling/config.json", map[string]any{
			"pooling_mode_cls_token": m.First, "pooling_mode_mean_tokens": !m.First, "word_embedding_dimension": m.Hidden,
		}); err != nil {
			return nil, err
		}
	}
	if err := writeJSON(dir, "config.json", config); err != nil {
		return nil, err
	}
	if err := writeJSON(dir, "tokenizer.json", tokenizer()); err != nil {
		return nil, err
	}
	return t, os.WriteFile(filepath.Join(dir, "model.safetensors"), Safetensors(t), 0o600)
}

func (m Model) random() *rand.Rand { return rand.New(rand.NewPCG(m.Seed, 1)) }

func (m Model) tensor(r *rand.Rand, size float64, shape ...int) Tensor {
	n := 1
	for _, d := range shape {
		n *= d
	}
	t := Tensor{shape, make([]float32, n)}
	for i := range t.Values {
		t.Values[i] = float32(r.NormFloat64() * size)
	}
	return t
}

func (m Model) bert(prefix string) map[string]Tensor {
	r, h, t := m.random(), m.Hidden, map[string]Tensor{}
	dense := func(name string, in, out int) {
		t[name+".weight"], t[name+".bias"] = m.tensor(r, 1/math.Sqrt(float64(in)), out, in), m.tensor(r, 0.1, out)
	}
	norm := func(name string) {
		t[name+".weight"], t[name+".bias"] = m.tensor(r, 1, h), m.tensor(r, 0.1, h)
	}
	e := prefix + "embeddings."
	t[e+"word_embeddings.weight"] = m.tensor(r, 1, len(Vocabulary()), h)
	t[e+"position_embeddings.weight"] = m.tensor(r, 0.3, positions, h)
	t[e+"token_type_embeddings.weight"] = m.tensor(r, 0.3, 2, h)
	norm(e + "LayerNorm")
	for i := range m.Layers {
		p := fmt.Sprintf("%sencoder.layer.%d.", prefix, i)
		for _, name := range []string{"attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"} {
			dense(p+name, h, h)
		}
		dense(p+"intermediate.dense", h, m.Inner)
		dense(p+"output.dense", m.Inner, h)
		norm(p + "attention.output.LayerNorm")
		norm(p + "output.LayerNorm")
	}
	if m.Kind == "reranker" {
		dense(prefix+"pooler.dense", h, h)
		dense("classifier", h, 1)
	}
	return t
}

// Safetensors is the file of the tensors.
func Safetensors(t map[string]Tensor) []byte {
	header, data := map[string]any{"__metadata__": map[string]string{"format": "pt"}}, []byte{}
	for _, name := range slices.Sorted(maps.Keys(t)) {
		from := len(data)
		for _, v := range t[name].Values {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
		}
		header[name] = map[string]any{"dtype": "F32", "shape": t[name].Shape, "data_offsets": []int{from, len(data)}}
	}
	raw, _ := json.Marshal(header) // strings and numbers
	return append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(raw))), raw...), data...)
}

func tokenizer() map[string]any {
	vocab := map[string]int{}
	for id, token := range Vocabulary() {
		vocab[token] = id
	}
	var added []map[string]any
	for id, token := range Tokens[:4] {
		added = append(added, map[string]any{"id": id, "content": token, "special": true})
	}
	special := func(s string) any { return map[string]any{"SpecialToken": map[string]any{"id": s, "type_id": 0}} }
	sequence := func(s string) any { return map[string]any{"Sequence": map[string]any{"id": s, "type_id": 0}} }
	single := []any{special("[CLS]"), sequence("A"), special("[SEP]")}
	return map[string]any{
		"added_tokens": added,
		"normalizer": map[string]any{
			"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": nil, "lowercase": true,
		},
		"pre_tokenizer": map[string]any{"type": "BertPreTokenizer"},
		"post_processor": map[string]any{
			"type": "TemplateProcessing", "single": single, "pair": append(slices.Clone(single), sequence("B"), special("[SEP]")),
		},
		"model": map[string]any{
			"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": vocab,
		},
	}
}

func writeJSON(dir, name string, v any) error {
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return os.WriteFile(path, raw, 0o600)
}
