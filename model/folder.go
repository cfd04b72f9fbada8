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

// Files are what a model is made of; others in its folder are not read. The first folder of modules.json may hold some of them.
var Files = []string{
	"config.json", Tokenizer, Weights, "modules.json", "sentence_bert_config.json", "config_sentence_transformers.json",
	"1_Pooling/config.json", "0_StaticEmbedding/" + Weights, "0_StaticEmbedding/" + Tokenizer,
}

// A folder is a model's description, without its tensors.
type folder struct {
	kind      string
	at        string // where weights and tokenizer lie
	config    config
	first     bool // pooled is the first token, not the mean
	normalise bool
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
	f := &folder{at: dir, maxTokens: maxTokens}
	modules, err := f.modules(dir)
	if err != nil {
		return nil, err
	}
	if modules && f.kind == KindStatic {
		return f, nil
	}
	if err := readJSON(filepath.Join(f.at, "config.json"), &f.config); err != nil {
		return nil, err
	}
	c, types := &f.config, 1
	switch {
	case c.ModelType == "model2vec" || slices.Contains(c.Architectures, "StaticModel"):
		f.kind, f.normalise = KindStatic, c.Normalise == nil || *c.Normalise
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
func (f *folder) modules(dir string) (bool, error) {
	var list []struct{ Type, Path string }
	err := readJSON(filepath.Join(dir, "modules.json"), &list)
	if errors.Is(err, fs.ErrNotExist) {
		return false, f.pooling(filepath.Join(dir, "1_Pooling"))
	}
	if err != nil {
		return false, err
	}
	for i, m := range list {
		if m.Path != "" && !filepath.IsLocal(m.Path) {
			return false, fmt.Errorf("modules.json: the path %.60q leaves the folder", m.Path)
		}
		path := filepath.Join(dir, m.Path)
		switch name := m.Type[strings.LastIndexByte(m.Type, '.')+1:]; {
		case name == "Transformer" && i == 0:
			f.at = path
		case name == "StaticEmbedding" && i == 0:
			f.kind, f.at = KindStatic, path
		case name == "Pooling":
			if err := f.pooling(path); err != nil {
				return false, err
			}
		case name == "Normalize":
			f.normalise = true
		default:
			return false, fmt.Errorf("modules.json: module %.60q is not supported", m.Type)
		}
	}
	var p struct{ Prompts map[string]string }
	if err := readJSON(filepath.Join(dir, "config_sentence_transformers.json"), &p); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	f.prompts = p.Prompts
	return true, nil
}

// pooling reads how the last layer becomes one vector; without the file it is the mean.
func (f *folder) pooling(dir string) error {
	var p map[string]any
	err := readJSON(filepath.Join(dir, "config.json"), &p)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for name, v := range p {
		if on, _ := v.(bool); !on || !strings.HasPrefix(name, "pooling_mode_") {
			continue
		}
		switch name {
		case "pooling_mode_cls_token":
			f.first = true
		case "pooling_mode_mean_tokens":
		default:
			return fmt.Errorf("1_Pooling/config.json: %.40q is not supported; mean and cls are", name)
		}
	}
	if f.first && p["pooling_mode_mean_tokens"] == true {
		return errors.New("1_Pooling/config.json: two ways of pooling at once are not supported")
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

// digest names the model by the bytes of its files.
func digest(dir string) (string, error) {
	h := sha256.New()
	for _, name := range Files {
		f, err := os.Open(filepath.Join(dir, filepath.FromSlash(name)))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%s\n", name)
		_, err = io.Copy(h, io.LimitReader(f, MaxFile))
		_ = f.Close() // only read
		if err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8]), nil
}
