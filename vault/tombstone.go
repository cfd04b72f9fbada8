package vault

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/reverie-memory/reverie/lexis"
)

// Tombstone says what is to be forgotten. Its text is not stored: only keyed hashes of it are.
type Tombstone struct {
	Text   string
	Reason string // shown to whoever asks why
	Scope  string // what was asked for, such as fact, drawer or chat
	ID     string // names the forgetting that it is part of
	Purged bool   // its bytes are taken out besides: there is nothing to take back
}

// A Forgetting is what was forgotten with one request.
type Forgetting struct {
	ID     string
	At     time.Time
	Reason string
	Scope  string
	Count  int // tombstones that have effect
	Purged bool
}

// Tombstones answers whether a text was forgotten. Tombstones is a picture of one moment; [Vault.Tombstones] takes a new one.
type Tombstones struct {
	keys     []*stoneKey
	lengths  []int // how many sentences forgotten texts have, each once, rising
	list     []Forgetting
	version  string
	lost     int
	problems []Problem
	marks    []stoneMark // of what was forgotten, rising
	rules    string      // what it hangs on which look-ups are made
	trail    *Trail      // notes what is looked up; nil: nothing does
	memo     *memo       // of the vault; nil: none
}

// A stoneKey is a key with what was forgotten under it. A vault that two machines write to may have more than one.
type stoneKey struct {
	key      []byte
	exact    map[string]string // hash to reason
	sketches map[string]string
}

// NewTombstones is a picture of a vault in which nothing else was forgotten.
func NewTombstones(stones []Tombstone) *Tombstones {
	key := make([]byte, sha256.Size)
	_, _ = rand.Read(key)
	s := &stoneFiles{own: keyName(key), keys: map[string][]byte{keyName(key): key}}
	for _, st := range stones {
		if l, ok := s.line(st); ok {
			s.add(l)
		}
	}
	return s.tombstones()
}

// Empty says whether nothing was ever forgotten.
func (t *Tombstones) Empty() bool { return t == nil || len(t.keys) == 0 && t.lost == 0 }

// Lost is how many tombstones are damaged or gone without a copy. Nothing can tell what they hid: until they are back, or a
// person gives them up, everything counts as hidden.
func (t *Tombstones) Lost() int { return t.lost }

// Problems tells of tombstones that have no effect, and of copies that differ.
func (t *Tombstones) Problems() []Problem { return t.problems }

// Forgettings lists what was forgotten and not taken back, the newest first, of one second as well. Tombstones of programs that
// named no forgetting count as one for each second.
func (t *Tombstones) Forgettings() []Forgetting { return t.list }

// Version changes whenever something more is forgotten, or taken back.
func (t *Tombstones) Version() string { return t.version }

// Match tells whether the text, or one that says the same in nearly the same words, was forgotten, and why. Match errs on
// the side of no: every word but fillers must be there, in an order that means the same. Emphasis, links and the date that a page
// puts behind a statement do not count.
func (t *Tombstones) Match(text string) (reason string, ok bool) {
	if t == nil || len(t.keys) == 0 {
		return "", false
	}
	t.once("match", text, func(t *Tombstones) bool {
		reason, ok = t.match(text)
		return ok
	})
	return reason, ok
}

// ErrForgotten is wrapped by the error of a text that is refused because it was forgotten.
var ErrForgotten = errors.New("was forgotten")

// Forgotten says why a text is refused that was forgotten for that reason, "" for none.
func Forgotten(reason string) error {
	if reason != "" {
		reason = " (" + reason + ")"
	}
	return fmt.Errorf("%w%s and stays so", ErrForgotten, reason)
}

func (t *Tombstones) match(text string) (reason string, ok bool) {
	forms, bare := []string{text}, plain(text)
	for _, f := range []string{bare, undated(bare)} {
		if !slices.Contains(forms, f) {
			forms = append(forms, f)
		}
	}
	for _, k := range t.keys {
		for _, f := range forms {
			if reason, ok = t.find(k.exact, exactHash(k.key, f)); ok {
				return reason, true
			}
			if reason, ok = t.similar(k, f); ok {
				return reason, true
			}
		}
	}
	return "", false
}

func (t *Tombstones) similar(k *stoneKey, text string) (reason string, ok bool) {
	s := sketch(k.key, text)
	if s == "" {
		return "", false
	}
	return t.find(k.sketches, s)
}

// maxSentences is up to how many sentences a forgotten text is looked for within longer ones.
const maxSentences = 4

// passage says whether sentences out of a longer text were forgotten. A single word says too little to be cut out.
func (t *Tombstones) passage(text string) bool {
	text = plain(text)
	return slices.ContainsFunc(t.keys, func(k *stoneKey) bool {
		_, gone := t.similar(k, text)
		if !gone {
			_, gone = t.similar(k, undated(text))
		}
		return gone
	})
}

