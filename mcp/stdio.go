package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// lineLimit is the longest message that a line may hold, in bytes.
const lineLimit = 16 << 20

// partingGrace is how long calls may still take that run when their client says no more: the first one starts the daemon, which takes long
// on a busy machine.
const partingGrace = 30 * time.Second

// endless is the one request whose answer is its end.
const endless = "subscriptions/listen"

// ServeLines answers one assistant, which writes a message a line to in and reads as many from out, until in or ctx ends. When in ends,
// the calls that run are answered, and cancelled where they take long. Nothing but messages is written to out.
func (s *Server) ServeLines(ctx context.Context, in io.Reader, out io.Writer) error {
	err := s.sdk.Run(within(ctx), &lines{in: in, out: out})
	if ctx.Err() != nil || errors.Is(err, io.EOF) {
		return nil // both are a host's way to say goodbye
	}
	return err
}

// stage is how far a request is; 0: it is not, or is answered.
type stage int

const (
	running stage = iota + 1
	takenBack
)

// lines is a connection to a client over two streams. Other than the SDK's own it answers a line that is no message and goes on, and
// lets calls finish when no more are to come.
type lines struct {
	in  io.Reader
	out io.Writer

	arrived chan []byte // a line; nil: one that is too long; closed at the end of in
	closed  chan struct{}
	close   sync.Once

	mu      sync.Mutex // guards out and what follows
	pending map[jsonrpc.ID]stage
	idle    chan struct{} // closed when nothing is pending any more; nil where nobody waits for that
}

// Connect implements the SDK's Transport.
func (l *lines) Connect(context.Context) (sdk.Connection, error) {
	l.arrived, l.closed, l.pending = make(chan []byte), make(chan struct{}), map[jsonrpc.ID]stage{}
	go l.scan()
	return l, nil
}

// scan reads lines until in ends. scan may outlive the connection: a read of standard input cannot be interrupted.
func (l *lines) scan() {
	defer close(l.arrived)
	r := bufio.NewReaderSize(l.in, 64<<10)
	for {
		line, err := readLine(r)
		if len(bytes.TrimSpace(line)) > 0 || err == errLong {
			select {
			case l.arrived <- line:
			case <-l.closed:
				return
			}
		}
		if err != nil && err != errLong {
			return
		}
	}
}

var errLong = errors.New("the line is too long")

// readLine reads a line of at most lineLimit bytes. readLine skips a longer one, for which the error is errLong and the line nil.
func readLine(r *bufio.Reader) (line []byte, err error) {
	long := false
	for {
		part, err := r.ReadSlice('\n')
		if long = long || len(line)+len(part) > lineLimit; long {
			line = nil
		} else {
			line = append(line, part...)
		}
		switch {
		case err == bufio.ErrBufferFull:
		case long && err == nil:
			return nil, errLong
		default:
			return line, err
		}
	}
}

// Read implements the SDK's Connection: it gives the next message. Read answers what is none itself.
func (l *lines) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-l.closed:
			return nil, io.EOF
		case line, more := <-l.arrived:
			if !more {
				l.finish(ctx)
				return nil, io.EOF
			}
			m, refused := l.message(line)
			if refused == nil {
				return m, nil
			}
			if err := l.refuse(refused); err != nil {
				return nil, err
			}
		}
	}
}

// message reads a line.
func (l *lines) message(line []byte) (jsonrpc.Message, *refusedMessage) {
	switch {
	case line == nil:
		return nil, refuse(nil, jsonrpc.CodeInvalidRequest, fmt.Sprintf("a message has at most %d bytes", lineLimit))
	case !json.Valid(line):
		return nil, refuse(nil, jsonrpc.CodeParseError, "the line is not JSON; a message stands on one line")
	case bytes.TrimSpace(line)[0] == '[':
		return nil, refuse(nil, jsonrpc.CodeInvalidRequest, "batches are not taken: send each message on a line of its own")
	}
	if refused := checkMessage(line); refused != nil {
		return nil, refused
	}
	m, err := jsonrpc.DecodeMessage(line)
	if err != nil {
		return nil, refuse(nil, jsonrpc.CodeInvalidRequest, "the line is no JSON-RPC 2.0 message: "+err.Error())
	}
	r, ok := m.(*jsonrpc.Request)
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case !ok:
	case r.Method == cancelled:
		var p sdk.CancelledParams
		_ = json.Unmarshal(r.Params, &p) // it has been checked
		if id, err := jsonrpc.MakeID(p.RequestID); err == nil && l.pending[id] == running {
			l.pending[id] = takenBack
		}
	case r.IsCall() && r.Method != endless:
		if l.pending[r.ID] != 0 {
			return nil, refuse(nil, jsonrpc.CodeInvalidRequest, fmt.Sprintf("a request with id %v is still being answered", r.ID.Raw()))
		}
		l.pending[r.ID] = running
	}
	return m, nil
}

// refuse answers a line that the SDK does not get.
func (l *lines) refuse(e *refusedMessage) error {
	data, err := json.Marshal(e)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.line(data)
}

// line writes a line while the caller holds mu.
func (l *lines) line(data []byte) error {
	_, err := l.out.Write(append(data, '\n'))
	return err
}

// finish waits until the calls that came are answered, but not for ever.
func (l *lines) finish(ctx context.Context) {
	l.mu.Lock()
	if len(l.pending) == 0 {
		l.mu.Unlock()
		return
	}
	idle := make(chan struct{})
	l.idle = idle
	l.mu.Unlock()
	timer := time.NewTimer(partingGrace)
	defer timer.Stop()
	select {
	case <-idle:
	case <-timer.C:
	case <-ctx.Done():
	case <-l.closed:
	}
}

// Write implements the SDK's Connection.
func (l *lines) Write(_ context.Context, m jsonrpc.Message) error {
	r, answer := m.(*jsonrpc.Response)
	if coded := new(jsonrpc.Error); answer && r.Error != nil && !errors.As(r.Error, &coded) {
		r.Error = &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: r.Error.Error()} // the SDK refuses some requests without a code
	}
	data, err := jsonrpc.EncodeMessage(m)
	if err != nil && answer {
		r = &jsonrpc.Response{ID: r.ID, Error: &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "encode the answer: " + err.Error()}}
		data, err = jsonrpc.EncodeMessage(r)
	}
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if !answer || l.pending[r.ID] != takenBack { // who took a request back wants no answer
		err = l.line(data)
	}
	if answer {
		delete(l.pending, r.ID)
		if len(l.pending) == 0 && l.idle != nil {
			close(l.idle)
			l.idle = nil
		}
	}
	return err
}

// Close implements the SDK's Connection. The streams are the caller's.
func (l *lines) Close() error {
	l.close.Do(func() { close(l.closed) })
	return nil
}

// SessionID implements the SDK's Connection.
func (l *lines) SessionID() string { return "" }
