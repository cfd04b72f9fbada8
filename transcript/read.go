package transcript

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"
)

// Reader reads the transcripts of a host.
type Reader struct {
	Host Host
	Mod  time.Time // the time of messages that name none

	// ToolBytes is how much of a tool's output is kept; 0 keeps none.
	ToolBytes int
}

// ToolBytes is how much is kept of a tool's output where nothing else is said.
const ToolBytes = 2000

// Report says how far a file was read, and what could not be.
type Report struct {
	Next   int64 // where reading goes on: at the last turn, while more may follow
	Lines  int
	Broken int // lines that are no JSON, or too long
	At     int64
	Line   int   // where that is, from 1 at where reading began; 0 in a file that is one value
	Err    error // of the first of them, which begins at At
}

const (
	maxLine  = 16 << 20 // a line that is longer holds a picture, or is none
	maxWhole = 64 << 20 // the same for a file that is one JSON value
)

// Turns yields the turns of a file in their order. The last one is open. A line that is not whole yet is left for the next time, and one
// that makes no sense is left out. Turns holds one line and one turn in memory. An error of yield ends the reading and is returned.
func (r Reader) Turns(ctx context.Context, file io.Reader, yield func(Turn) error) (Report, error) {
	return r.turns(ctx, file, reading{yield: yield, session: &session{}})
}

// TurnsFrom does the same from an offset that an earlier report gave.
func (r Reader) TurnsFrom(ctx context.Context, file io.ReaderAt, size, from int64, yield func(Turn) error) (Report, error) {
	re := reading{yield: yield, session: &session{}, rep: Report{Next: from}}
	if from > 0 { // the first line says what the others are of
		first := lines{in: bufio.NewReaderSize(io.NewSectionReader(file, 0, size), 64<<10)}
		if line, _, err := first.next(); err == nil {
			_, _ = r.Host.entries(line, re.session)
		}
		re.session.known = true
	}
	return r.turns(ctx, io.NewSectionReader(file, from, max(0, size-from)), re)
}

func (r Reader) turns(ctx context.Context, file io.Reader, re reading) (Report, error) {
	re.host, re.last, re.group = r.Host, r.Mod, grouper{host: r.Host.Name(), limit: r.ToolBytes}
	in := bufio.NewReaderSize(file, 64<<10)
	head, _ := in.Peek(64 << 10)
	var err error
	if h, ok := r.Host.(wholeHost); ok && re.rep.Next == 0 && h.whole(head) {
		err = re.eachMessage(ctx, h, in)
	} else {
		err = re.eachLine(ctx, lines{in: in, at: re.rep.Next})
	}
	if err == nil && re.group.begun {
		re.rep.Next = re.group.turn.Start
		re.group.turn.Open = true
		err = re.yield(re.group.turn)
	}
	return re.rep, err
}

// A wholeHost writes, or once wrote, files that are one JSON value, made anew with each message.
type wholeHost interface {
	whole(head []byte) bool
	// messages gives what would be the lines of such a file.
	messages(data []byte) ([]json.RawMessage, error)
}

// reading is one pass over a file.
type reading struct {
	host    Host
	session *session
	group   grouper
	last    time.Time // of the entry before
	yield   func(Turn) error
	rep     Report
	n       int // of the line, from 1
}

var errSession = errors.New("the line names no session")

// line takes a line in.
func (r *reading) line(line []byte, start, end int64) error {
	r.rep.Lines++
	entries, err := r.host.entries(line, r.session)
	r.session.known = true
	if len(entries) > 0 && !nameable(entries[0].chat) {
		entries, err = nil, errSession
	}
	if err != nil {
		r.broken(start, err)
	}
	for i := range entries {
		if entries[i].at.IsZero() {
			entries[i].at = r.last
		}
		r.last = entries[i].at
	}
	if done, ended := r.group.add(entries, start, end); ended {
		if err := r.yield(done); err != nil {
			return err
		}
		r.rep.Next = done.End
	}
	return nil
}

// nameable tells whether an id may stand in a line of a file.
func nameable(id string) bool {
	return id != "" && len(id) <= 200 && !strings.ContainsFunc(id, func(r rune) bool {
		return !unicode.IsPrint(r) || r == unicode.ReplacementChar || r == ' '
	})
}

func (r *reading) broken(at int64, err error) {
	r.rep.Broken++
	if r.rep.Err == nil {
		r.rep.At, r.rep.Line, r.rep.Err = at, r.n, err
	}
}

// eachMessage reads a file that is one value. The file is read from the beginning each time.
func (r *reading) eachMessage(ctx context.Context, h wholeHost, in io.Reader) error {
	data, err := io.ReadAll(io.LimitReader(in, maxWhole+1))
	if err != nil {
		return fmt.Errorf("read the transcript: %w", err)
	}
	if len(data) > maxWhole {
		r.broken(0, errLong)
		return nil
	}
	lines, err := h.messages(data)
	if err != nil {
		r.broken(0, err)
	}
	for _, line := range lines {
		if err := cmp.Or(ctx.Err(), r.line(line, 0, 0)); err != nil {
			return err
		}
	}
	return nil
}

var errLong = errors.New("it is too long")

// eachLine reads lines to the end of the file.
func (r *reading) eachLine(ctx context.Context, in lines) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		line, start, err := in.next()
		r.n++
		switch {
		case errors.Is(err, errLong):
			r.rep.Lines++
			r.broken(start, err)
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("read the transcript: %w", err)
		case len(line) > 0:
			if err := r.line(line, start, in.at); err != nil {
				return err
			}
		}
		if !r.group.begun {
			r.rep.Next = in.at
		}
	}
}

// lines are the lines of a file, of which one is in memory.
type lines struct {
	in  *bufio.Reader
	at  int64 // behind the line that was read last
	buf []byte
}

// next reads a line and tells where it begins. io.EOF means that no whole line is left.
func (l *lines) next() (line []byte, start int64, err error) {
	l.buf = l.buf[:0]
	long, size := false, int64(0)
	for {
		var part []byte
		part, err = l.in.ReadSlice('\n')
		size += int64(len(part))
		if long = long || len(l.buf)+len(part) > maxLine; !long {
			l.buf = append(l.buf, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			break
		}
	}
	start, line = l.at, bytes.TrimPrefix(bytes.TrimSpace(l.buf), []byte("\ufeff"))
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		return nil, start, err
	case err != nil && (size == 0 || long || !json.Valid(line)): // no end yet, while JSON that is valid cannot go on
		return nil, start, io.EOF
	}
	l.at += size
	if long {
		return nil, start, errLong
	}
	return line, start, nil
}