// Visible is what of the text may be shown: see Cut. Where tombstones are lost that is nothing.
func (t *Tombstones) Visible(text string) string {
	if t != nil && t.lost > 0 {
		return ""
	}
	return t.Cut(text)
}

// Cut takes the sentences out of the text that were forgotten; "" when nothing else is left. Line breaks stay, so that the rest
// keeps its lines.
func (t *Tombstones) Cut(text string) string {
	if t == nil || len(t.keys) == 0 {
		return text
	}
	rest := text
	t.once("cut", text, func(t *Tombstones) bool {
		rest = t.cut(text)
		return rest != text
	})
	return rest
}

func (t *Tombstones) cut(text string) string {
	if _, gone := t.match(text); gone {
		return ""
	}
	spans := lexis.Sentences(text)
	var cuts []span
	for i := 0; i < len(spans); i++ {
		n := t.gone(text, spans[i:], t.lengths, 0)
		if n > 0 && len(spans) > 1 {
			cuts = append(cuts, span{spans[i].Start, spans[i+n-1].End})
			i += n - 1
			continue
		}
		parts, together := clauses(text, spans[i]), mostClauses
		if len(parts) > manyClauses { // of a table or code: each by itself
			together = mostClauses[:1]
		}
		for k := 0; k < len(parts) && len(parts) > 1; k++ {
			if n := t.gone(text, parts[k:], together, leastClause); n > 0 {
				cuts = append(cuts, span{parts[k].Start, parts[k+n-1].End})
				k += n - 1
			}
		}
	}
	if len(cuts) == 0 {
		return text
	}
	return without(text, cuts)
}

// gone is how many of the parts of a text, from the first on, were forgotten together, the longest of the lengths first; 0 for none. Parts
// of less than so many bytes are not looked up.
func (t *Tombstones) gone(text string, parts []lexis.Span, lengths []int, least int) int {
	for _, n := range slices.Backward(lengths) {
		if n > len(parts) {
			continue
		}
		if part := text[parts[0].Start:parts[n-1].End]; len(part) >= least && t.passage(part) {
			return n
		}
	}
	return 0
}

// leastClause is how many bytes clauses have at least that are looked up: of shorter ones a nasty text may have very many.
const leastClause = 8

// manyClauses is from how many clauses on they are looked up one by one.
const manyClauses = 64

// mostClauses are how many clauses of a longer sentence are looked up together: what was forgotten may have brackets of its own.
var mostClauses = []int{1, 2, 3}

// clauses are the parts of a sentence that stand apart: behind a colon, between dashes, in brackets or quotation marks, in the cell of a
// table, on a line of their own.
func clauses(text string, of lexis.Span) (parts []lexis.Span) {
	from := of.Start
	end := func(at, next int) {
		part := strings.TrimSpace(text[from:at])
		if part != "" {
			start := from + strings.Index(text[from:at], part)
			parts = append(parts, lexis.Span{Start: start, End: start + len(part)})
		}
		from = next
	}
	for i := of.Start; i < of.End; {
		r, n := utf8.DecodeRuneInString(text[i:of.End])
		switch {
		case strings.ContainsRune("\n|()[]{}\"“”„«»;—", r), r == '\r',
			r == ':' && i+n < of.End && unicode.IsSpace(rune(text[i+n])),
			(r == '–' || r == '-') && i > of.Start && text[i-1] == ' ' && i+n < of.End && text[i+n] == ' ':
			end(i, i+n)
		}
		i += n
	}
	end(of.End, of.End)
	return parts
}

// without takes parts out of a text, with the space behind them, and keeps its line breaks.
func without(text string, cuts []span) string {
	var b strings.Builder
	at := 0
	for _, c := range cuts {
		b.WriteString(text[at:c.start])
		b.WriteString(strings.Repeat("\n", strings.Count(text[c.start:c.end], "\n")))
		for at = c.end; at < len(text) && text[at] == ' '; at++ {
		}
	}
	b.WriteString(text[at:])
	out := b.String()
	if !strings.ContainsFunc(out, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		return ""
	}
	return out
}

func keyName(key []byte) string {
	if key == nil {
		return ""
	}
	sum := sha256.Sum256(key)
	return hex.EncodeToString(sum[:4])
}

func keyed(key []byte, use, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(use))
	h.Write([]byte{0})
	h.Write([]byte(text))
	return h.Sum(nil)
}

func exactHash(key []byte, text string) string {
	return hex.EncodeToString(keyed(key, "exact", normalText(text)))
}

// normalText is the form in which two texts are one: compatibility forms, case and spaces do not count.
func normalText(text string) string {
	return strings.Join(strings.Fields(strings.ToLower(norm.NFKC.String(text))), " ")
}
