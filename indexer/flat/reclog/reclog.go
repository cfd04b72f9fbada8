package reclog

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// The file:
//
//	header   64 bytes: magic 8 | record size u32 | kind u32 | tag u64 | crc32c of these u32 | 0 u32 |
//	                   acknowledged u64 | crc32c of acknowledged u32 | 0...
//	record   crc32c of the payload u32 | payload
//
// All numbers are little-endian. acknowledged is the number of records that a Sync has covered.
const (
	headerSize = 64
	ackOffset  = 32
	sumSize    = 4

	blockBytes = 1 << 20 // of one read or write
)

var magic = [8]byte{'R', 'V', 'R', 'E', 'C', 'L', '1', '\n'}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// ErrDamaged means that the file is not what was written and acknowledged.
var ErrDamaged = errors.New("damaged record file")

// Kind says what a file is for, so that one is not read as another.
type Kind uint32

// Header is what makes a file readable: all three must be what the file was made with.
type Header struct {
	Kind    Kind
	Payload int    // bytes of a record without its checksum
	Tag     uint64 // for the owner's use, such as a dimension
}

// A Log is an open file. Only one goroutine at a time may call the methods of a Log.
type Log struct {
	f     *os.File
	h     Header
	n     int // records in the file
	acked int
	buf   []byte
	// broken is set once a failed write could not be undone: the file's end is then unknown.
	broken error
}

// Create makes the file, which must not be there, with its header durable.
func Create(path string, h Header) (*Log, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	l := &Log{f: f, h: h}
	head := make([]byte, headerSize)
	copy(head, h.encode())
	putAck(head[ackOffset:], 0)
	_, err = f.WriteAt(head, 0)
	if err == nil {
		err = f.Sync()
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return l, nil
}

// A Reader takes the records of a file that is being opened.
type Reader struct {
	// Expect, where not nil, is told how many records there are at most. With it, Record is called
	// from several goroutines at once and in no order.
	Expect func(n int)
	// Record takes the payload of the i-th record and must not keep it.
	Record func(i int, payload []byte) error
}

// Open opens the file and hands its records to r. A torn end after the last acknowledged record is
// cut off, so [Log.Len] may be less than was expected; what lies behind it counts as not read.
func Open(path string, h Header, r Reader) (*Log, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	l := &Log{f: f, h: h}
	if err := l.load(r); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
	}
	return l, nil
}

func (h Header) encode() []byte {
	b := make([]byte, 0, ackOffset)
	b = append(b, magic[:]...)
	b = binary.LittleEndian.AppendUint32(b, uint32(h.Payload))
	b = binary.LittleEndian.AppendUint32(b, uint32(h.Kind))
	b = binary.LittleEndian.AppendUint64(b, h.Tag)
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
	return append(b, 0, 0, 0, 0)
}

func putAck(b []byte, n int) {
	binary.LittleEndian.PutUint64(b, uint64(n))
	binary.LittleEndian.PutUint32(b[8:], crc32.Checksum(b[:8], castagnoli))
}

func (l *Log) load(r Reader) error {
	head := make([]byte, headerSize)
	if _, err := io.ReadFull(io.NewSectionReader(l.f, 0, headerSize), head); err != nil {
		return fmt.Errorf("%w: header: %w", ErrDamaged, err)
	}
	if !bytes.Equal(head[:ackOffset], l.h.encode()) {
		return fmt.Errorf("%w: made for something else, or its header is not intact", ErrDamaged)
	}
	ack := head[ackOffset:]
	if crc32.Checksum(ack[:8], castagnoli) != binary.LittleEndian.Uint32(ack[8:]) {
		return fmt.Errorf("%w: acknowledged count", ErrDamaged)
	}
	acked := binary.LittleEndian.Uint64(ack)
	info, err := l.f.Stat()
	if err != nil {
		return err
	}
	size := info.Size() - headerSize
	if acked > uint64(size/l.recSize()) {
		return fmt.Errorf("%w: %d records were acknowledged, %d are there", ErrDamaged, acked, size/l.recSize())
	}
	l.acked = int(acked)
	if l.n, err = l.scan(int(size/l.recSize()), r); err != nil {
		return err
	}
	if size != int64(l.n)*l.recSize() {
		return l.cut()
	}
	return nil
}

