package trust

import (
	"testing"

	"github.com/reverie-memory/reverie/vault"
)

// A name is the person's own where nine of ten named turns and more than half of all bear it, or where the person said so. One turn
// decides nothing beside others.
func TestOwner(t *testing.T) {
	type turns map[string]int
	for _, c := range []struct {
		said  turns
		names []string
		noted bool
		want  string
	}{
		{turns{}, nil, false, ""},
		{turns{"Alice": 1}, nil, false, "Alice"},
		{turns{"Alice": 1}, nil, true, ""},
		{turns{"Alice": 2}, nil, true, "Alice"},
		{turns{"Alice": 1, "": 8}, nil, false, ""},
		{turns{"Alice": 1, "": 1}, nil, false, ""},
		{turns{"Newsletter Bot": 1, "": 2}, nil, false, ""},
		{turns{"Alice": 5, "": 5}, nil, false, ""},
		{turns{"Alice": 6, "": 5}, nil, false, "Alice"},
		{turns{"Alice": 9, "Bob": 1}, nil, false, "Alice"},
		{turns{"Alice": 9, "Bob": 2}, nil, false, ""},
		{turns{"": 8}, nil, false, ""},
		{turns{"Alice": 9, "": 1}, []string{"Marek Dvorak"}, false, ""},
		{turns{"Alice": 9, "Marek": 2, "": 1}, []string{"Marek Dvorak"}, false, "Marek"},
		{turns{"Marek Dvorak": 3, "": 9}, []string{"Marek"}, false, "Marek Dvorak"},
	} {
		var v Votes
		for speaker, n := range c.said {
			v.Count(speaker, n)
		}
		for _, name := range c.names {
			v.Name(name)
		}
		if c.noted {
			v.Hear("", vault.OriginAgent, "t")
		}
		if got := v.Owner(); got != c.want {
			t.Errorf("%v, named %q: %q, want %q", c.said, c.names, got, c.want)
		}
	}
}

// However many facts a turn has, its speaker counts once; what a tool, an assistant's talk or a person's pages say counts not at all.
func TestTurnsCountOnce(t *testing.T) {
	var v Votes
	for range 5 {
		v.Hear("Alice", vault.OriginUser, "t1")
	}
	v.Hear("", vault.OriginUser, "t2")
	v.Hear("", vault.OriginUser, "t3")
	if got := v.Owner(); got != "" {
		t.Errorf("one turn of three decides: %q", got)
	}
	v = Votes{}
	v.Hear("Alice", vault.OriginUser, "t1")
	v.Hear("Alice", vault.OriginUser, "t2")
	for range 5 {
		v.Hear("", vault.OriginTool, "")
		v.Hear("Assistant", vault.OriginAssistant, "")
		v.Hear("", "", "")
	}
	if got := v.Owner(); got != "Alice" {
		t.Errorf("what nobody told counts: %q", got)
	}
}
