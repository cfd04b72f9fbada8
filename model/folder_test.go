package model

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/model/modeltest"
)

// set changes one value in a model's JSON file.
func set(t *testing.T, path, key string, value any) {
	t.Helper()
	f := map[string]any{}
	if raw, err := os.ReadFile(path); err == nil {
		if err := json.Unmarshal(raw, &f); err != nil {
			t.Fatal(err)
		}
	}
	f[key] = value
	raw, err := json.Marshal(f)
	if err == nil {
		err = os.WriteFile(path, raw, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestWhatIsNotSupportedIsRefused(t *testing.T) {
	for _, c := range []struct {
		file, key string
		value     any
		want      string
	}{
		{"config.json", "type_vocab_size", 0, "type_vocab_size"},
		{"sentence_bert_config.json", "max_seq_length", 7, "max_seq_length"},
		{"sentence_bert_config.json", "max_seq_length", -1, "max_seq_length"},
		{"config.json", "model_type", "mpnet", "mpnet"},
		{"config.json", "architectures", []string{"GPT2LMHeadModel"}, "GPT2"},
		{"config.json", "hidden_act", "silu", "silu"},
		{"config.json", "position_embedding_type", "relative_key", "relative_key"},
		{"config.json", "num_hidden_layers", 1000, "num_hidden_layers"},
		{"config.json", "num_attention_heads", 5, "heads"},
		{"config.json", "vocab_size", 3, "tokens"},
		{"config.json", "hidden_size", 48, "shape"},
		{"config.json", "num_hidden_layers", 1, "not known"},
		{"config.json", "num_hidden_layers", 3, "missing"},
		{"config.json", "layer_norm_eps", 0, "layer_norm_eps"},
		{"1_Pooling/config.json", "pooling_mode_max_tokens", true, "max_tokens"},
		{"1_Pooling/config.json", "pooling_mode_cls_token", true, "two ways"},
	} {
		dir := t.TempDir()
		if _, err := (modeltest.Model{}).Write(dir); err != nil {
			t.Fatal(err)
		}
		set(t, filepath.Join(dir, c.file), c.key, c.value)
		m, err := Open(dir)
		if err == nil {
			err = m.Load()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %s = %v: %v, want an error about %q", c.file, c.key, c.value, err, c.want)
		}
	}
}

// A reranker has a type for questions and one for texts, and the least room that it may have is enough.
func TestRerankersHaveRoomForQuestionAndText(t *testing.T) {
	_, tensors, dir := write(t, modeltest.Model{Kind: "reranker"})
	set(t, filepath.Join(dir, "sentence_bert_config.json"), "max_seq_length", minTokens)
	m, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Score(ctx, "the boat sails", texts); err != nil {
		t.Error(err)
	}
	types := tensors["bert.embeddings.token_type_embeddings.weight"]
	types.Shape[0], types.Values = 1, types.Values[:len(types.Values)/2]
	tensors["bert.embeddings.token_type_embeddings.weight"] = types
	if err := os.WriteFile(filepath.Join(dir, Weights), modeltest.Safetensors(tensors), 0o600); err != nil {
		t.Fatal(err)
	}
	set(t, filepath.Join(dir, "config.json"), "type_vocab_size", 1)
	if _, err := Add(t.TempDir(), dir, ""); err == nil || !strings.Contains(err.Error(), "type_vocab_size") {
		t.Errorf("a reranker that knows one type of tokens: %v", err)
	}
}

func TestModulesSayHowALayerIsPooled(t *testing.T) {
	_, _, dir := write(t, modeltest.Model{})
	modules := func(list string) error {
		if err := os.WriteFile(filepath.Join(dir, "modules.json"), []byte(list), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Open(dir)
		return err
	}
	const st = `"sentence_transformers.models.`
	if err := modules(`[{"type":` + st + `Transformer","path":""},{"type":` + st + `Pooling","path":"1_Pooling"},` +
		`{"type":` + st + `Normalize"}]`); err != nil {
		t.Error(err)
	}
	for _, list := range []string{
		`[{"type":` + st + `Transformer","path":"../other"}]`,
		`[{"type":` + st + `Transformer","path":""},{"type":` + st + `Dense","path":"2_Dense"}]`,
	} {
		if modules(list) == nil {
			t.Errorf("%s is accepted", list)
		}
	}
	set(t, filepath.Join(dir, "sentence_bert_config.json"), "max_seq_length", 17)
	if err := os.Remove(filepath.Join(dir, "modules.json")); err != nil {
		t.Fatal(err)
	}
	if m, err := Open(dir); err != nil || m.Info().MaxTokens != 17 {
		t.Errorf("max_seq_length is not heeded: %v", err)
	}
}

// Whatever folders modules.json names, a model is the same after it was added, and other weights are another model.
func TestModulesNameTheFilesOfAModel(t *testing.T) {
	const st = `[{"type":"sentence_transformers.models.`
	for kind, list := range map[string]string{
		"encoder": st + `Transformer","path":"0_Transformer"},{"type":"sentence_transformers.models.Pooling","path":"pooling"}]`,
		"static":  st + `StaticEmbedding","path":"./embedding/"}]`,
	} {
		_, tensors, dir := write(t, modeltest.Model{Kind: kind, First: true})
		part := map[string]string{"encoder": "0_Transformer", "static": "embedding"}[kind]
		if err := os.Mkdir(filepath.Join(dir, part), 0o700); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"config.json", Tokenizer, Weights} {
			if err := os.Rename(filepath.Join(dir, name), filepath.Join(dir, part, name)); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(dir, "modules.json"), []byte(list), 0o600); err != nil {
			t.Fatal(err)
		}
		if kind == "encoder" {
			if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), "pooling") {
				t.Errorf("a module without its file: %v", err)
			}
			if err := os.Rename(filepath.Join(dir, "1_Pooling"), filepath.Join(dir, "pooling")); err != nil {
				t.Fatal(err)
			}
		}
		models := t.TempDir()
		added, err := Add(models, dir, "m")
		if err != nil {
			t.Fatal(err)
		}
		if m, err := Open(filepath.Join(models, "m")); err != nil || m.folder.first != (kind == "encoder") {
			t.Errorf("%s: the model that was added is another one: %v", kind, err)
		}
		for _, v := range tensors {
			v.Values[0]++
		}
		if err := os.WriteFile(filepath.Join(dir, part, Weights), modeltest.Safetensors(tensors), 0o600); err != nil {
			t.Fatal(err)
		}
		if m, err := Open(dir); err != nil || m.Info().Digest == added.Info.Digest {
			t.Errorf("%s: other weights are the same model: %v", kind, err)
		}
		if _, err := Add(models, dir, "m"); !errors.Is(err, ErrExists) {
			t.Errorf("%s: other weights are there already: %v", kind, err)
		}
	}
}

// Vectors are compared by their direction alone. A model that says that its lengths count is refused, with modules.json and without.
func TestVectorsWhoseLengthCountsAreRefused(t *testing.T) {
	_, _, dir := write(t, modeltest.Model{Kind: "static"})
	set(t, filepath.Join(dir, "config.json"), "normalize", false)
	for _, modules := range []string{"", `[{"type":"sentence_transformers.models.StaticEmbedding","path":"."}]`} {
		if modules != "" {
			if err := os.WriteFile(filepath.Join(dir, "modules.json"), []byte(modules), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), "normalize") {
			t.Errorf("with modules.json = %q: %v", modules, err)
		}
	}
}

func TestAddCopiesAModelOnce(t *testing.T) {
	_, _, dir := write(t, modeltest.Model{})
	if err := os.WriteFile(filepath.Join(dir, "LICENSE"), []byte("Apache"), 0o600); err != nil {
		t.Fatal(err)
	}
	models := filepath.Join(t.TempDir(), "data", "models.d")
	for range 2 {
		e, err := Add(models, dir, "")
		if err != nil || e.Name != "tiny" || e.Licence != "LICENSE" || e.Info.Dim != 24 {
			t.Fatalf("%+v %v", e, err)
		}
	}
	_, _, other := write(t, modeltest.Model{Seed: 5})
	if _, err := Add(models, other, "tiny"); !errors.Is(err, ErrExists) {
		t.Errorf("another model took the name: %v", err)
	}
	for _, name := range []string{"../x", ".", "a/b", ".x"} {
		if _, err := Add(models, other, name); err == nil {
			t.Errorf("the name %q is accepted", name)
		}
	}
	set(t, filepath.Join(other, "config.json"), "num_hidden_layers", 1) // its weights do not fit
	if _, err := Add(models, other, "broken"); err == nil {
		t.Error("a broken model is added")
	}
	if err := os.MkdirAll(filepath.Join(models, "empty"), 0o700); err != nil {
		t.Fatal(err)
	}
	list, err := List(models)
	if err != nil || len(list) != 2 || list[0].Problem == "" || list[1].Problem != "" || list[1].Licence != "LICENSE" {
		t.Errorf("%+v %v", list, err)
	}
	if left, err := os.ReadDir(models); err != nil || len(left) != 2 {
		t.Errorf("a failed add left something behind: %v %v", left, err)
	}
}

func TestDigestFollowsEachFile(t *testing.T) {
	m, _, dir := write(t, modeltest.Model{})
	set(t, filepath.Join(dir, "sentence_bert_config.json"), "max_seq_length", 20)
	if other, err := Open(dir); err != nil || other.Info().Digest == m.Info().Digest {
		t.Errorf("the digest is the same: %v", err)
	}
}
