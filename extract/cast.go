package extract

import (
	"strings"
	"sync"
)

// A cast names the people of a message.
type cast struct {
	me   string      // the speaker, or "The user"
	you  string      // whom they speak to, "" when unknown
	team func() bool // the message is about work: we is a team
}

func (p cast) mine() string {
	if p.me == unknownSpeaker {
		return unknownSpeaker + "'s"
	}
	return possessive(p.me)
}

func possessive(name string) string { return name + "'s" }

const unknownSpeaker = "The user"

// group is who "we" are.
func (p cast) group(c clause) (name string, plural bool) {
	if p.team() {
		return p.mine() + " team", false
	}
	return p.me + " and others", true
}

// byPerson tells a message that a person wrote.
func byPerson(m Message) bool { return m.Role == "" || m.Role == "user" }

// speakers lists the people of a turn.
func speakers(turn []Message) []string {
	var names []string
	for _, m := range turn {
		if !byPerson(m) || m.Speaker == "" || generic(m.Speaker) {
			continue
		}
		known := false
		for _, n := range names {
			known = known || n == m.Speaker
		}
		if !known {
			names = append(names, m.Speaker)
		}
	}
	return names
}

// generic tells speakers that are roles and not names.
func generic(s string) bool {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "", "user", "human", "me", "you", "assistant", "system", "tool":
		return true
	}
	return false
}

func castOf(m Message, names []string) cast {
	p := cast{me: strings.TrimSpace(m.Speaker), team: sync.OnceValue(func() bool { return aboutWork(m.Text) })}
	if generic(p.me) {
		p.me = unknownSpeaker
	} else if !strings.ContainsAny(p.me, " @._-0123456789") {
		p.me = capital(p.me)
	}
	if len(names) == 2 {
		for _, n := range names {
			if n != m.Speaker {
				p.you = capital(n)
			}
		}
	}
	return p
}
