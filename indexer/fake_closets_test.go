package indexer_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/indexer"
	"github.com/reverie-memory/reverie/indexer/catalog"
	"github.com/reverie-memory/reverie/vault"
)

// chats is a tree with a file for each conversation, made of its drawers in the files of all days.
type chats struct {
	v    *vault.Vault
	seen map[vault.Path][]string // the chats of each file when it was last looked at
}

const chatDir = ".chats"

func chatPath(chat string) vault.Path { return vault.Path(chatDir + "/" + chat) }

// all are the files, made anew: a real tree keeps what it read.
func (c *chats) all() (map[vault.Path][]byte, error) {
	files := map[vault.Path][]byte{}
	now := map[vault.Path][]string{}
	_, err := c.v.Walk(context.Background(), func(p vault.Path, _ vault.FileInfo) error {
		if !indexer.DrawerSource().Match(p) {
			return nil
		}
		data, err := c.v.ReadFile(p)
		for _, d := range vault.ParseDrawers(p, data).Drawers {
			line, _ := json.Marshal(d)
			files[chatPath(d.ChatID)] = append(append(files[chatPath(d.ChatID)], line...), '\n')
			now[p] = append(now[p], d.ChatID)
		}
		return err
	})
	c.seen = now
	return files, err
}

// info has a time that stands for the content.
func info(data []byte) vault.FileInfo {
	h := fnv.New64a()
	h.Write(data)
	return vault.FileInfo{Size: int64(len(data)), ModTime: time.Unix(0, int64(h.Sum64()>>4))}
}

func (c *chats) Walk(_ context.Context, fn func(vault.Path, vault.FileInfo) error) ([]vault.Problem, error) {
	files, err := c.all()
	for _, p := range slices.Sorted(maps.Keys(files)) {
		err = errors.Join(err, fn(p, info(files[p])))
	}
	return nil, err
}

func (c *chats) Stat(p vault.Path) (vault.FileInfo, error) {
	data, err := c.ReadFile(p)
	return info(data), err
}

func (c *chats) ReadFile(p vault.Path) ([]byte, error) {
	files, err := (&chats{v: c.v}).all() // not the owner's
	if data, ok := files[p]; ok || err != nil {
		return data, err
	}
	return nil, fs.ErrNotExist
}

func (c *chats) touched(p vault.Path) (files []vault.Path) {
	if !indexer.DrawerSource().Match(p) {
		return nil
	}
	before := c.seen[p]
	if _, err := c.all(); err != nil {
		return nil
	}
	for _, chat := range append(slices.Clone(before), c.seen[p]...) {
		files = append(files, chatPath(chat))
	}
	return files
}

// closetSource gives a row for each conversation: a word of each drawer, and the drawers.
func closetSource() indexer.Source {
	return indexer.Source{
		Name: "closet", Version: 1,
		Match: func(p vault.Path) bool { return strings.HasPrefix(string(p), chatDir+"/") },
		Rows: func(p vault.Path, data []byte, env indexer.Env) ([]indexer.Row, []vault.Problem) {
			var topics, ids []string
			for line := range bytes.Lines(data) {
				var d vault.Drawer
				if err := json.Unmarshal(line, &d); err != nil {
					return nil, []vault.Problem{{Path: p, Reason: err.Error()}}
				}
				if words := strings.Fields(env.Visible(d.Text)); len(words) > 0 {
					topics, ids = append(topics, words[len(words)-1]), append(ids, d.ID)
				}
			}
			if len(ids) == 0 {
				return nil, nil
			}
			return []indexer.Row{{
				ID: "closet", Source: catalog.Closet, File: p, Line: 1, Text: strings.Join(topics, ";"), Refs: ids,
			}}, nil
		},
	}
}

func withClosets(o *indexer.Options) {
	c := &chats{v: o.Vault}
	if o.Sources == nil {
		o.Sources = indexer.DefaultSources(vault.Layout{})
	}
	o.Sources = append(o.Sources, closetSource())
	o.Mounts = append(o.Mounts, indexer.Mount{At: chatDir, Tree: c, Touched: c.touched})
}

func (w *world) drawer(day, chat, text string) {
	w.t.Helper()
	at := vault.Day(day).Time().Add(time.Hour)
	if _, err := w.v.AppendDrawers(context.Background(), []vault.Drawer{{At: at, ChatID: chat, Speaker: "Alice", Text: text}}); err != nil {
		w.t.Fatal(err)
	}
}

// TestRowsOfAConversation: rows that are made of several files change when any of them does, and others are not even read.
func TestRowsOfAConversation(t *testing.T) {
	w := newWorld(t)
	read := map[vault.Path]int{}
	w.tweak = func(o *indexer.Options) {
		withClosets(o)
		src := &o.Sources[len(o.Sources)-1]
		rows := src.Rows
		src.Rows = func(p vault.Path, data []byte, env indexer.Env) ([]indexer.Row, []vault.Problem) {
			read[p]++
			return rows(p, data, env)
		}
	}
	w.open()
	w.drawer("2026-06-01", "c1", "We talked about Lisbon")
	w.drawer("2026-06-01", "c2", "We talked about Kyoto")
	w.drawer("2026-06-02", "c1", "And then about Porto")
	w.sync()
	closets := func() (texts []string) {
		for _, r := range w.rows() {
			if r.Source == catalog.Closet {
				texts = append(texts, r.Text)
			}
		}
		return texts
	}
	if got := closets(); !slices.Equal(got, []string{"Lisbon;Porto", "Kyoto"}) {
		t.Errorf("%q", got)
	}
	w.equal()
	clear(read)
	w.drawer("2026-06-02", "c1", "Once more about Faro")
	w.sync("memory/drawers/2026-06-02.md")
	if got := closets(); !slices.Equal(got, []string{"Lisbon;Porto;Faro", "Kyoto"}) || read[chatPath("c1")] != 1 || len(read) != 1 {
		t.Errorf("after a line: %q, read %v", got, read)
	}
	w.equal()
	if err := w.v.Forget(t.Context(), []vault.Tombstone{{Text: "And then about Porto"}}); err != nil {
		t.Fatal(err)
	}
	w.sync(".state/tombstones.jsonl")
	if got := closets(); !slices.Equal(got, []string{"Lisbon;Faro", "Kyoto"}) {
		t.Errorf("after forgetting: %q", got)
	}
	w.write("memory/drawers/2026-06-01.md", strings.ReplaceAll(w.read("memory/drawers/2026-06-01.md"), "c2", "c3"))
	w.sync("memory/drawers/2026-06-01.md")
	w.equal() // c2 is gone
	w.close()
	w.drawer("2026-06-03", "c3", "What nobody was told about Nara")
	w.open()
	w.sync()
	w.equal()
	before := w.rows()
	if err := w.ix.Rebuild(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	if d := diff(before, w.rows()); d != "" {
		t.Fatal(d)
	}
	w.settle()
	w.verified()
	if n := len(closets()); n != 2 {
		t.Error(fmt.Sprint(n, " closets"))
	}
}
