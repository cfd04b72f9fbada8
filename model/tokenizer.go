package model

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
)

// maxVocabulary bounds the tokens of a tokenizer.
const maxVocabulary = 1 << 20

// A tokenizer makes ids of a text. A tokenizer works on one run of letters between blanks after the other, so that a long text costs no
// more than the tokens that are taken of it. Names of special tokens in a text are plain text: nobody's words can end a sequence.
type tokenizer struct {
	normalise []func(string) string
	split     []func(string) []string // words of a run
	words     interface {
		pieces(ids []int32, word string) []int32
		hide(piece string) // no word has it from now on
	}
	unknown  int32
	cls, sep int32 // stand before and behind a text
	twice    bool  // two sep stand between two texts
	size     int   // all ids are below
}

// tokenizerFile is tokenizer.json as far as it matters.
type tokenizerFile struct {
	Added []struct {
		ID      int32  `json:"id"`
		Content string `json:"content"`
		Special bool   `json:"special"`
	} `json:"added_tokens"`
	Normalizer    *step           `json:"normalizer"`
	PreTokenizer  *step           `json:"pre_tokenizer"`
	PostProcessor json.RawMessage `json:"post_processor"`
	Model         json.RawMessage `json:"model"`
}

// vocabulary is the model of a tokenizer.
type vocabulary struct {
	Type     string           `json:"type"`
	Unknown  string           `json:"unk_token"`
	Prefix   string           `json:"continuing_subword_prefix"`
	MaxRunes int              `json:"max_input_chars_per_word"`
	Vocab    map[string]int32 `json:"vocab"`
}

// newTokenizer reads tokenizer.json. A pair of special tokens is asked for where pair is set.
func newTokenizer(raw []byte, special bool) (*tokenizer, error) {
	var f tokenizerFile
	if err := json.Unmarshal(raw, &f); err != nil {
		return nil, err
	}
	t := &tokenizer{}
	if err := t.model(f.Model); err != nil {
		return nil, err
	}
	named := map[string]int32{}
	for _, a := range f.Added {
		if a.ID < 0 || a.ID >= maxVocabulary {
			return nil, fmt.Errorf("added token %.40q has the id %d", a.Content, a.ID)
		}
		if !a.Special {
			return nil, fmt.Errorf("added token %.40q is not a special one, which is not supported", a.Content)
		}
		named[a.Content] = a.ID
		t.words.hide(a.Content)
		t.size = max(t.size, int(a.ID)+1)
	}
	if err := t.normalizer(f.Normalizer); err != nil {
		return nil, err
	}
	if err := t.preTokenizer(f.PreTokenizer); err != nil {
		return nil, err
	}
	if !special {
		return t, nil
	}
	return t, t.template(f.PostProcessor, named)
}

func (t *tokenizer) model(raw json.RawMessage) error {
	var kind struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(raw, &kind); err != nil {
		return fmt.Errorf("model: %w", err)
	}
	switch kind.Type {
	case "WordPiece":
	case "Unigram":
		u, err := newUnigram(raw)
		if err != nil {
			return fmt.Errorf("model: %w", err)
		}
		t.words, t.unknown, t.size = u, u.unknown, len(u.scores)
		return nil
	default:
		return fmt.Errorf("a tokenizer of type %.40q is not supported; WordPiece and Unigram are", kind.Type)
	}
	var v vocabulary
	if err := json.Unmarshal(raw, &v); err != nil {
		return fmt.Errorf("model: %w", err)
	}
	if len(v.Vocab) == 0 || len(v.Vocab) > maxVocabulary {
		return fmt.Errorf("a vocabulary of %d tokens; 1 to %d are supported", len(v.Vocab), maxVocabulary)
	}
	for token, id := range v.Vocab {
		if id < 0 || id >= maxVocabulary {
			return fmt.Errorf("token %.40q has the id %d", token, id)
		}
		t.size = max(t.size, int(id)+1)
	}
	w, err := newWordPiece(&v)
	if err != nil {
		return err
	}
	t.words, t.unknown = w, w.unknown
	return nil
}

// template finds which special tokens stand around a text and between two.
func (t *tokenizer) template(raw json.RawMessage, named map[string]int32) error {
	type part struct {
		Special  *struct{ ID string } `json:"SpecialToken"`
		Sequence *struct{ ID string } `json:"Sequence"`
	}
	var p struct {
		Type         string
		Cls, Sep     [2]any
		Single, Pair []part
	}
	if err := json.Unmarshal(raw, &p); err != nil {
		return fmt.Errorf("post_processor: %w", err)
	}
	var shape []string
	var around []string
	switch p.Type {
	case "BertProcessing":
		cls, _ := p.Cls[0].(string)
		sep, _ := p.Sep[0].(string)
		shape, around = []string{"s", "A", "s", "s", "A", "s", "B", "s"}, []string{cls, sep}
	case "TemplateProcessing":
		for _, e := range append(p.Single, p.Pair...) {
			switch {
			case e.Special != nil:
				shape, around = append(shape, "s"), append(around, e.Special.ID)
			case e.Sequence != nil:
				shape = append(shape, e.Sequence.ID)
			}
		}
	}
	switch got := strings.Join(shape, ""); got {
	case "sAssAsBs":
	case "sAssAssBs":
		t.twice = true
	default:
		return fmt.Errorf("a post_processor of type %.40q and form %.40q is not supported; CLS A SEP and CLS A SEP B SEP are", p.Type, got)
	}
	var ok, also bool
	t.cls, ok = named[around[0]]
	t.sep, also = named[around[1]]
	if !ok || !also {
		return fmt.Errorf("the special tokens %.40q and %.40q are not among the added ones", around[0], around[1])
	}
	return nil
}

// text makes ids of a text, at most limit, without special tokens.
func (t *tokenizer) text(text string, limit int) []int32 {
	var ids []int32
	for run := range strings.FieldsFuncSeq(text, blank) {
		for _, f := range t.normalise {
			run = f(run)
		}
		words := []string{run}
		for _, f := range t.split {
			var next []string
			for _, w := range words {
				next = append(next, f(w)...)
			}
			words = next
		}
		for _, w := range words {
			ids = t.words.pieces(ids, w)
		}
		if len(ids) >= limit {
			return ids[:limit]
		}
	}
	return ids
}

func blank(r rune) bool { return r == '\t' || r == '\n' || r == '\r' || unicode.IsSpace(r) }
