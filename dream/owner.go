package dream

import "github.com/reverie-memory/reverie/vault"

// votes count who said how much of what is known.
type votes struct {
	said map[string]int
	all  int
}

func (v *votes) hear(speaker string, origin vault.Origin) {
	if speaker == "" || origin == vault.OriginAssistant || origin == vault.OriginTool {
		return
	}
	if v.said == nil {
		v.said = map[string]int{}
	}
	v.said[speaker]++
	v.all++
}

// owner is the one whose memory this is, and whom assistants mean by "the user": whoever said nine of ten things that are known to be said
// by somebody, those of earlier runs included; "" when nobody did.
func (v *votes) owner(known *vault.Accounts) string {
	for _, a := range known.All() {
		v.hear(a.Speaker, a.Origin)
	}
	for speaker, n := range v.said {
		if n*10 >= v.all*9 {
			return speaker
		}
	}
	return ""
}
