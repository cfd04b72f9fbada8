package model

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The kinds of models.
const (
	KindStatic   = "static"   // a vector for each token; a text's is their mean
	KindEncoder  = "encoder"  // a BERT whose last layer is pooled
	KindReranker = "reranker" // a BERT that reads question and text together and gives one number
)

// maxJSON bounds each of the files but the tensors.
const maxJSON = 64 << 20

// Weights and Tokenizer are files that every model has.
const (
	Weights   = "model.safetensors"
	Tokenizer = "tokenizer.json"
)

// usual are the files of most models. modules.json may name folders that hold others.
var usual = []string{
	"config.json", Tokenizer, Weights, "modules.json", "sentence_bert_config.json", "config_sentence_transformers.json",
	"1_Pooling/config.json", "0_StaticEmbedding/" + Weights, "0_StaticEmbedding/" + Tokenizer,
}

// A folder is a model's description, without its tensors.
type folder struct {
	kind      string
	at        string // where weights and tokenizer lie
	config    config
	files     []string // what the model is made of, as far as it is there; nothing else is read
	first     bool     // pooled is the first token, not the mean
	maxTokens int
	prompts   map[string]string
}

// config is config.json as far as it matters.
type config struct {
	Architectures []string          `json:"architectures"`
	ModelType     string            `json:"model_type"`
	Hidden        int               `json:"hidden_size"`
	Layers        int               `json:"num_hidden_layers"`
	Heads         int               `json:"num_attention_heads"`
	Inner         int               `json:"intermediate_size"`
	Activation    string            `json:"hidden_act"`
	Epsilon       float64           `json:"layer_norm_eps"`
	Positions     int               `json:"max_position_embeddings"`
	PositionType  string            `json:"position_embedding_type"`
	Types         int               `json:"type_vocab_size"`
	Vocabulary    int               `json:"vocab_size"`
	Normalise     *bool             `json:"normalize"`
	IDs           map[string]string `json:"id2label"`
}

// Limits of a model, beyond all that run well on a processor.
const (
	maxHidden = 1024
	maxLayers = 24
	maxInner  = 4096
	maxTokens = 512
	minTokens = 8 // room for the special tokens and some of a question and a text
)

// check holds what config.json says against the limits. types is how many types of tokens the model has to know.
func (c *config) check(types int) error {
	if c.ModelType != "bert" {
		return fmt.Errorf("a model of type %.40q is not supported; bert and model2vec are", c.ModelType)
	}
	for _, n := range []struct {
		name            string
		is, least, most int
	}{
		{"hidden_size", c.Hidden, 1, maxHidden},
		{"num_hidden_layers", c.Layers, 1, maxLayers},
		{"num_attention_heads", c.Heads, 1, c.Hidden},
		{"intermediate_size", c.Inner, 1, maxInner},
		{"max_position_embeddings", c.Positions, minTokens, 1 << 16},
		{"type_vocab_size", c.Types, types, 16},
		{"vocab_size", c.Vocabulary, 1, maxVocabulary},
	} {
		if n.is < n.least || n.is > n.most {
			return fmt.Errorf("config.json: %s is %d; %d to %d are supported", n.name, n.is, n.least, n.most)
		}
	}
	switch {
	case c.Hidden%c.Heads != 0:
		return fmt.Errorf("config.json: %d heads do not part %d values", c.Heads, c.Hidden)
	case c.Activation != "gelu":
		return fmt.Errorf("config.json: hidden_act %.40q is not supported; gelu is", c.Activation)
	case c.PositionType != "" && c.PositionType != "absolute":
		return fmt.Errorf("config.json: position_embedding_type %.40q is not supported", c.PositionType)
	case !(c.Epsilon > 0 && c.Epsilon < 1):
		return fmt.Errorf("config.json: layer_norm_eps is %g", c.Epsilon)
	}
	return nil
}

