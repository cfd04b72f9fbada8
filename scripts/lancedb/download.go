package main

import (
	"archive/tar"
	"compress/gzip"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

const (
	archive  = "lancedb-go-native-binaries.tar.gz"
	releases = "https://" + module + "/releases/download/"
	// A download that stands still for this long has failed.
	stall = 30 * time.Second
)

//go:embed sums.txt
var pinned string

// download takes the library out of upstream's release archive, which holds lib/<os>_<arch>/ for
// each platform that upstream builds.
func (p places) download(ctx context.Context, connect time.Duration) error {
	dir, err := os.MkdirTemp("", "lancedb-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	file := filepath.Join(dir, archive)
	sum, err := fetch(ctx, releases+version+"/"+archive, file, connect)
	if err != nil {
		return err
	}
	if err := p.checkPin(version+"/"+archive, sum); err != nil {
		return err
	}
	lib, err := extract(file, dir)
	if err != nil {
		return fmt.Errorf("unpack %s: %w", archive, err)
	}
	return p.install(lib, true)
}

func (p places) checkPin(name, sum string) error {
	sums, err := parseSums(strings.NewReader(pinned))
	if err != nil {
		return err
	}
	switch want := sums[name]; want {
	case sum:
		return nil
	case "":
		p.say("  %s has sha256 %s; no sum of it is pinned in scripts/lancedb/sums.txt", name, sum)
		return nil
	default:
		return fmt.Errorf("%s has sha256 %s, but %s is pinned", name, sum, want)
	}
}

// fetch downloads with a limit on connecting and on standing still, but none on the whole.
func fetch(ctx context.Context, url, file string, connect time.Duration) (sum string, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watchdog := time.AfterFunc(connect+stall, func() { cancel(errors.New("the download stands still")) })
	defer watchdog.Stop()
	client := &http.Client{Transport: &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: connect}).DialContext,
		TLSHandshakeTimeout:   connect,
		ResponseHeaderTimeout: stall,
	}}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return "", err
	}
	res, err := client.Do(req)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return "", fmt.Errorf("%s: %s", url, res.Status)
	}
	m := &meter{total: res.ContentLength, alive: func() { watchdog.Reset(stall) }}
	sum, err = writeFile(io.TeeReader(res.Body, m), file)
	if cause := context.Cause(ctx); err != nil && cause != nil {
		err = cause
	}
	return sum, err
}

// A meter prints how far a download is.
type meter struct {
	done, total, said int64
	alive             func()
}

func (m *meter) Write(b []byte) (int, error) {
	m.alive()
	m.done += int64(len(b))
	if m.done-m.said >= 20<<20 {
		m.said = m.done
		fmt.Printf("  %d of %d MB\n", m.done>>20, max(m.total, m.done)>>20)
	}
	return len(b), nil
}

// extract writes this platform's shared library into dir.
func extract(file, dir string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return "", err
	}
	for t := tar.NewReader(z); ; {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", err
		}
		at, name := path.Split(path.Clean(h.Name))
		if path.Base(at) != platform() || h.Typeflag != tar.TypeReg {
			continue
		}
		if name == libName() {
			if _, err := writeFile(t, filepath.Join(dir, name)); err != nil {
				return "", err
			}
		}
	}
	lib, err := find(dir)
	if err != nil {
		return "", fmt.Errorf("upstream has no library for %s", platform())
	}
	return lib, nil
}
