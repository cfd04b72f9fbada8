package workspace_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/reverie-memory/reverie/api"
	"github.com/reverie-memory/reverie/palace"
)

// tokens makes different secrets that all begin alike.
func tokens() func() string {
	n := 0
	return func() string {
		n++
		return "gh" + "p_" + strings.Repeat("a1B2c3D4e", 3) + fmt.Sprintf("Zz7Yy%04d", n)
	}
}

const tokenHead = "ghp_a1B2c3D4e"

func TestNoFieldOfARequestBringsASecretToDisk(t *testing.T) {
	dir, secret := t.TempDir(), tokens()
	w := prepare(t, dir, nil)
	start(t, w)
	turn := api.Turn{
		ChatID: "c " + secret(), Platform: secret(), Agent: secret(), Wing: secret(), Room: secret(), TurnID: secret(), Wait: "indexed",
		Messages: []api.Message{{Role: "user", Speaker: "Alice " + secret(), Ref: secret(), Content: "I moved to Berlin with " + secret() + "."}},
	}
	first, err := w.Remember(t.Context(), turn)
	if err != nil || first.Redactions != 9 || strings.Contains(first.TurnID, tokenHead) {
		t.Fatalf("remember: %+v, %v", first, err)
	}
	if again, err := w.Remember(t.Context(), turn); err != nil || again.Status != api.Duplicate || again.Drawers[0] != first.Drawers[0] {
		t.Errorf("the same turn again: %+v, %v", again, err)
	}
	fact := api.NewFact{Content: "Alice likes tea", Category: secret(), Tags: []string{secret(), "hot " + secret()}, Ref: secret()}
	written, err := w.WriteFacts(t.Context(), api.Facts{ChatID: secret(), Wait: "indexed", Facts: []api.NewFact{fact}})
	if err != nil || written.Redactions != 5 {
		t.Fatalf("write facts: %+v, %v", written, err)
	}

	found := func(name string, f api.Filters) {
		t.Helper()
		r, err := w.Search(t.Context(), api.Search{Query: "Alice Berlin tea " + secret(), Filters: &f})
		if err != nil || len(r.Hits) == 0 {
			t.Errorf("nothing is found by its own %s (%v)", name, err)
		}
	}
	found("chat", api.Filters{ChatID: turn.ChatID})
	found("wing", api.Filters{Wing: turn.Wing})
	found("room", api.Filters{Room: turn.Room})
	found("speaker", api.Filters{Speaker: turn.Messages[0].Speaker})
	found("category", api.Filters{Category: fact.Category})
	found("tag", api.Filters{Tags: fact.Tags[:1]})
	if _, err := w.Context(t.Context(), api.Context{Query: secret(), Wing: turn.Wing, Room: secret(), Agent: secret()}); err != nil {
		t.Error(err)
	}
	if _, err := w.Forget(t.Context(), api.Forget{IDs: []string{secret()}}); err == nil || strings.Contains(err.Error(), tokenHead) {
		t.Errorf("an unknown id: %v", err)
	}
	gone, err := w.Forget(t.Context(), api.Forget{ChatID: turn.ChatID, Reason: "it held " + secret()})
	if err != nil || len(gone.Forgotten) == 0 || !gone.Verified {
		t.Errorf("forget by the chat id that was sent: %+v, %v", gone, err)
	}
	if files := filesWith(t, dir, tokenHead); len(files) > 0 {
		t.Errorf("secrets in %v", files)
	}
	verified(t, w)
}

// Which conversations come in one part of an import is chance: what one says makes no secret of another's words, and within one it does.
func TestConversationsOfAnImportAreReadApart(t *testing.T) {
	w := open(t, nil)
	word := "Mq7vTz92LpXw"
	im := api.Import{End: true}
	for i, m := range []struct{ chat, text string }{
		{"c1", "my password is"}, {"c2", word}, {"c1", word}, {"c3", "my password is"}, {"", word},
	} {
		im.Messages = append(im.Messages, api.ImportMessage{
			ID: fmt.Sprintf("d00000000%d", i), ChatID: m.chat, TurnID: fmt.Sprint("t", i), Role: "user", Content: m.text, Told: true,
		})
	}
	im.Facts = []api.ImportFact{
		{ID: "f000000001", At: time.Now(), Content: "Alice forgot her password:"}, {ID: "f000000002", At: time.Now(), Content: word},
	}
	r, err := w.Import(t.Context(), im)
	if err != nil || r.Messages != 5 || r.Facts != 2 || r.Redactions != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	for id, want := range map[string]bool{"d000000001": true, "d000000002": false, "d000000004": true} {
		if d, err := w.ShowDrawer(t.Context(), api.DrawerID{ID: id}); err != nil || strings.Contains(d.Text, word) != want {
			t.Errorf("%s says %q (%v)", id, d.Text, err)
		}
	}
}

