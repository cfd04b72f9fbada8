package mine

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/internal/nasty"
	"github.com/reverie-memory/reverie/llm/program"
)

func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == PDFVerb {
		os.Exit(PDFText(os.Stdin, os.Stdout))
	}
	os.Exit(m.Run())
}

// newPDFs reads PDFs with this test binary.
func newPDFs(t testing.TB) *pdfs {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return &pdfs{program: []string{exe, PDFVerb}, file: filepath.Join(t.TempDir(), Unread), limit: time.Minute}
}

// TestHostilePDFs: each ends, within its bounds, and is not tried again.
func TestHostilePDFs(t *testing.T) {
	r := newPDFs(t)
	files := nasty.PDFs()
	gentle := map[string]bool{"none at all": true, "no page": true}
	files["none at all"], files["no page"] = []byte("%PDF-1.4\ngarbage"), nasty.PDF()
	for name, data := range files {
		switch r.limit = time.Minute; {
		case strings.HasPrefix(name, "endless"), strings.HasPrefix(name, "pages"): // which nothing else ends
			r.limit = 100 * time.Millisecond
		case name == "bomb":
			r.limit = 2 * time.Second
		}
		text, err := r.text(t.Context(), data)
		why, none := strings.CutPrefix(string(text), noText)
		if err != nil || !none && (name != "bomb" || len(text) > maxPDFText) {
			t.Errorf("%s: %.200q, %v", name, text, err)
		}
		if none && (why == noPDFText) != gentle[name] {
			t.Errorf("%s: %s", name, why)
		}
		for range maxTries - 1 { // where time ran out, as many starts try
			if _, err := (&pdfs{program: r.program, file: r.file, limit: r.limit}).text(t.Context(), data); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		again := &pdfs{program: []string{filepath.Join(t.TempDir(), "gone")}, file: r.file}
		if known, err := again.text(t.Context(), data); none && (err != nil || !bytes.Equal(known, text)) {
			t.Errorf("%s, once more: %.200q, %v", name, known, err)
		}
	}
	r.limit = time.Minute
	for range 2 {
		if text, err := r.text(t.Context(), nasty.PDF("one", "two")); err != nil || string(text) != "one\ftwo\f" {
			t.Errorf("a sound one: %q, %v", text, err)
		}
		r.program = []string{filepath.Join(t.TempDir(), "gone")} // once it is read, its text is at hand
	}
}

// TestAPDFIsNotBlamed: what says nothing of the file leaves no mark.
func TestAPDFIsNotBlamed(t *testing.T) {
	r, data := newPDFs(t), nasty.PDF("one")
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if text, err := r.text(cancelled, data); !errors.Is(err, context.Canceled) {
		t.Errorf("%q, %v", text, err)
	}
	slow := &pdfs{program: r.program, file: r.file, limit: time.Nanosecond} // as on a busy machine
	if text, err := slow.text(t.Context(), data); err != nil || string(text) != noText+badPDF {
		t.Errorf("%q, %v", text, err)
	}
	missing := &pdfs{program: []string{filepath.Join(t.TempDir(), "gone")}, file: r.file}
	if text, err := missing.text(t.Context(), data); !errors.Is(err, program.ErrNotStarted) {
		t.Errorf("%q, %v", text, err)
	}
	if text, err := (&pdfs{file: r.file}).text(t.Context(), data); err != nil || string(text) != noText+noReader {
		t.Errorf("%q, %v", text, err)
	}
	if text, err := r.text(t.Context(), data); err != nil || string(text) != "one\f" {
		t.Errorf("%q, %v", text, err)
	}
}

// FuzzPDF: whatever the process makes of a file, this one lives and gets an answer.
func FuzzPDF(f *testing.F) {
	f.Add(nasty.PDF("one", "two"))
	for _, data := range nasty.PDFs() {
		if len(data) < 4<<10 {
			f.Add(data)
		}
	}
	r := newPDFs(f)
	r.limit = time.Second
	f.Fuzz(func(t *testing.T, data []byte) {
		text, err := r.text(t.Context(), data)
		if err != nil {
			t.Fatal(err)
		}
		if d, why := readPages(string(text)); why == "" && (strings.TrimSpace(d.body) == "" || len(d.lines) != strings.Count(d.body, "\n")) {
			t.Errorf("%q of %q", d.body, text)
		}
	})
}
