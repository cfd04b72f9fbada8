package model

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
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
		"normalizer":     `{"type":"Precompiled","precompiled_charsmap":"AAAA"}`,
		"normalizer ":    `{"type":"Sequence","normalizers":[{"type":"ByteLevel"}]}`,
		"model    ":      `{"type":"Unigram","vocab":[["a",-1]],"unk_id":4}`,
		"model     ":     `{"type":"Unigram","vocab":[["a",-1]],"unk_id":0,"byte_fallback":true}`,
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

// unigramFile has the table of characters of a trie with one way, "x" to "ab", and two sep between two texts.
func unigramFile() []byte {
	trie := make([]uint32, 256)
	trie[0] = 1 << 10                  // children at 1
	trie[1^'x'] = 'x' | 1<<8 | 200<<10 // a leaf, 200 away
	trie[1^'x'^200] = 1<<31 | 2        // its text begins at the third byte
	raw := binary.LittleEndian.AppendUint32(nil, uint32(4*len(trie)))
	for _, unit := range trie {
		raw = binary.LittleEndian.AppendUint32(raw, unit)
	}
	raw = append(raw, "??ab\x00"...)
	special := `{"SpecialToken":{"id":"<s>"}},{"Sequence":{"id":"A"}},{"SpecialToken":{"id":"</s>"}}`
	return fmt.Appendf(nil, `{"model":{"type":"Unigram","unk_id":2,"vocab":[["<s>",0],["</s>",0],["<unk>",0],["▁",-3],["a",-4],["b",-4],
		["▁a",-5],["ab",-5],["▁ab",-9],["北京",-6],["北",-7]]},
		"added_tokens":[{"id":0,"content":"<s>","special":true},{"id":1,"content":"</s>","special":true}],
		"normalizer":{"type":"Sequence","normalizers":[{"type":"Precompiled","precompiled_charsmap":%q},
			{"type":"Replace","pattern":{"Regex":" {2,}"},"content":" "}]},
		"pre_tokenizer":{"type":"Sequence","pretokenizers":[{"type":"WhitespaceSplit"},
			{"type":"Metaspace","replacement":"▁","prepend_scheme":"always"}]},
		"post_processor":{"type":"TemplateProcessing","single":[%s],"pair":[%s,{"SpecialToken":{"id":"</s>"}},{"Sequence":{"id":"B"}},
			{"SpecialToken":{"id":"</s>"}}]}}`, base64.StdEncoding.EncodeToString(raw), special, special)
}

// The way with the greatest sum of scores is taken, and characters that are no pieces are unknown together.
func TestUnigramPieces(t *testing.T) {
	k, err := newTokenizer(unigramFile(), true)
	if err != nil {
		t.Fatal(err)
	}
	if !k.twice || k.cls != 0 || k.sep != 1 {
		t.Errorf("the special tokens are %d and %d", k.cls, k.sep)
	}
	for text, want := range map[string][]int32{
		"a":      {6},
		"ab":     {3, 7},    // -3-5 is more than -9 and than -5-4
		"x  a":   {3, 7, 6}, // x is written ab
		"aab":    {6, 7},
		"北京":     {3, 9},
		"北😀😀b":   {3, 10, 2, 5},
		"</s> a": {3, 2, 6},
		"":       nil,
	} {
		if got := k.text(text, 100); !slices.Equal(got, want) {
			t.Errorf("%q gives %v, want %v", text, got, want)
		}
	}
	if got := k.text(strings.Repeat("北", 100_000), 50); len(got) != 50 {
		t.Errorf("a long word gives %d tokens", len(got))
	}
}

func FuzzUnigram(f *testing.F) {
	k, err := newTokenizer(unigramFile(), true)
	if err != nil {
		f.Fatal(err)
	}
	f.Add("xab 北京\xf0😀", []byte{1, 0, 0, 0})
	f.Fuzz(func(t *testing.T, text string, table []byte) {
		for _, id := range k.text(valid(text), 50) {
			if id < 2 || int(id) >= k.size {
				t.Errorf("token %d in %q", id, text)
			}
		}
		m, err := newCharsmap(base64.StdEncoding.EncodeToString(table))
		if err == nil {
			m.normalise(text)
		}
	})
}