// scan reads n records and returns how many good ones there are before the first bad one. A bad one
// is an error only where it was acknowledged: the end after that may be torn.
func (l *Log) scan(n int, r Reader) (int, error) {
	workers := 1
	if r.Expect != nil {
		r.Expect(n)
		workers = max(1, min(runtime.GOMAXPROCS(0), n*int(l.recSize())/blockBytes))
	}
	good := make([]int, workers)
	var g errgroup.Group
	for w := range workers {
		g.Go(func() (err error) {
			good[w], err = l.scanRun(w*n/workers, (w+1)*n/workers, r)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return 0, err
	}
	for w, i := range good {
		if i < (w+1)*n/workers {
			n = i
			break
		}
	}
	if n < l.acked {
		return 0, fmt.Errorf("%w: checksum of record %d", ErrDamaged, n)
	}
	return n, nil
}

// scanRun reads the records from one number up to another and returns where it found a bad one.
func (l *Log) scanRun(from, to int, r Reader) (int, error) {
	rec := int(l.recSize())
	per := max(1, blockBytes/rec)
	buf := make([]byte, min(per, max(to-from, 1))*rec)
	for i := from; i < to; {
		m := min(per, to-i)
		if _, err := l.f.ReadAt(buf[:m*rec], l.offset(i)); err != nil {
			return 0, err
		}
		for j := 0; j < m; j, i = j+1, i+1 {
			b := buf[j*rec : (j+1)*rec]
			if crc32.Checksum(b[sumSize:], castagnoli) != binary.LittleEndian.Uint32(b) {
				return i, nil
			}
			if err := r.Record(i, b[sumSize:]); err != nil {
				return 0, err
			}
		}
	}
	return to, nil
}

func (l *Log) recSize() int64     { return int64(sumSize + l.h.Payload) }
func (l *Log) offset(i int) int64 { return headerSize + int64(i)*l.recSize() }
func (l *Log) cut() error         { return l.f.Truncate(l.offset(l.n)) }
func (l *Log) Len() int           { return l.n }
func (l *Log) Bytes() int64       { return l.offset(l.n) }
func (l *Log) Name() string       { return l.f.Name() }
func (l *Log) Close() error       { return l.f.Close() }
func (l *Log) Acknowledged() int  { return l.acked }

// Append writes n records with one write; put fills the payload of the i-th. After an error the
// file is as it was before.
func (l *Log) Append(n int, put func(i int, payload []byte)) error {
	if l.broken != nil {
		return l.broken
	}
	rec := int(l.recSize())
	before := l.n
	for at := 0; at < n; {
		m := min(n-at, max(1, blockBytes/rec))
		if cap(l.buf) < m*rec {
			l.buf = make([]byte, m*rec)
		}
		b := l.buf[:m*rec]
		for j := range m {
			r := b[j*rec : (j+1)*rec]
			put(at+j, r[sumSize:])
			binary.LittleEndian.PutUint32(r, crc32.Checksum(r[sumSize:], castagnoli))
		}
		if _, err := l.f.WriteAt(b, l.offset(l.n)); err != nil {
			l.n = before
			return errors.Join(err, l.undo())
		}
		at, l.n = at+m, l.n+m
	}
	if cap(l.buf) > blockBytes/8 {
		l.buf = nil // a bulk load must not pin its buffer
	}
	return nil
}

func (l *Log) undo() error {
	if err := l.cut(); err != nil {
		l.broken = fmt.Errorf("undo a failed write: %w", err)
		return l.broken
	}
	return nil
}

// Sync makes every record durable and acknowledges it.
func (l *Log) Sync() error {
	if l.broken != nil {
		return l.broken
	}
	if l.acked == l.n {
		return nil
	}
	var b [12]byte
	putAck(b[:], l.n)
	// One fsync covers the records and the count. Should power fail between the two, the count may
	// be ahead; Open then says damaged, and the owner fills the file anew.
	if _, err := l.f.WriteAt(b[:], ackOffset); err != nil {
		return err
	}
	if err := l.f.Sync(); err != nil {
		return err
	}
	l.acked = l.n
	return nil
}

// Truncate drops every record after the first n, durably.
func (l *Log) Truncate(n int) error {
	if n >= l.n {
		return nil
	}
	var b [12]byte
	putAck(b[:], min(n, l.acked))
	if _, err := l.f.WriteAt(b[:], ackOffset); err != nil {
		return err
	}
	if err := l.f.Sync(); err != nil { // the lower count first: never more acknowledged than there
		return err
	}
	l.n, l.acked = n, min(n, l.acked)
	if err := l.cut(); err != nil {
		return err
	}
	return l.f.Sync()
}

// SyncDir makes the names in a folder durable.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = d.Sync()
	if cerr := d.Close(); err == nil {
		err = cerr
	}
	return ignoreUnsupported(err)
}