// readFolder reads what the model is, and refuses what is not supported.
func readFolder(dir string) (*folder, error) {
	f := &folder{at: dir, files: slices.Clone(usual), maxTokens: maxTokens}
	if err := f.modules(dir); err != nil {
		return nil, err
	}
	err := readJSON(filepath.Join(f.at, "config.json"), &f.config)
	if err != nil && (f.kind != KindStatic || !errors.Is(err, fs.ErrNotExist)) {
		return nil, err
	}
	c, types := &f.config, 1
	switch {
	case f.kind == KindStatic || c.ModelType == "model2vec" || slices.Contains(c.Architectures, "StaticModel"):
		f.kind = KindStatic
		if c.Normalise != nil && !*c.Normalise {
			return nil, errors.New("config.json: normalize is false; vectors whose length counts are not supported")
		}
		return f, nil
	case slices.Contains(c.Architectures, "BertForSequenceClassification"):
		f.kind, types = KindReranker, 2 // question and text
		if len(c.IDs) > 1 {
			return nil, fmt.Errorf("config.json: %d labels; a reranker has one", len(c.IDs))
		}
	case len(c.Architectures) == 0 || slices.Contains(c.Architectures, "BertModel"):
		f.kind = KindEncoder
	default:
		return nil, fmt.Errorf("config.json: architecture %.60q is not supported", c.Architectures)
	}
	if err := c.check(types); err != nil {
		return nil, err
	}
	f.maxTokens = min(f.maxTokens, c.Positions)
	var s struct {
		Max int `json:"max_seq_length"`
	}
	if err := readJSON(filepath.Join(f.at, "sentence_bert_config.json"), &s); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	switch {
	case s.Max >= minTokens:
		f.maxTokens = min(f.maxTokens, s.Max)
	case s.Max != 0:
		return nil, fmt.Errorf("sentence_bert_config.json: max_seq_length is %d; %d and more are supported", s.Max, minTokens)
	}
	return f, nil
}

// modules follows modules.json, where there is one: which folder holds the model, and what is done with its last layer.
func (f *folder) modules(dir string) error {
	var list []struct{ Type, Path string }
	err := readJSON(filepath.Join(dir, "modules.json"), &list)
	if errors.Is(err, fs.ErrNotExist) {
		if err := f.pooling(filepath.Join(dir, "1_Pooling")); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil // it is the mean
	}
	if err != nil {
		return err
	}
	for i, m := range list {
		if m.Path != "" && !filepath.IsLocal(m.Path) {
			return fmt.Errorf("modules.json: the path %.60q leaves the folder", m.Path)
		}
		path := filepath.Join(dir, m.Path)
		switch name := m.Type[strings.LastIndexByte(m.Type, '.')+1:]; {
		case name == "Transformer" && i == 0:
			f.at = path
			f.has(m.Path, "config.json", Tokenizer, Weights, "sentence_bert_config.json")
		case name == "StaticEmbedding" && i == 0:
			f.kind, f.at = KindStatic, path
			f.has(m.Path, "config.json", Tokenizer, Weights)
		case name == "Pooling":
			f.has(m.Path, "config.json")
			if err := f.pooling(path); err != nil {
				return err
			}
		case name == "Normalize": // all vectors are
		default:
			return fmt.Errorf("modules.json: module %.60q is not supported", m.Type)
		}
	}
	var p struct{ Prompts map[string]string }
	if err := readJSON(filepath.Join(dir, "config_sentence_transformers.json"), &p); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f.prompts = p.Prompts
	return nil
}

// has counts files in a module's folder among those of the model.
func (f *folder) has(module string, names ...string) {
	for _, name := range names {
		if name = filepath.ToSlash(filepath.Join(module, name)); !slices.Contains(f.files, name) {
			f.files = append(f.files, name)
		}
	}
}

// pooling reads how the last layer becomes one vector.
func (f *folder) pooling(dir string) error {
	var p map[string]any
	err := readJSON(filepath.Join(dir, "config.json"), &p)
	for name, v := range p {
		if on, _ := v.(bool); !on || !strings.HasPrefix(name, "pooling_mode_") {
			continue
		}
		switch name {
		case "pooling_mode_cls_token":
			f.first = true
		case "pooling_mode_mean_tokens":
		default:
			return fmt.Errorf("%s/config.json: %.40q is not supported; mean and cls are", filepath.Base(dir), name)
		}
	}
	if f.first && p["pooling_mode_mean_tokens"] == true {
		return fmt.Errorf("%s/config.json: two ways of pooling at once are not supported", filepath.Base(dir))
	}
	return err
}

func readJSON(path string, into any) error {
	raw, err := readFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	return nil
}

func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, maxJSON+1))
	if err == nil && len(raw) > maxJSON {
		err = fmt.Errorf("%s is larger than %d MB", filepath.Base(path), maxJSON>>20)
	}
	return raw, err
}

// digest names the model by the bytes of its files, which lie in dir.
func (f *folder) digest(dir string) (string, error) {
	h := sha256.New()
	for _, name := range f.files {
		file, err := os.Open(filepath.Join(dir, filepath.FromSlash(name)))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%s\n", name)
		_, err = io.Copy(h, io.LimitReader(file, MaxFile))
		_ = file.Close() // only read
		if err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8]), nil
}
