package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/importer"
	"github.com/reverie-memory/reverie/op"
)

// slowForm yields messages and closes second when it yields the one that lies in the second part.
func slowForm(second chan struct{}) importer.Importer {
	form := importer.JSONL
	form.Read = func(_ importer.File, yield func(importer.Message, error) bool) {
		for n := range 2*partMessages + 10 {
			if n == partMessages+5 {
				close(second)
			}
			m := importer.Message{ImportMessage: api.ImportMessage{
				ChatID: "c", Role: "user", Content: fmt.Sprint("Message ", n),
				Ref: fmt.Sprint(n),
			}}
			if !yield(m, nil) {
				return
			}
		}
	}
	return form
}

// partTaker acknowledges a part only when the next one is being read.
type partTaker struct {
	memory
	t      *testing.T
	second chan struct{}
	under  bool // a part is being taken
	fails  int  // the part that is not taken; 0: none
	parts  []string
}

func (p *partTaker) Call(_ context.Context, _ op.Operation, input []byte, into any) error {
	var in api.Import
	if err := json.Unmarshal(input, &in); err != nil {
		return err
	}
	if p.under {
		p.t.Error("two parts at a time")
	}
	p.under = true
	<-p.second
	p.under = false
	refs := make([]string, len(in.Messages))
	for i, m := range in.Messages {
		refs[i] = m.Ref
	}
	p.parts = append(p.parts, fmt.Sprintf("%q %s-%s end=%v", in.ID, refs[0], refs[len(refs)-1], in.End))
	if len(p.parts) == p.fails {
		return errors.New("the disk is full")
	}
	return op.Put(api.ImportResult{ID: "s1", Messages: len(refs)}, into)
}

// TestTheNextPartIsReadMeanwhile also tells that parts go one after the other, and that none follows one that was not taken.
func TestTheNextPartIsReadMeanwhile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.jsonl")
	if err := os.WriteFile(file, []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for fails, want := range []string{
		`2010 <nil>; "" 0-999 end=false; "s1" 1000-1999 end=false; "s1" 2000-2009 end=true`,
		`0 the disk is full; "" 0-999 end=false`,
		`1000 the disk is full; "" 0-999 end=false; "s1" 1000-1999 end=false`,
		`2000 the disk is full; "" 0-999 end=false; "s1" 1000-1999 end=false; "s1" 2000-2009 end=true`,
	} {
		synctest.Test(t, func(t *testing.T) {
			second := make(chan struct{})
			e, err := importer.Open(file, []importer.Importer{slowForm(second)})
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			taker := &partTaker{t: t, second: second, fails: fails}
			im := &importing{app: &app{err: io.Discard}, mem: taker}
			im.rep.Forms = map[string]*formReport{}
			err = im.export(t.Context(), e)
			if got := fmt.Sprint(im.rep.Messages, " ", err, "; ", strings.Join(taker.parts, "; ")); got != want {
				t.Errorf("%s\nwant %s", got, want)
			}
		})
	}
}

// What costs no message is a warning, and the import has not failed; what costs one is a problem, and it has.
func TestWarningsOfAnImportAreNoFailure(t *testing.T) {
	const chat = `{"uuid":"c1","name":%s,"chat_messages":[{"uuid":"m1","sender":"human","text":%s}]}`
	for _, tt := range []struct {
		title, text        string
		warnings, problems int
	}{{`"Tea"`, `"Hello."`, 0, 0}, {`5`, `"Hello."`, 1, 0}, {`"Tea"`, `5`, 0, 1}} {
		file := filepath.Join(t.TempDir(), "c.json")
		if err := os.WriteFile(file, []byte("["+fmt.Sprintf(chat, tt.title, tt.text)+"]"), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := newPlace(t).importing(t, file).Output()
		var rep importReport
		if derr := json.Unmarshal(out, &rep); derr != nil {
			t.Fatalf("%s: %v", out, derr)
		}
		if len(rep.Warnings) != tt.warnings || len(rep.Problems) != tt.problems || (err != nil) != (tt.problems > 0) {
			t.Errorf("title %s, text %s: %+v, %v", tt.title, tt.text, rep, err)
		}
	}
}