func TestIDsThatAreSecretsStayTwo(t *testing.T) {
	w, secret := open(t, nil), tokens()
	one, other := secret(), secret()
	turn := func(chat, id string) api.TurnResult {
		r, err := w.Remember(t.Context(), api.Turn{ChatID: chat, TurnID: id, Messages: []api.Message{{Role: "user", Content: "I like tea."}}})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	a, b, c := turn(one, one), turn(one, other), turn(other, one)
	if a.Drawers[0] == b.Drawers[0] || a.Drawers[0] == c.Drawers[0] || b.Status != api.Accepted || c.Status != api.Accepted {
		t.Errorf("%+v, %+v, %+v", a, b, c)
	}
}

func TestIDsThatCouldBecomeOneAreRefused(t *testing.T) {
	w := open(t, nil)
	for _, id := range []string{"a\x00b", "a\nb", "a\u2028b", " a", "a ", "a\ufeff", "a\ufffdb", "a\xffb"} {
		for field, turn := range map[string]api.Turn{
			"chat_id":         {ChatID: id, TurnID: "t", Messages: []api.Message{{Role: "user", Content: "x"}}},
			"turn_id":         {ChatID: "c", TurnID: id, Messages: []api.Message{{Role: "user", Content: "x"}}},
			"messages[0].ref": {ChatID: "c", TurnID: "t", Messages: []api.Message{{Role: "user", Content: "x", Ref: id}}},
		} {
			var invalid *api.Error
			if _, err := w.Remember(t.Context(), turn); !errors.As(err, &invalid) || invalid.Code != api.Invalid ||
				invalid.Fields[0].Location != "body."+field {
				t.Errorf("%s %q: %v", field, id, err)
			}
		}
	}
	r, err := w.Remember(t.Context(), api.Turn{ChatID: "c", Wing: " my\x00 wing\n", Messages: []api.Message{{
		Role:    "user",
		Content: "I like tea.\x00",
	}}})
	if err != nil || r.Status != api.Accepted {
		t.Errorf("labels are tidied, texts are kept: %+v, %v", r, err)
	}
}

func TestSecretsNeverReachTheDisk(t *testing.T) {
	dir, secret := t.TempDir(), tokens()
	w := prepare(t, dir, nil)
	start(t, w)
	msg := func(role, text string) api.Message { return api.Message{Role: role, Content: text} }
	r, err := w.Remember(t.Context(), api.Turn{ChatID: "c", Wait: "indexed", Messages: []api.Message{
		msg("user", "my token is "+secret()+" and <private>my diary</private> too"),
		msg("user", "The password of the NAS is:"),
		msg("user", "Kestrel%99-moon"),
		msg("user", "-----BEGIN "+"RSA PRIVATE KEY-----\n"+strings.Repeat("Qk9vR2x1", 8)),
		msg("user", strings.Repeat("Zm9vYmFy", 8)+"\n-----END RSA PRIVATE KEY-----\nand that was the key"),
	}})
	if err != nil || r.Redactions < 5 {
		t.Errorf("%+v, %v", r, err)
	}
	for _, s := range []string{tokenHead, "my diary", "Kestrel", "Qk9vR2x1", "Zm9vYmFy"} {
		if files := filesWith(t, dir, s); len(files) > 0 {
			t.Errorf("%q is in %v", s, files)
		}
	}
	if len(inVault(t, w, "and that was the key")) == 0 {
		t.Error("what stands behind a key is lost")
	}
}

func TestAForgottenFactDoesNotRefuseTheOthers(t *testing.T) {
	w := open(t, nil)
	facts := api.Facts{Wait: "indexed", Facts: []api.NewFact{{Content: "Zed owns a zeppelin"}}}
	if _, err := w.WriteFacts(t.Context(), facts); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Forget(t.Context(), api.Forget{Query: "Zed zeppelin"}); err != nil {
		t.Fatal(err)
	}
	facts.Facts = append([]api.NewFact{{Content: "Ann sails"}}, append(facts.Facts, api.NewFact{Content: "Bob knits"})...)
	r, err := w.WriteFacts(t.Context(), facts)
	if err != nil || len(r.Facts) != 2 || len(r.Refused) != 1 || r.Refused[0].Index != 1 || !strings.Contains(r.Refused[0].Reason,
		"forgotten") {
		t.Fatalf("%+v, %v", r, err)
	}
	if !tells(find(t, w, "Ann sails"), "Ann") || !tells(find(t, w, "Bob knits"), "Bob") || tells(find(t, w, "zeppelin"), "zeppelin") {
		t.Error("the others are to be found, and it is not")
	}
	var invalid *palace.InvalidError
	if _, err := w.WriteFacts(t.Context(), api.Facts{Facts: facts.Facts[1:2]}); !errors.As(err, &invalid) {
		t.Errorf("none but forgotten facts: %v", err)
	}
}
