package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

const (
	module  = "github.com/lancedb/lancedb-go"
	version = "v0.1.2"

	libEnv = "REVERIE_LANCEDB_LIB"
	// A failed download is not tried again by -quick for this long.
	patience = 24 * time.Hour
)

// places are the folders that this program reads and writes.
type places struct {
	root  string // the repository
	dir   string // where the build looks
	cache string // of the user, for all checkouts; "" where the system has none
	say   func(format string, args ...any)
}

func findPlaces() (places, error) {
	root, err := os.Getwd()
	if err != nil {
		return places{}, err
	}
	for !exists(filepath.Join(root, "go.mod")) {
		up := filepath.Dir(root)
		if up == root {
			return places{}, errors.New("run me inside the repository")
		}
		root = up
	}
	p := places{root: root, dir: filepath.Join(root, ".lancedb", platform()), say: printLine}
	if c, err := os.UserCacheDir(); err == nil {
		p.cache = filepath.Join(c, "reverie", "lancedb", version, platform())
	}
	return p, nil
}

func printLine(format string, args ...any) { fmt.Printf(format+"\n", args...) }

// libName is the shared library's name here.
func libName() string {
	switch runtime.GOOS {
	case "darwin":
		return "liblancedb_go.dylib"
	case "windows":
		return "lancedb_go.dll"
	}
	return "liblancedb_go.so"
}

func exists(path string) bool { _, err := os.Stat(path); return err == nil }

// find is the library in a folder, or the file itself.
func find(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if !info.IsDir() {
		return path, nil
	}
	if lib := filepath.Join(path, libName()); exists(lib) {
		return lib, nil
	}
	return "", fmt.Errorf("%s has no %s", path, libName())
}

func (p places) installed() bool { _, err := find(p.dir); return err == nil }

// usable says why a build with LanceDB would not work.
func (p places) usable() error {
	if _, err := find(p.dir); err != nil {
		return err
	}
	out, err := exec.Command("go", "env", "CGO_ENABLED", "CC").Output()
	if err != nil {
		return fmt.Errorf("ask go for its settings: %w", err)
	}
	enabled, cc, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	if words := strings.Fields(cc); enabled != "1" || len(words) == 0 {
		return errors.New("cgo is off: calling the library needs CGO_ENABLED=1 and a C compiler")
	} else if _, err := exec.LookPath(words[0]); err != nil {
		return fmt.Errorf("there is no C compiler (%s): %s", words[0], hint("cc"))
	}
	return nil
}

// fromHere installs what is on this machine already.
func (p places) fromHere() error {
	if named := os.Getenv(libEnv); named != "" {
		lib, err := find(named)
		if err != nil {
			return fmt.Errorf("%s: %w", libEnv, err)
		}
		return p.install(lib, false)
	}
	if p.cache == "" {
		return errors.New("this system has no user cache")
	}
	lib, err := find(p.cache)
	if err != nil {
		return err
	}
	if err := checkSidecar(lib); err != nil {
		return err
	}
	return p.install(lib, false)
}

// install copies a library to where the build looks, and into the cache when it is not from there.
func (p places) install(lib string, cache bool) error {
	name := filepath.Base(lib)
	if strings.HasSuffix(name, filepath.Ext(libName())) {
		name = libName() // whatever it was called
	}
	sum, err := copyFile(lib, filepath.Join(p.dir, name))
	if err != nil {
		return fmt.Errorf("install the library: %w", err)
	}
	p.say("  installed %s, sha256 %s", filepath.Join(p.relative(), name), sum)
	if !cache || p.cache == "" {
		return nil
	}
	kept := filepath.Join(p.cache, name)
	if _, err := copyFile(lib, kept); err != nil {
		p.say("  no copy in the cache: %v", err)
		return nil
	}
	return os.WriteFile(kept+".sha256", []byte(sum+"\n"), 0o644)
}

// checkSidecar compares a cached library with the sum that was written beside it.
func checkSidecar(lib string) error {
	want, err := os.ReadFile(lib + ".sha256")
	if err != nil {
		return fmt.Errorf("the copy in the cache has no sum beside it: %w", err)
	}
	got, err := sumFile(lib)
	if err == nil && got != strings.TrimSpace(string(want)) {
		err = fmt.Errorf("%s is damaged: delete it", lib)
	}
	return err
}

// copyFile copies by way of a temporary name, so that no build sees half a library.
func copyFile(from, to string) (sum string, err error) {
	in, err := os.Open(from)
	if err != nil {
		return "", err
	}
	defer in.Close()
	return writeFile(in, to)
}

func writeFile(in io.Reader, to string) (sum string, err error) {
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return "", err
	}
	out, err := os.CreateTemp(filepath.Dir(to), filepath.Base(to)+".*.part")
	if err != nil {
		return "", err
	}
	h := sha256.New()
	_, err = io.Copy(io.MultiWriter(out, h), in)
	err = errors.Join(err, out.Chmod(0o755), out.Close())
	if err == nil {
		err = os.Rename(out.Name(), to)
	}
	if err != nil {
		return "", errors.Join(err, os.Remove(out.Name()))
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

func sumFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

func (p places) failureNote() string { return filepath.Join(p.cache, "download-failed") }

func (p places) failedLately() bool {
	info, err := os.Stat(p.failureNote())
	return p.cache != "" && err == nil && time.Since(info.ModTime()) < patience
}

// noteFailure spares the next make the wait. Not being able to is no reason to stop.
func (p places) noteFailure(cause error) {
	if p.cache == "" {
		return
	}
	if err := os.MkdirAll(p.cache, 0o755); err == nil {
		_ = os.WriteFile(p.failureNote(), []byte(cause.Error()+"\n"), 0o644)
	}
}

func (p places) forgetFailure() {
	if p.cache != "" {
		_ = os.Remove(p.failureNote())
	}
}
