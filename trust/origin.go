package trust

import "github.com/reverie-memory/reverie/vault"

// Label names an origin beside its text: "" for the person's own words, and "import" for an origin that this program does not know.
func Label(o vault.Origin) string {
	switch o {
	case vault.OriginUser, "": // "": a line by hand
		return ""
	case vault.OriginAgent, vault.OriginAssistant, vault.OriginTool:
		return string(o)
	}
	return string(vault.OriginImport)
}

// ranks are the labels of origins from the most trusted to the least.
var ranks = map[string]int{"": 0, "agent": 1, "assistant": 2, "import": 3, "tool": 4}

// Least is the less trusted of two origins: what was made of both is trusted no more than that.
func Least(a, b vault.Origin) vault.Origin {
	if ranks[Label(b)] > ranks[Label(a)] {
		return b
	}
	return a
}

// Votes count who said how much of what is known. The zero value has none.
type Votes struct {
	said map[string]int
	all  int
}

// Hear counts one text.
func (v *Votes) Hear(speaker string, o vault.Origin) {
	if speaker != "" && o != vault.OriginAssistant && o != vault.OriginTool {
		v.Count(speaker, 1)
	}
}

// Count adds n texts of a speaker.
func (v *Votes) Count(speaker string, n int) {
	if v.said == nil {
		v.said = map[string]int{}
	}
	v.said[speaker] += n
	v.all += n
}

// Owner is the one whose memory this is, and whom assistants mean by "the user": whoever said nine of ten texts that are known
// to be said by somebody; "" when nobody did.
func (v *Votes) Owner() string {
	for speaker, n := range v.said {
		if n*10 >= v.all*9 {
			return speaker
		}
	}
	return ""
}
