package vault

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
)

// pseudonymKey is the file of the key that pseudonyms are made with. The first pseudonym makes the file; without it, ids that held
// secrets are no longer recognised, and nothing else is lost.
const pseudonymKey = StateDir + "/pseudonym.key"

// Pseudonym is an id that stands for a secret: always the same in this vault, and of no use for getting the secret back.
func (v *Vault) Pseudonym(secret string) (string, error) {
	key, err := v.pseudonymKey()
	if errors.Is(err, fs.ErrNotExist) {
		fresh := make([]byte, sha256.Size)
		_, _ = rand.Read(fresh)
		if err = v.Replace(pseudonymKey, []byte(hex.EncodeToString(fresh)+"\n"), Hash{}); err == nil || errors.Is(err, ErrChanged) {
			key, err = v.pseudonymKey() // ours, or that of somebody who was faster
		}
	}
	if err != nil {
		return "", err
	}
	return idOf('s', [8]byte(keyed(key, "pseudonym", secret))), nil
}

func (v *Vault) pseudonymKey() ([]byte, error) {
	data, err := readAll(v.disk, pseudonymKey, 1<<10)
	if err != nil {
		return nil, failed("reading", pseudonymKey, err)
	}
	key, err := hex.DecodeString(string(bytes.TrimSpace(data)))
	if err != nil || len(key) != sha256.Size {
		return nil, &Error{
			"reading", pseudonymKey, errors.New("not a key of 64 hexadecimal digits"),
			"put it back from a backup, or delete it: a new one is made",
		}
	}
	return key, nil
}
