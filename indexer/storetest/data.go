package storetest

import (
	"hash/fnv"
	"math/rand/v2"

	"github.com/reverie-memory/reverie/indexer/vector"
)

// Data is a made-up collection with questions about it.
type Data struct {
	Records []vector.Record
	Queries [][]float32
}

// Clustered gives vectors around centres, as embedding models do; queries are around them too.
func Clustered(seed uint64, n, queries, dim int) Data {
	r := rng(seed)
	centres := make([][]float32, max(1, n/100))
	for i := range centres {
		centres[i] = unit(r, dim)
	}
	near := func() []float32 {
		c, v := centres[r.IntN(len(centres))], unit(r, dim)
		for i := range v {
			v[i] += c[i]
		}
		return normalise(v)
	}
	var d Data
	for i := range n {
		d.Records = append(d.Records, vector.Record{Key: vector.Key(i + 1), Vector: near()})
	}
	for range queries {
		d.Queries = append(d.Queries, near())
	}
	return d
}

// Hashed gives what an embedder makes that hashes words and their pieces: nearly orthogonal vectors
// with no clusters, the hard case for an approximate index. Queries hold a few words of a text.
func Hashed(seed uint64, n, queries, dim int) Data {
	r := rng(seed)
	words := rand.NewZipf(r, 1.1, 8, 30_000)
	texts := make([][]uint64, n)
	var d Data
	for i := range texts {
		for range 12 + r.IntN(25) {
			texts[i] = append(texts[i], words.Uint64())
		}
		d.Records = append(d.Records, vector.Record{Key: vector.Key(i + 1), Vector: hashed(texts[i], dim)})
	}
	for range queries {
		q := []uint64{words.Uint64(), words.Uint64()}
		for _, w := range texts[r.IntN(n)] {
			if r.IntN(4) == 0 {
				q = append(q, w)
			}
		}
		d.Queries = append(d.Queries, hashed(q, dim))
	}
	return d
}

// hashed adds, for each word, a heavy feature and a few light ones that it shares with its like.
func hashed(words []uint64, dim int) []float32 {
	v := make([]float32, dim)
	add := func(a, b uint64, weight float32) {
		h := fnv.New64a()
		for x := a*0x9e3779b97f4a7c15 ^ b; x > 0; x >>= 8 {
			h.Write([]byte{byte(x)})
		}
		x := h.Sum64()
		x ^= x >> 31
		if x&1 == 0 {
			weight = -weight
		}
		v[x>>1%uint64(dim)] += weight
	}
	for i, w := range words {
		rare := 1 + float32(min(w, 3000))/1000 // frequent words weigh less
		add(1, w, rare)
		for piece := range uint64(4) {
			add(2, w/7*4+piece, rare/4)
		}
		if i > 0 {
			add(words[i-1]+3, w, rare/2)
		}
	}
	return normalise(v)
}
