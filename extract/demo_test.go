package extract

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	demo "github.com/reverie-memory/reverie/cmd/demo/sample"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares got with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(strings.ReplaceAll(string(want), "\r\n", "\n"), got); d != "" {
		t.Errorf("%s (-want +got):\n%s", name, d)
	}
}

// printFacts writes facts as the daily log does, with what the log leaves out behind.
func printFacts(b *strings.Builder, facts []Fact) {
	for _, f := range facts {
		fmt.Fprintf(b, "- [%s] %s", f.Category, f.Text)
		if len(f.Tags) > 0 {
			fmt.Fprintf(b, " `%s`", strings.Join(f.Tags, " "))
		}
		fmt.Fprintf(b, "\n    %s | %s\n", strings.Join(f.Entities, "; "), f.About)
	}
}

func TestDemoConversationGivesTheseFacts(t *testing.T) {
	var out strings.Builder
	session := 0
	for line := range bytes.Lines(demo.Conversation) {
		var m struct {
			Session      int
			Speaker      string
			Role         string
			Text         string
			DiaID        string    `json:"dia_id"`
			TurnDatetime time.Time `json:"turn_datetime"`
		}
		if err := json.Unmarshal(line, &m); err != nil {
			t.Fatal(err)
		}
		if m.Session != session {
			session = m.Session
			fmt.Fprintf(&out, "## %s\n", m.TurnDatetime.Format("2006-01-02 15:04"))
		}
		facts, err := Rules{}.Extract(context.Background(),
			[]Message{{Drawer: m.DiaID, Role: m.Role, Speaker: m.Speaker, Text: m.Text, At: m.TurnDatetime, Noise: IsNoise(m.Text)}})
		if err != nil {
			t.Fatal(err)
		}
		printFacts(&out, facts)
	}
	golden(t, "demo.golden", out.String())
}

func TestChatOfTwoPeopleGivesTheseFacts(t *testing.T) {
	at := time.Date(2026, 5, 21, 19, 0, 0, 0, time.UTC)
	var turn []Message
	for i, line := range []string{
		"Mira: Hey Jonas! Long time no see. I adopted a puppy named Biscuit last weekend! [image: a brown puppy in a basket]",
		"Jonas: Aww, so cute! What breed is he?",
		"Mira: He's a beagle. My daughter Ella picked him, she's been begging for a dog for two years.",
		"Jonas: That's lovely. I've been busy, I started a pottery class in April and I'm learning Portuguese for our trip to Porto.",
		"Mira: You're so talented! When do you leave?",
		"Jonas: On 3 July. If the rehearsals run late, we'll fly a day later. I'm a bit nervous about speaking Portuguese.",
		"Mira: You will be great. I'll send you my list of cafés tomorrow.",
		"Jonas: Thanks! By the way, I don't drink coffee any more, tea only.",
	} {
		speaker, text, _ := strings.Cut(line, ": ")
		turn = append(turn, Message{Drawer: fmt.Sprintf("d%d", i+1), Role: "user", Speaker: speaker, Text: text, At: at, Noise: IsNoise(text)})
	}
	facts, err := Rules{}.Extract(context.Background(), turn)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	printFacts(&out, facts)
	golden(t, "chat.golden", out.String())
}
