package vault

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"
)

// Tombstone says what is to be forgotten. Its text is not stored: only keyed hashes of it are.
type Tombstone struct {
	Text   string
	Reason string // shown to whoever asks why
	Scope  string // what was asked for, such as fact, drawer or chat
}

const (
	tombstoneFile = "tombstones.jsonl"
	tombstoneKey  = StateDir + "/tombstone.key"
)

// A tombstoneLine is a line of tombstoneFile.
type tombstoneLine struct {
	Hash   string `json:"hash"`             // HMAC-SHA-256 of the normalised text
	Sketch string `json:"sketch,omitempty"` // 64 bits that close paraphrases share; "" for texts of one word
	At     string `json:"at"`
	Reason string `json:"reason"`
	Scope  string `json:"scope"`
	Key    string `json:"key"` // names the key, so that a lost one is noticed
}

// Tombstones answers whether a text was forgotten. It is a picture of one moment; [Vault.Tombstones] takes a new one.
type Tombstones struct {
	key      []byte
	exact    map[string]string // hash to reason
	sketches map[string]string
	version  string
	problems []Problem
}

// Tombstones reads what was forgotten.
func (v *Vault) Tombstones() (*Tombstones, error) {
	t := &Tombstones{exact: map[string]string{}, sketches: map[string]string{}}
	key, err := v.tombstoneKey()
	if err != nil {
		return nil, err
	}
	t.key = key
	name := keyName(key)
	sum := sha256.New()
	sum.Write([]byte(name)) // with another key, or before there was one, the same lines hide nothing
	strange := 0
	var odd []Problem
	t.problems, err = v.ReadState(tombstoneFile, func(line int, raw []byte) error {
		sum.Write(raw)
		var l tombstoneLine
		if json.Unmarshal(raw, &l) != nil || l.Hash == "" {
			odd = append(odd, Problem{Path: StateDir + "/" + tombstoneFile, Line: line, Reason: "not a tombstone: skipped"})
			return nil
		}
		if l.Key != name {
			strange++
			return nil
		}
		t.exact[l.Hash] = l.Reason
		if l.Sketch != "" {
			t.sketches[l.Sketch] = l.Reason
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	t.problems = append(t.problems, odd...)
	if strange > 0 {
		t.problems = append(t.problems, Problem{
			Path:   tombstoneKey,
			Reason: fmt.Sprintf("%d tombstones were made with another key: what they forgot cannot be recognised", strange),
			Hint:   "put the tombstone.key that belongs to this vault back, or forget these things again",
		})
	}
	t.version = hex.EncodeToString(sum.Sum(nil)[:8])
	return t, nil
}

// Empty says whether nothing was ever forgotten.
func (t *Tombstones) Empty() bool { return t == nil || len(t.exact) == 0 }

// Problems tells of tombstones that have no effect.
func (t *Tombstones) Problems() []Problem { return t.problems }

// Version changes whenever something more is forgotten.
func (t *Tombstones) Version() string { return t.version }

// Match tells whether the text, or one that says the same in nearly the same words, was forgotten, and why. It errs on
// the side of no: every word but fillers must be there, in an order that means the same.
func (t *Tombstones) Match(text string) (reason string, ok bool) {
	if t == nil || len(t.exact) == 0 {
		return "", false
	}
	if reason, ok = t.exact[exactHash(t.key, text)]; ok {
		return reason, true
	}
	if s := sketch(t.key, text); s != "" {
		reason, ok = t.sketches[s]
	}
	return reason, ok
}

// Forget adds tombstones. From then on no index holds these texts, wherever they come from.
func (v *Vault) Forget(ctx context.Context, stones []Tombstone) error {
	if len(stones) == 0 {
		return nil
	}
	key, err := v.tombstoneKey()
	if err == nil && key == nil {
		key, err = v.makeTombstoneKey()
	}
	if err != nil {
		return err
	}
	at := v.Now().UTC().Format(time.RFC3339)
	recs := make([]any, 0, len(stones))
	for _, s := range stones {
		if normalText(s.Text) == "" {
			return failed("forgetting", StateDir+"/"+tombstoneFile, fmt.Errorf("an empty text: %w", ErrInvalid))
		}
		recs = append(recs, tombstoneLine{exactHash(key, s.Text), sketch(key, s.Text), at, s.Reason, s.Scope, keyName(key)})
	}
	return v.AppendState(ctx, tombstoneFile, recs...)
}

// tombstoneKey is the vault's key, nil when it has none yet.
func (v *Vault) tombstoneKey() ([]byte, error) {
	data, err := readAll(v.disk, tombstoneKey, 1<<10)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, failed("reading", tombstoneKey, err)
	}
	key, err := hex.DecodeString(string(bytes.TrimSpace(data)))
	if err != nil || len(key) != sha256.Size {
		return nil, &Error{"reading", tombstoneKey, errors.New("not a key of 64 hexadecimal digits"), "put the vault's own key back; a new one cannot recognise what was forgotten"}
	}
	return key, nil
}

func (v *Vault) makeTombstoneKey() ([]byte, error) {
	var key [sha256.Size]byte
	_, _ = rand.Read(key[:])
	err := v.Replace(tombstoneKey, []byte(hex.EncodeToString(key[:])+"\n"), Hash{})
	if errors.Is(err, ErrChanged) {
		return v.tombstoneKey() // somebody was faster
	}
	return key[:], err
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
