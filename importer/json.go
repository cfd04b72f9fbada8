package importer

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"reflect"
	"strings"
	"unicode/utf8"
)

const (
	maxItem = 128 << 20 // bytes of one entry of a list, such as a conversation with all its branches
	maxLine = 16 << 20  // bytes of a line of JSONL
)

var errNoUTF8 = errors.New("bytes that are no UTF-8: they are shown as � from here on")

// An item is one value of a list.
type item struct {
	raw  json.RawMessage
	line int
	n    int // from 1
}

// place says that something is wrong with the item.
func (i item) place(f File, err error) error { return &PlaceError{f.Name, i.line, i.n, err} }

// items yields the values of a JSON array one after the other, or the one value that the file is. Only one of them is in memory, until the
// next one is asked for.
func items(f File) iter.Seq2[item, error] {
	return func(yield func(item, error) bool) {
		l := newList(f.Reader)
		for n := 1; ; n++ {
			raw, line, err := l.next()
			it := item{raw: raw, line: line, n: n}
			if !l.array {
				it.n = 0
			}
			f.reach(it)
			switch {
			case errors.Is(err, io.EOF):
				f.reach(item{})
				return
			case errors.Is(err, errItem):
				if !yield(item{}, it.place(f, err)) {
					return
				}
			case err != nil:
				yield(item{}, &PlaceError{File: f.Name, Line: l.line, Err: err})
				return
			default:
				if !utf8.Valid(raw) && !yield(item{}, it.place(f, errNoUTF8)) || !yield(it, nil) {
					return
				}
			}
		}
	}
}

// objects reads each value of a file as an object.
func objects[T any](f File) iter.Seq2[T, error] { return decoded[T](f, items(f)) }

// decoded reads each item of a file as an object. What of one is of another type than is expected is yielded as an error before the rest
// of it.
func decoded[T any](f File, from iter.Seq2[item, error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for it, err := range from {
			var v T
			if err == nil {
				if err = decode(it.raw, &v); err != nil {
					err = it.place(f, err)
				}
			}
			if errors.Is(err, errKind) {
				var none T
				if !yield(none, err) {
					return
				}
				err = nil
			}
			if !yield(v, err) {
				return
			}
		}
	}
}

// each yields what of a file can be understood; yield gets the rest, as errors. Behind a loop over it nothing may be yielded: yield may
// have ended it.
func each[T any](of iter.Seq2[T, error], yield func(Message, error) bool) iter.Seq[T] {
	return func(one func(T) bool) {
		for v, err := range of {
			if err != nil && !yield(Message{}, err) || err == nil && !one(v) {
				return
			}
		}
	}
}

// errKind is what [decode] returns where only the type of a field is wrong.
var errKind = errors.New("and is left out")

// ErrBeside says of a field of a wrong type that it stands beside the messages, such as a title: all of them are taken, with their times.
var ErrBeside = fmt.Errorf("%w", errKind)

// decode reads an object. Fields of another type than is expected are left out, and the first of them is named by an [errKind], which is
// [ErrBeside] where they all have the tag importer:"beside".
func decode(raw []byte, into any) error {
	if len(raw) == 0 || raw[0] != '{' {
		return errors.New("an object was expected")
	}
	err := json.Unmarshal(raw, into)
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		kind := errKind
		if whole(raw, reflect.TypeOf(into).Elem()) {
			kind = ErrBeside
		}
		return fmt.Errorf("%q is of type %s, %w", wrong.Field, wrong.Value, kind)
	}
	return err
}

// whole says whether an object has all fields of a type in the types that it wants, but for those that stand beside the messages.
func whole(raw []byte, of reflect.Type) bool {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		return false
	}
	for i := range of.NumField() {
		if f := of.Field(i); f.Tag.Get("importer") == "beside" {
			name := f.Tag.Get("json")
			maps.DeleteFunc(fields, func(key string, _ json.RawMessage) bool { return strings.EqualFold(key, name) })
		}
	}
	rest, err := json.Marshal(fields)
	return err == nil && json.Unmarshal(rest, reflect.New(of).Interface()) == nil
}

// lines yields the lines of a file with their numbers, without empty ones. A line that is too long is yielded as an error.
func lines(f File) iter.Seq2[item, error] {
	return func(yield func(item, error) bool) {
		in := bufio.NewReaderSize(f.Reader, 1<<20)
		for n := 1; ; n++ {
			raw, long, err := readLine(in)
			if n == 1 {
				raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
			}
			it := item{raw: bytes.TrimSpace(raw), line: n}
			f.reach(it)
			switch {
			case long:
				if !yield(item{}, it.place(f, fmt.Errorf("the line has more than %d MB", maxLine>>20))) {
					return
				}
			case len(it.raw) > 0:
				if !utf8.Valid(it.raw) && !yield(item{}, it.place(f, errNoUTF8)) || !yield(it, nil) {
					return
				}
			}
			if err != nil {
				f.reach(item{})
				if !errors.Is(err, io.EOF) {
					yield(item{}, it.place(f, err))
				}
				return
			}
		}
	}
}

// readLine reads a line; of one that is too long it keeps nothing.
func readLine(in *bufio.Reader) (line []byte, long bool, err error) {
	for {
		part, err := in.ReadSlice('\n')
		if long = long || len(line)+len(part) > maxLine; long {
			line = nil
		} else {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, long, err
		}
	}
}
