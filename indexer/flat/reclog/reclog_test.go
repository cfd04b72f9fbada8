package reclog_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/reverie-memory/reverie/indexer/flat/reclog"
)

var header = reclog.Header{Kind: 9, Payload: 10, Tag: 77}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func payload(i int) []byte { return fmt.Appendf(nil, "record%04d", i) }

func appendTo(t *testing.T, l *reclog.Log, n int) {
	t.Helper()
	first := l.Len()
	must(t, l.Append(n, func(i int, b []byte) { copy(b, payload(first+i)) }))
}

// open reads the file with and without parallel readers and wants the first records to be intact.
func open(t *testing.T, path string) (*reclog.Log, error) {
	t.Helper()
	var got [][]byte
	r := reclog.Reader{
		Expect: func(n int) { got = make([][]byte, n) },
		Record: func(i int, b []byte) error { got[i] = bytes.Clone(b); return nil },
	}
	l, err := reclog.Open(path, header, r)
	if err != nil {
		return nil, err
	}
	for i := range l.Len() {
		if !bytes.Equal(got[i], payload(i)) {
			t.Fatalf("record %d is %q", i, got[i])
		}
	}
	return l, nil
}

// made gives the bytes of a file with some records acknowledged and some more.
func made(t *testing.T, acked, more int) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "log")
	l, err := reclog.Create(path, header)
	must(t, err)
	appendTo(t, l, acked)
	must(t, l.Sync())
	appendTo(t, l, more)
	must(t, l.Close())
	data, err := os.ReadFile(path)
	must(t, err)
	return data
}

func reopen(t *testing.T, data []byte) (*reclog.Log, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "log")
	must(t, os.WriteFile(path, data, 0o600))
	return open(t, path)
}

func TestEveryCutKeepsWhatWasAcknowledgedOrSaysSo(t *testing.T) {
	const acked, more, size = 5, 4, 14
	data := made(t, acked, more)
	for n := range len(data) + 1 {
		l, err := reopen(t, data[:n])
		whole := (n - 64) / size
		switch {
		case n < 64+acked*size:
			if !errors.Is(err, reclog.ErrDamaged) {
				t.Fatalf("cut to %d bytes: %v", n, err)
			}
		case err != nil || l.Len() != whole:
			t.Fatalf("cut to %d bytes: %v, want %d records", n, err, whole)
		default:
			appendTo(t, l, 3) // it goes on as if nothing had been
			must(t, l.Sync())
			name := l.Name()
			must(t, l.Close())
			l, err := open(t, name)
			must(t, err)
			if l.Len() != whole+3 {
				t.Fatalf("%d records, want %d", l.Len(), whole+3)
			}
			must(t, l.Close())
		}
	}
}

func TestEveryFlippedByteIsFoundOrCut(t *testing.T) {
	const acked, more, size = 5, 4, 14
	data := made(t, acked, more)
	for at := range data {
		bad := bytes.Clone(data)
		bad[at] ^= 0x40
		l, err := reopen(t, bad)
		tail := at >= 64+acked*size
		unused := at >= 44 && at < 64
		switch {
		case !tail && !unused && !errors.Is(err, reclog.ErrDamaged):
			t.Errorf("byte %d: %v", at, err)
		case tail && (err != nil || l.Len() != (at-64)/size):
			t.Errorf("byte %d behind the acknowledged: %v", at, err)
		}
		if err == nil {
			must(t, l.Close())
		}
	}
}

func TestTruncateDropsDurably(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	l, err := reclog.Create(path, header)
	must(t, err)
	appendTo(t, l, 8)
	must(t, l.Sync())
	must(t, l.Truncate(3))
	must(t, l.Truncate(5)) // no more than there are
	must(t, l.Close())
	l, err = open(t, path)
	must(t, err)
	if l.Len() != 3 || l.Acknowledged() != 3 {
		t.Errorf("%d records, %d acknowledged", l.Len(), l.Acknowledged())
	}
	must(t, l.Close())
}

func TestManyRecordsInSeveralBlocks(t *testing.T) {
	const n = 250_000
	path := filepath.Join(t.TempDir(), "log")
	l, err := reclog.Create(path, reclog.Header{Kind: 1, Payload: 8})
	must(t, err)
	must(t, l.Append(n, func(i int, b []byte) { copy(b, fmt.Sprintf("%08d", i)) }))
	must(t, l.Sync())
	must(t, l.Close())
	seen := make([]bool, n)
	l, err = reclog.Open(path, reclog.Header{Kind: 1, Payload: 8}, reclog.Reader{
		Expect: func(int) {},
		Record: func(i int, b []byte) error {
			seen[i] = string(b) == fmt.Sprintf("%08d", i)
			return nil
		},
	})
	must(t, err)
	for i, ok := range seen {
		if !ok {
			t.Fatalf("record %d was not read", i)
		}
	}
	must(t, l.Close())
}

func TestAFileForSomethingElseIsRefused(t *testing.T) {
	data := made(t, 1, 0)
	path := filepath.Join(t.TempDir(), "log")
	must(t, os.WriteFile(path, data, 0o600))
	for _, h := range []reclog.Header{{Kind: 8, Payload: 10, Tag: 77}, {Kind: 9, Payload: 11, Tag: 77}, {Kind: 9, Payload: 10, Tag: 78}} {
		_, err := reclog.Open(path, h, reclog.Reader{Record: func(int, []byte) error { return nil }})
		if !errors.Is(err, reclog.ErrDamaged) {
			t.Errorf("%+v: %v", h, err)
		}
	}
	if _, err := reclog.Create(path, header); !errors.Is(err, os.ErrExist) {
		t.Errorf("Create over a file: %v", err)
	}
}
