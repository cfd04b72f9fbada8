package llm

import (
	"context"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"math"
	"math/bits"
	"sync"
	"unicode/utf8"

	"github.com/reverie-memory/reverie/lexis"
)

// BuiltinDim is the dimension of the built-in embedder's vectors: hashed features, and behind these what the words mean.
const BuiltinDim = hashedDim + lexis.VectorDim

const hashedDim = 288

// builtinVersion counts changes of the method. Changes of lexis or of the concepts show in the fingerprint by themselves.
const builtinVersion = 2

// A builtin embeds texts without a model: hashed words, pairs of words, letter groups and concepts, and the vectors of the words.
//
// All weights are whole numbers and the sums are exact, so a text has the same vector on every machine.
// The only fractions are the last step's: square roots, products and divisions, which IEEE 754 fixes to the bit.
type builtin struct {
	mix   mix
	words *wordCache
	print func() string
}

// mix is the share of each kind of feature, in 1/256 of a word's own weight. docs/decisions/0006-builtin-embedder.md
// tells how the numbers were found.
type mix struct {
	word, pair, gram, concept int64
	repeat                    int64 // what doubling the count of a word adds
	shadow                    int64 // length of a stored text's shadow, in words of weight 1
}

var builtinMix = mix{word: 256, pair: 80, gram: 120, concept: 400, repeat: 180, shadow: 40}

// NewBuiltin returns the embedder that needs no model, no file and no network. The vectors depend on the
// text alone. Its tables are loaded at the first use.
func NewBuiltin() Embedder { return newBuiltin(builtinMix) }

func newBuiltin(m mix) *builtin {
	b := &builtin{mix: m, words: &wordCache{}}
	b.print = sync.OnceValue(b.fingerprint)
	return b
}

func (b *builtin) Dim() int            { return BuiltinDim }
func (b *builtin) Name() string        { return ProviderBuiltin }
func (b *builtin) Fingerprint() string { return b.print() }

// probe holds what the fingerprint watches: frequent and rare words, scripts, compounds, numbers, a typo.
var probe = []string{
	"Alice's sister moved to the Berlin office on 2026-06-09 because her job there was better.",
	"She isn't allergic to peanuts, but her doctor said the grandchildren were; wehn they wree running?",
	"getUserName parse_token v1.2.3 e-mail GPT-4 state-of-the-art 3.14 10,000 C++ co-operate",
	"Die Großmutter kaufte gestern zwei Häuser in München. Les élèves étaient fatigués. ¿Dónde está el niño?",
	"我昨天去了北京的博物馆。東京タワーへ行きました。서울에서 만났어요. " +
		"Привет, как дела? สวัสดีครับ مرحبا بالعالم",
}

// fingerprint names the method and a digest of what it makes of the probe, so that a changed stemmer,
// stop list, word table or concept shows without anyone's remembering to count a version up.
func (b *builtin) fingerprint() string {
	h := fnv.New64a()
	h.Write([]byte(lexis.ConceptTable))
	for _, text := range probe {
		for _, v := range b.vector(text, Document) {
			u := math.Float32bits(v)
			h.Write([]byte{byte(u), byte(u >> 8), byte(u >> 16), byte(u >> 24)})
		}
	}
	return fmt.Sprintf("%s/%d/%d/%s", ProviderBuiltin, builtinVersion, BuiltinDim, hex.EncodeToString(h.Sum(nil)))
}

func (b *builtin) Embed(ctx context.Context, texts []string, kind Kind) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, text := range texts {
		if i%64 == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		out[i] = b.vector(text, kind)
	}
	return out, nil
}

// maxTerms bounds the terms of one text that count: rows are chunks, and a vector of everything says nothing.
const maxTerms = 4096

func (b *builtin) vector(text string, kind Kind) []float32 {
	terms := lexis.Terms(text)
	if len(terms) > maxTerms {
		terms = terms[:maxTerms]
	}
	sum, sense := make([]int64, hashedDim), make([]int64, lexis.VectorDim)
	counts := make(map[string]int64, len(terms))
	for _, t := range terms {
		counts[t]++
	}
	words := make([]*wordFeatures, 0, len(counts))
	var last *wordFeatures
	for _, t := range terms {
		w := b.words.get(t, b.features)
		if n := counts[t]; n > 0 { // the first of its equals adds for all of them
			counts[t] = 0
			words = append(words, w)
			times := 256 + b.mix.repeat*log2(n)>>16
			for _, f := range w.features {
				sum[f.at] += int64(f.weight) * times >> 8
			}
			for i, x := range w.sense {
				sense[i] += w.weight * int64(x)
			}
		}
		if last != nil && last != w {
			at, sign := place(featurePair, last.hash*31+w.hash)
			sum[at] += sign * (last.weight + w.weight) / 2 * b.mix.pair >> 8
		}
		last = w
	}
	// A stored text casts a shadow: features that no question has. All shadows are equally long, so they
	// take most from short texts, which cosine would otherwise favour. Texts with the same words share theirs.
	if kind == Document && len(words) > 0 {
		each := b.mix.shadow << 20 / root(int64(len(words))<<16) // 256 × 4096
		for _, w := range words {
			at, sign := place(featureShadow, w.hash)
			sum[at] += sign * each
		}
	}
	out := make([]float32, BuiltinDim)
	hashed := 1.0
	if scale(out[hashedDim:], sense, shareSense) {
		hashed = shareHashed
	}
	scale(out, sum, hashed)
	return out
}

// What hashed features and meanings have of a vector's length. The squares add up to one.
const (
	shareHashed = 0.55
	shareSense  = 0.8351646544245033
)

