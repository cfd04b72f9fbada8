package model

import (
	"encoding/json"
	"fmt"
	"math"
	"unicode/utf8"
)

// unigram cuts a word into the pieces whose scores have the greatest sum.
type unigram struct {
	ids      map[string]int32
	scores   []float64
	unknown  int32
	penalty  float64 // score of a character that is no piece
	longest  int     // bytes of the longest piece
	maxBytes int     // of a word; what is behind them is left out
}

// scoredPiece is ["piece", score] in the file.
type scoredPiece struct {
	piece string
	score float64
}

func (p *scoredPiece) UnmarshalJSON(raw []byte) error {
	pair := [2]any{&p.piece, &p.score}
	return json.Unmarshal(raw, &pair)
}

func newUnigram(raw []byte) (*unigram, error) {
	var f struct {
		Vocab    []scoredPiece
		Unknown  *int `json:"unk_id"`
		Fallback bool `json:"byte_fallback"`
	}
	if err := json.Unmarshal(raw, &f); err != nil {
		return nil, err
	}
	switch {
	case len(f.Vocab) == 0 || len(f.Vocab) > maxVocabulary:
		return nil, fmt.Errorf("a vocabulary of %d tokens; 1 to %d are supported", len(f.Vocab), maxVocabulary)
	case f.Unknown == nil || *f.Unknown < 0 || *f.Unknown >= len(f.Vocab):
		return nil, fmt.Errorf("no unk_id within the vocabulary")
	case f.Fallback:
		return nil, fmt.Errorf("byte_fallback is not supported")
	}
	u := &unigram{ids: make(map[string]int32, len(f.Vocab)), unknown: int32(*f.Unknown), maxBytes: 8 << 10}
	least := 0.0
	for id, p := range f.Vocab {
		if p.piece != "" {
			u.ids[p.piece] = int32(id)
		}
		u.scores = append(u.scores, p.score)
		u.longest, least = max(u.longest, len(p.piece)), min(least, p.score)
	}
	u.penalty = least - 10
	return u, nil
}

// pieces appends the ids of a word's pieces. Characters side by side that are no pieces are unknown together.
func (u *unigram) pieces(ids []int32, word string) []int32 {
	if len(word) > u.maxBytes {
		word = word[:u.maxBytes]
	}
	type step struct {
		score float64
		from  int
		id    int32
	}
	best := make([]step, len(word)+1) // the best way to each byte
	for i := range best[1:] {
		best[i+1].score = math.Inf(-1)
	}
	reach := func(from, to int, id int32, score float64) {
		if score += best[from].score; score > best[to].score {
			best[to] = step{score, from, id}
		}
	}
	for at := 0; at < len(word); {
		_, size := utf8.DecodeRuneInString(word[at:])
		single := false
		for end := at + size; end <= min(len(word), at+u.longest); {
			if id, ok := u.ids[word[at:end]]; ok {
				reach(at, end, id, u.scores[id])
				single = single || end == at+size
			}
			_, next := utf8.DecodeRuneInString(word[end:])
			end += max(next, 1)
		}
		if !single {
			reach(at, at+size, u.unknown, u.penalty)
		}
		at += size
	}
	first := len(ids)
	for at := len(word); at > 0; at = best[at].from {
		if id := best[at].id; id != u.unknown || len(ids) == first || ids[len(ids)-1] != u.unknown {
			ids = append(ids, id)
		}
	}
	for i, j := first, len(ids)-1; i < j; i, j = i+1, j-1 {
		ids[i], ids[j] = ids[j], ids[i]
	}
	return ids
}

func (u *unigram) hide(piece string) { delete(u.ids, piece) }
