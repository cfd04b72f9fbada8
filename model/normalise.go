package model

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A step is one normaliser or pre-tokenizer of tokenizer.json, with the settings of all of them.
type step struct {
	Type          string
	Normalizers   []step
	PreTokenizers []step `json:"pretokenizers"`
	Clean         bool   `json:"clean_text"`
	Chinese       bool   `json:"handle_chinese_chars"`
	Accents       *bool  `json:"strip_accents"`
	Lower         bool   `json:"lowercase"`
	Behaviour     string `json:"behavior"`
	Pattern       struct{ String, Regex string }
	Content       string
	Charsmap      string `json:"precompiled_charsmap"`
	Replacement   string
	Scheme        string `json:"prepend_scheme"`
}

// normalizer adds what s does to a run, which has no blanks in it.
func (t *tokenizer) normalizer(s *step) error {
	add := func(f func(string) string) { t.normalise = append(t.normalise, f) }
	switch {
	case s == nil:
	case s.Type == "Sequence":
		for i := range s.Normalizers {
			if err := t.normalizer(&s.Normalizers[i]); err != nil {
				return err
			}
		}
	case s.Type == "BertNormalizer":
		if s.Clean {
			add(clean)
		}
		if s.Chinese {
			add(spaceIdeographs)
		}
		if s.Accents == nil && s.Lower || s.Accents != nil && *s.Accents {
			add(norm.NFD.String)
			add(stripMarks)
		}
		if s.Lower {
			add(strings.ToLower)
		}
	case s.Type == "Lowercase":
		add(strings.ToLower)
	case s.Type == "StripAccents":
		add(stripMarks)
	case s.Type == "Strip": // blanks are no part of a run
	case s.Type == "Replace" && s.Pattern.String != "":
		add(strings.NewReplacer(s.Pattern.String, s.Content).Replace)
	case s.Type == "Replace" && s.Pattern.Regex == " {2,}" && s.Content == " ": // nor several of them
	case s.Type == "Precompiled":
		m, err := newCharsmap(s.Charsmap)
		if err != nil {
			return err
		}
		add(m.normalise)
	case forms[s.Type] != nil:
		add(forms[s.Type])
	default:
		return fmt.Errorf("a normaliser of type %.40q is not supported", s.Type)
	}
	return nil
}

var forms = map[string]func(string) string{
	"NFC": norm.NFC.String, "NFD": norm.NFD.String, "NFKC": norm.NFKC.String, "NFKD": norm.NFKD.String,
}

// preTokenizer adds how s cuts a run into words. Blanks always do.
func (t *tokenizer) preTokenizer(s *step) error {
	add := func(f func(string) []string) { t.split = append(t.split, f) }
	switch {
	case s != nil && s.Type == "Sequence":
		for i := range s.PreTokenizers {
			if err := t.preTokenizer(&s.PreTokenizers[i]); err != nil {
				return err
			}
		}
	case s != nil && s.Type == "BertPreTokenizer":
		add(strings.Fields)
		add(isolate(punctuation))
	case s != nil && s.Type == "WhitespaceSplit":
		add(strings.Fields)
	case s != nil && s.Type == "Metaspace" && s.Replacement != "" && (s.Scheme == "" || s.Scheme == "always"):
		add(strings.Fields)
		add(func(word string) []string { return []string{s.Replacement + word} })
	case s != nil && s.Type == "Punctuation" && (s.Behaviour == "" || s.Behaviour == "Isolated"):
		add(isolate(punctuation))
	default:
		kind := "none"
		if s != nil {
			kind = s.Type
		}
		return fmt.Errorf("a pre-tokenizer of type %.40q is not supported", kind)
	}
	return nil
}

// UnmarshalJSON keeps settings of other types of steps, whose fields may be of any shape, from being errors here.
func (s *step) UnmarshalJSON(raw []byte) error {
	type plain step
	var kind struct{ Type string }
	if err := json.Unmarshal(raw, &kind); err != nil {
		return err
	}
	if err := json.Unmarshal(raw, (*plain)(s)); err != nil {
		*s = step{}
	}
	s.Type = kind.Type
	return nil
}

// clean takes out control characters and what stands for damage.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r == 0 || r == utf8.RuneError || unicode.Is(unicode.C, r) && !blank(r) {
			return -1
		}
		return r
	}, s)
}

func stripMarks(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, s)
}

// ideographs are the blocks that BERT takes for words of one character each.
var ideographs = &unicode.RangeTable{
	R16: []unicode.Range16{{0x3400, 0x4dbf, 1}, {0x4e00, 0x9fff, 1}, {0xf900, 0xfaff, 1}},
	R32: []unicode.Range32{
		{0x20000, 0x2a6df, 1}, {0x2a700, 0x2b73f, 1}, {0x2b740, 0x2b81f, 1}, {0x2b920, 0x2ceaf, 1}, {0x2f800, 0x2fa1f, 1},
	},
}

func spaceIdeographs(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return unicode.Is(ideographs, r) }) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if unicode.Is(ideographs, r) {
			b.WriteString(" " + string(r) + " ")
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// punctuation is what BERT takes for it: all signs of ASCII, and that of other scripts.
func punctuation(r rune) bool {
	return r < 128 && r > 32 && r != 127 && !unicode.IsLetter(r) && !unicode.IsDigit(r) || unicode.IsPunct(r)
}

// isolate cuts a run so that each character of the kind is a word of its own.
func isolate(kind func(rune) bool) func(string) []string {
	return func(s string) (words []string) {
		from := 0
		for i, r := range s {
			if !kind(r) {
				continue
			}
			if from < i {
				words = append(words, s[from:i])
			}
			from = i + utf8.RuneLen(r)
			words = append(words, s[i:from])
		}
		if from < len(s) {
			words = append(words, s[from:])
		}
		return words
	}
}
