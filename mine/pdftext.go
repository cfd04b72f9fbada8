package mine

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"syscall"
	"time"

	"github.com/ledongthuc/pdf"
)

// PDFVerb is the argument that has the program be [PDFText].
const PDFVerb = "pdf-text"

// Bounds of a PDF: streams are compressed, so that a small file may hold a great deal.
const (
	maxPages   = 5000
	maxPDFText = 8 << 20 // bytes
	pdfTime    = 30 * time.Second
	pdfMemory  = 768 << 20 // bytes
	pdfStack   = 64 << 20  // bytes
)

// pageEnd stands behind the text of each page.
const pageEnd = "\f"

// PDFText reads a PDF and writes the words of its pages. PDFText is the whole work of a process of its own, which a damaged file may send
// into a loop, out of memory or out of its stack: the process ends then, with another exit code than 0. A PDF without a word gives none.
func PDFText(in io.Reader, out io.Writer) (exitCode int) {
	confine()
	data, err := io.ReadAll(in)
	if err != nil {
		return 1
	}
	w := bufio.NewWriter(out)
	for text := range pages(data) {
		_, _ = w.WriteString(text + pageEnd)
	}
	if w.Flush() != nil {
		return 1
	}
	return 0
}

// confine ends this process where it takes too long or too much memory, also when nobody waits for it any more.
func confine() {
	signal.Ignore(os.Interrupt, syscall.SIGTERM) // which are meant for who waits: no file may be blamed for them
	debug.SetTraceback("none")
	debug.SetMaxStack(pdfStack)
	debug.SetMemoryLimit(pdfMemory / 2)
	time.AfterFunc(2*pdfTime, func() { os.Exit(1) })
	go func() {
		used := []metrics.Sample{{Name: "/memory/classes/total:bytes"}}
		for range time.Tick(10 * time.Millisecond) {
			if metrics.Read(used); used[0].Value.Uint64() > pdfMemory {
				os.Exit(1)
			}
		}
	}()
}

// pages are the texts of the pages of a PDF. The reader panics on what it does not understand: a page that it cannot read is empty.
func pages(data []byte) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		r := newReader(data)
		if r == nil {
			return
		}
		left := maxPDFText
		for n := 1; n <= min(r.NumPage(), maxPages) && left > len(pageEnd); n++ {
			text := pageText(r, n)
			text = strings.ToValidUTF8(text[:min(len(text), left-len(pageEnd))], "")
			if left -= len(text) + len(pageEnd); !yield(text) {
				return
			}
		}
	}
}

// newReader is the reader of a PDF, nil for what is none.
func newReader(data []byte) (r *pdf.Reader) {
	defer func() {
		if recover() != nil {
			r = nil
		}
	}()
	r, err := pdf.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil
	}
	_ = r.NumPage() // which reads the first objects
	return r
}

func pageText(r *pdf.Reader, n int) (text string) {
	defer func() {
		if recover() != nil {
			text = ""
		}
	}()
	p := r.Page(n)
	if p.V.IsNull() {
		return ""
	}
	text, _ = p.GetPlainText(nil)
	text = strings.ReplaceAll(strings.ToValidUTF8(newlines.Replace(text), "\ufffd"), pageEnd, "\n")
	return strings.TrimSpace(strings.ReplaceAll(text, "\x00", ""))
}
