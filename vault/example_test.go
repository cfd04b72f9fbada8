package vault_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"time"

	notebooktemplate "github.com/reverie-memory/reverie/notebook-template"
	"github.com/reverie-memory/reverie/vault"
)

// A vault is made from the template, takes a turn and its fact, and gives both back.
func Example() {
	dir, err := os.MkdirTemp("", "vault")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if _, err := vault.Init(dir, notebooktemplate.Files); err != nil {
		log.Fatal(err)
	}
	at := time.Date(2026, 6, 9, 14, 32, 0, 0, time.UTC)
	v, err := vault.Open(dir, vault.WithClock(func() time.Time { return at }))
	if err != nil {
		log.Fatal(err)
	}
	defer v.Close()

	ctx := context.Background()
	_, err = v.AppendDrawers(ctx, []vault.Drawer{{
		ID: "d3k9x2m1qa", At: at, ChatID: "chat-42", Origin: vault.OriginUser, Turn: "t1", Speaker: "Alice", Text: "I moved to Berlin!",
	}})
	if err != nil {
		log.Fatal(err)
	}
	facts, err := v.AppendFacts(ctx, []vault.SectionFacts{{
		Section: vault.Section{At: at, ChatID: "chat-42", Turn: "t1", Origin: vault.OriginUser, Drawer: "d3k9x2m1qa"},
		Facts:   []vault.Fact{{ID: "f7q2c81xk0", Category: "personal", Text: "Alice moved to Berlin", Tags: []string{"home"}}},
	}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s, line %d\n\n", vault.LogPath(facts[0].Day), facts[0].Line)
	data, err := v.ReadFile(vault.LogPath(facts[0].Day))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s", data)
	// Output:
	// memory/archive/2026-06-09.md, line 5
	//
	// # Daily Log - 2026-06-09
	//
	// ## 14:32 — chat-42
	// <!-- turn=t1 origin=user drawer=d3k9x2m1qa -->
	// - [personal] Alice moved to Berlin `home` ^f7q2c81xk0
}

func ExampleParseLog() {
	data := []byte("# Daily Log - 2026-06-09\n\n- Alice likes tea #food\nwords of a person\n")
	l := vault.ParseLog(vault.LogPath("2026-06-09"), data)
	for _, f := range l.Facts {
		fmt.Println(f.Line, f.Category, f.Text, f.Tags, f.Hand)
	}
	for _, p := range l.Problems {
		fmt.Println(p.Line, p.Reason)
	}
	// Output:
	// 3 general Alice likes tea [food] true
	// 4 not a fact: kept, but not remembered
}

func ExampleFormatDrawer() {
	fmt.Printf("%s", vault.FormatDrawer(vault.Drawer{
		ID: "d3k9x2m1qa", At: time.Date(2026, 6, 9, 20, 5, 0, 0, time.UTC), ChatID: "phone-13",
		Wing: "home", Origin: vault.OriginUser, Speaker: "Alice B", Text: "The wifi note says:\n```\nattic\n```",
	}))
	// Output:
	// ## 20:05 — phone-13 ^d3k9x2m1qa
	// ````drawer wing=home room= hall= origin=user turn= ref= speaker="Alice B"
	// The wifi note says:
	// ```
	// attic
	// ```
	// ````
}

func ExampleTombstones_Match() {
	dir, err := os.MkdirTemp("", "vault")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	v, err := vault.Open(dir)
	if err != nil {
		log.Fatal(err)
	}
	defer v.Close()
	if err := v.Forget(context.Background(), []vault.Tombstone{{Text: "The door code is 4711", Reason: "asked by the owner"}}); err != nil {
		log.Fatal(err)
	}
	stones, err := v.Tombstones()
	if err != nil {
		log.Fatal(err)
	}
	for _, text := range []string{"the code for the door is 4711", "The door code is 4712"} {
		_, forgotten := stones.Match(text)
		fmt.Println(text, forgotten)
	}
	// Output:
	// the code for the door is 4711 true
	// The door code is 4712 false
}
