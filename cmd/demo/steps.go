package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/cmd/demo/sample"
)

// message is a line of the sample conversation.
type message struct {
	Conversation    string `json:"conversation"`
	SessionDatetime string `json:"session_datetime"`
	TurnDatetime    string `json:"turn_datetime"`
	DiaID           string `json:"dia_id"`
	Speaker         string `json:"speaker"`
	Role            string `json:"role"`
	Platform        string `json:"platform"`
	Agent           string `json:"agent"`
	Wing            string `json:"wing"`
	Room            string `json:"room"`
	Text            string `json:"text"`
}

func (m message) turn() (api.Turn, error) {
	when := m.TurnDatetime
	when = cmp.Or(when, m.SessionDatetime)
	at, err := time.Parse("2006-01-02T15:04:05", strings.TrimSuffix(when, "Z"))
	if err != nil {
		return api.Turn{}, fmt.Errorf("sample: %w", err)
	}
	return api.Turn{
		ChatID: m.Conversation, Platform: m.Platform, Agent: m.Agent, Wing: m.Wing, Room: m.Room,
		Wait: "indexed", Messages: []api.Message{{Role: m.Role, Speaker: m.Speaker, Content: m.Text, At: &at, Ref: m.DiaID}},
	}, nil
}

// converse sends the sample, a turn for each message, as an assistant would while talking.
func (d *demo) converse(ctx context.Context) error {
	title("2. Assistants hand it their turns; every turn is on disk before it is acknowledged")
	var turns, facts, redacted int
	days, platforms := map[string]bool{}, map[string]bool{}
	start := time.Now()
	for line := range bytes.Lines(sample.Conversation) {
		var m message
		if err := json.Unmarshal(line, &m); err != nil {
			return fmt.Errorf("sample: %w", err)
		}
		t, err := m.turn()
		if err != nil {
			return err
		}
		var r api.TurnResult
		if err := d.post(ctx, "/memory/turns", t, &r); err != nil {
			return err
		}
		turns, facts, redacted = turns+1, facts+len(r.Facts), redacted+r.Redactions
		days[t.Messages[0].At.Format(time.DateOnly)], platforms[m.Platform] = true, true
	}
	each := float64(time.Since(start).Microseconds()) / 1000 / float64(turns)
	fmt.Printf("%d turns over %d days from %d programs. Facts found: %d. Secrets kept off the disk: %d.\n", turns, len(days),
		len(platforms), facts, redacted)
	fmt.Printf("Each was stored, its facts extracted and searchable after %.1f ms on average.\n", each)
	return nil
}

// showLog prints the last daily log.
func (d *demo) showLog(context.Context) error {
	const shown = 32
	dir := filepath.Join(d.vault, "memory", "archive")
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	if len(entries) == 0 {
		return errors.New("no daily log was written")
	}
	last := entries[len(entries)-1].Name()
	title("3. The facts of a day, as you read them in Obsidian: memory/archive/%s", last)
	data, err := os.ReadFile(filepath.Join(dir, last))
	if err != nil {
		return err
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	if len(lines) > shown {
		lines = append(lines[:shown], "…")
	}
	fmt.Println(strings.Join(lines, "\n"))
	return nil
}

// The page that the person writes, and what finds it.
const (
	editedPage  = "1_Projects/Balcony.md"
	editedText  = "tomatoes on the balcony"
	editedLines = "# Balcony\n\n- The " + editedText + " need water every second evening\n"
)

// edit writes a page as an editor would, and waits until the index has followed.
func (d *demo) edit(ctx context.Context) error {
	title("4. You edit a page in any editor; the index follows")
	fmt.Printf("$ cat > %s\n%s", editedPage, editedLines)
	start := time.Now()
	if err := os.WriteFile(filepath.Join(d.vault, filepath.FromSlash(editedPage)), []byte(editedLines), 0o644); err != nil {
		return err
	}
	for time.Since(start) < time.Minute {
		var r api.SearchResult
		if err := d.post(ctx, "/memory/search", api.Search{Query: "what needs water in the evening?", K: 3, DryRun: true}, &r); err != nil {
			return err
		}
		for _, h := range r.Hits {
			if strings.Contains(h.Text, editedText) {
				fmt.Printf("\nFound %.1f s after the save, at %s:%d.\n", time.Since(start).Seconds(), h.SourceFile, h.Line)
				return nil
			}
		}
		time.Sleep(50 * time.Millisecond)
	}
	return errors.New("the index did not follow the edit")
}

// ask puts the sample's questions and checks the answers.
func (d *demo) ask(ctx context.Context) error {
	title("5. Five questions, with their sources")
	var questions []struct{ Question, Expect string }
	if err := json.Unmarshal(sample.Questions, &questions); err != nil {
		return fmt.Errorf("sample: %w", err)
	}
	for _, q := range questions {
		out, err := d.shell(ctx, "search", q.Question, "-k", "2")
		if err != nil {
			return err
		}
		if !strings.Contains(strings.ToLower(out), strings.ToLower(q.Expect)) {
			return fmt.Errorf("the answer to %q lacks %q", q.Question, q.Expect)
		}
		fmt.Println()
	}
	return nil
}

func (d *demo) verify(ctx context.Context) error {
	title("6. The index equals the files, and can prove it")
	_, err := d.shell(ctx, "verify")
	return err
}

func (d *demo) next(ctx context.Context) error {
	out, err := d.output(ctx, "status", "--json")
	if err != nil {
		return err
	}
	var s api.Status
	if err := json.Unmarshal([]byte(out), &s); err != nil {
		return err
	}
	title("That was Reverie")
	fmt.Printf("Engine: %s. %s\n", s.Engine, s.EngineNote)
	fmt.Print(`
Next, with your own memory:
  bin/reverie init                      makes ~/Reverie; open it in Obsidian
  bin/reverie remember "I moved to Berlin last week" --speaker Alice
  bin/reverie search "where do I live"
  bin/reverie dream                     tells when the next dream comes, and why
  bin/reverie doctor                    says whether all is well

The folder of this demo is removed now; the README has a five-minute tour.
`)
	return nil
}
