package agent

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/reverie-memory/reverie/dream"
	"github.com/reverie-memory/reverie/redact"
	"github.com/reverie-memory/reverie/vault"
)

// The ids of facts and statements, by which a model names them, go out to it and come back as they are.
func TestIDsAreNoSecrets(t *testing.T) {
	g := dream.Group{Page: "2_Wiki/A.md", Title: "Lumo", Section: "Stack"}
	var ids []string
	for _, text := range []string{
		"Lumo uses SvelteKit for the frontend.", "User's wife Clara is a paediatrician.", "User prefers pnpm over npm.",
		"User is allergic to shellfish and carries an EpiPen.", "Orion uses Kafka for events.", "The launch is planned for 14 September.",
	} {
		for i := range 20 {
			id := vault.DeriveID('f', text, string(rune('a'+i)))
			g.Facts, ids = append(g.Facts, vault.Fact{ID: id, Day: "2026-06-09", Text: text}), append(ids, id)
		}
	}
	r := New(Options{Model: "m"}).start(Draft{Wiki: emptyWiki{}}, &dream.ModelUse{})
	for _, b := range r.agent.pack([]dream.Group{g}) {
		prompt := r.prompt(t.Context(), b)
		if clean, _ := redact.Redact(prompt); clean != prompt {
			t.Errorf("%s", clean)
		}
	}
	page := ""
	for i := range 300 {
		page += "\n- {" + vault.DeriveID('s', string(rune('a'+i))) + "} one\n  > - {" + vault.DeriveID('c', string(rune('a'+i))) + "} [ ] two"
	}
	quoted, err := json.Marshal(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{page, string(quoted)} {
		if clean, found := redact.Redact(text); clean != text {
			t.Errorf("%d ids of statements are taken for secrets: %v", len(found), found)
		}
	}
	proposal := `{"ops":[{"op":"add","page":"2_Wiki/A.md","text":"Lumo uses SvelteKit","facts":["` + strings.Join(ids, `","`) + `"]}]}`
	if clean, _ := redact.Redact(proposal); clean != proposal {
		t.Errorf("%s", clean)
	}
}
