package model

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/model/modeltest"
)

// pieces names the tokens of a text.
func pieces(m *Model, text string, limit int) (out []string) {
	vocabulary := modeltest.Vocabulary()
	for _, id := range m.tokens.text(valid(text), limit) {
		out = append(out, vocabulary[id])
	}
	return out
}

// Each case is what the tokenizers library gives for the same file.
func TestWordPiecesOfBERT(t *testing.T) {
	m, _, _ := write(t, modeltest.Model{})
	for text, want := range map[string]string{
		"The boats, sailing.":     "the boat ##s , sail ##ing .",
		"  a\t\n a\u00a0a\u3000a": "a a a a",
		"北北a":                     "北 北 a",
		"Älé ÉTÉ":                 "ale e ##t ##e",
		"bo\u00adat sa\u200bil":   "boat sail",
		"sailx qqq":               "sail ##x q ##q ##q",
		"boat😀 sail":              "[UNK] sail",
		"a?.a":                    "a ? . a",
		"":                        "",
		strings.Repeat("s", 101):  "[UNK]",
		"\xffboat\x00":            "boat",
	} {
		if got := strings.Join(pieces(m, text, 500), " "); got != want {
			t.Errorf("%.30q gives %q, want %q", text, got, want)
		}
	}
	if got := pieces(m, "boat boats boats", 4); !slices.Equal(got, []string{"boat", "boat", "##s", "boat"}) {
		t.Errorf("cut to 4: %q", got)
	}
}

// Nobody's words can end a sequence or begin one.
func TestSpecialTokensInATextAreText(t *testing.T) {
	m, _, _ := write(t, modeltest.Model{})
	for _, id := range m.tokens.text("the [SEP] boat [CLS][PAD]", 100) {
		if id == m.tokens.cls || id == m.tokens.sep || id == 0 {
			t.Errorf("a text has the special token %d", id)
		}
	}
}

func TestUnknownTokenizersAreRefused(t *testing.T) {
	dir := t.TempDir()
	if _, err := (modeltest.Model{}).Write(dir); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(filepath.Join(dir, Tokenizer))
	if err != nil {
		t.Fatal(err)
	}
	for part, set := range map[string]string{
		"model":          `{"type":"BPE","vocab":{}}`,
		"model ":         `{"type":"WordPiece","vocab":{}}`,
		"model  ":        `{"type":"WordPiece","vocab":{"a":-1},"unk_token":"a","continuing_subword_prefix":"##"}`,
		"model   ":       `{"type":"WordPiece","vocab":{"a":1},"unk_token":"b","continuing_subword_prefix":"##"}`,
		"normalizer":     `{"type":"Precompiled"}`,
		"pre_tokenizer":  `{"type":"ByteLevel"}`,
		"pre_tokenizer ": `null`,
		"post_processor": `{"type":"RobertaProcessing"}`,
		"added_tokens":   `[{"id":1,"content":"x","special":false}]`,
	} {
		var f map[string]json.RawMessage
		if err := json.Unmarshal(raw, &f); err != nil {
			t.Fatal(err)
		}
		f[strings.TrimSpace(part)] = json.RawMessage(set)
		changed, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := newTokenizer(changed, true); err == nil {
			t.Errorf("%s %s is accepted", part, set)
		}
	}
}

func FuzzTokenizer(f *testing.F) {
	dir := f.TempDir()
	if _, err := (modeltest.Model{}).Write(dir); err != nil {
		f.Fatal(err)
	}
	m, err := Open(dir)
	if err != nil {
		f.Fatal(err)
	}
	f.Add("The boat 北 [SEP]\x00\xff é")
	f.Fuzz(func(t *testing.T, text string) {
		ids := m.tokens.text(valid(text), 50)
		if len(ids) > 50 {
			t.Errorf("%d tokens", len(ids))
		}
		for _, id := range ids {
			if id < 0 || int(id) >= m.tokens.size || id == m.tokens.cls || id == m.tokens.sep {
				t.Errorf("token %d in %q", id, text)
			}
		}
	})
}