// scale writes values of the length that is asked for, and says whether they have one. The conversions keep the compiler from fusing
// operations, which would round differently from machine to machine.
func scale(out []float32, values []int64, to float64) bool {
	square := 0.0
	for _, v := range values {
		f := float64(v)
		square += float64(f * f)
	}
	norm := math.Sqrt(square)
	if norm == 0 {
		return false
	}
	for i, v := range values {
		out[i] = float32(float64(float64(v)/norm) * to)
	}
	return true
}

// The kinds of features, so that a word and an equal letter group do not meet in one place.
const (
	featureWord = iota + 1
	featurePair
	featureGram
	featureConcept
	featureShadow
)

// A feature is one addition to one place of the vector.
type feature struct {
	at     uint16
	weight int32 // signed, in 1/4096
}

// wordFeatures is what a term adds to a text's vector, wherever it stands.
type wordFeatures struct {
	hash     uint64
	weight   int64
	features []feature
	sense    []int8 // nil where nobody knows what the term means
}

func (b *builtin) features(term string) *wordFeatures {
	w := &wordFeatures{hash: hash(term), weight: weigh(term), sense: lexis.Vector(term)}
	grams, ids := letterGroups(term), lexis.Concepts(term)
	w.features = make([]feature, 0, 1+len(grams)+len(ids))
	add := func(kind, h uint64, weight int64) {
		at, sign := place(kind, h)
		w.features = append(w.features, feature{uint16(at), int32(sign * weight)})
	}
	add(featureWord, w.hash, w.weight*b.mix.word>>8)
	if len(grams) > 0 {
		each := w.weight * b.mix.gram >> 8 * 256 / root(int64(len(grams))<<16)
		for _, g := range grams {
			add(featureGram, g, each)
		}
	}
	if len(ids) > 0 {
		each := w.weight * b.mix.concept >> 8 * 256 / root(int64(len(ids))<<16)
		for _, id := range ids {
			add(featureConcept, uint64(id), each)
		}
	}
	return w
}

// letterGroups returns the hashes of the runs of three to five letters of a word, with marks at its ends.
// Short words and scripts that are cut into pairs have none.
func letterGroups(term string) []uint64 {
	const least = 4
	if n := utf8.RuneCountInString(term); n < least || n == len(term)/3 && len(term) < 3*least {
		return nil
	}
	marked := "<" + term + ">"
	var starts [72]int
	n := 0
	for i := range marked {
		if n == len(starts)-1 {
			break
		}
		starts[n] = i
		n++
	}
	starts[n] = len(marked)
	out := make([]uint64, 0, 3*n)
	for size := 3; size <= 5; size++ {
		for i := 0; i+size <= n; i++ {
			out = append(out, hash(marked[starts[i]:starts[i+size]]))
		}
	}
	return out
}

// weigh gives a term's weight in 1/4096: the root of the logarithm of how rare it is, about 6 for the commonest
// content words and 14 for a name. The root, because question and text both bring the weight to a product.
func weigh(term string) int64 {
	const million = 1 << 20
	ppm := int64(float64(lexis.Frequency(term) * 16)) // sixteenths of a part in a million
	if term[0] >= '0' && term[0] <= '9' {
		ppm = max(ppm, 50*16) // numbers say less than their rarity suggests
	}
	rare := max(log2(million*16)-log2(ppm+16), 1<<16) // in 1/65536
	return root(rare >> 4 * (10 << 12))
}

// place gives a feature its place and its sign.
func place(kind, h uint64) (int, int64) {
	h ^= kind * 0x9e3779b97f4a7c15
	h ^= h >> 30
	h *= 0xbf58476d1ce4e5b9
	h ^= h >> 27
	h *= 0x94d049bb133111eb
	h ^= h >> 31
	at, _ := bits.Mul64(h, hashedDim)
	return int(at), int64(h&1)<<1 - 1
}

// hash is FNV-1a.
func hash(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

// log2 is the binary logarithm of n ≥ 1 in 1/65536, by repeated squaring.
func log2(n int64) int64 {
	if n < 1 {
		return 0
	}
	whole := bits.Len64(uint64(n)) - 1
	x := uint64(n) << (63 - whole) >> 32 // 1 ≤ x/2³¹ < 2
	out := int64(whole) << 16
	for bit := int64(1) << 15; bit > 0; bit >>= 1 {
		x = x * x >> 31
		if x >= 1<<32 {
			x >>= 1
			out += bit
		}
	}
	return out
}

// root is the whole square root.
func root(n int64) int64 {
	r := int64(math.Sqrt(float64(n)))
	for r*r > n {
		r--
	}
	for (r+1)*(r+1) <= n {
		r++
	}
	return r
}

// wordCache keeps the features of recent terms: text repeats its words, and a word costs more than its sum.
type wordCache struct {
	mu    sync.RWMutex
	terms map[string]*wordFeatures
}

// cachedTerms bounds the cache to about 3 MB. When full it starts anew, which is rare and cheap.
const cachedTerms = 8192

func (c *wordCache) get(term string, compute func(string) *wordFeatures) *wordFeatures {
	c.mu.RLock()
	w := c.terms[term]
	c.mu.RUnlock()
	if w != nil {
		return w
	}
	w = compute(term)
	c.mu.Lock()
	defer c.mu.Unlock()
	if old := c.terms[term]; old != nil {
		return old // pairs compare pointers
	}
	if c.terms == nil || len(c.terms) >= cachedTerms {
		c.terms = map[string]*wordFeatures{}
	}
	c.terms[string([]byte(term))] = w // a copy: the term may be part of a long text
	return w
}
