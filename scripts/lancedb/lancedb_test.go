package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
)

func testPlaces(t *testing.T) places {
	t.Helper()
	root := t.TempDir()
	return places{
		root: root, dir: filepath.Join(root, ".lancedb", platform()), cache: filepath.Join(root, "cache"),
		say: t.Logf,
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, path, text string) string {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

func hexSum(text string) string {
	h := sha256.Sum256([]byte(text))
	return hex.EncodeToString(h[:])
}

func wantInstalled(t *testing.T, p places, text string) {
	t.Helper()
	got, err := os.ReadFile(filepath.Join(p.dir, libName()))
	must(t, err)
	if diff := cmp.Diff(text, string(got)); diff != "" {
		t.Error(diff)
	}
}

func TestFromFileChecksBothSums(t *testing.T) {
	z, err := zstd.NewWriter(nil)
	must(t, err)
	packed := string(z.EncodeAll([]byte("library"), nil))
	for name, tc := range map[string]struct {
		sums, flag string
		ok         bool
	}{
		"both right":      {hexSum("library") + "  lib.so\n" + hexSum(packed) + "  lib.so.zst\n", "", true},
		"only the packed": {hexSum(packed) + "  lib.so.zst\n", "", true},
		"by flag":         {"", strings.ToUpper(hexSum(packed)), true},
		"packed wrong":    {hexSum("other") + "  lib.so.zst\n", "", false},
		"content wrong":   {hexSum("other") + "  lib.so\n" + hexSum(packed) + "  lib.so.zst\n", "", false},
		"not named":       {hexSum("library") + "  other.so\n", "", false},
		"no sums":         {"", "", false},
		"flag wrong":      {hexSum(packed) + "  lib.so.zst\n", hexSum("other"), false},
	} {
		t.Run(name, func(t *testing.T) {
			p, dir := testPlaces(t), t.TempDir()
			file := write(t, filepath.Join(dir, "lib.so.zst"), packed)
			if tc.sums != "" {
				write(t, filepath.Join(dir, "SHA256SUMS"), tc.sums)
			}
			err := p.fromFile(file, tc.flag)
			if (err == nil) != tc.ok {
				t.Fatalf("fromFile: %v", err)
			}
			if p.installed() != tc.ok {
				t.Errorf("installed: %v", p.installed())
			}
			if tc.ok {
				wantInstalled(t, p, "library")
				must(t, p.fromFile(file, tc.flag)) // again changes nothing
			}
		})
	}
}

func TestFromHere(t *testing.T) {
	t.Run("a file named by the environment", func(t *testing.T) {
		p := testPlaces(t)
		t.Setenv(libEnv, write(t, filepath.Join(t.TempDir(), "renamed"+filepath.Ext(libName())), "named"))
		must(t, p.fromHere())
		wantInstalled(t, p, "named")
	})
	t.Run("a folder named by the environment", func(t *testing.T) {
		p, dir := testPlaces(t), t.TempDir()
		write(t, filepath.Join(dir, libName()), "in a folder")
		t.Setenv(libEnv, dir)
		must(t, p.fromHere())
		wantInstalled(t, p, "in a folder")
	})
	t.Run("the cache, filled by an earlier install", func(t *testing.T) {
		t.Setenv(libEnv, "")
		p := testPlaces(t)
		must(t, p.install(write(t, filepath.Join(t.TempDir(), libName()), "cached"), true))
		must(t, os.RemoveAll(p.dir))
		must(t, p.fromHere())
		wantInstalled(t, p, "cached")
	})
	t.Run("a damaged copy in the cache is refused", func(t *testing.T) {
		t.Setenv(libEnv, "")
		p := testPlaces(t)
		must(t, p.install(write(t, filepath.Join(t.TempDir(), libName()), "cached"), true))
		must(t, os.RemoveAll(p.dir))
		write(t, filepath.Join(p.cache, libName()), "cache!")
		if err := p.fromHere(); err == nil || p.installed() {
			t.Errorf("took it: %v", err)
		}
	})
	t.Run("nothing anywhere", func(t *testing.T) {
		t.Setenv(libEnv, "")
		if err := testPlaces(t).fromHere(); err == nil {
			t.Error("no error")
		}
	})
}

func TestExtractTakesThisPlatformsLibrary(t *testing.T) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for name, text := range map[string]string{
		"lib/plan9_mips/" + libName():                  "another's",
		"lib/" + platform() + "/liblancedb_go.a":       "static",
		"./lib/" + platform() + "/" + libName():        "shared",
		"lib/" + platform() + "/../../../" + libName(): "outside",
		"include/lancedb.h":                            "header",
	} {
		must(t, w.WriteHeader(&tar.Header{Name: name, Size: int64(len(text)), Mode: 0o644, Typeflag: tar.TypeReg}))
		_, err := w.Write([]byte(text))
		must(t, err)
	}
	must(t, w.Close())
	must(t, z.Close())
	dir := t.TempDir()
	lib, err := extract(write(t, filepath.Join(dir, archive), b.String()), dir)
	must(t, err)
	if got, _ := os.ReadFile(lib); string(got) != "shared" {
		t.Errorf("extracted %q from %s", got, lib)
	}
}

func TestFetch(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/there" {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write([]byte("body"))
	}))
	defer s.Close()
	file := filepath.Join(t.TempDir(), "f")
	sum, err := fetch(context.Background(), s.URL+"/there", file, time.Second)
	must(t, err)
	if sum != hexSum("body") {
		t.Errorf("sum %s", sum)
	}
	if _, err := fetch(context.Background(), s.URL+"/gone", file, time.Second); err == nil {
		t.Error("404 is no error")
	}
}

func TestAFailedDownloadIsRemembered(t *testing.T) {
	p := testPlaces(t)
	if p.failedLately() {
		t.Fatal("before any failure")
	}
	p.noteFailure(os.ErrDeadlineExceeded)
	if !p.failedLately() {
		t.Fatal("forgotten at once")
	}
	old := time.Now().Add(-patience - time.Minute)
	must(t, os.Chtimes(p.failureNote(), old, old))
	if p.failedLately() {
		t.Fatal("remembered for too long")
	}
	p.noteFailure(os.ErrDeadlineExceeded)
	p.forgetFailure()
	if p.failedLately() {
		t.Fatal("not forgotten")
	}
}

func TestPinnedSumsAreReadable(t *testing.T) {
	if _, err := parseSums(strings.NewReader(pinned)); err != nil {
		t.Error(err)
	}
	got, err := parseSums(strings.NewReader("# note x\nABC  *a.so\n\nodd line here\ndef  b\n"))
	must(t, err)
	if diff := cmp.Diff(map[string]string{"a.so": "abc", "b": "def"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestQuickNeverFails(t *testing.T) {
	t.Setenv(libEnv, "")
	p := testPlaces(t)
	p.noteFailure(os.ErrDeadlineExceeded) // so that it stays off the network
	must(t, p.quick(context.Background()))
	must(t, p.install(write(t, filepath.Join(t.TempDir(), libName()), "library"), false))
	must(t, p.quick(context.Background()))
}
