package mine

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/ledongthuc/pdf"
)

// Bounds of a PDF: streams are compressed, so that a small file may hold a great deal.
const (
	maxPages   = 5000
	maxPDFText = 8 << 20 // bytes
)

var errNoText = errors.New("it holds no text")

// readPDF reads the words of a PDF, page by page. The reader panics on what it does not understand: a page that it cannot read is left out.
func readPDF(data []byte) (d document, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("reading the PDF: %v", r)
		}
	}()
	r, err := pdf.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return d, fmt.Errorf("reading the PDF: %w", err)
	}
	var b strings.Builder
	for n := 1; n <= min(r.NumPage(), maxPages) && b.Len() < maxPDFText; n++ {
		for line := range strings.SplitSeq(strings.TrimSpace(pageText(r, n)), "\n") {
			b.WriteString(strings.ToValidUTF8(line, "\ufffd") + "\n")
			d.lines = append(d.lines, n)
		}
		b.WriteByte('\n')
		d.lines = append(d.lines, n)
	}
	if d.body = b.String(); strings.TrimSpace(d.body) == "" {
		return d, errNoText
	}
	return d, nil
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
	return newlines.Replace(text)
}
