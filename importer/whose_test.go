package importer

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// said is a line of JSONL by a speaker.
func said(speaker, role string) string {
	return fmt.Sprintf(`{"conversation":"c","speaker":%q,"role":%q,"text":"by %s"}`, speaker, role, speaker) + "\n"
}

func TestWhoseWordsTheyAre(t *testing.T) {
	two := said("Alice", "") + said("Noor", "") + said("AI", "") + said("System", "") + said("Eve", "user")
	for name, tt := range map[string]struct {
		text      string
		whose     Whose
		want      string
		strangers []string
	}{
		"one name":    {said("Alice", "") + said("ChatGPT", "") + said("Model", ""), Whose{}, "user assistant assistant", nil},
		"roles":       {said("Alice", "user") + said("Noor", "user"), Whose{}, "user user", nil},
		"two names":   {two, Whose{}, "user user assistant tool user", []string{"Alice", "Eve", "Noor"}},
		"me":          {two, Whose{Me: []string{"noor"}}, "import user assistant tool user", []string{"Alice", "Eve", "Noor"}},
		"others":      {two, Whose{Others: true}, "import import import tool import", []string{"Alice", "Eve", "Noor"}},
		"name and I":  {said("user", "") + said("Alice", ""), Whose{}, "user user", []string{"Alice", "user"}},
		"none at all": {said("", "") + said("assistant", ""), Whose{}, "user assistant", nil},
	} {
		t.Run(name, func(t *testing.T) {
			e, err := Open(put(t, map[string]string{"a.jsonl": tt.text}), All())
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			if got := e.Strangers(); !slices.Equal(got, tt.strangers) {
				t.Errorf("strangers %q, want %q", got, tt.strangers)
			}
			e.Whose = tt.whose
			var roles []string
			for m, err := range e.Messages() {
				if err != nil {
					t.Fatal(err)
				}
				roles = append(roles, m.Role)
			}
			if got := strings.Join(roles, " "); got != tt.want {
				t.Errorf("roles %q, want %q", got, tt.want)
			}
		})
	}
}

// The words of a person who is named are theirs, also where all else is other people's; facts are whose their messages are.
func TestWhoseFactsTheyAre(t *testing.T) {
	dir := put(t, map[string]string{
		"g/2016-01-14.json": `[{"type":"message","user":"U1","user_profile":{"real_name":"Ann Lee"},"text":"one","ts":"1452837352.0"},` +
			`{"type":"message","user":"U2","text":"two","ts":"1452837353.0"}]`,
		"memory.json": `{"type":"entity","name":"Bo","entityType":"cat","observations":["Purrs"]}`,
		"z.jsonl":     `{"reverie_export":"x","version":1}` + "\n" + `{"fact":{"id":"f000000001","role":"user","content":"Sings"}}`,
	})
	for _, tt := range []struct {
		whose Whose
		want  string
	}{
		{Whose{Me: []string{"Ann Lee"}}, "user import agent agent user"},
		{Whose{Others: true}, "import import import import import"},
	} {
		e, err := Open(dir, All())
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		e.Whose = tt.whose
		var roles []string
		for m, err := range e.Messages() {
			if err != nil {
				t.Fatal(err)
			}
			if m.Content != "" {
				roles = append(roles, m.Role)
			}
			for _, f := range m.Facts {
				roles = append(roles, f.Role)
			}
		}
		if got := strings.Join(roles, " "); got != tt.want {
			t.Errorf("roles %q, want %q", got, tt.want)
		}
	}
}
