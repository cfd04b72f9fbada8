package vault

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
)

// idLetters is Crockford's base 32 in lower case: no i, l, o, u, so that an id can be read aloud.
const idLetters = "0123456789abcdefghjkmnpqrstvwxyz"

const idRandom = 9 // letters after the prefix: 45 bits

// NewID returns a random id such as f7q2c81xk0. The prefix says what it names: f a fact, d a drawer, t a turn.
func NewID(prefix byte) string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails: crypto/rand ends the program when the system has no randomness
	return idOf(prefix, b)
}

// DeriveID returns the id that belongs to the parts: the same parts give the same id on every machine.
func DeriveID(prefix byte, parts ...string) string {
	var room [256]byte
	text := room[:0]
	for _, p := range parts {
		text = binary.BigEndian.AppendUint64(text, uint64(len(p))) // "a","bc" is not "ab","c"
		text = append(text, p...)
	}
	sum := sha256.Sum256(text)
	return idOf(prefix, [8]byte(sum[:]))
}

func idOf(prefix byte, b [8]byte) string {
	bits := binary.BigEndian.Uint64(b[:])
	var id [1 + idRandom]byte
	id[0] = prefix
	for i := 1; i < len(id); i++ {
		id[i] = idLetters[bits>>59]
		bits <<= 5
	}
	return string(id[:])
}

// isID tells whether s can stand as a block id in Obsidian.
func isID(s string) bool {
	for i := range len(s) {
		c := s[i]
		if (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && c != '-' {
			return false
		}
	}
	return s != ""
}

// isOwnID tells whether s is an id that this program made, with this prefix.
func isOwnID(prefix byte, s string) bool {
	if len(s) != 1+idRandom || s[0] != prefix {
		return false
	}
	for i := 1; i < len(s); i++ {
		c := s[i]
		if (c < '0' || c > '9') && (c < 'a' || c > 'z' || c == 'i' || c == 'l' || c == 'o' || c == 'u') {
			return false
		}
	}
	return true
}

// Hash is the SHA-256 of a file's bytes.
type Hash [sha256.Size]byte

// MarshalText gives the hash in hexadecimal digits, and "" for the zero value: no file.
func (h Hash) MarshalText() ([]byte, error) {
	if h == (Hash{}) {
		return nil, nil
	}
	return hex.AppendEncode(nil, h[:]), nil
}

// UnmarshalText reads what MarshalText gives.
func (h *Hash) UnmarshalText(text []byte) error {
	*h = Hash{}
	if len(text) == 0 {
		return nil
	}
	if len(text) != 2*len(h) {
		return fmt.Errorf("a hash of %d digits", len(text))
	}
	_, err := hex.Decode(h[:], text)
	return err
}

// AnyHash makes [Vault.Replace] write whatever is there.
var AnyHash = Hash{0: 0xff, 1: 'a', 2: 'n', 3: 'y'}

// HashOf is the hash of data.
func HashOf(data []byte) Hash { return sha256.Sum256(data) }
