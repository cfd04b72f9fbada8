package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/reverie-memory/reverie/model/modeltest"
)

// scriptedModel is the program "scripted-model" of scripts, which plays a model that reads a prompt and prints an answer: it notes each
// message that may give facts. The argument "logged-out" has it fail.
func scriptedModel() {
	prompt, _ := io.ReadAll(os.Stdin)
	entries, _ := os.ReadDir(".")
	switch {
	case len(os.Args) > 1 && os.Args[1] == "logged-out":
		fmt.Fprintln(os.Stderr, "please log in first")
		os.Exit(1)
	case os.Getenv("REVERIE_INSIDE") != "1" || os.Getenv("REVERIE_VAULT") != "" || len(entries) > 0:
		fmt.Fprintln(os.Stderr, "this is not the environment of a model")
		os.Exit(2)
	}
	type fact struct {
		Message  int      `json:"message"`
		Category string   `json:"category"`
		Text     string   `json:"text"`
		Tags     []string `json:"tags"`
		Entities []string `json:"entities"`
		Quote    string   `json:"quote"`
		About    string   `json:"about"`
	}
	type turn struct {
		Turn  int    `json:"turn"`
		Facts []fact `json:"facts"`
	}
	var messages []struct {
		Turn, Message int
		Facts         bool
		Text          string
	}
	_, data, found := strings.Cut(string(prompt), "instructions):\n")
	if !found { // a dream: it proposes nothing
		fmt.Println(`{"ops":[]}`)
		return
	}
	if err := json.NewDecoder(strings.NewReader(data)).Decode(&messages); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
	var turns []turn
	for _, m := range messages {
		if n := len(turns); n == 0 || turns[n-1].Turn != m.Turn {
			turns = append(turns, turn{m.Turn, []fact{}})
		}
		if m.Facts {
			last := &turns[len(turns)-1]
			text := fmt.Sprintf("It was noted in one of %d turns: %s", max(1, messages[len(messages)-1].Turn), m.Text)
			last.Facts = append(last.Facts, fact{Message: m.Message, Category: "fact", Text: text, Quote: m.Text})
		}
	}
	answer := map[string]any{"turns": turns}
	if len(turns) == 1 {
		answer = map[string]any{"facts": turns[0].Facts}
	}
	out, _ := json.Marshal(answer)
	fmt.Printf("Here is what I noted:\n```json\n%s\n```\n", out)
}

// eventually REGEXP PROGRAM ARGS... runs the program again and again until its output matches.
func eventually(ts *testscript.TestScript, _ bool, args []string) {
	want := regexp.MustCompile("(?m)" + args[0])
	for end := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		err := ts.Exec(args[1], args[2:]...)
		if out := ts.ReadFile("stdout"); err == nil && want.MatchString(out) {
			return
		} else if time.Now().After(end) {
			ts.Fatalf("never %q: %v\n%s", args[0], err, out)
		}
	}
}

// tinyModel writes a model of a kind into a folder: tiny-model KIND DIR.
func tinyModel() {
	if _, err := (modeltest.Model{Kind: os.Args[1]}).Write(os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
