package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// fromFile installs a library from a file whose sum must be known.
func (p places) fromFile(file, sum string) error {
	sums := map[string]string{filepath.Base(file): strings.ToLower(sum)}
	if sum == "" {
		var err error
		if sums, err = readSums(filepath.Join(filepath.Dir(file), "SHA256SUMS")); err != nil {
			return err
		}
		if sums[filepath.Base(file)] == "" {
			return fmt.Errorf("SHA256SUMS does not name %s", filepath.Base(file))
		}
	}
	got, err := sumFile(file)
	if err != nil {
		return err
	}
	if got != sums[filepath.Base(file)] {
		return fmt.Errorf("%s has sha256 %s, want %s", file, got, sums[filepath.Base(file)])
	}
	if lib, err := find(p.dir); err == nil && filepath.Base(lib) == libName() {
		if have, err := sumFile(lib); err == nil && (have == got || have == sums[libName()]) {
			fmt.Println("LanceDB's library is in", p.relative())
			return nil
		}
	}
	plain, cleanup, err := unpack(file)
	if err != nil {
		return fmt.Errorf("unpack %s: %w", file, err)
	}
	defer cleanup()
	if want, known := sums[strings.TrimSuffix(filepath.Base(file), ".zst")]; known {
		if got, err := sumFile(plain); err != nil || got != want {
			return errors.Join(err, fmt.Errorf("%s unpacks to sha256 %s, want %s", file, got, want))
		}
	}
	return p.install(plain, true)
}

// unpack gives the path of the file's content without compression.
func unpack(file string) (plain string, cleanup func(), err error) {
	if !strings.HasSuffix(file, ".zst") {
		return file, func() {}, nil
	}
	in, err := os.Open(file)
	if err != nil {
		return "", nil, err
	}
	defer in.Close()
	z, err := zstd.NewReader(in)
	if err != nil {
		return "", nil, err
	}
	defer z.Close()
	dir, err := os.MkdirTemp("", "lancedb-*")
	if err != nil {
		return "", nil, err
	}
	cleanup = func() { _ = os.RemoveAll(dir) }
	plain = filepath.Join(dir, libName())
	if _, err := writeFile(z, plain); err != nil {
		cleanup()
		return "", nil, err
	}
	return plain, cleanup, nil
}

// readSums reads lines of "<sha256>  <name>".
func readSums(path string) (map[string]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("the sums to check against: %w", err)
	}
	defer f.Close()
	return parseSums(f)
}

func parseSums(r io.Reader) (map[string]string, error) {
	sums := map[string]string{}
	s := bufio.NewScanner(r)
	for s.Scan() {
		if f := strings.Fields(s.Text()); len(f) == 2 && !strings.HasPrefix(f[0], "#") {
			sums[strings.TrimPrefix(f[1], "*")] = strings.ToLower(f[0])
		}
	}
	return sums, s.Err()
}
