package redact

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/internal/linear"
)

var (
	secretFile = flag.String("secrets", "", "a JSONL file of messages with their secrets, to be measured: {\"id\",\"text\",\"secrets\":[…]}")
	nearFile   = flag.String("near", "", "a JSONL file of messages in which nothing is secret, to be measured: {\"id\",\"text\"}")
	show       = flag.Bool("show", false, "print the messages that kept a secret or were touched")
)

// TestFiles measures messages of other files than those of testdata: go test ./redact -run TestFiles -v -secrets F -near G.
func TestFiles(t *testing.T) {
	if *secretFile == "" && *nearFile == "" {
		t.Skip("no -secrets, no -near")
	}
	var all tally
	marks, gone := 0, 0
	for _, m := range messages(t, *secretFile) {
		s, clean := m.sample(t), withoutSecrets(m.Text)
		missed := 0
		for _, mark := range s.marks {
			if (sample{text: s.text, marks: []span{mark}}).leaks(clean) != "" {
				missed++
			}
		}
		marks, gone, all.secrets = marks+len(s.marks), gone+len(s.marks)-missed, all.secrets+1
		if missed == 0 {
			all.found++
		} else if *show {
			t.Logf("%v kept %q in %q", m.ID, s.leaks(clean), clean)
		}
	}
	for _, m := range messages(t, *nearFile) {
		all.near++
		if clean := withoutSecrets(m.Text); clean != m.Text {
			if all.touched++; *show {
				t.Logf("%v touched %q", m.ID, clean)
			}
		}
	}
	t.Logf("messages: %s; %d of %d single secrets are gone (%.1f %%)", all, gone, marks, 100*float64(gone)/float64(max(marks, 1)))
}

func withoutSecrets(text string) string { clean, _ := Redact(text); return clean }

// A message is a line of a file that TestFiles measures.
type message struct {
	ID      any
	Text    string
	Secrets []string
}

func messages(t *testing.T, file string) (all []message) {
	t.Helper()
	if file == "" {
		return nil
	}
	err := linear.Lines(os.DirFS(filepath.Dir(file)), filepath.Base(file), func(m message) error { all = append(all, m); return nil })
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// sample marks the secrets of a message, each where it stands first behind the one before, or else first at all.
func (m message) sample(t *testing.T) sample {
	t.Helper()
	s := sample{text: m.Text, weight: 1}
	behind := 0
	for _, v := range m.Secrets {
		i := strings.Index(m.Text[behind:], v)
		if i >= 0 {
			i += behind
		} else if i = strings.Index(m.Text, v); i < 0 {
			t.Logf("%v: %q is not in the text", m.ID, v)
			continue
		}
		behind = i + len(v)
		s.marks = append(s.marks, span{i, behind})
	}
	return s
}
