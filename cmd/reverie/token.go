package main

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/reverie-memory/reverie/durable"
)

// minToken is the least length of a token: 16 letters at random are more than anybody can try.
const minToken = 16

// errBadToken says that a token file holds none.
var errBadToken = errors.New("this is no token")

// readToken reads a token file that only its owner can read. Content that is no token is an errBadToken.
func readToken(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("read the token: %w", err)
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil {
		return "", fmt.Errorf("read the token: %w", err)
	}
	if runtime.GOOS != "windows" && fi.Mode().Perm()&0o077 != 0 {
		return "", &hintError{
			fmt.Errorf("the token in %s can be read by others (mode %o)", path, fi.Mode().Perm()),
			"chmod 600 " + path + "; if somebody may have read it, remove the file instead and restart the daemon, which makes a new one",
		}
	}
	data, err := io.ReadAll(io.LimitReader(f, 4096))
	if err != nil {
		return "", fmt.Errorf("read the token: %w", err)
	}
	token := strings.TrimSpace(string(data))
	visible := !strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' })
	if len(token) < minToken || !visible {
		return "", &hintError{
			fmt.Errorf("%s: %w: it has to be one line of at least %d visible ASCII characters", path, errBadToken, minToken),
			"remove the file, and the daemon makes a new token when it starts",
		}
	}
	return token, nil
}

// makeToken reads the token file, or makes it with a new token where there is none. A file that the daemon itself has
// made (own) is made anew as well where a power cut or a disk has left something else in it.
func makeToken(path string, own bool, log *slog.Logger) (string, error) {
	token, err := readToken(path)
	switch {
	case err == nil:
		return token, nil
	case own && errors.Is(err, errBadToken):
		log.Warn("the token file was damaged; a new token is made, and programs that keep a copy of the old one need it", "file", path)
	case !errors.Is(err, fs.ErrNotExist):
		return "", err
	}
	if err := durable.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", fmt.Errorf("make the token's folder: %w", err)
	}
	raw := make([]byte, 32)
	_, _ = rand.Read(raw)
	token = base64.RawURLEncoding.EncodeToString(raw)
	if err := durable.WriteFile(path, []byte(token+"\n"), 0o600); err != nil {
		return "", fmt.Errorf("write the token: %w", err)
	}
	return token, nil
}
