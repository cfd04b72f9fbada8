package mine

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/reverie-memory/reverie/llm/program"
)

// Unread is the file in the data folder that names the PDFs, by their hash, that gave no text.
const Unread = "unread.jsonl"

// pdfVersion is raised where PDFs that gave no text may give some.
const pdfVersion = 1

// What is said of PDFs that give no text.
const (
	noReader  = "this program has no reader of PDF: not read"
	noPDFText = "no text can be read out of this PDF: not read"
	badPDF    = "reading this PDF took too long or too much memory: not read"
)

// noText begins what stands for a PDF that gave no text: why follows.
const noText = "\x00"

// pdfs reads PDFs, each in a process of its own, and remembers those that gave no text, so that they are not tried at every start. Its
// methods may be called from several goroutines.
type pdfs struct {
	program []string      // what reads a PDF on its standard input; none: no PDF is read
	file    string        // where those without text are noted
	limit   time.Duration // of one PDF; 0: pdfTime

	mu     sync.Mutex
	unread map[string]string // by hash: why; nil: not read yet
	texts  map[string][]byte // by hash, of at most maxTexts: whoever forgets has every file looked at again, by each index
	held   int               // bytes of texts
}

// maxTexts bounds the texts of PDFs that are kept in memory, in bytes.
const maxTexts = 32 << 20

// A mark is a line of the file.
type mark struct {
	Version int    `json:"v"`
	Hash    string `json:"sha256"`
	Why     string `json:"why"`
	Maybe   bool   `json:"maybe,omitempty"` // of what else the machine did: the next starts try again
}

// maxTries is how many starts read a PDF that took too long or was killed.
const maxTries = 3

// text gives the words of a PDF as [PDFText] does, or noText and why there are none. An error says nothing of the PDF.
func (r *pdfs) text(ctx context.Context, data []byte) ([]byte, error) {
	if _, _, ok := copied(data); ok {
		return data, nil
	}
	if len(r.program) == 0 {
		return []byte(noText + noReader), nil
	}
	sum := sha256.Sum256(data)
	hash := hex.EncodeToString(sum[:])
	if text := r.known(hash); text != nil {
		return text, nil
	}
	p := program.Program{Args: r.program, Env: os.Environ(), Timeout: cmp.Or(r.limit, pdfTime), Output: maxPDFText}
	text, err := p.Run(ctx, string(data))
	var exit *program.ExitError
	why := badPDF
	switch {
	case err == nil && strings.TrimSpace(text) != "":
		return r.keep(hash, []byte(text)), nil
	case err == nil:
		why = noPDFText
	case errors.Is(err, program.ErrTooMuch), errors.As(err, &exit) && exit.Itself:
	case errors.Is(err, program.ErrTimeout), exit != nil:
		return []byte(noText + why), r.note(mark{pdfVersion, hash, why, true})
	default:
		return nil, fmt.Errorf("reading a PDF: %w", err)
	}
	return []byte(noText + why), r.note(mark{pdfVersion, hash, why, false})
}

// keep keeps the text of a PDF for as long as there is room.
func (r *pdfs) keep(hash string, text []byte) []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.held+len(text) > maxTexts || r.texts == nil {
		r.texts, r.held = map[string][]byte{}, 0
	}
	if r.texts[hash] == nil {
		r.texts[hash], r.held = text, r.held+len(text)
	}
	return text
}

// known is what a PDF gave when it was read before, by this program, or in vain by one before it; nil where it is to be read. A line that a
// crash cut off costs one more try.
func (r *pdfs) known(hash string) []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.unread == nil {
		r.unread = map[string]string{}
		tries := map[string]int{}
		data, _ := os.ReadFile(r.file)
		for line := range bytes.Lines(data) {
			var m mark
			if json.Unmarshal(line, &m) != nil || m.Version != pdfVersion {
				continue
			}
			if tries[m.Hash]++; !m.Maybe || tries[m.Hash] == maxTries {
				r.unread[m.Hash] = m.Why
			}
		}
	}
	if why := r.unread[hash]; why != "" {
		return []byte(noText + why)
	}
	return r.texts[hash]
}

func (r *pdfs) note(m mark) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.unread[m.Hash] = m.Why
	line, err := json.Marshal(m)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(r.file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("note that a PDF has no text: %w", err)
	}
	_, err = f.Write(append([]byte("\n"), line...))
	return errors.Join(err, f.Close())
}

// readPages reads what text gave.
func readPages(text string) (d document, why string) {
	if why, none := strings.CutPrefix(text, noText); none {
		return d, why
	}
	var b strings.Builder
	n := 0
	for page := range strings.SplitSeq(strings.TrimSuffix(text, pageEnd), pageEnd) {
		n++
		for line := range strings.SplitSeq(page+"\n", "\n") {
			b.WriteString(line + "\n")
			d.lines = append(d.lines, n)
		}
	}
	d.body = b.String()
	return d, ""
}
