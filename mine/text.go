package mine

import (
	"bytes"
	"path"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"github.com/reverie-memory/reverie/redact"
)

// A document is what is read of a file.
type document struct {
	body  string
	lines []int  // where each line of body stands: the file's line, a PDF's page; nil: the same
	title string // that it gives itself
	form  form
}

// A form says how a document is cut.
type form int

const (
	prose    form = iota
	markdown      // prose under headings
	code          // lines that belong together as they stand
)

// line is where the i-th line of the body stands, from 0.
func (d *document) line(i int) int {
	if d.lines == nil {
		return i + 1
	}
	return d.lines[min(i, len(d.lines)-1)]
}

// read reads a file as its name says, a PDF as [pdfs.text] gives it. What is no text gives ok false; why is said where a person may wonder.
func read(name string, data []byte) (d document, ok bool, why string) {
	if d, h, ok := copied(data); ok {
		return d, h.Why == "", h.Why
	}
	switch ext := strings.ToLower(path.Ext(name)); ext {
	case ".pdf":
		d, why = readPages(string(data))
		return d, why == "", why
	case ".md", ".markdown", ".mdx":
		d.form = markdown
	case ".txt", ".text", ".rst", ".adoc", ".asciidoc", ".org", ".tex", ".html", ".htm", ".xhtml", "":
	default:
		d.form = code
	}
	if d.body, ok = decode(data); !ok {
		return d, false, ""
	}
	switch strings.ToLower(path.Ext(name)) {
	case ".html", ".htm", ".xhtml":
		d = readHTML(d.body)
	}
	return d, true, ""
}

// decode gives the text of bytes in UTF-8, UTF-16 with its mark, or else the code page of western Windows; ok is false for what is no text.
func decode(data []byte) (text string, ok bool) {
	switch {
	case bytes.HasPrefix(data, []byte{0xff, 0xfe}), bytes.HasPrefix(data, []byte{0xfe, 0xff}):
		return decode16(data[2:], data[0] == 0xfe), true
	case bytes.IndexByte(data, 0) >= 0:
		return "", false
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	control := 0
	for _, c := range data {
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != 0x1b {
			control++
		}
	}
	if control > len(data)/100 {
		return "", false
	}
	if !utf8.Valid(data) {
		if torn := bytes.ToValidUTF8(data, nil); len(data)-len(torn) <= len(data)/1000 {
			data = bytes.ToValidUTF8(data, []byte("\ufffd")) // UTF-8 with a slip
		} else if western, err := charmap.Windows1252.NewDecoder().Bytes(data); err == nil {
			data = western
		}
	}
	return newlines.Replace(string(data)), true
}

// newlines makes every line end alike.
var newlines = strings.NewReplacer("\r\n", "\n", "\r", "\n")

func decode16(data []byte, big bool) string {
	units := make([]uint16, len(data)/2)
	for i := range units {
		if big {
			units[i] = uint16(data[2*i])<<8 | uint16(data[2*i+1])
		} else {
			units[i] = uint16(data[2*i+1])<<8 | uint16(data[2*i])
		}
	}
	return newlines.Replace(string(utf16.Decode(units)))
}

// mostly is from which part on, one in so many bytes, secrets make a file one that is kept for them.
const mostly = 3

const mostlySecrets = "holds little but secrets: not read"

// redacted replaces the secrets of a document. ok is false where little else is in it.
func redacted(d document) (_ document, ok bool) {
	d.title, _ = redact.Redact(d.title)
	clean, found := redact.Redact(d.body)
	if len(found) == 0 {
		return d, true
	}
	secret, from, at := 0, 0, 0
	lines := []int{d.line(0)}
	pass := func(text string, keep bool) {
		for range strings.Count(text, "\n") {
			if from++; keep {
				lines = append(lines, d.line(from))
			}
		}
	}
	for _, f := range found {
		secret += f.End - f.Start
		pass(d.body[at:f.Start], true)
		pass(d.body[f.Start:f.End], false)
		at = f.End
	}
	pass(d.body[at:], true)
	if secret*mostly > len(strings.TrimSpace(d.body)) {
		return document{}, false
	}
	d.body, d.lines = clean, lines
	return d, true
}
